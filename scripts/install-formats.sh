#!/bin/sh
# Builds libasdfkit_formats and installs it with its header: install-formats.sh PREFIX [PROFILE]. DESTDIR is respected.
# Needs cfitsio (Debian package libcfitsio-dev), or FORMATS_FEATURES=bundled, which compiles one.
set -eu
cd "$(dirname "$0")/.."
prefix=${1:?usage: install-formats.sh PREFIX [PROFILE]}
profile=${2:-release}
target=build/formats

cargo build --locked --manifest-path crates/formats/Cargo.toml --profile "$profile" --target-dir "$target" \
    --features "${FORMATS_FEATURES:-}"
folder=$profile
if [ "$profile" = dev ]; then folder=debug; fi
library=${DESTDIR:-}$prefix/lib
header=${DESTDIR:-}$prefix/include/asdfkit
mkdir -p "$library" "$header"
case $(uname -s) in
Darwin)
    install -m 755 "$target/$folder/libasdfkit_formats.dylib" "$library/libasdfkit_formats.1.dylib"
    ln -sf libasdfkit_formats.1.dylib "$library/libasdfkit_formats.dylib"
    ;;
*)
    install -m 755 "$target/$folder/libasdfkit_formats.so" "$library/libasdfkit_formats.so.1"
    ln -sf libasdfkit_formats.so.1 "$library/libasdfkit_formats.so"
    ;;
esac
install -m 644 include/asdf_formats.h "$header/asdf_formats.h"
