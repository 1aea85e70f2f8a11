#!/bin/sh
# Pages of files in Chromium: search, keys, sorting, hostile names, widths; screenshots for eyes.
set -eu
cd "$(dirname "$0")"
export ASDFKIT_COMMAND="${ASDFKIT_COMMAND:-$ASDFKIT_PREFIX/bin/asdfkit}" LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
work=$ASDFKIT_BUILD/tests/pages
rm -rf "$work"
mkdir -p "$work/screenshots"
export ASDFKIT_SCREENSHOTS="$work/screenshots"
status=0
"$ASDFKIT_PYTHON" -m pytest -q -p no:cacheprovider --basetemp "$work/files" pages_in_chromium.py >"$work/output" 2>&1 || status=$?
cat "$work/output"
passed=$(sed -n 's/.*[^0-9]*\b\([0-9][0-9]*\) passed.*/\1/p' "$work/output" | tail -n 1)
failed=$(sed -n 's/.*[^0-9]*\b\([0-9][0-9]*\) failed.*/\1/p' "$work/output" | tail -n 1)
if [ "$status" != 0 ] && [ -z "$failed" ]; then failed=1; fi
echo "${passed:-0} passed, ${failed:-0} failed"
exit "$status"
