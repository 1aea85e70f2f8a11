//! Names and path names of groups, arrays and dimension coordinates.

/// Path name of the root group.
pub const ROOT: &str = "/";

/// Returns true for a valid name of a group, array or dimension coordinate: not empty, not `.` or `..`, no `/`, no NUL.
pub(crate) fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\0'])
}

/// Returns true for a valid name of an attribute: not empty, no NUL.
pub(crate) fn is_attribute_name(name: &str) -> bool {
    !name.is_empty() && !name.contains('\0')
}

/// Returns true for a valid path name of a group: `/`, or valid names that each follow a `/`.
pub(crate) fn is_group_path(path: &str) -> bool {
    path == ROOT || path.strip_prefix('/').is_some_and(|names| names.split('/').all(is_name))
}

/// Returns the path name of a member of a group.
pub(crate) fn join(group: &str, name: &str) -> String {
    if group == ROOT { format!("/{name}") } else { format!("{group}/{name}") }
}

/// Returns the path name of the parent group and the name within it; `None` for the root and for text without a `/` or
/// a name.
pub(crate) fn split(path: &str) -> Option<(&str, &str)> {
    let (group, name) = path.rsplit_once('/')?;
    (!name.is_empty()).then_some((if group.is_empty() { ROOT } else { group }, name))
}

/// Iterates over the path names of the parent groups, the nearest first and the root last.
pub(crate) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(split(path), |(group, _)| split(group)).map(|(group, _)| group)
}

/// Escapes control characters, so that the name stays on one line.
pub(crate) fn one_line(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if character.is_control() {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_names_have_no_second_spelling() {
        for path in ["/", "/a", "/a b/c.d", "/0", "/...", "/é"] {
            assert!(is_group_path(path), "{path}");
        }
        for path in ["", "a", "//", "/a/", "/a//b", "/a/../b", "/./c", "/a\0"] {
            assert!(!is_group_path(path), "{path}");
        }
    }

    #[test]
    fn path_names_are_joined_and_split() {
        for (group, name, path) in [("/", "a", "/a"), ("/a", "b", "/a/b")] {
            assert_eq!(join(group, name), path);
            assert_eq!(split(path), Some((group, name)));
        }
        assert_eq!(split("/"), None);
        assert!(ancestors("/a/b/c").eq(["/a/b", "/a", "/"]));
        assert_eq!(ancestors("/").count(), 0);
    }
}
