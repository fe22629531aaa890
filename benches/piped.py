#!/usr/bin/env python3
"""Pipes values into commands that store them, with and without `credlint exec --stdin`, and counts what is stored as meant.

    cargo build --release && python3 benches/piped.py [--credlint PATH] [--values 500]

500 values that belong there (keys, passwords, addresses, JSON, PEM keys of several lines) are piped in six ways: by `echo`, as a here
string, with CRLF, from files with and without a line break at their end, by `printf`. 100 that don't (nothing, `-`, `undefined`, a
placeholder) are piped, too. The commands are stand-ins that keep or trim their input as the real ones are documented to:

    keeps all of it      docker secret create NAME -         docker/cli#979
                         gcloud secrets --data-file=-        reference of `gcloud secrets versions add`: `printf`, not `echo`
                         kubectl --from-file=/dev/stdin      kubernetes/website#492
                         vault kv put NAME key=-             reads standard input as it is
                         vercel env add, until 2026          vercel/vercel#14371
    cuts line breaks     gh secret set                       cli/cli, pkg/cmd/secret/set: all of them at the end
    cuts white space     wrangler secret put                 cloudflare/workers-sdk#993
    cuts one line break  vercel env add, since 2026          vercel/vercel#16038: unless the value has others

*As meant*: a value of one line without a line break, a value of several lines with all of its own. What the last three cut from a PEM
key they cut either way.

Measured on 2026-11-27, debug build:

                            stored     as meant   with credlint   refused
    keep all (five)           3000        55.5%          100.0%         0
    the other three           3000       100.0%          100.0%         0

    of 100 that are no values, stored: 100 without credlint, 0 with it
"""

import argparse
import os
import random
import string
import subprocess

NAMES = ["API_TOKEN", "DB_PASSWORD", "DATABASE_URL", "SERVICE_SECRET", "GCP_KEY", "TLS_KEY", "SETTING"]
STORES = {
    "docker secret create": lambda data: data,
    "gcloud secrets": lambda data: data,
    "kubectl --from-file": lambda data: data,
    "vault kv put": lambda data: data,
    "vercel env add, old": lambda data: data,
    "gh secret set": lambda data: data.rstrip(b"\r\n"),
    "wrangler secret put": lambda data: data.rstrip(),
    "vercel env add, new": lambda data: one_line_break_less(data),
}
WAYS = {
    "echo": lambda value: value + b"\n",
    "<<<": lambda value: value + b"\n",
    "CRLF": lambda value: value.replace(b"\n", b"\r\n") + b"\r\n",
    "file with a line break": lambda value: value + b"\n",
    "file without one": lambda value: value,
    "printf": lambda value: value,
}
NO_VALUES = [b"", b"-", b"undefined", b"null", b"None", b"changeme", b"<your-token>", b"your-api-key", b"***", b" "]


def one_line_break_less(data):
    for end in (b"\r\n", b"\n"):
        if data.endswith(end):
            line = data[: -len(end)]
            return data if b"\n" in line or b"\r" in line else line
    return data


def word(chance, alphabet, length):
    return "".join(chance.choice(alphabet) for _ in range(length))


def values(count):
    """Returns values without a line break at their end, each with a name."""
    chance = random.Random(51)
    letters = string.ascii_letters + string.digits
    made = [
        lambda: ("API_TOKEN", word(chance, letters, chance.randint(20, 64))),
        lambda: ("DB_PASSWORD", word(chance, letters + "!%&()*+,-./;<=>?@_~ ", chance.randint(9, 24)).strip() + "x7"),
        lambda: ("SERVICE_SECRET", word(chance, "0123456789abcdef", 64)),
        lambda: ("DATABASE_URL", f"postgres://app:{word(chance, letters, 20)}@db.internal.example.com:5432/app"),
        lambda: ("GCP_KEY", '{\n  "type": "service_account",\n  "private_key_id": "%s"\n}' % word(chance, "0123456789abcdef", 40)),
        lambda: (
            "TLS_KEY",
            "-----BEGIN PRIVATE KEY-----\n"
            + "\n".join(word(chance, letters + "+/", 64) for _ in range(chance.randint(2, 26)))
            + "\n-----END PRIVATE KEY-----",
        ),
    ]
    return [(name, value.encode()) for name, value in (made[index % len(made)]() for index in range(count))]


def credlint(program, name, data):
    """Returns what the command behind credlint gets, or None if it was not started."""
    run = subprocess.run(
        [program, "exec", "-q", "--stdin", name, "--", "cat"], input=data, capture_output=True, env={"PATH": os.environ["PATH"]}
    )
    return run.stdout if run.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--credlint", default="target/release/credlint")
    parser.add_argument("--values", type=int, default=500)
    options = parser.parse_args()
    right = values(options.values)
    rows = {}
    for way, piped in WAYS.items():
        for name, value in right:
            data = piped(value)
            passed = credlint(options.credlint, name, data)
            crlf = value.replace(b"\n", b"\r\n") if way == "CRLF" else value
            own = b"" if way in ("printf", "file without one") else b"\r\n" if way == "CRLF" else b"\n"
            meant = crlf + own if b"\n" in value else value
            for store, keep in STORES.items():
                row = rows.setdefault(store, [0, 0, 0, 0])
                # What a store cuts off a value of several lines, it cuts either way.
                row[0] += 1
                row[1] += keep(data) == keep(meant)
                row[2] += passed is not None and keep(passed) == keep(meant)
                row[3] += passed is None
    print(f"{'':24}{'stored':>10}{'as meant':>12}{'with credlint':>16}{'refused':>10}")
    for store, (total, without, checked, refused) in rows.items():
        print(f"    {store:20}{total:10}{without / total:12.1%}{checked / total:16.1%}{refused:10}")
    stored = [0, 0]
    for index in range(100):
        name, value = NAMES[index % len(NAMES)], NO_VALUES[index % len(NO_VALUES)]
        data = list(WAYS.values())[index % len(WAYS)](value)
        stored[0] += 1
        stored[1] += credlint(options.credlint, name, data) is not None
    print(f"\n    of {stored[0]} that are no values, stored: {stored[0]} without credlint, {stored[1]} with it")


if __name__ == "__main__":
    main()
