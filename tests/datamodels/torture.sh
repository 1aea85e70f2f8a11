#!/bin/sh
# Makes files with the newest pinned packages of Roman, JWST and DKIST, in an environment of their own, and compares them.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/datamodels
rm -rf "$work"
mkdir -p "$work/files"
"$ASDFKIT_PYTHON" -m venv "$work/python"
"$work/python/bin/pip" install --quiet --require-hashes --requirement "$ASDFKIT_SOURCE/scripts/requirements-datamodels.txt"
"$work/python/bin/python" make_files.py "$work/files"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$ASDFKIT_SOURCE/bindings/python/src"
export ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib/libasdfkit.so"
# The schemas of these packages, too.
"$work/python/bin/python" verdicts.py "$work"/files/*.asdf
# All these files, the corpora and the reference files in each version of the standard.
# shellcheck disable=SC2046 # names without blanks
"$work/python/bin/python" test_versions.py "$work"/files/*.asdf files/*.asdf \
    $(find "$ASDFKIT_CORPORA" "$ASDFKIT_REFERENCE_FILES/" -name '*.asdf' | sort)
# ASDF in FITS files, also those in the tests of an old version of asdf.
"$work/python/bin/pip" download --quiet --no-deps --no-binary asdf --require-hashes --dest "$work/samples" \
    --requirement "$ASDFKIT_SOURCE/scripts/requirements-fits-samples.txt"
tar -xzf "$work"/samples/asdf-*.tar.gz -C "$work/samples" --strip-components 4 --wildcards '*/asdf/_tests/data/*fits*'
DESTDIR='' "$ASDFKIT_SOURCE/scripts/install-formats.sh" "$work/prefix" dev >&2
export ASDFKIT_FORMATS="$work/prefix/lib/libasdfkit_formats.so"
"$work/python/bin/python" fits_products.py "$work/fits" "$work"/samples/*fits*
# The files in the tests of dkist.
dkist=$("$work/python/bin/python" -c 'import dkist, pathlib; print(pathlib.Path(dkist.__file__).parent / "data/test")')
for file in "$dkist"/*.asdf.gz; do
    gzip -d -c "$file" >"$work/files/dkist_$(basename "$file" .gz)"
done
exec "$ASDFKIT_PYTHON" compare.py "$work"/files/*.asdf "$dkist"/*.asdf "$dkist"/*/*.asdf
