#!/bin/sh
# Checks formatting and lints of all languages; changes nothing. With `--without-library` the lints of the library are left
# to the suite `rust`, whose compiler finds them.
set -eux
cd "$(dirname "$0")/.."
cargo fmt --check --all
cargo fmt --check --all --manifest-path benches/Cargo.toml
cargo fmt --check --all --manifest-path crates/fuzz/Cargo.toml
cargo fmt --check --all --manifest-path crates/models/Cargo.toml
cargo fmt --check --all --manifest-path crates/formats/Cargo.toml
cargo fmt --check --manifest-path crates/wasm/Cargo.toml
cargo clippy --locked --manifest-path crates/formats/Cargo.toml --all-targets --target-dir build/formats -- -D warnings
cargo fmt --check --all --manifest-path crates/remote/Cargo.toml
cargo clippy --locked --manifest-path crates/remote/Cargo.toml --all-targets --target-dir build/remote -- -D warnings
packages=--workspace
if [ "${1:-}" = --without-library ]; then packages='--package asdfkit-command --no-deps'; fi
# shellcheck disable=SC2086 # a list of words
cargo clippy --locked $packages --all-features --all-targets -- -D warnings
cargo check --quiet --locked --no-default-features --lib
RUSTDOCFLAGS='-D warnings' cargo doc --locked --all-features --no-deps
# Without asdf.h, which is generated and compared by a test.
find examples-c examples bindings/cpp tests \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.hpp' \) \
    -exec clang-format --dry-run --Werror {} +
build/python/bin/ruff format --check .
build/python/bin/ruff check .
# The generated parts of the bindings are those of this interface.
build/python/bin/python scripts/generate_bindings.py --check
# Imports between rooms go in one direction, and those between chambers have no circles.
(cd scripts && ../build/python/bin/python -m unittest -q test_check_rooms test_check_python_modules test_compare_interface)
build/python/bin/python scripts/check_rooms.py
build/python/bin/python scripts/check_python_modules.py
# Programs compiled with the last release run with this library, unless the ABI number has changed.
if [ -e tests/header/released.json ]; then
    build/python/bin/python scripts/compare_interface.py tests/header/released.json include/asdfkit-api.json
fi
# The lock file of the benchmarks follows that of the library.
cargo update --quiet --locked --workspace --manifest-path benches/Cargo.toml
# The installed list of licences names all crates of the library and the command.
missing=$(cargo tree --locked --workspace --edges normal --prefix none --format '{p}' | awk 'NF { print "*", $1, substr($2, 2) }' |
    sort -u | grep -vxFf THIRD-PARTY-LICENSES.md || true)
build/python/bin/python scripts/list_licences.py --check
if [ -n "$missing" ]; then
    echo "THIRD-PARTY-LICENSES.md lacks $missing: run cargo about generate --locked --workspace about.hbs -o THIRD-PARTY-LICENSES.md" >&2
    exit 1
fi
