#!/bin/sh
# The R package slowly: garbage collection at every turn, 100,000 handles, the source package with the library inside, and
# the check of R.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/r-torture
rm -rf "$work"
mkdir -p "$work"
if [ -z "${ASDFKIT_R:-}" ]; then
    echo 'ASDFKIT_R is not set: R is skipped.'
    exit 0
fi
./install.sh "$work"
tests=$work/source/asdfkit/tests/testthat

# Every 50th allocation collects garbage, so that what is not protected is gone.
for file in values arrays files tables ndl; do
    R_LIBS="$work/library" "$ASDFKIT_R" --no-echo --no-restore -e "library(asdfkit); library(testthat); gctorture2(50)" \
        -e "test_file('$tests/test-$file.R', package = 'asdfkit', load_package = 'installed', stop_on_failure = TRUE)"
done
R_LIBS="$work/library" ASDFKIT_R_HANDLES=100000 "$ASDFKIT_R" --no-echo --no-restore -e "library(asdfkit); library(testthat)" \
    -e "test_file('$tests/test-memory.R', package = 'asdfkit', load_package = 'installed', stop_on_failure = TRUE)"

"$ASDFKIT_PYTHON" "$ASDFKIT_SOURCE/scripts/build-r-package.py"
mkdir "$work/vendored"
PKG_CONFIG_PATH="$work" ASDFKIT_VENDORED=yes ASDFKIT_CARGO_PROFILE=quick "$ASDFKIT_R" CMD INSTALL \
    "--library=$work/vendored" "$ASDFKIT_BUILD"/r/asdfkit_*.tar.gz
R_LIBS="$work/vendored" "$ASDFKIT_R" --no-echo --no-restore -e "library(asdfkit); library(testthat)" \
    -e "test_dir('$tests', package = 'asdfkit', load_package = 'installed', stop_on_failure = TRUE)"

cd "$work"
PKG_CONFIG_PATH="$ASDFKIT_PREFIX/lib/pkgconfig" _R_CHECK_FORCE_SUGGESTS_=false "$ASDFKIT_R" CMD check --no-manual \
    "$ASDFKIT_BUILD"/r/asdfkit_*.tar.gz
if grep -E '^Status: .*(ERROR|WARNING)' asdfkit.Rcheck/00check.log; then exit 1; fi
