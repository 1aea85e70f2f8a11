#!/bin/sh
# Makes files with astropy and gwcs, and compares what the library computes with what they compute: random chains, world
# coordinates like those of instruments, points at the edges of transforms. ASDFKIT_CHAINS sets the number of chains,
# ASDFKIT_CHAINS_SEED another seed.
set -eu
cd "$(dirname "$0")/../.."
files=$ASDFKIT_BUILD/tests/wcs
rm -rf "$files"
mkdir -p "$files"
export PYTHONDONTWRITEBYTECODE=1
"$ASDFKIT_PYTHON" tests/wcs/random_chains.py "$files/chains" "${ASDFKIT_CHAINS:-300}" "${ASDFKIT_CHAINS_SEED:-36}"
"$ASDFKIT_PYTHON" tests/wcs/instruments.py "$files/instruments"
"$ASDFKIT_PYTHON" tests/wcs/edges.py "$files/edges"
for corpus in chains instruments edges; do
    scripts/cargo-with-lints.sh run --quiet --locked --all-features --example conformance -- wcs "$files/$corpus" \
        >"$files/$corpus.log" || true
    cat "$files/$corpus.log"
    tail -n 1 "$files/$corpus.log" >>"$files/sums"
done
awk '/ passed, / { passed += $1; failed += $3; lines += 1 }
    END { failed += 3 - lines; print passed + 0 " passed, " failed " failed"; exit failed > 0 }' "$files/sums"
