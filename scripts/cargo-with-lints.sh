#!/bin/sh
# Runs cargo with clippy as the compiler of the library and its tests: lints and code come from one compilation. A warning
# is an error. `cargo clippy` sets the same variables.
RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ exec cargo "$@"
