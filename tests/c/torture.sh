#!/bin/sh
# The test of threads under helgrind, which sees accesses to memory that nothing keeps apart. The library is the one for
# debugging: in the other, functions that the suppressions name are part of their callers.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset test
cmake --build --preset test --target test_threads
cargo build --quiet --locked --lib
program=$(find "$PWD/build/cmake-test" -name test_threads -type f | head -n 1)
LD_PRELOAD=$PWD/target/debug/libasdfkit.so ASDFKIT_SOURCE=$PWD exec valgrind --tool=helgrind --quiet --error-exitcode=1 --num-callers=40 \
    --suppressions="$PWD/tests/c/helgrind.supp" "$program"
