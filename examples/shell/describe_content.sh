#!/bin/sh
# Describes what is in a file: describe_content.sh FILE
set -eu
[ $# = 1 ] || exit 2
asdfkit ndl describe "$1"
