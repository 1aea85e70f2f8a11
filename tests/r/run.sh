#!/bin/sh
# The R package, installed into a library of its own: its tests, exchange with Python asdf, the examples.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/r
rm -rf "$work"
mkdir -p "$work"
export R_LIBS="$work/library" ASDFKIT_WORK="$work"
passed=0
failed=0

# The glue compiles without a warning. R itself is compiled with other options, so it gets these for this package only.
echo 'CFLAGS += -Wall -Wextra -Werror' >"$work/Makevars"
R_MAKEVARS_USER="$work/Makevars" ./install.sh "$work"

# testthat prints the number of tests in its last line.
cat >"$work/tests.R" <<'END'
library(asdfkit)
results <- as.data.frame(testthat::test_dir(file.path(commandArgs(trailingOnly = TRUE), "testthat"),
  package = "asdfkit", load_package = "installed", reporter = "check", stop_on_failure = FALSE))
cat(sum(results$passed), "passed,", sum(results$failed) + sum(results$error), "failed\n")
END
"$ASDFKIT_R" --no-echo --no-restore --file="$work/tests.R" --args "$work/source/asdfkit/tests" >"$work/tests.log" 2>&1 || true
cat "$work/tests.log"
# shellcheck disable=SC2046 # two words
set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/tests.log" | tail -n 1)
passed=$((passed + ${1:-0}))
failed=$((failed + ${2:-1}))

"$ASDFKIT_PYTHON" -W error exchange.py make "$work/input.asdf"
if "$ASDFKIT_R" --no-echo --no-restore --file=exchange.R --args "$work/input.asdf" "$work/output.asdf" &&
    "$ASDFKIT_PYTHON" -W error exchange.py check "$work/output.asdf"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo 'FAILED exchange with Python asdf'
fi

if [ -e examples.sh ]; then
    ./examples.sh >"$work/examples.log" || true
    cat "$work/examples.log"
    # shellcheck disable=SC2046 # two words
    set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/examples.log" | tail -n 1)
    passed=$((passed + ${1:-0}))
    failed=$((failed + ${2:-1}))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
