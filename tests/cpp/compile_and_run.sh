#!/bin/sh
# Compiles and runs one test for run.sh: compile_and_run.sh COMPILER:STANDARD:LIBRARY:RUNNER:TEST
# If TEST.py exists, it compares the files that the test wrote with values of Python.
set -eu
IFS=: read -r compiler standard library runner name <<END
$1
END
folder=$work/$(echo "$1" | tr ':/' '--')
mkdir -p "$folder"
flags=$(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --cflags --libs asdfkit)
if [ "$library" = libc++ ]; then flags="-stdlib=libc++ $flags"; fi
debug=
if [ "$runner" = valgrind ]; then debug=-g1; fi
more=
if [ "$name" = test_one_definition ]; then more=one_definition.cpp; fi
# shellcheck disable=SC2086 # lists of words
if ! "$compiler" "-std=c++$standard" $debug -Wall -Wextra -Wpedantic -Wconversion -Werror -I. \
    "-I$source/bindings/cpp" "$name.cpp" $more $flags "-Wl,-rpath,$ASDFKIT_PREFIX/lib" -o "$folder/test" \
    >"$folder/log" 2>&1; then
    echo "FAILED $1: it does not compile:"
    head -n 40 "$folder/log"
    exit 0
fi
cp "$work"/inputs/* "$folder"
cd "$folder"
set --
if [ "$runner" = valgrind ]; then
    # Possible leaks are not counted: Rust's record of the main thread is one, and the installed library has no names
    # to suppress it by.
    set -- valgrind --quiet --leak-check=full --error-exitcode=9 --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect
fi
compare() {
    if [ -e "$source/tests/cpp/$name.py" ]; then "$ASDFKIT_PYTHON" "$source/tests/cpp/$name.py" .; fi
}
if "$@" ./test >log 2>&1 && compare >>log 2>&1; then
    echo "passed $name"
else
    echo "FAILED $folder:"
    head -n 60 log
fi
