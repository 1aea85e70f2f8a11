//! Describes scalars, and rectangular lists of scalars, as attributes.

use crate::Limits;
use crate::error::Result;
use crate::file::{Node, NodeType};
use crate::ndl::asdf::shared::choice::Choice;
use crate::ndl::asdf::shared::names::Facts;
use crate::ndl::asdf::shared::reference::target;
use crate::ndl::{Attribute, Content, Datatype, DatatypeKind, Elements, FloatType, IntegerType, Texts, Value};
use crate::reserve::{collected, push};
use crate::tags;
use crate::tree::Integer;

/// Describes a scalar, a large integer or a complex number as an attribute, with the facts that have no form in NDL.
/// Returns `None` for null and for other collections.
pub(super) fn of_scalar(node: &Node) -> Result<Option<(Attribute, Facts)>> {
    let tag = node.tag("")?;
    let name = tag.as_deref().and_then(tags::name_of);
    if name == Some(tags::COMPLEX) {
        let (real, imaginary) = node.complex("")?;
        let parts = ["r", "i"].map(|name| (name, Datatype::from(FloatType::Float64)));
        let datatype = Datatype::new(DatatypeKind::Compound(parts.into_iter().collect()))?;
        let columns = [real, imaginary].map(|part| Elements::Float64(vec![part]));
        return Ok(Some((attribute(Vec::new(), Elements::Compound(columns.into()), datatype)?, Facts::new())));
    }
    if name == Some(tags::INTEGER) || node.node_type("")? == NodeType::Integer {
        return of_integer(&node.any_integer("")?).map(Some);
    }
    if tag.as_deref().is_some_and(tags::is_magnitude) && node.node_type("")? == NodeType::String {
        // The text alone would be the unit that magnitudes refer to.
        let facts = tag.into_iter().map(|tag| ("tag", Content::text(tag))).collect();
        return Ok(Some((of_text(&node.unit("")?)?, facts)));
    }
    let Some(leaf) = Leaf::of(node)? else { return Ok(None) };
    let mut leaves = Leaves::default();
    leaves.add(leaf)?;
    let facts = foreign_tag(node)?.into_iter().map(|tag| ("tag", Content::text(tag))).collect();
    Ok(leaves.attribute(Vec::new())?.map(|attribute| (attribute, facts)))
}

/// Describes an integer of any size. It becomes text if it exceeds 64 bits.
fn of_integer(integer: &Integer) -> Result<(Attribute, Facts)> {
    let mut facts = Facts::new();
    let attribute = match (integer.to_i64(), integer.to_u64()) {
        (Some(number), _) => attribute(Vec::new(), Elements::Integers(vec![number]), integer_type(&[number]).into())?,
        (_, Some(number)) => attribute(Vec::new(), Elements::Unsigned(vec![number]), IntegerType::Uint64.into())?,
        _ => {
            facts.push(("kind", Content::text("integer")));
            of_text(&integer.to_string())?
        }
    };
    Ok((attribute, facts))
}

/// Returns the explicit or implied tag of a scalar whose meaning has no datatype in NDL.
fn foreign_tag(node: &Node) -> Result<Option<String>> {
    Ok(match node.node_type("")? {
        NodeType::Timestamp => Some([tags::YAML, "timestamp"].concat()),
        NodeType::Binary => Some([tags::YAML, "binary"].concat()),
        _ => node.foreign_tag("")?,
    })
}

/// Returns true if the text of a scalar carries its whole meaning, because it has no foreign tag.
fn is_plain(node: &Node) -> Result<bool> {
    Ok(node.foreign_tag("")?.is_none())
}

/// Returns an attribute that holds one text.
pub(super) fn of_text(text: &str) -> Result<Attribute> {
    attribute(Vec::new(), Elements::Texts([text].into_iter().collect()), Datatype::string())
}

/// Describes a list of references into the same file, with null allowed, as an attribute. Returns `None` for other
/// lists.
pub(super) fn of_references(node: &Node, choice: &Choice) -> Result<Option<Attribute>> {
    let mut paths = Vec::new();
    let root = node.file().root()?;
    for index in 0..node.count("")? {
        choice.take(1)?;
        let item = node.item("", index)?;
        match item.reference("")?.as_deref().map(|uri| target(&root, uri)).transpose()? {
            Some(Some(path)) => push(&mut paths, Some(path))?,
            None if item.node_type("")? == NodeType::Null => push(&mut paths, None)?,
            _ => return Ok(None),
        }
    }
    if paths.iter().all(Option::is_none) {
        return Ok(None);
    }
    attribute(vec![paths.len() as u64], Elements::Objects(paths), Datatype::objref()).map(Some)
}

/// Describes a nested list as an attribute, if it is rectangular and all its scalars have one kind. Integers among
/// floats become floats.
///
/// The boolean is true if some of the texts are timestamps or bytes in the file.
pub(super) fn of_list(node: &Node, choice: &Choice) -> Result<Option<(Attribute, bool)>> {
    if node.foreign_tag("")?.is_some() {
        return Ok(None);
    }
    let Some(shape) = shape_of(node)? else { return Ok(None) };
    let mut leaves = Leaves::default();
    let mut retyped = false;
    // Stack of items still to visit, inner lists first, with their depth.
    let mut waiting = vec![(node.clone(), 0)];
    while let Some((list, depth)) = waiting.pop() {
        choice.take(1)?;
        let Some(&extent) = shape.get(depth) else {
            match Leaf::of(&list)? {
                Some(leaf) if is_plain(&list)? && list.reference("")?.is_none() => leaves.add(leaf)?,
                _ => return Ok(None),
            }
            retyped |= matches!(list.node_type("")?, NodeType::Timestamp | NodeType::Binary);
            continue;
        };
        let is_list = list.reference("")?.is_none() && !list.is_array("")? && list.node_type("")? == NodeType::Sequence;
        if !is_list || list.count("")? as u64 != extent {
            return Ok(None);
        }
        for index in (0..extent as usize).rev() {
            push(&mut waiting, (list.item("", index)?, depth + 1))?;
        }
    }
    Ok(leaves.attribute(shape)?.map(|attribute| (attribute, retyped)))
}

/// Returns the extents of nested lists, determined from the first item of each list. Returns `None` beyond the maximum
/// rank.
fn shape_of(node: &Node) -> Result<Option<Vec<u64>>> {
    let mut shape = Vec::new();
    let mut list = node.clone();
    while list.reference("")?.is_none() && !list.is_array("")? && list.node_type("")? == NodeType::Sequence {
        // This also ends the loop for a list that contains itself.
        if shape.len() >= Limits::MAX_RANK as usize {
            return Ok(None);
        }
        let count = list.count("")?;
        shape.push(count as u64);
        if count == 0 {
            break;
        }
        list = list.item("", 0)?;
    }
    Ok(Some(shape))
}

/// A scalar of a kind that attributes can hold.
enum Leaf {
    Text(String),
    Bool(bool),
    Integer(i64),
    Float(f64),
}

impl Leaf {
    fn of(node: &Node) -> Result<Option<Leaf>> {
        Ok(match node.node_type("")? {
            NodeType::Null | NodeType::Sequence | NodeType::Mapping => None,
            NodeType::Bool => Some(Leaf::Bool(node.bool("")?)),
            NodeType::Integer => Some(match node.i64("") {
                Ok(number) => Leaf::Integer(number),
                // The integer is larger than an int64.
                Err(_) => Leaf::Text(node.integer("")?),
            }),
            NodeType::Float => Some(Leaf::Float(node.f64("")?)),
            NodeType::String | NodeType::Timestamp | NodeType::Binary => Some(Leaf::Text(node.text("")?)),
        })
    }
}

/// Scalars in C order, all of one kind; otherwise `Mixed`.
#[derive(Default)]
enum Leaves {
    #[default]
    None,
    Texts(Texts),
    Bools(Vec<u32>),
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    Mixed,
}

impl Leaves {
    fn add(&mut self, leaf: Leaf) -> Result<()> {
        match (&mut *self, leaf) {
            (Leaves::None, Leaf::Text(text)) => *self = Leaves::Texts([text].into_iter().collect()),
            (Leaves::None, Leaf::Bool(truth)) => *self = Leaves::Bools(vec![truth.into()]),
            (Leaves::None, Leaf::Integer(number)) => *self = Leaves::Integers(vec![number]),
            (Leaves::None, Leaf::Float(number)) => *self = Leaves::Floats(vec![number]),
            (Leaves::Texts(texts), Leaf::Text(text)) => texts.try_push(&text)?,
            (Leaves::Bools(truths), Leaf::Bool(truth)) => push(truths, truth.into())?,
            (Leaves::Integers(numbers), Leaf::Integer(number)) => push(numbers, number)?,
            (Leaves::Floats(numbers), Leaf::Float(number)) => push(numbers, number)?,
            (Leaves::Floats(numbers), Leaf::Integer(number)) => match exact(number) {
                Some(number) => push(numbers, number)?,
                None => *self = Leaves::Mixed,
            },
            (Leaves::Integers(numbers), Leaf::Float(number)) => {
                let mut floats = collected(numbers.iter().map_while(|&number| exact(number)).map(Ok))?;
                *self = if floats.len() == numbers.len() {
                    push(&mut floats, number)?;
                    Leaves::Floats(floats)
                } else {
                    Leaves::Mixed
                };
            }
            _ => *self = Leaves::Mixed,
        }
        Ok(())
    }

    fn attribute(self, shape: Vec<u64>) -> Result<Option<Attribute>> {
        let (elements, datatype) = match self {
            Leaves::Mixed => return Ok(None),
            Leaves::None => (Elements::Texts(Texts::default()), Datatype::string()),
            Leaves::Texts(texts) => (Elements::Texts(texts), Datatype::string()),
            // The constants of the boolean enumeration are in the order FALSE, TRUE.
            Leaves::Bools(truths) => (Elements::Constants(truths), Datatype::boolean()),
            Leaves::Integers(numbers) => {
                let datatype = integer_type(&numbers).into();
                (Elements::Integers(numbers), datatype)
            }
            Leaves::Floats(numbers) => (Elements::Float64(numbers), FloatType::Float64.into()),
        };
        attribute(shape, elements, datatype).map(Some)
    }
}

/// Returns the number as binary64 if the conversion is exact.
fn exact(number: i64) -> Option<f64> {
    let float = number as f64;
    (float as i128 == i128::from(number)).then_some(float)
}

fn integer_type(numbers: &[i64]) -> IntegerType {
    let narrow = numbers.iter().all(|&number| i32::try_from(number).is_ok());
    if narrow { IntegerType::Int32 } else { IntegerType::Int64 }
}

fn attribute(shape: Vec<u64>, elements: Elements, datatype: Datatype) -> Result<Attribute> {
    let short = shape.is_empty()
        && match datatype.kind() {
            DatatypeKind::String => true,
            DatatypeKind::Integer(integer) => *integer == IntegerType::Int32,
            DatatypeKind::Float(float) => *float == FloatType::Float64,
            _ => false,
        };
    let value = Value::new(shape, elements, &datatype)?;
    Ok(Attribute { short, ..Attribute::new(datatype, value) })
}
