//! Rules of ASDF for trees beyond those of YAML: the root must be a mapping, and tags should be valid in other files as
//! well.

use crate::error::{Error, Result, Status, Warning};
use crate::tree::{Kind, Tree};

/// Maximum number of warnings about local tags; a tree can have millions of them.
const MAX_LOCAL_TAGS: usize = 20;

/// Checks a tree and returns warnings. Fails with [`Status::Tree`] if the root is a scalar.
pub(super) fn check(tree: &Tree) -> Result<Vec<Warning>> {
    let root = tree.root();
    let mut warnings = Vec::new();
    match tree.kind(root) {
        Kind::Mapping => {}
        Kind::Sequence => warnings.push(Warning {
            message: "the root of the tree is a list, but should be a mapping".into(),
            location: tree.location(root),
        }),
        Kind::Scalar | Kind::Alias => {
            let error = Error::new(Status::Tree, "the root of the tree is a single value, but must be a mapping");
            return Err(tree.locate(error, root));
        }
    }
    let local = tree.tags().filter(|tag| tag.len() > 1 && tag.starts_with('!'));
    warnings.extend(local.take(MAX_LOCAL_TAGS).map(|tag| {
        Warning::new(format!("the tag '{tag}' has no meaning outside this file: no %TAG line declares its handle"))
    }));
    Ok(warnings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, yaml};

    fn look(document: &str) -> Result<Vec<Warning>> {
        let text = format!("%YAML 1.1\n%TAG !a! tag:a.org:\n--- {document}\n...\n");
        check(&yaml::parse(text, 0, 1, &Limits::default()).unwrap().tree)
    }

    #[test]
    fn the_root_is_a_mapping() {
        assert!(look("").unwrap().is_empty());
        assert!(look("{a: 1}").unwrap().is_empty());
        assert_eq!(look("[1]").unwrap().len(), 1);
        for scalar in ["5", "''", "~"] {
            assert_eq!(look(scalar).unwrap_err().status(), Status::Tree, "{scalar}");
        }
    }

    #[test]
    fn each_local_tag_gives_one_warning() {
        assert!(look("{a: !<tag:b.org:c> 1, b: !a!d 2, c: !!str 3, d: ! 4}").unwrap().is_empty());
        let warnings = look("{a: !x 1, b: [!x 2, !y {}]}").unwrap();
        assert_eq!(warnings.len(), 2);
        assert!(warnings[0].message.contains("'!x'"));
        let many: String = (0..1000).map(|number| format!("!t{number} 0, ")).collect();
        assert_eq!(look(&format!("{{a: [{many}]}}")).unwrap().len(), MAX_LOCAL_TAGS);
    }
}
