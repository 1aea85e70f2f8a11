#!/bin/sh
# Counts the instructions that the modules add to a call, and runs the Fortran tests with flang. FLANG names the command
# if it is neither flang-22, as in Debian, nor flang.
set -eu
cd "$(dirname "$0")"
./overhead.sh
tests=$(pwd)
work=$ASDFKIT_BUILD/tests/fortran-flang
rm -rf "$work"
mkdir -p "$work"
flang=${FLANG:-$(command -v flang-22 || command -v flang || true)}
if [ -z "$flang" ]; then
    echo "flang is missing: apt-get install flang-22" >&2
    exit 1
fi
"$flang" --version | head -n 1

# -w: flang 22 calls optional arguments of C functions not portable, although Fortran 2018 has them.
compile="$flang -std=f2018 -w -g -I$work -J$work"
flags="$work/libmodules.a $(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --libs asdfkit)"
flags="$flags -Wl,-rpath,$ASDFKIT_PREFIX/lib"
# shellcheck disable=SC2086 # a list of words
./compile.sh "$work" $compile
for template in test_*.fypp; do
    "$ASDFKIT_PYTHON" -m fypp -I ../../bindings/fortran/templates "$template" "$work/${template%.fypp}.f90"
done
cd "$work"
"$ASDFKIT_PYTHON" -W error "$tests/tables.py" make .
for source in "$tests"/test_*.f90 test_*.f90 "$tests/exchange.f90"; do
    program=$(basename "$source" .f90)
    # shellcheck disable=SC2086 # a list of words
    $compile "$source" $flags -o "$program"
    if [ "$program" != exchange ]; then "./$program"; fi
done
"$ASDFKIT_PYTHON" -W error "$tests/tables.py" check .
"$ASDFKIT_PYTHON" -W error "$tests/streams.py" .
"$ASDFKIT_PYTHON" -W error "$tests/exchange.py" write input.asdf
./exchange input.asdf output.asdf
"$ASDFKIT_PYTHON" -W error "$tests/exchange.py" check output.asdf
