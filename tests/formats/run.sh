#!/bin/sh
# The C interface of libasdfkit_formats, and files of random lists of HDUs: ASDFKIT_FITS_LISTS, 25 by default.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/formats
rm -rf "$work"
mkdir -p "$work"
cargo test --quiet --locked --manifest-path "$ASDFKIT_SOURCE/crates/formats/Cargo.toml" --target-dir "$ASDFKIT_BUILD/formats"
DESTDIR='' "$ASDFKIT_SOURCE/scripts/install-formats.sh" "$work/prefix" dev >&2
export ASDFKIT_FORMATS="$work/prefix/lib/libasdfkit_formats.so" ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib/libasdfkit.so"
export ASDFKIT_COMMAND="${ASDFKIT_COMMAND:-$ASDFKIT_PREFIX/bin/asdfkit}" LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1

# No function of the core is in this library, and it links to none.
if nm --dynamic "$ASDFKIT_FORMATS" | grep ' asdf_' | grep -v ' T asdf_formats_'; then
    echo 'libasdfkit_formats has names of libasdfkit' >&2
    exit 1
fi
"$ASDFKIT_PYTHON" make_small.py "$work/small.fits" "$work/tiles.fits"
"${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$work/prefix/include" -I"$ASDFKIT_PREFIX/include" \
    -I"$work/prefix/include/asdfkit" -I"$ASDFKIT_PREFIX/include/asdfkit" test_formats.c -o "$work/test_formats" \
    "-L$work/prefix/lib" -lasdfkit_formats "-L$ASDFKIT_PREFIX/lib" -lasdfkit \
    "-Wl,-rpath,$work/prefix/lib" "-Wl,-rpath,$ASDFKIT_PREFIX/lib"
(cd "$work" && ./test_formats small.fits tiles.fits && cmp small.fits new.fits)
# Streams that end too early, and other damage. Torture runs it by valgrind.
"${CC:-cc}" -g -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$work/prefix/include" -I"$ASDFKIT_PREFIX/include" damaged.c \
    -o "$work/damaged" "-L$work/prefix/lib" -lasdfkit_formats "-Wl,-rpath,$work/prefix/lib"
"$ASDFKIT_PYTHON" make_damaged.py "${ASDFKIT_DAMAGED:-400}" 1 | ${ASDFKIT_DAMAGED_BY:-} "$work/damaged"
status=0
"$ASDFKIT_PYTHON" round_trips.py "$work/lists" "${ASDFKIT_FITS_LISTS:-25}" >"$work/lists.log" || status=1
"$ASDFKIT_PYTHON" -W ignore test_trees.py "$work/trees" >"$work/trees.log" || status=1
PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src" "$ASDFKIT_PYTHON" -m pytest -q -p no:cacheprovider \
    "$ASDFKIT_SOURCE/bindings/python/tests/test_formats.py" >"$work/python.log" || status=1
"$ASDFKIT_PYTHON" -m pytest -q -p no:cacheprovider test_command.py >"$work/command.log" || status=1
cat "$work/python.log" "$work/command.log"
awk '{ print } /^[0-9]+ passed, / { passed += $1; failed += $3 }
    END { print passed + 0 " passed, " failed + 0 " failed" }' "$work/lists.log" "$work/trees.log"
exit "$status"
