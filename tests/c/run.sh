#!/bin/sh
# Builds the C tests and runs them by CTest; with `memcheck` under valgrind, without an error or a leak.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
cmake --preset test -DASDFKIT_CARGO_PROFILE="$ASDFKIT_PROFILE"
cmake --build --preset test

# Files of an earlier run must not influence this one.
find build/cmake-test/tests/c -path '*.files/*' -delete

# The child of a fork leaks memory that threads of its parent were using, so leaks are not searched for here.
memcheck_fork() { # NAME [ARGUMENT]
    name=$1
    shift
    (cd "build/cmake-test/tests/c/$name.files" && ASDFKIT_SOURCE=$source \
        valgrind --quiet --error-exitcode=99 --suppressions="$source/tests/c/valgrind.supp" "../$name" "$@") ||
        { echo "$name failed under valgrind" && return 1; }
}

logs=build/cmake-test/Testing/Temporary
rm -f "$logs"/MemoryChecker.*.log
if [ "${1:-}" = memcheck ]; then
    # Valgrind would read the debug information again for each program. The names of functions stay.
    stripped=$source/build/cmake-test/stripped
    mkdir -p "$stripped"
    for library in build/cmake-test/lib/libasdfkit.so.?; do
        strip --strip-debug -o "$stripped/$(basename "$library")" "$library"
    done
    export LD_LIBRARY_PATH="$stripped"
    memcheck_fork test_fork_threads 8 >build/cmake-test/forks.log 2>&1 &
    forks=$!
    # Valgrind knows neither traps nor flags, and replaces the functions that allocate.
    (cd build/cmake-test && ctest -T memcheck --exclude-regex '^test_(fork|float_environment|no_memory)|_(traps|upward)$' --no-tests=error) \
        >build/cmake-test/ctest.log && status=0 || status=1
    memcheck_fork test_fork || status=1
    wait "$forks" || status=1
    cat build/cmake-test/forks.log
else
    # Some tests wait for seconds.
    ctest --preset test -j2 --no-tests=error >build/cmake-test/ctest.log && status=0 || status=1
fi
cat build/cmake-test/ctest.log
if [ "$status" != 0 ] && [ "${1:-}" = memcheck ]; then cat "$logs"/MemoryChecker.*.log; fi

# The summary line that the runner reads.
sed -n 's/.*tests passed, \([0-9]*\) tests* failed out of \([0-9]*\)$/\1 \2/p' build/cmake-test/ctest.log |
    while read -r failed all; do echo "$((all - failed)) passed, $failed failed"; done
exit "$status"
