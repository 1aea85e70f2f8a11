#!/bin/sh
# Decides by the status of a failure, and prints its place: handle_errors.sh FILE
set -eu
[ $# = 1 ] || exit 2
if ! found=$(asdfkit --json get "$1" meta/exposure/end 2>message); then
    case $found in
    *\"NOT_FOUND\"*) echo "nothing at this path" ;;
    *) cat message >&2 && exit 1 ;;
    esac
    cat message
fi
