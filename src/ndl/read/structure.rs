//! Reads the structure of the document: groups, sections and their entries.

use super::entities::{Body, Entity, EntityKind};
use super::hints;
use super::objects::{Object, Objects};
use super::reader::{Pair, Reader, shown};
use crate::ndl::model::path_name;
use crate::ndl::{Code, Description, Extensions, Group, Named, ROOT, is_extension_key};
use crate::reserve::{insert, push, room_for};
use crate::tree::Kind;
use std::collections::HashSet;

/// One group, as written.
struct GroupPart<'r> {
    path: &'r str,
    /// The key of the group; `None` for the content of the root at the top level.
    key: Option<Pair<'r>>,
    is_kept: bool,
    attributes: Option<Pair<'r>>,
    dimcoords: Option<Pair<'r>>,
    ndarrays: Option<Pair<'r>>,
    extensions: Extensions,
}

impl<'r> GroupPart<'r> {
    fn new(path: &'r str, key: Option<Pair<'r>>) -> GroupPart<'r> {
        GroupPart {
            path,
            key,
            is_kept: true,
            attributes: None,
            dimcoords: None,
            ndarrays: None,
            extensions: Extensions::new(),
        }
    }

    /// Takes a section. Returns false if the key is not that of a section.
    fn take(&mut self, pair: Pair<'r>) -> bool {
        match pair.name {
            "attributes" => self.attributes = Some(pair),
            "dimcoords" => self.dimcoords = Some(pair),
            "ndarrays" => self.ndarrays = Some(pair),
            _ => return false,
        }
        true
    }
}

impl<'r> Reader<'r, '_> {
    /// Reads the whole description. Returns `None` if the path names exceed the budget, or the system refused memory.
    pub(super) fn read_document(mut self) -> Option<Description> {
        let mut description = Description { groups: Named::new(), ..Description::new() };
        let parts = self.parts(&mut description)?;
        let mut objects = self.add_groups(&parts, &mut description)?;
        let (mut dimcoords, mut ndarrays) = (Vec::new(), Vec::new());
        for part in &parts {
            self.add_entities(part, EntityKind::DimCoord, part.dimcoords, &mut dimcoords, &mut objects)?;
            self.add_entities(part, EntityKind::Ndarray, part.ndarrays, &mut ndarrays, &mut objects)?;
        }
        self.read_entities((dimcoords, ndarrays), &mut objects, &mut description)?;
        for part in parts {
            let attributes = self.attributes(part.attributes, part.path, &objects);
            if let Some(group) = description.groups.get_mut(part.path).filter(|_| part.is_kept) {
                self.held(group.attributes.append(attributes))?;
                self.held(group.extensions.append(part.extensions))?;
            }
        }
        Some(description)
    }

    /// Collects the groups in the order of the text. The content of the root at the top level comes first.
    /// Returns `None` if the system refused memory.
    fn parts(&mut self, description: &mut Description) -> Option<Vec<GroupPart<'r>>> {
        let mut bare = GroupPart::new(ROOT, None);
        let mut first_bare = None;
        let mut groups = Vec::new();
        for pair in self.pairs(self.tree.root()) {
            if bare.take(pair) {
                first_bare.get_or_insert(pair);
            } else if pair.name.starts_with('/') {
                let group = self.group(pair);
                self.held(push(&mut groups, group))?;
            } else if is_extension_key(pair.name) {
                self.extend(&mut description.extensions, pair);
            } else {
                let hint = if self.kind(pair.value) == Kind::Mapping && hints::key(pair.name).is_none() {
                    format!("; the path name of a group must begin with a slash: '/{}'", shown(pair.name))
                } else {
                    String::new()
                };
                self.unknown_key("", pair, &hint);
            }
        }
        description.flat = groups.is_empty();
        if let Some(first) = first_bare {
            let listed = groups.iter().find_map(|group| group.key.filter(|_| group.path == ROOT));
            if let Some(root) = listed {
                let message = "the root group '/' is listed, so its sections must not be at the top level";
                self.report(Code::MixedRoot, ROOT, root.key, message);
            } else if !groups.is_empty() {
                let message = "sections at the top level next to groups are read as sections of the root group '/'";
                self.report(Code::MixedRootForm, ROOT, first.key, message);
            }
        }
        if description.flat || first_bare.is_some() {
            self.held(room_for(&mut groups, 1))?;
            groups.insert(0, bare);
        }
        Some(groups)
    }

    fn group(&mut self, pair: Pair<'r>) -> GroupPart<'r> {
        let mut part = GroupPart::new(pair.name, Some(pair));
        if !path_name::is_group_path(pair.name) {
            part.is_kept = false;
            let message = "a group path must be '/' or names that each follow a slash; '', '.' and '..' are not names";
            self.report(Code::GroupPath, pair.name, pair.key, message);
        }
        match self.kind(pair.value) {
            Kind::Mapping => {}
            _ if self.is_null(pair.value) => return part,
            _ => {
                let message = "the value of a group must be a mapping with the keys attributes, dimcoords and ndarrays";
                self.report_value(Code::GroupType, pair.name, pair, message);
                return part;
            }
        }
        for inner in self.pairs(pair.value) {
            if part.take(inner) {
                continue;
            }
            if is_extension_key(inner.name) {
                self.extend(&mut part.extensions, inner);
                continue;
            }
            let hint = if self.kind(inner.value) == Kind::Mapping && hints::key(inner.name).is_none() {
                let path = path_name::join(pair.name, inner.name.trim_start_matches('/'));
                format!("; write a nested group as a separate key at the top level: '{}'", shown(&path))
            } else {
                String::new()
            };
            self.unknown_key(pair.name, inner, &hint);
        }
        part
    }

    /// Reports an unknown key. `hint` replaces the suggestion of a similar key.
    pub(super) fn unknown_key(&mut self, place: &str, pair: Pair, hint: &str) {
        let word = match hints::key(pair.name) {
            Some(key) if hint.is_empty() => format!("; did you mean '{key}'?"),
            _ => String::new(),
        };
        let message = format!("there is no key '{}' here{hint}{word}", shown(pair.name));
        self.report(Code::UnknownKey, place, pair.key, message);
    }

    /// Adds the listed groups and their parent groups.
    fn add_groups(&mut self, parts: &[GroupPart], description: &mut Description) -> Option<Objects> {
        let mut objects = Objects::default();
        let kept = || parts.iter().filter(|part| part.is_kept);
        let mut listed = HashSet::new();
        for part in kept() {
            self.held(insert(&mut listed, part.path))?;
        }
        description.groups.insert(ROOT, Group { listed: listed.contains(ROOT), ..Group::default() });
        self.held(objects.add(ROOT, Object::Group))?;
        for part in kept() {
            let mut new = Vec::new();
            let paths = std::iter::once(part.path).chain(path_name::ancestors(part.path));
            for path in paths.take_while(|path| objects.get(path).is_none()) {
                self.keep_path(path.len(), part.key)?;
                self.held(push(&mut new, path))?;
            }
            for path in new.into_iter().rev() {
                if !listed.contains(path) {
                    self.held(description.groups.add(path, Group::default()))?;
                }
                self.held(objects.add(path, Object::Group))?;
                let twin = self.held(objects.normalised_twin(path))?;
                if let (Some(pair), Some(twin)) = (part.key, twin) {
                    self.report_twin(path, &twin, pair);
                }
            }
            if part.path != ROOT {
                self.held(description.groups.add(part.path, Group { listed: true, ..Group::default() }))?;
            }
        }
        Some(objects)
    }

    /// Takes the length of a path name from the budget. Reports an error and returns `None` if the budget is exceeded.
    fn keep_path(&mut self, length: usize, pair: Option<Pair>) -> Option<()> {
        if self.budget.keep(length) {
            return Some(());
        }
        let near = pair.map_or(self.tree.root(), |pair| pair.key);
        self.report(
            Code::Limit,
            "",
            near,
            "all path names together are much longer than the text, which exceeds the limit",
        );
        None
    }

    pub(super) fn report_twin(&mut self, place: &str, twin: &str, pair: Pair) {
        let message = format!("the name differs from '{}' only by Unicode normalisation", shown(twin));
        self.report(Code::NameNfc, place, pair.key, message);
    }

    /// Iterates over the pairs of a section, which may be empty.
    pub(super) fn section(
        &mut self,
        section: Option<Pair<'r>>,
        place: &str,
    ) -> impl Iterator<Item = Pair<'r>> + use<'r> {
        if let Some(section) = section
            && self.kind(section.value) != Kind::Mapping
            && !self.is_null(section.value)
        {
            let message = format!("'{}' must be a mapping", section.name);
            self.report_value(Code::SectionType, place, section, message);
        }
        self.optional_pairs(section)
    }

    fn add_entities(
        &mut self,
        part: &GroupPart<'r>,
        kind: EntityKind,
        section: Option<Pair<'r>>,
        entities: &mut Vec<Entity<'r>>,
        objects: &mut Objects,
    ) -> Option<()> {
        for pair in self.section(section, part.path) {
            self.keep_path(part.path.len().saturating_add(pair.name.len()), Some(pair))?;
            let path = path_name::join(part.path, pair.name);
            let mut is_kept = part.is_kept;
            if !path_name::is_name(pair.name) {
                is_kept = false;
                let message =
                    "a name needs at least one character, must not contain a slash or NUL, and must not be '.' or '..'";
                self.report(Code::Name, &path, pair.key, message);
            }
            let object = match kind {
                EntityKind::DimCoord => Object::DimCoord { size: Default::default(), stored: None },
                EntityKind::Ndarray => Object::Ndarray { limits: None },
            };
            if is_kept && !self.held(objects.add(&path, object))? {
                is_kept = false;
                let message = "a group, a dimension coordinate or another array has the same path name";
                self.report(Code::NameClash, &path, pair.key, message);
            }
            let twin = if is_kept { self.held(objects.normalised_twin(&path))? } else { None };
            if let Some(twin) = twin {
                self.report_twin(&path, &twin, pair);
            }
            let mut body = Body::default();
            if self.kind(pair.value) == Kind::Mapping {
                body = self.body(kind, &path, pair.value);
            } else {
                let message = "the value of an array or a dimension coordinate must be a mapping";
                self.report_value(Code::EntityType, &path, pair, message);
                body.is_missing = true;
            }
            self.held(push(entities, Entity { group: part.path, path, pair, body, is_kept }))?;
        }
        Some(())
    }
}
