//! Units by name, as data: names, prefixes and definitions.
//!
//! Constants are those of CODATA 2022 and of the IAU's resolutions (2012 B2, 2015 B2, 2015 B3).

use std::f64::consts::PI;

use super::prefixes::Prefixes::{self, All, Decimal, None as Bare};

/// A unit by name.
#[derive(Debug)]
pub(super) struct Entry {
    /// Short names, which take symbols of prefixes. The first one is printed.
    pub(super) short: &'static [&'static str],
    /// Long names, which take words of prefixes.
    pub(super) long: &'static [&'static str],
    pub(super) prefixes: Prefixes,
    /// Symbols of prefixes that the short names do not take, because the result would be the name of another unit.
    pub(super) without: &'static [&'static str],
    /// `None` for a base unit.
    pub(super) definition: Option<Definition>,
}

/// Definition of a unit by other units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    pub(super) scale: f64,
    /// Names of units with their powers, such as `W Hz-1 m-2`.
    pub(super) units: &'static str,
}

type Names = &'static [&'static str];

/// Returns a base unit.
const fn base(short: Names, long: Names, prefixes: Prefixes) -> Entry {
    Entry { short, long, prefixes, without: &[], definition: None }
}

/// Returns a derived unit.
const fn unit(short: Names, long: Names, prefixes: Prefixes, scale: f64, units: &'static str) -> Entry {
    Entry { short, long, prefixes, without: &[], definition: Some(Definition { scale, units }) }
}

impl Entry {
    pub(super) const fn without(self, without: Names) -> Entry {
        Entry { without, ..self }
    }
}

/// Astronomical unit in metres (IAU 2012 B2).
const AU: f64 = 149_597_870_700.0;
/// Speed of light in metres per second.
pub(super) const C: f64 = 299_792_458.0;
/// Planck constant in joule seconds.
pub(super) const H: f64 = 6.626_070_15e-34;
/// Luminosity of the zero point of bolometric magnitudes in watts (IAU 2015 B2).
const BOLOMETRIC: f64 = 3.0128e28;

/// Units of all spellings but CDS.
pub(super) static UNITS: &[Entry] = &[
    // Base units of the SI.
    base(&["m"], &["meter"], Decimal).without(&["c"]),
    base(&["s"], &["second"], Decimal),
    base(&["kg"], &["kilogram"], Bare),
    base(&["A"], &["ampere", "amp"], Decimal),
    base(&["K"], &["Kelvin"], Decimal),
    base(&["mol"], &["mole"], Decimal),
    base(&["cd"], &["candela"], Decimal),
    base(&["rad"], &["radian"], Decimal),
    // Length, area, volume.
    unit(&["cm"], &["centimeter"], Bare, 0.01, "m"),
    unit(&["micron"], &[], Bare, 1.0, "um"),
    unit(&["Angstrom"], &["AA", "angstrom", "\u{c5}"], Bare, 0.1, "nm"),
    unit(
        &["mAngstrom", "mAA", "mangstrom", "m\u{c5}"],
        &["milliAngstrom", "milliAA", "milliangstrom", "milli\u{c5}"],
        Bare,
        1e-3,
        "Angstrom",
    ),
    unit(&["AU", "au"], &["astronomical_unit"], Decimal, AU, "m"),
    unit(&["pc"], &["parsec"], Decimal, AU * 648_000.0 / PI, "m"),
    unit(&["lyr"], &["lightyear"], Decimal, C * 365.25 * 86_400.0, "m"),
    unit(&["lsec"], &["lightsecond"], Bare, C, "m"),
    unit(&["solRad"], &["R_sun", "Rsun"], Decimal, 6.957e8, "m"),
    unit(&["earthRad"], &["R_earth", "Rearth"], Bare, 6.3781e6, "m"),
    unit(&["jupiterRad"], &["R_jup", "Rjup", "R_jupiter", "Rjupiter"], Bare, 7.1492e7, "m"),
    unit(&["ha"], &["hectare"], Bare, 1e4, "m2"),
    unit(&["barn"], &["barn"], Decimal, 1e-28, "m2"),
    unit(&["l", "L", "\u{2113}"], &["liter"], Decimal, 1000.0, "cm3"),
    unit(&["k"], &["Kayser", "kayser"], Decimal, 1.0, "cm-1"),
    // Time and frequency.
    unit(&["min"], &["minute"], Decimal, 60.0, "s"),
    unit(&["h"], &["hour", "hr"], Decimal, 3600.0, "s").without(&["p"]),
    unit(&["d"], &["day"], Decimal, 24.0, "h").without(&["c", "y"]),
    unit(&["sday"], &[], Bare, 86_164.090_53, "s"),
    unit(&["wk"], &["week"], Bare, 7.0, "d"),
    unit(&["fortnight"], &[], Bare, 2.0, "wk"),
    unit(&["a"], &["annum"], Decimal, 365.25, "d").without(&["P", "h"]),
    unit(&["yr"], &["year"], Decimal, 365.25, "d"),
    unit(&["Hz"], &["Hertz", "hertz"], Decimal, 1.0, "s-1"),
    unit(&["Bq"], &["becquerel"], Decimal, 1.0, "s-1"),
    unit(&["Ci"], &["curie"], Decimal, 3.7e10, "Bq"),
    // Angles.
    unit(&["deg"], &["degree"], Decimal, PI / 180.0, "rad"),
    unit(&["arcmin"], &["arcminute"], Decimal, 1.0 / 60.0, "deg"),
    unit(&["arcsec"], &["arcsecond"], Decimal, 1.0 / 3600.0, "deg"),
    unit(&["mas"], &[], Bare, 1e-3, "arcsec"),
    unit(&["uas", "\u{b5}as", "\u{3bc}as"], &[], Bare, 1e-6, "arcsec"),
    unit(&["hourangle"], &[], Bare, 15.0, "deg"),
    unit(&["cycle"], &["cy"], Bare, 2.0 * PI, "rad"),
    unit(&["sr"], &["steradian"], Decimal, 1.0, "rad2"),
    unit(&["spat"], &["sp"], Bare, 4.0 * PI, "sr"),
    // Mass.
    unit(&["g"], &["gram"], Decimal, 1e-3, "kg").without(&["k"]),
    unit(&["t"], &["tonne"], Bare, 1000.0, "kg"),
    unit(&["u"], &["Da", "Dalton"], Decimal, 1.660_539_068_92e-27, "kg").without(&["a", "da"]),
    unit(&["M_e"], &[], Bare, 9.109_383_713_9e-31, "kg"),
    unit(&["M_p"], &[], Bare, 1.672_621_925_95e-27, "kg"),
    unit(&["solMass"], &["M_sun", "Msun"], Decimal, 1.988_409_870_698_051e30, "kg"),
    unit(&["earthMass"], &["M_earth", "Mearth"], Bare, 5.972_167_867_791_379e24, "kg"),
    unit(&["jupiterMass"], &["M_jup", "Mjup", "M_jupiter", "Mjupiter"], Bare, 1.898_124_597_336_050_5e27, "kg"),
    // Mechanics.
    unit(&["N"], &["Newton", "newton"], Decimal, 1.0, "kg m s-2"),
    unit(&["J"], &["Joule", "joule"], Decimal, 1.0, "N m"),
    unit(&["W"], &["Watt", "watt"], Decimal, 1.0, "J s-1"),
    unit(&["Pa"], &["Pascal", "pascal"], Decimal, 1.0, "J m-3"),
    unit(&["bar"], &[], Bare, 1e5, "Pa"),
    unit(&["mbar"], &[], Bare, 1e-3, "bar"),
    unit(&["Torr"], &["torr"], Bare, 101_325.0 / 760.0, "Pa"),
    unit(&["mTorr"], &["millitorr"], Bare, 1e-3, "Torr"),
    unit(&["eV"], &["electronvolt"], Decimal, 1.602_176_634e-19, "J"),
    unit(&["Ry"], &["rydberg"], Decimal, 13.605_693_122_990_514, "eV"),
    unit(&["erg"], &[], Decimal, 1.0, "cm2 g s-2"),
    unit(&["foe"], &["Bethe", "bethe"], Bare, 1e51, "cm2 g s-2"),
    unit(&["dyn"], &["dyne"], Decimal, 1.0, "cm g s-2"),
    unit(&["Ba"], &["Barye", "barye"], Decimal, 1.0, "g cm-1 s-2"),
    unit(&["P"], &["poise"], Decimal, 1.0, "g cm-1 s-1"),
    unit(&["St"], &["stokes"], Decimal, 1.0, "cm2 s-1"),
    unit(&["Gal"], &["gal"], Decimal, 1.0, "cm s-2"),
    unit(&["kat"], &["katal"], Decimal, 1.0, "mol s-1"),
    unit(&["Gy"], &["gray"], Decimal, 1.0, "J kg-1"),
    unit(&["Sv"], &["sievert"], Decimal, 1.0, "J kg-1"),
    base(&["deg_C"], &["Celsius"], Bare),
    // Electricity and magnetism.
    unit(&["C"], &["coulomb"], Decimal, 1.0, "A s"),
    unit(&["V"], &["Volt", "volt"], Decimal, 1.0, "J C-1"),
    unit(&["Ohm", "ohm", "\u{3a9}"], &["Ohm"], Decimal, 1.0, "V A-1"),
    unit(&["S"], &["Siemens", "siemens"], Decimal, 1.0, "A V-1"),
    unit(&["F"], &["Farad", "farad"], Decimal, 1.0, "C V-1"),
    unit(&["Wb"], &["Weber", "weber"], Decimal, 1.0, "V s"),
    unit(&["T"], &["Tesla", "tesla"], Decimal, 1.0, "Wb m-2"),
    unit(&["H"], &["Henry", "henry"], Decimal, 1.0, "Wb A-1"),
    unit(&["G"], &["Gauss", "gauss"], Decimal, 1e-4, "T"),
    unit(&["Mx"], &["Maxwell", "maxwell"], Bare, 1e-8, "Wb"),
    unit(&["Oe"], &["Oersted", "oersted"], Decimal, 1000.0 / (4.0 * PI), "A m-1"),
    unit(&["Bi"], &["Biot", "abA", "abampere"], Bare, 1.0, "cm1/2 g1/2 s-1"),
    unit(&["abC"], &["abcoulomb"], Bare, 1.0, "Bi s"),
    unit(&["Fr"], &["Franklin", "statcoulomb", "statC", "esu"], Bare, 1.0, "cm3/2 g1/2 s-1"),
    unit(&["statA"], &["statampere"], Bare, 1.0, "Fr s-1"),
    unit(&["D"], &["Debye", "debye"], Decimal, 1e-29 / 3.0, "C m"),
    base(&["electron"], &[], Bare),
    // Light.
    unit(&["lm"], &["lumen"], Decimal, 1.0, "cd sr"),
    unit(&["lx"], &["lux"], Decimal, 1.0, "lm m-2"),
    unit(&["solLum"], &["L_sun", "Lsun"], Decimal, 3.828e26, "W"),
    unit(&["Jy"], &["Jansky", "jansky"], Decimal, 1e-26, "W Hz-1 m-2"),
    base(&["ph", "photon"], &["photon"], Decimal),
    unit(&["R"], &["Rayleigh", "rayleigh"], Decimal, 1e10 / (4.0 * PI), "ph s-1 sr-1 m-2"),
    unit(&["AB"], &["ABflux"], Bare, 3.630_780_547_701_003e-20, "erg Hz-1 s-1 cm-2"),
    unit(&["ST"], &["STflux"], Bare, 3.630_780_547_701_002_8e-9, "erg Angstrom-1 s-1 cm-2"),
    unit(&["Bol"], &["L_bol"], Bare, BOLOMETRIC, "W"),
    unit(&["bol"], &["f_bol"], Bare, BOLOMETRIC / (4.0 * PI * 100.0), "W pc-2"),
    base(&["mgy"], &["maggy"], Bare),
    unit(&["nmgy"], &["nanomaggy"], Bare, 1e-9, "mgy"),
    // Counts and detectors.
    base(&["ct", "count"], &["count"], Decimal).without(&["p"]),
    base(&["adu"], &[], Decimal),
    base(&["DN"], &["dn"], Bare),
    base(&["pix", "pixel"], &["pixel"], Decimal),
    base(&["vox", "voxel"], &["voxel"], Decimal),
    base(&["bin"], &[], Decimal),
    base(&["chan"], &[], Decimal),
    base(&["beam"], &[], Decimal),
    base(&["Sun"], &[], Bare),
    base(&["bit", "b"], &["bit"], All),
    unit(&["byte", "B"], &["byte"], All, 8.0, "bit").without(&["d"]),
    // FITS alone has this name.
    unit(&["dbyte"], &[], Bare, 0.1, "byte"),
    // Ratios and their logarithms.
    unit(&["percent"], &["pct"], Bare, 0.01, ""),
    base(&["dex"], &[], Bare),
    unit(&["dB"], &["decibel"], Bare, 0.1, "dex"),
    unit(&["mag"], &[], Decimal, -0.4, "dex"),
];
