#!/bin/sh
# The Julia package under a storm of 100,000 handles, with one thread and with two, and the memory that it leaves.
set -eu
cd "$(dirname "$0")"
if [ -z "${ASDFKIT_JULIA:-}" ]; then
    echo 'ASDFKIT_JULIA is not set: the Julia package is NOT tested.'
    exit 0
fi
suite=julia-torture
. ./environment.sh
passed=0
failed=0
for threads in 1 2; do
    if JULIA_NUM_THREADS=$threads ASDFKIT_STORM=100000 julia storm.jl; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
