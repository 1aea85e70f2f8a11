//! The tree of a file in another version of the standard.
//!
//! Tags get the versions of the other standard. Content whose form differs is rewritten, or refused by name if the other
//! standard has no form for it.

use super::copied_tags::CopiedTags;
use super::copy::check_keys;
use super::schema_keys::SchemaKeys;
use crate::error::{Error, Result, Status};
use crate::file::open::writer_name;
use crate::tags::{self, EXTENSIONS, StandardVersion, versions};
use crate::tree::edit::Content;
use crate::tree::{Key, Kind, NodeId, Style, Tree};
use foldhash::{HashSet, HashSetExt};

use StandardVersion::{V1_1_0, V1_2_0, V1_6_0};

/// URI of the extension with the tags of the standard, without its version.
const CORE_EXTENSION: &str = "asdf://asdf-format.org/core/extensions/core";
/// Key of the entries of a history while they move.
const MOVED_ENTRIES: &str = "history entries on their way";
/// Keys of the root whose values have a type in standards up to 1.1.0, with the names of their tags.
const TYPED_KEYS: [(&str, &str); 3] = [("data", tags::NDARRAY), ("fits", "fits/fits"), ("wcs", "wcs/wcs")];

/// Rewrites a tree for another version of the standard.
///
/// Fails with [`Status::Unsupported`], located at the node, if that standard cannot hold it. The tree is then in no
/// usable state.
pub(in crate::file) fn translate(tree: &mut Tree, from: StandardVersion, to: StandardVersion) -> Result<()> {
    let nodes: Vec<NodeId> = tree.live_nodes().collect();
    if to >= V1_6_0 {
        nodes.iter().try_for_each(|&node| check_keys(tree, node))?;
    }
    let keys = SchemaKeys::of(tree, nodes.iter().copied(), [from, to]);
    name_extensions(tree, to)?;
    if to < V1_2_0 {
        list_history(tree, to)?;
        check_typed_keys(tree, to)?;
    }
    let tags = CopiedTags::of(to);
    let nodes: Vec<NodeId> = tree.live_nodes().collect();
    for &node in &nodes {
        tags.adapt(tree, node).map_err(|error| tree.locate(error, node))?;
    }
    if let Some(keys) = keys {
        keys.translated(tree, nodes.into_iter())?;
    }
    writer_name::name_library(tree, to)
}

/// Makes the history of the root a list of its entries, the only form before standard 1.2.0. That form has no place for
/// the extensions, which tell nothing that the tags do not.
fn list_history(tree: &mut Tree, to: StandardVersion) -> Result<()> {
    let root = tree.root();
    if tree.kind(root) != Kind::Mapping {
        return Ok(());
    }
    let Some(history) = tree.find(root, Key::String("history")) else { return Ok(()) };
    if tree.kind(history) != Kind::Mapping {
        return Ok(());
    }
    let other = tree.items(history).iter().step_by(2).map(|&key| tree.text(key)).find(|key| !is_known_part(key));
    if let Some(other) = other {
        let message = format!("the history has the key '{other}'; in standard {} it is a list of entries", to.as_str());
        return Err(tree.locate(Error::new(Status::Unsupported, message), history));
    }
    let has_entries = tree.find(history, Key::String("entries")).is_some();
    if has_entries {
        tree.move_node(root, "history/entries", MOVED_ENTRIES)?;
    }
    tree.remove(history)?;
    if has_entries {
        tree.rename_key(root, MOVED_ENTRIES, "history")?;
    }
    Ok(())
}

fn is_known_part(key: &str) -> bool {
    matches!(key, "entries" | "extensions")
}

/// Fails if the root has other content under a key than standards up to 1.1.0 have there.
fn check_typed_keys(tree: &Tree, to: StandardVersion) -> Result<()> {
    debug_assert!(to <= V1_1_0, "later standards have no such keys");
    let root = tree.root();
    if tree.kind(root) != Kind::Mapping || !tree.is_tagged(root, tags::ASDF) {
        return Ok(());
    }
    for (key, name) in TYPED_KEYS {
        let Some(value) = tree.find(root, Key::String(key)).map(|value| tree.dealias(value)) else { continue };
        let is_list_of_elements = name == tags::NDARRAY && tree.kind(value) == Kind::Sequence;
        if !tree.is_tagged(value, name) && !is_list_of_elements {
            let message = format!(
                "the key '{key}' of the root holds {name} in standard {}; rename the key or choose standard 1.2.0 or later",
                to.as_str()
            );
            return Err(tree.locate(Error::new(Status::Unsupported, message), value));
        }
    }
    Ok(())
}

/// Gives the extensions in the history the versions that belong to a standard. Extensions that the standard does not
/// have are left out.
fn name_extensions(tree: &mut Tree, to: StandardVersion) -> Result<()> {
    let mut kept: HashSet<String> = HashSet::new();
    for entry in extensions(tree) {
        let Some(uri) = value(tree, tree.dealias(entry), "extension_uri") else { continue };
        if tree.kind(uri) != Kind::Scalar {
            continue;
        }
        let text = tree.text(uri).to_owned();
        let Some((name, version)) = text.rsplit_once('-') else { continue };
        let Some(spans) = versions(EXTENSIONS, name) else { continue };
        let belong = spans.of(to);
        // Unlike the core, other extensions can have newer versions for the same standard.
        let may_be_newer = to >= V1_6_0 && name != CORE_EXTENSION && !spans.has(version);
        let is_known = belong.contains(&version) || may_be_newer;
        let renewed = if is_known { Some(version) } else { belong.last().copied() };
        match renewed.map(|version| [name, "-", version].concat()) {
            // Two versions of an extension can become the same one.
            Some(renewed) if kept.insert(renewed.clone()) => {
                if renewed != text {
                    tree.replace(uri, Content::Scalar(&renewed, Style::Automatic));
                }
            }
            _ => tree.remove(entry)?,
        }
    }
    Ok(())
}

/// Returns the extensions in the history of the root.
fn extensions(tree: &Tree) -> Vec<NodeId> {
    let found = value(tree, tree.root(), "history").and_then(|history| value(tree, history, "extensions"));
    let found = found.filter(|&found| tree.kind(found) == Kind::Sequence && tree.plain_items(found).is_none());
    found.map(|found| tree.items(found).to_vec()).unwrap_or_default()
}

/// Returns the value of a key, if the node is a mapping that has it.
fn value(tree: &Tree, node: NodeId, key: &str) -> Option<NodeId> {
    let is_mapping = tree.kind(node) == Kind::Mapping;
    is_mapping.then(|| tree.find(node, Key::String(key))).flatten().map(|value| tree.dealias(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::tags::{ASTROPY, STANDARD};
    use crate::yaml;

    fn translated(text: &str, from: &str, to: &str) -> Result<String> {
        let version = |text| StandardVersion::from_text(text).unwrap();
        let text = format!("%YAML 1.1\n%TAG ! {STANDARD}\n%TAG !a! {ASTROPY}\n--- !core/asdf-1.1.0\n{text}\n...\n");
        let mut tree = yaml::parse(text, 0, 1, &Limits::default())?.tree;
        tree.remember_original();
        translate(&mut tree, version(from), version(to))?;
        let text = yaml::splice(&tree, &Limits::default())?;
        Ok(text.split_once("---").unwrap().1.replace("...\n", ""))
    }

    #[test]
    fn tags_and_implied_defaults_are_written() {
        let text = "# kept\nt: !core/table-1.0.0\n  columns:\n  - !core/column-1.0.0 {name: a, data: !core/ndarray-1.0.0 [1]}\n\
                    h: !transform/tabular-1.2.0 {lookup_table: [1, 2]}\n";
        let found = translated(text, "1.5.0", "1.6.0").unwrap();
        for part in [
            "# kept",
            "!table/table-1.2.0",
            "!table/column-1.2.0",
            "!core/ndarray-1.1.0 [1]",
            "description: ''",
            "meta: {}",
            "method: linear",
            "bounds_error: true",
            "asdf_library",
        ] {
            assert!(found.contains(part), "{part} in {found}");
        }
        let found = translated("d: !transform/domain-1.0.0 {}", "1.0.0", "1.6.0").unwrap();
        assert!(found.contains("lower: -.inf") && found.contains("includes_upper: false"), "{found}");
    }

    #[test]
    fn history_is_a_list_in_early_standards() {
        let text = "history:\n  extensions:\n  - !core/extension_metadata-1.0.0 {extension_class: x}\n  entries:\n  \
                    - !core/history_entry-1.0.0 {description: made}\nx: 1\n";
        let found = translated(text, "1.6.0", "1.1.0").unwrap();
        assert!(found.starts_with(" !core/asdf-1.0.0"), "{found}");
        assert!(!found.contains("extension") && !found.contains("entries"), "{found}");
        assert!(found.contains("history:") && found.contains("description: made"), "{found}");
        let none = translated("history: {extensions: []}\nx: 1\n", "1.6.0", "1.0.0").unwrap();
        assert!(!none.contains("history"), "{none}");
        let error = translated("history: {notes: 1}\n", "1.6.0", "1.0.0").unwrap_err();
        assert_eq!((error.status(), error.location().path.as_deref()), (Status::Unsupported, Some("/history")));
    }

    #[test]
    fn extensions_have_the_versions_of_the_standard() {
        let entry = |uri: &str| format!("{{extension_class: x, extension_uri: 'asdf://{uri}'}}");
        for (uri, from, to, expected) in [
            (
                "asdf-format.org/core/extensions/core-1.6.0",
                "1.6.0",
                "1.4.0",
                "asdf-format.org/core/extensions/core-1.4.0",
            ),
            (
                "asdf-format.org/core/extensions/core-1.8.0",
                "1.6.0",
                "1.7.0",
                "asdf-format.org/core/extensions/core-1.7.0",
            ),
            ("asdf-format.org/astronomy/extensions/astronomy-1.2.0", "1.6.0", "1.5.0", ""),
            (
                "asdf-format.org/transform/extensions/transform-1.7.0",
                "1.6.0",
                "1.2.0",
                "asdf-format.org/transform/extensions/transform-1.5.0",
            ),
            (
                "asdf-format.org/transform/extensions/transform-1.3.0",
                "1.5.0",
                "1.6.0",
                "asdf-format.org/transform/extensions/transform-1.3.0",
            ),
            (
                "asdf-format.org/transform/extensions/transform-1.9.0",
                "1.6.0",
                "1.7.0",
                "asdf-format.org/transform/extensions/transform-1.9.0",
            ),
            (
                "astropy.org/astropy/extensions/units-1.3.0",
                "1.6.0",
                "1.5.0",
                "astropy.org/astropy/extensions/units-1.0.0",
            ),
            ("example.org/extensions/a-9.0.0", "1.6.0", "1.2.0", "example.org/extensions/a-9.0.0"),
        ] {
            let text = format!("history: {{extensions: [!core/extension_metadata-1.0.0 {}]}}\n", entry(uri));
            let found = translated(&text, from, to).unwrap();
            let is_kept = !expected.is_empty();
            assert_eq!(found.contains("extension_class"), is_kept, "{found}");
            assert!(!is_kept || found.contains(&format!("asdf://{expected}")), "{expected} in {found}");
        }
        // Of two entries that become the same one, the first stays. What others refer to in a removed one stays, too.
        let uri = "asdf-format.org/astronomy/gwcs/extensions/gwcs";
        let [first, second] = ["1.4.0", "1.3.0"].map(|version| entry(&format!("{uri}-{version}")));
        let text = format!("history: {{extensions: [{first}, {second}, &a {{extension_uri: 1}}]}}\nb: *a\n");
        let found = translated(&text, "1.6.0", "1.5.0").unwrap();
        assert_eq!(found.matches("gwcs-1.2.0").count(), 1, "{found}");
        let astronomy = entry("asdf-format.org/astronomy/extensions/astronomy-1.0.0");
        let found = translated(&format!("history: {{extensions: [&a {astronomy}]}}\nb: *a\n"), "1.6.0", "1.5.0");
        assert!(found.as_ref().unwrap().contains("extensions: []"), "{found:?}");
        assert!(found.as_ref().unwrap().contains("b: ") && found.unwrap().contains("astronomy-1.0.0"));
    }

    #[test]
    fn defaults_never_appear() {
        for (text, from, path, key) in [
            ("t: !transform/rotate3d-1.4.0 {phi: 1}", "1.6.0", "/t", "direction"),
            ("t: [!transform/tabular-1.3.0 {method: linear}]", "1.6.0", "/t/0", "bounds_error"),
            ("f: !<tag:stsci.edu:gwcs/spectral_frame-1.2.0> {name: x}", "1.6.0", "/f", "reference_position"),
            ("f: !wcs/spectral_frame-1.1.0 {name: x}", "1.5.0", "/f", "reference_position"),
        ] {
            let error = translated(text, from, "1.4.0").unwrap_err();
            assert_eq!(
                (error.status(), error.location().path.as_deref()),
                (Status::Unsupported, Some(path)),
                "{error}"
            );
            assert!(error.message().contains(&format!("the key '{key}' is missing")), "{error}");
        }
        let complete = translated("t: !transform/rotate3d-1.4.0 {direction: zxz}", "1.6.0", "1.5.0").unwrap();
        assert!(complete.contains("rotate3d-1.3.0 {direction: zxz}"), "{complete}");
        // An empty description or metadata say nothing.
        assert!(translated("t: !table/table-1.2.0 {columns: []}", "1.6.0", "1.5.0").is_ok());
        // Readers of 1.4.0 know the tag, and those of 1.5.0 do not.
        let written = translated("f: !wcs/spectral_frame-1.1.0 {name: x}", "1.4.0", "1.5.0").unwrap();
        assert!(written.contains("reference_position: geocenter"), "{written}");
    }

    #[test]
    fn content_without_a_form_is_refused_by_name() {
        for (text, from, to, path, words) in [
            ("data: 1", "1.6.0", "1.1.0", "/data", "rename the key"),
            ("wcs: {steps: []}", "1.6.0", "1.0.0", "/wcs", "holds wcs/wcs"),
            ("a: [!core/ndarray-1.1.0 {datatype: float16, data: [1]}]", "1.6.0", "1.5.0", "/a/0", "float16"),
            ("a: {1.5: x}", "1.5.0", "1.6.0", "/a", "as keys"),
            ("q: !unit/quantity-1.2.0 {value: 1, unit: m}", "1.6.0", "1.0.0", "/q", "no version"),
        ] {
            let error = translated(text, from, to).unwrap_err();
            assert!(error.message().contains(words), "{error}");
            assert!(error.location().path.as_deref().unwrap_or_default().starts_with(path), "{error:?}");
        }
        assert!(translated("data: !core/ndarray-1.1.0 [1]", "1.6.0", "1.1.0").is_ok());
        assert!(translated("data: 1", "1.6.0", "1.2.0").is_ok());
    }

    #[test]
    fn a_root_that_is_a_list_names_no_library() {
        let text = "%YAML 1.1\n--- [1, !<tag:stsci.edu:asdf/core/ndarray-1.1.0> [2]]\n...\n";
        let mut tree = yaml::parse(text.to_owned(), 0, 1, &Limits::default()).unwrap().tree;
        tree.remember_original();
        translate(&mut tree, StandardVersion::V1_6_0, StandardVersion::V1_5_0).unwrap();
        let found = yaml::splice(&tree, &Limits::default()).unwrap();
        assert!(found.contains("ndarray-1.0.0") && !found.contains("asdf_library"), "{found}");
    }

    #[test]
    fn magnitudes_have_the_form_of_their_version() {
        let found = translated("m: !a!units/magunit-1.1.0 AB", "1.6.0", "1.5.0").unwrap();
        assert!(found.contains("units/magunit-1.0.0>") && found.contains("units/unit-1.0.0> AB}"), "{found}");
    }
}
