#!/bin/sh
# More random arrays than `make test` tries, of a seed that is printed; `oracle.py COUNT SEED` tries them again.
set -eu
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 exec "$ASDFKIT_PYTHON" oracle.py "${ASDFKIT_ORACLE_ARRAYS:-10000}"
