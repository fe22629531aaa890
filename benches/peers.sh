#!/usr/bin/env bash
# What two secret scanners and credlint say to four mistakes: detect-secrets and kingfisher, from PyPI, in a virtual
# environment under a temporary directory that is removed again. Every value is made up on the spot. Needs python3
# and the network.
#
#   cargo build --release && benches/peers.sh [PROGRAM]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "${1:-$root/target/release/credlint}")
test -x "$program" || { echo "build it first: cargo build --release" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check detect-secrets==1.5.0 kingfisher-bin==2.14.0

# The same values in every run, so the output can be compared.
mkdir "$work/project"
cd "$work/project"
python3 - <<'MAKE'
import random
import string

made = random.Random(1)


def word(count, letters=string.ascii_letters + string.digits):
    return "".join(made.choice(letters) for _ in range(count))


digits, hexes = string.digits, "0123456789abcdef"
token = f"xoxb-{word(12, digits)}-{word(12, digits)}-{word(24)}"
hook = f"https://hooks.slack.com/services/T{word(10, digits)}/B{word(10, digits)}/{word(24)}"
address = 'base_url = "https://chat.example.com{}"\nchannels = ["C0123456789"]\n'
for name, text in {
    "1-mixed-pair": f'[storage.backups]\naccount_id = "{word(12, hexes)}"\napplication_key = "K005{word(27)}"\n',
    "2-webhook-as-token": f'[messaging.reports]\n{address.format("")}token = "{hook}"\n',
    "3-pasted-header": f'[messaging.reports]\n{address.format("")}token = "Bearer {token}"\n',
    "4-doubled-path": f'[messaging.reports]\n{address.format("/api")}token = "{token}"\n',
}.items():
    with open(f"{name}.toml", "w") as file:
        file.write(text)
MAKE

# Nothing is sent, and no value is printed: the output contains only the kind of each finding.
for file in *.toml; do
    printf '\n== %s\n' "${file%.toml}"
    printf -- '-- detect-secrets scan --no-verify\n'
    "$work/venv/bin/detect-secrets" scan --no-verify "$file" | python3 -c '
import json, sys
found = [each for results in json.load(sys.stdin)["results"].values() for each in results]
print("\n".join("line {}: {}".format(each["line_number"], each["type"]) for each in found) or "nothing")'
    printf -- '-- kingfisher scan --no-validate --confidence low\n'
    "$work/venv/bin/kingfisher" scan --no-validate --confidence low --format jsonl --no-update-check "$file" 2>/dev/null | python3 -c '
import json, sys
lines = []
for line in sys.stdin:
    try:
        document = json.loads(line)
    except ValueError:
        continue
    found = document.get("findings")
    for each in found if isinstance(found, list) else [document]:
        if "rule" in each:
            lines.append("line {}: {}".format(each["finding"]["line"], each["rule"]["name"]))
print("\n".join(lines) or "nothing")' || true
    printf -- '-- credlint check\n'
    COLUMNS=100 "$program" check -- "$file" 2>/dev/null || true
done
