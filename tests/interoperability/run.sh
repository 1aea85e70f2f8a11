#!/bin/sh
# Files of C, the bindings and Python asdf are read by each other; matrix.py describes the files. Programs of some
# languages change cells of tables of astropy; cells.py describes that.
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
for name in matrix cells; do
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror "$name.c" "$@" -o "$work/$name-c"
done
"${CXX:-c++}" -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror matrix.cpp "$@" -o "$work/cpp"
wait "$fortran"

# The Python package takes part through an installed copy.
../python/install.sh "$work"
library=$(find "$ASDFKIT_PREFIX/lib" -name 'libasdfkit.so' -o -name 'libasdfkit.dylib' | head -n 1)
for name in matrix cells; do
    cat >"$work/$name-asdfkit" <<END
#!/bin/sh
ASDFKIT_LIBRARY='$library' PYTHONPATH='$work/site' exec '$ASDFKIT_PYTHON' '$PWD/${name}_asdfkit.py' "\$@"
END
    chmod +x "$work/$name-asdfkit"
done

set -- "c=$work/matrix-c" "cpp=$work/cpp" "asdfkit=$work/matrix-asdfkit"
cells="c=$work/cells-c asdfkit=$work/cells-asdfkit"
if [ -e "$work/fortran" ]; then set -- "$@" "fortran=$work/fortran"; fi
if [ -n "${ASDFKIT_JULIA:-}" ]; then
    # Small programs are compiled in less time with -O0. The package is compiled once, before several programs start.
    for name in matrix cells; do
        printf '#!/bin/sh\nASDFKIT_LIBRARY=%s exec %s --startup-file=no -O0 %s/%s.jl "$@"\n' \
            "$ASDFKIT_PREFIX/lib" "$ASDFKIT_JULIA" "$PWD" "$name" >"$work/$name-julia"
        chmod +x "$work/$name-julia"
    done
    export JULIA_LOAD_PATH="$ASDFKIT_SOURCE/bindings/julia:@stdlib" JULIA_DEPOT_PATH="$work/depot"
    ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib" "$ASDFKIT_JULIA" --startup-file=no -O0 -e 'using AsdfKit'
    set -- "$@" "julia=$work/matrix-julia"
    cells="$cells julia=$work/cells-julia"
else
    echo 'ASDFKIT_JULIA is not set: Julia does not take part.'
fi
if [ -n "${ASDFKIT_R:-}" ]; then
    ../r/install.sh "$work" --no-docs
    for name in matrix cells; do
        printf '#!/bin/sh\nexec %s --no-echo --no-restore --file=%s/%s.R --args "$@"\n' "$ASDFKIT_R" "$PWD" "$name" \
            >"$work/$name-r"
        chmod +x "$work/$name-r"
    done
    export R_LIBS="$work/library"
    set -- "$@" "r=$work/matrix-r"
    cells="$cells r=$work/cells-r"
else
    echo 'ASDFKIT_R is not set: R does not take part.'
fi
export PYTHONDONTWRITEBYTECODE=1
status=0
"$ASDFKIT_PYTHON" matrix.py "$work/files" "$@" >"$work/matrix.log" || status=1
# shellcheck disable=SC2086 # a list of words
ASDFKIT_LIBRARY=$library PYTHONPATH="$work/site" "$ASDFKIT_PYTHON" cells.py "$work/cells" $cells >"$work/cells.log" || status=1
awk '{ print } /^[0-9]+ passed, / { passed += $1; failed += $3 }
    END { print passed + 0 " passed, " failed + 0 " failed" }' "$work/matrix.log" "$work/cells.log"
exit "$status"
