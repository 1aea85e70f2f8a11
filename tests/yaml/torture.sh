#!/bin/sh
# Compares the reader with libyaml on a million texts of each kind, and with PyYAML on 200,000 texts that PyYAML wrote.
# Then reads hostile texts of 1 MiB, and edits 30,000 documents with hostile keys.
set -eu
cd "$(dirname "$0")/../.."
ASDFKIT_YAML_DOCUMENTS=1000000 cargo test --quiet --locked --profile quick --test yaml -- differential
ASDFKIT_YAML_TEXTS=200000 cargo test --quiet --locked --profile quick --test yaml -- pyyaml::
cargo test --quiet --locked --profile quick --test yaml_cost
ASDFKIT_KEY_DOCUMENTS=30000 cargo test --quiet --locked --profile quick --lib -- hostile_keys
