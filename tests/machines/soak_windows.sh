#!/bin/sh
# Compiles and links the library for Windows. Nothing runs there. It needs the Debian packages gcc-mingw-w64-x86-64-posix,
# rustc-web, cargo-web and rust-web-src.
set -eu
cd "$(dirname "$0")/../.."
target=x86_64-pc-windows-gnu
export CARGO_TARGET_DIR="$ASDFKIT_BUILD/machines"
scripts/cargo-for-target.sh $target rustc --quiet --locked --lib --features reserve --crate-type cdylib
# The first two bytes of a program or a library of Windows.
case $(head -c 2 "$CARGO_TARGET_DIR/$target/debug/asdfkit.dll") in
MZ) echo '1 passed, 0 failed' ;;
*) echo '0 passed, 1 failed' && exit 1 ;;
esac
