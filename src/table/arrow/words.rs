//! Words for Arrow types that columns cannot have, for messages: their format strings are read by programs only.

/// Returns what the values of a format string are, with the conversion that makes a column of them.
pub(super) fn values_of(format: &str) -> String {
    let mut parts = format.splitn(2, ':');
    let (kind, parameters) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match kind {
        "z" | "Z" | "vz" => "bytes".to_owned(),
        "w" => format!("groups of {} bytes", parameters.escape_debug()),
        "d" => "decimal numbers; convert them to float64".to_owned(),
        "tdD" | "tdm" => "dates; convert them to texts, such as 2027-01-31".to_owned(),
        "tts" | "ttm" | "ttu" | "ttn" => "times of day; convert them to texts".to_owned(),
        "tss" | "tsm" | "tsu" | "tsn" => {
            let zone = match parameters {
                "" => String::new(),
                zone => format!(" of the time zone {}", zone.escape_debug()),
            };
            format!("timestamps in {}{zone}; convert them to texts, such as 2027-01-31T04:05:06.7", unit_of(kind))
        }
        "tDs" | "tDm" | "tDu" | "tDn" => {
            format!("durations in {}; convert them to integers, and set the unit of the column", unit_of(kind))
        }
        "tiM" | "tiD" | "tin" => "calendar intervals; convert them to texts".to_owned(),
        "+s" => "structs; make a column of each field".to_owned(),
        "+m" => "maps; convert them to texts of JSON".to_owned(),
        "+ud" | "+us" => "values of several types (a union)".to_owned(),
        "+r" => "run-end encoded values; decode them first".to_owned(),
        "+l" | "+L" | "+w" => "lists in a dictionary; decode them first".to_owned(),
        "+vl" | "+vL" => "list views; convert them to lists".to_owned(),
        _ => format!("values of the Arrow type '{}'", format.escape_debug()),
    }
}

/// Returns the unit of a timestamp or duration, which the last letter of its type tells.
fn unit_of(kind: &str) -> &'static str {
    match kind.as_bytes().last() {
        Some(b's') => "seconds",
        Some(b'm') => "milliseconds",
        Some(b'u') => "microseconds",
        _ => "nanoseconds",
    }
}

#[cfg(test)]
mod tests {
    use super::values_of;

    #[test]
    fn types_have_words() {
        let of = |format| values_of(format);
        assert!(of("tsu:").starts_with("timestamps in microseconds; convert them to texts"));
        assert!(of("tsn:Europe/Paris").starts_with("timestamps in nanoseconds of the time zone Europe/Paris;"));
        assert!(of("tDs").starts_with("durations in seconds;"));
        assert_eq!(of("w:16"), "groups of 16 bytes");
        assert!(of("d:10,2").starts_with("decimal numbers"));
        for format in ["z", "tdD", "ttu", "tiM", "+s", "+m", "+us:1,2", "+r", "+vl"] {
            assert!(!of(format).contains(format), "{format}: {}", of(format));
        }
        assert_eq!(of("?\n"), "values of the Arrow type '?\\n'");
    }
}
