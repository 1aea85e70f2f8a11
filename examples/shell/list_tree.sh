#!/bin/sh
# Lists what is in a file: list_tree.sh FILE
set -eu
[ $# = 1 ] || exit 2
asdfkit info "$1"
