//! New files that appear under their names only when they are complete.

use super::failure::{Failure, Result};
use super::input::is_standard;
use super::output::{Output, warn};
use asdfkit::file::{File, NewFile};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Calls `write` with the name of a new ASDF file. For `-` that is a temporary file, which is then written to standard
/// output.
pub(crate) fn write_asdf<T>(target: &Path, output: &mut Output, write: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    if !is_standard(target) {
        return write(target);
    }
    if io::stdout().is_terminal() {
        return Err(Failure::usage("bytes are not written to a terminal; use a file or a pipe"));
    }
    let failed = |error| Failure::System("cannot make a temporary file".to_owned(), error);
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join("output.asdf");
    let done = write(&path)?;
    let mut made = std::fs::File::open(&path).map_err(failed)?;
    io::copy(&mut made, output.stream())?;
    Ok(done)
}

/// Writes a file. After a failure there is no new file, and an old one is as before. Rights of an old file are kept.
pub(crate) fn write(path: &Path, replace: bool, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    // A pipe or a device has no content to keep whole.
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        let file = std::fs::OpenOptions::new().write(true).open(path);
        let mut out = BufWriter::new(file.map_err(|error| failed("cannot open", path, error))?);
        fill(&mut out)?;
        return out.flush().map_err(|error| failed("cannot write", path, error));
    }
    complete(NewFile::create(path, replace)?, path, fill)
}

/// Copies a file to its backup, which gets the rights of the file. Replaces an older backup.
pub(crate) fn back_up(path: &Path) -> Result<()> {
    let mut old = std::fs::File::open(path).map_err(|error| failed("cannot read", path, error))?;
    let backup = backup_name(path);
    complete(NewFile::create_like(path, &backup, true)?, &backup, |out| {
        io::copy(&mut old, out).map_err(|error| Failure::System("cannot write the backup".to_owned(), error))?;
        Ok(())
    })
}

fn complete(mut new: NewFile, path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, new.file());
    fill(&mut out)?;
    out.flush().map_err(|error| failed("cannot write", path, error))?;
    drop(out);
    let name = path.to_string_lossy();
    let warnings = new.commit(true).map_err(|error| error.in_file(&name.as_ref().into()))?;
    warnings.iter().for_each(|warning| warn(&name, warning));
    Ok(())
}

/// Tells the warnings of saving. The first `known` ones were there before.
pub(crate) fn tell_new_warnings(file: &File, path: &Path, known: usize) {
    file.warnings().iter().skip(known).for_each(|warning| warn(&path.to_string_lossy(), warning));
}

/// Copies the content of a file to a temporary file that only this user can open.
pub(crate) fn private_copy(path: &Path) -> Result<tempfile::NamedTempFile> {
    let mut copy = tempfile::NamedTempFile::new().map_err(|error| failed("cannot copy", path, error))?;
    let copied = std::fs::File::open(path).and_then(|mut file| io::copy(&mut file, copy.as_file_mut()));
    copied.map_err(|error| failed("cannot copy", path, error))?;
    Ok(copy)
}

/// Limits the rights of all files that this process makes to those of its input.
#[cfg(target_os = "linux")]
pub(crate) fn limit_rights(input: &Path) {
    use rustix::fs::Mode;
    use rustix::process::umask;
    if let Ok(Some(mode)) = NewFile::mode_of_copies(input) {
        let usual = umask(Mode::RWXG | Mode::RWXO);
        umask(usual | (!Mode::from_raw_mode(mode) & (Mode::RWXG | Mode::RWXO)));
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn limit_rights(_: &Path) {}

fn failed(action: &str, path: &Path, error: io::Error) -> Failure {
    Failure::System(format!("{action} {}", path.display()), error)
}

/// Returns the name of a backup copy: `image.asdf.bak`.
fn backup_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}
