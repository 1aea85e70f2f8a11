#!/bin/sh
# Mutants of the rooms that read and convert numbers and bytes, by cargo-mutants.
set -eu
cd "$ASDFKIT_SOURCE"
PATH="$ASDFKIT_BUILD/mutants/tools/bin:$PATH"
command -v cargo-mutants >/dev/null ||
    cargo install --quiet --locked --root "$ASDFKIT_BUILD/mutants/tools" --version 27.1.0 cargo-mutants
exec python3 tests/mutants/mutants.py "${ASDFKIT_MUTANTS:-150}" "${ASDFKIT_MUTANTS_SEED:-$(date +%s)}" "$@"
