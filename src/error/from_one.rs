//! Messages for languages whose elements and rows count from 1, and whose options are no constants of C.

use super::Error;

/// What stands before the number of an element or a row, counted from 0, at the begin of a sentence.
const BEGINNINGS: [&str; 11] = [
    "element ",
    "the element ",
    "row ",
    "the row ",
    "time number ",
    "the time number ",
    "span number ",
    "the span number ",
    "there is no row ",
    "rows from ",
    "the rows from ",
];
/// What stands before the number of a time, or of a span of time, at the end of a sentence.
const ENDINGS: [&str; 2] = ["; time number ", "; span number "];
/// Constants of C stand in parentheses behind the name of their option.
const CONSTANT: &str = " (ASDF_OPTION_";

impl Error {
    /// Returns the message for a language that counts from 1: "row 0: element 1 is 2.5" becomes "row 1: element 2 is
    /// 2.5". Ranges of rows end before their second number, which stays. Names of constants of C are left out.
    pub(crate) fn message_from_one(&self) -> String {
        let place = self.to_string();
        let place = place.strip_suffix(self.message()).unwrap_or_default();
        format!("{place}{}", without_constants(&from_one(self.message())))
    }
}

fn from_one(sentence: &str) -> String {
    let mut done = String::new();
    let mut rest = sentence;
    while let Some((beginning, number, after)) = numbered(rest) {
        done.push_str(beginning);
        done.push_str(&number.to_string());
        rest = after;
        // The number of a row may be followed by that of an element in it.
        match rest.strip_prefix(": ") {
            Some(clause) => {
                done.push_str(": ");
                rest = clause;
            }
            None => break,
        }
    }
    let last = ENDINGS.into_iter().find_map(|ending| {
        let (before, digits) = rest.rsplit_once(ending)?;
        Some((before, ending, next(digits)?))
    });
    match last {
        Some((before, ending, number)) => format!("{done}{before}{ending}{number}"),
        None => done + rest,
    }
}

/// Splits a sentence that begins with a number into what stands before it, the next number, and the rest.
fn numbered(sentence: &str) -> Option<(&'static str, u64, &str)> {
    let beginning = BEGINNINGS.into_iter().find(|beginning| sentence.starts_with(beginning))?;
    let rest = sentence.get(beginning.len()..)?;
    let length = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at_checked(length)?;
    let is_word = after.starts_with(|character: char| character.is_alphanumeric() || character == '_');
    Some((beginning, next(digits).filter(|_| !is_word)?, after))
}

fn next(digits: &str) -> Option<u64> {
    digits.parse::<u64>().ok()?.checked_add(1)
}

fn without_constants(message: &str) -> String {
    let mut parts = message.split(CONSTANT);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((_, rest)) => out.push_str(rest),
            None => out.extend([CONSTANT, part]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;

    fn message(text: &str) -> String {
        Error::new(Status::OutOfRange, text).message_from_one()
    }

    #[test]
    fn elements_and_rows_count_from_1() {
        assert_eq!(message("element 0 is 2.5"), "element 1 is 2.5");
        assert_eq!(message("row 0: element 9 is 2.5"), "row 1: element 10 is 2.5");
        assert_eq!(message("the rows from 4 to 7 are missing"), "the rows from 5 to 7 are missing");
        assert_eq!(message("there is no row 18446744073709551614"), "there is no row 18446744073709551615");
        assert_eq!(message("'1' is not a time; time number 3"), "'1' is not a time; time number 4");
        assert_eq!(message("row 0: '1' is no time; time number 3"), "row 1: '1' is no time; time number 4");
        assert_eq!(message("the time number 0 is between two"), "the time number 1 is between two");
        assert_eq!(message("the span number 0 is between two"), "the span number 1 is between two");
        assert_eq!(message("at most 292 years; span number 0"), "at most 292 years; span number 1");
    }

    #[test]
    fn other_numbers_stay() {
        for text in [
            "elements 0 to 3 are missing",
            "element 18446744073709551615 is missing",
            "element 1st",
            "the key 'row 1' is missing",
            "a time; time number 3 of 4",
            "row ",
            "",
        ] {
            assert_eq!(message(text), text);
        }
    }

    #[test]
    fn places_stay_and_constants_go() {
        let error = Error::new(Status::FileExists, "row 1; set 'replace' (ASDF_OPTION_REPLACE) or 'x' (ASDF_OPTION_X)")
            .in_file(&"row 0.ecsv".into());
        assert_eq!(error.message_from_one(), "row 0.ecsv: row 2; set 'replace' or 'x'");
        assert_eq!(message("it is (ASDF_OPTION_"), "it is (ASDF_OPTION_");
    }
}
