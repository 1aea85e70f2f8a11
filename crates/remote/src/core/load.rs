//! Finding the core in the process, or loading it.

use std::cell::RefCell;
use std::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};

use libloading::Library;
use once_cell::race::OnceBox;

use super::functions::Functions;
use crate::failure::{Failure, Result, status};

/// ABI number of the core that this library is built for.
const ABI: i32 = 1;

#[cfg(any(target_os = "macos", target_os = "ios"))]
const NAMES: [&str; 2] = ["libasdfkit.1.dylib", "libasdfkit.dylib"];
#[cfg(windows)]
const NAMES: [&str; 1] = ["asdfkit.dll"];
#[cfg(not(any(target_os = "macos", target_os = "ios", windows)))]
const NAMES: [&str; 2] = ["libasdfkit.so.1", "libasdfkit.so"];

struct Loaded {
    functions: Functions,
    /// Keeps the functions in memory.
    _library: Library,
}

static CORE: OnceBox<Loaded> = OnceBox::new();

thread_local! {
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the functions of the core. The first call finds it.
pub(crate) fn core() -> Result<&'static Functions> {
    load(None)
}

/// Finds the core: the one that is loaded already, the one at the path, or one by its usual name. A core that was found
/// before stays.
pub(crate) fn load(path: Option<&Path>) -> Result<&'static Functions> {
    let loaded = CORE.get_or_try_init(|| find(path).map(Box::new));
    match loaded {
        Ok(loaded) => {
            MESSAGE.with(|text| text.borrow_mut().clear());
            Ok(&loaded.functions)
        }
        Err(message) => {
            MESSAGE.with(|text| text.replace(message.clone()));
            Err(Failure::new(status::NOT_FOUND, message))
        }
    }
}

/// Returns why the core could not be loaded on this thread; empty if it was.
pub(crate) fn load_message() -> String {
    MESSAGE.with(|text| text.borrow().clone())
}

fn find(path: Option<&Path>) -> std::result::Result<Loaded, String> {
    if let Some(path) = path {
        return check(open(path)?);
    }
    #[cfg(unix)]
    {
        let program: Library = libloading::os::unix::Library::this().into();
        if abi(&program).is_some() {
            return check(program);
        }
    }
    let beside = own_folder();
    let places = std::env::var_os("ASDFKIT_LIBRARY")
        .map(PathBuf::from)
        .into_iter()
        .chain(beside.iter().flat_map(|folder| NAMES.iter().map(move |name| folder.join(name))))
        .chain(NAMES.iter().map(PathBuf::from));
    for place in places {
        if let Ok(library) = open(&place) {
            return check(library);
        }
    }
    Err(format!("the library {} was not found; install it, or set ASDFKIT_LIBRARY to its path", NAMES[0]))
}

#[allow(unsafe_code)]
fn open(path: &Path) -> std::result::Result<Library, String> {
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

fn check(library: Library) -> std::result::Result<Loaded, String> {
    match abi(&library) {
        Some(ABI) => {}
        Some(other) => {
            return Err(format!("the loaded libasdfkit has the ABI number {other}, but libasdfkit_remote needs {ABI}"));
        }
        None => return Err("the library at this path is not libasdfkit".into()),
    }
    let functions = Functions::find(&library)
        .map_err(|name| format!("the loaded libasdfkit is older than libasdfkit_remote: it has no {name}"))?;
    Ok(Loaded { functions, _library: library })
}

/// Folder of the file that this library was loaded from.
#[cfg(unix)]
#[allow(unsafe_code)]
fn own_folder() -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: all-zero bytes are a valid value of this struct of pointers.
    let mut place: libc::Dl_info = unsafe { std::mem::zeroed() };
    let address: *const c_void = (&raw const CORE).cast();
    // SAFETY: the address lies in this library, and `place` is writable.
    if unsafe { libc::dladdr(address, &mut place) } == 0 || place.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the linker keeps the name as long as the library is loaded.
    let name = unsafe { CStr::from_ptr(place.dli_fname) };
    Path::new(std::ffi::OsStr::from_bytes(name.to_bytes())).parent().map(Path::to_path_buf)
}

#[cfg(not(unix))]
fn own_folder() -> Option<PathBuf> {
    None
}
