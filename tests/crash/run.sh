#!/bin/sh
# Kills operations, lets their calls fail and cuts the power, and lets two processes use one file: see tests/README.md.
set -eu
cd "$(dirname "$0")"
source=$PWD
work=$ASDFKIT_BUILD/tests/crash
rm -rf "$work"
mkdir -p "$work/files" "$work/kept" "$work/shared" "$work/growing"
./build.sh "$work/crash"
export PYTHONDONTWRITEBYTECODE=1 ASDFKIT_CRASH_KEEP="$work/kept"
status=0

try() { # LOG FOLDER COMMAND...
    log=$work/$1.log
    folder=$2
    shift 2
    (cd "$folder" && "$@") >"$log" 2>&1 || status=1
    cat "$log"
}
try disturb "$work/files" "$work/crash" disturb
try replay "$work/files" "$work/crash" replay
# No files are kept if ptrace is forbidden.
if [ -n "$(ls "$work/kept")" ]; then try foreign "$work" "$ASDFKIT_PYTHON" "$source/foreign.py" "$work/kept"; fi
try concurrent "$work/shared" "$ASDFKIT_PYTHON" "$source/concurrent.py" 20
try growth "$work/growing" "$ASDFKIT_PYTHON" "$source/growth_kills.py" 20

cat "$work"/*.log | awk '/ passed, / { passed += $1; failed += $3 } END { print passed + 0 " passed, " failed + 0 " failed" }'
exit "$status"
