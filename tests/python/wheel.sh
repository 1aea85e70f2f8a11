#!/bin/sh
# The wheel that holds the library, in an environment of its own: it passes the tests of the package.
set -eu
work=$ASDFKIT_BUILD/tests/python_wheel
rm -rf "$work"
mkdir -p "$work"
"$ASDFKIT_PYTHON" "$ASDFKIT_SOURCE/scripts/build-wheel.py" --profile quick >"$work/wheel"
wheel=$(tail -n 1 "$work/wheel")
python3 -m venv "$work/environment"
pip="$work/environment/bin/pip --quiet --disable-pip-version-check"
$pip install --require-hashes -r "$ASDFKIT_SOURCE/scripts/requirements.txt" \
    -r "$ASDFKIT_SOURCE/scripts/requirements-python-package.txt"
$pip install --no-deps --no-index "$wheel"
cd "$work"
unset ASDFKIT_LIBRARY PYTHONPATH
"$work/environment/bin/python" -c 'import asdfkit; print(asdfkit.__file__)' | grep -q "$work"
PYTHONDONTWRITEBYTECODE=1 exec "$work/environment/bin/python" -m pytest -q -p no:cacheprovider --basetemp "$work/pytest" \
    "$ASDFKIT_SOURCE/bindings/python/tests"
