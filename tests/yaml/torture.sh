#!/bin/sh
# Compares the fast path for simple lines and long lists with the scanner alone, on a million random and damaged documents.
set -eu
cd "$(dirname "$0")/../.."
ASDFKIT_YAML_DOCUMENTS=1000000 cargo test --quiet --locked --profile quick --lib -- differential
