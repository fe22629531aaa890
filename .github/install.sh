#!/usr/bin/env bash
# Installs credlint for an action of this repository: what was released, or else built from the source that is here. Every
# run does so, into a new directory: a program kept from an earlier job can't be verified, and it would get the credential.
set -euo pipefail

own=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$SOURCE/Cargo.toml" | head -n 1)
# shellcheck disable=SC2153 # it is given
version=${VERSION#v}
version=${version:-$own}
case $version in
    *[!0-9A-Za-z.+-]*) echo "::error title=credlint::the version is a number such as $own" && exit 2 ;;
esac
into=$(mktemp -d "$RUNNER_TEMP/credlint.XXXXXX")
echo "program=$into/credlint" >> "$GITHUB_OUTPUT"
# For `run: credlint …` in the steps after this one.
echo "$into" >> "${GITHUB_PATH:-/dev/null}"
code=0
CREDLINT_VERSION=$version CREDLINT_INSTALL_DIR=$into sh "$SOURCE/install.sh" || code=$?
# Only what can't be had is built; one whose checksum differs is not passed over.
[ "$code" = 69 ] || exit "$code"

if ! command -v cargo > /dev/null; then
    echo "::error title=credlint::version $version is not released for this runner, and there is no Rust to build it with: https://rustup.rs"
    exit 3
fi
echo "building credlint $version, which takes some minutes"
what=(--path "$SOURCE")
if [ "$version" != "$own" ]; then what=("credlint@$version"); fi
options=()
if [ "$FEATURES" = cli ]; then options=(--no-default-features --features cli); fi
# The step has the credential in its environment, and a build runs code of every dependency.
shopt -s nocasematch
for name in $(compgen -e); do
    case $name in
        PATH | HOME | TMPDIR | TMP | TEMP | LANG | CARGO_HOME | RUSTUP_HOME | RUSTUP_TOOLCHAIN | *_PROXY | SSL_CERT_*) ;;
        CC | CXX | AR | SDKROOT | DEVELOPER_DIR | SYSTEMROOT | WINDIR | USERPROFILE | PROGRAM* | COMSPEC | PATHEXT) ;;
        *) unset "$name" || true ;;
    esac
done
cargo install --quiet --locked "${options[@]+"${options[@]}"}" "${what[@]}" --root "$into/built"
mv "$into/built/bin/"credlint* "$into/"
rm -rf "$into/built"
