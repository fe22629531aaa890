# Commands for developers. `just` lists them.

default:
    @just --list

# The gate: what CI runs.
ready:
    .ci/run

# The tests of the README.
test *args:
    cargo test --locked {{args}}

# A failing input is kept in target/tmp/fuzz; copied to tests/corpus/fuzz/READER/, it is tried first in every run.
# Fuzz every reader of files, variables and answers for some minutes, with a new seed.
fuzz cases="6000" *args:
    CREDLINT_FUZZ_CASES={{cases}} cargo test --locked --test it -- fuzz_ --nocapture {{args}}

# The tests that try everything with everything, of which `just test` takes a sample: some minutes; name one to run it alone.
exhaustive *args:
    cargo test --locked --lib --test it -- --ignored {{args}}

# Write the generated parts of the documents: the table of rules, their last lines, and the pictures.
docs:
    UPDATE_DOCS=1 cargo test --locked --lib --test it -- published pages docs readme learning

# Update the snapshots; read the diff before you commit it. Whether each belongs to a rule, `just test` says.
snapshots:
    INSTA_UPDATE=always cargo test --locked --test it -- snapshots:: --skip rules_and_snapshots_correspond

# Build what is released for this machine: the static program, a wheel, and an archive with its checksum.
dist *target:
    .ci/dist {{target}}

# Install what `just dist` built into empty directories, and run the quick start with each; --crate includes the crate.
dist-test *options:
    .ci/dist-test {{options}}

# Format, and apply clippy's fixes.
fix:
    cargo fmt
    cargo clippy --fix --allow-dirty --all-targets

# The quick start of the README.
quickstart:
    cargo run -q -- upload --rehearse --profile reports --config examples/passes.toml --env-file examples/passes.env examples/report.csv

# Compare speed and memory with other tools.
bench *what:
    cargo build --release --locked
    python3 benches/compare.py {{what}}

# Compare uploads with curl, the SDKs and the limit of the machine, over plain HTTP and TLS.
transfer *options:
    cargo build --release --locked
    python3 benches/transfer.py {{options}}

# Upload with several clients to a service that fails now and then, and count what is true.
league *options:
    cargo build --release --locked
    python3 benches/league.py {{options}}

# Upload to a service that closes kept connections, and count what is uncertain.
idle *options:
    cargo build --release --locked
    python3 benches/idle.py {{options}}

# How the cost of a check grows with profiles and layers.
scale:
    cargo build --release --locked
    python3 benches/scale.py

# Compare what two secret scanners and credlint report for the same mistakes.
peers:
    cargo build --release --locked
    benches/peers.sh

# Name a part (rules, rows, masks, retry) or a folder of src such as foreign for only that part, followed by options of
# cargo-mutants such as --shard 1/4.
# Mutate what decides the verdicts, the masks and the retries, and list each change that no test detects.
mutants part="rules rows masks retry foreign profile config lint form source identify why" *options:
    #!/usr/bin/env bash
    set -euo pipefail
    # Built once, and kept with the build.
    tools="$PWD/target/tools"
    if [ "$("$tools/bin/cargo-mutants" mutants --version 2>/dev/null || true)" != "cargo-mutants 27.1.0" ]; then
        cargo install --quiet --locked --version 27.1.0 --profile dev --config 'profile.dev.debug=0' \
            --root "$tools" --target-dir "$tools/build" cargo-mutants
        rm -rf "$tools/build"
    fi
    code=0
    for part in {{part}}; do
        what=(--config ".cargo/mutants-$part.toml")
        test -e ".cargo/mutants-$part.toml" || what=(--config .cargo/mutants-folder.toml -f "src/$part.rs" -f "src/$part/**/*.rs")
        "$tools/bin/cargo-mutants" mutants "${what[@]}" -o "target/mutants-$part" {{options}} || code=$?
    done
    exit $code

# Write the file of a new service.
new-service name:
    #!/usr/bin/env bash
    set -euo pipefail
    name='{{name}}'
    [[ $name =~ ^[A-Z][A-Za-z0-9]*(\ [A-Za-z0-9]+)*$ ]] || { echo "a name is that for people, such as Stripe" >&2; exit 2; }
    id=$(tr 'A-Z ' 'a-z-' <<<"$name")
    word=$(tr 'a-z ' 'A-Z_' <<<"$name")
    test ! -e "src/services/$id.toml"
    article=a; [[ $name =~ ^[AEIOU] ]] && article=an
    sed "s/a TEMPLATE /$article TEMPLATE /; s|0000-00-00|$(date +%F)|; s/TEMPLATE_API/${word}_API/; s/\[\"TEMPLATE\"\]/[\"$word\"]/; s/TEMPLATE/$name/g; s/template/$id/g" \
        src/services/template.toml > "src/services/$id.toml"
    echo "Fill in src/services/$id.toml, and try it: cargo run -q -- services check src/services/$id.toml"
    echo "Then run: just docs && just test"

# List the services whose sources nobody has read for a year: a release waits for them.
stale:
    @grep -H '^read = "' src/services/*.toml | sed -E 's|src/services/([a-z0-9-]+)\.toml:read = "([-0-9]+)".*|\2 \1|' | awk -v old="$(date -d '1 year ago' +%F)" '$1 < old && $2 != "template" { print; found = 1 } END { exit found }'

# Create the file and the page of a new rule. Add its line to the list yourself.
new-rule id:
    #!/usr/bin/env bash
    set -euo pipefail
    id='{{id}}'
    [[ $id =~ ^[a-z]+(-[a-z0-9]+)+$ ]] || { echo "an id is words of small letters, joined by -" >&2; exit 2; }
    module=${id//-/_}
    name=$(awk -F- '{ for (i = 1; i <= NF; i++) printf "%s", toupper(substr($i, 1, 1)) substr($i, 2) }' <<<"$id")
    version=$(awk -F'"' '/^version = / { print $2; exit }' Cargo.toml)
    test ! -e "src/rules/$module.rs"
    sed "s| in \"template.md\"||; s/TemplateRule/$name/; s/template-rule/$id/; s/0\.0\.0/$version/" \
        src/rule/template.rs > "src/rules/$module.rs"
    sed "s/template-rule/$id/" src/rule/template.md > "docs/rules/$id.md"
    echo "Add to src/rules.rs, next to the others, and in the list, in the order of the table in docs/rules/README.md:"
    echo "mod $module;"
    echo "    $module::$name,"
    echo "Then write src/rules/$module.rs and docs/rules/$id.md, and run: just docs && just test"
