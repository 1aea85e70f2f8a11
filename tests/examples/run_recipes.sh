#!/bin/sh
# The recipes of the manual: each does its task on files of Python asdf and astropy, and reports a wrong file.
set -eu
cd "$(dirname "$0")"
. ./check.sh
recipes=$(cd ../../examples/recipes && pwd)
tests=$PWD
work=$ASDFKIT_BUILD/tests/recipes
rm -rf "$work"
mkdir -p "$work/bin" "$work/modules"
../python/install.sh "$work"
export PKG_CONFIG_PATH="$ASDFKIT_PREFIX/lib/pkgconfig" LC_ALL=C.UTF-8
# shellcheck disable=SC2046 # a list of words
set -- $(pkg-config --cflags --libs asdfkit) "-Wl,-rpath,$ASDFKIT_PREFIX/lib"
for source in "$recipes"/*.c; do
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$source" "$@" -o "$work/bin/$(basename "$source" .c)"
done
for source in "$recipes"/*.cpp; do
    "${CXX:-c++}" -std=c++17 -Wall -Wextra -Werror "$source" "$@" -o "$work/bin/$(basename "$source" .cpp)"
done
sources=$(pkg-config --variable=sources asdfkit-fortran)
# shellcheck disable=SC2086 # a list of words
(cd "$work/modules" && gfortran -c $sources)
for source in "$recipes"/*.f90; do
    gfortran -std=f2018 -Wall -Wextra -Werror "-I$work/modules" "$source" "$work"/modules/*.o "$@" \
        -o "$work/bin/$(basename "$source" .f90)"
done
library=$(find "$ASDFKIT_PREFIX/lib" -name 'libasdfkit.so' -o -name 'libasdfkit.dylib' | head -n 1)
# interpreted COMMAND... SCRIPT: a program in bin that runs the script.
interpreted() {
    script=$(basename "$2")
    # shellcheck disable=SC2016 # "$@" is for the program
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$1" "$2" >"$work/bin/${script%.*}"
    chmod +x "$work/bin/${script%.*}"
}
for source in "$recipes"/*.py; do
    interpreted "env ASDFKIT_LIBRARY=$library PYTHONPATH=$work/site $ASDFKIT_PYTHON" "$source"
done
if [ -n "${ASDFKIT_JULIA:-}" ]; then
    paths="JULIA_LOAD_PATH=$ASDFKIT_SOURCE/bindings/julia:@stdlib JULIA_DEPOT_PATH=$work/depot"
    for source in "$recipes"/*.jl; do
        interpreted "env $paths ASDFKIT_LIBRARY=$library $ASDFKIT_JULIA --startup-file=no -O0" "$source"
    done
else
    echo 'ASDFKIT_JULIA is not set: the recipes in Julia are NOT tested.'
fi
if [ -n "${ASDFKIT_R:-}" ]; then
    ../r/install.sh "$work" --no-docs
    for source in "$recipes"/*.R; do
        printf '#!/bin/sh\nR_LIBS=%s exec %s --no-echo --no-restore --file=%s --args "$@"\n' "$work/library" "$ASDFKIT_R" \
            "$source" >"$work/bin/$(basename "$source" .R)"
        chmod +x "$work/bin/$(basename "$source" .R)"
    done
else
    echo 'ASDFKIT_R is not set: the recipes in R are NOT tested.'
fi

cd "$work"
"$ASDFKIT_PYTHON" "$tests/make_files.py" .
printf '#ASDF 1.0.0\n--- [\n...\n' >broken.asdf
check 0 'plane 1: 32 good pixels, mean 111.5' average_planes cube.asdf
check 1 'broken.asdf' average_planes broken.asdf
check 0 '64 x 128, last pixel 11' join_tiles tile0.asdf tile1.asdf
check 1 'another size' join_tiles tile0.asdf image.asdf
check 1 'broken.asdf' join_tiles broken.asdf
check 0 '/data' recover_file cut.asdf recovered.asdf
check 1 'nowhere.asdf' recover_file nowhere.asdf new.asdf
check 0 'accepted; 0 blocks have no checksum' open_untrusted image.asdf
check 1 'refused: archive/1.asdf' open_untrusted archive/1.asdf
check 0 '4321' bright_stars gaia.ecsv
check 1 'broken.asdf' bright_stars broken.asdf
check 0 '' record_orbits orbits.asdf
check 0 'files are good' verify_archive archive
check_command grep -q 'archive/1.asdf.*checksum' output
check 0 '' correct_headers 140.5 archive/0.asdf archive/2.asdf
check 1 'broken.asdf' correct_headers 140.5 broken.asdf
check 0 'sources' select_sources gaia.ecsv field.ecsv
check 1 'broken.asdf' select_sources broken.asdf never.ecsv
check 0 'mean magnitude 15.00' query_table gaia.ecsv
check 1 'broken.asdf' query_table broken.asdf
cat >promise.yaml <<'END'
ndarrays:
  data:
    shape: [512, 512]
    type: float32
END
check 0 '' check_promise promise.yaml image.asdf
check 1 'tile0.asdf' check_promise promise.yaml image.asdf tile0.asdf
check 0 'image.asdf image0000.asdf' pack_files image.asdf exploded
check 1 'broken.asdf' pack_files broken.asdf again
mkfifo input
"$ASDFKIT_PYTHON" "$tests/serve.py" image.asdf <input >address &
exec 3>input
until [ -s address ]; do sleep 0.1; done
check 0 'mean 7' read_over_http "$(cat address)"
fetched=$(sed -n 's/.* \([0-9]*\) of [0-9]* bytes.*/\1/p' output)
check_command test "$fetched" -lt 100000
exec 3>&-
check 1 'refused' read_over_http http://127.0.0.1:9/image.asdf
if [ -n "${ASDFKIT_JULIA:-}" ]; then
    check 0 '1024 bad pixels' subtract_sky masked.asdf sky.asdf
    check 1 'broken.asdf' subtract_sky broken.asdf never.asdf
fi
if [ -n "${ASDFKIT_R:-}" ]; then
    check 0 '5 days, flux in mJy' bin_light_curve curve.ecsv bins.ecsv
    check 1 'broken.asdf' bin_light_curve broken.asdf never.ecsv
fi
if [ -n "${ASDFKIT_JULIA:-}" ] && [ -n "${ASDFKIT_R:-}" ]; then
    check_command "$ASDFKIT_PYTHON" "$tests/check_files.py" .
    check_all_ran "$recipes"/*
fi
finish
