//! The model of a description: groups, dimension coordinates, arrays and attributes.

use super::datatype::too_large;
use super::value::count_of;
use crate::error::Result;
use crate::ndl::{Datatype, Elements, Extensions, FloatType, IntegerType, Named, ROOT, Storage, Value};

/// Description of the content of one array file.
///
/// Path names identify groups, dimension coordinates and arrays, and each path name is used once. Parsing a text with
/// errors leaves out the wrong parts. The documentation of each field says if the field may then be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// True if the text is written without groups, which requires that everything is in the root.
    pub flat: bool,
    /// All groups: the listed ones in document order, each preceded by those of its ancestors that are not listed.
    pub groups: Named<Group>,
    /// Dimension coordinates in document order.
    pub dimcoords: Named<DimCoord>,
    /// Arrays in document order.
    pub ndarrays: Named<Ndarray>,
    /// Values of the `x-` keys at the top level.
    pub extensions: Extensions,
}

/// A group of arrays, dimension coordinates and other groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// True if the description lists the group. Other groups exist because they contain something.
    pub listed: bool,
    /// Attributes of the group.
    pub attributes: Named<Attribute>,
    /// Values of the `x-` keys.
    pub extensions: Extensions,
}

/// A one-dimensional array of coordinates along one dimension of other arrays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DimCoord {
    /// Number of elements.
    pub size: Size,
    /// The datatype; `None` if the description gives neither a datatype nor values.
    pub datatype: Option<Datatype>,
    /// True if the description gives no datatype, so that it follows from the values.
    pub datatype_inferred: bool,
    /// Storage directives.
    pub storage: Storage,
    /// The elements, if the description gives them.
    pub value: Option<Value>,
    /// Attributes of the dimension coordinate.
    pub attributes: Named<Attribute>,
    /// Values of the `x-` keys.
    pub extensions: Extensions,
}

/// An array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ndarray {
    /// The dimensions, outermost first; `None` only after errors in the text.
    pub shape: Option<Vec<Dimension>>,
    /// The datatype; `None` if the description gives neither a datatype nor values.
    pub datatype: Option<Datatype>,
    /// True if the description gives no datatype, so that it follows from the values.
    pub datatype_inferred: bool,
    /// Storage directives.
    pub storage: Storage,
    /// The elements, if the description gives them.
    pub value: Option<Value>,
    /// Attributes of the array.
    pub attributes: Named<Attribute>,
    /// Values of the `x-` keys.
    pub extensions: Extensions,
}

/// Number of elements along a dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// A fixed number.
    Fixed(u64),
    /// Unlimited: the dimension may grow.
    Unlimited,
    /// Not given, which is an error in the description.
    #[default]
    Unknown,
}

impl Size {
    /// Returns the number of elements if it is fixed.
    pub fn fixed(self) -> Option<u64> {
        match self {
            Size::Fixed(size) => Some(size),
            Size::Unlimited | Size::Unknown => None,
        }
    }
}

/// One dimension of an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dimension {
    /// Number of elements. For a dimension with a dimension coordinate this is the size of that coordinate.
    pub extent: Size,
    /// Path name of the dimension coordinate of this dimension.
    pub coordinate: Option<String>,
    /// Reference to the dimension coordinate as written in the description. It is kept even if nothing was found.
    pub spelling: Option<String>,
}

impl Dimension {
    /// Returns a dimension of fixed size.
    pub fn fixed(extent: u64) -> Dimension {
        Dimension { extent: Size::Fixed(extent), ..Dimension::default() }
    }

    /// Returns a dimension that may grow.
    pub fn unlimited() -> Dimension {
        Dimension { extent: Size::Unlimited, ..Dimension::default() }
    }

    /// Returns a dimension with a dimension coordinate, given by its path name, its name or a relative path. The
    /// reference is resolved when the description is complete.
    pub fn named(reference: impl Into<String>) -> Dimension {
        Dimension { spelling: Some(reference.into()), ..Dimension::default() }
    }
}

/// A named value of a group, an array or a dimension coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attribute {
    /// True if the text gives only the value, without shape and datatype.
    pub short: bool,
    /// The extents, outermost first; `None` only after errors in the text.
    pub shape: Option<Vec<u64>>,
    /// The datatype; `None` only after errors in the text.
    pub datatype: Option<Datatype>,
    /// Storage directives; attributes have only byte order and character set.
    pub storage: Storage,
    /// The value; `None` only after errors in the text.
    pub value: Option<Value>,
    /// Values of the `x-` keys.
    pub extensions: Extensions,
}

impl Attribute {
    /// Returns a short attribute of type `string`.
    pub fn text(text: &str) -> Attribute {
        Attribute::short(Datatype::string(), Elements::Texts([text].into_iter().collect()))
    }

    /// Returns a short attribute of type `int32`, or `int64` if the number is out of the range of `int32`.
    pub fn integer(number: i64) -> Attribute {
        let is_narrow = IntegerType::Int32.holds(number.into());
        let integer = if is_narrow { IntegerType::Int32 } else { IntegerType::Int64 };
        Attribute::short(integer.into(), Elements::Integers(vec![number]))
    }

    /// Returns a short attribute of type `float64`.
    pub fn float(number: f64) -> Attribute {
        Attribute::short(FloatType::Float64.into(), Elements::Float64(vec![number]))
    }

    fn short(datatype: Datatype, element: Elements) -> Attribute {
        Attribute { short: true, ..Attribute::new(datatype, Value::of_checked(Vec::new(), element)) }
    }

    /// Returns an attribute with the shape of its value.
    pub fn new(datatype: Datatype, value: Value) -> Attribute {
        let shape = Some(value.shape().to_vec());
        Attribute { shape, datatype: Some(datatype), value: Some(value), ..Attribute::default() }
    }
}

impl Description {
    /// Returns the description of an empty file.
    pub fn new() -> Description {
        let root = Group { listed: true, ..Group::default() };
        Description {
            flat: true,
            groups: [(ROOT, root)].into_iter().collect(),
            dimcoords: Named::new(),
            ndarrays: Named::new(),
            extensions: Extensions::new(),
        }
    }

    /// Returns the attributes of the group, array or dimension coordinate with this path name, as a mutable
    /// reference.
    pub(crate) fn attributes_mut(&mut self, path: &str) -> Option<&mut Named<Attribute>> {
        if let Some(group) = self.groups.get_mut(path) {
            return Some(&mut group.attributes);
        }
        if let Some(dimcoord) = self.dimcoords.get_mut(path) {
            return Some(&mut dimcoord.attributes);
        }
        self.ndarrays.get_mut(path).map(|ndarray| &mut ndarray.attributes)
    }

    /// Returns true if a group, a dimension coordinate or an array has this path name.
    pub fn contains(&self, path: &str) -> bool {
        self.groups.contains(path) || self.dimcoords.contains(path) || self.ndarrays.contains(path)
    }

    /// Returns the attributes of the group, array or dimension coordinate with this path name.
    pub fn attributes(&self, path: &str) -> Option<&Named<Attribute>> {
        let of_group = self.groups.get(path).map(|group| &group.attributes);
        let of_dimcoord = || self.dimcoords.get(path).map(|dimcoord| &dimcoord.attributes);
        let of_ndarray = || self.ndarrays.get(path).map(|ndarray| &ndarray.attributes);
        of_group.or_else(of_dimcoord).or_else(of_ndarray)
    }
}

impl Default for Description {
    fn default() -> Description {
        Description::new()
    }
}

impl DimCoord {
    /// Returns the stored number of elements, or the size if none is stored. Returns `None` if neither is known.
    pub fn element_count(&self) -> Option<u128> {
        self.storage.size.or(self.size.fixed()).map(u128::from)
    }

    /// Returns the size of these elements in bytes, without padding; `None` if it is unknown.
    ///
    /// Fails with [`Status::Limit`](crate::Status::Limit) if the size exceeds 128 bits.
    pub fn byte_count(&self) -> Result<Option<u128>> {
        byte_count(self.element_count(), self.datatype.as_ref())
    }
}

impl Ndarray {
    /// Returns the number of stored elements, or the product of the extents if no stored shape is given. Returns `None`
    /// if an extent is not fixed.
    ///
    /// Fails with [`Status::Limit`](crate::Status::Limit) if the number exceeds 128 bits.
    pub fn element_count(&self) -> Result<Option<u128>> {
        if let Some(stored) = &self.storage.shape {
            return count_of(stored).map(Some);
        }
        let extents: Option<Vec<u64>> =
            self.shape.as_ref().and_then(|shape| shape.iter().map(|dimension| dimension.extent.fixed()).collect());
        extents.map(|extents| count_of(&extents)).transpose()
    }

    /// Returns the size of these elements in bytes, without padding; `None` if it is unknown.
    ///
    /// Fails with [`Status::Limit`](crate::Status::Limit) if the size exceeds 128 bits.
    pub fn byte_count(&self) -> Result<Option<u128>> {
        byte_count(self.element_count()?, self.datatype.as_ref())
    }
}

fn byte_count(elements: Option<u128>, datatype: Option<&Datatype>) -> Result<Option<u128>> {
    let element = datatype.map(Datatype::element_size).transpose()?.flatten();
    let (Some(elements), Some(element)) = (elements, element) else { return Ok(None) };
    elements.checked_mul(element).ok_or_else(too_large).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_count_follows_the_stored_extent() {
        let mut ndarray = Ndarray {
            shape: Some(vec![Dimension::unlimited(), Dimension::fixed(100)]),
            datatype: Some(FloatType::Float32.into()),
            ..Ndarray::default()
        };
        assert_eq!(ndarray.byte_count().unwrap(), None);
        ndarray.storage.shape = Some(vec![16, 100]);
        assert_eq!(ndarray.byte_count().unwrap(), Some(6400));
        ndarray.datatype = None;
        assert_eq!(ndarray.byte_count().unwrap(), None);
        let dimcoord =
            DimCoord { size: Size::Fixed(u64::MAX), datatype: Some(IntegerType::Int64.into()), ..DimCoord::default() };
        assert_eq!(dimcoord.byte_count().unwrap(), Some(8 * u128::from(u64::MAX)));
    }
}
