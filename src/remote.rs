//! Files on servers: a library of its own, `libasdfkit_remote`, reads them. It is loaded when the first URL is opened.
//!
//! This library has no code of networks. It asks the other one for a source of the bytes behind a URL.

#![allow(unsafe_code)]

use crate::error::{Error, Result, Status};
use crate::process::Process;
use crate::progress;
use crate::source::{RawRanges, Source, failure_of_reader};
#[cfg(unix)]
use std::ffi::CStr;
use std::ffi::{CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of the interface of `libasdfkit_remote` that this library calls.
#[cfg(unix)]
const ABI: i32 = 1;

#[cfg(any(target_os = "macos", target_os = "ios"))]
const NAMES: [&str; 2] = ["libasdfkit_remote.1.dylib", "libasdfkit_remote.dylib"];
#[cfg(not(any(target_os = "macos", target_os = "ios")))]
const NAMES: [&str; 2] = ["libasdfkit_remote.so.1", "libasdfkit_remote.so"];

/// Schemes of the URLs that name files on servers.
const SCHEMES: [&str; 9] = ["http", "https", "s3", "s3a", "gs", "az", "azure", "abfs", "abfss"];

/// Returns the text of a file name that is a URL of a file on a server.
pub fn url_of(name: &Path) -> Option<&str> {
    let text = name.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()).then_some(text)
}

/// Returns whether URLs of this scheme name files on servers.
pub(crate) fn is_remote_scheme(scheme: &str) -> bool {
    SCHEMES.contains(&scheme)
}

/// Returns a URL without user, password, query and fragment, which can hold secrets.
pub fn without_secrets(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(login, host)| {
        // In the URLs of Azure the name of the container stands there.
        if scheme.starts_with("http") { host } else { login.split_once(':').map_or(authority, |_| host) }
    });
    format!("{scheme}://{host}{path}")
}

/// The library that reads files on servers, and its settings.
#[derive(Clone, Debug, Default)]
pub struct Remote {
    /// File of the library; `None` for the one beside this library, or the one that the system finds.
    pub library: Option<PathBuf>,
    /// Lines of `key=value`: time limits, budgets, credentials; see the manual.
    pub settings: String,
}

type ReadRanges = unsafe extern "C" fn(*mut c_void, usize, *const i64, *const usize, *const *mut c_void) -> i32;
type Close = unsafe extern "C" fn(*mut c_void) -> i32;
type Message = unsafe extern "C" fn(*mut c_char, usize, *mut usize) -> i32;
type Connect = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *mut Option<ReadRanges>,
    *mut Option<Close>,
    *mut *mut c_void,
    *mut i64,
    *mut i64,
) -> i32;

/// Functions of the loaded library, which is never unloaded.
#[derive(Clone, Copy)]
struct Functions {
    connect: Connect,
    message: Message,
}

impl Remote {
    /// Opens the bytes behind a URL. Fails with [`Status::Unsupported`] if the library is not installed.
    pub fn open(&self, url: &str) -> Result<Arc<dyn Source>> {
        let functions = self.load()?;
        let text = |text: &str, what: &str| {
            CString::new(text).map_err(|_| Error::new(Status::InvalidArgument, format!("{what} contains a NUL")))
        };
        let (url, settings) = (text(url, "the URL")?, text(&self.settings, "the settings of remote files")?);
        progress::check()?;
        let (mut read, mut close, mut source, mut length, mut cost) = (None, None, std::ptr::null_mut(), 0, 0);
        // SAFETY: the function has this type, by the number of its interface; the arguments live long enough.
        let status = unsafe {
            (functions.connect)(
                url.as_ptr(),
                settings.as_ptr(),
                &mut read,
                &mut close,
                &mut source,
                &mut length,
                &mut cost,
            )
        };
        let message = functions.message;
        match (status, read, close) {
            (0, Some(read), Some(close)) => Ok(Arc::new(RemoteSource {
                read,
                close,
                message,
                source,
                length: u64::try_from(length).unwrap_or_default(),
                request_cost: u64::try_from(cost).unwrap_or_default(),
                process: Process::current(),
            })),
            // An argument that only the other library knows, such as a setting.
            (status, ..) if status == Status::InvalidArgument.code() => {
                Err(Error::new(Status::InvalidArgument, said(message).unwrap_or_default()))
            }
            _ => Err(failure_of_reader(status, |_| said(message))),
        }
    }

    /// Finds the library.
    fn load(&self) -> Result<Functions> {
        if let Some(path) = &self.library {
            return load(path)?.map_or_else(|reason| Err(missing(&reason)), Ok);
        }
        let named = std::env::var_os("ASDFKIT_REMOTE_LIBRARY").map(PathBuf::from);
        let beside = own_folder().into_iter().flat_map(|folder| NAMES.map(|name| folder.join(name)));
        let mut first_reason = None;
        for place in named.into_iter().chain(beside).chain(NAMES.map(PathBuf::from)) {
            match load(&place)? {
                Ok(functions) => return Ok(functions),
                Err(reason) => _ = first_reason.get_or_insert(reason),
            }
        }
        Err(missing(&first_reason.unwrap_or_default()))
    }
}

fn missing(reason: &str) -> Error {
    let message = format!(
        "files on servers are read by libasdfkit_remote, which was not found: install it ('make install-remote'), or \
         name its file in the option 'remote' (ASDF_OPTION_REMOTE) or in ASDFKIT_REMOTE_LIBRARY ({reason})"
    );
    Error::new(Status::Unsupported, message)
}

/// Returns the message of the last failure of the other library on this thread.
fn said(message: Message) -> Option<String> {
    let mut text = vec![0_u8; 512];
    loop {
        let mut needed = 0;
        // SAFETY: the buffer has this size.
        let status = unsafe { message(text.as_mut_ptr().cast(), text.len(), &mut needed) };
        if status == 0 {
            text.truncate(needed);
            return String::from_utf8(text).ok().filter(|text| !text.is_empty());
        }
        if status != Status::BufferTooSmall.code() || needed < text.len() || needed > 1 << 20 {
            return None;
        }
        text = vec![0; needed + 1];
    }
}

/// Loads a library. The inner error says why it could not be loaded; the outer one refuses a library of another kind.
#[cfg(unix)]
fn load(path: &Path) -> Result<std::result::Result<Functions, String>> {
    use std::os::unix::ffi::OsStrExt;
    let Ok(name) = CString::new(path.as_os_str().as_bytes()) else {
        return Err(Error::new(Status::InvalidArgument, "the name of the library contains a NUL"));
    };
    // SAFETY: the name is a C string. Loading this library runs no code that depends on the state of the program.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if library.is_null() {
        // SAFETY: the text of the last failure of this thread stays valid until the next call.
        let reason = unsafe {
            let text = libc::dlerror();
            if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
        };
        return Ok(Err(reason));
    }
    let find = |name: &CStr| {
        // SAFETY: the library is loaded and stays so.
        let address = unsafe { libc::dlsym(library, name.as_ptr()) };
        let of_another = || Error::new(Status::Unsupported, format!("{} is not libasdfkit_remote", path.display()));
        if address.is_null() { Err(of_another()) } else { Ok(address) }
    };
    // SAFETY: each version of the library has this function with this type.
    let abi = unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> i32>(find(c"asdf_remote_abi")?)() };
    if abi != ABI {
        let message = format!("{} has the interface number {abi}, but this library calls number {ABI}", path.display());
        return Err(Error::new(Status::Unsupported, message));
    }
    let (connect, message) = (find(c"asdf_remote_connect")?, find(c"asdf_remote_message")?);
    // SAFETY: the functions have these types, by the number of the interface.
    let functions = unsafe {
        Functions {
            connect: std::mem::transmute::<*mut c_void, Connect>(connect),
            message: std::mem::transmute::<*mut c_void, Message>(message),
        }
    };
    Ok(Ok(functions))
}

#[cfg(not(unix))]
fn load(path: &Path) -> Result<std::result::Result<Functions, String>> {
    Ok(Err(format!("{}: libraries are loaded on Unix only", path.display())))
}

/// Returns the folder of the file that this code was loaded from.
#[cfg(unix)]
fn own_folder() -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: all-zero bytes are a valid value of this struct of pointers.
    let mut place: libc::Dl_info = unsafe { std::mem::zeroed() };
    let address = (&raw const ABI_PLACE).cast();
    // SAFETY: the address lies in this library, and `place` is writable.
    if unsafe { libc::dladdr(address, &mut place) } == 0 || place.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the linker keeps the name as long as the library is loaded.
    let name = unsafe { CStr::from_ptr(place.dli_fname) };
    let folder = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes())).parent()?;
    // A program in `bin` has its libraries in `lib`.
    Some(if folder.ends_with("bin") { folder.parent()?.join("lib") } else { folder.to_path_buf() })
}

/// A place in this library.
#[cfg(unix)]
static ABI_PLACE: i32 = ABI;

#[cfg(not(unix))]
fn own_folder() -> Option<PathBuf> {
    None
}

/// Bytes that the other library reads.
struct RemoteSource {
    read: ReadRanges,
    close: Close,
    message: Message,
    source: *mut c_void,
    length: u64,
    request_cost: u64,
    /// Process that opened the source; a forked child does not close it.
    process: Process,
}

// SAFETY: the other library allows calls on all threads, also at once.
unsafe impl Send for RemoteSource {}
// SAFETY: as above.
unsafe impl Sync for RemoteSource {}

impl Source for RemoteSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let size = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX).min(buffer.len());
        self.read_ranges(&mut [(offset, &mut buffer[..size])]).map(|()| size)
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        // A read of nothing may begin after the end.
        let raw = RawRanges::new(ranges, self.length)?;
        let Some(&first) = raw.offsets.first() else { return Ok(()) };
        progress::check()?;
        // SAFETY: the lists have this length, and the buffers the stated sizes.
        let status = unsafe {
            let (offsets, sizes, buffers) = (raw.offsets.as_ptr(), raw.sizes.as_ptr(), raw.buffers.as_ptr());
            (self.read)(self.source, raw.offsets.len(), offsets, sizes, buffers)
        };
        if status == 0 {
            return Ok(());
        }
        Err(failure_of_reader(status, |_| said(self.message)).at_offset(first as u64))
    }

    fn request_cost(&self) -> u64 {
        self.request_cost
    }
}

impl Drop for RemoteSource {
    fn drop(&mut self) {
        if self.process.is_current() {
            // SAFETY: nothing uses the source any more.
            unsafe { (self.close)(self.source) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_servers_are_no_file_names() {
        for url in ["https://a/b.asdf", "S3://bucket/key", "http://h", "gs://b/k", "abfss://c@a.dfs.core.windows.net/k"]
        {
            assert_eq!(url_of(Path::new(url)), Some(url));
        }
        for name in ["a.asdf", "https:/a", "dir/https://x", "file:///a", "C:\\x", "ftp://a/b", "://"] {
            assert_eq!(url_of(Path::new(name)), None);
        }
    }

    #[test]
    fn names_have_no_secrets() {
        for (url, name) in [
            ("https://user:word@host/a.asdf?X-Amz-Signature=s#f", "https://host/a.asdf"),
            ("https://host", "https://host"),
            ("abfs://container@account.dfs.core.windows.net/k", "abfs://container@account.dfs.core.windows.net/k"),
            ("s3://key:secret@bucket/k", "s3://bucket/k"),
        ] {
            assert_eq!(without_secrets(url), name);
        }
    }

    #[test]
    fn a_missing_library_and_one_of_another_kind_are_typed() {
        let remote = |path: &str| Remote { library: Some(path.into()), settings: String::new() };
        let error = remote("/nonexistent/lib.so").open("https://localhost/").err().unwrap();
        assert_eq!(error.status(), Status::Unsupported);
        assert!(error.message().contains("make install-remote"), "{}", error.message());
        #[cfg(target_os = "linux")]
        {
            let error = remote("libc.so.6").open("https://localhost/").err().unwrap();
            assert!(error.message().contains("is not libasdfkit_remote"), "{}", error.message());
        }
    }
}
