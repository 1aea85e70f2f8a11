//! Suggestions in error messages: the word that was probably meant, and the format that a file probably has.

/// Candidates beyond this number are not compared, so that a failed look-up costs microseconds.
const MAX_CANDIDATES: usize = 200;
/// Longest word in characters that is compared.
const MAX_LENGTH: usize = 40;

/// Returns "; did you mean 'x'?" for the candidate that is most similar to `word`, or nothing if none is similar.
pub(crate) fn similar<T: AsRef<str>>(word: &str, candidates: impl Iterator<Item = T>) -> String {
    // One error in a short word, one in three characters of a longer one.
    let limit = (word.len() / 3).clamp(1, 3);
    let is_comparable = |candidate: &T| {
        let shares_end = |a: Option<u8>, b: Option<u8>| a.map(|byte| byte | 0x20) == b.map(|byte| byte | 0x20);
        let (a, b) = (word.as_bytes(), candidate.as_ref().as_bytes());
        a.len().abs_diff(b.len()) <= limit
            && b.len() <= MAX_LENGTH
            && (shares_end(a.first().copied(), b.first().copied()) || shares_end(a.last().copied(), b.last().copied()))
    };
    let distance = |candidate: &T| strsim::osa_distance(&word.to_lowercase(), &candidate.as_ref().to_lowercase());
    let nearest = candidates
        .take(MAX_CANDIDATES)
        .filter(is_comparable)
        .map(|candidate| (distance(&candidate), candidate))
        .min_by_key(|&(distance, _)| distance);
    match nearest {
        Some((distance, candidate)) if distance <= limit => format!("; did you mean '{}'?", candidate.as_ref()),
        _ => String::new(),
    }
}

/// Returns the format that the first bytes of a file belong to, as in "an HDF5 file", if they are known.
pub(crate) fn file_format(bytes: &[u8]) -> Option<&'static str> {
    let starts: [(&[u8], &str); 9] = [
        (b"#ASDF ", "an ASDF file"),
        (b"# %ECSV", "an ECSV table"),
        (b"SIMPLE  =", "a FITS file"),
        (b"\x89HDF", "an HDF5 file"),
        (b"CDF\x01", "a netCDF file"),
        (b"CDF\x02", "a netCDF file"),
        (b"CDF\x05", "a netCDF file"),
        (b"\x1F\x8B", "a file compressed with gzip"),
        (b"PK\x03\x04", "a zip archive"),
    ];
    starts.iter().find(|(start, _)| bytes.starts_with(start)).map(|&(_, format)| format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_word_is_suggested() {
        let keys = ["exposure", "time", "times", "telescope", "ra"];
        let suggestion = |word: &str| similar(word, keys.into_iter());
        assert_eq!(suggestion("tme"), "; did you mean 'time'?");
        assert_eq!(suggestion("Time"), "; did you mean 'time'?");
        assert_eq!(suggestion("exposrue"), "; did you mean 'exposure'?");
        assert_eq!(suggestion("telecsope"), "; did you mean 'telescope'?");
        for other in ["", "dec", "filter", "x", &"e".repeat(1_000_000)] {
            assert_eq!(suggestion(other), "");
        }
    }

    #[test]
    fn formats_are_known_by_their_first_bytes() {
        assert_eq!(file_format(b"\x89HDF\r\n\x1A\n"), Some("an HDF5 file"));
        assert_eq!(file_format(b"#ASDF 1.0.0\n"), Some("an ASDF file"));
        assert_eq!(file_format(b"# comment"), None);
        assert_eq!(file_format(b""), None);
    }
}
