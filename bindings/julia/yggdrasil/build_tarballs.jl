# Recipe of Yggdrasil for asdfkit_jll, the C library as a Julia package. UNTESTED: it needs BinaryBuilder, a published
# release of asdfkit, and its Git hash in `sources`.
using BinaryBuilder

name = "asdfkit"
version = v"0.1.0"
sources = [GitSource("https://example.org/asdfkit.git", "0000000000000000000000000000000000000000")]

script = raw"""
cd ${WORKSPACE}/srcdir/asdfkit
cargo rustc --lib --release --locked --features reserve --crate-type cdylib
install -Dvm 755 target/${rust_target}/release/*asdfkit.${dlext} "${libdir}/libasdfkit.${dlext}"
install -Dvm 644 include/asdf.h "${includedir}/asdfkit/asdf.h"
install_license LICENSE-APACHE LICENSE-MIT THIRD-PARTY-LICENSES.md
"""

products = [LibraryProduct("libasdfkit", :libasdfkit)]

build_tarballs(ARGS, name, version, sources, script, supported_platforms(), products, Dependency[];
               compilers = [:c, :rust], julia_compat = "1.5")
