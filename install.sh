#!/bin/sh
{ # A shell reads up to the closing brace before it runs a line, so a download that was cut off does nothing.

# Installs the released program after verifying its checksum:
#   curl --proto '=https' --tlsv1.2 -fsSL https://github.com/credlint/credlint/releases/latest/download/install.sh | sh
#
# CREDLINT_VERSION      the version, such as 0.1.0; default: the latest
# CREDLINT_INSTALL_DIR  the directory; default: ~/.local/bin
# CREDLINT_RELEASES     the address of a mirror (https); default: the releases of the repository
#
# Exit code 69: there is no program for this machine or of this version, or the download failed; nothing was changed.
set -eu

fail() {
    echo "install.sh: $2" >&2
    exit "$1"
}

system=$(uname -s)
case $(uname -m) in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail 69 "no program is released for $(uname -m)" ;;
esac
program=credlint
case $system in
    Linux) target=$machine-unknown-linux-musl archive=tar.gz ;;
    Darwin) target=$machine-apple-darwin archive=tar.gz ;;
    # Git Bash and MSYS2, as in Windows jobs.
    MINGW* | MSYS* | CYGWIN*) target=x86_64-pc-windows-msvc archive=zip program=credlint.exe ;;
    *) fail 69 "no program is released for $system" ;;
esac

releases=${CREDLINT_RELEASES:-https://github.com/credlint/credlint/releases}
if [ -n "${CREDLINT_VERSION:-}" ]; then
    from=$releases/download/v${CREDLINT_VERSION#v}
else
    from=$releases/latest/download
fi
directory=${CREDLINT_INSTALL_DIR:-${HOME:?set HOME, or CREDLINT_INSTALL_DIR}/.local/bin}
name=credlint-$target
archive=$name.$archive
staged=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" ${staged:+"$staged"}' EXIT

for file in "$archive" "$archive.sha256"; do
    curl --proto '=https' --tlsv1.2 -fsSL --retry 3 -o "$scratch/$file" "$from/$file" ||
        fail 69 "$from/$file could not be downloaded"
done

# The checksum of another file says nothing about this one, so its line must name the archive.
read -r checksum named < "$scratch/$archive.sha256" || true
if command -v sha256sum > /dev/null 2>&1; then
    found=$(sha256sum < "$scratch/$archive")
else
    found=$(shasum -a 256 < "$scratch/$archive")
fi
[ "$checksum ${named#\*}" = "${found%% *} $archive" ] ||
    fail 1 "$archive is not what was released: its checksum differs"
case $archive in
    *.zip) unzip -q "$scratch/$archive" -d "$scratch" ;;
    *) tar -xzf "$scratch/$archive" -C "$scratch" ;;
esac
mkdir -p "$directory"
[ ! -d "$directory/$program" ] || fail 1 "$directory/$program is a directory"
# Copy it to a new file next to its destination, then move it: no link is followed, no running program overwritten.
staged=$(mktemp "$directory/.credlint.XXXXXX")
cp "$scratch/$name/$program" "$staged"
chmod 755 "$staged"
mv -f "$staged" "$directory/$program"
echo "installed $("$directory/$program" --version) as $directory/$program"
}
