//! Units of the CDS's Standards for Astronomical Catalogues, as data. They are units of their own, because some names
//! mean something else there: `G` is the gravitational constant, `R` the gas constant.

use std::f64::consts::PI;

use super::prefixes::Prefixes;
use super::table::{C, Definition, Entry, H};

type Names = &'static [&'static str];

const fn entry(names: Names, prefixes: Prefixes, definition: Option<Definition>) -> Entry {
    Entry { short: names, long: &[], prefixes, without: &[], definition }
}

/// Returns a unit that equals the unit `of` of the other spellings.
const fn same(names: Names, of: &'static str) -> Entry {
    unit(names, 1.0, of)
}

const fn unit(names: Names, scale: f64, units: &'static str) -> Entry {
    entry(names, Prefixes::All, Some(Definition { scale, units }))
}

/// Returns a unit without prefixes.
const fn bare(names: Names, scale: f64, units: &'static str) -> Entry {
    entry(names, Prefixes::None, Some(Definition { scale, units }))
}

/// Units of the spelling CDS. Their definitions are in units of the other spellings.
pub(super) static CDS_UNITS: &[Entry] = &[
    same(&["A"], "A"),
    same(&["a"], "a"),
    unit(&["a0"], 5.291_772_105_44e-11, "m"),
    same(&["al"], "lyr"),
    same(&["lyr"], "lyr"),
    unit(&["alpha"], 7.297_352_564_3e-3, ""),
    same(&["Angstrom", "\u{c5}", "Angstroem", "AA"], "Angstrom"),
    same(&["arcmin", "arcm"], "arcmin"),
    same(&["arcsec", "arcs"], "arcsec"),
    unit(&["atm"], 101_325.0, "Pa"),
    same(&["AU", "au"], "AU"),
    same(&["bar"], "bar"),
    same(&["barn"], "barn"),
    same(&["bit"], "bit"),
    same(&["byte"], "byte"),
    same(&["C"], "C"),
    unit(&["c"], C, "m s-1"),
    unit(&["cal"], 4.1854, "J"),
    same(&["cd"], "cd"),
    same(&["ct"], "ct"),
    same(&["D"], "D"),
    same(&["d"], "d"),
    same(&["deg", "\u{b0}", "degree"], "deg"),
    same(&["dyn"], "dyn"),
    unit(&["e"], 1.602_176_634e-19, "C"),
    unit(&["eps0"], 8.854_187_818_8e-12, "F m-1"),
    same(&["erg"], "erg"),
    same(&["eV"], "eV"),
    same(&["F"], "F"),
    unit(&["G"], 6.6743e-11, "m3 kg-1 s-2"),
    same(&["g"], "g"),
    same(&["gauss"], "G"),
    same(&["geoMass", "Mgeo"], "earthMass"),
    same(&["H"], "H"),
    same(&["h"], "h"),
    same(&["hr"], "h"),
    unit(&["\\h"], H, "J s"),
    same(&["Hz"], "Hz"),
    unit(&["inch"], 0.0254, "m"),
    same(&["J"], "J"),
    same(&["JD"], "d"),
    same(&["jovMass", "Mjup"], "jupiterMass"),
    same(&["Jy"], "Jy"),
    same(&["K"], "K"),
    unit(&["k"], 1.380_649e-23, "J K-1"),
    same(&["l"], "l"),
    same(&["lm"], "lm"),
    same(&["Lsun", "solLum"], "solLum"),
    same(&["lx"], "lx"),
    same(&["m"], "m"),
    same(&["mag"], "mag"),
    unit(&["me"], 9.109_383_713_9e-31, "kg"),
    same(&["min"], "min"),
    same(&["MJD"], "d"),
    unit(&["mmHg"], 133.322_387_415, "Pa"),
    same(&["mol"], "mol"),
    unit(&["mp"], 1.672_621_925_95e-27, "kg"),
    same(&["solMass", "Msun"], "solMass"),
    unit(&["mu0", "\u{b5}0"], 1.256_637_061_27e-6, "N A-2"),
    unit(&["muB"], 9.274_010_065_7e-24, "J T-1"),
    same(&["N"], "N"),
    same(&["Ohm"], "Ohm"),
    same(&["Pa"], "Pa"),
    same(&["pc"], "pc"),
    same(&["ph"], "ph"),
    unit(&["pi"], PI, ""),
    same(&["pix"], "pix"),
    unit(&["ppm"], 1e-6, ""),
    unit(&["R"], 8.314_462_618_153_24, "J K-1 mol-1"),
    same(&["rad"], "rad"),
    unit(&["Rgeo"], 6.3781e6, "m"),
    unit(&["Rjup"], 7.1492e7, "m"),
    same(&["Rsun", "solRad"], "solRad"),
    same(&["Ry"], "Ry"),
    same(&["S"], "S"),
    same(&["s", "sec"], "s"),
    same(&["sr"], "sr"),
    same(&["Sun"], "Sun"),
    same(&["T"], "T"),
    unit(&["t"], 1000.0, "kg"),
    unit(&["u"], 1.660_539_068_92e-27, "kg").without(&["da"]),
    same(&["V"], "V"),
    same(&["W"], "W"),
    same(&["Wb"], "Wb"),
    same(&["yr"], "a"),
    bare(&["\u{b5}as"], 1.0, "uarcsec"),
    bare(&["mas"], 1.0, "marcsec"),
    bare(&["---", "-"], 1.0, ""),
    bare(&["%"], 1.0, "percent"),
    entry(&["Crab"], Prefixes::All, None),
];
