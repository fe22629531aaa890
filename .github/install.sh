#!/usr/bin/env bash
# Installs credlint for an action of this repository: what was released, or else built from the source that is here.
set -euo pipefail

if [ -x "$INTO/credlint" ] || [ -x "$INTO/credlint.exe" ]; then
    exit 0
fi
code=0
CREDLINT_VERSION=$VERSION CREDLINT_INSTALL_DIR=$INTO sh "$SOURCE/install.sh" || code=$?
# Only what can't be had is built; one whose checksum differs is not passed over.
[ "$code" = 69 ] || exit "$code"

if ! command -v cargo > /dev/null; then
    echo "::error title=credlint::version $VERSION is not released for this runner, and there is no Rust to build it with: https://rustup.rs"
    exit 3
fi
echo "building credlint $VERSION, which takes some minutes"
what=(--path "$SOURCE")
if [ "$VERSION" != "$OWN" ]; then what=("credlint@$VERSION"); fi
options=()
if [ "$FEATURES" = cli ]; then options=(--no-default-features --features cli); fi
cargo install --quiet --locked "${options[@]+"${options[@]}"}" "${what[@]}" --root "$INTO/built"
mv "$INTO/built/bin/"credlint* "$INTO/"
rm -rf "$INTO/built"
