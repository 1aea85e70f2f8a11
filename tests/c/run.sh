#!/bin/sh
# Compiles every test_*.c of this directory against the installed library and runs it; 0 means passed.
# ASDFKIT_WRAPPER is a command to run the programs under, such as valgrind.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/c
rm -rf "$work"
mkdir -p "$work"
passed=0
failed=0
for source in test_*.c; do
    program=$work/$(basename "$source" .c)
    ${CC:-cc} -std=c11 -g -O1 -Wall -Wextra -Wpedantic -Werror -I "$ASDFKIT_PREFIX/include/asdfkit" \
        "$source" -L "$ASDFKIT_PREFIX/lib" -lasdfkit -Wl,-rpath,"$ASDFKIT_PREFIX/lib" -lm -o "$program"
    mkdir "$program.files"
    # shellcheck disable=SC2086 # the wrapper is a command with arguments
    if (cd "$program.files" && ${ASDFKIT_WRAPPER:-} "$program"); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $source"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
