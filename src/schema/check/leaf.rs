//! Rules that concern one node and apply no other schema.

use super::arrays::Arrays;
use super::casting::is_safe;
use super::failure::Detail;
use crate::array::Datatype;
use crate::error::{Error, Result, Status};
use crate::reserve;
use crate::schema::language::rule::Rule;
use crate::schema::language::value::{self, Members, Number, Types, equal, fingerprint};
use crate::schema::pattern::TooCostly;
use crate::tree::{Key, Kind, NodeId, Tree};
use foldhash::{HashMap, HashMapExt};
use std::cmp::Ordering;

/// Maximum number of comparisons of one rule.
const MAX_COMPARISONS: u64 = 1 << 24;

/// A node to check, and the tree of the schema.
pub(super) struct Leaf<'a> {
    pub(super) schema: &'a Tree,
    pub(super) tree: &'a Tree,
    /// The node, which is not an alias.
    pub(super) node: NodeId,
    pub(super) types: Types,
    pub(super) members: &'a Members<'a>,
    pub(super) arrays: &'a dyn Arrays,
}

impl Leaf<'_> {
    /// Returns what is wrong with the node, if the rule forbids it. Rules that apply schemas find nothing here.
    pub(super) fn check(&self, rule: &Rule) -> Result<Option<Detail>> {
        let (tree, node) = (self.tree, self.node);
        let fails = |failed: bool| Ok(failed.then_some(Detail::None));
        let count = |found: u64, failed: bool| Ok(failed.then_some(Detail::Count(found)));
        let length = || tree.text(node).chars().count() as u64;
        let items = tree.item_count(node) as u64;
        let has = |types| self.types & types != 0;
        match rule {
            Rule::Type(types) => fails(!has(*types)),
            Rule::Enum(values) => fails(!self.is_one_of(*values)?),
            Rule::Minimum(limit, exclusive) => {
                fails(has(value::NUMBER) && self.is_beyond(*limit, *exclusive, Ordering::Less))
            }
            Rule::Maximum(limit, exclusive) => {
                fails(has(value::NUMBER) && self.is_beyond(*limit, *exclusive, Ordering::Greater))
            }
            Rule::MultipleOf(divisor) => {
                let numbers = Number::at(tree, node).zip(Number::at(self.schema, *divisor));
                fails(numbers.is_some_and(|(value, divisor)| !value.is_multiple_of(&divisor)))
            }
            Rule::MinLength(least) if has(value::STRING) => count(length(), length() < *least),
            Rule::MaxLength(most) if has(value::STRING) => count(length(), length() > *most),
            Rule::Pattern(pattern, text) if has(value::STRING) => match pattern.is_in(tree.text(node)) {
                Ok(found) => fails(!found),
                Err(TooCostly) => Err(self.too_costly(&format!("the pattern '{}'", self.schema.text(*text)))),
            },
            Rule::MinItems(least) if has(value::ARRAY) => count(items, items < *least),
            Rule::MaxItems(most) if has(value::ARRAY) => count(items, items > *most),
            Rule::UniqueItems if has(value::ARRAY) => self.repeated_item(),
            Rule::MinProperties(least) if has(value::OBJECT) => count(self.pairs(), self.pairs() < *least),
            Rule::MaxProperties(most) if has(value::OBJECT) => count(self.pairs(), self.pairs() > *most),
            Rule::Required(keys) if has(value::OBJECT) => Ok(self.missing(keys).map(Detail::Key)),
            Rule::Tag(pattern) => {
                let tag = self.tag();
                Ok(if tag.is_some_and(|tag| tag_matches(pattern, tag)) { None } else { Some(Detail::None) })
            }
            Rule::Ndim(rank) if self.is_array() => self.rank(|found| found != *rank),
            Rule::MaxNdim(most) if self.is_array() => self.rank(|found| found > *most),
            Rule::Datatype(wanted, exact) if self.is_array() => self.datatype(*wanted, *exact),
            _ => Ok(None),
        }
    }

    fn pairs(&self) -> u64 {
        (self.members.pairs().len() / 2) as u64
    }

    /// Returns the first of the keys that the mapping does not have.
    pub(super) fn missing(&self, keys: &[NodeId]) -> Option<Box<str>> {
        let has = |key: &NodeId| self.members.find(self.schema.key(*key)).is_some();
        keys.iter().find(|key| !has(key)).map(|key| Box::from(&*self.schema.key(*key).text()))
    }

    fn too_costly(&self, what: &str) -> Error {
        let error = Error::new(Status::Limit, format!("{what} takes too many steps for this value"));
        self.tree.locate(error, self.node)
    }

    fn is_one_of(&self, values: NodeId) -> Result<bool> {
        let mut budget = MAX_COMPARISONS;
        for wanted in self.schema.items(values) {
            let same = equal(self.schema, self.tree, (*wanted, self.node), &|_| false, &mut budget);
            if same.ok_or_else(|| self.too_costly("comparing with the values of 'enum'"))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_beyond(&self, limit: NodeId, exclusive: bool, direction: Ordering) -> bool {
        let numbers = Number::at(self.tree, self.node).zip(Number::at(self.schema, limit));
        let order = numbers.and_then(|(value, limit)| value.compare(&limit));
        order == Some(direction) || (exclusive && order == Some(Ordering::Equal))
    }

    /// Returns the number of an item that is equal to an earlier one.
    fn repeated_item(&self) -> Result<Option<Detail>> {
        let mut seen: HashMap<u64, Vec<NodeId>> = HashMap::new();
        let mut budget = MAX_COMPARISONS;
        let items = self.tree.try_items(self.node)?;
        reserve::room_in(&mut seen, items.len())?;
        for (index, item) in items.iter().enumerate() {
            let alike = seen.entry(fingerprint(self.tree, *item)).or_default();
            for other in &*alike {
                let same = equal(self.tree, self.tree, (*other, *item), &|_| false, &mut budget);
                if same.ok_or_else(|| self.too_costly("comparing all items"))? {
                    return Ok(Some(Detail::Count(index as u64)));
                }
            }
            reserve::push(alike, *item)?;
        }
        Ok(None)
    }

    /// Returns the tag of the node; that of its type if it has none. Null has none, as in Python asdf.
    fn tag(&self) -> Option<&str> {
        if let Some(tag) = self.tree.foreign_tag(self.node) {
            return Some(tag);
        }
        Some(match self.tree.kind(self.node) {
            Kind::Mapping if self.types == 0 => "tag:yaml.org,2002:set",
            Kind::Mapping => "tag:yaml.org,2002:map",
            Kind::Sequence if self.types == value::OBJECT => "tag:yaml.org,2002:omap",
            Kind::Sequence => "tag:yaml.org,2002:seq",
            Kind::Scalar | Kind::Alias => match self.types {
                value::BOOLEAN => "tag:yaml.org,2002:bool",
                value::STRING => "tag:yaml.org,2002:str",
                value::NUMBER => "tag:yaml.org,2002:float",
                types if types & value::INTEGER != 0 => "tag:yaml.org,2002:int",
                // Bytes are strings for Python asdf; times have no tag there.
                0 if self.tree.tag(self.node) == Some("tag:yaml.org,2002:binary") => "tag:yaml.org,2002:str",
                _ => return None,
            },
        })
    }

    fn is_array(&self) -> bool {
        self.arrays.is_array(self.tree, self.node)
    }

    fn rank(&self, fails: impl Fn(u64) -> bool) -> Result<Option<Detail>> {
        Ok(match self.arrays.rank(self.tree, self.node) {
            Some(rank) => fails(rank).then_some(Detail::Count(rank)),
            None => Some(Detail::None),
        })
    }

    fn datatype(&self, wanted: NodeId, exact: bool) -> Result<Option<Detail>> {
        let stated = match self.tree.kind(self.node) {
            Kind::Mapping => self.tree.find(self.node, Key::String("datatype")),
            _ => None,
        };
        let irrelevant = |key: &str| !matches!(key, "name" | "datatype" | "byteorder" | "shape");
        let mut budget = MAX_COMPARISONS;
        if let Some(stated) = stated
            && equal(self.schema, self.tree, (wanted, stated), &irrelevant, &mut budget) == Some(true)
        {
            return Ok(None);
        }
        let found = self.arrays.datatype(self.tree, self.node);
        let wanted = Datatype::parse(self.schema, wanted).ok();
        let fits = match found.zip(wanted) {
            Some((found, wanted)) if exact => stated.is_none() && found == wanted,
            Some((found, wanted)) => is_safe(&found, &wanted),
            None => false,
        };
        Ok((!fits).then_some(Detail::None))
    }
}

/// Returns whether a tag matches a pattern, in which `*` stands for any characters but `/`, and `**` for any.
pub(super) fn tag_matches(pattern: &str, tag: &str) -> bool {
    if !pattern.contains('*') {
        return pattern == tag;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let tag: Vec<char> = tag.chars().collect();
    // Places of the pattern that the characters of the tag read so far lead to.
    let mut places = vec![false; pattern.len() + 1];
    let step_over = |places: &mut Vec<bool>| {
        for index in 0..pattern.len() {
            if places.get(index) == Some(&true) && pattern.get(index) == Some(&'*') {
                set(places, index + 1);
            }
        }
    };
    set(&mut places, 0);
    step_over(&mut places);
    for character in tag {
        let mut next = vec![false; pattern.len() + 1];
        for (index, wanted) in pattern.iter().enumerate() {
            if places.get(index) != Some(&true) {
                continue;
            }
            let is_double = pattern.get(index + 1) == Some(&'*') || (index > 0 && pattern.get(index - 1) == Some(&'*'));
            match wanted {
                '*' if character != '/' || is_double => set(&mut next, index),
                '*' => {}
                wanted if *wanted == character => set(&mut next, index + 1),
                _ => {}
            }
        }
        step_over(&mut next);
        places = next;
    }
    places.last() == Some(&true)
}

fn set(places: &mut [bool], index: usize) {
    if let Some(place) = places.get_mut(index) {
        *place = true;
    }
}
