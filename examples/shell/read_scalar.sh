#!/bin/sh
# Reads a number by its path: read_scalar.sh FILE
set -eu
[ $# = 1 ] || exit 2
seconds=$(asdfkit get "$1" meta/exposure/time)
echo "$seconds s"
