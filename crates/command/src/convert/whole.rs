//! Whole ASDF files, put into FITS files or taken out of them.

use super::arguments::Arguments;
use super::format::Format;
use crate::core::failure::Result;
use crate::core::input::Input;
use crate::core::new_file::{self, tell_new_warnings};
use crate::core::output::Output;
use asdfkit::file::{Container, WriteOptions};

/// Writes the ASDF file of the input as an ASDF file, or into a FITS file.
pub(super) fn convert(input: &Input, arguments: &Arguments, to: Format, output: &mut Output) -> Result<()> {
    let file = input.asdf()?;
    let container = if to == Format::Fits { Container::Fits } else { Container::Asdf };
    let options = WriteOptions { container, ..arguments.write_options() };
    let known = file.warnings().len();
    new_file::write_asdf(&arguments.target, output, |target| Ok(file.write(target, &options)?))?;
    tell_new_warnings(&file, &arguments.target, known);
    Ok(())
}
