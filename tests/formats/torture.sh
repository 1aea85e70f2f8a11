#!/bin/sh
# 2,000 random lists of HDUs, beginning with others than the fast suite, and 40,000 damaged images by valgrind.
set -eu
export ASDFKIT_DAMAGED="${ASDFKIT_DAMAGED:-40000}" ASDFKIT_DAMAGED_BY='valgrind --quiet --error-exitcode=1'
ASDFKIT_FITS_LISTS=${ASDFKIT_FITS_LISTS:-2000} exec "$(dirname "$0")/run.sh"
