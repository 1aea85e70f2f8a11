//! Extended attributes that a file keeps when it is replaced.

use rustix::fs::{XattrFlags, fsetxattr, getxattr, listxattr};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::path::Path;

/// The largest list of names and the largest value, in bytes.
pub(super) const LARGEST_ATTRIBUTE: usize = 64 << 10;

/// Attributes about the bytes of one file. The system itself drops them when a file is written, or renews them.
const OF_BYTES: [&[u8]; 3] = [b"security.capability", b"security.evm", b"security.ima"];

/// Extended attributes of a file.
#[derive(Default)]
pub(crate) struct Attributes {
    values: Vec<(CString, Vec<u8>)>,
    /// Names of attributes that cannot be read.
    unreadable: Vec<CString>,
}

impl Attributes {
    /// Returns the attributes of the file at a path.
    pub(super) fn at(path: &Path) -> Attributes {
        let mut attributes = Attributes::default();
        for name in names(path) {
            match value(path, &name) {
                Ok(value) => attributes.values.push((name, value)),
                // Removed since the names were read.
                Err(Errno::NODATA) => {}
                Err(_) => attributes.unreadable.push(name),
            }
        }
        attributes
    }

    /// Gives the attributes to a file. Returns descriptions of those that it did not get.
    pub(super) fn give(&self, file: &File) -> Vec<String> {
        let described = |name: &CStr| format!("the attribute {}", name.to_string_lossy());
        let unreadable = self.unreadable.iter().map(|name| described(name));
        let refused = self.values.iter().filter_map(|(name, value)| {
            let error = fsetxattr(file, name.as_c_str(), value, XattrFlags::empty()).err()?;
            Some(format!("{} ({})", described(name), std::io::Error::from(error)))
        });
        unreadable.chain(refused).collect()
    }
}

/// Returns the names of the attributes that a new file gets. Access control lists are not among them.
fn names(path: &Path) -> Vec<CString> {
    let mut short = [0; 256];
    let mut long = Vec::new();
    let list = match listxattr(path, &mut short) {
        Ok(length) => short.get(..length),
        Err(Errno::RANGE) => {
            long.resize(LARGEST_ATTRIBUTE, 0);
            listxattr(path, long.as_mut_slice()).ok().and_then(|length| long.get(..length))
        }
        Err(_) => None,
    };
    let is_kept = |name: &&[u8]| {
        let spaces = [&b"user."[..], b"security.", b"trusted."];
        spaces.iter().any(|space| name.starts_with(space)) && !OF_BYTES.contains(name)
    };
    let names = list.unwrap_or_default().split(|byte| *byte == 0).filter(is_kept);
    names.filter_map(|name| CString::new(name).ok()).collect()
}

fn value(path: &Path, name: &CStr) -> Result<Vec<u8>, Errno> {
    let mut value = vec![0; LARGEST_ATTRIBUTE];
    let length = getxattr(path, name, value.as_mut_slice())?;
    value.truncate(length);
    value.shrink_to_fit();
    Ok(value)
}
