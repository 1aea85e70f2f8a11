#!/bin/sh
# Installs the R package in DIR/library against the library of ASDFKIT_PREFIX: install.sh DIR [OPTION…]
set -eu
directory=$1
shift
mkdir -p "$directory/library" "$directory/source"
cp -R "$ASDFKIT_SOURCE/bindings/r/asdfkit" "$directory/source"
# What a build in the source tree left behind would be taken for up to date.
rm -f "$directory"/source/asdfkit/src/*.o "$directory"/source/asdfkit/src/*.so
if ! PKG_CONFIG_PATH="$ASDFKIT_PREFIX/lib/pkgconfig" "$ASDFKIT_R" CMD INSTALL --no-test-load "$@" \
    "--library=$directory/library" "$directory/source/asdfkit" >"$directory/r-install.log" 2>&1; then
    cat "$directory/r-install.log"
    exit 1
fi
