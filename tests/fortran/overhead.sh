#!/bin/sh
# Counts the instructions that asdfkit adds to calls of the C functions, with an optimised build of the modules. It fails
# if a call adds more than 2,000. The library should be a release build: some calls make more than one call of it.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/fortran-overhead
rm -rf "$work"
mkdir -p "$work"
compile="gfortran -std=f2018 -O2 -g -I$work -J$work"
# shellcheck disable=SC2086 # a list of words
./compile.sh "$work" $compile
# shellcheck disable=SC2086,SC2046 # lists of words
$compile overhead.f90 "$work/libmodules.a" $(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --libs asdfkit) \
    "-Wl,-rpath,$ASDFKIT_PREFIX/lib" -o "$work/overhead"

cd "$work"
# instructions CALL WAY TIMES
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/overhead" none "$1" "$2" "$3" 2>&1 |
        sed -n 's/.*Collected : //p'
}
failed=0
for name in get get_string set set_array set_section read load read_region column push; do
    binding=$((($(instructions $name binding 300) - $(instructions $name binding 100)) / 200))
    c=$((($(instructions $name c 300) - $(instructions $name c 100)) / 200))
    added=$((binding - c))
    echo "$name: $c instructions in C, $added added"
    if [ "$added" -gt 2000 ]; then failed=1; fi
done
exit $failed
