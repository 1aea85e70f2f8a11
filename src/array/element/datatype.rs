//! Datatypes of array elements: numbers, strings of fixed length, records.
//!
//! Reads datatypes from a tree, computes their sizes and writes them into a tree. The conversion kernels interpret the
//! bytes of elements.

use super::scalar_type::ScalarType;
use crate::error::{Error, Result, Status};
use crate::tree::edit::Content;
use crate::tree::{Integer, Key, Kind, NodeId, Scalar, Style, Tree};
use std::collections::HashSet;
use std::sync::Arc;

/// The largest depth of nested records.
const MAX_NESTING: usize = 32;
/// The largest number of fields of a datatype, including nested records. Aliases in a tree can multiply fields.
const MAX_FIELDS: usize = 65_536;

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The least significant byte comes first.
    Little,
    /// The most significant byte comes first.
    Big,
}

impl ByteOrder {
    /// The order of the machine that runs the program.
    pub const NATIVE: ByteOrder = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

    /// The name in a file: `little` or `big`.
    pub fn name(self) -> &'static str {
        match self {
            ByteOrder::Little => "little",
            ByteOrder::Big => "big",
        }
    }

    /// Reads a byte order. Any other word than `little` and `big` fails with this status.
    pub(crate) fn parse(tree: &Tree, node: NodeId, status: Status) -> Result<ByteOrder> {
        let node = tree.resolve(node)?;
        match tree.text(node) {
            "little" => Ok(ByteOrder::Little),
            "big" => Ok(ByteOrder::Big),
            other => {
                let message = format!("the byte order must be 'little' or 'big', not '{other}'");
                Err(tree.locate(Error::new(status, message), node))
            }
        }
    }
}

/// The type of an array's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datatype {
    /// A number or a truth value.
    Scalar(ScalarType),
    /// ASCII text of this many bytes, padded with NULs.
    Ascii(u64),
    /// Text of this many UTF-32 code units, padded with NULs.
    Ucs4(u64),
    /// A record: its fields, packed without gaps.
    Record(Arc<[Field]>),
}

/// One field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name; `None` for an unnamed field.
    pub name: Option<String>,
    /// The type of the field's elements.
    pub datatype: Datatype,
    /// The byte order of the field and of nested fields without one. `None` means the byte order of the enclosing
    /// record or array.
    pub byteorder: Option<ByteOrder>,
    /// The shape of the field, in C order; empty for a single element.
    pub shape: Vec<i64>,
}

impl From<ScalarType> for Datatype {
    fn from(scalar: ScalarType) -> Datatype {
        Datatype::Scalar(scalar)
    }
}

impl Datatype {
    /// Returns the scalar type; `None` for strings and records.
    pub fn scalar(&self) -> Option<ScalarType> {
        match self {
            Datatype::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Returns whether elements of both datatypes are the same in memory: the datatypes differ at most in byte order.
    pub fn is_alike(&self, other: &Datatype) -> bool {
        match (self, other) {
            (Datatype::Record(fields), Datatype::Record(others)) => {
                let same = |(field, other): (&Field, &Field)| {
                    field.name == other.name && field.shape == other.shape && field.datatype.is_alike(&other.datatype)
                };
                fields.len() == others.len() && fields.iter().zip(others.iter()).all(same)
            }
            _ => self == other,
        }
    }

    /// Returns whether the datatype is this scalar type or a record with a field of it.
    pub(crate) fn holds(&self, wanted: ScalarType) -> bool {
        self.has_leaf(&|leaf| leaf.scalar() == Some(wanted))
    }

    /// Returns whether the datatype is a string or a record with a string field.
    pub(crate) fn holds_text(&self) -> bool {
        self.has_leaf(&|leaf| leaf.scalar().is_none())
    }

    fn has_leaf(&self, wanted: &dyn Fn(&Datatype) -> bool) -> bool {
        match self {
            Datatype::Record(fields) => fields.iter().any(|field| field.datatype.has_leaf(wanted)),
            leaf => wanted(leaf),
        }
    }

    /// Returns the number of scalars and strings in one element. At least 1, because an empty record also needs a node
    /// in a tree.
    pub(crate) fn leaf_count(&self) -> u64 {
        let Datatype::Record(fields) = self else { return 1 };
        let of_field = |field: &Field| {
            field
                .shape
                .iter()
                .fold(field.datatype.leaf_count(), |product, &count| product.saturating_mul(count.max(1) as u64))
        };
        fields.iter().map(of_field).fold(1, u64::saturating_add)
    }

    /// Returns the datatype without byte orders of fields.
    pub(crate) fn without_byteorder(&self) -> Datatype {
        let Datatype::Record(fields) = self else { return self.clone() };
        let plain =
            |field: &Field| Field { datatype: field.datatype.without_byteorder(), byteorder: None, ..field.clone() };
        Datatype::Record(fields.iter().map(plain).collect())
    }

    /// Makes a record. The same conditions hold as for records in a file.
    ///
    /// Fails with [`Status::BadDatatype`]
    ///
    /// * without fields, or for two fields of the same name;
    /// * for a negative dimension, or more dimensions than [`Limits::MAX_RANK`](crate::Limits::MAX_RANK);
    /// * for more than 65536 fields or 32 levels of records;
    /// * if the size of an element exceeds `i64::MAX` bytes.
    pub fn record(fields: Vec<Field>) -> Result<Datatype> {
        let bad = |message: String| Err(Error::new(Status::BadDatatype, message));
        if fields.is_empty() {
            return bad("a record needs at least one field".to_owned());
        }
        let mut names = HashSet::new();
        for name in fields.iter().filter_map(|field| field.name.as_deref()) {
            if !names.insert(name) {
                return bad(format!("two fields of the record are called '{name}'"));
            }
        }
        let most = crate::Limits::MAX_RANK as usize;
        if fields.iter().any(|field| field.shape.len() > most || field.shape.iter().any(|&count| count < 0)) {
            return bad(format!("the shape of a field must have at most {most} dimensions, none of them negative"));
        }
        let datatype = Datatype::Record(fields.into());
        let (depth, count) = datatype.extent();
        if depth > MAX_NESTING || count > MAX_FIELDS {
            return bad(format!("a record must have at most {MAX_FIELDS} fields and {MAX_NESTING} levels"));
        }
        datatype.item_size()?;
        Ok(datatype)
    }

    /// Returns the depth of nested records and the number of fields in all of them.
    fn extent(&self) -> (usize, usize) {
        let Datatype::Record(fields) = self else { return (0, 0) };
        fields
            .iter()
            .map(|field| field.datatype.extent())
            .fold((1, fields.len()), |(depth, count), (below, more)| (depth.max(below + 1), count.saturating_add(more)))
    }

    /// The alignment of an element in bytes; 1 for records, which are packed.
    pub(crate) fn unit(&self) -> usize {
        match self {
            Datatype::Scalar(scalar) => scalar.unit(),
            Datatype::Ucs4(_) => 4,
            Datatype::Ascii(_) | Datatype::Record(_) => 1,
        }
    }

    /// Returns the size of one element in bytes, at most `i64::MAX`.
    ///
    /// Fails with [`Status::BadDatatype`] if the size is larger. This cannot happen for a datatype read from a file.
    pub fn item_size(&self) -> Result<u64> {
        let size = match self {
            Datatype::Scalar(scalar) => Some(scalar.size() as u64),
            Datatype::Ascii(length) => Some(*length),
            Datatype::Ucs4(length) => length.checked_mul(4),
            Datatype::Record(fields) => {
                let mut total = Some(0u64);
                for field in fields.iter() {
                    let size = field.size()?;
                    total = total.and_then(|total| total.checked_add(size));
                }
                total
            }
        };
        size.filter(|&size| i64::try_from(size).is_ok())
            .ok_or_else(|| Error::new(Status::BadDatatype, "an element of this datatype is larger than 2^63 - 1 bytes"))
    }

    /// Reads a datatype from a node.
    ///
    /// Fails with [`Status::BadDatatype`], located at the faulty node.
    pub(crate) fn parse(tree: &Tree, node: NodeId) -> Result<Datatype> {
        let mut parser = Parser { tree, fields: 0 };
        let datatype = parser.datatype(node, 0)?;
        datatype.item_size().map_err(|error| tree.locate(error, node))?;
        Ok(datatype)
    }

    /// Appends the datatype as the value of a new key of a mapping.
    pub(crate) fn append_pair(&self, tree: &mut Tree, mapping: NodeId, key: &str) {
        let node = tree.append_pair(mapping, key, self.content());
        self.fill(tree, node);
    }

    fn content(&self) -> Content<'static> {
        match self {
            Datatype::Scalar(scalar) => Content::Scalar(scalar.name(), Style::Plain),
            Datatype::Ascii(_) | Datatype::Ucs4(_) => Content::Sequence(Style::Flow),
            Datatype::Record(_) => Content::Sequence(Style::Block),
        }
    }

    /// Adds the items of the datatype's list; records nest at most `MAX_NESTING` deep.
    fn fill(&self, tree: &mut Tree, node: NodeId) {
        let mut string = |name, length: &u64| {
            tree.append_item(node, Content::Scalar(name, Style::Plain));
            tree.append_item(node, Content::Scalar(&length.to_string(), Style::Plain));
        };
        match self {
            Datatype::Scalar(_) => {}
            Datatype::Ascii(length) => string("ascii", length),
            Datatype::Ucs4(length) => string("ucs4", length),
            Datatype::Record(fields) => {
                for field in fields.iter() {
                    field.append_item(tree, node);
                }
            }
        }
    }
}

/// The form in error messages and listings: `float32`, `[ascii, 8]`, `[x: int16, float64]`.
impl std::fmt::Display for Datatype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Datatype::Scalar(scalar) => f.write_str(scalar.name()),
            Datatype::Ascii(length) => write!(f, "[ascii, {length}]"),
            Datatype::Ucs4(length) => write!(f, "[ucs4, {length}]"),
            Datatype::Record(fields) => {
                f.write_str("[")?;
                for (position, field) in fields.iter().enumerate() {
                    f.write_str(if position == 0 { "" } else { ", " })?;
                    if let Some(name) = &field.name {
                        write!(f, "{name}: ")?;
                    }
                    write!(f, "{}", field.datatype)?;
                }
                f.write_str("]")
            }
        }
    }
}

impl Field {
    /// Returns the size of the field in bytes: all elements of its shape.
    pub fn size(&self) -> Result<u64> {
        let item = self.datatype.item_size()?;
        let size = self.shape.iter().try_fold(item, |size, &count| size.checked_mul(u64::try_from(count).ok()?));
        size.ok_or_else(|| Error::new(Status::BadDatatype, "a field of the record is larger than 2^64 - 1 bytes"))
    }

    fn append_item(&self, tree: &mut Tree, record: NodeId) {
        let node = tree.append_item(record, Content::Mapping(Style::Flow));
        if let Some(name) = &self.name {
            tree.append_pair(node, "name", Content::Scalar(name, Style::Automatic));
        }
        self.datatype.append_pair(tree, node, "datatype");
        if let Some(byteorder) = self.byteorder {
            tree.append_pair(node, "byteorder", Content::Scalar(byteorder.name(), Style::Plain));
        }
        if !self.shape.is_empty() {
            let shape = tree.append_pair(node, "shape", Content::Sequence(Style::Flow));
            for count in &self.shape {
                tree.append_item(shape, Content::Scalar(&count.to_string(), Style::Plain));
            }
        }
    }
}

/// Reads an integer from 0 to `i64::MAX`. `what` names it in the error message.
pub(crate) fn parse_size(tree: &Tree, node: NodeId, what: &str, status: Status) -> Result<i64> {
    let node = tree.resolve(node)?;
    if tree.kind(node) == Kind::Scalar
        && let Scalar::Integer(Integer::Small(value @ 0..)) = tree.scalar(node)?
    {
        return Ok(value);
    }
    let found = match tree.kind(node) {
        Kind::Scalar => format!("not '{}'", tree.text(node)),
        _ => "not a collection".to_owned(),
    };
    Err(tree.locate(Error::new(status, format!("{what} must be an integer from 0 to 2^63 - 1, {found}")), node))
}

struct Parser<'a> {
    tree: &'a Tree,
    fields: usize,
}

impl Parser<'_> {
    fn bad(&self, node: NodeId, message: impl Into<String>) -> Error {
        self.tree.locate(Error::new(Status::BadDatatype, message), node)
    }

    fn datatype(&mut self, node: NodeId, depth: usize) -> Result<Datatype> {
        let node = self.tree.resolve(node)?;
        match self.tree.kind(node) {
            Kind::Sequence => match self.string(node)? {
                Some(datatype) => Ok(datatype),
                None => self.record(node, depth),
            },
            Kind::Mapping => {
                Err(self.bad(node, "a datatype must be a name or a list; write a single field as a list of one item"))
            }
            Kind::Scalar | Kind::Alias => {
                let name = self.tree.text(node);
                ScalarType::from_name(name).map(Datatype::Scalar).ok_or_else(|| self.bad(node, unknown(name)))
            }
        }
    }

    /// Reads `[ascii, N]` or `[ucs4, N]`; `None` if the list is a record.
    fn string(&self, node: NodeId) -> Result<Option<Datatype>> {
        let items = self.tree.items(node);
        let Some(&first) = items.first() else {
            return Err(self.bad(node, "an empty list is not a datatype"));
        };
        let name = self.tree.text(self.tree.resolve(first)?);
        if !matches!(name, "ascii" | "ucs4") {
            return Ok(None);
        }
        let &[_, length] = items else {
            return Err(self.bad(node, format!("a string datatype has two items: [{name}, N]")));
        };
        let length = parse_size(self.tree, length, "the length of a string", Status::BadDatatype)? as u64;
        Ok(Some(if name == "ascii" { Datatype::Ascii(length) } else { Datatype::Ucs4(length) }))
    }

    fn record(&mut self, node: NodeId, depth: usize) -> Result<Datatype> {
        if depth == MAX_NESTING {
            return Err(self.bad(node, format!("records are nested more than {MAX_NESTING} deep")));
        }
        let items = self.tree.items(node);
        self.fields = self.fields.saturating_add(items.len());
        if self.fields > MAX_FIELDS {
            return Err(self.bad(node, format!("a datatype has more than {MAX_FIELDS} fields")));
        }
        let mut fields = Vec::with_capacity(items.len());
        let mut names = HashSet::new();
        for &item in items {
            let field = self.field(item, depth)?;
            if let Some(name) = &field.name
                && !names.insert(name.clone())
            {
                return Err(self.bad(item, format!("two fields of the record are called '{name}'")));
            }
            fields.push(field);
        }
        Ok(Datatype::Record(fields.into()))
    }

    fn field(&mut self, item: NodeId, depth: usize) -> Result<Field> {
        let node = self.tree.resolve(item)?;
        if self.tree.kind(node) != Kind::Mapping {
            let datatype = self.datatype(node, depth + 1)?;
            return Ok(Field { name: None, datatype, byteorder: None, shape: Vec::new() });
        }
        let get = |key| self.tree.find(node, Key::String(key));
        let Some(datatype) = get("datatype") else {
            return Err(self.bad(node, "the field has no datatype"));
        };
        let name = match get("name").map(|name| self.tree.resolve(name)).transpose()? {
            // A copy of an empty value is `null`.
            Some(name) if !matches!(self.tree.is_null(name), Ok(true)) => Some(self.tree.text(name)),
            _ => None,
        };
        let name = name.filter(|name| !name.is_empty());
        let byteorder = match get("byteorder") {
            Some(word) => Some(ByteOrder::parse(self.tree, word, Status::BadDatatype)?),
            None => None,
        };
        let shape = match get("shape") {
            Some(shape) => self.shape(shape)?,
            None => Vec::new(),
        };
        let name = name.map(str::to_owned);
        Ok(Field { name, datatype: self.datatype(datatype, depth + 1)?, byteorder, shape })
    }

    fn shape(&self, node: NodeId) -> Result<Vec<i64>> {
        let node = self.tree.resolve(node)?;
        let items = self.tree.items(node);
        if self.tree.kind(node) != Kind::Sequence || items.len() > crate::Limits::MAX_RANK as usize {
            let most = crate::Limits::MAX_RANK;
            return Err(self.bad(node, format!("the shape of a field must be a list of at most {most} integers")));
        }
        items.iter().map(|&item| parse_size(self.tree, item, "a dimension", Status::BadDatatype)).collect()
    }
}

/// Returns the error message for an unknown datatype name, with a suggestion if there is one.
fn unknown(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let meant = match &*lower {
        "float" | "double" => "float64",
        "half" => "float16",
        "bool" | "boolean" => "bool8",
        "int" | "integer" | "long" => "int64",
        "short" => "int16",
        "byte" => "uint8",
        "complex" => "complex128",
        "str" | "string" | "unicode" => "[ucs4, N]",
        "ascii" => "[ascii, N]",
        "ucs4" => "[ucs4, N]",
        other => ScalarType::from_name(other).map_or("", ScalarType::name),
    };
    if meant.is_empty() {
        format!("'{name}' is not a datatype")
    } else {
        format!("'{name}' is not a datatype; use {meant}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::tests::tree;

    fn parse(text: &str) -> Result<Datatype> {
        let tree = tree(text);
        Datatype::parse(&tree, tree.root())
    }

    fn size(text: &str) -> u64 {
        parse(text).unwrap().item_size().unwrap()
    }

    #[test]
    fn scalars_strings_and_records_are_distinguished() {
        for &scalar in ScalarType::ALL {
            assert_eq!(parse(scalar.name()).unwrap(), Datatype::Scalar(scalar));
        }
        assert_eq!(parse("[ascii, 4]").unwrap(), Datatype::Ascii(4));
        assert_eq!(parse("[ucs4, 0x10]").unwrap(), Datatype::Ucs4(16));
        assert_eq!((size("[ascii, 0]"), size("[ucs4, 3]"), size("[[ascii, 2]]")), (0, 12, 2));
        let Datatype::Record(fields) = parse("[[ascii, 2], int16, {datatype: float64, name: x}]").unwrap() else {
            panic!("not a record")
        };
        assert_eq!(fields[0].datatype, Datatype::Ascii(2));
        assert_eq!((fields[1].name.as_deref(), fields[2].name.as_deref()), (None, Some("x")));
        let record =
            parse("[{name: , datatype: int8}, {name: null, datatype: int8}, {name: 'null', datatype: int8}]").unwrap();
        let Datatype::Record(fields) = record else { panic!("not a record") };
        let names: Vec<_> = fields.iter().map(|field| field.name.as_deref()).collect();
        assert_eq!(names, [None, None, Some("null")]);
    }

    #[test]
    fn records_are_packed() {
        assert_eq!(size("[int8, float64]"), 9);
        assert_eq!(
            size("[{datatype: int16, shape: [2, 3]}, {datatype: int8, shape: []}, {datatype: int8, shape: [0]}]"),
            13
        );
        assert_eq!(
            size("[{name: a, datatype: [int8, {name: b, datatype: [ucs4, 2], byteorder: big}], shape: [3]}]"),
            27
        );
    }

    #[test]
    fn unknown_datatypes_are_refused_with_a_suggestion() {
        let cases = [
            ("float", "'float' is not a datatype; use float64"),
            ("bool", "'bool' is not a datatype; use bool8"),
            ("INT8", "'INT8' is not a datatype; use int8"),
            ("float128", "'float128' is not a datatype"),
            ("int24", "'int24' is not a datatype"),
            ("5", "'5' is not a datatype"),
            (
                "{name: x, datatype: int8}",
                "a datatype must be a name or a list; write a single field as a list of one item",
            ),
            ("[]", "an empty list is not a datatype"),
            ("[ascii]", "a string datatype has two items: [ascii, N]"),
            ("[ascii, 3, 9]", "a string datatype has two items: [ascii, N]"),
            ("[ascii, -1]", "the length of a string must be an integer from 0 to 2^63 - 1, not '-1'"),
            ("[ascii, int16]", "the length of a string must be an integer from 0 to 2^63 - 1, not 'int16'"),
            ("[utf8, 3]", "'utf8' is not a datatype"),
            ("[{name: x}]", "the field has no datatype"),
            ("[{datatype: int8, name: a}, {datatype: int8, name: a}]", "two fields of the record are called 'a'"),
            ("[{datatype: int16, byteorder: native}]", "the byte order must be 'little' or 'big', not 'native'"),
            ("[{datatype: int16, shape: ['*']}]", "a dimension must be an integer from 0 to 2^63 - 1, not '*'"),
            ("[ucs4, 9223372036854775807]", "an element of this datatype is larger than 2^63 - 1 bytes"),
            (
                "[{datatype: int16, shape: [4294967296, 4294967296]}]",
                "a field of the record is larger than 2^64 - 1 bytes",
            ),
        ];
        for (text, message) in cases {
            let error = parse(text).unwrap_err();
            assert_eq!((error.status(), error.message()), (Status::BadDatatype, message), "{text}");
            assert_eq!(error.location().line, Some(3), "{text}");
        }
    }

    #[test]
    fn recursive_and_multiplied_datatypes_are_refused() {
        assert_eq!(parse("&a [int8, {datatype: *a}]").unwrap_err().status(), Status::BadDatatype);
        let mut text = String::from("x0: &x0 [int8, int8, int8, int8]\n");
        for level in 1..30 {
            let below = level - 1;
            text += &format!("x{level}: &x{level} [[*x{below}], [*x{below}], [*x{below}], [*x{below}]]\n");
        }
        let tree = tree(&format!("\n{text}"));
        let last = tree.lookup(tree.root(), "x29").unwrap();
        assert_eq!(Datatype::parse(&tree, last).unwrap_err().status(), Status::BadDatatype);
    }

    #[test]
    fn written_datatypes_read_back() {
        for text in [
            "int8",
            "[ascii, 4]",
            "[[ascii, 4]]",
            "[{name: 'yes', datatype: float64, byteorder: big, shape: [2, 3]}, {name: r, datatype: [int8, [ucs4, 1]]}]",
        ] {
            let datatype = parse(text).unwrap();
            let mut tree = Tree::new();
            let root = tree.root();
            datatype.append_pair(&mut tree, root, "datatype");
            let node = tree.lookup(root, "datatype").unwrap();
            assert_eq!(Datatype::parse(&tree, node).unwrap(), datatype);
        }
    }
}
