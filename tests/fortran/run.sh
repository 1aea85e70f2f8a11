#!/bin/sh
# The Fortran binding with gfortran: every kind and rank, values, trees, arrays, owners, tables, streams, descriptions
# (under valgrind, too), exchange with Python asdf and astropy, the examples, and the end of a program that does not ask
# for the status.
set -eu
cd "$(dirname "$0")"
. ../examples/check.sh
work=$ASDFKIT_BUILD/tests/fortran
examples=$ASDFKIT_SOURCE/examples/fortran
sample=$ASDFKIT_SOURCE/examples-c/quickstart.asdf
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
status=0
./stop_without_stat >stopped 2>&1 || status=$?
if [ "$status" != 1 ] || ! grep -q '^nowhere.asdf: cannot open the file' stopped || grep -q unreachable stopped; then
    echo "FAILED stop_without_stat: status $status"
    cat stopped
    exit 1
fi

# Without the checks of the compiler, which would end the program before the binding sees the arrays.
# shellcheck disable=SC2086 # a list of words
gfortran -std=f2018 -w "-I$work" "$tests/unallocated.f90" $flags -o unallocated
./unallocated

mkdir bin
for source in "$examples"/*.f90; do
    build "$source" "bin/$(basename "$source" .f90)"
done
cp "$sample" edited.asdf
check 0 '1.0.0' open_file "$sample"
check 0 'meta' list_tree "$sample"
check 0 '139.8' read_scalar "$sample"
check 0 '256 x 256, last pixel 112.188' read_array "$sample"
check 0 'first 249.438, last 573.312' read_region "$sample"
check 0 '' write_file written.asdf
check 1 'written.asdf' write_file written.asdf
check 0 '' edit_file edited.asdf
check 0 '140.5' read_scalar edited.asdf
check 0 'line 35 is no number' handle_errors "$sample"
check 0 '139.8 s, 256 x 256 pixels, Y106 J129 H158 F184 K213' quickstart "$sample" copied.asdf
check 0 '2.25000 Jy' read_table stars.ecsv
check 0 'shape: [256, 256]' describe_content "$sample"
for program in open_file list_tree read_scalar read_array read_region edit_file handle_errors quickstart read_table \
    describe_content; do
    check 1 'nothing.asdf' "$program" nothing.asdf none.asdf
done
check_all_ran "$examples"/*.f90
finish
