#!/bin/sh
# Compares the fast path for simple lines and long lists with the scanner alone, on a million random and damaged documents.
# Then edits 30,000 documents with hostile keys.
set -eu
cd "$(dirname "$0")/../.."
ASDFKIT_YAML_DOCUMENTS=1000000 cargo test --quiet --locked --profile quick --lib -- differential
ASDFKIT_KEY_DOCUMENTS=30000 cargo test --quiet --locked --profile quick --lib -- hostile_keys
