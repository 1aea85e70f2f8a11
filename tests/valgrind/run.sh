#!/bin/sh
# The C tests once more under valgrind.
exec "$(dirname "$0")/../c/run.sh" memcheck
