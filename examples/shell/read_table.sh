#!/bin/sh
# Reads columns of an ECSV table: read_table.sh TABLE
set -eu
[ $# = 1 ] || exit 2
asdfkit select "$1" --columns flux
