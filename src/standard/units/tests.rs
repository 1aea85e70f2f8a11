//! Hand-made cases of units: text, kinds, conversions. The suite `python` compares thousands of texts with astropy.

use super::{Conversion, Equivalency, Spelling, Unit, UnitKind};
use crate::error::Status;

/// Texts in a spelling, and the texts of the unit in all spellings. `!` stands for a spelling that has none.
const TEXTS: &[(Spelling, &str, [&str; 4])] = &[
    (Spelling::Generic, "m", ["m", "m", "m", "m"]),
    (Spelling::Generic, "km/s", ["km / s", "km.s**-1", "km s-1", "km.s-1"]),
    (
        Spelling::Generic,
        "10**-23 erg / (Hz s cm2)",
        [
            "1e-23 erg / (Hz s cm2)",
            "1e-23erg.Hz**-1.s**-1.cm**-2",
            "10**-23 erg Hz-1 s-1 cm-2",
            "10-23erg.Hz-1.s-1.cm-2",
        ],
    ),
    (Spelling::Generic, "m(3/2)", ["m(3/2)", "m**(3/2)", "m(3/2)", "m+3/2"]),
    (Spelling::Generic, "sqrt(m/s)", ["m(1/2) / s(1/2)", "m**(1/2).s**(-1/2)", "m(1/2) s(-1/2)", "m+1/2.s-1/2"]),
    (Spelling::Generic, "mag(AB)", ["mag(AB)", "!", "!", "!"]),
    (Spelling::Generic, "dex(cm/s2)", ["dex(cm / s2)", "!", "!", "[cm.s-2]"]),
    (Spelling::Generic, "dB(1)", ["dB(1)", "!", "!", "!"]),
    (Spelling::Generic, "%", ["%", "!", "10**-2", "%"]),
    (Spelling::Generic, "", ["", "", "", "---"]),
    (Spelling::Generic, "ct", ["ct", "count", "count", "ct"]),
    (Spelling::Generic, "pix", ["pix", "pixel", "pix", "pix"]),
    (Spelling::Generic, "DN", ["DN", "!", "!", "!"]),
    (Spelling::Generic, "electron", ["electron", "!", "!", "!"]),
    (Spelling::Generic, "dam", ["dam", "10m", "dam", "dam"]),
    (Spelling::Generic, "deg_C", ["deg_C", "!", "Celsius", "!"]),
    (Spelling::Generic, "\u{b5}m\u{b2} s\u{207b}\u{b9}", ["um2 / s", "um**2.s**-1", "um2 s-1", "um+2.s-1"]),
    (Spelling::Generic, "L\u{2609}", ["solLum", "solLum", "solLum", "Lsun"]),
    (Spelling::Generic, "micron", ["micron", "um", "um", "um"]),
    (Spelling::Generic, "2 / s", ["2 / s", "2s**-1", "!", "2s-1"]),
    (Spelling::VoUnit, "k'furlong'.s**-1", ["kfurlong / s", "k'furlong'.s**-1", "!", "!"]),
    (Spelling::Fits, "10**3 m", ["1000 m", "1000m", "10**3 m", "1000m"]),
    (Spelling::Cds, "1.5x10+3m/s", ["1500 m / s", "1500m.s**-1", "!", "1500m.s-1"]),
    (Spelling::Cds, "[cm/s2]", ["dex(cm / s2)", "!", "!", "[cm.s-2]"]),
];

#[test]
fn texts_are_those_of_astropy() {
    for (spelling, text, expected) in TEXTS {
        let unit = Unit::parse(text, *spelling).unwrap();
        for (spelling, expected) in Spelling::ALL.iter().zip(expected) {
            let found = unit.text(*spelling).unwrap_or_else(|error| {
                assert_eq!(error.status(), Status::Units);
                "!".to_owned()
            });
            assert_eq!(&found, expected, "'{text}' as {}", spelling.name());
        }
    }
}

#[test]
fn wrong_texts_are_refused() {
    let wrong: &[(Spelling, &[&str])] = &[
        (
            Spelling::Generic,
            &["foo", "(m/s)", "m (s)", "1 / m s", "m**1.5", "2**3 m", "m(1/0)", "0 m", "1e400 m", "ln(m)"],
        ),
        (
            Spelling::Generic,
            &["mag(mag)", "mag(AB) m", "2 mag(AB)", "mag()", "m*2", "\tm", "m+", "m, s", "yd", "'foo'"],
        ),
        (Spelling::VoUnit, &["m/s/kg", "mag(AB)", "%", "electron", "'foo bar'", "unknown"]),
        (Spelling::Fits, &["10 m", "hPc", "AB"]),
        (Spelling::Cds, &["km s-1", "km/s.Mpc", "2x3+3m", "uas"]),
    ];
    for (spelling, texts) in wrong {
        for text in *texts {
            assert_eq!(Unit::parse(text, *spelling).unwrap_err().status(), Status::Units, "'{text}'");
        }
    }
    let deep = format!("{}m{}", "(".repeat(2000), ")".repeat(2000));
    assert!(Unit::parse(&deep, Spelling::Generic).is_err());
    assert!(Unit::parse(&deep, Spelling::Cds).is_err());
    assert!(Unit::parse(&"m ".repeat(5000), Spelling::Generic).is_err());
}

#[test]
fn reading_accepts_all_spellings_and_keeps_other_texts() {
    // Each text in the spelling that its place should have, and the unit as generic text.
    for (spelling, text, expected) in [
        (Spelling::VoUnit, "electron", "electron"),
        (Spelling::VoUnit, "mag(AB)", "mag(AB)"),
        (Spelling::VoUnit, "m/s/kg", "m / (kg s)"),
        (Spelling::Generic, "[cm/s2]", "dex(cm / s2)"),
        (Spelling::Generic, "k'furlong'", "kfurlong"),
        (Spelling::Cds, "km s-1", "km / s"),
        // The context decides what a text means: gauss or the gravitational constant.
        (Spelling::Generic, "G", "G"),
        (Spelling::Generic, "'electron'.s**-1", "electron / s"),
        (Spelling::Generic, "furlongs per fortnight", "furlongs per fortnight"),
    ] {
        assert_eq!(Unit::read(text, spelling).to_string(), expected);
    }
    let gauss = Unit::read("gauss", Spelling::Generic);
    assert_eq!(Unit::read("G", Spelling::Generic), gauss);
    assert_ne!(Unit::read("G", Spelling::Cds), gauss);
    let unknown = Unit::read("foo bar", Spelling::Generic);
    assert_eq!(unknown, Unit::read("foo bar", Spelling::Fits));
    assert_ne!(unknown, Unit::read("foo  bar", Spelling::Generic));
}

#[test]
fn kinds_are_those_of_logarithms() {
    for (text, kind, physical) in [
        ("m", UnitKind::Linear, None),
        ("mag", UnitKind::Magnitude, None),
        ("mmag", UnitKind::Magnitude, None),
        ("mag / s", UnitKind::Linear, None),
        ("mag(ST)", UnitKind::Magnitude, Some("ST")),
        ("dB(mW)", UnitKind::Decibel, Some("mW")),
        ("dex(cm/s2)", UnitKind::Dex, Some("cm / s2")),
        ("mag(1)", UnitKind::Magnitude, Some("")),
        ("no unit", UnitKind::Unknown, None),
    ] {
        let unit = Unit::read(text, Spelling::Generic);
        assert_eq!(unit.kind(), kind, "'{text}'");
        assert_eq!(unit.physical().map(|unit| unit.to_string()).as_deref(), physical, "'{text}'");
    }
}

fn conversion(from: &str, to: &str, equivalencies: &[Equivalency]) -> crate::error::Result<Conversion> {
    Unit::read(from, Spelling::Generic).conversion_to(&Unit::read(to, Spelling::Generic), equivalencies)
}

#[test]
fn factors_are_exact() {
    for (from, to, factor) in [
        ("m", "km", 1e-3),
        ("mm3", "km3", 1e-18),
        ("Angstrom", "m", 1e-10),
        ("pm5", "Qm5", 1e-210),
        ("deg", "arcsec", 3600.0),
        ("arcsec", "deg", 1.0 / 3600.0),
        ("km / h", "m / s", 1.0 / 3.6),
        ("yr", "s", 31_557_600.0),
        ("AU", "m", 149_597_870_700.0),
        ("Jy", "erg / (s cm2 Hz)", 1e-23),
        ("eV", "J", 1.602_176_634e-19),
        ("Mibyte", "bit", 8_388_608.0),
        ("%", "", 0.01),
        ("mag", "dex", -0.4),
        ("rad2", "sr", 1.0),
    ] {
        assert_eq!(conversion(from, to, &[]).unwrap(), Conversion::Linear { factor, offset: 0.0 }, "{from} to {to}");
    }
}

#[test]
fn logarithms_are_converted() {
    let apply = |from, to, value: f64| conversion(from, to, &[]).unwrap().apply(value);
    assert_eq!(apply("mag(AB)", "mag(AB)", 20.0), 20.0);
    assert!((apply("mag(AB)", "uJy", 23.9) - 1.0).abs() < 1e-3);
    assert!((apply("mag(AB)", "mag(Jy)", 0.0) + 8.9).abs() < 1e-12);
    assert!((apply("dB(W)", "dB(mW)", 0.0) - 30.0).abs() < 1e-12);
    assert!((apply("mW", "dB(W)", 1.0) + 30.0).abs() < 1e-12);
    assert!((apply("dex(cm/s2)", "m/s2", 4.0) - 100.0).abs() < 1e-12);
    assert_eq!(apply("mag(1)", "mag", 3.0), 3.0);
    assert_eq!(conversion("mag(AB)", "mag(W)", &[]).unwrap_err().status(), Status::Units);
    assert_eq!(conversion("mag", "Jy", &[]).unwrap_err().status(), Status::Units);
}

#[test]
fn equivalencies_are_used_by_name() {
    assert_eq!(conversion("deg_C", "K", &[]).unwrap_err().status(), Status::Units);
    let temperature = conversion("deg_C", "K", &[Equivalency::Temperature]).unwrap();
    assert_eq!(temperature.apply(20.0), 293.15);
    assert!(conversion("mK", "deg_C", &[Equivalency::Temperature]).unwrap().apply(273_150.0).abs() < 1e-12);
    assert_eq!(conversion("rad / s", "1 / s", &[Equivalency::DimensionlessAngles]).unwrap(), Conversion::IDENTITY);
    let spectral = |from, to, value| conversion(from, to, &[Equivalency::Spectral]).unwrap().apply(value);
    assert_eq!(spectral("m", "Hz", 1.0), 299_792_458.0);
    assert_eq!(spectral("GHz", "m", 0.299_792_458), 1.0);
    assert!((spectral("nm", "eV", 500.0) - 2.479_683_968_7).abs() < 1e-9);
    assert!((spectral("keV", "Hz", 1.0) / 2.417_989_242_08e17 - 1.0).abs() < 1e-10);
    assert!((spectral("nm", "1 / cm", 500.0) - 20_000.0).abs() < 1e-9);
    assert_eq!(conversion("m", "kg", &[Equivalency::Spectral]).unwrap_err().status(), Status::Units);
}

#[test]
fn errors_name_both_units() {
    let message = |from, to| conversion(from, to, &[]).unwrap_err().message().to_owned();
    assert_eq!(message("m", "kg"), "cannot convert 'm' to 'kg': the units are not commensurable");
    assert_eq!(message("foo", "kg"), "cannot convert 'foo' to 'kg': the unit 'foo' is unknown");
    assert_eq!(conversion("foo", "foo", &[]).unwrap(), Conversion::IDENTITY);
}
