#!/bin/sh
# Checks the pages of the documentation: code blocks compile, run and print the output in the page; links have targets;
# the named functions and constants exist.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C
work=$ASDFKIT_BUILD/tests/docs
rm -rf "$work"
mkdir -p "$work"
passed=0
failed=0
for script in links.py blocks.py; do
    "$ASDFKIT_PYTHON" $script >"$work/output" && status=0 || status=$?
    cat "$work/output"
    # The last line of each script is "N passed, N failed".
    # shellcheck disable=SC2046 # two words
    set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/output" | tail -n 1)
    passed=$((passed + ${1:-0}))
    failed=$((failed + ${2:-1}))
    if [ "$status" != 0 ] && [ "${2:-0}" = 0 ]; then failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
