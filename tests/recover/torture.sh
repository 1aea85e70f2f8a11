#!/bin/sh
# Each reference file, cut at every byte and recovered, and a file that holds another, damaged at every byte.
set -eu
cd "$(dirname "$0")/../.."
ASDFKIT_RECOVER_STEP=1 cargo test --quiet --locked --profile quick --test recover
