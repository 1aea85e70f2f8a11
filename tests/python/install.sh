#!/bin/sh
# Installs the Python package in DIR/site, without its dependencies: install.sh DIR
set -eu
source=$ASDFKIT_SOURCE/bindings/python
# The build leaves files beside the sources, so it works on a copy.
mkdir -p "$1/source"
cp -r "$source/pyproject.toml" "$source/README.md" "$source/src" "$1/source"
"$ASDFKIT_PYTHON" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation \
    --target "$1/site" "$1/source"
