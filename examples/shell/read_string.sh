#!/bin/sh
# Reads a text by its path: read_string.sh FILE
set -eu
[ $# = 1 ] || exit 2
asdfkit get "$1" meta/target/name
