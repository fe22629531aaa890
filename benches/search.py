#!/usr/bin/env python3
"""The cost of `check .` in a large tree, compared with programs that read the same files.

    cargo build --release && python3 benches/search.py [--files N] [--tree DIRECTORY] [--scanner COMMAND]

The tree has N small files (100,000), of which 2 % are of kinds that are read; a quarter of those hold a name of either
service, and every hundredth a mistake. Beside `credlint check .`, in turn with it:

- `rg --files --hidden`: walking alone;
- `rg -c -F xoxb-` over the same candidates: reading them, too. In a tree of one's own, `rg -c -i` for all words of the services,
  which is what credlint looks for before it parses a file;
- a secret scanner, if one is named, such as "kingfisher scan --no-validate --no-update-check".

`--tree` measures in a directory with real repositories instead.

Each line has the minimum and the median of wall time, the processor time and the peak of the resident set. Needs Linux.
"""

import argparse
import glob
import os
import re
import shutil
import statistics
import sys
import tempfile

import measure

PATTERNS = ["--hidden", "-g", "*.env", "-g", ".env*", "-g", "*.{yaml,yml,json,toml,ini,conf,tfvars,sh,cfg,properties,config,service}"]


def tree(root, files):
    """Directories of 100 files each, as a large repository has them."""
    body = "fn main() {\n    println!(\"x\");\n}\n" * 20
    kinds = [".env", "values.yaml", "app.toml", "rclone.conf", "data.json"]
    for number in range(files):
        directory = os.path.join(root, f"d{number // 1000}", f"e{number // 100}")
        if number % 100 == 0:
            os.makedirs(directory)
        if number % 50:
            name, text = f"f{number}.rs", body
        else:
            which = number // 50
            name = kinds[which % len(kinds)]
            name = name if name.startswith(".") or name == "rclone.conf" else f"{which}-{name}"
            if os.path.exists(os.path.join(directory, name)):
                name = f"x{which}.env"
            text = content(name, which)
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)


def content(name, which):
    plain = "".join(f"NAME_{line}: value{line}\n" if name.endswith("yaml") else f"NAME_{line}={line}\n" for line in range(30))
    if name.endswith("json"):
        return "{" + ", ".join(f'"NAME_{line}": "{line}"' for line in range(30)) + "}\n"
    if name.endswith("toml"):
        plain = "".join(f'NAME_{line} = "{line}"\n' for line in range(30))
    if which % 4:
        return plain
    mark = ": " if name.endswith("yaml") else " = " if name.endswith(("toml", "conf")) else "="
    quote = '"' if name.endswith("toml") else ""
    value = "https://hooks.slack.com/services/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"
    good = "xoxb-739184265017-7391842650173-QzWvXkPjHyBdRmTnLsGfCaEu"
    return plain + f"SLACK_BOT_TOKEN{mark}{quote}{value if which % 100 == 0 else good}{quote}\n"


def words():
    """The words of all services, as one pattern."""
    found = set()
    for path in glob.glob(os.path.join(measure.ROOT, "src", "services", "*.rs")):
        with open(path, encoding="utf-8") as file:
            for row in re.findall(r"^    words: &\[(.*?)\]", file.read(), re.M | re.S):
                found.update(re.findall(r'"(\w+)"', row))
    return "|".join(sorted(found))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--tree")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--scanner")
    parser.add_argument("--program", default=measure.PROGRAM)
    parser.add_argument("--rg", default=shutil.which("rg"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        if not args.tree:
            tree(root, args.files)
        check = [os.path.abspath(args.program), "check", ".", "--isolated", "--format", "concise"]
        commands = {"credlint check .": check}
        if args.rg:
            commands["rg --files --hidden"] = [args.rg, "--files", "--hidden"]
            looked = ["-i", "-e", words()] if args.tree else ["-F", "xoxb-"]
            commands[f"rg -c {looked[0]} …, the same candidates"] = [args.rg, "-c", *looked, *PATTERNS]
        if args.scanner:
            commands[args.scanner] = [*args.scanner.split(), "."]
        env = {"HOME": root, "PATH": os.environ["PATH"]}
        runs = {name: [] for name in commands}
        # In turn, so that other load on the machine affects all of them.
        for round_ in range(args.rounds + 1):
            for name, command in commands.items():
                # A scanner is slow enough to measure it in one run.
                if name == args.scanner and round_ > 1:
                    continue
                runs[name].append(measure.run(command, env, args.tree or root))
        for name, all_ in runs.items():
            timed = all_[1:]
            wall = [each[0] for each in timed]
            cpu = statistics.median(each[1] for each in timed)
            print(f"{name:48} wall min {min(wall) * 1000:8.1f} ms, median {statistics.median(wall) * 1000:8.1f} ms  "
                  f"cpu {cpu * 1000:8.1f} ms  peak {max(each[2] for each in timed):6.1f} MiB  exit {timed[0][3]}")


if __name__ == "__main__":
    sys.exit(main())
