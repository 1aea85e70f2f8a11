#!/bin/sh
# Files on a web server of our own, through libasdfkit_remote: requests, bytes, faults; its C interface.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/remote
rm -rf "$work"
mkdir -p "$work"
cargo test --quiet --locked --manifest-path "$ASDFKIT_SOURCE/crates/remote/Cargo.toml" --target-dir "$ASDFKIT_BUILD/remote"
DESTDIR='' "$ASDFKIT_SOURCE/scripts/install-remote.sh" "$work/prefix" dev >&2
export ASDFKIT_REMOTE_LIBRARY="$work/prefix/lib/libasdfkit_remote.so" ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib/libasdfkit.so"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src"
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy

# No function of the core is in this library, and it links to none.
if nm --dynamic "$ASDFKIT_REMOTE_LIBRARY" | grep ' asdf_' | grep -v ' T asdf_remote_'; then
    echo 'libasdfkit_remote has names of libasdfkit' >&2
    exit 1
fi
"${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$work/prefix/include" -I"$ASDFKIT_PREFIX/include" \
    -I"$work/prefix/include/asdfkit" -I"$ASDFKIT_PREFIX/include/asdfkit" test_remote.c -o "$work/test_remote" \
    "-L$work/prefix/lib" -lasdfkit_remote "-L$ASDFKIT_PREFIX/lib" -lasdfkit \
    "-Wl,-rpath,$work/prefix/lib" "-Wl,-rpath,$ASDFKIT_PREFIX/lib"
export ASDFKIT_TEST_REMOTE="$work/test_remote"
"$ASDFKIT_PYTHON" test_remote.py "$work" "$@"
