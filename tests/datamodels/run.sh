#!/bin/sh
# Files of roman_datamodels, stdatamodels and dkist: each time, unit, quantity, table and coordinate is that of Python asdf.
set -eu
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src"
export ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib/libasdfkit.so"
if "$ASDFKIT_PYTHON" compare.py files/*.asdf; then
    echo '1 passed, 0 failed'
else
    echo '0 passed, 1 failed'
    exit 1
fi
