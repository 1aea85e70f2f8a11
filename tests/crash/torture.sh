#!/bin/sh
# Tries more cases than run.sh, and kills processes at random moments. ASDFKIT_CRASH_KILLS sets their number for each
# operation, ASDFKIT_CRASH_SEED the seed.
set -eu
cd "$(dirname "$0")"
source=$PWD
work=$ASDFKIT_BUILD/tests/crash-torture
rm -rf "$work"
mkdir -p "$work/files" "$work/killed" "$work/shared" "$work/growing"
./build.sh "$work/crash"
export PYTHONDONTWRITEBYTECODE=1
status=0

try() { # LOG FOLDER COMMAND...
    log=$work/$1.log
    folder=$2
    shift 2
    (cd "$folder" && "$@") >"$log" 2>&1 || status=1
    cat "$log"
}
try replay "$work/files" "$work/crash" replay-more
try concurrent "$work/shared" "$ASDFKIT_PYTHON" "$source/concurrent.py" 1000
try growth "$work/growing" "$ASDFKIT_PYTHON" "$source/growth_kills.py" "${ASDFKIT_CRASH_KILLS:-50}"
try killed "$work/killed" "$ASDFKIT_PYTHON" "$source/random_kills.py" "${ASDFKIT_CRASH_KILLS:-100}"

cat "$work"/*.log | awk '/ passed, / { passed += $1; failed += $3 } END { print passed + 0 " passed, " failed + 0 " failed" }'
exit "$status"
