#!/bin/sh
# Installs the released program after verifying its checksum:
#   curl -fsSL https://github.com/credlint/credlint/releases/latest/download/install.sh | sh
#
# CREDLINT_VERSION      the version, such as 0.1.0; default: the latest
# CREDLINT_INSTALL_DIR  the directory; default: ~/.local/bin
# CREDLINT_RELEASES     the address of a mirror; default: the releases of the repository
#
# Exit code 69: there is no program for this machine or of this version, or the download failed; nothing was changed.
set -eu

unavailable() {
    echo "install.sh: $1" >&2
    exit 69
}

system=$(uname -s)
case $(uname -m) in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) unavailable "no program is released for $(uname -m)" ;;
esac
program=credlint
case $system in
    Linux) target=$machine-unknown-linux-musl archive=tar.gz ;;
    Darwin) target=$machine-apple-darwin archive=tar.gz ;;
    # Git Bash and MSYS2, as in Windows jobs.
    MINGW* | MSYS* | CYGWIN*) target=x86_64-pc-windows-msvc archive=zip program=credlint.exe ;;
    *) unavailable "no program is released for $system" ;;
esac

releases=${CREDLINT_RELEASES:-https://github.com/credlint/credlint/releases}
if [ -n "${CREDLINT_VERSION:-}" ]; then
    from=$releases/download/v${CREDLINT_VERSION#v}
else
    from=$releases/latest/download
fi
directory=${CREDLINT_INSTALL_DIR:-${HOME:?set HOME, or CREDLINT_INSTALL_DIR}/.local/bin}
name=credlint-$target
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

get() {
    if command -v curl >/dev/null 2>&1; then
        curl -fsSL --retry 3 -o "$scratch/$1" "$from/$1"
    else
        wget -qO "$scratch/$1" "$from/$1"
    fi
}
get "$name.$archive" || unavailable "$from/$name.$archive could not be downloaded"
get "$name.$archive.sha256" || unavailable "$from/$name.$archive.sha256 could not be downloaded"

cd "$scratch"
if command -v sha256sum >/dev/null 2>&1; then
    sha256sum -c "$name.$archive.sha256" >/dev/null
else
    shasum -a 256 -c "$name.$archive.sha256" >/dev/null
fi || {
    echo "install.sh: $name.$archive is not what was released: its checksum differs" >&2
    exit 1
}
case $archive in
    zip) unzip -q "$name.zip" ;;
    *) tar -xzf "$name.tar.gz" ;;
esac
cd - >/dev/null
mkdir -p "$directory"
# Copy it next to its destination, then move it, so a running program is not overwritten.
cp "$scratch/$name/$program" "$directory/$program.new"
chmod 755 "$directory/$program.new"
mv -f "$directory/$program.new" "$directory/$program"
echo "installed $("$directory/$program" --version) as $directory/$program"
