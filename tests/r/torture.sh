#!/bin/sh
# The R package under a storm of 100,000 handles and forks, with a garbage collection at every few allocations, under
# Valgrind, and interrupted; the source package with the library inside, and the check of R.
set -eu
cd "$(dirname "$0")"
if [ -z "${ASDFKIT_R:-}" ]; then
    echo 'ASDFKIT_R is not set: the R package is NOT tested.'
    exit 0
fi
suite=r-torture
. ./environment.sh
passed=0
failed=0
count() {
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $*"
    fi
}
count run_r storm.R 20000
count run_r storm.R gctorture
count run_r interrupt.R
if command -v valgrind >/dev/null; then
    count "$ASDFKIT_R" --no-echo --no-restore -d 'valgrind --quiet --error-exitcode=9' --file=storm.R --args once
else
    echo 'There is no valgrind: the glue is NOT checked with it.'
fi

"$ASDFKIT_PYTHON" "$ASDFKIT_SOURCE/scripts/build-r-package.py"
mkdir "$work/vendored"
count env ASDFKIT_VENDORED=yes ASDFKIT_CARGO_PROFILE=quick "$ASDFKIT_R" CMD INSTALL "--library=$work/vendored" \
    "$ASDFKIT_SOURCE"/build/r/asdfkit_*.tar.gz
count env R_LIBS="$work/vendored" "$ASDFKIT_R" --no-echo --no-restore -e 'library(asdfkit); asdf_library_version()' \
    -e "testthat::test_dir('$work/source/asdfkit/tests/testthat', package = 'asdfkit', load_package = 'installed')"
built=$work/vendored/asdfkit/libs/asdfkit.so
count sh -c '! nm -D --defined-only "$1" | grep " T asdf_"' sh "$built"
count sh -c '! grep -q "$2" "$1"' sh "$built" "$HOME/.cargo"
cd "$work"
count env PKG_CONFIG_PATH="$ASDFKIT_PREFIX/lib/pkgconfig" _R_CHECK_FORCE_SUGGESTS_=false "$ASDFKIT_R" CMD check \
    --no-manual "$ASDFKIT_SOURCE"/build/r/asdfkit_*.tar.gz
count sh -c '! grep -E "^Status: .*(ERROR|WARNING)" asdfkit.Rcheck/00check.log'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
