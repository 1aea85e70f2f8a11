#!/bin/sh
# A million documents, made and damaged by chance, by the short cut for runs and long lists against the scanner alone.
set -eu
cd "$(dirname "$0")/../.."
ASDFKIT_YAML_DOCUMENTS=1000000 cargo test --quiet --locked --profile quick --lib -- differential
