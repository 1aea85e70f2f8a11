//! New files that appear under their names only when they are complete.

use super::failure::{Failure, Result};
use asdfkit::{Error, Status};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file. After a failure there is no new file, and an old one is as before.
pub(crate) fn write(path: &Path, replace: bool, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let failed = |action: &str, error| Failure::System(format!("{action} {}", path.display()), error);
    // A pipe or a device has no content to keep whole.
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        let file = std::fs::OpenOptions::new().write(true).open(path);
        let mut out = BufWriter::new(file.map_err(|error| failed("cannot open", error))?);
        fill(&mut out)?;
        return out.flush().map_err(|error| failed("cannot write", error));
    }
    if !replace && path.exists() {
        let message = "the file exists already; --force replaces it";
        return Err(Error::new(Status::FileExists, message).in_file(&path.to_string_lossy().into()).into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    let temporary = builder.prefix(".asdfkit-").tempfile_in(folder).map_err(|error| failed("cannot create", error))?;
    let mut out = BufWriter::with_capacity(1 << 20, temporary);
    fill(&mut out)?;
    let temporary = out.into_inner().map_err(|error| failed("cannot write", error.into_error()))?;
    temporary.as_file().sync_all().map_err(|error| failed("cannot write", error))?;
    set_mode(temporary.path());
    let kept = if replace { temporary.persist(path) } else { temporary.persist_noclobber(path) };
    kept.map_err(|error| failed("cannot write", error.error))?;
    Ok(())
}

/// Gives a new file the usual permissions. Temporary files are private.
#[cfg(unix)]
fn set_mode(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // Group and others may read, like the files of other programs with the usual mask.
    let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644));
}

#[cfg(not(unix))]
fn set_mode(_: &Path) {}

/// Returns the name of a backup copy: `image.asdf.bak`.
pub(crate) fn backup_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}
