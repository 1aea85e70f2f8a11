//! Units of physical quantities: their texts, kinds and conversions.
//!
//! # Units
//!
//! These functions take units as text, as files have them. Units are read as astropy reads them: with prefixes, powers,
//! fractions, scales, and logarithms such as "mag(AB)", "dex(cm/s2)" and "dB(W)". A text that is not a unit in its
//! spelling is read in the other ones. A text that is no unit at all is kept, and equals only itself.
//!
//! ```c
//! double factor = 0;
//! asdf_unit_factor("km / h", ASDF_SPELLING_GENERIC, "m / s", ASDF_SPELLING_GENERIC, NULL, &factor, NULL);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::unknown_number;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_options;
use crate::ffi::options::keys::ASDF_OPTION_EQUIVALENCIES;
use crate::ffi::options::table::in_words;
use crate::ffi::options::taken::{Taken, take};
use crate::units::{Conversion, Equivalency, Spelling, Unit, UnitKind};
use std::ffi::c_char;

/// The text of astropy's Unit.to_string(): "km / s", "mag(AB)". Columns of tables and astropy's own tags have it.
pub const ASDF_SPELLING_GENERIC: i32 = 0;
/// VOUnit of the IVOA: "km.s**-1". The tag unit/unit of the standard has it.
pub const ASDF_SPELLING_VOUNIT: i32 = 1;
/// The FITS standard: "km s-1".
pub const ASDF_SPELLING_FITS: i32 = 2;
/// The Standards for Astronomical Catalogues of the CDS: "km.s-1".
pub const ASDF_SPELLING_CDS: i32 = 3;

/// A text that is no known unit.
pub const ASDF_UNIT_KIND_UNKNOWN: i32 = 0;
/// Values are proportional to the quantity, or are temperatures in degrees.
pub const ASDF_UNIT_KIND_LINEAR: i32 = 1;
/// Astronomical magnitudes: -2.5 for a factor of ten.
pub const ASDF_UNIT_KIND_MAGNITUDE: i32 = 2;
/// Decibels: ten for a factor of ten.
pub const ASDF_UNIT_KIND_DECIBEL: i32 = 3;
/// Decimal logarithms: one for a factor of ten.
pub const ASDF_UNIT_KIND_DEX: i32 = 4;

fn spelling_of(spelling: i32) -> Result<Spelling> {
    match spelling {
        ASDF_SPELLING_GENERIC => Ok(Spelling::Generic),
        ASDF_SPELLING_VOUNIT => Ok(Spelling::VoUnit),
        ASDF_SPELLING_FITS => Ok(Spelling::Fits),
        ASDF_SPELLING_CDS => Ok(Spelling::Cds),
        _ => Err(unknown_number("ASDF_SPELLING_", spelling)),
    }
}

/// Reads a unit from an argument.
pub(crate) fn unit_of(caller: &Caller, unit: *const c_char, spelling: i32, argument: &str) -> Result<Unit> {
    Ok(Unit::read(caller.text(unit, argument)?, spelling_of(spelling)?))
}

/// Equivalencies that the options name.
pub(crate) fn equivalencies(options: &Taken) -> Result<Vec<Equivalency>> {
    let names = options.text(ASDF_OPTION_EQUIVALENCIES).unwrap_or_default();
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| {
            let found = Equivalency::ALL.iter().find(|equivalency| equivalency.name() == name);
            found.copied().ok_or_else(|| {
                let option = in_words("ASDF_OPTION_EQUIVALENCIES");
                let message = format!("{option} has the unknown name '{name}'");
                Error::new(Status::InvalidArgument, message)
            })
        })
        .collect()
}

/// Reads two units and returns the conversion from the first to the second.
fn conversion(
    caller: &Caller,
    (unit, spelling): (*const c_char, i32),
    (new_unit, new_spelling): (*const c_char, i32),
    options: &Taken,
) -> Result<Conversion> {
    let unit = unit_of(caller, unit, spelling, "unit")?;
    unit.conversion_to(&unit_of(caller, new_unit, new_spelling, "new_unit")?, &equivalencies(options)?)
}

/// Writes a unit in another spelling, exactly as astropy does. Units that the spelling does not know are replaced by
/// their definitions: "micron" is "um" in FITS. A text that is no unit is returned as it is.
///
/// Fails with ASDF_ERR_UNITS if the spelling cannot express the unit: VOUnit and FITS have no logarithms of units.
///
/// @param unit         text of the unit
/// @param spelling     its spelling: an ASDF_SPELLING_ constant
/// @param new_spelling spelling of the result: an ASDF_SPELLING_ constant
/// @param buffer       gets the text
/// @param capacity     size of the buffer in bytes
/// @param needed       gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_unit_format(
    unit: *const c_char,
    spelling: i32,
    new_spelling: i32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let unit = unit_of(caller, unit, spelling, "unit")?;
        out.put(&unit.text(spelling_of(new_spelling)?)?)
    })
}

/// Gets the kind of a unit. Any text has one.
///
/// @param unit     text of the unit
/// @param spelling its spelling: an ASDF_SPELLING_ constant
/// @param kind     gets an ASDF_UNIT_KIND_ constant
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_unit_kind(unit: *const c_char, spelling: i32, kind: *mut i32) -> asdf_status {
    guard(|caller| {
        let out = caller.out(kind, "kind")?;
        out.put(match unit_of(caller, unit, spelling, "unit")?.kind() {
            UnitKind::Linear => ASDF_UNIT_KIND_LINEAR,
            UnitKind::Magnitude => ASDF_UNIT_KIND_MAGNITUDE,
            UnitKind::Decibel => ASDF_UNIT_KIND_DECIBEL,
            UnitKind::Dex => ASDF_UNIT_KIND_DEX,
            UnitKind::Unknown => ASDF_UNIT_KIND_UNKNOWN,
        });
        Ok(())
    })
}

/// Gets the unit whose logarithm a unit is, in the generic spelling: "AB" of "mag(AB)". It is empty for the logarithm of
/// a number, "mag(1)".
///
/// Fails with ASDF_ERR_NOT_FOUND for any other unit, also for a bare "mag".
///
/// @param unit     text of the unit
/// @param spelling its spelling: an ASDF_SPELLING_ constant
/// @param buffer   gets the text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_unit_physical(
    unit: *const c_char,
    spelling: i32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let unit = unit_of(caller, unit, spelling, "unit")?;
        let none = || Error::new(Status::NotFound, format!("'{unit}' is not the logarithm of a unit"));
        out.put(&unit.physical().ok_or_else(none)?.to_string())
    })
}

/// Tells whether two units are equal: "N" equals "kg m / s2". Texts that are no units are equal if they are the same.
///
/// @param unit           text of the unit
/// @param spelling       its spelling: an ASDF_SPELLING_ constant
/// @param other          text of the other unit
/// @param other_spelling its spelling
/// @param equal          gets 0 or 1
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_unit_equal(
    unit: *const c_char,
    spelling: i32,
    other: *const c_char,
    other_spelling: i32,
    equal: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.out(equal, "equal")?;
        let unit = unit_of(caller, unit, spelling, "unit")?;
        out.put(i32::from(unit == unit_of(caller, other, other_spelling, "other")?));
        Ok(())
    })
}

/// Gets factor and offset between two units: a value in the new unit is factor * value + offset. The offset is 0 unless
/// the units are temperatures in degrees, or logarithms. Powers of ten are exact.
///
/// Fails with ASDF_ERR_UNITS if the units are not commensurable, if one is unknown, or if the conversion is not linear.
///
/// @param unit         text of the unit
/// @param spelling     its spelling: an ASDF_SPELLING_ constant
/// @param new_unit     text of the unit to convert to
/// @param new_spelling its spelling
/// @param options      options; may be NULL
/// @param factor       gets the factor
/// @param offset       gets the offset; may be NULL if it is known to be 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_unit_factor(
    unit: *const c_char,
    spelling: i32,
    new_unit: *const c_char,
    new_spelling: i32,
    options: *const asdf_options,
    factor: *mut f64,
    offset: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let (out, offset) = (caller.out(factor, "factor")?, caller.optional_out(offset));
        let options = take(caller, options, "asdf_unit_factor")?;
        let conversion = conversion(caller, (unit, spelling), (new_unit, new_spelling), &options)?;
        let linear = conversion.linear().ok_or_else(|| {
            Error::new(Status::Units, "the conversion is not linear; use asdf_unit_convert() for the values")
        })?;
        out.put(linear.0);
        offset.put(linear.1);
        Ok(())
    })
}

/// Converts values from one unit to another. Logarithmic units are converted among each other and to the units of their
/// arguments; ASDF_OPTION_EQUIVALENCIES allows more.
///
/// Fails with ASDF_ERR_UNITS if the units are not commensurable, or if one is unknown.
///
/// @param unit         text of the unit of the values
/// @param spelling     its spelling: an ASDF_SPELLING_ constant
/// @param new_unit     text of the unit to convert to
/// @param new_spelling its spelling
/// @param values       the values
/// @param count        number of values
/// @param options      options; may be NULL
/// @param converted    gets the values in the new unit; must not overlap the values
/// @param capacity     number of values for which there is room
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_unit_convert(
    unit: *const c_char,
    spelling: i32,
    new_unit: *const c_char,
    new_spelling: i32,
    values: *const f64,
    count: usize,
    options: *const asdf_options,
    converted: *mut f64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let values = caller.numbers(values, count, "values")?;
        let converted = caller.numbers_out(converted, capacity, "converted")?;
        let options = take(caller, options, "asdf_unit_convert")?;
        let conversion = conversion(caller, (unit, spelling), (new_unit, new_spelling), &options)?;
        let Some(converted) = converted.get_mut(..values.len()) else {
            let message = format!("the buffer holds {capacity} of {count} values; pass a larger one");
            return Err(Error::new(Status::BufferTooSmall, message));
        };
        for (to, from) in converted.iter_mut().zip(values) {
            *to = conversion.apply(*from);
        }
        Ok(())
    })
}
