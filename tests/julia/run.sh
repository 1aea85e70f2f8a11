#!/bin/sh
# The Julia package: Pkg.test() of the installed package, then Python compares the files that Julia wrote.
set -eu
cd "$(dirname "$0")"
if [ -z "${ASDFKIT_JULIA:-}" ]; then
    echo 'ASDFKIT_JULIA is not set: the Julia package is NOT tested.'
    exit 0
fi
suite=julia
. ./environment.sh
failed=0
# Most of the time is compilation, which -O0 shortens. The storm of torture.sh runs optimized code.
JULIA_NUM_THREADS=2 julia -e 'using Pkg; Pkg.test("AsdfKit"; julia_args = `-O0`)' >"$work/test.log" 2>&1 || failed=1
[ "$failed" = 0 ] || cat "$work/test.log"
# The line of all tests in the summary: "AsdfKit | passed [failed] [errors] total".
passed=$(sed -n 's/^AsdfKit *| *\([0-9]*\) .*/\1/p' "$work/test.log")
passed=${passed:-0}
for script in check_tables.py check_arrays.py; do
    if "$ASDFKIT_PYTHON" "$script" "$work/outputs"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
"$ASDFKIT_PYTHON" ../r/round_trip.py make "$work/tables"
if julia -O0 round_trip.jl "$work/tables" "$work/filtered" &&
    "$ASDFKIT_PYTHON" ../r/round_trip.py check "$work/tables" "$work/filtered"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo 'FAILED tables of astropy, filtered'
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
