#!/bin/sh
# Files that we write and Python asdf reads, and the other way round; all calls go through ctypes.
set -eu
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 exec "$ASDFKIT_PYTHON" run_tests.py
