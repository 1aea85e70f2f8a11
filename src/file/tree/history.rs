//! The history of a file: appending entries to `history`.
//!
//! Entries are ordinary nodes, which are read like all others.

use crate::error::{Error, Result, Status};
use crate::file::{File, Node};
use crate::tags::{self, StandardVersion, standard_tag};
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree};
use std::time::{SystemTime, UNIX_EPOCH};

/// The program that made the change described by a history entry.
#[derive(Clone, Copy, Debug)]
pub struct Software<'a> {
    /// Name of the program.
    pub name: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// Author of the program.
    pub author: Option<&'a str>,
    /// Homepage of the program, as a URI.
    pub homepage: Option<&'a str>,
}

impl File {
    /// Appends an entry to the history of a file that is new or opened for update.
    ///
    /// `time` is a date with time and offset, such as `2027-01-31T04:05:06Z`; `None` means now. From standard 1.2.0 on,
    /// entries are in `history/entries`, before that in `history` itself. An entry list at the place of the other form
    /// is moved. A mapping is turned into a list only if it contains nothing but entries. Other content of `history`
    /// stays.
    pub fn add_history(&self, description: &str, software: Option<Software>, time: Option<&str>) -> Result<()> {
        let standard = self.standard_version();
        self.root()?.edit("", |tree| append(tree, standard, description, software, time))
    }

    /// Returns the list of history entries in either form. Fails with [`Status::NotFound`] if there is none.
    pub fn history(&self) -> Result<Node> {
        let history = self.root()?.at("history")?.resolved()?;
        if history.node_type("")? == crate::file::NodeType::Sequence { Ok(history) } else { history.at("entries") }
    }
}

/// Appends an entry to the history in a tree. A failure leaves the tree unchanged.
pub(crate) fn append(
    tree: &mut Tree,
    standard: StandardVersion,
    description: &str,
    software: Option<Software>,
    time: Option<&str>,
) -> Result<()> {
    let now;
    let time = match time {
        Some(time) if is_date_time(time) => time,
        Some(time) => {
            let message =
                format!("'{}' is not a date with time and offset such as 2027-01-31T04:05:06Z", time.escape_debug());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        None => {
            now = date_time(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()));
            &now
        }
    };
    let tags = (standard_tag(tags::HISTORY_ENTRY, standard)?, standard_tag(tags::SOFTWARE, standard)?);
    let entries = entries_to_append_to(tree, standard)?;
    let entry = tree.append_item(entries, Content::Mapping(Style::Block));
    tree.set_tag(entry, Some(&tags.0));
    let mut add = |mapping, key, value| {
        tree.append_pair(mapping, key, Content::Scalar(value, Style::Automatic));
    };
    add(entry, "description", description);
    add(entry, "time", time);
    if let Some(software) = software {
        let place = tree.append_pair(entry, "software", Content::Mapping(Style::Flow));
        tree.set_tag(place, Some(&tags.1));
        let pairs = [
            ("name", Some(software.name)),
            ("version", Some(software.version)),
            ("author", software.author),
            ("homepage", software.homepage),
        ];
        for (key, value) in pairs {
            if let Some(value) = value {
                tree.append_pair(place, key, Content::Scalar(value, Style::Automatic));
            }
        }
    }
    Ok(())
}

/// Returns the list for new entries. Creates or moves it if necessary. A failure leaves the tree unchanged.
fn entries_to_append_to(tree: &mut Tree, standard: StandardVersion) -> Result<NodeId> {
    let in_mapping = standard >= StandardVersion::V1_2_0;
    let path = if in_mapping { "history/entries" } else { "history" };
    let root = tree.root();
    let Some(history) = present(tree, root, "history")? else {
        let place = tree.place(root, "history")?;
        tree.replace(place, if in_mapping { Content::Mapping(Style::Block) } else { Content::Sequence(Style::Block) });
        let place = tree.place(root, path)?;
        tree.replace(place, Content::Sequence(Style::Block));
        return Ok(place);
    };
    match tree.kind(history) {
        Kind::Sequence if !in_mapping => Ok(history),
        Kind::Sequence => {
            let (part, list) = part_of(tree, history)?;
            tree.replace(history, Content::Mapping(Style::Block));
            let entries = tree.append_pair(history, "entries", Content::Sequence(Style::Block));
            tree.copy_from(entries, &part, list)?;
            Ok(entries)
        }
        Kind::Mapping => match present(tree, history, "entries")? {
            Some(entries) if tree.kind(entries) != Kind::Sequence => {
                let error = Error::new(Status::WrongType, "the entries of the history are not a list");
                Err(tree.locate(error, entries))
            }
            Some(entries) if !in_mapping && tree.pairs(history).len() == 2 => {
                let (part, list) = part_of(tree, entries)?;
                tree.copy_from(history, &part, list)?;
                Ok(history)
            }
            Some(entries) => Ok(entries),
            None => {
                let entries = tree.place(history, "entries")?;
                tree.replace(entries, Content::Sequence(Style::Block));
                Ok(entries)
            }
        },
        Kind::Scalar | Kind::Alias => {
            let error = Error::new(Status::WrongType, "the history must be a list or a mapping");
            Err(tree.locate(error, history))
        }
    }
}

/// Returns the value of a key of a mapping; `None` if it is missing or null.
fn present(tree: &Tree, mapping: NodeId, key: &str) -> Result<Option<NodeId>> {
    let Some(place) = tree.find_token(mapping, key) else { return Ok(None) };
    let node = tree.resolve(place)?;
    let is_null = tree.kind(node) == Kind::Scalar && tree.scalar(node)? == Scalar::Null;
    Ok((!is_null).then_some(node))
}

/// Returns a copy of a node in a separate tree.
fn part_of(tree: &Tree, node: NodeId) -> Result<(Tree, NodeId)> {
    let mut part = Tree::new();
    let place = part.place(part.root(), "part")?;
    part.copy_from(place, tree, node)?;
    Ok((part, place))
}

/// Returns true for a date with time and offset of RFC 3339, as the schemas demand.
fn is_date_time(text: &str) -> bool {
    let form_fits = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                _ => byte == form,
            })
    };
    let number = |range: std::ops::Range<usize>| text.get(range).and_then(|digits| digits.parse::<u32>().ok());
    let Some((head, tail)) = text.split_at_checked(19) else { return false };
    let fits = |range, most| number(range).is_some_and(|number| number <= most);
    if !form_fits(head, "0000-00-00T00:00:00") || !fits(11..13, 23) || !fits(14..16, 59) || !fits(17..19, 59) {
        return false;
    }
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else { return false };
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    let offset = match tail.strip_prefix('.') {
        Some(fraction) => {
            let rest = fraction.trim_start_matches(|character: char| character.is_ascii_digit());
            if rest.len() == fraction.len() {
                return false;
            }
            rest
        }
        None => tail,
    };
    let offset_fits = ["+00:00", "-00:00"].iter().any(|form| form_fits(offset, form))
        && offset.get(1..3).is_some_and(|hours| hours <= "23")
        && offset.get(4..6).is_some_and(|minutes| minutes <= "59");
    year > 0 && (1..=days).contains(&day) && (offset == "Z" || offset_fits)
}

/// Formats a UTC time, given in seconds since 1970.
fn date_time(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March of the year 0. Counted from there, 400 years are 146,097 days, and a leap day is the last day
    // of a year.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year_of_era + later;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::NewOptions;

    fn with_history(text: &str, standard: StandardVersion) -> Result<String> {
        let text = format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- {text}\n...\n");
        let mut tree = crate::yaml::parse(text, 0, 1, &crate::Limits::default())?.tree;
        tree.remember_original();
        let entries = entries_to_append_to(&mut tree, standard)?;
        tree.append_item(entries, Content::Scalar("new", Style::Plain));
        let spliced = crate::yaml::splice(&tree, &crate::Limits::default())?;
        let body = spliced.strip_prefix("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---").unwrap_or(&spliced);
        Ok(body.trim_end_matches("...\n").trim().replace('\n', "|"))
    }

    #[test]
    fn entries_go_where_the_standard_wants_them() {
        use StandardVersion::{V1_1_0, V1_2_0};
        for (before, standard, after) in [
            ("\na: 1", V1_2_0, "a: 1|history:|  entries:|  - new"),
            ("\na: 1", V1_1_0, "a: 1|history:|- new"),
            ("\nhistory: # c\n- old # d", V1_1_0, "history: # c|- old # d|- new"),
            ("\nhistory:\n- !x {a: 1}\nb: 2 # c", V1_2_0, "history:|  entries:|  - !x {a: 1}|  - new|b: 2 # c"),
            (
                "\nhistory:\n  extensions: # c\n  - !x {a: 1}",
                V1_2_0,
                "history:|  extensions: # c|  - !x {a: 1}|  entries:|  - new",
            ),
            (
                "\nhistory:\n  extensions: [1] # c\n  entries:\n  - old",
                V1_1_0,
                "history:|  extensions: [1] # c|  entries:|  - old|  - new",
            ),
            ("\nhistory:\n  entries:\n  - old", V1_1_0, "history:|- old|- new"),
            ("\nhistory:", V1_2_0, "history:|  entries:|  - new"),
            ("\nhistory: {entries: null}", V1_2_0, "history: {entries: [new]}"),
        ] {
            assert_eq!(with_history(before, standard).unwrap(), after, "{before}");
        }
        for wrong in ["\nhistory: 5", "\nhistory: {entries: 5}"] {
            assert_eq!(with_history(wrong, V1_2_0).unwrap_err().status(), Status::WrongType, "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(date_time(0), "1970-01-01T00:00:00Z");
        assert_eq!(date_time(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date_time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date_time(4_102_444_800), "2100-01-01T00:00:00Z");
        assert_eq!(date_time(1_798_761_599), "2026-12-31T23:59:59Z");
        for good in
            ["2027-01-31T04:05:06Z", "2028-02-29T23:59:59.25Z", "2027-01-31T04:05:06-11:30", &date_time(1 << 36)]
        {
            assert!(is_date_time(good), "{good}");
        }
        for bad in [
            "",
            "2027-01-31",
            "2027-01-31T04:05:06",
            "2027-02-29T04:05:06Z",
            "2027-01-31T24:05:06Z",
            "2027-13-31T04:05:06Z",
            "2027-01-31 04:05:06Z",
            "2027-01-31T04:05:06.Z",
            "2027-01-31T04:05:06+1:30",
            "2027-01-31T04:05:06+24:00",
            "2027-01-31T04:05:0\u{e9}Z",
            "2027-01-31T04:05:06z",
        ] {
            assert!(!is_date_time(bad), "{bad}");
        }
    }

    #[test]
    fn an_entry_that_is_refused_changes_nothing() {
        let file = File::new(&NewOptions::default());
        assert_eq!(file.add_history("x", None, Some("yesterday")).unwrap_err().status(), Status::InvalidArgument);
        assert_eq!(file.history().err().map(|error| error.status()), Some(Status::NotFound));
        file.forget_failure().unwrap();
        file.add_history("x", None, None).unwrap();
        assert_eq!(file.history().unwrap().count("").unwrap(), 1);
    }
}
