//! Tags that exist, for those who set tags by hand.

use super::transforms::newest_minor;
use super::{STANDARD, STANDARD_TAGS, TRANSFORM, YAML, transforms, versions};
use crate::error::{Error, Result, Status};
use crate::hint;

/// Types of YAML 1.1. Those of other languages, such as `python/tuple`, have a `/`.
const YAML_TYPES: [&str; 15] = [
    "binary",
    "bool",
    "float",
    "int",
    "map",
    "merge",
    "null",
    "omap",
    "pairs",
    "seq",
    "set",
    "str",
    "timestamp",
    "value",
    "yaml",
];

/// Minor versions of transforms are at most so high.
const MOST_MINOR: u64 = 9;

/// Returns the full form of a tag: a leading `!` abbreviates a tag of the standard, `!!` one of YAML.
///
/// Fails with [`Status::InvalidArgument`] for a text that is no tag, and for a tag of the standard or of YAML that does
/// not exist, with the one that was probably meant.
pub(crate) fn full_tag(tag: &str) -> Result<String> {
    let full = match (tag.strip_prefix("!!"), tag.strip_prefix('!')) {
        (Some(kind), _) => [YAML, kind].concat(),
        (None, Some(short)) => [STANDARD, short].concat(),
        (None, None) => tag.to_owned(),
    };
    if full.is_empty() || tag == "!" || full.chars().any(|character| character.is_control() || character == ' ') {
        return Err(invalid(format!("'{}' cannot be a tag", tag.escape_debug())));
    }
    if !has_scheme(&full) {
        let meant = if check_standard(tag).is_ok() { format!("; did you mean '!{tag}'?") } else { String::new() };
        let message = format!("'{tag}' is neither a full tag, which begins like 'tag:' or 'asdf:', nor the short form");
        return Err(invalid(format!("{message} of a tag of the standard, which begins with '!'{meant}")));
    }
    if let Some(short) = full.strip_prefix(STANDARD) {
        check_standard(short)?;
    }
    if let Some(kind) = full.strip_prefix(YAML).filter(|kind| !kind.contains('/') && !YAML_TYPES.contains(kind)) {
        let meant = hint::similar(kind, YAML_TYPES.into_iter());
        return Err(invalid(format!("YAML has no type '{kind}'{meant}")));
    }
    Ok(full)
}

fn invalid(message: String) -> Error {
    Error::new(Status::InvalidArgument, message)
}

/// Returns whether a text begins with the scheme of a URI.
fn has_scheme(text: &str) -> bool {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
}

/// Fails unless the standard has a tag of this name and version, such as `unit/unit-1.0.0`.
fn check_standard(short: &str) -> Result<()> {
    let (name, version) = short.rsplit_once('-').unwrap_or((short, ""));
    let transform = name.strip_prefix(TRANSFORM);
    if let Some(spans) = versions(STANDARD_TAGS, name) {
        if spans.has(version) {
            return Ok(());
        }
        let mut known: Vec<&str> = spans.all().collect();
        known.dedup();
        return Err(invalid(format!("the standard has no version '{version}' of {name}; it has {}", known.join(", "))));
    }
    if transform.is_some_and(|transform| newest_minor(transform).is_some()) {
        let minor = version.strip_prefix("1.").and_then(|rest| rest.strip_suffix(".0")).map(str::parse::<u64>);
        return match minor {
            Some(Ok(0..=MOST_MINOR)) => Ok(()),
            _ => {
                Err(invalid(format!("the standard has no version '{version}' of {name}; it has 1.0.0 and later ones")))
            }
        };
    }
    let transforms = transforms::names().map(|transform| [TRANSFORM, transform].concat());
    let names = STANDARD_TAGS.iter().map(|(name, _)| (*name).to_owned()).chain(transforms);
    Err(invalid(format!("the standard has no tag '{name}'{}", hint::similar(name, names))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_exist_are_accepted() {
        for (tag, full) in [
            ("!unit/quantity-1.2.0", "tag:stsci.edu:asdf/unit/quantity-1.2.0"),
            ("tag:stsci.edu:asdf/core/ndarray-1.0.0", "tag:stsci.edu:asdf/core/ndarray-1.0.0"),
            ("!transform/shift-1.4.0", "tag:stsci.edu:asdf/transform/shift-1.4.0"),
            ("!transform/property/bounding_box-1.1.0", "tag:stsci.edu:asdf/transform/property/bounding_box-1.1.0"),
            ("!wcs/step-1.2.0", "tag:stsci.edu:asdf/wcs/step-1.2.0"),
            ("!!set", "tag:yaml.org,2002:set"),
            ("tag:yaml.org,2002:python/tuple", "tag:yaml.org,2002:python/tuple"),
            ("asdf://chord.ca/tags/frame-1.0.0", "asdf://chord.ca/tags/frame-1.0.0"),
            ("tag:stsci.edu:gwcs/anything-9.0.0", "tag:stsci.edu:gwcs/anything-9.0.0"),
        ] {
            assert_eq!(full_tag(tag).unwrap(), full);
        }
    }

    #[test]
    fn tags_that_do_not_exist_are_refused_with_the_one_that_was_meant() {
        for (tag, words) in [
            ("unit/quantity-1.2.0", "did you mean '!unit/quantity-1.2.0'?"),
            ("anything", "neither a full tag"),
            ("!unit/quantitty-1.2.0", "did you mean 'unit/quantity'?"),
            ("!unit/quantity-1.9.0", "it has 1.1.0, 1.2.0, 1.3.0"),
            ("!unit/quantity", "no version ''"),
            ("tag:stsci.edu:asdf/core/ndaray-1.0.0", "did you mean 'core/ndarray'?"),
            ("!transform/shfit-1.2.0", "did you mean 'transform/shift'?"),
            ("!transform/shift-2.0.0", "no version '2.0.0'"),
            ("!!omapp", "did you mean 'omap'?"),
            ("!", "cannot be a tag"),
            ("", "cannot be a tag"),
            ("!core/a b", "cannot be a tag"),
        ] {
            let error = full_tag(tag).unwrap_err();
            assert_eq!(error.status(), Status::InvalidArgument);
            assert!(error.message().contains(words), "{tag}: {}", error.message());
        }
    }
}
