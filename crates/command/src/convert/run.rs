//! `asdfkit convert`: the choice of the conversion.

use super::arguments::Arguments;
use super::format::Format;
use super::{array, table, whole};
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::Input;
use crate::core::output::Output;

/// Converts a file.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let to = Format::of(arguments.to, &arguments.target, "--to")?;
    let input = Input::open(&arguments.source)?;
    convert(&input, to, arguments, output).map_err(|failure| failure.about(&input.name()))
}

fn convert(input: &Input, to: Format, arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    input.check_differs(&arguments.target)?;
    // The first line tells more than the suffix: tables in ECSV are often called .csv, and files can be compressed.
    let is_free = arguments.from.is_none();
    let from = match () {
        () if arguments.text.is_given() || is_free && input.is_ecsv() => Format::Ecsv,
        () if is_free && input.is_asdf() => Format::Asdf,
        () if is_free && input.is_fits() => Format::Fits,
        () => Format::of(arguments.from, &arguments.source, "--from")?,
    };
    if from != Format::Raw && (arguments.datatype.is_some() || arguments.shape.is_some()) {
        return Err(Failure::usage("--datatype and --shape are for raw bytes; other formats tell them"));
    }
    if arguments.path.is_some() && from != Format::Asdf && from != Format::Fits && to != Format::Asdf {
        return Err(Failure::usage("--path is the place of a table or an array in an ASDF file, and there is none"));
    }
    let is_whole = arguments.path.is_none();
    let is_other_standard = arguments.standard.is_some();
    match (from, to) {
        (Format::Arrow, _) => return Err(Failure::usage("streams of Arrow are only written")),
        (_, Format::Npy | Format::Raw) => {
            return Err(Failure::usage("`asdfkit get FILE PATH --as npy` writes arrays for numpy"));
        }
        (Format::Fits, Format::Asdf) | (Format::Asdf, Format::Fits | Format::PlainFits) if is_whole => {
            return whole::convert(input, arguments, to, output);
        }
        (Format::Asdf, Format::Asdf) if is_whole && is_other_standard => {
            return whole::convert(input, arguments, to, output);
        }
        _ if is_other_standard => {
            return Err(Failure::usage("--standard is for a whole ASDF file that is converted to ASDF or FITS"));
        }
        (Format::Fits, to) if to.holds_tables() => table::convert(input, arguments, Format::Asdf, to, output)?,
        (_, Format::Fits | Format::PlainFits) => {
            return Err(Failure::usage("only a whole ASDF file becomes a FITS file"));
        }
        (Format::Npy | Format::Raw, Format::Asdf) => array::convert(input, arguments, from, output)?,
        (from, _) if from.holds_tables() => table::convert(input, arguments, from, to, output)?,
        _ => return Err(Failure::usage("an array is converted to ASDF only")),
    }
    Ok(Outcome::Yes)
}
