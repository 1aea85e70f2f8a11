#!/bin/sh
# Runs fuzz targets with coverage and AddressSanitizer: `fuzz.sh SECONDS [TARGET…]`, by default all targets of crates/fuzz,
# two at a time. What they found stays in build/fuzz/found, their corpora in build/fuzz/corpora, for the next run. Runs of
# ten minutes and more keep only the inputs that reach all that the corpus reaches.
set -eu
cd "$ASDFKIT_SOURCE"
seconds=$1
shift
work=$ASDFKIT_BUILD/fuzz
triple=$(rustc -vV | sed -n 's/^host: //p')
mkdir -p "$work/logs"

PATH="$work/tools/bin:$PATH"
command -v cargo-fuzz >/dev/null || cargo install --quiet --locked --root "$work/tools" --version 0.13.2 cargo-fuzz
# Stable compilers have the sanitizer, too, behind this switch.
RUSTC_BOOTSTRAP=1 cargo fuzz build --fuzz-dir crates/fuzz --target-dir "$work/target" >"$work/logs/build" 2>&1 ||
    { tail -n 40 "$work/logs/build" && exit 1; }
"$ASDFKIT_PYTHON" tests/fuzz/seeds.py "$work/seeds" >"$work/logs/seeds"
export ASAN_OPTIONS=detect_odr_violation=0:allocator_may_return_null=1
[ $# -gt 0 ] || set -- $(sed -n 's/^name = "\(.*\)"/\1/p' crates/fuzz/Cargo.toml | grep -vx asdfkit-fuzz)

dictionary() { # TARGET
    case $1 in
    yaml_round_trip | ndl | transforms) name=yaml ;;
    calls | fits | open | recover) name=asdf ;;
    *) name=$1 ;;
    esac
    file=crates/fuzz/dictionaries/$name.dict
    if [ -e "$file" ]; then echo "-dict=$file"; fi
}

# Keeps the inputs of a corpus that reach all that it reaches.
minimise() { # TARGET
    small=$work/corpora/$1.small
    rm -rf "$small"
    mkdir "$small"
    if "$work/target/$triple/release/$1" -merge=1 \
        -rss_limit_mb=2048 -max_len=16384 "$small" "$work/corpora/$1" >"$work/logs/$1.merge" 2>&1; then
        rm -rf "$work/corpora/$1"
        mv "$small" "$work/corpora/$1"
    fi
}

fuzz() { # TARGET
    mkdir -p "$work/corpora/$1" "$work/found/$1" "$work/seeds/$1"
    # shellcheck disable=SC2046 # one word or none
    "$work/target/$triple/release/$1" \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len=16384 \
        -print_final_stats=1 -artifact_prefix="$work/found/$1/" $(dictionary "$1") "$work/corpora/$1" "$work/seeds/$1" \
        >"$work/logs/$1" 2>&1 && status=0 || status=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/logs/$1")
    if [ "$status" = 0 ]; then
        [ "$seconds" -lt 600 ] || minimise "$1"
        echo "ok $1: $executions executions"
    else
        echo "FAILED $1 after ${executions:-no} executions; inputs: $work/found/$1"
        grep -a -m 3 -A 2 'panicked at\|ERROR: ' "$work/logs/$1" | cut -c 1-300 || true
    fi
}

: >"$work/results"
while [ $# -gt 0 ]; do
    fuzz "$1" >>"$work/results" &
    first=$!
    shift
    if [ $# -gt 0 ]; then
        fuzz "$1" >>"$work/results"
        shift
    fi
    wait "$first"
done
cat "$work/results"
passed=$(grep -c '^ok ' "$work/results" || true)
failed=$(grep -c '^FAILED ' "$work/results" || true)
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
