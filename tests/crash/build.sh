#!/bin/sh
# build.sh PROGRAM: builds the test program against the installed library. Its own functions replace those of the C
# library only if the linker exports them to the shared library.
set -eu
cd "$(dirname "$0")"
exec ${CC:-cc} -std=c11 -O1 -g -Wall -Wextra -Wpedantic -Werror -I "$ASDFKIT_PREFIX/include/asdfkit" ./*.c -rdynamic \
    -L "$ASDFKIT_PREFIX/lib" -lasdfkit -Wl,-rpath,"$ASDFKIT_PREFIX/lib" -o "$1"
