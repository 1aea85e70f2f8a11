//! Files and folders below the served folder.

use crate::core::failure::{Failure, Result};
use crate::core::input::Input;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// The served folder.
pub(super) struct Folder {
    /// Name without links.
    root: PathBuf,
}

/// A file or a folder in it.
pub(super) enum Entry {
    File(PathBuf, Metadata),
    Folder(PathBuf),
}

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Folder> {
        let root = path.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "this is no folder"));
        }
        Ok(Folder { root })
    }

    /// Returns what a part of a path of a request leads to; `None` if that does not exist, is hidden, or is not in the
    /// folder. Links are followed only within the folder. Pipes and devices are not there.
    pub(super) fn find(&self, path: &str) -> Option<Entry> {
        let mut wanted = self.root.clone();
        for name in path.split('/').filter(|name| !name.is_empty()) {
            wanted.push(decoded(name)?);
        }
        let found = wanted.canonicalize().ok()?;
        let inside = found.strip_prefix(&self.root).ok()?;
        // A link may lead to a hidden name.
        if inside.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b".")) {
            return None;
        }
        let metadata = fs::symlink_metadata(&found).ok()?;
        match (metadata.is_file(), metadata.is_dir()) {
            (true, _) => Some(Entry::File(found, metadata)),
            (_, true) => Some(Entry::Folder(found)),
            _ => None,
        }
    }

    /// Opens a file that was found. On Linux 5.6 and later, a link that took its place meanwhile is refused.
    pub(super) fn open_file(&self, path: &Path) -> io::Result<(File, Metadata)> {
        let name = path.strip_prefix(&self.root).map_err(|_| io::Error::other("the file is not in the folder"))?;
        let file = open_guarded(&self.root, name).unwrap_or_else(|| File::open(path))?;
        let metadata = file.metadata()?;
        match metadata.is_file() {
            true => Ok((file, metadata)),
            false => Err(io::Error::other("this is no file any more")),
        }
    }

    /// Returns a file that was found as the input of a page.
    pub(super) fn input(&self, path: &Path) -> Result<Input> {
        let failed = |error| Failure::System("the file cannot be read".to_owned(), error);
        let (file, _) = self.open_file(path).map_err(failed)?;
        Input::served(&self.root, path.strip_prefix(&self.root).unwrap_or(path), file)
    }

    /// Returns the names in a folder that are served, sorted: folders end with a slash.
    pub(super) fn names(&self, folder: &Path) -> io::Result<Vec<(String, u64)>> {
        let inside = folder.strip_prefix(&self.root).unwrap_or(Path::new(""));
        let inside: String = inside.iter().map(|part| format!("/{}", encoded(&part.to_string_lossy()))).collect();
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            // A name that is no text has no path in a request.
            let Ok(name) = entry?.file_name().into_string() else { continue };
            match self.find(&format!("{inside}/{}", encoded(&name))) {
                Some(Entry::File(_, metadata)) => names.push((name, metadata.len())),
                Some(Entry::Folder(_)) => names.push((format!("{name}/"), 0)),
                None => {}
            }
        }
        names.sort();
        Ok(names)
    }
}

/// Opens a file by its name in a folder without following links, in one step: what was found can be a link by now. Returns
/// `None` if the system has no such call.
#[cfg(target_os = "linux")]
fn open_guarded(folder: &Path, name: &Path) -> Option<io::Result<File>> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
    use rustix::io::Errno;
    /// The kernel returns EAGAIN if a part of the path was renamed during the call.
    const TRIES: usize = 100;
    let folder = openat(CWD, folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
    let folder = match folder {
        Ok(folder) => folder,
        Err(error) => return Some(Err(error.into())),
    };
    // A pipe that took the place of the file must not block.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    let mut answer = Err(Errno::AGAIN);
    for _ in 0..TRIES {
        answer = openat2(&folder, name, flags, Mode::empty(), resolve);
        if !matches!(answer, Err(Errno::AGAIN | Errno::INTR)) {
            break;
        }
    }
    match answer {
        // Older kernels, and sandboxes that refuse unknown calls.
        Err(Errno::NOSYS | Errno::PERM) => None,
        answer => Some(answer.map(File::from).map_err(io::Error::from)),
    }
}

#[cfg(not(target_os = "linux"))]
fn open_guarded(_: &Path, _: &Path) -> Option<io::Result<File>> {
    None
}

/// Returns the name of a file from a part of a path; `None` for names that lead elsewhere or are hidden.
fn decoded(part: &str) -> Option<String> {
    let bytes = part.as_bytes();
    let mut name = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte != b'%' {
            name.push(byte);
            at += 1;
            continue;
        }
        let digits = bytes.get(at + 1..at + 3).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
        name.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        at += 3;
    }
    let name = String::from_utf8(name).ok()?;
    // Names with a backslash or a colon could be paths on Windows.
    let is_bad = name.starts_with('.') || name.contains(['/', '\\', '\0']) || (cfg!(windows) && name.contains(':'));
    (!is_bad && !name.is_empty()).then_some(name)
}

/// Returns a name as a part of a path.
pub(super) fn encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(byte.into()),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for name in ["a.asdf", "é ü", "100%", "a?b#c", "<x>", "a&b"] {
            assert_eq!(decoded(&encoded(name)).as_deref(), Some(name));
        }
        for bad in ["..", ".", "%2e%2e", "%2E.", "a%2fb", "a%5cb", "%00", "%", "%4", "%zz", ".hidden", "%ff", "%+1"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }

    #[test]
    fn nothing_outside_is_found() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        for (name, text) in [("root/a.asdf", "a"), ("root/sub/b", "b"), ("secret", "s"), ("root/.git/c", "c")] {
            fs::write(outer.path().join(name), text).unwrap();
        }
        #[cfg(unix)]
        for (target, name) in [
            ("../secret", "out"),
            ("..", "up"),
            ("sub/b", "in"),
            (".git/c", "hidden"),
            ("/etc/passwd", "absolute"),
            ("nowhere", "dead"),
            ("loop", "loop"),
        ] {
            std::os::unix::fs::symlink(target, root.join(name)).unwrap();
        }
        let folder = Folder::open(&root).unwrap();
        for path in ["a.asdf", "/sub/b", "//sub//b"] {
            assert!(matches!(folder.find(path), Some(Entry::File(..))), "{path}");
        }
        assert!(matches!(folder.find("sub"), Some(Entry::Folder(_))));
        for path in
            ["../secret", "out", "up/secret", "absolute", "dead", "loop", "hidden", ".git/c", "sub/../a.asdf", "x"]
        {
            assert!(folder.find(path).is_none(), "{path}");
        }
        #[cfg(unix)]
        {
            assert!(matches!(folder.find("in"), Some(Entry::File(..))));
            let names: Vec<String> = folder.names(&folder.root).unwrap().into_iter().map(|(name, _)| name).collect();
            assert_eq!(names, ["a.asdf", "in", "sub/"]);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_in_place_of_a_file_that_was_found_is_not_opened() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::create_dir_all(outer.path().join("other")).unwrap();
        for (name, text) in [("root/a", "a"), ("root/sub/b", "b"), ("other/b", "secret"), ("secret", "secret")] {
            fs::write(outer.path().join(name), text).unwrap();
        }
        let folder = Folder::open(&root).unwrap();
        let found = |path| match folder.find(path) {
            Some(Entry::File(path, _)) => path,
            _ => panic!("{path} is not found"),
        };
        let (a, b) = (found("a"), found("sub/b"));
        assert_eq!(io::read_to_string(folder.open_file(&a).unwrap().0).unwrap(), "a");
        assert_eq!(io::read_to_string(folder.open_file(&b).unwrap().0).unwrap(), "b");
        fs::remove_file(&a).unwrap();
        symlink("../secret", &a).unwrap();
        assert!(folder.open_file(&a).is_err() && folder.input(&a).is_err());
        fs::rename(root.join("sub"), root.join("old")).unwrap();
        symlink("../other", root.join("sub")).unwrap();
        assert!(folder.open_file(&b).is_err());
        // A page reads its file in several steps.
        let asdf = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n---\nname: ";
        let (c, other) = (root.join("c.asdf"), outer.path().join("other.asdf"));
        fs::write(&c, format!("{asdf}own\n...\n")).unwrap();
        fs::write(&other, format!("{asdf}secret\n...\n")).unwrap();
        let input = folder.input(&found("c.asdf")).unwrap();
        assert_eq!(input.asdf().unwrap().root().unwrap().text("name").unwrap(), "own");
        fs::remove_file(&c).unwrap();
        symlink("../other.asdf", &c).unwrap();
        assert!(input.asdf().is_err());
        assert!(input.first_line(100).unwrap().starts_with("#ASDF"));
        fs::remove_file(&a).unwrap();
        fs::create_dir(&a).unwrap();
        assert!(folder.open_file(&a).is_err());
    }
}
