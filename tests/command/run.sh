#!/bin/sh
# The command asdfkit, as it is installed: each sub-command with right and wrong input. Python asdf, astropy and numpy
# make the files and compare the results.
set -eu
cd "$(dirname "$0")"
export ASDFKIT_COMMAND="${ASDFKIT_COMMAND:-$ASDFKIT_PREFIX/bin/asdfkit}" LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
work=$ASDFKIT_BUILD/tests/command
rm -rf "$work"
mkdir -p "$work"
status=0
# Schemas are looked for beside the Python on the path.
PATH=$(dirname "$ASDFKIT_PYTHON"):$PATH
"$ASDFKIT_PYTHON" -m pytest -q -p no:cacheprovider --basetemp "$work/files" . >"$work/output" 2>&1 || status=$?
cat "$work/output"
number() { # KIND
    sed -n "s/.*[^0-9]\([0-9][0-9]*\) $1.*/\1/p; s/^\([0-9][0-9]*\) $1.*/\1/p" "$work/output" | tail -n 1
}
passed=$(number passed)
failed=$(number failed)
errors=$(number error)
failed=$((${failed:-0} + ${errors:-0}))
if [ "$status" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
echo "${passed:-0} passed, $failed failed"
exit "$status"
