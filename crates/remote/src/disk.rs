//! Cache of blocks in a folder, which programs share and which outlives them.
//!
//! A block is a file of its own, named after a hash of URL, version, size of the object and number of the block. It gets
//! this name when it is complete. It begins with a hash of name and bytes, so that a damaged or foreign file counts as
//! missing and is removed. Objects without a strong mark of their version are not kept.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

use object_store::ObjectMeta;
use ring::digest::{Context, SHA256, SHA256_OUTPUT_LEN};

use crate::cache::BLOCK;
use crate::failure::{Failure, Result, status};

/// Folder of the files in the folder of the caller, by the version of their format.
const FOLDER: &str = "asdfkit-blocks-1";
/// Beginning of the names of files that are not complete.
const DRAFT: &str = "draft-";
/// Age at which a draft belongs to a program that ended.
const LEFT: Duration = Duration::from_secs(3600);

/// Number of drafts of this process.
static DRAFTS: AtomicU64 = AtomicU64::new(0);

/// Blocks of one object in a folder.
pub(crate) struct Disk {
    folder: PathBuf,
    budget: u64,
    /// Hash of URL, version and size.
    object: Context,
    /// Bytes that this program has written since it looked at the whole folder.
    written: AtomicU64,
}

impl Disk {
    /// Opens the cache in a folder, which is made; `None` if the version of the object is not certain.
    ///
    /// Fails if the folder cannot be written.
    pub(crate) fn open(folder: &Path, budget: u64, url: &str, meta: &ObjectMeta) -> Result<Option<Disk>> {
        let failed = |error: io::Error| {
            let message = format!("the folder '{}' of the cache cannot be used: {error}", folder.display());
            let status = match error.kind() {
                io::ErrorKind::PermissionDenied => status::PERMISSION_DENIED,
                io::ErrorKind::NotFound => status::FILE_NOT_FOUND,
                _ => status::IO,
            };
            Failure::new(status, message)
        };
        let place = folder.join(FOLDER);
        make_private(&place).map_err(failed)?;
        let probe = draft_in(&place);
        File::create_new(&probe).and_then(|_| fs::remove_file(&probe)).map_err(failed)?;
        let Some(mark) = meta.e_tag.as_deref().filter(|mark| !mark.starts_with("W/")) else { return Ok(None) };
        let mut object = Context::new(&SHA256);
        for part in [url, mark] {
            object.update(&(part.len() as u64).to_le_bytes());
            object.update(part.as_bytes());
        }
        object.update(&meta.size.to_le_bytes());
        let disk = Disk { folder: place, budget, object, written: AtomicU64::new(0) };
        disk.trim(0);
        Ok(Some(disk))
    }

    /// Returns the hash that names a block.
    fn key(&self, number: u64) -> [u8; SHA256_OUTPUT_LEN] {
        let mut key = self.object.clone();
        key.update(&number.to_le_bytes());
        digest(key)
    }

    fn path(&self, key: &[u8]) -> PathBuf {
        let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name)
    }

    /// Reads a block into memory of its size; false if it is not there.
    pub(crate) fn get(&self, number: u64, block: &mut [u8]) -> bool {
        let key = self.key(number);
        let path = self.path(&key);
        let Ok(mut file) = File::open(&path) else { return false };
        let mut hash = [0; SHA256_OUTPUT_LEN];
        let read = file.read_exact(&mut hash).and_then(|()| file.read_exact(block)).and_then(|()| file.read(&mut [0]));
        if !matches!(read, Ok(0)) || hash != hash_of(&key, block) {
            let _ = fs::remove_file(&path);
            return false;
        }
        // The time tells which blocks were used least recently.
        let _ = file.set_modified(SystemTime::now());
        true
    }

    /// Keeps a block. A full disk and other faults mean that it is not kept.
    pub(crate) fn put(&self, number: u64, block: &[u8]) {
        let size = (block.len() + SHA256_OUTPUT_LEN) as u64;
        if size > self.budget {
            return;
        }
        let key = self.key(number);
        let draft = draft_in(&self.folder);
        let write = || {
            let mut file = private_file(&draft)?;
            file.write_all(&hash_of(&key, block))?;
            file.write_all(block)?;
            fs::rename(&draft, self.path(&key))
        };
        if write().is_err() {
            let _ = fs::remove_file(&draft);
            return;
        }
        let share = (self.budget / 16).max(BLOCK);
        if self.written.fetch_add(size, Relaxed) + size >= share {
            self.written.store(0, Relaxed);
            self.trim(share);
        }
    }

    /// Removes what was used least recently until the folder has room for more bytes in the budget, and drafts that were
    /// left.
    fn trim(&self, more: u64) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let (mut files, mut used, now) = (Vec::new(), 0, SystemTime::now());
        for entry in entries.flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            let time = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let is_draft = entry.file_name().as_encoded_bytes().starts_with(DRAFT.as_bytes());
            if is_draft && now.duration_since(time).is_ok_and(|age| age > LEFT) {
                let _ = fs::remove_file(entry.path());
                continue;
            }
            used += meta.len();
            if !is_draft {
                files.push((time, meta.len(), entry.path()));
            }
        }
        let most = self.budget.saturating_sub(more);
        files.sort();
        for (_, size, path) in files {
            if used <= most {
                return;
            }
            if fs::remove_file(path).is_ok() {
                used -= size;
            }
        }
    }
}

fn digest(context: Context) -> [u8; SHA256_OUTPUT_LEN] {
    let mut bytes = [0; SHA256_OUTPUT_LEN];
    bytes.copy_from_slice(context.finish().as_ref());
    bytes
}

fn hash_of(key: &[u8], block: &[u8]) -> [u8; SHA256_OUTPUT_LEN] {
    let mut context = Context::new(&SHA256);
    context.update(key);
    context.update(block);
    digest(context)
}

fn draft_in(folder: &Path) -> PathBuf {
    folder.join(format!("{DRAFT}{}-{}", std::process::id(), DRAFTS.fetch_add(1, Relaxed)))
}

/// Makes a folder that only its owner can read: objects may need credentials.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use object_store::path::Path as ObjectPath;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("asdfkit-disk-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn meta(mark: Option<&str>) -> ObjectMeta {
        let (location, last_modified) = (ObjectPath::from("x"), Default::default());
        ObjectMeta { location, last_modified, size: 5 * BLOCK, e_tag: mark.map(str::to_owned), version: None }
    }

    fn open(folder: &Path, blocks: u64, mark: &str) -> Disk {
        let budget = blocks * (BLOCK + SHA256_OUTPUT_LEN as u64);
        Disk::open(folder, budget, "http://host/x", &meta(Some(mark))).unwrap().unwrap()
    }

    fn block(byte: u8) -> Vec<u8> {
        vec![byte; BLOCK as usize]
    }

    #[test]
    fn blocks_come_back_for_the_same_version_only() {
        let folder = folder("versions");
        let disk = open(&folder, 10, "\"1\"");
        disk.put(3, &block(7));
        let mut found = block(0);
        assert!(open(&folder, 10, "\"1\"").get(3, &mut found) && found == block(7));
        assert!(!open(&folder, 10, "\"2\"").get(3, &mut found) && !disk.get(2, &mut found));
        assert!(Disk::open(&folder, 1 << 30, "http://host/x", &meta(Some("W/\"1\""))).unwrap().is_none());
        assert!(Disk::open(&folder, 1 << 30, "http://host/x", &meta(None)).unwrap().is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn damaged_files_are_removed() {
        let folder = folder("damaged");
        let disk = open(&folder, 10, "\"1\"");
        let path = disk.path(&disk.key(0));
        let good = {
            disk.put(0, &block(7));
            fs::read(&path).unwrap()
        };
        let mut flipped = good.clone();
        flipped[1000] ^= 1;
        let other = fs::read({
            disk.put(1, &block(7));
            disk.path(&disk.key(1))
        });
        let mut found = block(0);
        for bad in [&flipped[..], &good[..100], &[], &[&good[..], b"x"].concat(), &other.unwrap()] {
            fs::write(&path, bad).unwrap();
            assert!(!disk.get(0, &mut found) && !path.exists());
        }
        fs::write(&path, good).unwrap();
        assert!(disk.get(0, &mut found));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_folder_keeps_to_its_budget() {
        let folder = folder("budget");
        let disk = open(&folder, 4, "\"1\"");
        let left = disk.folder.join("draft-1-1");
        fs::write(&left, b"left").unwrap();
        File::open(&left).unwrap().set_modified(SystemTime::now() - 2 * LEFT).unwrap();
        for number in 0..20 {
            disk.put(number, &block(number as u8));
            std::thread::sleep(Duration::from_millis(5));
            disk.get(0, &mut block(0));
            let used: u64 = fs::read_dir(&disk.folder).unwrap().map(|it| it.unwrap().metadata().unwrap().len()).sum();
            assert!(used <= disk.budget, "{used}");
        }
        let mut found = block(1);
        assert!(!left.exists() && disk.get(0, &mut found) && disk.get(19, &mut found) && !disk.get(5, &mut found));
        let small = open(&folder, 0, "\"1\"");
        small.put(0, &block(1));
        assert!(!small.get(0, &mut found));
        fs::remove_dir_all(&folder).unwrap();
        fs::write(&folder, b"a file").unwrap();
        assert!(Disk::open(&folder, 1, "http://host/x", &meta(None)).is_err());
        fs::remove_file(folder).unwrap();
    }
}
