//! Elements of nested lists: inference of their datatype, and their bytes.
//!
//! Only the bytes of an element are kept. Without a stated datatype, elements are stored as int64 or float64 in the
//! pass that infers the datatype, because most arrays turn out to be one of these.

use super::lists::Lists;
use super::room;
use crate::array::ScalarType;
use crate::array::element::datatype::Datatype;
use crate::array::element::leaf::Leaf;
use crate::array::payload::Payload;
use crate::array::payload::stored;
use crate::error::{Error, Result, Status, Warning};
use crate::float::simple_float;
use crate::limits::Limits;
use crate::source::zeroed_bytes;

/// Elements as packed native bytes. If one is null, `nulls` holds one byte for each element: 1 for null, else 0.
pub(super) struct Values {
    pub(super) datatype: Datatype,
    pub(super) payload: Payload,
    pub(super) nulls: Option<Vec<u8>>,
}

impl Values {
    /// Reads the elements as the stated datatype, or as an inferred one.
    pub(super) fn read(
        lists: &Lists,
        stated: Option<&Datatype>,
        limits: &Limits,
        warnings: &mut Vec<Warning>,
    ) -> Result<Values> {
        let count = lists.count()?;
        let datatype = match stated {
            Some(datatype) => datatype.clone(),
            None => {
                let survey = Survey::of(lists, count, limits)?;
                let datatype = survey.infer(lists, warnings)?;
                if let Some(bytes) = survey.numbers.bytes_of(&datatype) {
                    return Ok(Values { datatype, payload: stored(bytes), nulls: survey.nulls.0 });
                }
                datatype
            }
        };
        let size = datatype.item_size()?;
        let mut bytes = room(lists.tree, lists.data, count, size, limits)?;
        let mut rest = bytes.chunks_exact_mut((size as usize).max(1));
        let mut nulls = Nulls(None);
        let are_doubles = datatype.scalar() == Some(ScalarType::Float64);
        let (mut elements, mut index) = (lists.elements(), 0);
        while let Some(element) = elements.next().transpose()? {
            let leaf = element.leaf(lists.tree)?;
            if leaf.is_null() {
                nulls.add(index, count)?;
            }
            leaf.put(lists.tree, element.node, &datatype, rest.next().unwrap_or_default())?;
            index += 1;
            // Most lists of floats hold only floats in their most common form.
            if let (true, Some(items)) = (are_doubles, elements.plain_items()) {
                while let Some(value) = items.next_as(simple_float) {
                    if let Some(place) = rest.next() {
                        place.copy_from_slice(&value.to_ne_bytes());
                    }
                    index += 1;
                }
            }
        }
        Ok(Values { datatype, payload: stored(bytes), nulls: nulls.0 })
    }
}

/// One byte for each element: 1 for null, else 0. `None` without a null.
struct Nulls(Option<Vec<u8>>);

impl Nulls {
    fn add(&mut self, index: usize, count: u64) -> Result<()> {
        if self.0.is_none() {
            self.0 = Some(zeroed_bytes(count)?);
        }
        if let Some(null) = self.0.as_mut().and_then(|nulls| nulls.get_mut(index)) {
            *null = 1;
        }
        Ok(())
    }
}

/// Elements as native int64 or float64 numbers, as long as one of these types represents all of them. Null leaves zero.
enum Numbers {
    Integers(Vec<u8>),
    Floats(Vec<u8>),
    Neither,
}

impl Numbers {
    /// Adds the element at this index. Elements must be added in order.
    #[inline]
    fn add(&mut self, index: usize, leaf: Leaf) {
        let value = match (&*self, leaf) {
            (_, Leaf::Null) | (Numbers::Neither, _) => return,
            (Numbers::Integers(_), Leaf::Integer(value)) => value.to_ne_bytes(),
            (Numbers::Integers(_), Leaf::Bool(value)) => i64::from(value).to_ne_bytes(),
            (_, leaf) => match leaf.float64() {
                Some(value) => value.to_ne_bytes(),
                None => return *self = Numbers::Neither,
            },
        };
        if let Numbers::Integers(bytes) = self
            && !matches!(leaf, Leaf::Integer(_) | Leaf::Bool(_))
        {
            let mut bytes = std::mem::take(bytes);
            for number in bytes.as_chunks_mut::<8>().0.iter_mut().take(index) {
                *number = (i64::from_ne_bytes(*number) as f64).to_ne_bytes();
            }
            *self = Numbers::Floats(bytes);
        }
        if let Numbers::Integers(bytes) | Numbers::Floats(bytes) = self
            && let Some(place) = bytes.as_chunks_mut::<8>().0.get_mut(index)
        {
            *place = value;
        }
    }

    fn bytes_of(self, datatype: &Datatype) -> Option<Vec<u8>> {
        match (self, datatype.scalar()) {
            (Numbers::Integers(bytes), Some(ScalarType::Int64)) => Some(bytes),
            (Numbers::Floats(bytes), Some(ScalarType::Float64)) => Some(bytes),
            _ => None,
        }
    }
}

/// The kinds of values among the elements.
struct Survey {
    is_empty: bool,
    numbers: Numbers,
    nulls: Nulls,
    bools: bool,
    integers: bool,
    negative: bool,
    unsigned: bool,
    huge: bool,
    floats: bool,
    complexes: bool,
    texts: bool,
}

impl Survey {
    fn of(lists: &Lists, count: u64, limits: &Limits) -> Result<Survey> {
        let fits = count.checked_mul(8).is_some_and(|size| size <= limits.decoded_bytes);
        let mut survey = Survey {
            is_empty: count == 0,
            numbers: match fits {
                true => Numbers::Integers(room(lists.tree, lists.data, count, 8, limits)?),
                false => Numbers::Neither,
            },
            nulls: Nulls(None),
            bools: false,
            integers: false,
            negative: false,
            unsigned: false,
            huge: false,
            floats: false,
            complexes: false,
            texts: false,
        };
        for (index, element) in lists.elements().enumerate() {
            let leaf = element?.leaf(lists.tree)?;
            match leaf {
                Leaf::Null => survey.nulls.add(index, count)?,
                Leaf::Bool(_) => survey.bools = true,
                Leaf::Integer(value) => {
                    survey.integers = true;
                    survey.negative |= value < 0;
                }
                Leaf::Unsigned(_) => survey.unsigned = true,
                Leaf::Huge(_) => survey.huge = true,
                Leaf::Float(_) => survey.floats = true,
                Leaf::Complex(..) => survey.complexes = true,
                Leaf::Text => survey.texts = true,
            }
            survey.numbers.add(index, leaf);
        }
        Ok(survey)
    }

    fn infer(&self, lists: &Lists, warnings: &mut Vec<Warning>) -> Result<Datatype> {
        let mut warn = |message: &str| {
            warnings.push(Warning { message: message.to_owned(), location: lists.tree.location(lists.data) });
        };
        let numbers = self.integers || self.unsigned || self.huge || self.floats;
        Ok(Datatype::Scalar(if self.texts {
            if numbers || self.bools || self.complexes {
                warn("the list mixes numbers and text, so the numbers are read as text");
            }
            return self.longest_text(lists).map(Datatype::Ucs4);
        } else if self.complexes {
            ScalarType::Complex128
        } else if self.floats || self.is_empty {
            ScalarType::Float64
        } else if self.huge || (self.unsigned && self.negative) {
            let error = Error::new(Status::Overflow, "no integer datatype can represent all elements");
            return Err(lists.tree.locate(error, lists.data));
        } else if self.unsigned {
            warn("the integers do not fit a signed datatype, so they are read as uint64");
            ScalarType::Uint64
        } else if self.integers {
            ScalarType::Int64
        } else {
            ScalarType::Bool8
        }))
    }

    /// Returns the length, in characters, of the longest element as written in the file.
    fn longest_text(&self, lists: &Lists) -> Result<u64> {
        let mut longest = 0;
        for (index, element) in lists.elements().enumerate() {
            let is_null = self.nulls.0.as_ref().is_some_and(|nulls| nulls.get(index) == Some(&1));
            if !is_null {
                longest = longest.max(element?.text(lists.tree).chars().count());
            }
        }
        Ok(longest as u64)
    }
}
