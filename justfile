# What a developer runs. `just` lists it.

default:
    @just --list

# The gate: what CI runs.
ready:
    .ci/run

# All tests.
test *args:
    cargo test --locked {{args}}

# Write what is generated: the table of rules and the pictures in the README.
docs:
    UPDATE_DOCS=1 cargo test --locked --test it

# Write what the program says into the snapshots; read the difference before it is kept.
snapshots:
    INSTA_UPDATE=always cargo test --locked --test it snapshots

# Format, and let clippy repair what it can.
fix:
    cargo fmt
    cargo clippy --fix --allow-dirty --all-targets

# The quick start of the README.
quickstart:
    cargo run -q -- upload --rehearse --profile reports --config examples/passes.toml --env-file examples/passes.env examples/report.csv

# Speed and memory, side by side with others.
bench *what:
    cargo build --release --locked
    python3 benches/compare.py {{what}}

# Uploads beside curl, the SDKs and the limit of the machine, over plain http and TLS.
transfer *options:
    cargo build --release --locked
    python3 benches/transfer.py {{options}}

# How the cost of a check grows with profiles and layers.
scale:
    cargo build --release --locked
    python3 benches/scale.py

# What two secret scanners and credlint say to the same mistakes.
peers:
    cargo build --release --locked
    benches/peers.sh

# The beginnings of a rule: its file, its page, its two lines.
new-rule id:
    #!/usr/bin/env bash
    set -euo pipefail
    module=$(tr - _ <<<'{{id}}')
    name=$(sed -E 's/(^|-)([a-z])/\U\2/g' <<<'{{id}}')
    test ! -e "src/rules/$module.rs"
    sed -e "s/missing-token/{{id}}/g; s/MissingToken/$name/g; s/neither an access token nor a webhook URL/TODO: one line/" \
        src/rules/missing_token.rs > "src/rules/$module.rs"
    printf '# %s\n\nWhat is wrong.\n\n## Fails\n\n```toml fails\n```\n\n## Passes\n\n```toml passes\n```\n\n## What to do\n' '{{id}}' > 'docs/rules/{{id}}.md'
    sed -i.bak -e "s/^mod missing_token;/mod missing_token;\nmod $module;/; s/^pub use missing_token::MissingToken;/pub use missing_token::MissingToken;\npub use $module::$name;/; s/^    &MissingToken,/    \&MissingToken,\n    \&$name,/" src/rules.rs
    rm src/rules.rs.bak
    cargo fmt
    echo "Now write src/rules/$module.rs and docs/rules/{{id}}.md, then run: just docs && just test"
