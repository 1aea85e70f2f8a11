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
set -- "cpp=$work/cpp" "fortran=$work/fortran"

../python/install.sh "$work"
library=$(find "$ASDFKIT_PREFIX/lib" -name 'libasdfkit.so' -o -name 'libasdfkit.dylib' | head -n 1)
set -- "$@" "python=env 'ASDFKIT_LIBRARY=$library' 'PYTHONPATH=$work/site' '$ASDFKIT_PYTHON' arrays.py"
if [ -n "${ASDFKIT_JULIA:-}" ]; then
    paths="'JULIA_LOAD_PATH=$ASDFKIT_SOURCE/bindings/julia:@stdlib' 'JULIA_DEPOT_PATH=$work/depot'"
    set -- "$@" "julia=env $paths 'ASDFKIT_LIBRARY=$ASDFKIT_PREFIX/lib' '$ASDFKIT_JULIA' --startup-file=no arrays.jl"
else
    echo 'ASDFKIT_JULIA is not set: Julia does not take part.'
fi
if [ -n "${ASDFKIT_R:-}" ]; then
    ../r/install.sh "$work" --no-docs
    set -- "$@" "r=env 'R_LIBS=$work/library' '$ASDFKIT_R' --no-echo --no-restore --file=arrays.R --args"
else
    echo 'ASDFKIT_R is not set: R does not take part.'
fi
exec "$ASDFKIT_PYTHON" measure.py measure "$work" "$@"
