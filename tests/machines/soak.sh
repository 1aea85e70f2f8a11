#!/bin/sh
# Runs the unit tests and the conformance tool on other machines, under qemu-user: i686 has 32 bits, s390x is big-endian.
# `soak.sh s390x` names machines. It needs the Debian packages qemu-user, rustc-web, cargo-web, rust-web-src, and the cross
# compiler, such as gcc-s390x-linux-gnu.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- i686 s390x aarch64
logs=$ASDFKIT_BUILD/tests/machines
mkdir -p "$logs"
export CARGO_TARGET_DIR="$ASDFKIT_BUILD/machines"
: >"$logs/sums"

# Keeps the sums of the lines "test result: ok. N passed; N failed" and "N passed, N failed".
note() { # NAME LOG STATUS
    sed -n 's/^test result: [^ ]* \([0-9]*\) passed; \([0-9]*\) failed.*/\1 \2/p; s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$2" |
        tail -n 1 >"$logs/sum"
    [ -s "$logs/sum" ] || echo "0 1" >"$logs/sum"
    echo "$1: $(sed 's/ / passed, /' "$logs/sum") failed"
    [ "$3" = 0 ] || grep -a -m 5 -A 3 'panicked at\|^error\|^FAILED' "$2" || tail -n 5 "$2"
    cat "$logs/sum" >>"$logs/sums"
}

for machine in "$@"; do
    target=$machine-unknown-linux-gnu
    # Code that is not optimized takes hours here. Checks of arithmetic stay on.
    export CARGO_PROFILE_DEV_OPT_LEVEL=1
    # The tests left out start their own program again, which qemu-user cannot.
    scripts/cargo-for-target.sh "$target" test --locked --lib --no-fail-fast -- --skip stale_test --skip left_drafts_test \
        >"$logs/$machine.unit" 2>&1 && status=0 || status=$?
    note "$machine, unit tests" "$logs/$machine.unit" "$status"
    # Before version 8.1, qemu takes the wrong half of a register for MDEBR, which multiplies in optimized code.
    [ "$machine" != s390x ] || export CARGO_PROFILE_DEV_OPT_LEVEL=0
    ASDFKIT_CARGO="scripts/cargo-for-target.sh $target" tests/conformance/run.sh >"$logs/$machine.conformance" 2>&1 &&
        status=0 || status=$?
    note "$machine, conformance" "$logs/$machine.conformance" "$status"
done
awk '{ passed += $1; failed += $2 } END { print passed " passed, " failed " failed"; exit failed > 0 }' "$logs/sums"
