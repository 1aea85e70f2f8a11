#!/bin/sh
# Changes a number in a file: edit_file.sh FILE
set -eu
[ $# = 1 ] || exit 2
asdfkit set "$1" meta/exposure/time 140.5
