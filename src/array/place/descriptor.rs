//! Description of an ndarray: the keys of its node, read from the tree without access to any block.
//!
//! The existence and the length of the block are checked later, with the geometry.

use crate::array::element::datatype::{ByteOrder, Datatype, parse_size};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::{Limit, Limits};
use crate::tree::{Integer, Key, Kind, NodeId, Scalar, Tree};

/// The location of the elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArraySource {
    /// A block of the file; negative numbers count from the end, -1 is the last block.
    Block(i64),
    /// The first block of another file, given by its URI.
    Uri(String),
    /// Inline data: the node in the tree that holds the elements.
    Inline(NodeId),
    /// Chunks with a block each, or in other files: a chunked array of asdf-zarr.
    Chunks,
    /// A file of another format, given by its URI: `core/externalarray`.
    OtherFormat(String),
}

/// The dimensions as stated in the file, slowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredShape {
    /// All dimensions are known.
    Fixed(Vec<i64>),
    /// `'*'` as the first dimension: the length of the block gives the number of rows. The list holds the other
    /// dimensions.
    Streamed(Vec<i64>),
}

/// The description of an array. For inline data, shape and datatype may be absent.
#[derive(Clone, Debug)]
pub(crate) struct Descriptor {
    /// The node that describes the array, with aliases and references followed.
    pub(crate) node: NodeId,
    /// The location of the elements.
    pub source: ArraySource,
    /// The shape; `None` if it is inferred from inline data.
    pub shape: Option<DeclaredShape>,
    /// The datatype; `None` if it is inferred from inline data.
    pub datatype: Option<Datatype>,
    /// The byte order of elements without a byte order of their own; unused for inline data.
    pub byteorder: ByteOrder,
    /// Byte of the first element in the decoded block.
    pub offset: i64,
    /// Bytes from one element to the next along each dimension; `None` means packed in C order.
    pub strides: Option<Vec<i64>>,
    /// The value of `mask`, not resolved: an alias, or a reference into another file, is possible.
    pub(crate) mask: Option<NodeId>,
    /// Deviations from the standard that do not prevent reading.
    pub warnings: Vec<Warning>,
}

/// The values of the known keys, not resolved.
#[derive(Default)]
struct Keys {
    source: Option<NodeId>,
    data: Option<NodeId>,
    shape: Option<NodeId>,
    datatype: Option<NodeId>,
    byteorder: Option<NodeId>,
    offset: Option<NodeId>,
    strides: Option<NodeId>,
    mask: Option<NodeId>,
}

impl Descriptor {
    /// Reads the description at a node. The node's tag is not checked: the caller knows that the node is an array.
    ///
    /// Fails with [`Status::BadArray`] or [`Status::BadDatatype`], located at the faulty node, and with the errors of
    /// resolving references.
    pub(crate) fn parse(tree: &Tree, node: NodeId, limits: &Limits) -> Result<Descriptor> {
        let node = tree.resolve(node)?;
        match tree.kind(node) {
            Kind::Mapping => Parser { tree, node, limits }.mapping(),
            Kind::Sequence => Ok(Descriptor::inline(node, node)),
            Kind::Scalar | Kind::Alias => {
                let error = Error::new(Status::BadArray, "an array must be a mapping or a list, not a scalar");
                Err(tree.locate(error, node))
            }
        }
    }

    /// Reads the description of an array in a file of another format, which has `fileuri`, `datatype` and `shape`.
    pub(crate) fn parse_other_format(tree: &Tree, node: NodeId, limits: &Limits) -> Result<Descriptor> {
        let parser = Parser { tree, node, limits };
        if tree.kind(node) != Kind::Mapping {
            return Err(parser.bad(node, "an external array must be a mapping"));
        }
        let keys = parser.keys();
        let need = |value: Option<NodeId>, key: &str| -> Result<NodeId> {
            parser.optional(value)?.ok_or_else(|| parser.bad(node, format!("an external array needs '{key}'")))
        };
        let uri = need(tree.find(node, Key::String("fileuri")), "fileuri")?;
        let source = match tree.kind(uri) {
            Kind::Scalar => tree.scalar(uri)?,
            _ => Scalar::Null,
        };
        let Scalar::String(source) = source else {
            return Err(parser.bad(uri, "'fileuri' must be the URI of a file"));
        };
        let shape = match parser.shape(need(keys.shape, "shape")?)? {
            DeclaredShape::Streamed(_) => return Err(parser.bad(node, "the shape of an external array has no '*'")),
            fixed => fixed,
        };
        let datatype = Datatype::parse(tree, need(keys.datatype, "datatype")?)?;
        Ok(Descriptor {
            source: ArraySource::OtherFormat(source.to_owned()),
            shape: Some(shape),
            datatype: Some(datatype),
            byteorder: ByteOrder::Big,
            ..Descriptor::inline(node, node)
        })
    }

    /// Returns a description of chunks without shape and datatype.
    pub(crate) fn of_chunks(node: NodeId) -> Descriptor {
        Descriptor { source: ArraySource::Chunks, ..Descriptor::inline(node, node) }
    }

    fn inline(node: NodeId, data: NodeId) -> Descriptor {
        Descriptor {
            node,
            source: ArraySource::Inline(data),
            shape: None,
            datatype: None,
            byteorder: ByteOrder::NATIVE,
            offset: 0,
            strides: None,
            mask: None,
            warnings: Vec::new(),
        }
    }
}

struct Parser<'a> {
    tree: &'a Tree,
    node: NodeId,
    limits: &'a Limits,
}

impl Parser<'_> {
    fn bad(&self, node: NodeId, message: impl Into<String>) -> Error {
        self.tree.locate(Error::new(Status::BadArray, message), node)
    }

    fn warning(&self, node: NodeId, message: &str) -> Warning {
        Warning { message: message.to_owned(), location: self.tree.location(node) }
    }

    fn keys(&self) -> Keys {
        let mut keys = Keys::default();
        for pair in self.tree.pairs(self.node).chunks_exact(2) {
            let Key::String(key) = self.tree.key(pair[0]) else { continue };
            let slot = match key {
                "source" => &mut keys.source,
                "data" => &mut keys.data,
                "shape" => &mut keys.shape,
                "datatype" => &mut keys.datatype,
                "byteorder" => &mut keys.byteorder,
                "offset" => &mut keys.offset,
                "strides" => &mut keys.strides,
                "mask" => &mut keys.mask,
                _ => continue,
            };
            *slot = Some(pair[1]);
        }
        keys
    }

    /// Returns the resolved value of an optional key; null counts as absent.
    fn optional(&self, value: Option<NodeId>) -> Result<Option<NodeId>> {
        let Some(value) = value else { return Ok(None) };
        let value = self.tree.resolve(value)?;
        let null = self.tree.kind(value) == Kind::Scalar && self.tree.is_null(value)?;
        Ok((!null).then_some(value))
    }

    fn mapping(&self) -> Result<Descriptor> {
        let keys = self.keys();
        let mut descriptor = match (keys.source, keys.data) {
            (Some(source), None) => self.stored(&keys, source)?,
            (None, Some(data)) => self.inline(&keys, data)?,
            (Some(_), Some(_)) => return Err(self.bad(self.node, "the array has both 'source' and 'data'")),
            (None, None) => return Err(self.bad(self.node, "the array has neither 'source' nor 'data'")),
        };
        descriptor.mask = keys.mask.filter(|&mask| !self.optional(Some(mask)).is_ok_and(|value| value.is_none()));
        if let (Some(mask), None) = (keys.mask, descriptor.mask) {
            descriptor.warnings.push(self.warning(mask, "'mask' is null; the array is read without a mask"));
        }
        Ok(descriptor)
    }

    fn inline(&self, keys: &Keys, data: NodeId) -> Result<Descriptor> {
        let mut descriptor = Descriptor::inline(self.node, self.tree.resolve(data)?);
        if let Some(shape) = self.optional(keys.shape)? {
            descriptor.shape = match self.shape(shape)? {
                DeclaredShape::Streamed(_) => {
                    return Err(self.bad(shape, "the shape of inline data must not contain '*'"));
                }
                fixed => Some(fixed),
            };
        }
        if let Some(datatype) = self.optional(keys.datatype)? {
            descriptor.datatype = Some(Datatype::parse(self.tree, datatype)?);
        }
        Ok(descriptor)
    }

    fn stored(&self, keys: &Keys, source: NodeId) -> Result<Descriptor> {
        let need = |value: Option<NodeId>, key: &str| -> Result<NodeId> {
            self.optional(value)?
                .ok_or_else(|| self.bad(self.node, format!("an array with 'source' also needs '{key}'")))
        };
        let source = self.source(source)?;
        let shape = self.shape(need(keys.shape, "shape")?)?;
        let datatype = Datatype::parse(self.tree, need(keys.datatype, "datatype")?)?;
        let byteorder = ByteOrder::parse(self.tree, need(keys.byteorder, "byteorder")?, Status::BadArray)?;
        let offset = match self.optional(keys.offset)? {
            Some(offset) => parse_size(self.tree, offset, "'offset'", Status::BadArray)?,
            None => 0,
        };
        let mut warnings = Vec::new();
        let strides = match self.optional(keys.strides)? {
            Some(strides) => Some(self.strides(strides, shape.rank(), &mut warnings)?),
            None => None,
        };
        Ok(Descriptor {
            node: self.node,
            source,
            shape: Some(shape),
            datatype: Some(datatype),
            byteorder,
            offset,
            strides,
            mask: None,
            warnings,
        })
    }

    fn source(&self, node: NodeId) -> Result<ArraySource> {
        let node = self.tree.resolve(node)?;
        if self.tree.kind(node) == Kind::Scalar {
            match self.tree.scalar(node)? {
                Scalar::Integer(Integer::Small(number)) => return Ok(ArraySource::Block(number)),
                Scalar::String(uri) => return Ok(ArraySource::Uri(uri.to_owned())),
                _ => {}
            }
        }
        Err(self.bad(node, "'source' must be a block number or the URI of a file"))
    }

    fn list(&self, node: NodeId, key: &str) -> Result<&[NodeId]> {
        if self.tree.kind(node) != Kind::Sequence {
            return Err(self.bad(node, format!("'{key}' must be a list of integers")));
        }
        let items = self.tree.items(node);
        let most = self.limits.rank.min(Limits::MAX_RANK);
        if items.len() > most as usize {
            return Err(self.tree.locate(Limit::Rank.exceeded("the dimensions of an array", most.into()), node));
        }
        Ok(items)
    }

    fn shape(&self, node: NodeId) -> Result<DeclaredShape> {
        let mut items = self.list(node, "shape")?;
        let mut streamed = false;
        if let Some((&first, rest)) = items.split_first()
            && self.tree.text(self.tree.resolve(first)?) == "*"
        {
            streamed = true;
            items = rest;
        }
        let mut shape = Vec::with_capacity(items.len());
        for &item in items {
            if self.tree.text(self.tree.resolve(item)?) == "*" {
                return Err(self.bad(item, "'*' is allowed only as the first dimension"));
            }
            shape.push(parse_size(self.tree, item, "a dimension", Status::BadArray)?);
        }
        Ok(if streamed { DeclaredShape::Streamed(shape) } else { DeclaredShape::Fixed(shape) })
    }

    fn strides(&self, node: NodeId, rank: usize, warnings: &mut Vec<Warning>) -> Result<Vec<i64>> {
        let items = self.list(node, "strides")?;
        if items.len() != rank {
            let message = format!("there are {} strides for {rank} dimensions", items.len());
            return Err(self.bad(node, message));
        }
        let mut strides = Vec::with_capacity(rank);
        for &item in items {
            let item = self.tree.resolve(item)?;
            let stride = match self.tree.kind(item) {
                Kind::Scalar => match self.tree.scalar(item)? {
                    Scalar::Integer(Integer::Small(stride)) => Some(stride),
                    _ => None,
                },
                _ => None,
            };
            strides.push(stride.ok_or_else(|| self.bad(item, "a stride must be an integer within 64 bits"))?);
        }
        if strides.contains(&0) {
            warnings.push(self.warning(node, "a stride is 0, so elements repeat; the standard does not allow this"));
        }
        Ok(strides)
    }
}

impl DeclaredShape {
    /// The number of dimensions.
    pub(crate) fn rank(&self) -> usize {
        match self {
            DeclaredShape::Fixed(shape) => shape.len(),
            DeclaredShape::Streamed(rest) => rest.len() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::tests::tree;

    fn parse(text: &str) -> Result<Descriptor> {
        let tree = tree(text);
        Descriptor::parse(&tree, tree.lookup(tree.root(), "a").unwrap(), &Limits::default())
    }

    fn stored(more: &str) -> Result<Descriptor> {
        parse(&format!("{{a: {{source: 0, datatype: int16, byteorder: big, {more}}}}}"))
    }

    #[test]
    fn every_key_is_read() {
        let descriptor = stored("shape: [2, 3], offset: 5, strides: [-8, 4], unknown: 1, mask: -999").unwrap();
        assert_eq!(descriptor.source, ArraySource::Block(0));
        assert_eq!(descriptor.shape, Some(DeclaredShape::Fixed(vec![2, 3])));
        assert_eq!(descriptor.datatype, Some(Datatype::Scalar(crate::array::ScalarType::Int16)));
        assert_eq!((descriptor.byteorder, descriptor.offset), (ByteOrder::Big, 5));
        assert_eq!(descriptor.strides, Some(vec![-8, 4]));
        assert!(descriptor.mask.is_some() && descriptor.warnings.is_empty());
        let source =
            |text: &str| parse(&format!("{{a: {{source: {text}, shape: [], datatype: int8, byteorder: big}}}}"));
        assert_eq!(source("-1").unwrap().source, ArraySource::Block(-1));
        assert_eq!(source("0x1").unwrap().source, ArraySource::Block(1));
        assert_eq!(source("x.asdf").unwrap().source, ArraySource::Uri("x.asdf".to_owned()));
        assert_eq!(stored("shape: ['*', 3]").unwrap().shape, Some(DeclaredShape::Streamed(vec![3])));
        assert_eq!(stored("shape: []").unwrap().shape, Some(DeclaredShape::Fixed(vec![])));
    }

    #[test]
    fn aliases_and_references_stand_for_their_targets() {
        let descriptor = parse(
            "{s: &s [4], t: int8, b: {source: 2, shape: *s, datatype: {$ref: '#/t'}, byteorder: little}, \
             a: {$ref: '#/b'}}",
        )
        .unwrap();
        assert_eq!(descriptor.source, ArraySource::Block(2));
        assert_eq!(descriptor.shape, Some(DeclaredShape::Fixed(vec![4])));
    }

    #[test]
    fn nulls_and_zero_strides_are_noticed() {
        let descriptor = stored("shape: [2], strides: null, mask: null").unwrap();
        assert_eq!((descriptor.strides, descriptor.mask), (None, None));
        assert_eq!(descriptor.warnings[0].message, "'mask' is null; the array is read without a mask");
        assert_eq!(descriptor.warnings[0].location.path.as_deref(), Some("/a/mask"));
        assert_eq!(stored("shape: [2], strides: [0]").unwrap().warnings.len(), 1);
    }

    #[test]
    fn malformed_descriptions_are_refused_where_they_are_wrong() {
        let status = |result: Result<Descriptor>| {
            let error = result.unwrap_err();
            (error.status(), error.location().path.clone().unwrap())
        };
        let cases = [
            ("", "/a"),
            ("shape: 3", "/a/shape"),
            ("shape: [-1]", "/a/shape/0"),
            ("shape: [2.0]", "/a/shape/0"),
            ("shape: ['2']", "/a/shape/0"),
            ("shape: [true]", "/a/shape/0"),
            ("shape: [9223372036854775808]", "/a/shape/0"),
            ("shape: [[2]]", "/a/shape/0"),
            ("shape: [3, '*']", "/a/shape/1"),
            ("shape: ['*', '*']", "/a/shape/1"),
            ("shape: [2], offset: -1", "/a/offset"),
            ("shape: [2], offset: 1.0", "/a/offset"),
            ("shape: [2], strides: [1, 1]", "/a/strides"),
            ("shape: [2], strides: [1.5]", "/a/strides/0"),
            ("shape: [2], strides: [[1]]", "/a/strides/0"),
            ("shape: [2], strides: 1", "/a/strides"),
            ("shape: [2], data: [1, 2]", "/a"),
        ];
        for (more, path) in cases {
            assert_eq!(status(stored(more)), (Status::BadArray, path.to_owned()), "{more}");
        }
        let whole = [
            ("{shape: [2], datatype: int8, byteorder: big}", "/a"),
            ("{source: 0, shape: [2], datatype: int8}", "/a"),
            ("{source: 0, shape: [2], byteorder: big}", "/a"),
            ("{source: 0, shape: [2], datatype: int8, byteorder: native}", "/a/byteorder"),
            ("{source: null, shape: [2], datatype: int8, byteorder: big}", "/a/source"),
            ("{source: true, shape: [2], datatype: int8, byteorder: big}", "/a/source"),
            ("{source: 0.0, shape: [2], datatype: int8, byteorder: big}", "/a/source"),
            ("{source: [0], shape: [2], datatype: int8, byteorder: big}", "/a/source"),
            ("{data: [1], shape: ['*']}", "/a/shape"),
            ("abc", "/a"),
        ];
        for (text, path) in whole {
            assert_eq!(status(parse(&format!("{{a: {text}}}"))), (Status::BadArray, path.to_owned()), "{text}");
        }
        assert_eq!(status(parse("{a: {data: [1], datatype: float}}")).0, Status::BadDatatype);
        let deep = format!("shape: [{}]", ["1"; 33].join(", "));
        assert_eq!(status(stored(&deep)).0, Status::Limit);
        stored(&format!("shape: [{}]", ["1"; 32].join(", "))).unwrap();
    }

    #[test]
    fn inline_data_need_nothing_else() {
        let descriptor = parse("{a: [1, 2]}").unwrap();
        assert!(matches!(descriptor.source, ArraySource::Inline(_)) && descriptor.datatype.is_none());
        let descriptor = parse("{a: {data: [1], byteorder: x, strides: 7, offset: -3}}").unwrap();
        assert!(matches!(descriptor.source, ArraySource::Inline(_)) && descriptor.shape.is_none());
    }
}
