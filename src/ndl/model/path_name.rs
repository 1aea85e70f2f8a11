//! Names and path names of groups, arrays and dimension coordinates.

/// The path name of the root group.
pub const ROOT: &str = "/";

/// Whether a group, array or dimension coordinate may have this name: not empty, no `/`, no NUL, not `.` and not `..`.
pub(crate) fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\0'])
}

/// Whether an attribute may have this name: not empty, no NUL.
pub(crate) fn is_attribute_name(name: &str) -> bool {
    !name.is_empty() && !name.contains('\0')
}

/// Whether a group may have this path name: `/`, or names that each follow a `/`.
pub(crate) fn is_group_path(path: &str) -> bool {
    path == ROOT || path.strip_prefix('/').is_some_and(|names| names.split('/').all(is_name))
}

/// The path name of what has this name in a group.
pub(crate) fn join(group: &str, name: &str) -> String {
    if group == ROOT { format!("/{name}") } else { format!("{group}/{name}") }
}

/// The path name of the group that something is in, and its name there; nothing for the root and what is no path name.
pub(crate) fn split(path: &str) -> Option<(&str, &str)> {
    let (group, name) = path.rsplit_once('/')?;
    (!name.is_empty()).then_some((if group.is_empty() { ROOT } else { group }, name))
}

/// The groups that something is in, the nearest first and the root last.
pub(crate) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(split(path), |(group, _)| split(group)).map(|(group, _)| group)
}

/// A name that keeps to its line.
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
    fn path_names_are_put_together_and_taken_apart() {
        for (group, name, path) in [("/", "a", "/a"), ("/a", "b", "/a/b")] {
            assert_eq!(join(group, name), path);
            assert_eq!(split(path), Some((group, name)));
        }
        assert_eq!(split("/"), None);
        assert!(ancestors("/a/b/c").eq(["/a/b", "/a", "/"]));
        assert_eq!(ancestors("/").count(), 0);
    }
}
