#!/bin/sh
# Writes a whole image to data.npy, a file of numpy, and prints its last pixel: read_array.sh FILE
set -eu
[ $# = 1 ] || exit 2
asdfkit get "$1" data --as npy --output data.npy --force
echo "last pixel $(asdfkit get "$1" 'data[-1,-1]')"
