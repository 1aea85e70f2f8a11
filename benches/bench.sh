#!/bin/sh
# Installs what a measurement needs, and runs it: bench.sh WHAT, for `make bench`.
set -eu
cd "$(dirname "$0")/.."
python=build/python/bin/python
what=$1

packages() {
    "$python" -m pip --quiet --disable-pip-version-check install "$@"
}
peers() {
    packages --require-hashes -r scripts/requirements-bench.txt
}
installation() {
    make --no-print-directory install PREFIX=build/prefix
}

scripts/setup.sh test
case $what in
libraries) peers && exec "$python" benches/run.py ;;
bindings) installation && exec "$python" benches/bindings.py ;;
command) peers && installation && exec "$python" benches/command.py build/prefix/bin/asdfkit ;;
fits)
    scripts/setup.sh formats && installation
    export ASDFKIT_SOURCE="$PWD" ASDFKIT_BUILD="$PWD/build" ASDFKIT_PREFIX="$PWD/build/prefix" ASDFKIT_PYTHON="$PWD/$python"
    exec tests/formats/torture_formats_speed.sh
    ;;
instructions) exec "$python" benches/instructions.py ;;
page) packages matplotlib && exec "$python" benches/page.py ;;
python)
    installation
    # The wheels of schemas.
    make --no-print-directory install-schemas PREFIX=build/prefix
    export ASDFKIT_SCHEMAS="$PWD/build/prefix/share/asdfkit/schemas"
    export PYTHONPATH=bindings/python/src ASDFKIT_LIBRARY="$PWD/build/prefix/lib/libasdfkit.so"
    exec "$python" benches/python_package.py
    ;;
scaling) packages matplotlib && exec "$python" benches/scaling.py ;;
*)
    echo "WHAT is libraries, bindings, command, fits, instructions, page, python or scaling, but not '$what'" >&2
    exit 2
    ;;
esac
