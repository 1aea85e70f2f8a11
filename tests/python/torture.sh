#!/bin/sh
# More random edits of files, and more random arrays than `make test` tries, of a seed that is printed; `oracle.py COUNT SEED`
# tries them again.
set -eu
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1
ASDFKIT_EDIT_SCRIPTS="${ASDFKIT_EDIT_SCRIPTS:-2000}" "$ASDFKIT_PYTHON" -m unittest test_edits
exec "$ASDFKIT_PYTHON" oracle.py "${ASDFKIT_ORACLE_ARRAYS:-10000}"
