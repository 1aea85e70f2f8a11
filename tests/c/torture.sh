#!/bin/sh
# Runs the test of threads under helgrind, which finds data races. It uses a debug build of the library: in a release
# build, functions that the suppressions name are inlined into their callers.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset test
cmake --build --preset test --target test_threads
cargo build --quiet --locked --lib
program=$(find "$PWD/build/cmake-test" -name test_threads -type f | head -n 1)
LD_PRELOAD=$PWD/target/debug/libasdfkit.so ASDFKIT_SOURCE=$PWD exec valgrind --tool=helgrind --quiet --error-exitcode=1 --num-callers=40 \
    --suppressions="$PWD/tests/c/helgrind.supp" "$program"
