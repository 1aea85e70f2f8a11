#!/bin/sh
# The programs of examples/cpp: each compiles without a warning, does its task, and reports wrong input.
set -eu
cd "$(dirname "$0")"
. ../examples/check.sh
here=$PWD
export LC_ALL=C
examples=$(cd ../../examples/cpp && pwd)
data=$(cd ../../examples-c && pwd)
work=$ASDFKIT_BUILD/tests/cpp-examples
flags=$(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --cflags --libs asdfkit)
rm -rf "$work"
mkdir -p "$work/bin"
cd "$work"

# Compiles one program into bin.
cat >compile.sh <<'END'
set -eu
# shellcheck disable=SC2086 # a list of options
${CXX:-g++} -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror "$1" "-I$ASDFKIT_SOURCE/bindings/cpp" $flags \
    "-Wl,-rpath,$ASDFKIT_PREFIX/lib" -o "bin/$(basename "$1" .cpp)"
END
export flags
printf '%s\n' "$examples"/*.cpp "$here/make_image.cpp" | xargs -P 2 -n 1 sh compile.sh

printf '#ASDF 1.0.0\n--- [\n...\n' >broken.asdf
printf '# %%ECSV 1.0\n# ---\n# datatype:\n# - {name: name, datatype: string}\n# - {name: flux, datatype: int8}\nname flux\na 300\n' \
    >wrong.ecsv

quickstart=$data/quickstart.asdf
check 0 '1.0.0' open_file "$quickstart"
check 0 'wavelengths' list_tree "$quickstart"
check 0 '139.8 s, 1 exposure(s)' read_scalar "$quickstart"
check 0 'NGC 1300' read_string "$quickstart"
check 0 '256 x 256, last pixel 112.188' read_array "$quickstart"
check 0 'first 249.438, last 573.312' read_region "$quickstart"
check 0 '' write_file exposure.asdf
check 1 'exists' write_file exposure.asdf
check 0 '' edit_file exposure.asdf
check 0 '140.5 s' read_scalar exposure.asdf
check 0 'line 35 is no number' handle_errors "$quickstart"
for task in open_file list_tree read_scalar read_string read_array read_region edit_file handle_errors; do
    check 1 'broken.asdf' "$task" broken.asdf
    check 2 '' "$task"
done
check 1 'nowhere' write_file nowhere/exposure.asdf

bin/make_image
check 0 '139.8 512x512 0' quickstart
cat >compare.py <<'END'
import asdf
import numpy

with asdf.open("copy.asdf") as file:
    assert file["meta"]["telescope"] == "Roman"
    assert numpy.array_equal(file["data"], numpy.arange(512 * 512, dtype="float32").reshape(512, 512))
END
check_command "$ASDFKIT_PYTHON" compare.py

check 0 'missing' read_table "$data/catalogue.ecsv"
check 1 'wrong.ecsv:7' read_table wrong.ecsv
check 2 '' read_table
check 0 'shape: [4, 6]' describe_content exposure.asdf
check 1 'broken.asdf' describe_content broken.asdf
check 2 '' describe_content

check_all_ran "$examples"/*.cpp
finish
