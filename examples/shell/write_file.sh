#!/bin/sh
# Writes a new file with a number and a compressed image of raw bytes: write_file.sh FILE
set -eu
[ $# = 1 ] || exit 2
head -c 96 /dev/zero >data.raw
asdfkit convert data.raw "$1" --path data --datatype float32 --shape 4,6 --codec zlib
asdfkit set "$1" meta/exposure/time 139.8 --create
