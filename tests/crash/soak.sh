#!/bin/sh
# Kills processes at more random moments than torture.sh; takes an hour. ASDFKIT_CRASH_KILLS sets their number.
set -eu
ASDFKIT_CRASH_KILLS=${ASDFKIT_CRASH_KILLS:-1000} exec "$(dirname "$0")/torture.sh"
