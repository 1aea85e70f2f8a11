#!/bin/sh
# The slow tests of the Python package: more random arrays and tables, 10^5 opens and reads in constant memory, and the
# wheel.
set -eu
cd "$(dirname "$0")"
export ASDFKIT_PYTHON_CASES=20000 ASDFKIT_PYTHON_TABLES=2000 ASDFKIT_PYTHON_REPEATS=100000
./run_python_package.sh
exec ./wheel.sh
