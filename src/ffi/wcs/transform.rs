//! Transforms of trees: their inputs and outputs, evaluation and inverse.
//!
//! # Transforms
//!
//! An asdf_transform is a function of several numbers to several numbers: a transform of a tree, with all its
//! parts. It is made once and evaluated for any number of points. It never changes and does not keep its file open.
//!
//! Coordinates of many points are passed as one array with two strides, in numbers: coordinate a of point p is the
//! element a * axis_stride + p * point_stride. With n points and two axes:
//!
//! - x0 x1 ... y0 y1 ...: axis stride n, point stride 1
//! - x0 y0 x1 y1 ...: axis stride 1, point stride 2
//! - a constant input: point stride 0
//!
//! Outputs can overwrite the inputs: pass the same array with the same strides. If inputs and outputs share memory in
//! another way, the call copies the inputs first.
//!
//! A point that the file does not define has NaN in all outputs. ASDF_OPTION_THREADS divides the points among threads.
//!
//! ```c
//! asdf_transform *shift = NULL, *back = NULL;
//! double values[3] = {1, 2, 3};
//! asdf_node_get_transform(root, "shift", NULL, &shift);
//! asdf_transform_evaluate(shift, 3, values, 3, 3, 1, NULL, values, 3, 3, 1, NULL);
//! asdf_transform_inverse(shift, &back);
//! asdf_transform_free(back);
//! asdf_transform_free(shift);
//! ```

use super::evaluate::{Coordinates, Function, build_options, evaluate_options};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::{count, element};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::outputs::Out;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_node, asdf_options, asdf_transform};
use crate::ffi::options::taken::take;
use crate::wcs::Transform;
use std::ffi::c_char;
use std::fmt::Write;

impl Class for asdf_transform {
    const TAG: u32 = u32::from_be_bytes(*b"TRFM");
    const NAME: &'static str = "asdf_transform";
    type Value = Transform;
}

/// Makes a transform from a node: one of the standard, of gwcs or of the JWST pipeline, with all its parts.
///
/// Errors name the tag and the path of the part that cannot be made:
///
/// - ASDF_ERR_UNKNOWN_TRANSFORM if the tag of a part is not known, ASDF_ERR_TRANSFORM_VERSION for a version of it
/// - ASDF_ERR_NOT_TRANSFORM if the tag of the node is not that of a transform, ASDF_ERR_WRONG_TYPE if it has no tag
/// - ASDF_ERR_TAG_CONTENT, ASDF_ERR_BAD_ARRAY, ASDF_ERR_ARITY, ASDF_ERR_UNITS for fields that are not valid
/// - ASDF_ERR_REFERENCE_CYCLE for a transform that contains itself
///
/// @param node      node that the path starts from
/// @param path      the path
/// @param options   options, or NULL for the defaults
/// @param transform gets the transform; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_transform(
    node: *const asdf_node,
    path: *const c_char,
    options: *const asdf_options,
    transform: *mut *mut asdf_transform,
) -> asdf_status {
    guard_handle(transform, "transform", |caller| {
        let options = build_options(&take(caller, options, "asdf_node_get_transform")?);
        let node = caller.handle(node, "node")?.at(caller.text(path, "path")?)?;
        Transform::from_node(&node, &options)
    })
}

/// Gets the number of inputs of a transform.
///
/// @param transform the transform
/// @param count     gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_input_count(transform: *const asdf_transform, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(transform, "transform")?.arity().0 as u64);
        Ok(())
    })
}

/// Gets the number of outputs of a transform.
///
/// @param transform the transform
/// @param count     gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_output_count(transform: *const asdf_transform, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(transform, "transform")?.arity().1 as u64);
        Ok(())
    })
}

/// Gets the name of an input.
///
/// @param transform the transform
/// @param index     number of the input, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer    gets the name
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_input_name(
    transform: *const asdf_transform,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(element(caller.handle(transform, "transform")?.inputs(), index, "input")?)
    })
}

/// Gets the name of an output.
///
/// @param transform the transform
/// @param index     number of the output, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer    gets the name
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_output_name(
    transform: *const asdf_transform,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(element(caller.handle(transform, "transform")?.outputs(), index, "output")?)
    })
}

/// Gets the unit of an input. Values are numbers in this unit.
///
/// @param transform the transform
/// @param index     number of the input, from 0; ASDF_ERR_OUT_OF_RANGE if there is none, ASDF_ERR_NOT_FOUND if the input
///                  has no unit
/// @param buffer    gets the unit
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_input_unit(
    transform: *const asdf_transform,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let transform = caller.handle(transform, "transform")?;
        element(transform.inputs(), index, "input")?;
        out.put(&transform.input_unit(count(index, "index")?).ok_or_else(no_unit)?)
    })
}

/// Gets the unit of an output. Results are numbers in this unit.
///
/// @param transform the transform
/// @param index     number of the output, from 0; ASDF_ERR_OUT_OF_RANGE if there is none, ASDF_ERR_NOT_FOUND if the
///                  output has no unit
/// @param buffer    gets the unit
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_output_unit(
    transform: *const asdf_transform,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let transform = caller.handle(transform, "transform")?;
        element(transform.outputs(), index, "output")?;
        out.put(&transform.output_unit(count(index, "index")?).ok_or_else(no_unit)?)
    })
}

fn no_unit() -> Error {
    Error::new(Status::NotFound, "the coordinate has no unit")
}

/// Gets the tag of a transform. An inverse has the tag of the transform that it was made of.
///
/// @param transform the transform
/// @param buffer    gets the full tag; empty for a transform that is not a node of its own, as from asdf_wcs_transform()
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_tag(
    transform: *const asdf_transform,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(transform, "transform")?.tag())
    })
}

/// Gets the name that a transform has in its file.
///
/// @param transform the transform; ASDF_ERR_NOT_FOUND if it has no name
/// @param buffer    gets the name
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_name(
    transform: *const asdf_transform,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let name = caller.handle(transform, "transform")?.name();
        out.put(name.ok_or_else(|| Error::new(Status::NotFound, "the transform has no name"))?)
    })
}

/// Describes a transform: one line for each part that is a node of the file. A line has the path, the tag and the
/// numbers of inputs and outputs, separated by tabs. A part follows its own parts.
///
/// @param transform the transform
/// @param buffer    gets the text
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_describe(
    transform: *const asdf_transform,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let mut text = String::new();
        for part in caller.handle(transform, "transform")?.parts() {
            let _ = writeln!(text, "{}\t{}\t{}\t{}", part.path, part.tag, part.inputs, part.outputs);
        }
        out.put(&text)
    })
}

/// Evaluates a transform for many points. Bounding boxes are ignored unless ASDF_OPTION_BOUNDING_BOX is set.
///
/// @param transform          the transform
/// @param count              number of points
/// @param input              coordinates of the points; may be NULL if there are none
/// @param length             number of elements of the input; ASDF_ERR_INVALID_ARGUMENT if less than the points take
/// @param input_axis_stride  distance of two coordinates of a point, in numbers
/// @param input_point_stride distance of two points, in numbers
/// @param options            options, or NULL for the defaults
/// @param output             gets the coordinates of the results; unspecified after a failure. May be NULL if there are
///                           none
/// @param capacity           size of the output in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the results take
/// @param axis_stride        distance of two coordinates of a result, in numbers
/// @param point_stride       distance of two results, in numbers; ASDF_ERR_INVALID_ARGUMENT if results overlap
/// @param outside            gets the number of points outside of the bounding box; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_evaluate(
    transform: *const asdf_transform,
    count: i64,
    input: *const f64,
    length: usize,
    input_axis_stride: i64,
    input_point_stride: i64,
    options: *const asdf_options,
    output: *mut f64,
    capacity: usize,
    axis_stride: i64,
    point_stride: i64,
    outside: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let transform = caller.handle(transform, "transform")?;
        let options = evaluate_options(&take(caller, options, "asdf_transform_evaluate")?)?;
        let input =
            Coordinates { start: input, length, axis_stride: input_axis_stride, point_stride: input_point_stride };
        let output = Coordinates { start: output, length: capacity, axis_stride, point_stride };
        let done = Function::Transform(transform).evaluate(caller, count, &input, &output, &options)?;
        caller.optional_out(outside).put_number(done.outside);
        Ok(())
    })
}

/// Evaluates a transform for one point.
///
/// @param transform the transform
/// @param point     the inputs; may be NULL for a transform without any
/// @param length    number of inputs; ASDF_ERR_INVALID_ARGUMENT if it is another
/// @param options   options, or NULL for the defaults
/// @param result    gets the outputs
/// @param capacity  size of the result in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of outputs
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_at(
    transform: *const asdf_transform,
    point: *const f64,
    length: usize,
    options: *const asdf_options,
    result: *mut f64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let transform = caller.handle(transform, "transform")?;
        caller.out(result, "result")?;
        let options = evaluate_options(&take(caller, options, "asdf_transform_at")?)?;
        let (inputs, _) = transform.arity();
        if length != inputs {
            let message = format!("the transform has {inputs} inputs, but the point has {length} coordinates");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let input = Coordinates { start: point, length, axis_stride: 1, point_stride: 1 };
        let output = Coordinates { start: result, length: capacity, axis_stride: 1, point_stride: 1 };
        Function::Transform(transform).evaluate(caller, 1, &input, &output, &options).map(drop)
    })
}

/// Makes the inverse of a transform: the one in the file, or else the analytic one.
///
/// @param transform the transform
/// @param inverse   gets the inverse; NULL on failure, with ASDF_ERR_NO_INVERSE if a part has none, and with
///                  ASDF_ERR_SINGULAR if values of parameters make it impossible
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_inverse(
    transform: *const asdf_transform,
    inverse: *mut *mut asdf_transform,
) -> asdf_status {
    guard_handle(inverse, "inverse", |caller| caller.handle(transform, "transform")?.inverse())
}

/// Makes a transform of the other inputs by giving some inputs constant values.
///
/// @param transform the transform
/// @param inputs    numbers of the inputs, from 0; may be NULL if there are none
/// @param count     number of these inputs
/// @param values    their values; may be NULL if there are none. ASDF_ERR_INVALID_ARGUMENT if there is no such input, or
///                  if one is fixed twice
/// @param fixed     gets the transform of the remaining inputs; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_fix(
    transform: *const asdf_transform,
    inputs: *const i64,
    count: i64,
    values: *const f64,
    fixed: *mut *mut asdf_transform,
) -> asdf_status {
    guard_handle(fixed, "fixed", |caller| {
        let transform = caller.handle(transform, "transform")?;
        let count = self::count(count, "count")?;
        let inputs = caller.numbers(inputs, count, "inputs")?;
        let values = caller.numbers(values, count, "values")?;
        let numbers = inputs.iter().map(|&input| usize::try_from(input).unwrap_or(usize::MAX));
        transform.fixed(&numbers.zip(values.iter().copied()).collect::<Vec<_>>())
    })
}

/// Makes the same transform for values in other units. An input or output without a unit of its own ignores the
/// given one.
///
/// @param transform    the transform
/// @param inputs       units of the inputs, each NULL for that which the transform has; may be NULL if there are none
/// @param input_count  number of these units: that of the inputs, 1 for one unit of all inputs, or 0 for the units that
///                     the transform has; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param outputs      units of the outputs, in the same way
/// @param output_count number of these units
/// @param converted    gets the transform; NULL on failure, with ASDF_ERR_UNITS if a unit cannot be converted
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_in_units(
    transform: *const asdf_transform,
    inputs: *const *const c_char,
    input_count: i64,
    outputs: *const *const c_char,
    output_count: i64,
    converted: *mut *mut asdf_transform,
) -> asdf_status {
    guard_handle(converted, "converted", |caller| {
        let transform = caller.handle(transform, "transform")?;
        let (needed_inputs, needed_outputs) = transform.arity();
        let inputs = units(caller, (inputs, input_count), needed_inputs, ["inputs", "input_count"])?;
        let outputs = units(caller, (outputs, output_count), needed_outputs, ["outputs", "output_count"])?;
        transform.in_units(&inputs, &outputs)
    })
}

/// Reads a unit for each coordinate.
fn units<'a>(
    caller: &'a Caller,
    (list, given): (*const *const c_char, i64),
    needed: usize,
    [list_name, count_name]: [&str; 2],
) -> Result<Vec<Option<&'a str>>> {
    let given = count(given, count_name)?;
    let list = caller.numbers(list, given, list_name)?;
    let units = list.iter().map(|&unit| caller.optional_text(unit, list_name)).collect::<Result<Vec<_>>>()?;
    match units[..] {
        [] => Ok(vec![None; needed]),
        [unit] => Ok(vec![unit; needed]),
        _ if given == needed => Ok(units),
        _ => {
            let message = format!("the argument '{count_name}' is {given}, but must be 0, 1 or {needed}");
            Err(Error::new(Status::InvalidArgument, message))
        }
    }
}

/// Gets the interval of an input in the bounding box of a transform.
///
/// @param transform the transform; ASDF_ERR_UNSUPPORTED if its box depends on values of inputs
/// @param index     number of the input, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param low       gets the lower end, which is inside; minus infinity if there is none
/// @param high      gets the upper end, which is inside; infinity if there is none
/// @param has       gets 1, or 0 if the transform has no bounding box; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_bounding_box(
    transform: *const asdf_transform,
    index: i64,
    low: *mut f64,
    high: *mut f64,
    has: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let outputs = (caller.out(low, "low")?, caller.out(high, "high")?, caller.optional_out(has));
        let transform = caller.handle(transform, "transform")?;
        put_interval(transform.bounding_box(), transform.arity().0, index, &outputs)
    })
}

/// Writes an interval of a bounding box to outputs.
pub(super) fn put_interval(
    found: Result<Vec<Option<[f64; 2]>>>,
    axes: usize,
    index: i64,
    (low, high, has): &(Out<'_, f64>, Out<'_, f64>, Out<'_, i32>),
) -> Result<()> {
    let limits = match found {
        Err(error) if error.status() == Status::NotFound => None,
        limits => Some(limits?),
    };
    let none = vec![None; axes];
    let [from, to] =
        element(limits.as_ref().unwrap_or(&none), index, "axis")?.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    low.put(from);
    high.put(to);
    has.put(limits.is_some().into());
    Ok(())
}

/// Gets which outputs depend on which inputs. Dependence that is not known counts as dependence.
///
/// @param transform the transform
/// @param matrix    gets a byte for each output and each input: 1 if the output depends on the input, else 0. The inputs
///                  of the first output come first
/// @param capacity  size of the matrix in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the product of both numbers
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_dependence(
    transform: *const asdf_transform,
    matrix: *mut u8,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        caller.out(matrix, "matrix")?;
        put_matrix(caller, (matrix, capacity), &caller.handle(transform, "transform")?.dependence())
    })
}

/// Writes truth values to the memory of the program.
pub(super) fn put_matrix(caller: &Caller, (matrix, capacity): (*mut u8, usize), rows: &[Vec<bool>]) -> Result<()> {
    let bytes: Vec<u8> = rows.iter().flatten().map(|&value| value.into()).collect();
    caller.put_values((matrix, capacity), "matrix", &bytes)
}

/// Adds an owner to a transform.
///
/// @param transform the transform
/// @param another   gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_retain(
    transform: *const asdf_transform,
    another: *mut *mut asdf_transform,
) -> asdf_status {
    guard_retain(transform, "transform", another)
}

/// Gives up one owner of a transform. The last owner frees it.
///
/// @param transform the transform; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_transform_free(transform: *mut asdf_transform) {
    guard_silently(|caller| caller.release(transform));
}
