//! Programs and extensions that took part in a file: `core/software`, `core/extension_metadata`.

use crate::error::{Error, Result, Status};
use crate::file::{File, Node, NodeType, Software};
use crate::standard::time::read_node::optional;
use crate::tags::{self, standard_tag};

/// A program that a tree names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoftwareEntry {
    /// Name of the program.
    pub name: String,
    /// Version of the program.
    pub version: String,
    /// Author of the program; empty if the file does not tell.
    pub author: String,
    /// Homepage of the program; empty if the file does not tell.
    pub homepage: String,
}

impl SoftwareEntry {
    /// Reads the programs at `path`, seen from a node: a `core/software`, also without its tag, or a list of them, as
    /// under `asdf_library`, and under `software` of a history entry.
    ///
    /// Fails with [`Status::WrongType`] for any other node.
    pub fn read(node: &Node, path: &str) -> Result<Vec<SoftwareEntry>> {
        let node = node.at(path)?.resolved()?;
        match node.node_type("")? {
            NodeType::Sequence => node.children()?.map(|child| entry(&child.resolved()?)).collect(),
            _ => Ok(vec![entry(&node)?]),
        }
    }

    /// Stores one program at `path`, seen from a node, with the tag of the file's standard.
    pub fn set(node: &Node, path: &str, software: &Software) -> Result<()> {
        let tag = standard_tag(tags::SOFTWARE, node.file().standard_version())?;
        node.setting(path, || {
            let place = node.make(path)?;
            place.set_tag("", None)?;
            place.set_mapping("", true)?;
            let pairs = [
                ("name", Some(software.name)),
                ("version", Some(software.version)),
                ("author", software.author),
                ("homepage", software.homepage),
            ];
            for (key, value) in pairs {
                if let Some(value) = value {
                    place.set_string(key, value)?;
                }
            }
            place.set_tag("", Some(&tag))
        })
    }
}

fn entry(node: &Node) -> Result<SoftwareEntry> {
    if node.foreign_tag("")?.is_some_and(|tag| tags::name_of(&tag) != Some(tags::SOFTWARE)) {
        return Err(refused(node));
    }
    let text = |key| -> Result<Option<String>> { optional(node, key)?.map(|value| value.text("")).transpose() };
    let Some(name) = text("name")? else { return Err(refused(node)) };
    Ok(SoftwareEntry {
        name,
        version: text("version")?.unwrap_or_default(),
        author: text("author")?.unwrap_or_default(),
        homepage: text("homepage")?.unwrap_or_default(),
    })
}

fn refused(node: &Node) -> Error {
    node.locate(Error::new(Status::WrongType, "the node does not name a program"))
}

/// An extension of the ASDF standard that a file needs.
#[derive(Clone, Copy, Debug)]
pub struct Extension<'a> {
    /// Name of the class or of the code that implements the extension.
    pub class: &'a str,
    /// URI of the extension.
    pub uri: Option<&'a str>,
    /// Package that implements the extension.
    pub software: Option<Software<'a>>,
}

impl Extension<'_> {
    /// Records the extension in the history of a file, as a `core/extension_metadata`. An entry with the same URI, or
    /// without one with the same class, is replaced.
    ///
    /// Fails with [`Status::Unsupported`] in files of the standards 1.0.0 and 1.1.0, which have no extensions.
    pub fn add_to(&self, file: &File) -> Result<()> {
        let tag = standard_tag(tags::EXTENSION, file.standard_version())?;
        let root = file.root()?;
        root.setting("history/extensions", || {
            let entries = extensions_to_add_to(&root)?;
            let mut place = None;
            for (index, entry) in entries.children()?.enumerate() {
                let (key, own) = self.uri.map_or(("extension_class", self.class), |uri| ("extension_uri", uri));
                let known = optional(&entry.resolved()?, key)?.map(|value| value.text("")).transpose()?;
                let has_uri = optional(&entry.resolved()?, "extension_uri")?.is_some();
                if known.as_deref() == Some(own) && (self.uri.is_some() || !has_uri) {
                    place = Some(entries.at(&index.to_string())?);
                }
            }
            let place = place.map_or_else(|| entries.make("-"), Ok)?;
            place.set_tag("", None)?;
            place.set_mapping("", false)?;
            place.set_string("extension_class", self.class)?;
            if let Some(uri) = self.uri {
                place.set_string("extension_uri", uri)?;
            }
            if let Some(software) = &self.software {
                SoftwareEntry::set(&place, "software", software)?;
            }
            place.set_tag("", Some(&tag))
        })
    }
}

impl File {
    /// Returns the list of the extensions that the file was written with, each a `core/extension_metadata` with
    /// `extension_class`, and possibly `extension_uri`, `software` and others. Fails with [`Status::NotFound`] if there is
    /// none.
    pub fn extensions(&self) -> Result<Node> {
        let history = self.root()?.at("history")?.resolved()?;
        history.at("extensions")?.resolved()
    }
}

/// Returns the list for new extensions, which is made if it is missing. The entries of a history in the old form are
/// moved beside it.
fn extensions_to_add_to(root: &Node) -> Result<Node> {
    if let Some(history) = optional(root, "history")? {
        if history.node_type("")? == NodeType::Sequence {
            let entries = root.file().for_copies().root()?;
            entries.copy_from("entries", &history, None)?;
            history.set_mapping("", false)?;
            history.copy_from("entries", &entries.at("entries")?, None)?;
        }
        if let Some(extensions) = optional(&history, "extensions")? {
            if extensions.node_type("")? != NodeType::Sequence {
                let message = "the extensions of the history are not a list";
                return Err(extensions.locate(Error::new(Status::WrongType, message)));
            }
            return Ok(extensions);
        }
    }
    let place = root.make("history/extensions")?;
    place.set_sequence("", false)?;
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{NewOptions, StandardVersion};

    const PROGRAM: Software = Software { name: "pipe", version: "2.1", author: Some("we"), homepage: None };

    #[test]
    fn programs_are_stored_and_read() {
        let root = File::new(&NewOptions::default()).root().unwrap();
        SoftwareEntry::set(&root, "by", &PROGRAM).unwrap();
        assert_eq!(root.tag("by").unwrap().as_deref(), Some("tag:stsci.edu:asdf/core/software-1.0.0"));
        let [entry] = &SoftwareEntry::read(&root, "by").unwrap()[..] else { panic!("one program") };
        assert_eq!((&*entry.name, &*entry.version, &*entry.author, &*entry.homepage), ("pipe", "2.1", "we", ""));
        root.set_sequence("list", false).unwrap();
        root.set_string("list/-/name", "other").unwrap();
        SoftwareEntry::set(&root, "list/-", &PROGRAM).unwrap();
        let names: Vec<String> =
            SoftwareEntry::read(&root, "list").unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["other", "pipe"]);
        root.set_f64("number", 5.0).unwrap();
        for path in ["number", "list/0/name", ""] {
            assert_eq!(SoftwareEntry::read(&root, path).unwrap_err().status(), Status::WrongType, "{path}");
        }
    }

    #[test]
    fn extensions_are_recorded_once() {
        let file = File::new(&NewOptions::default());
        assert_eq!(file.extensions().unwrap_err().status(), Status::NotFound);
        let extension = Extension { class: "a.B", uri: Some("asdf://x.org/e-1.0.0"), software: Some(PROGRAM) };
        extension.add_to(&file).unwrap();
        Extension { class: "a.B", uri: None, software: None }.add_to(&file).unwrap();
        Extension { class: "a.C", ..extension }.add_to(&file).unwrap();
        let entries = file.extensions().unwrap();
        assert_eq!((entries.count("").unwrap(), entries.string("0/extension_class").unwrap()), (2, "a.C".to_owned()));
        assert_eq!(SoftwareEntry::read(&entries, "0/software").unwrap()[0].version, "2.1");
        file.add_history("begun", None, None).unwrap();
        Extension { class: "a.B", uri: None, software: None }.add_to(&file).unwrap();
        assert_eq!((file.extensions().unwrap().count("").unwrap(), file.history().unwrap().count("").unwrap()), (2, 1));
        let old = File::new(&NewOptions { standard: StandardVersion::V1_1_0, ..NewOptions::default() });
        assert_eq!(extension.add_to(&old).unwrap_err().status(), Status::Unsupported);
        // The old form of a history keeps its entries.
        let file = File::new(&NewOptions::default());
        file.root().unwrap().set_string("history/-/description", "old").unwrap();
        extension.add_to(&file).unwrap();
        assert_eq!(file.history().unwrap().string("0/description").unwrap(), "old");
        assert_eq!(file.extensions().unwrap().count("").unwrap(), 1);
    }
}
