#!/bin/sh
# Tries more floats in descriptions and CDL than `make test`.
set -eu
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=../python
ASDFKIT_FLOATS="${ASDFKIT_FLOATS:-1000000}" exec "$ASDFKIT_PYTHON" -m unittest test_numbers
