#!/bin/sh
# Python asdf reads files that we write, and the other way round. All calls go through ctypes.
set -eu
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 exec "$ASDFKIT_PYTHON" run_tests.py
