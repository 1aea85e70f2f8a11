#!/bin/sh
# Prints which share of lines and branches the tests of cargo and the C tests reach, room by room, and the longest runs
# of lines that none reaches. Needs llvm-cov and llvm-profdata of the version of the compiler: Debian's llvm-22 for Rust 1.95.
set -eu
cd "$ASDFKIT_SOURCE"
work=$ASDFKIT_BUILD/coverage
version=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
mkdir -p "$work"
PATH="$work/tools/bin:$PATH"
command -v cargo-llvm-cov >/dev/null || cargo install --quiet --locked --root "$work/tools" --version 0.9.1 cargo-llvm-cov
LLVM_COV=$(command -v "llvm-cov-$version")
LLVM_PROFDATA=$(command -v "llvm-profdata-$version")
# Branches are counted behind a switch of stable compilers.
export LLVM_COV LLVM_PROFDATA CARGO_TARGET_DIR="$work/cargo" RUSTC_BOOTSTRAP=1
cargo llvm-cov show-env --branch --sh >"$work/environment"
# shellcheck disable=SC1091 # made by the line before
. "$work/environment"
cargo llvm-cov clean --workspace
cargo test --locked --all-features --no-fail-fast >"$work/cargo.log" 2>&1 || { tail -n 40 "$work/cargo.log" && exit 1; }
cargo build --locked --all-features >>"$work/cargo.log" 2>&1
libraries=$CARGO_TARGET_DIR/debug
# The name under which programs ask for it.
ln -sf libasdfkit.so "$libraries/libasdfkit.so.1"
export LD_LIBRARY_PATH="$libraries"
: >"$work/failed"
for test in tests/c/test_*.c; do
    name=$(basename "$test" .c)
    # They replace the functions that allocate, or limit the address space.
    case $name in test_no_memory*) continue ;; esac
    mkdir -p "$work/c/$name.files"
    gcc -O1 -Iinclude "$test" -L"$libraries" -lasdfkit -lm -lpthread -o "$work/c/$name"
    (cd "$work/c/$name.files" && timeout 600 "../$name") >"$work/c/$name.log" 2>&1 || echo "$name" >>"$work/failed"
done
cargo llvm-cov report --branch --json --output-path "$work/coverage.json" >"$work/report.log" 2>&1
python3 tests/coverage/rooms.py "$work/coverage.json"
if [ -s "$work/failed" ]; then
    echo "FAILED: these programs end with an error; their logs are in $work/c:" && cat "$work/failed" && exit 1
fi
