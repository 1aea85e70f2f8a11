#!/bin/sh
# Writes files while calls of the operating system fail; writer.c lists the cases.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/faults
rm -rf "$work"
mkdir -p "$work/files"
# The program's own open, write and so on replace those of the C library only if the linker exports them.
${CC:-cc} -std=c11 -O1 -Wall -Wextra -Wpedantic -Werror -I "$ASDFKIT_PREFIX/include/asdfkit" writer.c faults.c \
    -rdynamic -L "$ASDFKIT_PREFIX/lib" -lasdfkit -Wl,-rpath,"$ASDFKIT_PREFIX/lib" -ldl -o "$work/writer"
status=0
(cd "$work/files" && "$work/writer") >"$work/log" || status=1
cat "$work/log"

# A device that is too small for the file, if the system allows mounting one.
mkdir "$work/small"
if unshare --mount sh -c "mount -t tmpfs -o size=100k none '$work/small' && echo >'$work/mounted' &&
    cd '$work/small' && '$work/writer' full" >"$work/small.log" 2>&1; then :; elif [ -e "$work/mounted" ]; then status=1; fi
if [ -e "$work/mounted" ]; then cat "$work/small.log"; else echo 'skipped: no file system may be mounted here'; fi

cat "$work/log" "$work/small.log" | awk '/ passed, / { passed += $1; failed += $3 } END { print passed + 0 " passed, " failed + 0 " failed" }'
exit "$status"
