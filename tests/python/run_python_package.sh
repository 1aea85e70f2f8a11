#!/bin/sh
# The Python package: installs it in a folder, runs its tests and type checks against the installed library.
# ASDFKIT_PYTHON needs the packages of scripts/requirements-python-package.txt.
set -eu
cd "$(dirname "$0")"
source=$ASDFKIT_SOURCE
work=$ASDFKIT_BUILD/tests/python_package
export LC_ALL=C.UTF-8
rm -rf "$work"
mkdir -p "$work"
./install.sh "$work"
if [ -z "${ASDFKIT_LIBRARY:-}" ]; then
    ASDFKIT_LIBRARY=$(find "$ASDFKIT_PREFIX/lib" -name 'libasdfkit.so' -o -name 'libasdfkit.dylib' | head -n 1)
fi
export ASDFKIT_LIBRARY PYTHONPATH="$work/site" PYTHONDONTWRITEBYTECODE=1

failed=0
"$ASDFKIT_PYTHON" -m pytest -q -p no:cacheprovider --basetemp "$work/pytest" "$source/bindings/python/tests" \
    >"$work/tests.log" 2>&1 || failed=1
count() {
    sed -n "s/.*[^0-9]*\b\([0-9][0-9]*\) $1.*/\1/p" "$work/tests.log" | tail -n 1
}
passed=$(count passed)
[ $failed = 0 ] || cat "$work/tests.log"
failed=$(count failed)
errors=$(count 'error')
passed=${passed:-0}
failed=$((${failed:-0} + ${errors:-0}))
[ "$passed" != 0 ] || failed=$((failed + 1))

if (cd "$source/bindings/python" && "$ASDFKIT_PYTHON" -m mypy --cache-dir "$work/mypy" --config-file pyproject.toml \
    "$work/site/asdfkit") >"$work/mypy.log" 2>&1; then
    passed=$((passed + 1))
else
    cat "$work/mypy.log"
    failed=$((failed + 1))
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
