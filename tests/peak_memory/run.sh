#!/bin/sh
# The bindings read and write a large array without a second copy of its elements.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/peak_memory
rm -rf "$work"
mkdir -p "$work/modules"
export PKG_CONFIG_PATH="$ASDFKIT_PREFIX/lib/pkgconfig"
# shellcheck disable=SC2046 # a list of words
set -- $(pkg-config --cflags --libs asdfkit) "-Wl,-rpath,$ASDFKIT_PREFIX/lib"

"${CXX:-c++}" -O1 -std=c++17 -Wall -Wextra -Werror arrays.cpp "$@" -o "$work/cpp" &
sources=$(pkg-config --variable=sources asdfkit-fortran)
# shellcheck disable=SC2086 # a list of words
(cd "$work/modules" && gfortran -c $sources)
gfortran -std=f2018 -Wall -Wextra -Werror "-I$work/modules" arrays.f90 "$work"/modules/*.o "$@" -o "$work/fortran"
wait
exec "$ASDFKIT_PYTHON" measure.py measure "$work" "cpp=$work/cpp" "fortran=$work/fortran"
