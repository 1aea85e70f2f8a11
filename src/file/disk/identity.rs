//! The identity of a file, which another file of the same name does not share, and that of a start of the system.

use std::fs::Metadata;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Identity of a file: it stays the same when the file is written, and differs in a file that replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// Number of the file in its file system; 0 if unknown.
    pub(super) inode: u64,
    /// Time of its creation in nanoseconds; 0 if unknown. File systems reuse numbers, but not with the same time.
    pub(super) born: u64,
}

impl Identity {
    pub(super) fn of(metadata: &Metadata) -> Identity {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Identity { inode, born: metadata.created().map_or(0, nanoseconds) }
    }

    /// Returns true if this is the identity of the same file, as far as both are known.
    pub(super) fn is_same(self, other: Identity) -> bool {
        let times_agree = self.born == other.born || self.born == 0 || other.born == 0;
        let is_known = self.inode != 0 || self.born != 0;
        is_known && self.inode == other.inode && times_agree
    }
}

/// Number of a start of the system; zeros if unknown.
///
/// As long as the system runs, all that was written can be read. After a power cut, only what was synced is certain.
pub(super) type Boot = [u8; 16];

/// Number of the current start of the system. It is read once, because it cannot change while the process runs.
static CURRENT_BOOT: LazyLock<Boot> = LazyLock::new(read_boot);

/// Returns the number of the current start of the system.
pub(super) fn current_boot() -> Boot {
    *CURRENT_BOOT
}

fn read_boot() -> Boot {
    #[cfg(target_os = "linux")]
    let number = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok().and_then(|text| {
        let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
        u128::from_str_radix(&digits, 16).ok()
    });
    #[cfg(not(target_os = "linux"))]
    let number: Option<u128> = None;
    number.unwrap_or(0).to_be_bytes()
}

/// Returns a time as nanoseconds since 1970; 0 for times that cannot be expressed.
fn nanoseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).ok().and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_of_the_same_name_has_another_identity() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let identity = || Identity::of(&std::fs::metadata(&path).unwrap());
        std::fs::write(&path, "one").unwrap();
        let first = identity();
        assert!(first.is_same(identity()));
        std::fs::write(&path, "another content").unwrap();
        assert!(first.is_same(identity()));
        std::fs::write(folder.path().join("new"), "one").unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
        assert!(!first.is_same(identity()));
        let unknown = Identity { inode: 0, born: 0 };
        assert!(!unknown.is_same(unknown));
        assert!(first.is_same(Identity { born: 0, ..first }));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_has_a_number() {
        assert_ne!(current_boot(), [0; 16]);
        assert_eq!(current_boot(), read_boot());
    }
}
