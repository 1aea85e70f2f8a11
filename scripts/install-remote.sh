#!/bin/sh
# Builds libasdfkit_remote and installs it with its header: install-remote.sh PREFIX [PROFILE]. DESTDIR is respected.
set -eu
cd "$(dirname "$0")/.."
prefix=${1:?usage: install-remote.sh PREFIX [PROFILE]}
profile=${2:-release}
target=build/remote

cargo build --locked --manifest-path crates/remote/Cargo.toml --profile "$profile" --target-dir "$target"
folder=$profile
if [ "$profile" = dev ]; then folder=debug; fi
library=${DESTDIR:-}$prefix/lib
header=${DESTDIR:-}$prefix/include/asdfkit
mkdir -p "$library" "$header"
case $(uname -s) in
Darwin)
    install -m 755 "$target/$folder/libasdfkit_remote.dylib" "$library/libasdfkit_remote.1.dylib"
    ln -sf libasdfkit_remote.1.dylib "$library/libasdfkit_remote.dylib"
    ;;
*)
    install -m 755 "$target/$folder/libasdfkit_remote.so" "$library/libasdfkit_remote.so.1"
    ln -sf libasdfkit_remote.so.1 "$library/libasdfkit_remote.so"
    ;;
esac
install -m 644 include/asdf_remote.h "$header/asdf_remote.h"
documents=${DESTDIR:-}$prefix/share/doc/asdfkit-remote
mkdir -p "$documents"
install -m 644 crates/remote/THIRD-PARTY-LICENSES.md LICENSE-MIT LICENSE-APACHE "$documents"
