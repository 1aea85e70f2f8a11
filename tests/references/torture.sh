#!/bin/sh
# References of the command, read by fsspec, zarr, xarray, Dask and VirtualiZarr in an environment of their own.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/references
rm -rf "$work"
mkdir -p "$work/files"
"$ASDFKIT_PYTHON" -m venv "$work/python"
"$work/python/bin/pip" install --quiet --require-hashes --requirement "$ASDFKIT_SOURCE/scripts/requirements-references.txt"
export PYTHONDONTWRITEBYTECODE=1
# The readers have no library for ASDF: files and expected elements are made before.
"$ASDFKIT_PYTHON" make_files.py "$ASDFKIT_PREFIX/bin/asdfkit" "$work/files"
exec "$work/python/bin/python" read_references.py "$work/files"
