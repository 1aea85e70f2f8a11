//! Names in CDL.

use super::unsupported;
use crate::error::Result;
use crate::ndl::Description;
use crate::ndl::model::path_name;
use crate::reserve::{GrowingText, insert, room_in};
use std::collections::{HashMap, HashSet};

/// Reserved words that cannot be names.
const KEYWORDS: [&str; 24] = [
    "NIL",
    "NaN",
    "NaNf",
    "Infinity",
    "Infinityf",
    "UNLIMITED",
    "byte",
    "char",
    "compound",
    "double",
    "enum",
    "float",
    "int",
    "int64",
    "long",
    "nan",
    "netcdf",
    "nil",
    "opaque",
    "real",
    "short",
    "string",
    "unlimited",
    "unsigned",
];
const MORE_KEYWORDS: [&str; 10] =
    ["ubyte", "uint", "uint64", "ushort", "inff", "infinityf", "nanf", "Inff", "NETCDF", "Nil"];

/// Words that begin a section if a colon follows at once.
const SECTIONS: [&str; 5] = ["data", "dimensions", "group", "types", "variables"];

/// Special attributes, which have a meaning in CDL. No other object can have these names.
const SPECIAL: [&str; 15] = [
    FILL_VALUE,
    "_ChunkSizes",
    "_Codecs",
    "_DeflateLevel",
    "_Endianness",
    "_Filter",
    "_Fletcher32",
    "_Format",
    "_IsNetcdf4",
    "_NCProperties",
    "_NoFill",
    "_QuantizeGranularBitRoundNumberOfSignificantDigits",
    "_Shuffle",
    "_Storage",
    "_SuperblockVersion",
];

/// The attribute with the fill value of a variable.
pub(super) const FILL_VALUE: &str = "_FillValue";

/// Attributes that the netCDF library reserves for itself.
const RESERVED: [&str; 9] = [
    "CLASS",
    "DIMENSION_LIST",
    "NAME",
    "REFERENCE_LIST",
    "_ARRAY_DIMENSIONS",
    "_NCZARR_ATTR",
    "_Netcdf4Coordinates",
    "_Netcdf4Dimid",
    "_nc3_strict",
];

/// Characters that need a backslash.
const ESCAPED: &str = " !\"#$%&'()*,:;<=>[\\]^`{|}~";

/// Returns a name in the form of CDL. Fails for names that `ncgen` cannot read.
pub(super) fn written(name: &str) -> Result<String> {
    let refuse = |why: &str| Err(unsupported(format!("'{}' is not a valid name in CDL: {why}", name.escape_debug())));
    if KEYWORDS.contains(&name) || MORE_KEYWORDS.contains(&name) {
        return refuse("it is a keyword");
    }
    if SPECIAL.contains(&name) {
        return refuse("it is the name of a special attribute");
    }
    if !name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_' || !first.is_ascii()) {
        return refuse("it begins with a character that is not allowed at the start");
    }
    if name.ends_with(' ') {
        return refuse("it ends with a space");
    }
    let mut out = GrowingText::default();
    for (position, character) in name.chars().enumerate() {
        if character.is_control() || "/?".contains(character) {
            return refuse("it contains a character that is not allowed");
        }
        if ESCAPED.contains(character) || (position == 0 && character.is_ascii_digit()) {
            out.push('\\');
        }
        out.push(character);
    }
    out.finish()
}

/// Returns the written name of a variable as the subject of an attribute, up to the colon.
pub(super) fn subject(variable: &str) -> String {
    let blank = if SECTIONS.contains(&variable) { " " } else { "" };
    format!("{variable}{blank}:")
}

/// Returns the name of an attribute in the form of CDL.
pub(super) fn written_attribute(name: &str) -> Result<String> {
    if RESERVED.contains(&name) {
        return Err(unsupported(format!("the attribute name '{name}' is reserved by netCDF")));
    }
    written(name)
}

/// Writes a text in quotes. Fails for NUL, which ends texts in netCDF.
pub(super) fn quoted(out: &mut GrowingText, text: &str) -> Result<()> {
    use std::fmt::Write;
    if text.contains('\0') {
        return Err(unsupported("a text in netCDF cannot contain NUL"));
    }
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1F}' | '\u{7F}' => {
                let _ = write!(out, "\\{:03o}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    Ok(())
}

/// Names that are taken.
#[derive(Default)]
pub(super) struct Used {
    names: HashSet<String>,
    /// The last number that was appended to each name.
    numbers: HashMap<String, u64>,
}

impl Used {
    /// Returns the names of all arrays and dimension coordinates, in any group.
    pub(super) fn of_last_names(description: &Description) -> Result<Used> {
        let dimcoords = description.dimcoords.iter().map(|(path, _)| path);
        let paths = dimcoords.chain(description.ndarrays.iter().map(|(path, _)| path));
        let mut used = Used::default();
        for (_, name) in paths.filter_map(path_name::split) {
            insert(&mut used.names, name.to_owned())?;
        }
        Ok(used)
    }

    /// Takes a name. Appends a number if it is taken.
    pub(super) fn name(&mut self, wanted: &str) -> Result<String> {
        let mut name = wanted.to_owned();
        room_in(&mut self.numbers, 1)?;
        let number = self.numbers.entry(name.clone()).or_insert(1);
        while !insert(&mut self.names, name.clone())? {
            *number += 1;
            name = format!("{wanted}_{number}");
        }
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_or_refused() {
        for (name, text) in [
            ("a", "a"),
            ("2m", "\\2m"),
            ("a b:c", "a\\ b\\:c"),
            ("é.v2", "é.v2"),
            ("_x-y+z@", "_x-y+z@"),
            ("data", "data"),
        ] {
            assert_eq!(written(name).unwrap(), text);
        }
        assert!(written("CLASS").is_ok() && written_attribute("CLASS").is_err());
        for name in [
            "",
            "float",
            "NaN",
            "nanf",
            "NETCDF",
            "_FillValue",
            "_ChunkSizes",
            ".hidden",
            "-a",
            "a?",
            "a/b",
            "a ",
            "a\tb",
            "\u{85}",
        ] {
            assert!(written(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn taken_names_get_numbers() {
        let mut used = Used::default();
        let names = ["a", "a", "a_2", "a"].map(|name| used.name(name).unwrap());
        assert_eq!(names, ["a", "a_2", "a_2_2", "a_3"]);
    }
}
