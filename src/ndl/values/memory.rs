//! Copies of all elements of a value in memory, as numbers, strings or records.

use super::access::{constant, text};
use crate::array::{
    Datatype as MemoryType, Destination, Field, InMemory, Order, ReadOptions, ScalarType, packed_size, put_text,
};
use crate::error::{Error, Result, Status};
use crate::ndl::model::datatype::too_large;
use crate::ndl::model::value::count_of;
use crate::ndl::{Blobs, Datatype, DatatypeKind, Elements, Enumeration, FloatType, IntegerType, Named, Value};
use crate::progress::{self, Counted};
use crate::reserve::{collected, copy_of};
use crate::source::{try_zeroed, zeroed_bytes};

impl Value {
    /// Converts all elements to `target`, in native byte order, and writes them to the start of `out`. The order is C
    /// order unless the options say otherwise. The conversion follows [`Array::read`](crate::array::Array::read).
    ///
    /// * Constants become their numbers; `FALSE` and `TRUE` also convert to booleans.
    /// * Array datatypes append their dimensions to those of the value.
    /// * Opaque bytes append one dimension, their size; short ones are padded with zeros.
    /// * Strings, names of constants and path names of object references become strings of fixed length: UTF-8 for
    ///   [`MemoryType::Ascii`], UTF-32 for [`MemoryType::Ucs4`].
    /// * Compounds become packed records. The fields have the names, the order and the appended dimensions of the
    ///   members; each member is converted by itself.
    ///
    /// Fails with [`Status::Conversion`] for other pairs of datatypes, with [`Status::Overflow`] if an element does not
    /// fit, and with [`Status::BufferTooSmall`] if `out` is too small. Fails with [`Status::InvalidArgument`] for
    /// strides that do not suit the shape, or a value that does not fit the datatype. After a failure the content of
    /// `out` is unspecified.
    pub fn read(&self, datatype: &Datatype, target: &MemoryType, out: &mut [u8], options: &ReadOptions) -> Result<()> {
        options.check_no_function()?;
        let _expectation = progress::expect(Counted::Elements, None)?;
        let unpadded = ReadOptions { blank_padded: false, ..options.clone() };
        let reading = Reading { shape: copy_of(self.shape())?, target, out: &mut *out, options: &unpadded };
        reading.read(self.elements(), datatype)?;
        if options.blank_padded {
            let shape = [self.shape(), &added_dimensions(datatype)].concat();
            let shape = Reading { shape, target, out: &mut *out, options }.shape()?;
            Destination::new(&shape, target.item_size()?, &options.order)?.pad(target, out)?;
        }
        Ok(())
    }
}

impl Datatype {
    /// Returns the scalar type that holds each element in memory, with the dimensions that [`Value::read`] appends.
    /// `None` if the elements are neither numbers nor bytes.
    pub(crate) fn memory_scalar(&self) -> Option<ScalarType> {
        match self.kind() {
            DatatypeKind::Integer(integer) => Some(integer.scalar()),
            DatatypeKind::Float(FloatType::Float32) => Some(ScalarType::Float32),
            DatatypeKind::Float(FloatType::Float64) => Some(ScalarType::Float64),
            DatatypeKind::Enum(enumeration) if enumeration.is_boolean() => Some(ScalarType::Bool8),
            DatatypeKind::Enum(enumeration) => Some(enumeration.base.scalar()),
            DatatypeKind::Opaque { .. } => Some(ScalarType::Uint8),
            // Recursion is as deep as the datatype, which is limited.
            DatatypeKind::Array { base, .. } => base.memory_scalar(),
            _ => None,
        }
    }
}

/// Returns the dimensions that array datatypes and opaque bytes append to those of a value.
fn added_dimensions(datatype: &Datatype) -> Vec<u64> {
    let mut out = Vec::new();
    let mut datatype = datatype;
    while let DatatypeKind::Array { base, shape } = datatype.kind() {
        out.extend(shape);
        datatype = base;
    }
    if let DatatypeKind::Opaque { size, .. } = datatype.kind() {
        out.push(*size);
    }
    out
}

fn not_of_datatype() -> Error {
    Error::new(Status::InvalidArgument, "the value does not fit its datatype")
}

/// Conversion of one value into a caller's buffer.
struct Reading<'a> {
    shape: Vec<u64>,
    target: &'a MemoryType,
    out: &'a mut [u8],
    options: &'a ReadOptions,
}

impl Reading<'_> {
    /// Recursion is as deep as the datatype, which is limited.
    fn read(mut self, elements: &Elements, datatype: &Datatype) -> Result<()> {
        self.shape.extend(added_dimensions(datatype));
        let (mut elements, mut datatype) = (elements, datatype);
        while let (Elements::Arrays { base, .. }, DatatypeKind::Array { base: of_base, .. }) =
            (elements, datatype.kind())
        {
            (elements, datatype) = (base, of_base);
        }
        match (elements, datatype.kind()) {
            (Elements::Texts(_) | Elements::Objects(_) | Elements::Constants(_), _) if self.wants_text() => {
                self.texts(elements, datatype)
            }
            (Elements::Integers(numbers), _) => self.numbers(ScalarType::Int64, numbers),
            (Elements::Unsigned(numbers), _) => self.numbers(ScalarType::Uint64, numbers),
            (Elements::Float32(numbers), _) => self.numbers(ScalarType::Float32, numbers),
            (Elements::Float64(numbers), _) => self.numbers(ScalarType::Float64, numbers),
            (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => self.constants(positions, enumeration),
            // A record or string target may have size 0, so that the size of `out` would not limit the padded copy.
            (Elements::Opaque(blobs), DatatypeKind::Opaque { size, .. }) if self.target.scalar().is_some() => {
                self.check_room()?;
                let bytes = padded(blobs, *size)?;
                self.numbers(ScalarType::Uint8, &bytes)
            }
            (Elements::Compound(columns), DatatypeKind::Compound(members)) => self.records(columns, members),
            _ => Err(self.no_conversion(datatype.keyword())),
        }
    }

    fn no_conversion(&self, from: &str) -> Error {
        Error::new(Status::Conversion, format!("there is no conversion from {from} to {}", self.target))
    }

    fn wants_text(&self) -> bool {
        matches!(self.target, MemoryType::Ascii(_) | MemoryType::Ucs4(_))
    }

    /// Returns the minimum size of all elements in bytes. Checking it first avoids work for a buffer that is too small.
    fn check_room(&self) -> Result<usize> {
        let (size, available) = (packed_size(self.target, &self.shape()?)?, self.out.len());
        usize::try_from(size).ok().filter(|&size| size <= available).ok_or_else(|| {
            let message = format!("the elements take {size} bytes, but the buffer has {available} bytes");
            Error::new(Status::BufferTooSmall, message)
        })
    }

    /// Returns the shape for the copy. In C order the number of elements is enough, and a value may have a higher rank
    /// than an array.
    fn shape(&self) -> Result<Vec<i64>> {
        let beyond = || Error::new(Status::Limit, "an extent of the value exceeds 63 bits");
        if self.options.order == Order::C {
            return Ok(vec![i64::try_from(count_of(&self.shape)?).map_err(|_| beyond())?]);
        }
        collected(self.shape.iter().map(|&extent| i64::try_from(extent).map_err(|_| beyond())))
    }

    fn numbers<T: bytemuck::NoUninit>(self, scalar: ScalarType, numbers: &[T]) -> Result<()> {
        self.packed(&scalar.into(), bytemuck::cast_slice(numbers))
    }

    fn packed(self, datatype: &MemoryType, bytes: &[u8]) -> Result<()> {
        let memory = InMemory::new(datatype, &self.shape()?, &Order::C, bytes.len())?;
        memory.read(bytes, self.target, self.out, self.options)
    }

    fn constants(self, positions: &[u32], enumeration: &Enumeration) -> Result<()> {
        let elements = 0..positions.len();
        let number = |element: usize| {
            constant(enumeration, positions, element).map(|(_, number)| number).ok_or_else(not_of_datatype)
        };
        // The casts are exact, because each number is in the range of the base.
        if enumeration.is_boolean() {
            self.numbers(ScalarType::Bool8, &collected(elements.map(|element| Ok(number(element)? as u8)))?)
        } else if enumeration.base == IntegerType::Uint64 {
            self.numbers(ScalarType::Uint64, &collected(elements.map(|element| Ok(number(element)? as u64)))?)
        } else {
            self.numbers(ScalarType::Int64, &collected(elements.map(|element| Ok(number(element)? as i64)))?)
        }
    }

    fn texts(self, elements: &Elements, datatype: &Datatype) -> Result<()> {
        let item = self.target.item_size()?;
        if item == 0 {
            return Err(Error::new(Status::Conversion, format!("{} holds no text", self.target)));
        }
        let mut bytes = try_zeroed(self.check_room()?)?;
        let length = usize::try_from(item).map_err(|_| Error::out_of_memory(item))?;
        for (position, string) in bytes.chunks_exact_mut(length).enumerate() {
            let text = text(elements, position, datatype).ok_or_else(not_of_datatype)?;
            put_text(text, self.target, self.options.clamp, string)
                .map_err(|error| Error::because_of(&format!("element {position}"), &error))?;
        }
        self.finished(item, &bytes)
    }

    fn records(self, columns: &[Elements], members: &Named<Datatype>) -> Result<()> {
        let target = self.target;
        let fields = if let MemoryType::Record(fields) = target { &fields[..] } else { &[] };
        let is_alike = |((name, member), field): ((&str, &Datatype), &Field)| {
            let dimensions = added_dimensions(member);
            let extents = field.shape.iter().map(|&extent| u64::try_from(extent).ok());
            field.name.as_deref() == Some(name) && dimensions.into_iter().map(Some).eq(extents)
        };
        if fields.len() != members.len() || !members.iter().zip(fields).all(is_alike) {
            return Err(self.no_conversion("compound"));
        }
        let count = columns.first().map_or(0, Elements::len);
        let (mut bytes, item) = (try_zeroed(self.check_room()?)?, target.item_size()?);
        let options = ReadOptions { clamp: self.options.clamp, ..ReadOptions::default() };
        let mut before = 0;
        for ((column, (name, member)), field) in columns.iter().zip(members.iter()).zip(fields) {
            let size = usize::try_from(field.size()?).map_err(|_| Error::out_of_memory(u64::MAX))?;
            // The size of one column is at most the size of all records.
            let mut packed = try_zeroed(count.saturating_mul(size).min(bytes.len()))?;
            let reading =
                Reading { shape: vec![count as u64], target: &field.datatype, out: &mut packed, options: &options };
            reading.read(column, member).map_err(|error| Error::because_of(&format!("the member '{name}'"), &error))?;
            let parts = packed.chunks_exact(size.max(1));
            for (record, part) in bytes.chunks_exact_mut((item as usize).max(1)).zip(parts) {
                if let Some(place) = record.get_mut(before..before + size) {
                    place.copy_from_slice(part);
                }
            }
            before += size;
        }
        self.finished(item, &bytes)
    }

    /// Copies items that already have the target's representation to their places in `out`. They are treated as strings
    /// of `item` bytes, which are copied unchanged.
    fn finished(self, item: u64, bytes: &[u8]) -> Result<()> {
        let datatype = MemoryType::Ascii(item);
        let Reading { shape, out, options, .. } = self;
        Reading { shape, target: &datatype, out, options }.packed(&datatype, bytes)
    }
}

/// Returns the opaque bytes, each padded with zeros to the full size.
fn padded(blobs: &Blobs, size: u64) -> Result<Vec<u8>> {
    let total = (blobs.len() as u64).checked_mul(size).ok_or_else(too_large)?;
    let mut bytes = zeroed_bytes(total)?;
    let item = usize::try_from(size).map_err(|_| Error::out_of_memory(size))?;
    for (padded, blob) in bytes.chunks_exact_mut(item.max(1)).zip(blobs.iter()) {
        if let Some(start) = padded.get_mut(..blob.len()) {
            start.copy_from_slice(blob);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ndl::{Description, ReadOptions as ParseOptions, parse};

    const TEXT: &str = "\
dimcoords:
  x: {size: 3, type: float32, value: [0.5, 1, .inf]}
ndarrays:
  i: {shape: [2, 3], type: int8, value: [[1, 2, 3], [-4, 5, 6]]}
  u: {shape: [1], type: uint64, value: [18446744073709551615]}
  e: {shape: [2], type: {enum: {base: int16, members: {OFF: -1, ON: 300}}}, value: [ON, OFF]}
  b: {shape: [2], type: {enum: {members: {\"FALSE\": 0, \"TRUE\": 1}}}, value: [TRUE, FALSE]}
  m: {shape: [2], type: {array: {base: {array: {base: uint8, shape: [2]}}, shape: [1]}}, value: [[[1, 2]], [[3, 4]]]}
  o: {shape: [2], type: {opaque: {size: 3}}, value: [AQID, BA==]}
  s: {shape: [2], type: string, value: [é, ab]}
  r: {shape: [3], type: objref, value: [/i, null, /no]}
  c: {shape: [1], type: {compound: [k: int8, t: string]}, value: [[1, \"[\"]]}
  w: {shape: [2], type: {compound: [k: int16, t: string]}, value: [[1, a], [256, b]]}
  n:
    shape: [2]
    type: {compound: [m: {array: {base: int8, shape: [2]}}, i: {compound: [b: {opaque: {size: 3}}]}]}
    value: [[[1, 2], [AwQ=]], [[5, 6], [Bw==]]]
  v: {shape: [2], type: {vlen: {base: float64}}, value: [[1, .nan], []]}
  g: {shape: [2], type: {regref: {selection: block}}, value: [{target: /i, start: [1, 2], opposite: [0, 0]}, null]}
  none: {shape: [0, 3], type: int8, value: []}
";

    fn description() -> Description {
        let parsed = parse(TEXT.as_bytes(), &ParseOptions::default());
        assert!(parsed.is_valid(), "{:?}", parsed.diagnostics);
        parsed.description
    }

    /// Calls `call` with the value of this array and its datatype.
    pub(in crate::ndl) fn with<T>(name: &str, with: impl FnOnce(&Value, &Datatype) -> T) -> T {
        let description = description();
        let (value, datatype) = match description.ndarrays.get(&format!("/{name}")) {
            Some(array) => (&array.value, &array.datatype),
            None => {
                (&description.dimcoords.get("/x").unwrap().value, &description.dimcoords.get("/x").unwrap().datatype)
            }
        };
        with(value.as_ref().unwrap(), datatype.as_ref().unwrap())
    }

    fn read(name: &str, target: impl Into<MemoryType>, size: usize) -> Result<Vec<u8>> {
        let mut out = vec![7; size];
        let target = target.into();
        with(name, |value, datatype| value.read(datatype, &target, &mut out, &ReadOptions::default()))?;
        Ok(out)
    }

    fn status(result: Result<Vec<u8>>) -> Status {
        result.unwrap_err().status()
    }

    #[test]
    fn numbers_and_bytes_have_a_scalar_type() {
        use ScalarType::{Bool8, Float32, Int8, Int16, Uint8, Uint64};
        for (name, scalar) in
            [("x", Float32), ("i", Int8), ("u", Uint64), ("e", Int16), ("b", Bool8), ("m", Uint8), ("o", Uint8)]
        {
            assert_eq!(with(name, |_, datatype| datatype.memory_scalar()), Some(scalar), "{name}");
        }
        for name in ["s", "r", "c", "v", "g"] {
            assert_eq!(with(name, |_, datatype| datatype.memory_scalar()), None, "{name}");
        }
    }

    #[test]
    fn numbers_are_converted_as_those_of_arrays() {
        let floats = |numbers: &[f64]| numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<_>>();
        assert_eq!(read("x", ScalarType::Float64, 24).unwrap(), floats(&[0.5, 1.0, f64::INFINITY]));
        assert_eq!(read("i", ScalarType::Int8, 8).unwrap(), [1, 2, 3, 252, 5, 6, 7, 7]);
        assert_eq!(status(read("i", ScalarType::Int8, 5)), Status::BufferTooSmall);
        assert_eq!(status(read("i", ScalarType::Uint8, 6)), Status::Overflow);
        assert_eq!(status(read("x", ScalarType::Int32, 12)), Status::Overflow);
        assert_eq!(read("u", ScalarType::Uint64, 8).unwrap(), [255; 8]);
        assert_eq!(status(read("u", ScalarType::Int64, 8)), Status::Overflow);
        assert_eq!(read("e", ScalarType::Float64, 16).unwrap(), floats(&[300.0, -1.0]));
        assert_eq!(read("b", ScalarType::Bool8, 2).unwrap(), [1, 0]);
        assert_eq!(read("b", ScalarType::Float64, 16).unwrap(), floats(&[1.0, 0.0]));
        assert_eq!(read("m", ScalarType::Uint8, 4).unwrap(), [1, 2, 3, 4]);
        assert_eq!(read("o", ScalarType::Uint8, 6).unwrap(), [1, 2, 3, 4, 0, 0]);
        assert_eq!(status(read("o", ScalarType::Uint8, 5)), Status::BufferTooSmall);
        assert_eq!(status(read("o", MemoryType::Ascii(0), 5)), Status::Conversion);
        assert_eq!(read("none", ScalarType::Float64, 0).unwrap(), []);
        for name in ["s", "r", "c", "v", "g"] {
            assert_eq!(status(read(name, ScalarType::Float64, 100)), Status::Conversion);
        }
    }

    #[test]
    fn elements_follow_the_order_of_the_options() {
        let mut out = [0; 6];
        let options = ReadOptions { order: Order::Fortran, clamp: true, ..ReadOptions::default() };
        with("i", |value, datatype| value.read(datatype, &ScalarType::Uint8.into(), &mut out, &options)).unwrap();
        assert_eq!(out, [1, 0, 2, 5, 3, 6]);
    }

    #[test]
    fn values_may_have_more_dimensions_than_arrays() {
        let int8 = Datatype::from(IntegerType::Int8);
        let value = Value::new(vec![1; 40], Elements::Integers(vec![5]), &int8).unwrap();
        let read = |order| {
            let mut out = [0];
            let options = ReadOptions { order, ..ReadOptions::default() };
            value.read(&int8, &ScalarType::Uint8.into(), &mut out, &options).map(|()| out)
        };
        assert_eq!(read(Order::C).unwrap(), [5]);
        assert!(read(Order::Fortran).is_err());
    }

    fn field(name: &str, datatype: impl Into<MemoryType>, shape: &[i64]) -> Field {
        Field { name: Some(name.to_owned()), datatype: datatype.into(), byteorder: None, shape: shape.to_vec() }
    }

    #[test]
    fn compounds_become_records() {
        let record = |fields| MemoryType::record(fields).unwrap();
        let pair = record(vec![field("k", ScalarType::Uint8, &[]), field("t", MemoryType::Ascii(2), &[])]);
        assert_eq!(read("c", pair, 3).unwrap(), *b"\x01[\0");
        let inner = |count| record(vec![field("b", ScalarType::Uint8, &[count])]);
        let outer = |datatype| record(vec![field("m", ScalarType::Int8, &[2]), field("i", datatype, &[])]);
        assert_eq!(read("n", outer(inner(3)), 12).unwrap(), [1, 2, 3, 4, 0, 5, 6, 7, 0, 0, 7, 7]);
        let mut out = [0; 10];
        let order = Order::Strided(vec![-5]);
        let options = ReadOptions { order, ..ReadOptions::default() };
        with("n", |value, datatype| value.read(datatype, &outer(inner(3)), &mut out, &options)).unwrap();
        assert_eq!(out, [5, 6, 7, 0, 0, 1, 2, 3, 4, 0]);
        assert_eq!(status(read("n", outer(inner(3)), 9)), Status::BufferTooSmall);
        assert_eq!(status(read("n", outer(inner(2)), 9)), Status::Conversion);
        let small = record(vec![field("k", ScalarType::Uint8, &[]), field("t", MemoryType::Ascii(0), &[])]);
        let other = record(vec![field("k", ScalarType::Uint8, &[]), field("u", MemoryType::Ascii(2), &[])]);
        let fewer = record(vec![field("k", ScalarType::Uint8, &[])]);
        for target in [small, other, fewer] {
            assert_eq!(status(read("c", target, 100)), Status::Conversion);
        }
        let overflow = record(vec![field("k", ScalarType::Uint8, &[]), field("t", MemoryType::Ascii(2), &[])]);
        assert_eq!(
            read("w", overflow, 6).unwrap_err().message(),
            "the member 'k': element 1 is 256, which uint8 cannot hold"
        );
    }

    #[test]
    fn texts_become_strings_of_a_fixed_length() {
        assert_eq!(read("s", MemoryType::Ascii(3), 6).unwrap(), *"é\0ab\0".as_bytes());
        assert_eq!(status(read("s", MemoryType::Ascii(1), 2)), Status::Overflow);
        assert_eq!(status(read("s", MemoryType::Ascii(3), 5)), Status::BufferTooSmall);
        assert_eq!(status(read("s", MemoryType::Ascii(1 << 60), 5)), Status::BufferTooSmall);
        assert_eq!(status(read("s", MemoryType::Ascii(0), 5)), Status::Conversion);
        let units: Vec<u8> = ['é', '\0', 'a', 'b'].into_iter().flat_map(|unit| u32::from(unit).to_ne_bytes()).collect();
        assert_eq!(read("s", MemoryType::Ucs4(2), 16).unwrap(), units);
        assert_eq!(read("e", MemoryType::Ascii(3), 6).unwrap(), *b"ON\0OFF");
        assert_eq!(read("r", MemoryType::Ascii(3), 9).unwrap(), *b"/i\0\0\0\0/no");
        assert_eq!(status(read("c", MemoryType::Ascii(3), 9)), Status::Conversion);
    }
}
