#!/bin/sh
# Checks what packages hold, without building one.
set -eu
cd "$(dirname "$0")"
"$ASDFKIT_PYTHON" test_packages.py
