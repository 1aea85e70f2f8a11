#!/bin/sh
# The programs of examples-c and examples: each compiles without a warning against the installation, does its task, and
# reports wrong input.
set -eu
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 exec "$ASDFKIT_PYTHON" run.py
