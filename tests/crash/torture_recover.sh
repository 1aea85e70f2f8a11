#!/bin/sh
# Recovers each reference file cut at every byte, and a file that contains another one, damaged at every byte.
set -eu
cd "$(dirname "$0")/../.."
ASDFKIT_RECOVER_STEP=1 cargo test --quiet --locked --profile quick --test recover
