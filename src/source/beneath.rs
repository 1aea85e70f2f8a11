//! Opening a file that must lie inside a directory, whatever its name or symbolic links on its path contain.
//!
//! On Linux 5.6 and later the kernel enforces this while it resolves the path (openat2). Elsewhere, or if that call is
//! not available, the path is checked first and the file is opened afterwards. A process that can change the directory
//! in between can then still cause a file outside to be opened.

use super::FileSource;
#[cfg(target_os = "linux")]
use super::file::check_regular;
use crate::error::{Error, Result, Status};
use std::path::{Component, Path};

/// Opens a regular file below a directory. `name` is relative to the directory and contains no `..`. Symbolic links are
/// followed if they stay below the directory, and on Linux only if they are relative.
///
/// Fails with [`Status::AccessDenied`] if the file lies outside; otherwise as [`FileSource::open`] does.
pub(crate) fn open_beneath(directory: &Path, name: &Path) -> Result<FileSource> {
    if name.as_os_str().is_empty() || !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(outside());
    }
    #[cfg(target_os = "linux")]
    if let Some(result) = open_guarded(directory, name) {
        return FileSource::from_file(result?);
    }
    open_checked(directory, name)
}

fn outside() -> Error {
    Error::new(Status::AccessDenied, "the file lies outside the directory in which files may be opened")
}

/// Opens the file in one step with openat2. Returns `None` if the system does not have this call.
#[cfg(target_os = "linux")]
fn open_guarded(directory: &Path, name: &Path) -> Option<Result<std::fs::File>> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
    use rustix::io::Errno;

    let directory = match openat(CWD, directory, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
        Ok(directory) => directory,
        Err(error) => return Some(Err(Error::io("cannot open the directory", &error.into()))),
    };
    let open = |flags: OFlags| {
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        // The kernel returns EAGAIN if a part of the path was renamed during the call.
        const TRIES: usize = 100;
        let mut answer = Err(Errno::AGAIN);
        for _ in 0..TRIES {
            answer = openat2(&directory, name, flags | OFlags::CLOEXEC, Mode::empty(), resolve);
            if !matches!(answer, Err(Errno::AGAIN | Errno::INTR)) {
                break;
            }
        }
        answer.map(std::fs::File::from)
    };
    // A descriptor with PATH only names the file: pipes and devices are refused before they are opened.
    if let Ok(named) = open(OFlags::PATH)
        && let Ok(metadata) = named.metadata()
        && let Err(error) = check_regular(&metadata)
    {
        return Some(Err(error));
    }
    // If a pipe has taken the name meanwhile, NONBLOCK keeps the call from waiting for a writer.
    match open(OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY) {
        Ok(file) => Some(Ok(file)),
        // Some system call filters return EPERM for calls that they do not know.
        Err(Errno::NOSYS | Errno::PERM) => None,
        Err(Errno::XDEV) => Some(Err(outside())),
        Err(error) => Some(Err(Error::io("cannot open the file", &error.into()))),
    }
}

/// Resolves the path and opens the file if it lies below the directory.
fn open_checked(directory: &Path, name: &Path) -> Result<FileSource> {
    let canonical = |path: &Path| path.canonicalize().map_err(|error| Error::io("cannot open the file", &error));
    let target = canonical(&directory.join(name))?;
    if !target.starts_with(canonical(directory)?) {
        return Err(outside());
    }
    FileSource::open(&target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, read_vec_at};

    type Opener = fn(&Path, &Path) -> Result<FileSource>;

    fn openers() -> Vec<Opener> {
        vec![open_beneath, open_checked]
    }

    fn status(opener: Opener, directory: &Path, name: &str) -> Status {
        opener(directory, Path::new(name)).err().unwrap().status()
    }

    #[test]
    fn files_below_are_opened() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("sub")).unwrap();
        std::fs::write(directory.path().join("sub/file"), b"inside").unwrap();
        for opener in openers() {
            let source = opener(directory.path(), Path::new("sub/file")).unwrap();
            assert_eq!(read_vec_at(&source, 0, source.len()).unwrap(), b"inside");
            assert_eq!(status(opener, directory.path(), "sub/none"), Status::FileNotFound);
            assert_eq!(status(opener, directory.path(), "sub"), Status::Io);
        }
        for name in ["../file", "sub/../sub/file", "/etc/passwd", "", "."] {
            assert_eq!(status(open_beneath, directory.path(), name), Status::AccessDenied, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let directory = outer.path().join("directory");
        std::fs::create_dir(&directory).unwrap();
        std::fs::write(outer.path().join("secret"), b"outside").unwrap();
        std::fs::write(directory.join("file"), b"inside").unwrap();
        symlink("../secret", directory.join("out")).unwrap();
        symlink(outer.path().join("secret"), directory.join("absolute")).unwrap();
        symlink("..", directory.join("up")).unwrap();
        symlink("file", directory.join("in")).unwrap();
        symlink("loop", directory.join("loop")).unwrap();
        for opener in openers() {
            for name in ["out", "absolute", "up/secret"] {
                assert_eq!(status(opener, &directory, name), Status::AccessDenied, "{name}");
            }
            assert_eq!(opener(&directory, Path::new("in")).unwrap().len(), 6);
            assert_eq!(status(opener, &directory, "loop"), Status::Io);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_regular_files_are_opened() {
        let directory = tempfile::tempdir().unwrap();
        crate::source::tests::make_pipe(&directory.path().join("pipe"));
        for opener in openers() {
            assert_eq!(status(opener, directory.path(), "pipe"), Status::Io);
            assert_eq!(status(opener, Path::new("/dev"), "null"), Status::Io);
        }
    }
}
