#!/bin/sh
# URLs in C++, Fortran, Julia and R: prepares a program in each language, and writes a line for each into the file
# $work/programs. To be sourced after `work` is set.
flags=$(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --cflags --libs asdfkit)
tests=$ASDFKIT_SOURCE/tests
mkdir -p "$work/fortran"
: >"$work/programs"
# shellcheck disable=SC2086 # lists of words
g++ -std=c++17 -Wall -Wextra -Werror "-I$ASDFKIT_SOURCE/bindings/cpp" languages/read.cpp $flags \
    "-Wl,-rpath,$ASDFKIT_PREFIX/lib" -o "$work/read-cpp"
echo "C++ $work/read-cpp" >>"$work/programs"
if command -v gfortran >/dev/null; then
    "$tests/fortran/compile.sh" "$work/fortran" gfortran -std=f2018 -w "-I$work/fortran" "-J$work/fortran"
    # shellcheck disable=SC2086 # lists of words
    gfortran -std=f2018 -Wall -Werror "-I$work/fortran" languages/read.f90 "$work/fortran/libmodules.a" $flags \
        "-Wl,-rpath,$ASDFKIT_PREFIX/lib" -o "$work/read-fortran"
    echo "Fortran $work/read-fortran" >>"$work/programs"
fi
if [ -n "${ASDFKIT_JULIA:-}" ]; then
    project=$ASDFKIT_SOURCE/bindings/julia/AsdfKit
    set -- env "JULIA_DEPOT_PATH=$work/depot" "$ASDFKIT_JULIA" --startup-file=no "--project=$project" languages/read.jl
    echo "Julia $*" >>"$work/programs"
fi
if [ -n "${ASDFKIT_R:-}" ]; then
    mkdir -p "$work/r"
    "$tests/r/install.sh" "$work/r"
    set -- env "R_LIBS=$work/r/library" "$ASDFKIT_R" --no-echo --no-restore --file=languages/read.R --args
    echo "R $*" >>"$work/programs"
fi
