#!/bin/sh
# Runs the tests of failing allocations with every allocation, and one of them with some under valgrind, which finds what
# leaks. Then runs the test of threads under helgrind, which finds data races. It uses a debug build of the library: in a release
# build, functions that the suppressions name are inlined into their callers.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset test
cmake --build --preset test --target test_threads test_no_memory_anywhere test_no_memory_large
cargo build --quiet --locked --lib
failing=$(find "$PWD/build/cmake-test" -name test_no_memory_anywhere -type f | head -n 1)
mkdir -p "$failing.files"
(
    cd "$failing.files"
    ASDFKIT_MALLOC_STEP=1 "$failing"
    # The functions that allocate are those of the program; valgrind replaces the ones that they call.
    ASDFKIT_MALLOC_STEP=199 valgrind --quiet --error-exitcode=99 --soname-synonyms=somalloc=nouserintercepts --leak-check=full \
        --errors-for-leak-kinds=definite --show-leak-kinds=definite "$failing"
)
large=$(find "$PWD/build/cmake-test" -name test_no_memory_large -type f | head -n 1)
mkdir -p "$large.files"
(cd "$large.files" && ASDFKIT_MALLOC_STEP=1 "$large")
program=$(find "$PWD/build/cmake-test" -name test_threads -type f | head -n 1)
LD_PRELOAD=$PWD/target/debug/libasdfkit.so ASDFKIT_SOURCE=$PWD exec valgrind --tool=helgrind --quiet --error-exitcode=1 --num-callers=40 \
    --suppressions="$PWD/tests/c/helgrind.supp" "$program"
