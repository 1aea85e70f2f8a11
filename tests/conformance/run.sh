#!/bin/sh
# The official reference files of every version of the standard, and further corpora where they are at hand.
set -eu
cd "$(dirname "$0")/../.."
summary=$ASDFKIT_BUILD/tests/conformance.log
mkdir -p "$(dirname "$summary")"
: >"$summary"

run() { # DIRECTORY
    echo "$1"
    cargo run --quiet --locked --release --example conformance -- asdf "$1" >"$summary.one" && status=0 || status=$?
    cat "$summary.one"
    # The last line is "N passed, N failed, N skipped" unless the tool did not get so far.
    last=$(tail -n 1 "$summary.one")
    case $status,$last in
    0,*' passed, 0 failed'* | [1-9]*,*' passed, '[1-9]*' failed'*) echo "$last" >>"$summary" ;;
    *) echo "0 passed, 1 failed (exit status $status)" >>"$summary" ;;
    esac
}

for version in "$ASDFKIT_REFERENCE_FILES"/*.*.*/; do
    run "$version"
done
if [ -n "${ASDFKIT_SAMPLES:-}" ]; then
    run "$ASDFKIT_SAMPLES/asdf-samples"
fi

awk '{ passed += $1; failed += $3 } END { print passed " passed, " failed " failed"; exit failed > 0 }' "$summary"
