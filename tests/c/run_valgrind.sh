#!/bin/sh
# Runs the C tests under valgrind.
exec "$(dirname "$0")/run.sh" memcheck
