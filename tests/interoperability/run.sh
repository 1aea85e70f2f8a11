#!/bin/sh
# Files of C, the bindings and Python asdf are read by each other; matrix.py describes the files.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/interoperability
rm -rf "$work"
mkdir -p "$work/modules"
export PKG_CONFIG_PATH="$ASDFKIT_PREFIX/lib/pkgconfig"
# shellcheck disable=SC2046 # a list of words
set -- $(pkg-config --cflags --libs asdfkit) "-Wl,-rpath,$ASDFKIT_PREFIX/lib"

compile_fortran() {
    if ! command -v gfortran >/dev/null; then
        echo 'There is no gfortran: Fortran does not take part.'
        return
    fi
    sources=$(pkg-config --variable=sources asdfkit-fortran)
    # shellcheck disable=SC2086 # a list of words
    (cd "$work/modules" && gfortran -c $sources)
    "$ASDFKIT_PYTHON" -m fypp matrix.fypp "$work/matrix.f90"
    gfortran -std=f2018 -Wall -Wextra -Wno-maybe-uninitialized -Werror -fcheck=all -I"$work/modules" \
        "$work/matrix.f90" "$work"/modules/*.o "$@" -o "$work/fortran"
}

compile_fortran "$@" &
fortran=$!
"${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror matrix.c "$@" -o "$work/c"
"${CXX:-c++}" -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror matrix.cpp "$@" -o "$work/cpp"
wait "$fortran"

# The Python package takes part through an installed copy.
../python/install.sh "$work"
library=$(find "$ASDFKIT_PREFIX/lib" -name 'libasdfkit.so' -o -name 'libasdfkit.dylib' | head -n 1)
cat >"$work/asdfkit" <<END
#!/bin/sh
ASDFKIT_LIBRARY='$library' PYTHONPATH='$work/site' exec '$ASDFKIT_PYTHON' '$PWD/matrix_asdfkit.py' "\$@"
END
chmod +x "$work/asdfkit"

set -- "c=$work/c" "cpp=$work/cpp" "asdfkit=$work/asdfkit"
if [ -e "$work/fortran" ]; then set -- "$@" "fortran=$work/fortran"; fi
if [ -n "${ASDFKIT_JULIA:-}" ]; then
    # Small programs are compiled in less time with -O0. The package is compiled once, before several programs start.
    printf '#!/bin/sh\nexec %s --startup-file=no -O0 %s/matrix.jl "$@"\n' "$ASDFKIT_JULIA" "$PWD" >"$work/julia"
    chmod +x "$work/julia"
    export JULIA_LOAD_PATH="$ASDFKIT_SOURCE/bindings/julia:@stdlib" JULIA_DEPOT_PATH="$work/depot"
    export ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib"
    "$ASDFKIT_JULIA" --startup-file=no -O0 -e 'using AsdfKit'
    set -- "$@" "julia=$work/julia"
else
    echo 'ASDFKIT_JULIA is not set: Julia does not take part.'
fi
if [ -n "${ASDFKIT_R:-}" ]; then
    ../r/install.sh "$work" --no-docs
    printf '#!/bin/sh\nexec %s --no-echo --no-restore --file=%s/matrix.R --args "$@"\n' "$ASDFKIT_R" "$PWD" >"$work/r"
    chmod +x "$work/r"
    export R_LIBS="$work/library"
    set -- "$@" "r=$work/r"
else
    echo 'ASDFKIT_R is not set: R does not take part.'
fi
PYTHONDONTWRITEBYTECODE=1 exec "$ASDFKIT_PYTHON" matrix.py "$work/files" "$@"
