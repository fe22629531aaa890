#!/usr/bin/env python3
"""How the cost of `check` grows: with the profiles of one file, and with the layers.

    cargo build --release && python3 benches/scale.py [PROGRAM]

Each line is the median of several runs: wall and processor time (the steadier figure on a busy machine), the peak of the
resident set (VmHWM, read every 2 ms), and what one profile adds to an empty run. The profiles are of both kinds, half
each, and every one fits; the last lines are those of profiles that each have a mistake. It ends in 1 if 10,000 profiles
cost more than in proportion, or more memory than the limit. Needs Linux.
"""

import os
import statistics
import sys
import tempfile

import measure

PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else measure.PROGRAM
# The limits for 10,000 profiles: what one costs, by what one of a hundred costs, since machines differ; and memory.
GROWTH, MEBIBYTES = 2, 100


def profile(number, mistake):
    """A profile of six or seven lines."""
    if number % 2:
        key = "account_id" if mistake else "application_key_id"
        value = "1a2b3c4d5e6f" if mistake else f"0051a2b3c4d5e6f000{number:07}"
        return (f'[storage.backups-{number}]\n# the nightly copy\n{key} = "{value}"\n'
                'application_key = { env = "KEY" }\nbucket = "nightly"\n\n')
    token = 'webhook_url = { env = "TOKEN" }' if mistake else 'token = { env = "TOKEN" }'
    return (f'[messaging.reports-{number}]\n# the nightly report\nbase_url = "https://chat.example.com"\n{token}\n'
            f'channels = ["C{number:010}", "D{number:010}"]\n\n')


def row(title, words, cwd, profiles, expected, base, rounds):
    env = {"HOME": cwd, "TOKEN": "xoxb-1", "KEY": "K005x"}
    runs = [measure.run([PROGRAM, *words], env, cwd) for _ in range(rounds + 1)][1:]
    if any(each[3] != expected for each in runs):
        sys.exit(f"{title}: exit {runs[0][3]}, not {expected}")
    wall, cpu = (statistics.median(each[index] for each in runs) for index in (0, 1))
    peak = max(each[2] for each in runs)
    each = f"{(wall - base) / profiles * 1e6:7.1f} us" if profiles else "         -"
    print(f"{title:44} wall {wall * 1000:8.1f} ms  cpu {cpu * 1000:8.1f} ms  peak {peak:6.1f} MiB  per profile {each}",
          flush=True)
    return wall, cpu, peak


def main():
    if not os.path.exists(PROGRAM):
        sys.exit("build it first: cargo build --release")
    with tempfile.TemporaryDirectory() as cwd:
        def write(name, numbers, mistake=False):
            with open(os.path.join(cwd, name), "w") as file:
                file.write("".join(profile(number, mistake) for number in numbers))
            return name

        base, idle, _ = row("no profile (--version)", ["--version"], cwd, 0, 0, 0, 31)
        of = {}
        for count in (1, 100, 10_000):
            name = write(f"{count}.toml", range(count))
            of[count] = row(f"{count:,} profiles in one file", ["check", name], cwd, count, 0, base, 31 if count < 10_000 else 11)
        for each in (1, 100):
            names = [write(f"layer-{layer}-{each}.toml", range(layer * each, layer * each + each)) for layer in range(100)]
            words = ["check", *(word for name in names for word in ("--config", name))]
            row(f"{100 * each:,} profiles over 100 layers", words, cwd, 100 * each, 0, base, 11)
        names = [write(f"same-{layer}.toml", range(100)) for layer in range(100)]
        words = ["check", *(word for name in names for word in ("--config", name))]
        row("100 profiles, each set by 100 layers", words, cwd, 100, 0, base, 11)
        name = write("mistakes.toml", range(10_000), mistake=True)
        for format in ("human", "json"):
            row(f"10,000 profiles with a mistake, {format}", ["check", "--format", format, name], cwd, 10_000, 1, base, 3)
        each = {count: (of[count][1] - idle) / count for count in (100, 10_000)}
        growth, peak = each[10_000] / each[100], of[10_000][2]
        print(f"\n10,000 profiles that fit: each {each[10_000] * 1e6:.0f} us of processor time, {growth:.2f} of one of a hundred "
              f"(at most {GROWTH}); {peak:.0f} MiB of {MEBIBYTES} MiB")
        sys.exit(growth > GROWTH or peak > MEBIBYTES)


if __name__ == "__main__":
    main()
