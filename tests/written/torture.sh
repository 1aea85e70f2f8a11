#!/bin/sh
# Writes and reads more random content than `cargo test` does. ASDFKIT_WRITTEN sets the number of cases of each kind.
set -eu
cd "$(dirname "$0")/../.."
ASDFKIT_WRITTEN=${ASDFKIT_WRITTEN:-20000} cargo test --quiet --locked --profile quick --test written
