//! Import of Arrow structs of the program as fields and views of arrays. The structs do not contain the sizes of their
//! buffers; these follow from types and lengths.

use super::arrow_abi::{ArrowArray, ArrowArrayStream, ArrowSchema, Moved, NULLABLE};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::float_environment::as_caller;
use crate::limits::Limits;
use crate::standard::ArrowTimes;
use crate::table::Table;
use crate::table::arrow::{ArrayView, Field, Format, Importer, MAX_DEPTH};
use std::ffi::{CStr, c_char, c_int, c_void};

/// Makes a table with the rows of one array.
pub(super) fn table_of(schema: &ArrowSchema, array: &ArrowArray, limits: &Limits) -> Result<Table> {
    let mut field = field_of(schema, 0)?;
    let times = ArrowTimes::take_from(&mut field);
    let mut importer = Importer::new(&field, limits)?;
    importer.append(&view_of(array, &field)?)?;
    times.convert(importer.take()?)
}

/// Reads the batches of a stream one by one.
pub(super) struct StreamReader {
    stream: ArrowArrayStream,
    field: Field,
    times: ArrowTimes,
    importer: Importer,
}

impl StreamReader {
    /// Reads the schema of a stream.
    pub(super) fn new(mut stream: ArrowArrayStream, limits: &Limits) -> Result<StreamReader> {
        let mut schema = ArrowSchema::RELEASED;
        let get_schema = stream.get_schema.ok_or_else(|| malformed("a stream lacks a callback"))?;
        // SAFETY: the stream is not released, and `schema` is ours.
        let status = as_caller(|| unsafe { get_schema(&mut stream, &mut schema) });
        check(&mut stream, status)?;
        if schema.is_released() {
            return Err(malformed("a stream returned no schema"));
        }
        let mut field = field_of(&schema, 0)?;
        let times = ArrowTimes::take_from(&mut field);
        let importer = Importer::new(&field, limits)?;
        Ok(StreamReader { stream, field, times, importer })
    }

    /// Appends the next batch to the table; returns false if there is none.
    pub(super) fn append_next(&mut self) -> Result<bool> {
        let mut array = ArrowArray::RELEASED;
        let get_next = self.stream.get_next.ok_or_else(|| malformed("a stream lacks a callback"))?;
        // SAFETY: the stream is not released, and `array` is ours.
        let status = as_caller(|| unsafe { get_next(&mut self.stream, &mut array) });
        check(&mut self.stream, status)?;
        if array.is_released() {
            return Ok(false);
        }
        self.importer.append(&view_of(&array, &self.field)?)?;
        Ok(true)
    }

    /// Takes the table of the batches read since the last call.
    pub(super) fn take(&mut self) -> Result<Table> {
        self.times.convert(self.importer.take()?)
    }
}

/// Returns the error of a stream if its callback failed.
fn check(stream: &mut ArrowArrayStream, status: c_int) -> Result<()> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: the stream is not released.
    let text = stream
        .get_last_error
        .map_or(std::ptr::null(), |get_last_error| as_caller(|| unsafe { get_last_error(stream) }));
    let mut message = format!("a callback of the Arrow stream failed with error number {status}");
    if !text.is_null() {
        // SAFETY: by the rules of Arrow the text ends with NUL, and lives until the next call of the stream.
        let text = unsafe { CStr::from_ptr(text) };
        message = format!("{message}: {}", text.to_string_lossy());
    }
    Err(Error::new(Status::Callback, message))
}

fn malformed(what: &str) -> Error {
    Error::new(Status::InvalidArgument, format!("{what}, which violates the C Data Interface of Arrow"))
}

/// Largest nesting depth: the axes, the table itself, and the two parts of a complex number.
const DEEPEST: usize = MAX_DEPTH + 2;

fn check_depth(depth: usize) -> Result<()> {
    if depth > DEEPEST {
        let message = format!("types are nested more than {DEEPEST} levels deep");
        return Err(Error::new(Status::Unsupported, message));
    }
    Ok(())
}

/// Converts a schema struct and its children to a field.
fn field_of(schema: &ArrowSchema, depth: usize) -> Result<Field> {
    check_depth(depth)?;
    let text = |text: *const c_char, what: &str| {
        if text.is_null() {
            return Ok(String::new());
        }
        // SAFETY: by the rules of Arrow such texts end with NUL, and live until the struct is released.
        let text = unsafe { CStr::from_ptr(text) };
        text.to_str().map(str::to_owned).map_err(|_| Error::new(Status::Encoding, format!("{what} is not UTF-8")))
    };
    let mut children = Vec::new();
    for child in pointers(schema.children, schema.n_children)? {
        // SAFETY: by the rules of Arrow the pointer refers to such a struct, which lives as long as its parent.
        let child = unsafe { child.as_ref() }.ok_or_else(|| malformed("a schema lacks a child"))?;
        children.push(field_of(child, depth + 1)?);
    }
    // SAFETY: as for children; here it may be NULL.
    let dictionary = unsafe { schema.dictionary.as_ref() };
    Ok(Field {
        name: text(schema.name, "the name of a column")?,
        format: text(schema.format, "a type")?,
        nullable: schema.flags & NULLABLE != 0,
        metadata: metadata_of(schema)?,
        children,
        dictionary: dictionary.map(|field| field_of(field, depth + 1).map(Box::new)).transpose()?,
    })
}

/// Decodes metadata. Pairs of other programs may contain any bytes; those that are not text are left out.
fn metadata_of(schema: &ArrowSchema) -> Result<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    if schema.metadata.is_null() {
        return Ok(pairs);
    }
    let mut rest = Metadata(schema.metadata.cast());
    for _ in 0..rest.number()? {
        let (key, value) = (rest.text()?, rest.text()?);
        match (std::str::from_utf8(key), std::str::from_utf8(value)) {
            (Ok(key), Ok(value)) => pairs.push((key.to_owned(), value.to_owned())),
            (Ok(key), Err(_)) if key.starts_with("ecsv:") => {
                return Err(Error::new(Status::Encoding, format!("the metadata under '{key}' are not UTF-8")));
            }
            _ => {}
        }
    }
    Ok(pairs)
}

/// Rest of the metadata of a struct that is not released.
struct Metadata(*const u8);

impl Metadata {
    fn bytes<'a>(&mut self, count: usize) -> &'a [u8] {
        // SAFETY: by the rules of Arrow, at least as many bytes follow as the length before them says.
        unsafe {
            let bytes = std::slice::from_raw_parts(self.0, count);
            self.0 = self.0.add(count);
            bytes
        }
    }

    fn number(&mut self) -> Result<usize> {
        let number = self.bytes(size_of::<i32>()).try_into().map(i32::from_ne_bytes);
        let number = number.ok().and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| malformed("a length of metadata is negative"))
    }

    fn text<'a>(&mut self) -> Result<&'a [u8]> {
        let length = self.number()?;
        Ok(self.bytes(length))
    }
}

/// Returns a list of pointers of a struct.
fn pointers<'a, T>(list: *const T, count: i64) -> Result<&'a [T]> {
    let count = usize::try_from(count).map_err(|_| malformed("a number of children or buffers is negative"))?;
    if count == 0 {
        return Ok(&[]);
    }
    if list.is_null() {
        return Err(malformed("a struct lacks its list of children or buffers"));
    }
    // SAFETY: by the rules of Arrow the struct has this many, until it is released.
    Ok(unsafe { std::slice::from_raw_parts(list, count) })
}

/// Returns a view of the values of an array of this field, valid until the array is released.
fn view_of<'a>(array: &'a ArrowArray, field: &Field) -> Result<ArrayView<'a>> {
    let number = |number: i64| usize::try_from(number).map_err(|_| malformed("a length or offset is negative"));
    let (length, offset) = (number(array.length)?, number(array.offset)?);
    let end = offset.checked_add(length).ok_or_else(|| malformed("an array is too long"))?;
    let format = Format::parse(&field.format).ok_or_else(|| malformed("an array is of an unknown type"))?;
    let buffers = Buffers { pointers: pointers(array.buffers, array.n_buffers)?, has_values: length > 0 };
    let mut view = ArrayView { length, offset, ..ArrayView::default() };
    if format != Format::Null && array.null_count != 0 {
        view.validity = buffers.optional(0, end.div_ceil(8))?;
    }
    view.buffers = buffers.of_values(format, end)?;
    let children: Vec<&ArrowArray> = pointers(array.children, array.n_children)?
        .iter()
        // SAFETY: by the rules of Arrow the pointer refers to such a struct, which lives as long as its parent.
        .map(|child: &*mut ArrowArray| unsafe { child.as_ref() }.ok_or_else(|| malformed("an array lacks a child")))
        .collect::<Result<_>>()?;
    if children.len() != field.children.len() {
        return Err(malformed("the number of children of an array differs from that of its schema"));
    }
    // Fields do not nest too deeply, so arrays do not either.
    view.children =
        children.iter().zip(&field.children).map(|(child, field)| view_of(child, field)).collect::<Result<_>>()?;
    if let Some(field) = &field.dictionary {
        // SAFETY: as for children.
        let values = unsafe { array.dictionary.as_ref() }.ok_or_else(|| malformed("an array lacks its dictionary"))?;
        view.dictionary = Some(Box::new(view_of(values, field)?));
    }
    Ok(view)
}

/// Buffers of an array. An array without values may have none.
struct Buffers<'a> {
    pointers: &'a [*const c_void],
    has_values: bool,
}

impl<'a> Buffers<'a> {
    /// Returns a buffer of this many bytes; it may be NULL.
    fn optional(&self, index: usize, size: usize) -> Result<Option<&'a [u8]>> {
        let pointer = self.pointers.get(index).copied().filter(|pointer| !pointer.is_null());
        if isize::try_from(size).is_err() {
            return Err(malformed("an array is too long"));
        }
        // SAFETY: by the rules of Arrow the buffer has the bytes that the values need, until the array is released.
        Ok(pointer
            .filter(|_| self.has_values)
            .map(|pointer| unsafe { std::slice::from_raw_parts(pointer.cast(), size) }))
    }

    fn required(&self, index: usize, count: usize, width: usize) -> Result<&'a [u8]> {
        let size = count.checked_mul(width).ok_or_else(|| malformed("an array is too long"))?;
        match self.optional(index, size)? {
            Some(bytes) => Ok(bytes),
            None if !self.has_values || size == 0 => Ok(&[]),
            None => Err(malformed("an array lacks a buffer")),
        }
    }

    /// Returns the buffers after the validity buffer, for values up to this one.
    fn of_values(&self, format: Format, end: usize) -> Result<Vec<&'a [u8]>> {
        let past_end = end.checked_add(1).ok_or_else(|| malformed("an array is too long"))?;
        Ok(match format {
            Format::Bool => vec![self.required(1, end.div_ceil(8), 1)?],
            Format::Number(scalar) => vec![self.required(1, end, scalar.size())?],
            Format::List => vec![self.required(1, past_end, size_of::<i32>())?],
            Format::LargeList => vec![self.required(1, past_end, size_of::<i64>())?],
            Format::Text | Format::LargeText => {
                let width = if format == Format::Text { size_of::<i32>() } else { size_of::<i64>() };
                let offsets = self.required(1, past_end, width)?;
                vec![offsets, self.required(2, last_offset(offsets, width)?, 1)?]
            }
            Format::TextView => {
                let mut buffers = vec![self.required(1, end, 16)?];
                let pieces = self.pointers.len().saturating_sub(3);
                let sizes = self.required(pieces + 2, pieces, size_of::<i64>())?;
                for piece in 0..sizes.len() / size_of::<i64>() {
                    let size = sizes.get(..(piece + 1) * size_of::<i64>()).unwrap_or_default();
                    buffers.push(self.required(piece + 2, last_offset(size, size_of::<i64>())?, 1)?);
                }
                buffers
            }
            _ => Vec::new(),
        })
    }
}

/// Returns the last of these offsets; 0 if there are none.
fn last_offset(offsets: &[u8], width: usize) -> Result<usize> {
    let last = offsets.rchunks_exact(width).next().unwrap_or_default();
    let last = match (last.try_into().map(i32::from_ne_bytes), last.try_into().map(i64::from_ne_bytes)) {
        (Ok(offset), _) => offset.into(),
        (_, Ok(offset)) => offset,
        _ => 0,
    };
    usize::try_from(last).map_err(|_| malformed("an offset is negative"))
}
