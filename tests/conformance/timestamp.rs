//! Dates and times of YAML 1.1, converted to the form of Python's `isoformat`.

/// Returns the ISO form of a date or a date with time: `T` between them, fractions cut to six digits and omitted if
/// zero, zones as `+hh:mm`.
pub(crate) fn iso(text: &str) -> Option<String> {
    let date_end = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
    let (date, rest) = text.split_at(date_end);
    let mut numbers = date.split('-');
    let date = format!("{}-{}-{}", numbers.next()?, two_digits(numbers.next()?), two_digits(numbers.next()?));
    let time = rest.trim_start_matches(['T', 't', ' ', '\t']);
    if time.is_empty() {
        return Some(date);
    }
    let zone_start = time.find(['Z', 'z', '+', '-', ' ', '\t']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone_start);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let mut numbers = clock.split(':');
    let (hour, minute, second) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let fraction = match fraction.get(..6).unwrap_or(fraction) {
        "" => String::new(),
        digits => format!(".{digits:0<6}"),
    };
    Some(format!("{date}T{}:{minute}:{second}{fraction}{}", two_digits(hour), zone_of(zone.trim())?))
}

fn zone_of(text: &str) -> Option<String> {
    match text {
        "" => Some(String::new()),
        "Z" | "z" => Some("+00:00".into()),
        _ => {
            let (sign, zone) = text.split_at_checked(1)?;
            let (hours, minutes) = zone.split_once(':').unwrap_or((zone, "00"));
            Some(format!("{sign}{}:{minutes}", two_digits(hours)))
        }
    }
}

fn two_digits(number: &str) -> String {
    format!("{number:0>2}")
}
