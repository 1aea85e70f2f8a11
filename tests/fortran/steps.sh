# Steps of the Fortran tests that run.sh and torture.sh share. Each reads this file with "." after setting `work`, the
# folder to work in, and `compile`, the compiler with its options.
# shellcheck shell=sh disable=SC2154 # work and compile are set by the reader
tests=$(pwd)
flags="$work/libmodules.a $(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --libs asdfkit)"
flags="$flags -Wl,-rpath,$ASDFKIT_PREFIX/lib"

# build SOURCE PROGRAM
build() {
    # shellcheck disable=SC2086 # lists of words
    $compile "$1" $flags -o "$2"
}

# Compiles the modules, then compiles and runs the tests. Goes to the folder.
run_tests() {
    # shellcheck disable=SC2086 # a list of words
    ./compile.sh "$work" $compile
    for template in test_*.fypp; do
        "$ASDFKIT_PYTHON" -m fypp -I ../../bindings/fortran/templates "$template" "$work/${template%.fypp}.f90"
    done
    cd "$work"
    "$ASDFKIT_PYTHON" -W error "$tests/tables.py" make .
    for source in "$tests"/test_*.f90 test_*.f90; do
        program=$(basename "$source" .f90)
        build "$source" "$program"
        "./$program"
    done
    "$ASDFKIT_PYTHON" -W error "$tests/tables.py" check .
    "$ASDFKIT_PYTHON" -W error "$tests/streams.py" .
}

# Exchanges files with Python asdf and astropy.
run_exchange() {
    build "$tests/exchange.f90" exchange
    "$ASDFKIT_PYTHON" -W error "$tests/exchange.py" write input.asdf
    ./exchange input.asdf output.asdf
    "$ASDFKIT_PYTHON" -W error "$tests/exchange.py" check output.asdf
}
