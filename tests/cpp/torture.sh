#!/bin/sh
# Runs the tests of the C++ binding with each compiler, standard library and standard, and all under valgrind. Counts the
# instructions that the binding adds to a call.
set -eu
if ! command -v clang++-19 >/dev/null && ! command -v clang++ >/dev/null; then
    echo 'clang++ is missing: install clang-19, libc++-19-dev and libc++abi-19-dev' >&2
    exit 1
fi
"$(dirname "$0")/overhead/run.sh"
exec "$(dirname "$0")/run.sh" all
