# Environment of the tests of the Julia package, to be sourced: `julia` runs Julia with the package AsdfKit, which is
# installed into a depot of its own, and with a registry that is empty, so that no network is needed.
work=$ASDFKIT_BUILD/tests/$suite
rm -rf "$work"
mkdir -p "$work/inputs" "$work/outputs" "$work/depot/registries/Empty" "$work/package"
export JULIA_DEPOT_PATH="$work/depot" JULIA_PROJECT="$work/project" JULIA_PKG_SERVER=
export ASDFKIT_LIBRARY="$ASDFKIT_PREFIX/lib" LC_ALL=C.UTF-8
export ASDFKIT_TEST_INPUTS="$work/inputs" ASDFKIT_TEST_OUTPUTS="$work/outputs"
printf 'name = "Empty"\nuuid = "7c1b7a4e-8f5c-4a54-9f0e-3f6f4b1f2d10"\nrepo = ""\n\n[packages]\n' \
    >"$work/depot/registries/Empty/Registry.toml"
cp -R "$ASDFKIT_SOURCE/bindings/julia/AsdfKit" "$work/package"
julia() { "$ASDFKIT_JULIA" --startup-file=no --color=no "$@"; }
"$ASDFKIT_PYTHON" "$ASDFKIT_SOURCE/tests/cpp/make_tables.py" "$work/inputs"
"$ASDFKIT_PYTHON" "$ASDFKIT_SOURCE/tests/julia/make_arrays.py" "$work/inputs"
julia -e 'using Pkg; Pkg.develop(PackageSpec(path = ARGS[1]))' "$work/package/AsdfKit" >"$work/install.log" 2>&1 ||
    { cat "$work/install.log"; exit 1; }
