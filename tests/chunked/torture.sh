#!/bin/sh
# Chunked arrays: cross-reads with asdf-zarr and zarr, kills and power cuts of programs that append, hostile metadata.
# ASDFKIT_CHUNKED_KILLS sets the number of kills, ASDFKIT_CHUNKED_SEED the first seed of the cross-reads.
set -eu
cd "$(dirname "$0")"
here=$PWD
crash=$here/../crash
work=$ASDFKIT_BUILD/tests/chunked-torture
rm -rf "$work"
mkdir -p "$work/cross" "$work/growing" "$work/replay" "$work/hostile"
export PYTHONDONTWRITEBYTECODE=1 ASDFKIT_LIBRARY="${ASDFKIT_LIBRARY:-$ASDFKIT_PREFIX/lib/libasdfkit.so}"
passed=0
failed=0

# asdf-zarr 0.0.4 works with zarr 2 only; readers of zarr 3 take the same metadata.
for version in 2 3; do
    "$ASDFKIT_PYTHON" -m venv "$work/zarr$version"
    "$work/zarr$version/bin/pip" install --quiet --require-hashes \
        --requirement "$ASDFKIT_SOURCE/scripts/requirements-zarr$version.txt"
done
first=${ASDFKIT_CHUNKED_SEED:-1}
for seed in $(seq "$first" $((first + 9))); do
    if PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src" "$work/zarr2/bin/python" cross_reads.py "$work/cross" 200 "$seed" &&
        "$work/zarr3/bin/python" read_with_zarr3.py "$work/cross"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED cross-reads with seed $seed"
    fi
done

if PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src" "$ASDFKIT_PYTHON" hostile.py "$work/hostile"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
fi

sums() { # Adds the sums of a log.
    cat "$1"
    # shellcheck disable=SC2046 # two words
    set -- $(awk '/ passed, / { passed += $1; failed += $3 } END { print passed + 0, failed + 0 }' "$1")
    passed=$((passed + $1))
    failed=$((failed + $2))
}
kills=${ASDFKIT_CHUNKED_KILLS:-500}
(cd "$work/growing" && "$ASDFKIT_PYTHON" "$crash/growth_kills.py" "$kills" chunks 'packed chunks' 'zarr chunks') \
    >"$work/growth.log" 2>&1 || true
sums "$work/growth.log"
"$crash/build.sh" "$work/crash"
(cd "$work/replay" && "$work/crash" replay-more 'appended chunks') >"$work/replay.log" 2>&1 || true
sums "$work/replay.log"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
