//! The part of a file that a request asks for.

use std::ops::Range;

/// Bytes that the field `Range` asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The whole file: there is no such field, or one that need not be followed.
    Whole,
    /// These bytes.
    Bytes(Range<u64>),
    /// No byte of the file.
    Nothing,
}

impl Part {
    /// Reads the field for a file of `length` bytes. Several ranges give the whole file.
    pub(super) fn of(field: Option<&str>, length: u64) -> Part {
        let Some(list) = field.and_then(|field| field.trim().strip_prefix("bytes=")) else { return Part::Whole };
        let Some((first, last)) = list.split_once('-') else { return Part::Whole };
        let number = |text: &str| -> Option<u64> {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            // A number beyond all files is the largest one.
            is_number.then(|| text.parse().unwrap_or(u64::MAX))
        };
        match (first.trim(), last.trim()) {
            ("", last) => match number(last) {
                Some(0) => Part::Nothing,
                Some(_) if length == 0 => Part::Nothing,
                Some(count) => Part::Bytes(length.saturating_sub(count)..length),
                None => Part::Whole,
            },
            (first, last) => match (number(first), last, number(last)) {
                (Some(first), "", _) if first < length => Part::Bytes(first..length),
                (Some(first), _, Some(last)) if last < first => Part::Whole,
                (Some(first), _, Some(last)) if first < length => {
                    Part::Bytes(first..last.saturating_add(1).min(length))
                }
                (Some(_), "", _) | (Some(_), _, Some(_)) => Part::Nothing,
                _ => Part::Whole,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        for (text, expected) in [
            ("bytes=0-4", Part::Bytes(0..5)),
            ("bytes=5-", Part::Bytes(5..10)),
            ("bytes=-3", Part::Bytes(7..10)),
            ("bytes=-30", Part::Bytes(0..10)),
            ("bytes=8-99999999999999999999999", Part::Bytes(8..10)),
            ("bytes=10-", Part::Nothing),
            ("bytes=10-12", Part::Nothing),
            ("bytes=-0", Part::Nothing),
            ("bytes=4-2", Part::Whole),
            ("bytes=0-1,3-4", Part::Whole),
            ("bytes=a-b", Part::Whole),
            ("bytes=+1-2", Part::Whole),
            ("lines=0-1", Part::Whole),
        ] {
            assert_eq!(Part::of(Some(text), 10), expected, "{text}");
        }
        assert_eq!(Part::of(Some("bytes=-5"), 0), Part::Nothing);
        assert_eq!(Part::of(None, 10), Part::Whole);
    }
}
