#!/bin/sh
# An image of 1 GiB each way beside a copy with byte swap and astropy, and the opening of a product. The library is built as it is installed.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/formats_speed
rm -rf "$work"
mkdir -p "$work"
DESTDIR='' "$ASDFKIT_SOURCE/scripts/install-formats.sh" "$work/prefix" >&2
export ASDFKIT_FORMATS="$work/prefix/lib/libasdfkit_formats.so" ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib/libasdfkit.so"
export PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src"
PYTHONDONTWRITEBYTECODE=1 exec "$ASDFKIT_PYTHON" speed.py "$work/files"
