//! URIs of schemas (RFC 3986): references against a base. They are names only; nothing is ever fetched.

/// Returns the URI without its fragment, and the fragment.
pub(in crate::schema) fn split_fragment(uri: &str) -> (&str, &str) {
    uri.split_once('#').unwrap_or((uri, ""))
}

/// Resolves a reference against a base URI. URIs without `//`, such as those with the schemes `tag` and `urn`, only
/// take a fragment.
pub(in crate::schema) fn join(base: &str, reference: &str) -> String {
    let (base, _) = split_fragment(base);
    if reference.is_empty() || has_scheme(reference) || base.is_empty() {
        return if reference.is_empty() { base.to_owned() } else { reference.to_owned() };
    }
    if reference.starts_with('#') {
        return format!("{base}{reference}");
    }
    let Some((scheme, rest)) = base.split_once("//") else {
        return match has_scheme(base) {
            true => reference.to_owned(),
            false => joined_path(base, reference),
        };
    };
    if let Some(rest) = reference.strip_prefix("//") {
        return format!("{scheme}//{rest}");
    }
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let path = if path.is_empty() { "/" } else { path };
    format!("{scheme}//{authority}{}", joined_path(path, reference))
}

/// Resolves a relative reference against a path.
fn joined_path(path: &str, reference: &str) -> String {
    let end = reference.find(['?', '#']).unwrap_or(reference.len());
    let (target, more) = reference.split_at(end);
    if target.is_empty() {
        return format!("{path}{more}");
    }
    let folder = path.rfind('/').map_or("", |slash| path.get(..=slash).unwrap_or_default());
    let whole = if target.starts_with('/') { target.to_owned() } else { format!("{folder}{target}") };
    format!("{}{more}", without_dots(&whole))
}

/// Removes the segments `.` and `..` from a path.
fn without_dots(path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    let mut ends_in_folder = false;
    for segment in path.split('/') {
        ends_in_folder = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => {
                if segments.len() > 1 {
                    segments.pop();
                }
            }
            segment => segments.push(segment),
        }
    }
    if ends_in_folder {
        segments.push("");
    }
    segments.join("/")
}

/// Returns whether the text begins with the name of a scheme and a colon.
fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else { return false };
    let mut letters = scheme.bytes();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|next| next.is_ascii_alphanumeric() || b"+-.".contains(&next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_against_the_base() {
        let base = "http://stsci.edu/schemas/asdf/unit/quantity-1.1.0";
        for (reference, expected) in [
            ("unit-1.0.0", "http://stsci.edu/schemas/asdf/unit/unit-1.0.0"),
            ("../core/ndarray-1.0.0#/anyOf/1", "http://stsci.edu/schemas/asdf/core/ndarray-1.0.0#/anyOf/1"),
            ("#/definitions/a", "http://stsci.edu/schemas/asdf/unit/quantity-1.1.0#/definitions/a"),
            ("/x", "http://stsci.edu/x"),
            ("//other/x", "http://other/x"),
            ("asdf://a/b-1.0.0", "asdf://a/b-1.0.0"),
            ("", base),
            ("../../../../../x", "http://stsci.edu/x"),
            (".", "http://stsci.edu/schemas/asdf/unit/"),
        ] {
            assert_eq!(join(base, reference), expected, "{reference}");
        }
        assert_eq!(join("asdf://a/schemas/x-1.0.0#", "y-1.0.0"), "asdf://a/schemas/y-1.0.0");
        assert_eq!(join("urn:uuid:1", "#foo"), "urn:uuid:1#foo");
        assert_eq!(join("", "item.json"), "item.json");
        assert_eq!(join("nested/foo.json", "string.json"), "nested/string.json");
        assert_eq!(join("http://localhost:1234", "x.json"), "http://localhost:1234/x.json");
    }
}
