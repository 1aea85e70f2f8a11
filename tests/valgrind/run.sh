#!/bin/sh
# The C tests once more under valgrind: no error, and at the end no block lost.
set -eu
cd "$(dirname "$0")"
export ASDFKIT_WRAPPER='valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect,possible --errors-for-leak-kinds=definite,indirect,possible'
exec ../c/run.sh
