//! The libraries beside the core hold no part of it, and link to none. They find the library `libasdfkit` in the process, or
//! load it, and call its C interface. So a process has one core and one kind of handle.

use std::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};

pub use libloading::Library;

/// ABI number of the core that these libraries are built for.
const ABI: i32 = 1;

#[cfg(any(target_os = "macos", target_os = "ios"))]
const NAMES: [&str; 2] = ["libasdfkit.1.dylib", "libasdfkit.dylib"];
#[cfg(windows)]
const NAMES: [&str; 1] = ["asdfkit.dll"];
#[cfg(not(any(target_os = "macos", target_os = "ios", windows)))]
const NAMES: [&str; 2] = ["libasdfkit.so.1", "libasdfkit.so"];

/// Addresses of functions of the core. [`core_functions!`] declares a type of them.
pub trait Functions: Sized {
    /// Finds the functions in a loaded library. Fails with the name of the first that it lacks.
    fn find(library: &Library) -> Result<Self, &'static str>;
}

/// Declares `struct Functions` with the functions of the core that a library calls, and their types.
#[macro_export]
macro_rules! core_functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Addresses of the functions.
        #[allow(missing_docs)]
        pub(crate) struct Functions {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl $crate::Functions for Functions {
            #[allow(unsafe_code)]
            fn find(library: &$crate::Library) -> Result<Functions, &'static str> {
                Ok(Functions {
                    // SAFETY: the library is a core of the same ABI number, so the function has the declared type.
                    $($name: *unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }
                        .map_err(|_| stringify!($name))?,)*
                })
            }
        }
    };
}

/// The core, as a library sees it.
pub struct Core<F> {
    functions: F,
    /// Keeps the functions in memory.
    _library: Library,
}

impl<F: Functions> Core<F> {
    /// Finds the core for the library with this name. It is the one at the path, the one that the process has loaded
    /// already, or the first of: the path in `ASDFKIT_LIBRARY`, a file in the folder of the library that contains
    /// `inside`, a file on the search path of libraries. Fails with a message.
    pub fn find(name: &str, inside: &'static impl Sync, path: Option<&Path>) -> Result<Core<F>, String> {
        if let Some(path) = path {
            return Core::of(open(path)?, name);
        }
        #[cfg(unix)]
        {
            let program: Library = libloading::os::unix::Library::this().into();
            if abi(&program).is_some() {
                return Core::of(program, name);
            }
        }
        let beside = folder_of((&raw const *inside).cast());
        let places = std::env::var_os("ASDFKIT_LIBRARY")
            .map(PathBuf::from)
            .into_iter()
            .chain(beside.iter().flat_map(|folder| NAMES.iter().map(move |name| folder.join(name))))
            .chain(NAMES.iter().map(PathBuf::from));
        for place in places {
            if let Ok(library) = open(&place) {
                return Core::of(library, name);
            }
        }
        Err(format!("the library {} was not found; install it, or set ASDFKIT_LIBRARY to its path", NAMES[0]))
    }

    /// Returns the functions.
    pub fn functions(&self) -> &F {
        &self.functions
    }

    fn of(library: Library, name: &str) -> Result<Core<F>, String> {
        match abi(&library) {
            Some(ABI) => {}
            Some(other) => {
                return Err(format!("the loaded libasdfkit has the ABI number {other}, but {name} needs {ABI}"));
            }
            None => return Err("the library at this path is not libasdfkit".into()),
        }
        let functions = F::find(&library)
            .map_err(|function| format!("the loaded libasdfkit is older than {name}: it has no {function}"))?;
        Ok(Core { functions, _library: library })
    }
}

#[allow(unsafe_code)]
fn open(path: &Path) -> Result<Library, String> {
    // SAFETY: the core runs no code that depends on the state of the program when it is loaded.
    unsafe { Library::new(path) }.map_err(|error| format!("cannot load {}: {error}", path.display()))
}

#[allow(unsafe_code)]
fn abi(library: &Library) -> Option<i32> {
    // SAFETY: every version of the core has this function with this type.
    unsafe {
        let function = library.get::<unsafe extern "C" fn() -> i32>(b"asdf_library_abi\0").ok()?;
        Some(function())
    }
}

/// Returns the folder of the loaded file that contains an address.
#[cfg(unix)]
#[allow(unsafe_code)]
fn folder_of(address: *const c_void) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: all-zero bytes are a valid value of this struct of pointers.
    let mut place: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: any address is allowed, and `place` is writable.
    if unsafe { libc::dladdr(address, &mut place) } == 0 || place.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the linker keeps the name as long as the library is loaded.
    let name = unsafe { CStr::from_ptr(place.dli_fname) };
    Path::new(std::ffi::OsStr::from_bytes(name.to_bytes())).parent().map(Path::to_path_buf)
}

#[cfg(not(unix))]
fn folder_of(_: *const c_void) -> Option<PathBuf> {
    None
}
