#!/bin/sh
# The programs that the viewer shows, in the languages that need no package of their own. No browser is needed.
set -eu
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src" LC_ALL=C.UTF-8
export ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib/libasdfkit.so"
status=0
output=$("$ASDFKIT_PYTHON" -m pytest -q -p no:cacheprovider test_programs.py 2>&1) || status=1
echo "$output"
echo "$output" | sed -n 's/^\([0-9]*\) passed.*/\1 passed, 0 failed/p; s/^\([0-9]*\) failed, \([0-9]*\) passed.*/\2 passed, \1 failed/p'
exit "$status"
