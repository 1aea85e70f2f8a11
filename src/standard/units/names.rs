//! Units by name: the look-up of names with and without prefixes, and the names that are printed.

use once_cell::race::OnceBox;
use std::sync::Arc;

use super::cds_table::CDS_UNITS;
use super::prefixes::{PREFIXES, PrefixNumber, prefix};
use super::spelling::Spelling;
use super::table::{Entry, UNITS};

/// A unit by name, with or without a prefix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Named {
    pub(super) prefix: Option<PrefixNumber>,
    pub(super) of: Unprefixed,
}

/// A unit by name without its prefix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unprefixed {
    /// Number of an entry of the tables. Entries of CDS follow the others.
    Listed(u16),
    /// A unit that its file does not define.
    Custom(Arc<str>),
}

/// Numbers of units by name, sorted.
struct Numbers(Vec<(&'static str, u16)>);

impl Numbers {
    /// Sorts names and their numbers. The last number of a name precedes.
    fn new(mut names: Vec<(&'static str, u16)>) -> Numbers {
        names.reverse();
        names.sort_by_key(|(name, _)| *name);
        names.dedup_by_key(|(name, _)| *name);
        Numbers(names)
    }

    fn get(&self, name: &str) -> Option<u16> {
        let found = self.0.binary_search_by_key(&name, |(known, _)| *known).ok()?;
        self.0.get(found).map(|(_, number)| *number)
    }
}

/// Names of one table.
struct Index {
    /// Short and long names without prefix.
    whole: Numbers,
    /// Short names that take symbols of prefixes.
    short: Numbers,
    /// Long names that take words of prefixes.
    long: Numbers,
}

impl Index {
    fn new(entries: &'static [Entry], first: usize) -> Index {
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (number, entry) in entries.iter().enumerate() {
            // The tables have a few hundred entries.
            let number = (first + number) as u16;
            short.extend(entry.short.iter().map(|name| (*name, number)));
            long.extend(entry.long.iter().map(|name| (*name, number)));
        }
        let whole = Numbers::new([long.as_slice(), short.as_slice()].concat());
        Index { whole, short: Numbers::new(short), long: Numbers::new(long) }
    }

    /// Returns the unit of a name. A name without prefix precedes: `min` is the minute.
    fn find(&self, name: &str, prefixes_in_cds: bool) -> Option<Named> {
        if let Some(number) = self.whole.get(name) {
            return Some(Named { prefix: None, of: Unprefixed::Listed(number) });
        }
        PREFIXES.iter().zip(0..).find_map(|(prefix, prefix_number)| {
            let found = prefix.symbols.iter().find_map(|symbol| {
                let number = self.short.get(name.strip_prefix(symbol)?)?;
                let entry = entry(number)?;
                let taken = entry.prefixes.take(prefix)
                    && !entry.without.contains(symbol)
                    && (!prefixes_in_cds || symbol.is_ascii());
                taken.then_some(number)
            });
            let found = found.or_else(|| {
                prefix.words.iter().find_map(|word| {
                    let number = self.long.get(name.strip_prefix(word)?)?;
                    entry(number)?.prefixes.take(prefix).then_some(number)
                })
            });
            found.map(|number| Named { prefix: Some(prefix_number), of: Unprefixed::Listed(number) })
        })
    }
}

fn main_index() -> &'static Index {
    static INDEX: OnceBox<Index> = OnceBox::new();
    INDEX.get_or_init(|| Box::new(Index::new(UNITS, 0)))
}

fn cds_index() -> &'static Index {
    static INDEX: OnceBox<Index> = OnceBox::new();
    INDEX.get_or_init(|| Box::new(Index::new(CDS_UNITS, UNITS.len())))
}

/// Returns the entry with this number.
pub(super) fn entry(number: u16) -> Option<&'static Entry> {
    let number = usize::from(number);
    UNITS.get(number).or_else(|| CDS_UNITS.get(number.checked_sub(UNITS.len())?))
}

/// Returns the unit with this name in a spelling.
pub(super) fn find(name: &str, spelling: Spelling) -> Option<Named> {
    match spelling {
        Spelling::Cds => cds_index().find(name, true),
        Spelling::Generic | Spelling::VoUnit | Spelling::Fits if !spelling.knows(name) => None,
        Spelling::Generic => main_index().find(name, false).or_else(|| main_index().find(&of_symbol(name)?, false)),
        Spelling::VoUnit => main_index().find(name, false),
        Spelling::Fits => main_index().find(if name == "deg C" { "deg_C" } else { name }, false),
    }
}

/// Returns the name that a symbol of the generic spelling stands for.
fn of_symbol(text: &str) -> Option<String> {
    let whole = match text {
        "%" => "percent",
        "\u{2032}" => "arcmin",
        "\u{2033}" => "arcsec",
        "\u{2b0}" => "hourangle",
        "e\u{207b}" => "electron",
        "\u{b0}" => "deg",
        _ => "",
    };
    if !whole.is_empty() {
        return Some(whole.to_owned());
    }
    let text = match text.strip_prefix('\u{b0}') {
        Some(rest) => format!("deg_{rest}"),
        None => text.to_owned(),
    };
    let suffix = match text.chars().last()? {
        '\u{2299}' | '\u{2609}' => "sun",
        '\u{2295}' | '\u{2641}' => "earth",
        '\u{2643}' => "jupiter",
        '\u{2091}' => "_e",
        '\u{209a}' => "_p",
        '\u{221e}' if text.ends_with("R\u{221e}") => "y",
        _ => return Some(text),
    };
    let mut name = text;
    name.pop();
    // The names with an underscore have the letter before it in the table: `M_sun`, `L_sun`, `M_e`.
    if suffix.starts_with(['_', 'y']) || name.chars().count() != 1 {
        return Some(name + suffix);
    }
    name.push_str(suffix);
    Some(name)
}

impl Named {
    /// Returns a unit that no table has.
    pub(super) fn custom(name: &str, prefix: Option<PrefixNumber>) -> Named {
        Named { prefix, of: Unprefixed::Custom(name.into()) }
    }

    pub(super) fn entry(&self) -> Option<&'static Entry> {
        match self.of {
            Unprefixed::Listed(number) => entry(number),
            Unprefixed::Custom(_) => None,
        }
    }

    /// Returns the name of the unit: the one by which products are sorted.
    pub(super) fn name(&self) -> String {
        let base = match &self.of {
            Unprefixed::Listed(number) => {
                entry(*number).and_then(|entry| entry.short.first()).copied().unwrap_or_default()
            }
            Unprefixed::Custom(name) => unquoted(name),
        };
        self.with_prefix(base)
    }

    /// Returns the name of the unit in a spelling.
    pub(super) fn name_in(&self, spelling: Spelling) -> String {
        if let Unprefixed::Custom(name) = &self.of {
            return if spelling == Spelling::VoUnit { self.with_prefix(name) } else { self.name() };
        }
        let name = self.name();
        let of_prefixed = |base: &str| self.with_prefix(base);
        match (spelling, self.entry().and_then(|entry| entry.short.first()).copied()) {
            (Spelling::Generic | Spelling::Cds, Some("percent")) => "%".to_owned(),
            (Spelling::Fits, Some("deg_C")) => "Celsius".to_owned(),
            (Spelling::Fits | Spelling::VoUnit, Some("ct")) => of_prefixed("count"),
            (Spelling::Fits | Spelling::VoUnit, Some("vox")) => of_prefixed("voxel"),
            (Spelling::VoUnit, Some("ph")) => of_prefixed("photon"),
            (Spelling::VoUnit, Some("pix")) => of_prefixed("pixel"),
            _ => name,
        }
    }

    fn with_prefix(&self, base: &str) -> String {
        let Some(prefix) = self.prefix.and_then(prefix) else { return base.to_owned() };
        let symbol = prefix.symbols.first().copied().unwrap_or_default();
        match self.entry() {
            Some(entry) if entry.without.contains(&symbol) => {
                let word = prefix.words.first().copied().unwrap_or_default();
                format!("{word}{}", entry.long.first().copied().unwrap_or_default())
            }
            _ => format!("{symbol}{base}"),
        }
    }
}

/// Returns a custom name without the quotes of VOUnit.
fn unquoted(name: &str) -> &str {
    name.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(name)
}
