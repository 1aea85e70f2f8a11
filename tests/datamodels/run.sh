#!/bin/sh
# Files of roman_datamodels, stdatamodels and dkist: each time, unit, quantity, table and coordinate is that of Python asdf,
# also in the other versions of the standard.
set -eu
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src"
export ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib/libasdfkit.so"
failed=0
"$ASDFKIT_PYTHON" compare.py files/*.asdf || failed=$((failed + 1))
"$ASDFKIT_PYTHON" -m unittest -q test_versions || failed=$((failed + 1))
echo "$((2 - failed)) passed, $failed failed"
[ "$failed" = 0 ]
