#!/bin/sh
# Runs cargo for a target of another kind than the machine: cargo-for-target.sh TARGET check|build|run|test ARGUMENT...
# The standard library comes with the toolchain (`rustup target add TARGET`), or is compiled from its source (Debian packages
# rustc-web, cargo-web and rust-web-src, which have the same version). C code is compiled by clang for WebAssembly, and by the
# cross compilers of Debian for Linux and Windows. Programs for Linux run under qemu-user.
set -eu
target=$1
verb=$2
shift 2

# Sets what cargo and its build scripts are told about the target.
case $target in
wasm32-unknown-unknown)
    standard=std,panic_abort
    export CFLAGS_wasm32_unknown_unknown=-Os
    compiler=$(command -v clang || command -v clang-19 || echo clang)
    archiver=$(command -v llvm-ar || command -v llvm-ar-19 || echo llvm-ar)
    linker=$(command -v rust-lld || command -v wasm-ld || command -v wasm-ld-19 || echo rust-lld)
    runner=
    ;;
*-unknown-linux-gnu)
    standard=std,panic_unwind,test
    machine=${target%%-*}
    prefix=$machine-linux-gnu
    compiler=$prefix-gcc
    archiver=$prefix-ar
    linker=$compiler
    [ "$machine" != i686 ] || machine=i386
    runner="qemu-$machine -L /usr/$prefix"
    ;;
*-pc-windows-gnu)
    standard=std,panic_unwind
    prefix=${target%%-*}-w64-mingw32
    compiler=$prefix-gcc-posix
    archiver=$prefix-gcc-ar-posix
    linker=$compiler
    runner=
    ;;
*)
    echo "cargo-for-target.sh does not know the target $target" >&2
    exit 2
    ;;
esac
low=$(echo "$target" | tr - _)
high=$(echo "$low" | tr '[:lower:]' '[:upper:]')
export "CC_$low=$compiler" "AR_$low=$archiver" "CARGO_TARGET_${high}_LINKER=$linker"
[ -z "$runner" ] || export "CARGO_TARGET_${high}_RUNNER=$runner"

for folder in $(dirname "$(command -v cargo)") /usr/bin; do
    root=$("$folder/rustc" --print sysroot 2>/dev/null) || continue
    if [ -d "$root/lib/rustlib/$target/lib" ]; then
        build=
    elif [ -e "$root/lib/rustlib/src/rust/library/std/Cargo.toml" ]; then
        # `-Z` is for nightly toolchains only, unless this variable is set.
        export RUSTC_BOOTSTRAP=1
        build=-Zbuild-std=$standard
    else
        continue
    fi
    export PATH="$folder:$PATH" RUSTC="$folder/rustc"
    # shellcheck disable=SC2086 # one word, or none
    exec "$folder/cargo" "$verb" $build --target "$target" "$@"
done
echo "there is no standard library for $target: install the Debian packages rustc-web cargo-web rust-web-src" >&2
exit 1
