#!/bin/sh
# Reads every second pixel of a window of an image: read_region.sh FILE
set -eu
[ $# = 1 ] || exit 2
asdfkit get "$1" "data[76:84:2,54:66:2]"
