//! Makes identifiers from arbitrary names.

use crate::error::Result;
use crate::reserve::{collected, insert, room_in};
use std::collections::{HashMap, HashSet};

/// Maximum length of the part that comes from the name. A number or an ending may follow.
const LENGTH: usize = 48;

/// Identifiers of one scope.
pub(super) struct Identifiers {
    /// Identifiers that are taken, in lower case if case is ignored.
    used: HashSet<String>,
    /// The last number that was appended to each name.
    numbers: HashMap<String, u64>,
    ignores_case: bool,
}

impl Identifiers {
    /// Returns a scope in which these words are taken.
    pub(super) fn new(taken: &[&str], ignores_case: bool) -> Identifiers {
        let used = taken.iter().map(|word| (*word).to_owned()).collect();
        Identifiers { used, numbers: HashMap::new(), ignores_case }
    }

    /// Returns a new, unique identifier. Identifiers with one of the `endings` appended are reserved too.
    pub(super) fn make(&mut self, name: &str, endings: &[&str]) -> Result<String> {
        let wanted = mangled(name);
        let mut identifier = wanted.clone();
        let mut number = *self.numbers.get(&wanted).unwrap_or(&1);
        while !self.take(&identifier, endings)? {
            number += 1;
            identifier = format!("{wanted}_{number}");
        }
        room_in(&mut self.numbers, 1)?;
        self.numbers.insert(wanted, number);
        Ok(identifier)
    }

    fn take(&mut self, identifier: &str, endings: &[&str]) -> Result<bool> {
        let folded = |text: String| if self.ignores_case { text.to_ascii_lowercase() } else { text };
        let all = [""].iter().chain(endings).map(|ending| Ok(folded(format!("{identifier}{ending}"))));
        let all = collected(all)?;
        let are_free = !all.iter().any(|identifier| self.used.contains(identifier));
        if are_free {
            for identifier in all {
                insert(&mut self.used, identifier)?;
            }
        }
        Ok(are_free)
    }
}

/// Keeps letters, digits and `_` of a name and replaces other characters by `_`. The result begins with a letter.
pub(super) fn mangled(name: &str) -> String {
    let free = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let name = name.strip_prefix('/').unwrap_or(name);
    let mut out = String::new();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        out.push_str("x_");
    }
    out.extend(name.chars().take(LENGTH - 2).map(|character| if free(character) { character } else { '_' }));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_differ_and_are_legal() {
        let mut identifiers = Identifiers::new(&["int"], true);
        assert_eq!(identifiers.make("/g/a b", &["_shape"]).unwrap(), "g_a_b");
        assert_eq!(identifiers.make("/g_a.b", &[]).unwrap(), "g_a_b_2");
        assert_eq!(identifiers.make("/G_A_B", &[]).unwrap(), "G_A_B_3");
        assert_eq!(identifiers.make("/g_a_b_shape", &[]).unwrap(), "g_a_b_shape_2");
        assert_eq!(identifiers.make("2m", &[]).unwrap(), "x_2m");
        assert_eq!(identifiers.make("int", &[]).unwrap(), "int_2");
        assert_eq!(identifiers.make("é", &[]).unwrap(), "x__");
        assert_eq!(identifiers.make(&"n".repeat(500), &[]).unwrap().len(), LENGTH - 2);
        assert_eq!(Identifiers::new(&[], false).make("A", &[]).unwrap(), "A");
    }
}
