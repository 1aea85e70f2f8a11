#!/bin/sh
# Builds the npm package with the reader for browsers and the viewer page: build-npm-package.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
folder=${1:?usage: build-npm-package.sh FOLDER}
target=${ASDFKIT_BUILD:-build}/wasm
scripts/cargo-for-target.sh wasm32-unknown-unknown build --locked --release --manifest-path crates/wasm/Cargo.toml --target-dir "$target"
rm -rf "$folder"
mkdir -p "$folder"
cp -R crates/wasm/npm/. "$folder"
cp LICENSE-MIT LICENSE-APACHE "$folder"
cp "$target/wasm32-unknown-unknown/release/asdfkit_wasm.wasm" "$folder/asdfkit.wasm"
