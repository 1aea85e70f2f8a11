//! The model: what a file holds, as a description tells it.

use super::datatype::too_large;
use super::value::count_of;
use crate::error::Result;
use crate::ndl::{Datatype, Elements, Extensions, FloatType, IntegerType, Named, ROOT, Storage, Value};

/// What one file of arrays holds.
///
/// Groups, dimension coordinates and arrays are named by their path names, which differ among all three. A description
/// that was read with errors is as complete as they allow: what is wrong is left out, and the fields say which of them
/// may be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Whether it is written without groups: everything is in the root.
    pub flat: bool,
    /// All groups: those that are listed, in document order, each after such of its ancestors as are not listed.
    pub groups: Named<Group>,
    /// Dimension coordinates in document order.
    pub dimcoords: Named<DimCoord>,
    /// Arrays in document order.
    pub ndarrays: Named<Ndarray>,
    /// What stands under `x-` keys at the top.
    pub extensions: Extensions,
}

/// A group of arrays, dimension coordinates and groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Whether the description lists it; others exist because something is in them.
    pub listed: bool,
    /// Its attributes.
    pub attributes: Named<Attribute>,
    /// What stands under `x-` keys.
    pub extensions: Extensions,
}

/// A one-dimensional array of what belongs to the indices of other arrays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DimCoord {
    /// How many elements it has.
    pub size: Size,
    /// The datatype; missing if the description leaves it out, without values from which it follows.
    pub datatype: Option<Datatype>,
    /// Whether the datatype is left out, and follows from the values.
    pub datatype_inferred: bool,
    /// How it is stored.
    pub storage: Storage,
    /// The elements, if they are given.
    pub value: Option<Value>,
    /// Its attributes.
    pub attributes: Named<Attribute>,
    /// What stands under `x-` keys.
    pub extensions: Extensions,
}

/// An array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ndarray {
    /// The dimensions, outermost first; missing only in a description with errors.
    pub shape: Option<Vec<Dimension>>,
    /// The datatype; missing if the description leaves it out, without values from which it follows.
    pub datatype: Option<Datatype>,
    /// Whether the datatype is left out, and follows from the values.
    pub datatype_inferred: bool,
    /// How it is stored.
    pub storage: Storage,
    /// The elements, if they are given.
    pub value: Option<Value>,
    /// Its attributes.
    pub attributes: Named<Attribute>,
    /// What stands under `x-` keys.
    pub extensions: Extensions,
}

/// How many elements there are along a dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// So many.
    Fixed(u64),
    /// Any number: the dimension may grow.
    Unlimited,
    /// The description does not tell, which is an error in it.
    #[default]
    Unknown,
}

impl Size {
    /// The number, if there is one.
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
    /// How many elements there are along it; with a dimension coordinate, that one's size.
    pub extent: Size,
    /// The path name of the dimension coordinate whose elements belong to the indices.
    pub coordinate: Option<String>,
    /// How the description refers to it; also there if no such dimension coordinate was found.
    pub spelling: Option<String>,
}

impl Dimension {
    /// A dimension of so many elements.
    pub fn fixed(extent: u64) -> Dimension {
        Dimension { extent: Size::Fixed(extent), ..Dimension::default() }
    }

    /// A dimension that may grow.
    pub fn unlimited() -> Dimension {
        Dimension { extent: Size::Unlimited, ..Dimension::default() }
    }

    /// The dimension of a dimension coordinate, which is found by its path name, its name or a relative path once the
    /// description is whole.
    pub fn named(reference: impl Into<String>) -> Dimension {
        Dimension { spelling: Some(reference.into()), ..Dimension::default() }
    }
}

/// A named value that belongs to a group, an array or a dimension coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attribute {
    /// Whether it is written as its value alone.
    pub short: bool,
    /// The extents, outermost first; missing only in a description with errors.
    pub shape: Option<Vec<u64>>,
    /// The datatype; missing only in a description with errors.
    pub datatype: Option<Datatype>,
    /// How it is stored: byte order and character set alone.
    pub storage: Storage,
    /// The value; missing only in a description with errors.
    pub value: Option<Value>,
    /// What stands under `x-` keys.
    pub extensions: Extensions,
}

impl Attribute {
    /// One that is as good as its value alone: text.
    pub fn text(text: &str) -> Attribute {
        Attribute::short(Datatype::string(), Elements::Texts([text].into_iter().collect()))
    }

    /// One that is as good as its value alone: an integer, `int32` if it is in its range, else `int64`.
    pub fn integer(number: i64) -> Attribute {
        let is_narrow = IntegerType::Int32.holds(number.into());
        let integer = if is_narrow { IntegerType::Int32 } else { IntegerType::Int64 };
        Attribute::short(integer.into(), Elements::Integers(vec![number]))
    }

    /// One that is as good as its value alone: a `float64`.
    pub fn float(number: f64) -> Attribute {
        Attribute::short(FloatType::Float64.into(), Elements::Float64(vec![number]))
    }

    fn short(datatype: Datatype, element: Elements) -> Attribute {
        Attribute { short: true, ..Attribute::new(datatype, Value::of_checked(Vec::new(), element)) }
    }

    /// An attribute with the shape of its value.
    pub fn new(datatype: Datatype, value: Value) -> Attribute {
        let shape = Some(value.shape().to_vec());
        Attribute { shape, datatype: Some(datatype), value: Some(value), ..Attribute::default() }
    }
}

impl Description {
    /// A description of an empty file.
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

    /// The attributes of what has this path name, to be changed.
    pub fn attributes_mut(&mut self, path: &str) -> Option<&mut Named<Attribute>> {
        if let Some(group) = self.groups.get_mut(path) {
            return Some(&mut group.attributes);
        }
        if let Some(dimcoord) = self.dimcoords.get_mut(path) {
            return Some(&mut dimcoord.attributes);
        }
        self.ndarrays.get_mut(path).map(|ndarray| &mut ndarray.attributes)
    }

    /// Whether a group, a dimension coordinate or an array has this path name.
    pub fn contains(&self, path: &str) -> bool {
        self.groups.contains(path) || self.dimcoords.contains(path) || self.ndarrays.contains(path)
    }

    /// The attributes of what has this path name.
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
    /// How many elements are stored, or else how many there are; nothing if it may grow.
    pub fn element_count(&self) -> Option<u128> {
        self.storage.size.or(self.size.fixed()).map(u128::from)
    }

    /// The bytes of these elements without gaps; nothing if that is not known.
    ///
    /// Fails with [`Status::Limit`](crate::Status::Limit) if 128 bits cannot count them.
    pub fn byte_count(&self) -> Result<Option<u128>> {
        byte_count(self.element_count(), self.datatype.as_ref())
    }
}

impl Ndarray {
    /// How many elements are stored, or else how many there are; nothing if that is not known.
    ///
    /// Fails with [`Status::Limit`](crate::Status::Limit) if 128 bits cannot count them.
    pub fn element_count(&self) -> Result<Option<u128>> {
        if let Some(stored) = &self.storage.shape {
            return count_of(stored).map(Some);
        }
        let extents: Option<Vec<u64>> =
            self.shape.as_ref().and_then(|shape| shape.iter().map(|dimension| dimension.extent.fixed()).collect());
        extents.map(|extents| count_of(&extents)).transpose()
    }

    /// The bytes of these elements without gaps; nothing if that is not known.
    ///
    /// Fails with [`Status::Limit`](crate::Status::Limit) if 128 bits cannot count them.
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
    fn bytes_are_those_of_the_stored_elements() {
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
