//! What the elements of an array are: numbers, strings of fixed length, records.
//!
//! Here a datatype is read from a tree, measured and written into a tree; what the bytes of an element mean to a
//! caller is the business of the conversion kernels.

use super::scalar_type::ScalarType;
use crate::error::{Error, Result, Status};
use crate::tree::edit::Content;
use crate::tree::{Integer, Key, Kind, NodeId, Scalar, Style, Tree};
use std::collections::HashSet;
use std::sync::Arc;

/// Records inside records deeper than this are refused.
const MAX_NESTING: usize = 32;
/// Fields of one datatype, those of nested records included; aliases in a tree can make them multiply.
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

    /// The word for it in a file: `little` or `big`.
    pub fn name(self) -> &'static str {
        match self {
            ByteOrder::Little => "little",
            ByteOrder::Big => "big",
        }
    }

    /// The byte order that a node names; any other word is an error with this status.
    pub(crate) fn parse(tree: &Tree, node: NodeId, status: Status) -> Result<ByteOrder> {
        let node = tree.resolve(node)?;
        match tree.text(node) {
            "little" => Ok(ByteOrder::Little),
            "big" => Ok(ByteOrder::Big),
            other => {
                let message = format!("the byte order is '{other}', but must be 'little' or 'big'");
                Err(tree.locate(Error::new(status, message), node))
            }
        }
    }
}

/// The type of an array's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datatype {
    /// A number or truth value.
    Scalar(ScalarType),
    /// ASCII text of this many bytes, filled up with NUL.
    Ascii(u64),
    /// Text of this many UTF-32 code units, filled up with NUL.
    Ucs4(u64),
    /// A record: fields one after the other without gaps.
    Record(Arc<[Field]>),
}

/// One field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name; unnamed fields exist.
    pub name: Option<String>,
    /// The type of the field's elements.
    pub datatype: Datatype,
    /// The byte order of the field and what is in it, unless that says otherwise; without one it is that of the
    /// enclosing record or array.
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
    /// The scalar type, if it is one.
    pub fn scalar(&self) -> Option<ScalarType> {
        match self {
            Datatype::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Whether elements of both are the same in memory: alike but for byte orders.
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

    /// Whether elements are of this scalar type, or have it in some field.
    pub(crate) fn holds(&self, wanted: ScalarType) -> bool {
        self.has_leaf(&|leaf| leaf.scalar() == Some(wanted))
    }

    /// Whether elements are strings, or have some in a field.
    pub(crate) fn holds_text(&self) -> bool {
        self.has_leaf(&|leaf| leaf.scalar().is_none())
    }

    fn has_leaf(&self, wanted: &dyn Fn(&Datatype) -> bool) -> bool {
        match self {
            Datatype::Record(fields) => fields.iter().any(|field| field.datatype.has_leaf(wanted)),
            leaf => wanted(leaf),
        }
    }

    /// Scalars and strings in one element; at least 1, for an empty record takes room in a tree, too.
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

    /// The same elements, for where byte orders have no meaning.
    pub(crate) fn without_byteorder(&self) -> Datatype {
        let Datatype::Record(fields) = self else { return self.clone() };
        let plain =
            |field: &Field| Field { datatype: field.datatype.without_byteorder(), byteorder: None, ..field.clone() };
        Datatype::Record(fields.iter().map(plain).collect())
    }

    /// A record of these fields, with the conditions that one in a file must meet.
    ///
    /// Fails with [`Status::BadDatatype`] for no fields, two of one name, a negative dimension, too many dimensions,
    /// fields or levels, and more bytes than can be counted.
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
            return bad(format!("the shape of a field has at most {most} dimensions, none of them negative"));
        }
        let datatype = Datatype::Record(fields.into());
        let (depth, count) = datatype.extent();
        if depth > MAX_NESTING || count > MAX_FIELDS {
            return bad(format!("a record has at most {MAX_FIELDS} fields in {MAX_NESTING} levels"));
        }
        datatype.item_size()?;
        Ok(datatype)
    }

    /// The levels of records and the fields in all of them.
    fn extent(&self) -> (usize, usize) {
        let Datatype::Record(fields) = self else { return (0, 0) };
        fields
            .iter()
            .map(|field| field.datatype.extent())
            .fold((1, fields.len()), |(depth, count), (below, more)| (depth.max(below + 1), count.saturating_add(more)))
    }

    /// Bytes that an element's address is to be a multiple of; 1 for records, which are packed.
    pub(crate) fn unit(&self) -> usize {
        match self {
            Datatype::Scalar(scalar) => scalar.unit(),
            Datatype::Ucs4(_) => 4,
            Datatype::Ascii(_) | Datatype::Record(_) => 1,
        }
    }

    /// Bytes of one element; at most `i64::MAX`.
    ///
    /// Fails with [`Status::BadDatatype`] if that is too large to count, which no datatype read from a file is.
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
        size.filter(|&size| i64::try_from(size).is_ok()).ok_or_else(|| {
            Error::new(Status::BadDatatype, "an element of this datatype is too large to count its bytes")
        })
    }

    /// The datatype that a node describes.
    ///
    /// Fails with [`Status::BadDatatype`], located at the part that is wrong.
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

    /// Adds what is inside; records nest at most `MAX_NESTING` deep.
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

/// As error messages and listings show it: `float32`, `[ascii, 8]`, `[x: int16, float64]`.
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
    /// Bytes that the field takes in a record.
    pub fn size(&self) -> Result<u64> {
        let item = self.datatype.item_size()?;
        let size = self.shape.iter().try_fold(item, |size, &count| size.checked_mul(u64::try_from(count).ok()?));
        size.ok_or_else(|| Error::new(Status::BadDatatype, "a field of the record is too large to count its bytes"))
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

/// The size that a node states: an integer from 0 to `i64::MAX`.
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
            Kind::Mapping => Err(self.bad(node, "a datatype is a name or a list; put the field into a list")),
            Kind::Scalar | Kind::Alias => {
                let name = self.tree.text(node);
                ScalarType::from_name(name).map(Datatype::Scalar).ok_or_else(|| self.bad(node, unknown(name)))
            }
        }
    }

    /// `[ascii, N]` and `[ucs4, N]`; nothing if the list is a record.
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
        let name = match get("name") {
            Some(name) => Some(self.tree.text(self.tree.resolve(name)?)).filter(|name| !name.is_empty()),
            None => None,
        };
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

/// What to say of a name that is no datatype, with the fix where it can be guessed.
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
        format!("'{name}' is not a datatype; {meant} is")
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
    fn scalars_strings_and_records_are_told_apart() {
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
    fn what_is_not_a_datatype_is_refused_with_the_fix() {
        let cases = [
            ("float", "'float' is not a datatype; float64 is"),
            ("bool", "'bool' is not a datatype; bool8 is"),
            ("INT8", "'INT8' is not a datatype; int8 is"),
            ("float128", "'float128' is not a datatype"),
            ("int24", "'int24' is not a datatype"),
            ("5", "'5' is not a datatype"),
            ("{name: x, datatype: int8}", "a datatype is a name or a list; put the field into a list"),
            ("[]", "an empty list is not a datatype"),
            ("[ascii]", "a string datatype has two items: [ascii, N]"),
            ("[ascii, 3, 9]", "a string datatype has two items: [ascii, N]"),
            ("[ascii, -1]", "the length of a string must be an integer from 0 to 2^63 - 1, not '-1'"),
            ("[ascii, int16]", "the length of a string must be an integer from 0 to 2^63 - 1, not 'int16'"),
            ("[utf8, 3]", "'utf8' is not a datatype"),
            ("[{name: x}]", "the field has no datatype"),
            ("[{datatype: int8, name: a}, {datatype: int8, name: a}]", "two fields of the record are called 'a'"),
            ("[{datatype: int16, byteorder: native}]", "the byte order is 'native', but must be 'little' or 'big'"),
            ("[{datatype: int16, shape: ['*']}]", "a dimension must be an integer from 0 to 2^63 - 1, not '*'"),
            ("[ucs4, 9223372036854775807]", "an element of this datatype is too large to count its bytes"),
            (
                "[{datatype: int16, shape: [4294967296, 4294967296]}]",
                "a field of the record is too large to count its bytes",
            ),
        ];
        for (text, message) in cases {
            let error = parse(text).unwrap_err();
            assert_eq!((error.status(), error.message()), (Status::BadDatatype, message), "{text}");
            assert_eq!(error.location().line, Some(3), "{text}");
        }
    }

    #[test]
    fn datatypes_that_contain_or_multiply_themselves_end() {
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
    fn what_is_written_reads_back() {
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
