//! Spellings of units, and the names that each of them knows.

/// A way to write units as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Spelling {
    /// The text of astropy's `Unit.to_string()`: `km / s`, `mag(AB)`. Used by ECSV and by astropy's own tags.
    #[default]
    Generic,
    /// VOUnit of the IVOA: `km.s**-1`. Used by the standard's tag `unit/unit`.
    VoUnit,
    /// The FITS standard: `km s-1`.
    Fits,
    /// The Standards for Astronomical Catalogues of the CDS: `km.s-1`.
    Cds,
}

impl Spelling {
    /// All spellings.
    pub const ALL: &'static [Spelling] = &[Spelling::Generic, Spelling::VoUnit, Spelling::Fits, Spelling::Cds];

    /// Returns the name of the spelling: `generic`, `vounit`, `fits`, `cds`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Spelling::Generic => "generic",
            Spelling::VoUnit => "vounit",
            Spelling::Fits => "fits",
            Spelling::Cds => "cds",
        }
    }

    /// Returns whether the standard of this spelling has the name of a unit. The name is one of the table of units.
    pub(super) fn knows(self, name: &str) -> bool {
        let (bases, binary, simple, without): (Names, Names, Names, Names) = match self {
            Spelling::Generic => return name != "dbyte",
            Spelling::Cds => return true,
            Spelling::VoUnit => (VOUNIT_BASES, VOUNIT_BINARY, VOUNIT_SIMPLE, VOUNIT_WITHOUT),
            Spelling::Fits => (FITS_BASES, &[], FITS_SIMPLE, &[]),
        };
        if simple.contains(&name) {
            return true;
        }
        if without.contains(&name) {
            return false;
        }
        let base = |prefix: &&str, bases: Names| name.strip_prefix(*prefix).is_some_and(|rest| bases.contains(&rest));
        DECIMAL.iter().any(|prefix| base(prefix, bases) || base(prefix, binary))
            || BINARY.iter().any(|prefix| base(prefix, binary))
    }
}

type Names = &'static [&'static str];

/// Decimal prefixes of the standards, which are older than `Q`, `R`, `r` and `q`.
const DECIMAL: Names =
    &["", "y", "z", "a", "f", "p", "n", "u", "m", "c", "d", "da", "h", "k", "M", "G", "T", "P", "E", "Z", "Y"];
const BINARY: Names = &["Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"];

/// Units of VOUnit 1.0 with decimal prefixes.
const VOUNIT_BASES: Names = &[
    "A", "C", "D", "F", "G", "H", "Hz", "J", "Jy", "K", "N", "Ohm", "Pa", "R", "Ry", "S", "T", "V", "W", "Wb", "a",
    "adu", "arcmin", "arcsec", "barn", "beam", "bin", "cd", "chan", "count", "ct", "d", "deg", "eV", "erg", "g", "h",
    "lm", "lx", "lyr", "m", "mag", "min", "mol", "pc", "ph", "photon", "pix", "pixel", "rad", "s", "solLum", "solMass",
    "solRad", "sr", "u", "voxel", "yr",
];
/// Units of VOUnit with decimal and binary prefixes.
const VOUNIT_BINARY: Names = &["bit", "byte", "B"];
const VOUNIT_SIMPLE: Names = &["as", "AU", "Angstrom", "Ba", "Sun", "angstrom", "au", "dB", "mas"];
const VOUNIT_WITHOUT: Names = &["pct", "pcount", "yd", "dbyte"];

/// Units of FITS with prefixes.
const FITS_BASES: Names = &[
    "A", "C", "F", "G", "H", "Hz", "J", "Jy", "K", "N", "Ohm", "Pa", "R", "S", "T", "V", "W", "Wb", "a", "barn", "bit",
    "byte", "cd", "eV", "g", "lm", "lx", "m", "mag", "mol", "pc", "rad", "s", "sr", "yr",
];
const FITS_SIMPLE: Names = &[
    "AU", "Angstrom", "Celsius", "D", "Ry", "Sun", "adu", "angstrom", "arcmin", "arcsec", "beam", "bin", "chan",
    "count", "ct", "d", "dbyte", "deg", "deg C", "erg", "h", "lyr", "mas", "min", "ph", "photon", "pix", "pixel",
    "solLum", "solMass", "solRad", "u", "voxel",
];
