#!/bin/sh
# What operations leave behind that are killed, fail, or lose the current: tests/README.md.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/crash
rm -rf "$work"
mkdir -p "$work/files"
./build.sh "$work/crash"
status=0
for mode in disturb replay; do
    (cd "$work/files" && "$work/crash" "$mode") >"$work/$mode.log" 2>&1 || status=1
    cat "$work/$mode.log"
done
cat "$work"/*.log | awk '/ passed, / { passed += $1; failed += $3 } END { print passed + 0 " passed, " failed + 0 " failed" }'
exit "$status"
