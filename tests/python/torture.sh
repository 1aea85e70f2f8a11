#!/bin/sh
# Tries more random edits of files, tables, floats and arrays than `make test`. It prints the seed of the arrays;
# `oracle.py COUNT SEED` repeats them.
set -eu
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1
ASDFKIT_EDIT_SCRIPTS="${ASDFKIT_EDIT_SCRIPTS:-2000}" "$ASDFKIT_PYTHON" -m unittest test_edits test_empty_values
ASDFKIT_TABLES="${ASDFKIT_TABLES:-2000}" "$ASDFKIT_PYTHON" -m unittest test_ecsv
ASDFKIT_FLOATS="${ASDFKIT_FLOATS:-1000000}" "$ASDFKIT_PYTHON" -m unittest test_floats
exec "$ASDFKIT_PYTHON" oracle.py "${ASDFKIT_ORACLE_ARRAYS:-10000}"
