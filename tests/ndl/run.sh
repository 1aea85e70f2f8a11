#!/bin/sh
# What is written of descriptions (CDL, source code, canonical texts, ASDF files), as ncgen, compilers, YAML readers and
# Python asdf take it.
set -eu
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 exec "$ASDFKIT_PYTHON" ../python/run_tests.py .
