//! Recognizes dates and times. They are kept as text; nothing is converted.

/// Returns whether plain text has the form of a date, or of a date with time.
pub(super) fn is_implicit(text: &str) -> bool {
    match fields(text) {
        // Without a time, month and day must have two digits.
        Some(Fields { time: None, .. }) => text.len() == 10,
        Some(_) => true,
        None => false,
    }
}

/// Returns whether the day and the time exist in the proleptic Gregorian calendar, from the year 1.
pub(super) fn is_possible(text: &str) -> bool {
    let Some(fields) = fields(text) else { return false };
    let leap = fields.year % 4 == 0 && (fields.year % 100 != 0 || fields.year % 400 == 0);
    let days = match fields.month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    let time = fields.time.is_none_or(|[hour, minute, second]| hour < 24 && minute < 60 && second < 60);
    fields.year > 0 && (1..=days).contains(&fields.day) && time && fields.zone_minutes < 24 * 60
}

struct Fields {
    year: u32,
    month: u32,
    day: u32,
    time: Option<[u32; 3]>,
    zone_minutes: u32,
}

fn fields(text: &str) -> Option<Fields> {
    let mut rest = Rest(text.as_bytes());
    let year = rest.digits(4, 4)?;
    rest.skip(b'-')?;
    let month = rest.digits(1, 2)?;
    rest.skip(b'-')?;
    let day = rest.digits(1, 2)?;
    let mut fields = Fields { year, month, day, time: None, zone_minutes: 0 };
    if rest.0.is_empty() {
        return Some(fields);
    }
    if rest.skip(b'T').or_else(|| rest.skip(b't')).is_none() && rest.blanks() == 0 {
        return None;
    }
    let hour = rest.digits(1, 2)?;
    rest.skip(b':')?;
    let minute = rest.digits(2, 2)?;
    rest.skip(b':')?;
    fields.time = Some([hour, minute, rest.digits(2, 2)?]);
    if rest.skip(b'.').is_some() {
        while rest.digits(1, 9).is_some() {}
    }
    if rest.0.is_empty() {
        return Some(fields);
    }
    rest.blanks();
    if rest.skip(b'Z').is_none() {
        rest.skip(b'+').or_else(|| rest.skip(b'-'))?;
        fields.zone_minutes = 60 * rest.digits(1, 2)?;
        if rest.skip(b':').is_some() {
            fields.zone_minutes += rest.digits(2, 2)?;
        }
    }
    rest.0.is_empty().then_some(fields)
}

/// Remaining bytes of the text.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn skip(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    fn blanks(&mut self) -> usize {
        let count = self.0.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        self.0 = &self.0[count..];
        count
    }

    /// Reads a number of at least `least` and at most `most` digits.
    fn digits(&mut self, least: usize, most: usize) -> Option<u32> {
        let count = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        if count < least {
            return None;
        }
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        Some(digits.iter().fold(0, |value, digit| 10 * value + u32::from(digit - b'0')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_recognized() {
        for text in ["2020-01-02", "2020-1-2T3:04:05", "2020-01-02 03:04:05.123456789012 +1", "2020-1-2\t3:04:05.Z"] {
            assert!(is_implicit(text), "{text}");
        }
        for text in ["2020-1-2", "2020-01-02T", "2020-01-02 03:04", "2020-01-02T 3:04:05", "20-01-02", "2020-01-02 "] {
            assert!(!is_implicit(text), "{text}");
        }
    }

    #[test]
    fn impossible_days_are_known() {
        for text in ["2020-02-29", "2000-02-29", "2020-1-2", "0001-01-01", "2020-12-31 23:59:59 -23:59"] {
            assert!(is_possible(text), "{text}");
        }
        for text in [
            "2021-02-29",
            "1900-02-29",
            "2020-13-02",
            "2020-00-01",
            "0000-01-01",
            "2020-1-2 24:00:00",
            "2020-1-2 1:00:00+24",
        ] {
            assert!(!is_possible(text), "{text}");
        }
    }
}
