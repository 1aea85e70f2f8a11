#!/bin/sh
# Prints the version of the format of a file: open_file.sh FILE
set -eu
[ $# = 1 ] || exit 2
information=$(asdfkit --json info --depth 0 "$1")
printf '%s\n' "$information" | sed 's/.*"format_version":"\([^"]*\)".*/\1/'
