#!/bin/sh
# Builds the library with cargo alone, into build/lib with the file names of an installation. The profile `demo` takes a
# fraction of the build time of a release, which CMake builds.
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
abi=$(sed -n 's/^const ABI: u32 = \([0-9]*\);/\1/p' build.rs)

# Cargo skips link-time optimisation if `lib` is among the crate types, so they are named here.
cargo rustc --locked --profile demo --lib --features reserve --crate-type cdylib,staticlib --target-dir build/cargo

mkdir -p build/lib
cp -p build/cargo/demo/libasdfkit.a build/lib/
case $(uname -s) in
Darwin)
    cp -p build/cargo/demo/libasdfkit.dylib "build/lib/libasdfkit.$version.dylib"
    ln -sf "libasdfkit.$version.dylib" "build/lib/libasdfkit.$abi.dylib"
    ln -sf "libasdfkit.$abi.dylib" build/lib/libasdfkit.dylib
    ;;
*)
    cp -p build/cargo/demo/libasdfkit.so "build/lib/libasdfkit.so.$version"
    ln -sf "libasdfkit.so.$version" "build/lib/libasdfkit.so.$abi"
    ln -sf "libasdfkit.so.$abi" build/lib/libasdfkit.so
    ;;
esac
