#!/bin/sh
# Converts a pixel of an image to a position on the sky, and back: sky_position.sh FILE X Y
set -eu
[ $# = 3 ] || exit 2
sky=$(asdfkit sky "$1" "$2" "$3")
echo "$sky: pixel $(echo "$sky" | asdfkit pixel "$1")"
