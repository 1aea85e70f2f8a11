#!/bin/sh
# Each fuzz target for a minute.
set -eu
exec "$(dirname "$0")/fuzz.sh" "${ASDFKIT_FUZZ_SECONDS:-60}"
