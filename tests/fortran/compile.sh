#!/bin/sh
# compile.sh DIRECTORY COMPILER [OPTION…]: compiles the modules of the binding and of the tests, in the order of their
# use statements, into DIRECTORY/libmodules.a. The options must include the one for the directory of module files.
set -eu
sources=$(cd "$(dirname "$0")/../../bindings/fortran/src" && pwd)
checks=$(cd "$(dirname "$0")" && pwd)/checks.f90
directory=$1
shift
order=$(for source in "$sources"/*.f90; do
    module=$(basename "$source" .f90)
    echo "$module $module"
    sed -n "s/^ *use \(asdfkit[a-z_]*\).*/\1 $module/p" "$source"
done | tsort)
for module in $order; do
    "$@" -c "$sources/$module.f90" -o "$directory/$module.o"
done
"$@" -c "$checks" -o "$directory/checks.o"
ar rcs "$directory/libmodules.a" "$directory"/*.o
