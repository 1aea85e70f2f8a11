#!/bin/sh
# The Fortran binding with gfortran: every kind and rank, values, trees, arrays, owners, tables, streams, descriptions
# (under valgrind, too), exchange with Python asdf and astropy, and the end of a program that does not ask for the
# status.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/fortran
rm -rf "$work"
mkdir -p "$work"

"$ASDFKIT_PYTHON" "$ASDFKIT_SOURCE/scripts/generate_bindings.py" --check

# gfortran 12 takes lengths of allocatable strings for uninitialised. Pushed rows with gaps take a temporary array. Many
# programs trap floating-point errors.
checks="-fcheck=all,no-array-temps -ffpe-trap=invalid,zero,overflow"
compile="gfortran -std=f2018 -Wall -Wextra -Werror -Wno-maybe-uninitialized $checks -g -I$work -J$work"
. ./steps.sh
run_tests

# Variables of the main program live to its end, so only what nothing refers to is lost. Two at once, in an empty folder.
mkdir again
cp stars.* again
cd again
printf '%s\n' test_owners test_arrays test_tables test_ecsv test_streams test_ndl | xargs -n 1 -P 2 sh -c '
    valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect \
        --error-exitcode=9 "../$0" >"$0.log" 2>&1 || {
        cat "$0.log"
        exit 1
    }'
cd ..

run_exchange

build "$tests/stop_without_stat.f90" stop_without_stat
for argument in '' errmsg; do
    status=0
    # shellcheck disable=SC2086 # a word, or none
    ./stop_without_stat $argument >stopped 2>&1 || status=$?
    if [ "$status" != 1 ] || ! grep -q '^nowhere.asdf: cannot open the file' stopped || grep -q unreachable stopped; then
        echo "FAILED stop_without_stat $argument: status $status"
        cat stopped
        exit 1
    fi
done

# With integers and logicals of 8 bytes by default, as in old programs. The compiler looks for modules in its own
# directory first.
mkdir wide
(
    cd wide
    "$tests/compile.sh" "$work/wide" gfortran -std=f2018 -fdefault-integer-8 -w "-I$work/wide" "-J$work/wide"
    # shellcheck disable=SC2086 # a list of words
    gfortran -std=f2018 -fdefault-integer-8 -w "$tests/wide_integers.f90" libmodules.a $flags -o wide_integers
    ./wide_integers
)

# Without the checks of the compiler, which would end the program before the binding sees the arrays.
# shellcheck disable=SC2086 # a list of words
gfortran -std=f2018 -w "-I$work" "$tests/unallocated.f90" $flags -o unallocated
./unallocated
