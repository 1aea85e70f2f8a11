#!/bin/sh
# 2,000 random lists of HDUs, beginning with others than the fast suite.
set -eu
ASDFKIT_FITS_LISTS=${ASDFKIT_FITS_LISTS:-2000} exec "$(dirname "$0")/run.sh"
