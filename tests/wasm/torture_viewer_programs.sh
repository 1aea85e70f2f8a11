#!/bin/sh
# The programs that the viewer shows, in all languages for which there is a package.
set -eu
cd "$(dirname "$0")"
here=$PWD
programs='Python C C++ shell Fortran'
export ASDFKIT_FORTRAN_MODULES="$ASDFKIT_BUILD/tests/viewer_programs/fortran"
rm -rf "$ASDFKIT_FORTRAN_MODULES"
mkdir -p "$ASDFKIT_FORTRAN_MODULES"
"$ASDFKIT_SOURCE/tests/fortran/compile.sh" "$ASDFKIT_FORTRAN_MODULES" gfortran -std=f2018 -w "-J$ASDFKIT_FORTRAN_MODULES"
if [ -n "${ASDFKIT_R:-}" ]; then
    export R_LIBS="$ASDFKIT_BUILD/tests/viewer_programs/r/library"
    "$ASDFKIT_SOURCE/tests/r/install.sh" "$ASDFKIT_BUILD/tests/viewer_programs/r"
    programs="$programs R"
fi
if [ -n "${ASDFKIT_JULIA:-}" ]; then
    # shellcheck disable=SC2034 # the sourced file names its folder by it
    suite=viewer_programs_julia
    cd "$ASDFKIT_SOURCE/tests/julia"
    # shellcheck source=tests/julia/environment.sh
    . ./environment.sh
    programs="$programs Julia"
fi
ASDFKIT_PROGRAMS="$programs" ASDFKIT_PROGRAM_NAMES="plain hostile" exec "$here/run_viewer_programs.sh"
