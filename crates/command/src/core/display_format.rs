//! Display formats of columns: the notation of printf (`%8.3f`) and that of Python (`{:.3f}`, `.3f`), as astropy has them.

/// A number or a text to show.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shown<'a> {
    /// An integer or a truth value.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(&'a str),
}

/// A format that was understood. Text before and after the value is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DisplayFormat {
    before: String,
    after: String,
    fill: char,
    align: Option<char>,
    /// `+`, a blank, or nothing.
    sign: Option<char>,
    zeros: bool,
    alternate: bool,
    comma: bool,
    width: usize,
    precision: Option<usize>,
    /// Letter of the conversion; `None` for the usual text.
    kind: Option<char>,
}

/// Largest width and precision that are followed.
const MOST: usize = 100;

impl DisplayFormat {
    /// Reads a format; `None` for one that is not understood.
    pub(crate) fn parse(text: &str) -> Option<DisplayFormat> {
        if let Some(start) = text.find('%').filter(|_| !text.contains('{')) {
            return printf(&text[..start], &text[start + 1..]);
        }
        if let Some(start) = text.find('{') {
            let end = start + text[start..].find('}')?;
            let inner = &text[start + 1..end];
            let spec = inner.split_once(':').map_or("", |(_, spec)| spec);
            let made = python(spec)?;
            return Some(DisplayFormat { before: text[..start].to_owned(), after: text[end + 1..].to_owned(), ..made });
        }
        python(text)
    }

    /// Returns the value in this format; `None` if the format is for other values.
    pub(crate) fn apply(&self, value: &Shown) -> Option<String> {
        let body = match (value, self.kind) {
            (Shown::Text(text), None | Some('s')) => {
                text.chars().take(self.precision.unwrap_or(usize::MAX)).collect::<String>()
            }
            (Shown::Text(_), _) | (_, Some('s')) => return None,
            (Shown::Integer(number), None | Some('d')) if self.precision.is_none() => {
                self.signed(*number < 0, number.unsigned_abs().to_string())
            }
            (Shown::Integer(number), Some(kind @ ('x' | 'X' | 'o' | 'b'))) => {
                let digits = number.unsigned_abs();
                let (mark, text) = match kind {
                    'x' => ("0x", format!("{digits:x}")),
                    'X' => ("0X", format!("{digits:X}")),
                    'o' => ("0o", format!("{digits:o}")),
                    _ => ("0b", format!("{digits:b}")),
                };
                let mark = if self.alternate { mark } else { "" };
                self.signed(*number < 0, format!("{mark}{text}"))
            }
            (Shown::Float(number), Some('d')) => self.signed(*number < 0.0, format!("{:.0}", number.trunc().abs())),
            (Shown::Float(number), _) => self.float(*number)?,
            (Shown::Integer(number), _) => self.float(*number as f64)?,
        };
        let is_text = matches!(value, Shown::Text(_));
        Some(format!("{}{}{}", self.before, self.padded(body, is_text), self.after))
    }

    fn float(&self, number: f64) -> Option<String> {
        let size = number.abs();
        let precision = self.precision.unwrap_or(6);
        let text = match self.kind {
            _ if !number.is_finite() => if number.is_nan() { "nan" } else { "inf" }.to_owned(),
            Some('f' | 'F') => format!("{size:.precision$}"),
            Some('e' | 'E') => exponential(size, precision),
            Some('%') => format!("{:.precision$}%", size * 100.0),
            Some('g' | 'G' | 'n') => general(size, precision, self.alternate),
            None if self.precision.is_some() => general(size, precision, self.alternate),
            None => format!("{size:?}"),
            _ => return None,
        };
        let text = if self.kind.is_some_and(|kind| kind.is_ascii_uppercase()) { text.to_uppercase() } else { text };
        Some(self.signed(number.is_sign_negative() && !number.is_nan(), text))
    }

    /// Adds the sign, the commas, and zeros up to the width.
    fn signed(&self, is_negative: bool, mut digits: String) -> String {
        if self.comma {
            let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
            for place in (1..end).rev().filter(|place| (end - place).is_multiple_of(3)) {
                digits.insert(place, ',');
            }
        }
        let sign = if is_negative { "-".to_owned() } else { self.sign.map(String::from).unwrap_or_default() };
        let is_number = digits.starts_with(|character: char| character.is_ascii_digit());
        let zeros = if self.zeros && self.align.is_none() && is_number {
            self.width.saturating_sub(sign.len() + digits.len())
        } else {
            0
        };
        format!("{sign}{}{digits}", "0".repeat(zeros))
    }

    fn padded(&self, body: String, is_text: bool) -> String {
        let missing = self.width.saturating_sub(body.chars().count());
        let fill = |count: usize| self.fill.to_string().repeat(count);
        match self.align.unwrap_or(if is_text { '<' } else { '>' }) {
            '<' => body + &fill(missing),
            '^' => fill(missing / 2) + &body + &fill(missing - missing / 2),
            _ => fill(missing) + &body,
        }
    }
}

/// Characters that remain to be read.
struct Rest<'a>(&'a str);

impl Rest<'_> {
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let first = self.0.chars().next().filter(|first| wanted(*first))?;
        self.0 = &self.0[first.len_utf8()..];
        Some(first)
    }

    fn number(&mut self) -> Option<usize> {
        let end = self.0.find(|character: char| !character.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        digits.parse().ok().filter(|number| *number <= MOST)
    }

    /// Reads a dot and the number after it; a dot alone is 0.
    fn precision(&mut self) -> Option<Option<usize>> {
        if self.take(|first| first == '.').is_none() {
            return Some(None);
        }
        if !self.0.starts_with(|first: char| first.is_ascii_digit()) {
            return Some(Some(0));
        }
        self.number().map(Some)
    }
}

/// Reads the part of a printf format after its `%`.
fn printf(before: &str, text: &str) -> Option<DisplayFormat> {
    let mut format =
        DisplayFormat { before: before.to_owned(), fill: ' ', align: Some('>'), ..DisplayFormat::default() };
    let mut rest = Rest(text);
    while let Some(flag) = rest.take(|first| "-+ 0#".contains(first)) {
        match flag {
            '-' => format.align = Some('<'),
            '0' => format.zeros = true,
            '#' => format.alternate = true,
            sign => format.sign = Some(sign),
        }
    }
    // Zeros on the left belong between sign and digits.
    if format.zeros && format.align == Some('>') {
        format.align = None;
    }
    if rest.0.starts_with(|first: char| first.is_ascii_digit()) {
        format.width = rest.number()?;
    }
    format.precision = rest.precision()?;
    while rest.take(|first| "hlLqjzt".contains(first)).is_some() {}
    let kind = rest.take(|first| "diufFeEgGsxXo".contains(first))?;
    format.kind = Some(if matches!(kind, 'i' | 'u') { 'd' } else { kind });
    format.after = rest.0.replace("%%", "%");
    Some(format)
}

/// Reads a format specification of Python, such as `>8.3f`.
fn python(text: &str) -> Option<DisplayFormat> {
    let mut format = DisplayFormat { fill: ' ', ..DisplayFormat::default() };
    let mut rest = Rest(text);
    let mut start = text.chars();
    let (first, second) = (start.next(), start.next());
    if let (Some(fill), Some('<' | '>' | '^' | '=')) = (first, second) {
        (format.fill, format.align) = (fill, second);
        rest.0 = &text[fill.len_utf8() + 1..];
    } else if let Some(align) = rest.take(|first| "<>^=".contains(first)) {
        format.align = Some(align);
    }
    if let Some(sign) = rest.take(|first| "+- ".contains(first)) {
        format.sign = Some(sign).filter(|sign| *sign != '-');
    }
    format.alternate = rest.take(|first| first == '#').is_some();
    format.zeros = rest.take(|first| first == '0').is_some();
    if format.align == Some('=') {
        (format.align, format.zeros) = (None, format.fill == '0');
        format.fill = ' ';
    }
    if rest.0.starts_with(|first: char| first.is_ascii_digit()) {
        format.width = rest.number()?;
    }
    format.comma = rest.take(|first| first == ',').is_some();
    format.precision = rest.precision()?;
    format.kind = rest.take(|first| "dfFeEgGnsxXob%".contains(first));
    rest.0.is_empty().then_some(format)
}

/// Returns a number as `1.50e+03`.
fn exponential(size: f64, precision: usize) -> String {
    let text = format!("{size:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// Returns a number with so many digits, in the shorter notation, as `%g`.
fn general(size: f64, precision: usize, keeps_zeros: bool) -> String {
    let digits = precision.max(1);
    let scientific = exponential(size, digits - 1);
    let exponent: i32 = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') && !keeps_zeros {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let (mantissa, power) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
        return format!("{}e{power}", trimmed(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent) as usize;
    trimmed(&format!("{size:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected texts are those of Python.
    #[test]
    fn formats_give_the_texts_of_python() {
        for (format, value, expected) in [
            ("%8.3f", Shown::Float(1.5), "   1.500"),
            ("%-8.3f|", Shown::Float(1.5), "1.500   |"),
            ("%08.2f", Shown::Float(-1.5), "-0001.50"),
            ("%+.1e", Shown::Float(1500.0), "+1.5e+03"),
            ("%g", Shown::Float(0.0001), "0.0001"),
            ("%g", Shown::Float(1e-5), "1e-05"),
            ("%.3g", Shown::Float(123456.0), "1.23e+05"),
            ("%5d", Shown::Integer(42), "   42"),
            ("%d km", Shown::Integer(-7), "-7 km"),
            ("%x", Shown::Integer(255), "ff"),
            ("%.2f", Shown::Integer(3), "3.00"),
            ("%d", Shown::Float(2.9), "2"),
            ("{:.2f}", Shown::Float(2.345), "2.35"),
            ("{:>8}", Shown::Text("a"), "       a"),
            ("{:*^7.1f}", Shown::Float(1.25), "**1.2**"),
            (".3f", Shown::Float(1.0), "1.000"),
            ("8.3f", Shown::Float(1.0), "   1.000"),
            ("{:,}", Shown::Integer(1234567), "1,234,567"),
            ("{:,.1f}", Shown::Float(1234.56), "1,234.6"),
            ("{:.1%}", Shown::Float(0.25), "25.0%"),
            ("%s", Shown::Text("x"), "x"),
            ("%10s", Shown::Text("x"), "         x"),
            ("%.2f", Shown::Float(f64::NAN), "nan"),
            ("{:e}", Shown::Float(0.0), "0.000000e+00"),
        ] {
            let found = DisplayFormat::parse(format).and_then(|made| made.apply(&value));
            assert_eq!(found.as_deref(), Some(expected), "{format}");
        }
        assert_eq!(DisplayFormat::parse("%y"), None);
        assert_eq!(DisplayFormat::parse("{:abc}"), None);
        assert_eq!(DisplayFormat::parse("%d").unwrap().apply(&Shown::Text("a")), None);
    }
}
