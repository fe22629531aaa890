#!/usr/bin/env bash
# Which credlint an action of this repository uses, and where it is kept: the one of the action, if no VERSION is given.
set -euo pipefail

own=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$SOURCE/Cargo.toml" | head -n 1)
# shellcheck disable=SC2153 # it is given
version=${VERSION#v}
version=${version:-$own}
case $version in
    *[!0-9A-Za-z.+-]* | "") echo "::error title=credlint::the version is a number such as $own" && exit 2 ;;
esac
{
    echo "version=$version"
    echo "own=$own"
    echo "directory=$RUNNER_TEMP/credlint-$version-$FEATURES"
    # Of the action itself, as it stands here: a commit that is not released has another key.
    echo "key=credlint-$version-$FEATURES-$RUNNER_OS-$RUNNER_ARCH-$(cat "$SOURCE/Cargo.lock" "$SOURCE/Cargo.toml" | git hash-object --stdin)"
} >> "$GITHUB_OUTPUT"
