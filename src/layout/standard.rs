//! Versions of the ASDF standard, as declared by the line `#ASDF_STANDARD`.

use crate::tags::StandardVersion;

/// The version of the standard that a file declares, and the known version by which it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standard {
    /// The text of the declaration, if there is one.
    pub declared: Option<String>,
    /// The known version by which the file is read: 1.0.0 without a declaration.
    pub effective: StandardVersion,
}

impl Standard {
    /// Parses a comment (without its `#`). Returns `None` if it does not declare a standard.
    pub(super) fn from_comment(comment: &str) -> Option<Standard> {
        let mut words = comment.split_whitespace();
        let (Some("ASDF_STANDARD"), Some(text), None) = (words.next(), words.next(), words.next()) else {
            return None;
        };
        let version = SemanticVersion::parse(text)?;
        let effective = StandardVersion::from_text(text).unwrap_or_else(|| nearest(&version));
        Some(Standard { declared: Some(text.to_owned()), effective })
    }

    /// Returns the standard of a file without a declaration.
    pub(super) fn undeclared() -> Standard {
        Standard { declared: None, effective: StandardVersion::V1_0_0 }
    }

    /// Returns whether the library knows the declared version.
    pub(crate) fn is_known(&self) -> bool {
        self.declared.as_deref().is_none_or(|text| text == self.effective.as_str())
    }
}

/// Returns the known version by which a file of an unknown version is read: the newest stable version that is not
/// above it, or 1.0.0.
fn nearest(unknown: &SemanticVersion) -> StandardVersion {
    StandardVersion::ALL
        .into_iter()
        .filter(|known| *known <= StandardVersion::NEWEST_STABLE)
        .rfind(|known| SemanticVersion::parse(known.as_str()).is_some_and(|known| known.numbers <= unknown.numbers))
        .unwrap_or(StandardVersion::V1_0_0)
}

/// A version as <https://semver.org> defines it.
pub(super) struct SemanticVersion {
    pub(super) numbers: [u64; 3],
    /// True if a pre-release or build part follows the numbers.
    pub(super) suffixed: bool,
}

impl SemanticVersion {
    pub(super) fn parse(text: &str) -> Option<SemanticVersion> {
        let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
        let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
        let identifiers = |part: &str, zeros: bool| {
            part.split('.').all(|word| {
                let digits = word.bytes().all(|byte| byte.is_ascii_digit());
                !word.is_empty()
                    && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                    && (zeros || !digits || number(word).is_some())
            })
        };
        if build.is_some_and(|build| !identifiers(build, true)) || pre.is_some_and(|pre| !identifiers(pre, false)) {
            return None;
        }
        let mut words = core.split('.');
        let numbers = [number(words.next()?)?, number(words.next()?)?, number(words.next()?)?];
        words.next().is_none().then_some(SemanticVersion { numbers, suffixed: build.is_some() || pre.is_some() })
    }
}

fn number(word: &str) -> Option<u64> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    // A number too large for `u64` is still a valid version, only a very new one.
    (plain && !word.is_empty()).then(|| word.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semantic_versions() {
        for good in ["1.0.0", "0.0.0", "1.2.3-dev", "1.2.3-a.1+b.01", "99999999999999999999999.0.0"] {
            assert!(SemanticVersion::parse(good).is_some(), "{good}");
        }
        for bad in ["", "1", "1.0", "1.0.0.0", "01.0.0", "1.0.x", "1.0.0-", "1.0.0-01", "1.0.0+", "-1.0.0", "1..0"] {
            assert!(SemanticVersion::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn unknown_standards_fall_to_a_known_one() {
        let effective = |text: &str| Standard::from_comment(&format!("ASDF_STANDARD {text}")).unwrap().effective;
        assert_eq!(effective("1.9.0"), StandardVersion::V1_6_0);
        assert_eq!(effective("1.4.7"), StandardVersion::V1_4_0);
        assert_eq!(effective("0.9.0"), StandardVersion::V1_0_0);
        assert_eq!(effective("1.7.0"), StandardVersion::V1_7_0);
        assert_eq!(Standard::from_comment("ASDF_STANDARD banana"), None);
        assert_eq!(Standard::from_comment("ASDF_STANDARD 1.0.0 x"), None);
    }
}
