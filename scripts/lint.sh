#!/bin/sh
# Formatting and lints of all languages; changes nothing.
set -eux
cd "$(dirname "$0")/.."
cargo fmt --check
cargo fmt --check --all --manifest-path benches/Cargo.toml
cargo clippy --locked --all-features --all-targets -- -D warnings
cargo check --quiet --locked --no-default-features --lib
RUSTDOCFLAGS='-D warnings' cargo doc --locked --all-features --no-deps
# asdf.h is generated, and a test compares it.
find examples-c tests -name '*.c' -exec clang-format --dry-run --Werror {} +
build/python/bin/ruff format --check .
build/python/bin/ruff check .
# Rooms import downwards only, chambers without circles.
(cd scripts && ../build/python/bin/python -m unittest -q test_check_rooms test_compare_interface)
build/python/bin/python scripts/check_rooms.py
# Programs that were compiled with the last release run with this library, or the ABI number is another one.
if [ -e tests/header/released.json ]; then
    build/python/bin/python scripts/compare_interface.py tests/header/released.json include/asdfkit-api.json
fi
# The licences of all crates of the library are those that are installed with it.
missing=$(cargo tree --locked --edges normal --prefix none --format '{p}' | awk '{ print "*", $1, substr($2, 2) }' |
    sort -u | grep -vxFf THIRD-PARTY-LICENSES.md || true)
if [ -n "$missing" ]; then
    echo "THIRD-PARTY-LICENSES.md lacks $missing: run cargo about generate --locked about.hbs -o THIRD-PARTY-LICENSES.md" >&2
    exit 1
fi
