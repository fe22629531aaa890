#!/usr/bin/env python3
"""Which reported mistakes a program finds, and which right set-ups it takes for mistakes.

    cargo build --release && python3 benches/fit/run.py [--seed N] [--only WORD] [--list] [--peers]

Prints one table: found at the right name with the right words, found otherwise, silent; false alarms by severity on the
right set-ups and on the repairs. `--list` names each case that is not found, and each false alarm. `--peers` asks the
programs that are installed, too; a program that can't say which value is wrong is only counted.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

import cases
import peers

CREDLINT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../target/release/credlint")
# Of the process that asks, and no part of a set-up.
NEUTRAL = {"PATH": "/usr/bin:/bin", "NO_COLOR": "1"}


class Credlint:
    name = "credlint"

    def __init__(self, program):
        self.program = program

    def ask(self, set_up, directory):
        """The findings: severity, the names that they point at, what they say."""
        found = []
        runs = [(["check", "."], {})] if set_up.files else []
        if set_up.variables:
            runs.append((["check", "--environment"], set_up.variables))
        for arguments, variables in runs:
            command = [self.program, *arguments, "--isolated", "--format", "json"]
            run = subprocess.run(command, cwd=directory, env={**NEUTRAL, **variables}, capture_output=True, text=True)
            if run.returncode not in (0, 1) and "nothing-to-check" not in run.stdout + run.stderr:
                raise SystemExit(f"{command}: {run.returncode}\n{run.stdout}{run.stderr}")
            for finding in json.loads(run.stdout or "{}").get("findings", []):
                names = {name for name in (label.get("key") for label in finding["labels"]) if name}
                names |= set((finding["message"] + " ").split("`")[1::2])
                says = finding["message"] + " " + finding.get("help", "") + " "
                says += " ".join(label.get("text") or "" for label in finding["labels"])
                found.append((finding["severity"], finding["rule"], names, says))
        return found


def asked(program, set_up):
    with tempfile.TemporaryDirectory() as directory:
        for path, text in set_up.files.items():
            whole = os.path.join(directory, path)
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open(whole, "w", encoding="utf-8") as file:
                file.write(text)
        return program.ask(set_up, directory)


def last(name):
    """`spec.env[0].TOKEN` and `TOKEN` are one name."""
    return name.replace("[", ".").split(".")[-1]


def judged(case, findings):
    """How a mistake was answered."""
    wrong = {last(name) for name in case.wrong()} | set(case.wrong())
    there = [one for one in findings if {last(name) for name in one[2]} & wrong]
    said = [one for one in there if any(word in one[3].lower() for word in case.words())]
    for severity in ("error", "warning", "note"):
        if any(one[0] == severity for one in said):
            return severity
    return "otherwise" if findings else "silent"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cases whose names or areas have this word")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--program", default=CREDLINT)
    options = parser.parse_args()
    wanted = lambda case: options.only in case.name or options.only in case.area
    mistakes = [case for case in cases.read("mistakes", options.seed) if wanted(case)]
    rights = [case for case in cases.read("right", options.seed) if wanted(case)]
    if not os.path.exists(options.program):
        sys.exit(f"{options.program} is missing: run `cargo build --release`")
    programs = [Credlint(os.path.abspath(options.program))] + (peers.installed() if options.peers else [])
    print(f"{len(mistakes)} mistakes ({sum(case.says['bytes'] == 'yes' for case in mistakes)} that bytes decide), "
          f"{len(rights)} right set-ups, {len(mistakes)} repairs; seed {options.seed}\n")
    columns = ["error", "warning", "note", "otherwise", "silent"]
    print("| | of | " + " | ".join(f"found: {c}" if c in columns[:3] else c for c in columns) + " | right: error | warning | note |")
    print("|---" * 10 + "|")
    for program in programs:
        answers = {case.name: judged(case, asked(program, case.set_up)) for case in mistakes}
        alarms, shown = collections.Counter(), []
        for case, set_up in [(c, c.set_up) for c in rights] + [(c, c.repair) for c in mistakes]:
            worst = set()
            for severity, rule, names, says in asked(program, set_up):
                worst.add(severity)
                shown.append((case.name, severity, rule, says[:160]))
            alarms.update(worst)
        for kind in ("yes", "part", "no"):
            of = [case for case in mistakes if case.says["bytes"] == kind]
            counts = collections.Counter(answers[case.name] for case in of)
            row = [f"{program.name}, bytes decide: {kind}", str(len(of)), *(str(counts[c]) for c in columns)]
            right = [str(alarms[c]) for c in columns[:3]] if kind == "yes" else ["", "", ""]
            print("| " + " | ".join(row + right) + " |")
        if options.list:
            for case in mistakes:
                if answers[case.name] in ("otherwise", "silent"):
                    print(f"  {answers[case.name]:9} {case.area} {case.name} ({case.says['bytes']}, {case.says.get('pair')}): {case.says['wrong']}")
            for name, severity, rule, says in shown:
                print(f"  FALSE {severity} {name}: {rule}: {says}")


if __name__ == "__main__":
    main()
