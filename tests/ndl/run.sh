#!/bin/sh
# ncgen, compilers, YAML readers and Python asdf read the output for descriptions: CDL, source code, canonical texts and
# ASDF files.
set -eu
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 exec "$ASDFKIT_PYTHON" ../python/run_tests.py .
