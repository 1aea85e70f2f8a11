#!/bin/sh
# Builds the manual without a warning, and photographs six pages of it.
set -eu
cd "$(dirname "$0")"
python3 "$ASDFKIT_SOURCE/scripts/build-manual.py"
exec "$ASDFKIT_PYTHON" photographs.py "$ASDFKIT_SOURCE/build/manual/html" "$ASDFKIT_BUILD/manual/photographs"
