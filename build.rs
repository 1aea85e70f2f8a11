//! Gives the shared library the name that programs record when they link to it.
//!
//! It generates no code and looks for nothing on the machine. The library learns the number by an environment variable.
//! CMakeLists.txt and scripts/build-library.sh read `ABI` from the line below.

/// Raised by a release that removes or changes an exported function; see docs/reference/abi.md.
const ABI: u32 = 1;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=ASDFKIT_ABI={ABI}");
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos" | "ios") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libasdfkit.{ABI}.dylib");
        }
        // The linkers of Windows and WebAssembly know no such name.
        Ok("windows" | "unknown") => {}
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libasdfkit.so.{ABI}"),
    }
}
