#!/bin/sh
# The installed header compiles in every promised language version without a warning, and declares exactly the functions
# that the library exports. A failed call leaves its outputs as the header says.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C
work=$ASDFKIT_BUILD/tests/header
rm -rf "$work"
mkdir -p "$work"
passed=0
failed=0

report() { # DESCRIPTION STATUS
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1"
    fi
}

# Includes the header twice to test its guard, and first to test that it includes its dependencies.
printf '#include <asdf.h>\n#include <asdf.h>\nint main(void) { return ASDF_OK; }\n' >"$work/main.c"
cp "$work/main.c" "$work/main.cpp"
warnings='-Wall -Wextra -Wpedantic -Wstrict-prototypes -Wundef -Werror'
for standard in c99 c11 c17; do
    # shellcheck disable=SC2086
    ${CC:-cc} -std=$standard $warnings -I "$ASDFKIT_PREFIX/include/asdfkit" -fsyntax-only "$work/main.c" &&
        status=0 || status=1
    report "$standard" "$status"
done
warnings='-Wall -Wextra -Wpedantic -Wundef -Werror'
for standard in c++17 c++20; do
    # shellcheck disable=SC2086
    ${CXX:-c++} -std=$standard $warnings -I "$ASDFKIT_PREFIX/include/asdfkit" -fsyntax-only "$work/main.cpp" &&
        status=0 || status=1
    report "$standard" "$status"
done

# The preprocessor removes comments. In the rest, a name before a parenthesis is a declaration, except in the types of
# callbacks.
${CC:-cc} -E -P -I "$ASDFKIT_PREFIX/include/asdfkit" "$ASDFKIT_PREFIX/include/asdfkit/asdf.h" |
    grep -v '^typedef' | grep -o '\basdf_[a-z0-9_]* *(' | tr -d ' (' | sort -u >"$work/declared"
nm -D --defined-only "$ASDFKIT_PREFIX/lib/libasdfkit.so" | awk '{ print $3 }' | sort >"$work/exported"
diff "$work/declared" "$work/exported" && status=0 || status=1
report 'the header declares what the library exports' "$status"

# STScI's libasdf has the same prefix. Both must work in one process.
sort libasdf-names.txt | comm -12 - "$work/exported" >"$work/common"
cat "$work/common"
if [ -s "$work/common" ]; then status=1; else status=0; fi
report 'no exported name is one of libasdf' "$status"

# Calls each function with each argument wrong in turn. New functions and types take part automatically.
"$ASDFKIT_PYTHON" outputs.py "$ASDFKIT_SOURCE/include/asdfkit-api.json" >"$work/calls.h"
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -I "$ASDFKIT_PREFIX/include/asdfkit" -I "$work" outputs.c \
    -L "$ASDFKIT_PREFIX/lib" -lasdfkit -Wl,-rpath,"$ASDFKIT_PREFIX/lib" -o "$work/outputs"
mkdir "$work/files"
(cd "$work/files" && ../outputs) && status=0 || status=1
report 'wrong arguments are refused by name; handle outputs are NULL after a failure, others untouched' "$status"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
