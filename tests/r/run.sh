#!/bin/sh
# The R package, installed into a library of its own: its tests, exchange with Python asdf.
set -eu
cd "$(dirname "$0")"
if [ -z "${ASDFKIT_R:-}" ]; then
    echo 'ASDFKIT_R is not set: the R package is NOT tested.'
    exit 0
fi
suite=r
. ./environment.sh
passed=0
failed=0

# testthat prints the number of tests in its last line.
cat >"$work/tests.R" <<'END'
library(asdfkit)
results <- as.data.frame(testthat::test_dir(file.path(commandArgs(trailingOnly = TRUE), "testthat"),
  package = "asdfkit", load_package = "installed", reporter = "check", stop_on_failure = FALSE))
cat(sum(results$passed), "passed,", sum(results$failed) + sum(results$error), "failed\n")
END
run_r "$work/tests.R" "$work/source/asdfkit/tests" >"$work/tests.log" 2>&1 || true
cat "$work/tests.log"
# shellcheck disable=SC2046 # two words
set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/tests.log" | tail -n 1)
passed=$((passed + ${1:-0}))
failed=$((failed + ${2:-1}))

"$ASDFKIT_PYTHON" -W error exchange.py make "$work/input.asdf"
if run_r exchange.R "$work/input.asdf" "$work/output.asdf" &&
    "$ASDFKIT_PYTHON" -W error exchange.py check "$work/output.asdf"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo 'FAILED exchange with Python asdf'
fi

"$ASDFKIT_PYTHON" round_trip.py make "$work/tables"
if run_r round_trip.R "$work/tables" "$work/filtered" 2>"$work/round_trip.log" &&
    "$ASDFKIT_PYTHON" round_trip.py check "$work/tables" "$work/filtered"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    cat "$work/round_trip.log"
    echo 'FAILED tables of astropy, filtered'
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
