#!/bin/sh
# The library compiles for WebAssembly, where files, locks, maps, processes and threads do not exist.
set -eu
cd "$ASDFKIT_SOURCE"
scripts/cargo-for-wasm.sh check --locked --lib --no-default-features --features bls2,blsc,xz \
    --target-dir "$ASDFKIT_BUILD/wasm"
echo '1 passed, 0 failed'
