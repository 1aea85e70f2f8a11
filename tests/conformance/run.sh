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

# What differs must show in the exit status, too.
wrong=$ASDFKIT_BUILD/tests/conformance
mkdir -p "$wrong"
cp "$ASDFKIT_REFERENCE_FILES/1.6.0/basic.asdf" "$wrong/basic.asdf"
cp "$ASDFKIT_REFERENCE_FILES/1.6.0/scalars.yaml" "$wrong/basic.yaml"
cargo run --quiet --locked --release --example conformance -- asdf "$wrong" >"$summary.one" && status=0 || status=$?
case $status,$(tail -n 1 "$summary.one") in
1,'0 passed, 1 failed, 0 skipped') echo '1 passed, 0 failed' >>"$summary" ;;
*) echo "0 passed, 1 failed (a wrong pair gives exit status $status)" | tee -a "$summary" ;;
esac

awk '{ passed += $1; failed += $3 } END { print passed " passed, " failed " failed"; exit failed > 0 }' "$summary"
