#!/bin/sh
# Compares the official reference files of every version of the standard, the corpora of the project, and further ones if
# ASDFKIT_SAMPLES names a directory of them. No file may be skipped.
set -eu
cd "$(dirname "$0")/../.."
logs=$ASDFKIT_BUILD/tests/conformance
# tests/machines runs the tool for other machines.
cargo=${ASDFKIT_CARGO:-scripts/cargo-with-lints.sh}
rm -rf "$logs"
mkdir -p "$logs/wrong"

# Adds the sum of a directory, or a failure, to a list of sums.
run() { # DIRECTORY SUMS FORMAT
    echo "$1"
    # shellcheck disable=SC2086 # a command with arguments
    $cargo run --quiet --locked --all-features --example conformance -- "${3:-asdf}" "$1" >"$logs/one" && status=0 ||
        status=$?
    cat "$logs/one"
    # The last line is "N passed, N failed, N skipped" unless the tool did not get so far.
    last=$(tail -n 1 "$logs/one")
    case $status,$last in
    0,*' passed, 0 failed, '*' skipped' | 1,*' passed, '[1-9]*' failed, '*' skipped') echo "$last" >>"$2" ;;
    *) echo "0 passed, 1 failed, 0 skipped (exit status $status)" >>"$2" ;;
    esac
}

sum() { # SUMS
    awk '{ passed += $1; failed += $3; skipped += $5 }
        END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$1"
}

# A sum must be the known one; otherwise a corpus could shrink unseen.
expect() { # WHAT IS WANTED
    if [ "$2" = "$3" ]; then
        echo '1 passed, 0 failed' >>"$logs/all"
    else
        echo "0 passed, 1 failed ($1: $2; expected $3)" | tee -a "$logs/all"
    fi
}

for version in "$ASDFKIT_REFERENCE_FILES"/*.*.*/; do
    run "$version" "$logs/reference"
done
expect 'reference files' "$(sum "$logs/reference")" '112 passed, 0 failed, 0 skipped'
pairs=$(find "$ASDFKIT_REFERENCE_FILES/" -path '*/[0-9].[0-9].[0-9]/*.yaml' | wc -l)
expect 'pairs among them' "$((pairs))" 105
cat "$logs/reference" >>"$logs/all"
run "$ASDFKIT_CORPORA/asdf-samples" "$logs/samples"
expect 'samples' "$(sum "$logs/samples")" '239 passed, 0 failed, 0 skipped'
run "$ASDFKIT_CORPORA/ecsv-samples" "$logs/ecsv" ecsv
expect 'tables' "$(sum "$logs/ecsv")" '135 passed, 0 failed, 0 skipped'
run "$ASDFKIT_CORPORA/ndl-samples" "$logs/ndl" ndl
expect 'descriptions' "$(sum "$logs/ndl")" '189 passed, 0 failed, 0 skipped'
run "$ASDFKIT_CORPORA/gwcs-samples" "$logs/gwcs" wcs
expect 'world coordinates' "$(sum "$logs/gwcs")" '373 passed, 0 failed, 0 skipped'
cat "$logs/samples" "$logs/ecsv" "$logs/ndl" "$logs/gwcs" >>"$logs/all"
for format in asdf ecsv ndl; do
    further=${ASDFKIT_SAMPLES:+$ASDFKIT_SAMPLES/$format-samples}
    if [ -e "$further/manifest.json" ]; then
        run "$further" "$logs/all" $format
    fi
done

# A difference must show in the exit status, too.
cp "$ASDFKIT_REFERENCE_FILES/1.6.0/basic.asdf" "$logs/wrong/basic.asdf"
cp "$ASDFKIT_REFERENCE_FILES/1.6.0/scalars.yaml" "$logs/wrong/basic.yaml"
run "$logs/wrong" "$logs/differs" >/dev/null
expect 'a wrong pair' "$(cat "$logs/differs")" '0 passed, 1 failed, 0 skipped'

awk '{ passed += $1; failed += $3 } END { print passed " passed, " failed " failed"; exit failed > 0 }' "$logs/all"
