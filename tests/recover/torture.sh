#!/bin/sh
# Each reference file, cut at every byte and recovered.
set -eu
cd "$(dirname "$0")/../.."
ASDFKIT_RECOVER_STEP=1 cargo test --quiet --locked --release --test recover
