//! Values as programs take them: one element as a number, a text or in the notation of the language, or all of them in
//! memory.

use super::datatype::too_large;
use super::flow::{Dialect, Flow};
use super::value::count_of;
use super::walk::element;
use super::{Blobs, Datatype, DatatypeKind, Elements, Enumeration, IntegerType, Value};
use crate::array::{Datatype as MemoryType, InMemory, Order, ReadOptions, ScalarType, packed_size, put_text};
use crate::error::{Error, Result, Status};
use crate::source::try_zeroed;

impl Value {
    /// One element, counted in the order of indices, as an integer: an integer, or the number of a constant.
    ///
    /// Fails with [`Status::OutOfRange`] if there is no such element, and with [`Status::WrongType`] for any other
    /// datatype.
    pub fn integer(&self, position: usize, datatype: &Datatype) -> Result<i128> {
        self.check_position(position)?;
        let number = match (self.elements(), datatype.kind()) {
            (Elements::Integers(numbers), _) => numbers.get(position).copied().map(i128::from),
            (Elements::Unsigned(numbers), _) => numbers.get(position).copied().map(i128::from),
            (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
                constant(enumeration, positions, position).map(|(_, number)| number)
            }
            _ => None,
        };
        number.ok_or_else(|| wrong_type(datatype, "an integer"))
    }

    /// One number; an integer beyond 2^53 is rounded. Otherwise like [`Value::integer`], but that constants are none.
    pub fn number(&self, position: usize, datatype: &Datatype) -> Result<f64> {
        self.check_position(position)?;
        let number = match self.elements() {
            Elements::Integers(numbers) => numbers.get(position).map(|&number| number as f64),
            Elements::Unsigned(numbers) => numbers.get(position).map(|&number| number as f64),
            Elements::Float32(numbers) => numbers.get(position).copied().map(f64::from),
            Elements::Float64(numbers) => numbers.get(position).copied(),
            _ => None,
        };
        number.ok_or_else(|| wrong_type(datatype, "a number"))
    }

    /// One text: a string, the name of a constant, or the path name that an object reference holds, which is empty if it
    /// holds none.
    ///
    /// Fails as [`Value::integer`].
    pub fn text<'a>(&'a self, position: usize, datatype: &'a Datatype) -> Result<&'a str> {
        self.check_position(position)?;
        text(self.elements(), position, datatype).ok_or_else(|| wrong_type(datatype, "a text"))
    }

    /// One element in the notation of the language, on one line: `[1, {target: /a, selection: [[0, 2]]}]`.
    ///
    /// Fails with [`Status::OutOfRange`] if there is no such element, and with [`Status::InvalidArgument`] if the value
    /// is not of the datatype.
    pub fn notation(&self, position: usize, datatype: &Datatype) -> Result<String> {
        self.check_position(position)?;
        let mut flow = Flow::new(Dialect::Yaml);
        element(self.elements(), position, datatype, &mut flow)?;
        Ok(flow.into_text())
    }

    /// Reads all elements as `target`, in native byte order, into the start of `out`: in C order unless the options say
    /// otherwise, and by the conversion rule of [`Array::read`](crate::array::Array::read).
    ///
    /// Constants are their numbers, those of `FALSE` and `TRUE` truth values. Array datatypes add their dimensions behind
    /// those of the value, opaque bytes one of their size, in which they are followed by zeros. Strings, the names of
    /// constants and the path names of object references become strings of fixed length: UTF-8 as
    /// [`MemoryType::Ascii`], UTF-32 as [`MemoryType::Ucs4`].
    ///
    /// Fails with [`Status::Conversion`] for anything else, with [`Status::Overflow`] for what does not fit, with
    /// [`Status::BufferTooSmall`] if there is no room, and with [`Status::InvalidArgument`] for strides that do not suit
    /// the shape, and for a value that is not of the datatype. After a failure the content of `out` is unspecified.
    pub fn read(&self, datatype: &Datatype, target: &MemoryType, out: &mut [u8], options: &ReadOptions) -> Result<()> {
        let mut reading = Reading { shape: self.shape().to_vec(), target, out, options };
        let (mut elements, mut datatype) = (self.elements(), datatype);
        while let (Elements::Arrays { base, .. }, DatatypeKind::Array { base: of_base, shape }) =
            (elements, datatype.kind())
        {
            reading.shape.extend(shape);
            (elements, datatype) = (base, of_base);
        }
        reading.read(elements, datatype)
    }

    fn check_position(&self, position: usize) -> Result<()> {
        let count = self.elements().len();
        if position < count {
            return Ok(());
        }
        let message = format!("there is no element {position}, but {count} of them");
        Err(Error::new(Status::OutOfRange, message))
    }
}

fn wrong_type(datatype: &Datatype, wanted: &str) -> Error {
    let message = format!("an element of the datatype {} is not {wanted}", datatype.keyword());
    Error::new(Status::WrongType, message)
}

/// Name and number of the constant that an element is.
fn constant<'a>(enumeration: &'a Enumeration, positions: &[u32], element: usize) -> Option<(&'a str, i128)> {
    let position = *positions.get(element)?;
    enumeration.members.at(position as usize).map(|(name, &number)| (name, number))
}

fn text<'a>(elements: &'a Elements, position: usize, datatype: &'a Datatype) -> Option<&'a str> {
    match (elements, datatype.kind()) {
        (Elements::Texts(texts), _) => texts.get(position),
        (Elements::Objects(paths), _) => paths.get(position).map(|path| path.as_deref().unwrap_or_default()),
        (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
            constant(enumeration, positions, position).map(|(name, _)| name)
        }
        _ => None,
    }
}

/// Where the elements of a value go.
struct Reading<'a> {
    shape: Vec<u64>,
    target: &'a MemoryType,
    out: &'a mut [u8],
    options: &'a ReadOptions,
}

impl Reading<'_> {
    fn read(mut self, elements: &Elements, datatype: &Datatype) -> Result<()> {
        match (elements, datatype.kind()) {
            (Elements::Texts(_) | Elements::Objects(_) | Elements::Constants(_), _) if self.wants_text() => {
                self.texts(elements, datatype)
            }
            (Elements::Integers(numbers), _) => self.numbers(ScalarType::Int64, numbers),
            (Elements::Unsigned(numbers), _) => self.numbers(ScalarType::Uint64, numbers),
            (Elements::Float32(numbers), _) => self.numbers(ScalarType::Float32, numbers),
            (Elements::Float64(numbers), _) => self.numbers(ScalarType::Float64, numbers),
            (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => self.constants(positions, enumeration),
            (Elements::Opaque(blobs), DatatypeKind::Opaque { size, .. }) => {
                self.shape.push(*size);
                self.check_room()?;
                let bytes = padded(blobs, *size)?;
                self.numbers(ScalarType::Uint8, &bytes)
            }
            _ => {
                let message = format!("there is no conversion from {} to {}", datatype.keyword(), self.target);
                Err(Error::new(Status::Conversion, message))
            }
        }
    }

    fn wants_text(&self) -> bool {
        matches!(self.target, MemoryType::Ascii(_) | MemoryType::Ucs4(_))
    }

    /// The bytes that all elements take at least. What there is no room for need not be made.
    fn check_room(&self) -> Result<usize> {
        let (size, available) = (packed_size(self.target, &self.shape()?)?, self.out.len());
        usize::try_from(size).ok().filter(|&size| size <= available).ok_or_else(|| {
            let message = format!("the elements take {size} bytes, but the buffer has {available}");
            Error::new(Status::BufferTooSmall, message)
        })
    }

    /// The shape to read in. In C order the number of elements is enough, and values have more dimensions than arrays.
    fn shape(&self) -> Result<Vec<i64>> {
        if self.options.order == Order::C {
            return Ok(vec![i64::try_from(count_of(&self.shape)?).map_err(|_| too_large())?]);
        }
        self.shape.iter().map(|&extent| i64::try_from(extent).map_err(|_| too_large())).collect()
    }

    fn numbers<T: bytemuck::NoUninit>(self, scalar: ScalarType, numbers: &[T]) -> Result<()> {
        self.packed(&scalar.into(), bytemuck::cast_slice(numbers))
    }

    fn packed(self, datatype: &MemoryType, bytes: &[u8]) -> Result<()> {
        let memory = InMemory::new(datatype, &self.shape()?, &Order::C, bytes.len())?;
        memory.read(bytes, self.target, self.out, self.options)
    }

    fn constants(self, positions: &[u32], enumeration: &Enumeration) -> Result<()> {
        let numbers = (0..positions.len()).map(|element| {
            let message = "the value is not of the datatype that stands with it";
            let found = constant(enumeration, positions, element);
            found.map(|(_, number)| number).ok_or_else(|| Error::new(Status::InvalidArgument, message))
        });
        // Each number is within the base.
        if enumeration.is_boolean() {
            self.numbers(ScalarType::Bool8, &collected(numbers, |number| number as u8)?)
        } else if enumeration.base == IntegerType::Uint64 {
            self.numbers(ScalarType::Uint64, &collected(numbers, |number| number as u64)?)
        } else {
            self.numbers(ScalarType::Int64, &collected(numbers, |number| number as i64)?)
        }
    }

    fn texts(self, elements: &Elements, datatype: &Datatype) -> Result<()> {
        let item = self.target.item_size()?;
        if item == 0 {
            return Err(Error::new(Status::Conversion, format!("{} holds no text", self.target)));
        }
        let size = self.check_room()?;
        let mut bytes = try_zeroed(size)?;
        for (position, string) in bytes.chunks_exact_mut(item as usize).enumerate() {
            let message = "the value is not of the datatype that stands with it";
            let text =
                text(elements, position, datatype).ok_or_else(|| Error::new(Status::InvalidArgument, message))?;
            put_text(text, self.target, self.options.clamp, string)
                .map_err(|error| Error::because_of(&format!("element {position}"), &error))?;
        }
        let target = self.target;
        self.packed(target, &bytes)
    }
}

fn collected<T>(numbers: impl ExactSizeIterator<Item = Result<i128>>, number: impl Fn(i128) -> T) -> Result<Vec<T>> {
    let mut out = Vec::new();
    let count = numbers.len();
    out.try_reserve_exact(count).map_err(|_| Error::out_of_memory((count as u64).saturating_mul(8)))?;
    for one in numbers {
        out.push(number(one?));
    }
    Ok(out)
}

/// Opaque bytes with the zeros that follow each.
fn padded(blobs: &Blobs, size: u64) -> Result<Vec<u8>> {
    let total = (blobs.len() as u64).checked_mul(size).ok_or_else(too_large)?;
    let mut bytes = try_zeroed(usize::try_from(total).map_err(|_| Error::out_of_memory(total))?)?;
    let item = usize::try_from(size).map_err(|_| Error::out_of_memory(size))?;
    for (padded, blob) in bytes.chunks_exact_mut(item.max(1)).zip(blobs.iter()) {
        if let Some(start) = padded.get_mut(..blob.len()) {
            start.copy_from_slice(blob);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
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
  v: {shape: [2], type: {vlen: {base: float64}}, value: [[1, .nan], []]}
  g: {shape: [2], type: {regref: {selection: block}}, value: [{target: /i, start: [1, 2], opposite: [0, 0]}, null]}
  none: {shape: [0, 3], type: int8, value: []}
";

    fn description() -> Description {
        let parsed = parse(TEXT.as_bytes(), &ParseOptions::default());
        assert!(parsed.is_valid(), "{:?}", parsed.diagnostics);
        parsed.description
    }

    fn with<T>(name: &str, with: impl FnOnce(&Value, &Datatype) -> T) -> T {
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
        assert_eq!(read("none", ScalarType::Float64, 0).unwrap(), []);
        for name in ["s", "r", "c", "v", "g"] {
            assert_eq!(status(read(name, ScalarType::Float64, 100)), Status::Conversion);
        }
    }

    #[test]
    fn elements_lie_as_the_options_say() {
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

    #[test]
    fn an_element_of_any_datatype_has_a_notation() {
        for (name, position, text) in [
            ("x", 2, ".inf"),
            ("i", 3, "-4"),
            ("e", 1, "\"OFF\""),
            ("m", 1, "[[3, 4]]"),
            ("o", 1, "\"BA==\""),
            ("s", 0, "\"é\""),
            ("r", 1, "null"),
            ("c", 0, "[1, \"[\"]"),
            ("v", 0, "[1.0, .nan]"),
            ("v", 1, "[]"),
            ("g", 0, "{target: /i, start: [0, 0], opposite: [1, 2]}"),
        ] {
            assert_eq!(with(name, |value, datatype| value.notation(position, datatype)).unwrap(), text);
        }
        let outside = with("v", |value, datatype| value.notation(2, datatype));
        assert_eq!(outside.unwrap_err().status(), Status::OutOfRange);
        let other = with("v", |value, _| value.notation(0, &Datatype::string()));
        assert_eq!(other.unwrap_err().status(), Status::InvalidArgument);
    }
}
