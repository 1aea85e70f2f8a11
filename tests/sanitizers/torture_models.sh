#!/bin/sh
# Lock-free code of the library in each order of its threads: crates/models.
set -eu
cd "$(dirname "$0")/../.."
RUSTFLAGS="--cfg loom" cargo test --locked --release --manifest-path crates/models/Cargo.toml \
    --target-dir "$ASDFKIT_BUILD/models" --lib | tee "$ASDFKIT_BUILD/models.log"
sed -n 's/^test result: ok\. \([0-9]*\) passed; \([0-9]*\) failed.*/\1 passed, \2 failed/p' "$ASDFKIT_BUILD/models.log"
