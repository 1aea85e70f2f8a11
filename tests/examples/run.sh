#!/bin/sh
# The programs of examples-c: each compiles without a warning against the installation, does its task, and reports wrong
# input.
set -eu
cd "$(dirname "$0")"
. ./check.sh
export LC_ALL=C
examples=$(cd ../../examples-c && pwd)
work=$ASDFKIT_BUILD/tests/examples
flags=$(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --cflags --libs asdfkit)
rm -rf "$work"
mkdir -p "$work/bin"
cd "$work"

for source in "$examples"/*.c "$examples"/tasks/*.c; do
    # shellcheck disable=SC2086 # a list of options
    ${CC:-cc} -O1 -std=c11 -Wall -Wextra -Wpedantic -Werror "$source" $flags "-Wl,-rpath,$ASDFKIT_PREFIX/lib" \
        -o "bin/$(basename "$source" .c)"
done

printf 'ndarrays:\n  a: {shape: [1], type: int8, value: [300]}\n' >wrong.yaml
printf 'ndarrays: {a: {shape: [2]}}\n' >untyped.yaml
printf 'ndarrays: {a: {shape: [2], type: {opaque: {size: 2147483648}}}}\n' >large.yaml
printf 'ndarrays: [\n' >unreadable.yaml
printf 'ndarrays: {r: {shape: [2], type: objref}}\n' >reference.yaml
printf '#ASDF 1.0.0\n--- [\n...\n' >broken.asdf
printf '# %%ECSV 1.0\n# ---\n# datatype:\n# - {name: name, datatype: string}\n# - {name: flux, datatype: int8}\nname flux\na 300\n' \
    >wrong.ecsv

check 0 'the same image and cube' quickstart "$examples/quickstart.asdf" written.asdf
check 1 'nothing.asdf' quickstart nothing.asdf
check 1 'broken.asdf' quickstart broken.asdf

check 0 '' stream spectra.asdf
check 0 'shape: [1000, 2048]' describe_file spectra.asdf
check 1 'nowhere' stream nowhere/spectra.asdf
check 2 'usage' stream

check 0 'NGC 1275     23 mJy' catalogue "$examples/catalogue.ecsv" bright.ecsv
check 0 'NGC 1275     23 mJy' catalogue bright.ecsv brighter.ecsv
check 1 'wrong.ecsv:7' catalogue wrong.ecsv none.ecsv
check 1 'nowhere' catalogue "$examples/catalogue.ecsv" nowhere/bright.ecsv

check 0 'telescope: Roman' describe_file "$examples/quickstart.asdf"
check 0 '/meta/target/redshift: NDL has no datatype for null' describe_file "$examples/quickstart.asdf"
check 1 'broken.asdf' describe_file broken.asdf
check 2 'usage' describe_file

check 0 '/wind: float32 /time: unlimited x /height: 3, 48 bytes' check_description "$examples/model.yaml"
check 0 '/site: compound, 16 bytes, first [52.38, 13.06]' check_description "$examples/model.yaml"
check 1 'wrong.yaml:2:39: E-VALUE-RANGE: /a: 300 is not in the range of int8' check_description wrong.yaml
check 2 'unreadable.yaml:' check_description unreadable.yaml

check 0 '' build_description station.yaml
check 0 '/wind: float32 /time: unlimited x /height: 3' check_description station.yaml
check 1 "the file exists" build_description station.yaml
check 1 "there is no datatype 'double'; use float64" build_description none.yaml double
check 2 'usage' build_description

check 0 '/wind: ASDF has no codec for the filters' create_file "$examples/model.yaml" model.asdf
check 0 'height' describe_file model.asdf
check 1 'exists' create_file "$examples/model.yaml" model.asdf
check 1 'is not valid' create_file wrong.yaml none.asdf
check 1 '/a' create_file untyped.yaml none.asdf
check 1 'bytes' create_file large.yaml none.asdf
check 2 'usage' create_file

check 0 '' compare_descriptions "$examples/model.yaml" "$examples/model.yaml"
check 1 '+ /wind: storage.endian "little"' compare_descriptions "$examples/model.yaml" model.asdf
check 0 '' compare_descriptions --conform "$examples/model.yaml" model.asdf
check 1 '- /wind: ndarray' compare_descriptions --subset "$examples/model.yaml" "$examples/quickstart.asdf"
check 2 'wrong.yaml is not valid' compare_descriptions wrong.yaml model.asdf
check 2 'nothing.asdf' compare_descriptions "$examples/model.yaml" nothing.asdf

check 0 'typedef uint8_t station_state;' generate_code c "$examples/model.yaml" station
check 0 'module station' generate_code fortran "$examples/model.yaml" station
check 0 'netcdf station {' generate_code cdl "$examples/model.yaml" station
check 0 '"value": "weather station"' generate_code json "$examples/model.yaml" station
check 1 'reference' generate_code cdl reference.yaml station
check 2 'is not c' generate_code pascal "$examples/model.yaml" station

quickstart=$examples/quickstart.asdf
check 0 '1.0.0' open_file "$quickstart"
check 0 'wavelengths' list_tree "$quickstart"
check 0 '139.8 s' read_scalar "$quickstart"
check 0 'NGC 1300' read_string "$quickstart"
check 0 '256 x 256, last pixel 112.188' read_array "$quickstart"
check 0 'first 249.438, last 573.312' read_region "$quickstart"
check 0 '' write_file exposure.asdf
check 0 'float32' describe_content exposure.asdf
check 0 '' edit_file exposure.asdf
check 0 '140.5 s' read_scalar exposure.asdf
check 0 'missing' read_table "$examples/catalogue.ecsv"
check 0 'line 35 is no number' handle_errors "$quickstart"
for task in open_file list_tree read_scalar read_string read_array read_region edit_file describe_content handle_errors; do
    check 1 'broken.asdf' "$task" broken.asdf
    check 2 '' "$task"
done
check 1 'nowhere' write_file nowhere/exposure.asdf
check 1 'wrong.ecsv:7' read_table wrong.ecsv

check_all_ran "$examples"/*.c "$examples"/tasks/*.c
if [ -e none.asdf ] || [ -e none.ecsv ] || [ -e none.yaml ]; then
    failed=$((failed + 1))
    echo 'FAILED a program left a file after an error'
fi
finish
