#!/bin/sh
# Runs cargo for WebAssembly: cargo-for-wasm.sh check|build ARGUMENT...
# The standard library comes with the toolchain (`rustup target add wasm32-unknown-unknown`), or is compiled from its source
# (Debian packages rustc-web, cargo-web and rust-web-src, which have the same version). zstd is compiled by clang.
set -eu
target=wasm32-unknown-unknown
verb=$1
shift
for folder in $(dirname "$(command -v cargo)") /usr/bin; do
    root=$("$folder/rustc" --print sysroot 2>/dev/null) || continue
    if [ -d "$root/lib/rustlib/$target/lib" ]; then
        standard=
    elif [ -e "$root/lib/rustlib/src/rust/library/std/Cargo.toml" ]; then
        # `-Z` is for nightly toolchains only, unless this variable is set.
        export RUSTC_BOOTSTRAP=1
        standard='-Zbuild-std=std,panic_abort'
    else
        continue
    fi
    clang=$(command -v clang || command -v clang-19 || echo clang)
    archiver=$(command -v llvm-ar || command -v llvm-ar-19 || echo llvm-ar)
    linker=$(command -v rust-lld || command -v wasm-ld || command -v wasm-ld-19 || echo rust-lld)
    export PATH="$folder:$PATH" RUSTC="$folder/rustc" CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker" \
        CC_wasm32_unknown_unknown="$clang" AR_wasm32_unknown_unknown="$archiver" CFLAGS_wasm32_unknown_unknown=-Os
    # shellcheck disable=SC2086 # one word, or none
    exec "$folder/cargo" "$verb" $standard --target "$target" "$@"
done
echo "there is no standard library for $target: install the Debian packages rustc-web cargo-web rust-web-src" >&2
exit 1
