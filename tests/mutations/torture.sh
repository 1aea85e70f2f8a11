#!/bin/sh
# Reads hostile files through the C interface under memory checkers. In Rust,
# `cargo test --profile quick --test mutations -- --ignored` tries all of them; here a share, because valgrind is slow.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/mutations
rm -rf "$work"
mkdir -p "$work"
passed=0
failed=0

report() { # DESCRIPTION STATUS
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED $1"; fi
}

ASDFKIT_NDL_MUTATIONS=${ASDFKIT_NDL_MUTATIONS:-400} cargo test --quiet --locked --profile quick --test ndl_mutations \
    >"$work/ndl.log" 2>&1 && status=0 || status=$?
report descriptions "$status"

ASDFKIT_MUTATIONS_DIRECTORY="$work/files" cargo test --quiet --locked --profile quick --test mutations -- \
    --ignored --exact child::write_files >"$work/files.log"

build() { # NAME [FLAG…]
    name=$1
    shift
    ${CC:-cc} -std=c11 -g -Wall -Wextra -Wpedantic -Werror "$@" -I "$ASDFKIT_PREFIX/include/asdfkit" driver.c \
        -L "$ASDFKIT_PREFIX/lib" -lasdfkit -Wl,-rpath,"$ASDFKIT_PREFIX/lib" -pthread -o "$work/$name"
}
build driver
build driver-asan -fsanitize=address,undefined -fno-sanitize-recover=all

try() { # DESCRIPTION [COMMAND…]: a few hundred files at a time
    description=$1
    shift
    find "$work/files" -name '*.asdf' | sort | xargs -n 300 "$@" >"$work/$description.log" 2>&1 && status=0 || status=$?
    grep -a ' calls, \|FAILED' "$work/$description.log" || true
    if [ "$status" != 0 ]; then grep -a -m 40 '==' "$work/$description.log" || true; fi
    report "$description" "$status"
}
try plain "$work/driver"
# The sanitizer needs much address space.
try asan env ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 "$work/driver-asan"
try valgrind valgrind --quiet --error-exitcode=1 --leak-check=full --show-leak-kinds=definite,indirect \
    --errors-for-leak-kinds=definite,indirect "$work/driver"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
