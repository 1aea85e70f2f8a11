#!/bin/sh
# Makes a CSV table of the telescope and the exposure time of all files of a folder: keyword_table.sh FOLDER
set -eu
[ $# = 1 ] || exit 2
asdfkit table -k meta/telescope -k meta/exposure/time "$1" --as csv
