//! Decimal and binary prefixes of units, as data.

/// A prefix of names of units.
#[derive(Debug)]
pub(super) struct Prefix {
    /// Symbols for short names. The first one is printed.
    pub(super) symbols: &'static [&'static str],
    /// Words for long names. The first one is printed.
    pub(super) words: &'static [&'static str],
    pub(super) factor: f64,
    pub(super) binary: bool,
}

/// Number of a prefix in [`PREFIXES`].
pub(super) type PrefixNumber = u8;

const fn decimal(symbols: &'static [&'static str], words: &'static [&'static str], factor: f64) -> Prefix {
    Prefix { symbols, words, factor, binary: false }
}

const fn binary(symbols: &'static [&'static str], words: &'static [&'static str], exponent: u64) -> Prefix {
    // A power of two is its exponent alone, with the bias of binary64.
    Prefix { symbols, words, factor: f64::from_bits((1023 + exponent) << 52), binary: true }
}

/// All prefixes. Those of two letters come first, so that `da` is found before `d`, and `Pi` before `P`.
pub(super) static PREFIXES: [Prefix; 32] = [
    decimal(&["da"], &["deka", "deca"], 1e1),
    binary(&["Ki"], &["kibi"], 10),
    binary(&["Mi"], &["mebi"], 20),
    binary(&["Gi"], &["gibi"], 30),
    binary(&["Ti"], &["tebi"], 40),
    binary(&["Pi"], &["pebi"], 50),
    binary(&["Ei"], &["exbi"], 60),
    binary(&["Zi"], &["zebi"], 70),
    binary(&["Yi"], &["yobi"], 80),
    decimal(&["Q"], &["quetta"], 1e30),
    decimal(&["R"], &["ronna"], 1e27),
    decimal(&["Y"], &["yotta"], 1e24),
    decimal(&["Z"], &["zetta"], 1e21),
    decimal(&["E"], &["exa"], 1e18),
    decimal(&["P"], &["peta"], 1e15),
    decimal(&["T"], &["tera"], 1e12),
    decimal(&["G"], &["giga"], 1e9),
    decimal(&["M"], &["mega"], 1e6),
    decimal(&["k"], &["kilo"], 1e3),
    decimal(&["h"], &["hecto"], 1e2),
    decimal(&["d"], &["deci"], 1e-1),
    decimal(&["c"], &["centi"], 1e-2),
    decimal(&["m"], &["milli"], 1e-3),
    decimal(&["u", "\u{b5}", "\u{3bc}"], &["micro"], 1e-6),
    decimal(&["n"], &["nano"], 1e-9),
    decimal(&["p"], &["pico"], 1e-12),
    decimal(&["f"], &["femto"], 1e-15),
    decimal(&["a"], &["atto"], 1e-18),
    decimal(&["z"], &["zepto"], 1e-21),
    decimal(&["y"], &["yocto"], 1e-24),
    decimal(&["r"], &["ronto"], 1e-27),
    decimal(&["q"], &["quecto"], 1e-30),
];

/// Prefixes that a unit takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefixes {
    None,
    Decimal,
    /// Decimal and binary prefixes.
    All,
}

impl Prefixes {
    pub(super) fn take(self, prefix: &Prefix) -> bool {
        match self {
            Prefixes::None => false,
            Prefixes::Decimal => !prefix.binary,
            Prefixes::All => true,
        }
    }
}

/// Returns the prefix with this number.
pub(super) fn prefix(number: PrefixNumber) -> Option<&'static Prefix> {
    PREFIXES.get(usize::from(number))
}
