//! Whole files: ASDF and FITS into each other, and ASDF in another version of the standard.

use super::arguments::Arguments;
use super::format::Format;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::formats::{self, Finding};
use crate::core::input::{Input, is_standard};
use crate::core::new_file::{self, tell_new_warnings};
use crate::core::output::{Output, complain, printable, warn};
use asdfkit::Status;
use asdfkit::file::{Container, File, OpenOptions, WriteOptions};
use std::path::Path;

/// Writes the ASDF file of the input as an ASDF file or a FITS file.
pub(super) fn convert(input: &Input, arguments: &Arguments, to: Format, output: &mut Output) -> Result<Outcome> {
    if arguments.packing.codec.is_some() {
        return Err(Failure::usage("arrays of whole files are packed by `asdfkit recompress`, after the conversion"));
    }
    let (file, mut findings) = input.asdf_and_findings(OpenOptions::default())?;
    let is_plain = to == Format::PlainFits || to == Format::Fits && arguments.to.is_none() && holds_hdus(&file)?;
    if is_plain && arguments.standard.is_some() {
        return Err(Failure::usage("--standard is for ASDF files; a FITS file has no version of the standard"));
    }
    if is_plain {
        findings.extend(write_plain_fits(input, &file, arguments, output)?);
    } else {
        let container = if to == Format::Fits { Container::Fits } else { Container::Asdf };
        let options = WriteOptions { container, ..arguments.write_options() };
        let known = file.warnings().len();
        new_file::write_asdf(&arguments.target, output, |target| Ok(file.write(target, &options)?))?;
        tell_new_warnings(&file, &arguments.target, known);
    }
    Ok(Outcome::of(tell(&findings, arguments)))
}

/// Returns whether an item of the root describes the HDUs of a FITS file.
fn holds_hdus(file: &File) -> Result<bool> {
    let root = file.root()?;
    for index in 0..root.count("")? {
        if root.item("", index)?.tag("")?.is_some_and(|tag| tag.contains("/fits/fits-")) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn write_plain_fits(input: &Input, file: &File, arguments: &Arguments, output: &mut Output) -> Result<Vec<Finding>> {
    // libasdfkit_formats reads files only.
    let copy = if input.is_stream() { Some(input.decompressed_copy()?) } else { None };
    let source = copy.as_ref().map_or(arguments.source.as_path(), |copy| copy.path());
    new_file::write_asdf(&arguments.target, output, |target| {
        let exists = target.symlink_metadata().is_ok();
        if !exists || !arguments.force || is_standard(&arguments.target) {
            return to_fits(source, file, target).map_err(|failure| failure.in_file(&target.to_string_lossy()));
        }
        // A file that is replaced keeps its rights.
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let failed = |error| Failure::System("cannot write a temporary file".to_owned(), error);
        let folder = tempfile::Builder::new().prefix(".asdfkit-").tempdir_in(folder).map_err(failed)?;
        let path = folder.path().join("new.fits");
        let findings = to_fits(source, file, &path)?;
        let mut made = std::fs::File::open(&path).map_err(failed)?;
        new_file::write(target, true, |out| std::io::copy(&mut made, out).map(drop).map_err(failed))?;
        Ok(findings)
    })
}

/// Writes a FITS file from a file of this name. If arrays are in other files, they are first put into a copy.
fn to_fits(source: &Path, file: &File, target: &Path) -> Result<Vec<Finding>> {
    match formats::asdf_to_fits(source, target) {
        Err(Failure::Library(error)) if error.status() == Status::ExternalReference => {}
        answer => return answer,
    }
    let folder = tempfile::tempdir();
    let folder = folder.map_err(|error| Failure::System("cannot make a temporary folder".to_owned(), error))?;
    let whole = folder.path().join("whole.asdf");
    file.implode(&whole, &WriteOptions::default())?;
    formats::asdf_to_fits(&whole, target)
}

/// Tells what was found. Returns false if something was lost and nobody said that this is allowed.
fn tell(findings: &[Finding], arguments: &Arguments) -> bool {
    let name = arguments.target.to_string_lossy();
    for Finding { is_loss, message } in findings {
        if *is_loss && !arguments.lossy {
            complain(&format!("asdfkit: {}: not carried over: {}", printable(&name), printable(message)));
        } else if *is_loss {
            warn(&name, &format!("not carried over: {message}"));
        } else {
            warn(&name, message);
        }
    }
    arguments.lossy || !findings.iter().any(|finding| finding.is_loss)
}
