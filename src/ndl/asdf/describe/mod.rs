//! Describes an ASDF file: mappings become groups, arrays become ndarrays, scalars and rectangular lists of scalars
//! become attributes.

mod array;
mod attribute;
mod declared;
mod only;
mod values;

use self::array::ArrayParts;
use super::shared::choice::Choice;
use super::shared::names::{EXTENSION, Spellings, name_of_key, pointer};
use super::shared::options::{DescribeOptions, Described, Note};
use super::shared::reference::target;
use super::shared::{mask, sidecar};
use crate::error::{Error, Result};
use crate::file::{File, Node, NodeKey, NodeType};
use crate::ndl::model::path_name;
use crate::ndl::{
    Attribute, Content, Datatype, Description, DimCoord, Elements, Extensions, Group, Named, Ndarray, ROOT, Value,
};
use crate::progress;
use crate::reserve::{push, room_in};
use crate::tree::path::escape;
use std::collections::HashMap;

/// Size in bytes of path names and notes that any tree may have; beyond the limit they are left out. The limit is
/// needed because a path name repeats those of all parent groups.
const FREE_PATHS: usize = 16 << 20;
/// Additional bytes of path names and notes for each node of the tree.
const PATHS_PER_NODE: usize = 32;

/// Describes a file. Reads its blocks only if the options ask for their values.
///
/// Content without a form in NDL is noted and is not an error. Fails if the file is closed, cannot be read or changes; see
/// [`Status::is_of_machine`](crate::Status::is_of_machine). Fails with [`Status::Limit`](crate::Status::Limit) or [`Status::OutOfMemory`](crate::Status::OutOfMemory) if the requested
/// values do not fit into memory. Fails with [`Status::NotFound`](crate::Status::NotFound) if [`DescribeOptions::only`]
/// is not in the file.
///
/// If the file holds a description under the key `ndl`, as [`create`](super::create) writes it, this gives datatypes,
/// shapes and attributes. Values and the stored extents of unlimited dimensions always come from the tree and the
/// blocks.
pub fn describe(file: &File, options: &DescribeOptions) -> Result<Described> {
    let choice = Choice::new(file, options)?;
    let mut described = match sidecar::read(&file.root()?) {
        Ok(None) => describe_tree(file, &choice)?,
        Ok(Some(side)) => declared::complete(file, side, &choice)?,
        Err(error) if !error.is_of_machine() => {
            let mut described = describe_tree(file, &choice)?;
            let message = format!("not a valid description, and ignored: {}", error.message());
            push(&mut described.notes, Note { path: "/ndl".to_owned(), message })?;
            described
        }
        Err(error) => return Err(error),
    };
    if let Some(path) = &options.only {
        only::restrict(&mut described, path, &choice, &file.root()?)?;
    }
    Ok(described)
}

/// Describes the tree alone, without the description in the file.
pub(super) fn describe_tree(file: &File, choice: &Choice) -> Result<Described> {
    walk(file, &Description::default(), &Spellings::default(), choice)
}

/// Describes the tree, except for the arrays and dimension coordinates that `side` declares.
fn walk(file: &File, side: &Description, spellings: &Spellings, choice: &Choice) -> Result<Described> {
    let root = file.root()?;
    let nodes = root.in_tree(|tree, _| tree.node_count())?;
    let mut describer = Describer {
        choice,
        side,
        spellings,
        root: root.clone(),
        out: Described::default(),
        seen: HashMap::new(),
        path_room: Some(nodes.saturating_mul(PATHS_PER_NODE).saturating_add(FREE_PATHS)),
    };
    describer.see(&root, ROOT)?;
    let mut waiting = vec![Waiting { node: root, path: ROOT.to_owned() }];
    while let Some(next) = waiting.pop() {
        let first = waiting.len();
        describer.group(next, &mut waiting)?;
        // Reversed, so that the stack returns the groups in the order of the tree.
        waiting[first..].reverse();
    }
    describer.out.description.flat = describer.out.description.groups.len() == 1;
    Ok(describer.out)
}

/// A mapping or list that becomes a group.
struct Waiting {
    node: Node,
    path: String,
}

struct Describer<'a> {
    choice: &'a Choice<'a>,
    side: &'a Description,
    spellings: &'a Spellings,
    root: Node,
    out: Described,
    /// Path names of the groups and arrays so far, by the identity of their nodes.
    seen: HashMap<u64, String>,
    /// Remaining bytes for path names and notes; `None` after the limit was exceeded.
    path_room: Option<usize>,
}

/// A child node of a group.
struct Child<'a> {
    node: Node,
    /// The key, or the index of the list item.
    key: &'a str,
    /// Path name of the group.
    group: &'a str,
}

impl Child<'_> {
    /// Returns the JSON Pointer of the child, for notes.
    fn pointer(&self) -> String {
        path_name::join(self.group, &escape(self.key))
    }
}

impl Describer<'_> {
    fn note(&mut self, path: String, message: impl Into<String>) -> Result<()> {
        let message = message.into();
        if self.take_bytes(path.len() + message.len())? {
            push(&mut self.out.notes, Note { path, message })?;
        }
        Ok(())
    }

    /// Takes bytes of path names and notes from the limit. Returns false, and adds a last note, when it is exceeded.
    fn take_bytes(&mut self, bytes: usize) -> Result<bool> {
        let Some(room) = self.path_room else { return Ok(false) };
        self.path_room = room.checked_sub(bytes);
        if self.path_room.is_none() {
            let message =
                "path names and notes exceed the limit for a tree of this size; all further ones are left out"
                    .to_owned();
            push(&mut self.out.notes, Note { path: String::new(), message })?;
        }
        Ok(self.path_room.is_some())
    }

    /// Records the path name of a node. Returns the earlier path name if the node was seen before.
    fn see(&mut self, node: &Node, path: &str) -> Result<Option<String>> {
        let identity = node.identity("")?;
        let known = self.seen.get(&identity).cloned();
        if known.is_none() {
            room_in(&mut self.seen, 1)?;
            self.seen.insert(identity, path.to_owned());
        }
        Ok(known)
    }

    /// Returns the `x-asdf` extension for these facts, if the options ask for it.
    fn extensions(&self, facts: Vec<(&'static str, Content)>) -> Extensions {
        if !self.choice.options.annotate || facts.is_empty() {
            return Extensions::new();
        }
        [(EXTENSION, Content::mapping(facts))].into_iter().collect()
    }

    fn group(&mut self, group: Waiting, waiting: &mut Vec<Waiting>) -> Result<()> {
        let Waiting { node, path } = group;
        let is_list = node.node_type("")? == NodeType::Sequence;
        let mut facts = Vec::new();
        if is_list {
            facts.push(("kind", Content::text("sequence")));
        }
        if let (Some(tag), false) = (node.tag("")?, path == ROOT) {
            facts.push(("tag", Content::text(tag)));
        }
        self.out.description.groups.add(path.clone(), Group { listed: true, ..Group::default() })?;
        let mut attributes = Named::new();
        let mut nulls = Vec::new();
        for index in 0..node.count("")? {
            progress::check()?;
            let key = if is_list { index.to_string() } else { text_of_key(node.key("", index)?) };
            if path == ROOT
                && (key == sidecar::KEY
                    || !self.choice.options.all && matches!(key.as_str(), "asdf_library" | "history"))
            {
                continue;
            }
            let child = Child { node: node.item("", index)?, key: &key, group: &path };
            let found = match self.child(&child, waiting) {
                Ok(found) => found,
                Err(error) if !error.is_of_machine() => {
                    self.note(child.pointer(), format!("left out: {}", error.message()))?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            match found {
                Found::Attribute(_) if !path_name::is_attribute_name(&key) => {
                    self.note(child.pointer(), "not a valid name of an attribute; left out")?;
                }
                Found::Attribute(_) if attributes.contains(&key) => {
                    self.note(child.pointer(), "another key has the same text; left out")?;
                }
                Found::Attribute(attribute) => {
                    attributes.add(key, *attribute)?;
                }
                Found::Null if self.side.groups.get(&path).is_some_and(|group| group.attributes.contains(&key)) => {}
                Found::Null => {
                    self.note(child.pointer(), "NDL has no datatype for null; left out")?;
                    push(&mut nulls, Content::text(key))?;
                }
                Found::Elsewhere => {}
            }
        }
        if !nulls.is_empty() {
            facts.push(("null", Content::List(nulls)));
        }
        let extensions = self.extensions(facts);
        if let Some(group) = self.out.description.groups.get_mut(&path) {
            group.attributes = attributes;
            group.extensions = extensions;
        }
        Ok(())
    }

    fn child(&mut self, child: &Child, waiting: &mut Vec<Waiting>) -> Result<Found> {
        let node = &child.node;
        let path = self.path_name(child);
        if let Some(path) = &path
            && (self.side.ndarrays.contains(path) || self.side.dimcoords.contains(path))
        {
            self.see(node, path)?;
            self.declared(node, path)?;
            return Ok(Found::Elsewhere);
        }
        if let Some(uri) = node.reference("")? {
            return self.reference(child, &uri);
        }
        if node.is_array("")? {
            return self.array(child);
        }
        if let Some((mut attribute, facts)) = attribute::of_scalar(node)? {
            attribute.extensions = self.extensions(facts);
            return Ok(Found::Attribute(attribute.into()));
        }
        match node.node_type("")? {
            NodeType::Null => Ok(Found::Null),
            NodeType::Sequence if !path.is_some_and(|path| self.side.groups.contains(&path)) => {
                if let Some(attribute) = self.list(child)? {
                    return Ok(Found::Attribute(attribute.into()));
                }
                // The tree holds some lists in another form than attributes do, for example lists of large integers.
                let group = self.side.groups.get(child.group);
                if group.is_some_and(|group| group.attributes.contains(child.key)) {
                    return Ok(Found::Elsewhere);
                }
                self.new_group(child, waiting)
            }
            _ => self.new_group(child, waiting),
        }
    }

    /// Describes a list as an attribute, if possible.
    fn list(&mut self, child: &Child) -> Result<Option<Attribute>> {
        let found = match attribute::of_references(&child.node, self.choice)? {
            Some(attribute) => Some((attribute, false)),
            None => attribute::of_list(&child.node, self.choice)?,
        };
        let Some((attribute, is_retyped)) = found else { return Ok(None) };
        if is_retyped {
            self.note(child.pointer(), "timestamps and bytes are described as text")?;
        }
        let path = child.node.path()?;
        self.see(&child.node, &path)?;
        Ok(Some(attribute))
    }

    /// Reserves the place of a declared array in the description, and describes the mask inside it.
    fn declared(&mut self, node: &Node, path: &str) -> Result<()> {
        if let Some(mask) = mask::array_in(node)? {
            let name = mask::name_of(path);
            if self.side.ndarrays.contains(&name) {
                self.out.description.ndarrays.add(name, Ndarray::default())?;
            } else {
                self.mask(path, ArrayParts::of_mask(&mask, path, self.choice)?)?;
            }
        }
        if self.side.dimcoords.contains(path) {
            self.out.description.dimcoords.add(path, DimCoord::default())?;
        } else {
            self.out.description.ndarrays.add(path, Ndarray::default())?;
        }
        Ok(())
    }

    /// Adds the mask inside an array as an array of its own. Returns its path name, or `None` if it is taken.
    fn mask(&mut self, array: &str, mask: ArrayParts) -> Result<Option<String>> {
        let name = mask::name_of(array);
        if Error::readable(self.root.at(&pointer(&name)))?.is_some() || self.out.description.contains(&name) {
            self.note(array.to_owned(), format!("the mask is left out: its path name {name} is taken"))?;
            return Ok(None);
        }
        for message in mask.notes {
            self.note(name.clone(), message)?;
        }
        let extensions = self.extensions(mask.facts);
        self.out.description.ndarrays.add(name.clone(), Ndarray { extensions, ..mask.ndarray })?;
        Ok(Some(name))
    }

    fn new_group(&mut self, child: &Child, waiting: &mut Vec<Waiting>) -> Result<Found> {
        let Some(path) = self.path_of(child)? else { return Ok(Found::Elsewhere) };
        if let Some(first) = self.see(&child.node, &path)? {
            return self.second_name(child, first);
        }
        push(waiting, Waiting { node: child.node.clone(), path })?;
        Ok(Found::Elsewhere)
    }

    fn array(&mut self, child: &Child) -> Result<Found> {
        let Some(path) = self.path_of(child)? else { return Ok(Found::Elsewhere) };
        if let Some(first) = self.see(&child.node, &path)? {
            return self.second_name(child, first);
        }
        let mut parts = ArrayParts::of(&child.node, &path, self.choice)?;
        for message in parts.notes {
            self.note(path.clone(), message)?;
        }
        if let Some(mask) = parts.mask
            && let Some(name) = self.mask(&path, *mask)?
        {
            parts.facts.push((mask::KEY, Content::text(name)));
        }
        let mut ndarray = parts.ndarray;
        ndarray.extensions = self.extensions(parts.facts);
        self.out.description.ndarrays.add(path, ndarray)?;
        Ok(Found::Elsewhere)
    }

    /// Returns the path name of a child that becomes a group or an array, or `None` if its key is not a valid name.
    fn path_name(&self, child: &Child) -> Option<String> {
        let path = path_name::join(child.group, &name_of_key(child.key)?);
        Some(if self.spellings.is_empty() { path } else { self.spellings.of(pointer(&path)) })
    }

    /// Returns the path name of a group or an array. Notes an invalid or repeated name and returns `None`.
    fn path_of(&mut self, child: &Child) -> Result<Option<String>> {
        let Some(path) = self.path_name(child) else {
            self.note(child.pointer(), "not a valid name of a group or an array; left out")?;
            return Ok(None);
        };
        if self.out.description.contains(&path) {
            self.note(path, "another key has the same text; left out")?;
            return Ok(None);
        }
        // The path name is stored three times: twice as content and once for look-ups.
        Ok(self.take_bytes(3 * path.len())?.then_some(path))
    }

    fn second_name(&mut self, child: &Child, first: String) -> Result<Found> {
        self.note(child.pointer(), format!("the same node as {first}; described as an objref"))?;
        Ok(Found::Attribute(scalar_reference(first).into()))
    }

    fn reference(&mut self, child: &Child, uri: &str) -> Result<Found> {
        if let Some(path) = target(&self.root, uri)? {
            return Ok(Found::Attribute(scalar_reference(path).into()));
        }
        let to = if uri.starts_with('#') { "a place without a path name" } else { "another file" };
        self.note(child.pointer(), format!("a reference to {to} is described as text"))?;
        let mut attribute = attribute::of_text(uri)?;
        attribute.extensions = self.extensions(vec![("kind", Content::text("reference"))]);
        Ok(Found::Attribute(attribute.into()))
    }
}

enum Found {
    Attribute(Box<Attribute>),
    Null,
    /// A group or an array, which is added elsewhere, or nothing.
    Elsewhere,
}

fn scalar_reference(path: String) -> Attribute {
    let datatype = Datatype::objref();
    let value = Value::scalar(Elements::Objects(vec![Some(path)]), &datatype);
    let value = value.ok();
    Attribute { shape: Some(Vec::new()), datatype: Some(datatype), value, ..Attribute::default() }
}

fn text_of_key(key: NodeKey) -> String {
    match key {
        NodeKey::String(text) | NodeKey::Other(text) => text,
        NodeKey::Integer(number) => number.to_string(),
        NodeKey::Bool(truth) => truth.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ByteOrder;
    use crate::file::OpenOptions;
    use crate::ndl::{DatatypeKind, Size};
    use std::sync::Arc;

    const TREE: &str =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

    fn described(body: &str, options: &DescribeOptions) -> Described {
        let file = File::open_memory(Arc::new(format!("{TREE}{body}\n...\n").into_bytes()), &OpenOptions::default());
        describe(&file.unwrap(), options).unwrap()
    }

    fn attribute<'a>(described: &'a Described, group: &str, name: &str) -> &'a Attribute {
        described.description.groups.get(group).unwrap().attributes.get(name).unwrap()
    }

    fn ndarray<'a>(described: &'a Described, path: &str) -> &'a Ndarray {
        described.description.ndarrays.get(path).unwrap()
    }

    #[test]
    fn scalars_and_rectangular_lists_are_attributes() {
        let found = described(
            "meta: {a: 1, b: 3000000000, c: 1.5, d: yes, e: 2020-01-02, f: [1, 2.5], g: [[1, 2], [3, 4]], h: [], i: null}\n\
             mixed: [1, x]\nragged: [[1], [2, 3]]\nz: !core/complex-1.0.0 1+2j",
            &DescribeOptions { annotate: true, ..DescribeOptions::default() },
        );
        let keyword = |name: &str| attribute(&found, "/meta", name).datatype.as_ref().unwrap().keyword();
        assert_eq!(
            ["a", "b", "c", "d", "e", "f", "g", "h"].map(keyword),
            ["int32", "int64", "float64", "enum", "string", "float64", "int32", "string"]
        );
        assert_eq!(attribute(&found, "/meta", "g").shape, Some(vec![2, 2]));
        assert_eq!(attribute(&found, "/meta", "h").shape, Some(vec![0]));
        assert_eq!(attribute(&found, "/meta", "d").value.as_ref().unwrap().elements(), &Elements::Constants(vec![1]));
        assert_eq!(attribute(&found, "/mixed", "1").datatype, Some(Datatype::string()));
        assert_eq!(attribute(&found, "/ragged", "1").shape, Some(vec![2]));
        assert_eq!(attribute(&found, "/", "z").datatype.as_ref().unwrap().keyword(), "compound");
        assert_eq!(
            found.notes,
            [Note { path: "/meta/i".into(), message: "NDL has no datatype for null; left out".into() }]
        );
        let groups = &found.description.groups;
        let order: Vec<&str> = groups.iter().map(|(path, _)| path).collect();
        assert_eq!(order, ["/", "/meta", "/mixed", "/ragged"]);
        let facts = groups.get("/mixed").unwrap().extensions.get(EXTENSION).unwrap();
        assert_eq!(facts, &Content::mapping([("kind", Content::text("sequence"))]));
    }

    #[test]
    fn arrays_keep_shape_datatype_storage_and_inline_values() {
        let found = described(
            "a/b: !core/ndarray-1.1.0 {data: [1, 2, -9], datatype: int16, mask: -9}\n\
             t: !core/ndarray-1.1.0 {data: [[M1, 1.5], [M22, 2]], datatype: [[ascii, 3], float32]}\n\
             m: !core/ndarray-1.1.0 {data: [1, 2], mask: !core/ndarray-1.1.0 {data: [yes, no]}}\n\
             n: !core/ndarray-1.1.0 {data: [1, 2], mask: !core/ndarray-1.1.0 {data: [yes, no]}}\nn.mask: 1\n\
             again: {$ref: '#/t'}\nfar: {$ref: 'other.asdf#/x'}",
            &DescribeOptions::default(),
        );
        let first = ndarray(&found, "/a~1b");
        assert_eq!(first.value.as_ref().unwrap().elements(), &Elements::Integers(vec![1, 2, -9]));
        assert_eq!(first.storage.fillvalue.as_ref().unwrap().elements(), &Elements::Integers(vec![-9]));
        assert_eq!(first.storage.endian, None::<ByteOrder>);
        let table = ndarray(&found, "/t");
        let texts = Elements::Texts(["M1", "M22"].into_iter().collect());
        let columns = Elements::Compound(vec![texts, Elements::Float32(vec![1.5, 2.0])]);
        assert_eq!(table.value.as_ref().unwrap().elements(), &columns);
        assert_eq!(table.storage.charset.as_deref(), Some("ascii"));
        let Some(DatatypeKind::Compound(members)) = table.datatype.as_ref().map(Datatype::kind) else { panic!() };
        assert!(members.iter().map(|(name, _)| name).eq(["f0", "f1"]));
        assert_eq!(ndarray(&found, "/m.mask").shape.as_ref().unwrap()[0].extent, Size::Fixed(2));
        let reference = attribute(&found, "/", "again").value.as_ref().unwrap().elements();
        assert_eq!(reference, &Elements::Objects(vec![Some("/t".to_owned())]));
        assert_eq!(attribute(&found, "/", "far").datatype, Some(Datatype::string()));
        let noted: Vec<&str> = found.notes.iter().map(|note| note.path.as_str()).collect();
        assert_eq!(noted, ["/a~1b", "/n", "/far"]);
    }

    #[test]
    fn references_to_places_without_a_path_name_are_text() {
        let found = described("a: {$ref: '#/b//c'}\nb: {c: [{$ref: '#//: x'}]}", &DescribeOptions::default());
        assert_eq!(attribute(&found, "/", "a").datatype, Some(Datatype::string()));
        let text = found.description.to_text(&crate::ndl::TextOptions::default()).unwrap();
        assert!(crate::ndl::parse(text.as_bytes(), &crate::ndl::ReadOptions::default()).is_valid(), "{text}");
    }

    #[test]
    fn shared_nodes_and_cycles_are_described_once() {
        let found =
            described("a: &a {b: {c: *a}, d: &d [{}]}\ne: *d\nf: &f [1, 2]\ng: *f", &DescribeOptions::default());
        let object = |group: &str, name: &str| match attribute(&found, group, name).value.as_ref().unwrap().elements() {
            Elements::Objects(paths) => paths[0].clone().unwrap(),
            _ => panic!(),
        };
        assert_eq!(object("/a/b", "c"), "/a");
        assert!(found.description.groups.contains("/e") || object("/", "e") == "/a/d");
        assert_eq!(attribute(&found, "/", "f"), attribute(&found, "/", "g"));
    }

    #[test]
    fn errors_in_the_file_are_noted() {
        let found = described(
            "lost: !core/ndarray-1.1.0 {source: 7, datatype: int8, shape: [2]}\n'': {}\n'.': [1, x]\n1: a\n'1': b\nok: 1",
            &DescribeOptions::default(),
        );
        let paths: Vec<&str> = found.notes.iter().map(|note| note.path.as_str()).collect();
        assert_eq!(paths, ["/lost", "/", "/.", "/1"]);
        assert_eq!(attribute(&found, "/", "ok").value.as_ref().unwrap().elements(), &Elements::Integers(vec![1]));
    }
}
