#!/bin/sh
# Each fuzz target for half an hour.
set -eu
exec "$(dirname "$0")/fuzz.sh" "${ASDFKIT_FUZZ_SECONDS:-1800}"
