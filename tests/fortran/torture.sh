#!/bin/sh
# Counts the instructions that the modules add to a call, and runs the Fortran tests with flang. FLANG names the command
# if it is neither flang-22, as in Debian, nor flang.
set -eu
cd "$(dirname "$0")"
./overhead.sh
work=$ASDFKIT_BUILD/tests/fortran-flang
rm -rf "$work"
mkdir -p "$work"
flang=${FLANG:-$(command -v flang-22 || command -v flang || true)}
if [ -z "$flang" ]; then
    echo "flang is missing: apt-get install flang-22" >&2
    exit 1
fi
"$flang" --version | head -n 1

# -w: flang 22 calls optional arguments of C functions not portable, although Fortran 2018 has them.
compile="$flang -std=f2018 -w -g -I$work -J$work"
. ./steps.sh
run_tests
run_exchange
