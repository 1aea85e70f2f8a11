//! Options handle: create, copy, change and read.
//!
//! # Options
//!
//! Options change the defaults of calls. All calls use the same type; each option has a key (see Keys of options). In
//! new options nothing is set, and every option has its default; NULL in place of options means the same. A call works
//! on a snapshot of the options, so they can be changed or freed at any time. Options never refer to memory of the
//! program.
//!
//! A call fails with ASDF_ERR_INVALID_ARGUMENT if it does not know a key that is set, and a setter does so if a value
//! is out of range. The message names the option, the function and the allowed values. So one handle with options of
//! reading is refused by a call that writes: use a handle for each kind of call, or set ASDF_OPTION_SHARED in a handle
//! that several kinds of calls share. Each of them then uses the options that it knows.
//!
//! ```c
//! asdf_options *options = NULL;
//! asdf_options_new(&options);
//! asdf_options_set_int(options, ASDF_OPTION_VERIFY_CHECKSUMS, 1);
//! asdf_options_set_int(options, ASDF_OPTION_LIMIT_TREE_BYTES, 16 << 20);
//! asdf_file_open("image.asdf", options, &file);
//! asdf_options_free(options);
//! ```

use super::table::Kind;
use super::values::{Value, Values, not_of_type};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::{count, element};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_options;
use crate::process::ForkRwLock;
use std::ffi::c_char;
use std::sync::Arc;

impl Class for asdf_options {
    const TAG: u32 = u32::from_be_bytes(*b"OPTS");
    const NAME: &'static str = "asdf_options";
    type Value = ForkRwLock<Arc<Values>>;
}

/// Creates options in which nothing is set.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_new(options: *mut *mut asdf_options) -> asdf_status {
    guard_handle(options, "options", |_| Ok(ForkRwLock::default()))
}

/// Copies options. Later changes of one do not affect the other.
///
/// @param options the options
/// @param copy    gets the copy; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_copy(options: *const asdf_options, copy: *mut *mut asdf_options) -> asdf_status {
    guard_handle(copy, "copy", |caller| Ok(ForkRwLock::new(caller.handle(options, "options")?.read()?.clone())))
}

/// Frees options. Running calls that use them are not affected.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_free(options: *mut asdf_options) {
    guard_silently(|caller| caller.release(options));
}

/// Changes options.
pub(crate) fn change(options: *mut asdf_options, work: impl FnOnce(&Caller, &mut Values) -> Result<()>) -> asdf_status {
    guard(|caller| {
        let mut values = caller.handle(options, "options")?.write()?;
        work(caller, Arc::make_mut(&mut values))
    })
}

/// Unsets an option, so that it has its default again.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_unset(options: *mut asdf_options, key: i32) -> asdf_status {
    change(options, |_, values| values.unset(key))
}

/// Sets an integer option: a truth value (0 or 1), a number, or a constant.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT if the option is not an integer
/// @param value   the value; ASDF_ERR_INVALID_ARGUMENT if out of range
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_int(options: *mut asdf_options, key: i32, value: i64) -> asdf_status {
    change(options, |_, values| values.set_int(key, value))
}

/// Sets an option that is a floating-point number.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT if the option is not a floating-point number
/// @param value   the value; ASDF_ERR_INVALID_ARGUMENT if it is not finite and greater than 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_float(options: *mut asdf_options, key: i32, value: f64) -> asdf_status {
    change(options, |_, values| values.set_float(key, value))
}

/// Sets an integer option for one path.
///
/// @param options the options
/// @param key     ASDF_OPTION_EXTENT; ASDF_ERR_INVALID_ARGUMENT for any other key
/// @param path    the path, as described for the key. An earlier value for this path is replaced
/// @param value   the value; ASDF_ERR_INVALID_ARGUMENT if out of range
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_int_at(
    options: *mut asdf_options,
    key: i32,
    path: *const c_char,
    value: i64,
) -> asdf_status {
    change(options, |caller, values| values.set_int_at(key, caller.text(path, "path")?, value))
}

/// Sets a list of integers; it replaces an earlier list.
///
/// @param options the options
/// @param key     ASDF_OPTION_STRIDES or ASDF_OPTION_CHUNKS; ASDF_ERR_INVALID_ARGUMENT for any other key
/// @param ints    the integers; they are copied. May be NULL if the count is 0
/// @param count   number of integers; 0 for an empty list; ASDF_ERR_INVALID_ARGUMENT if negative
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_ints(
    options: *mut asdf_options,
    key: i32,
    ints: *const i64,
    count: i64,
) -> asdf_status {
    change(options, |caller, values| values.set_ints(key, caller.numbers(ints, self::count(count, "count")?, "ints")?))
}

/// Sets a text option.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT if the option is not a single text
/// @param text    text in UTF-8; it is copied. Names of files are system names without NUL. May be NULL if the length
///                is 0. The content of the text is checked by the call that uses it
/// @param length  its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_text(
    options: *mut asdf_options,
    key: i32,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    change(options, |caller, values| values.set_text(key, caller.text_bytes(text, length, "text")?))
}

/// Adds a text to a list option.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT if the option is not a list of texts
/// @param text    the text, as for asdf_options_set_text(). NULL sets an empty list, which differs from an unset option
/// @param length  its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_add_text(
    options: *mut asdf_options,
    key: i32,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    change(options, |caller, values| {
        let text = if text.is_null() && length == 0 { None } else { Some(caller.text_bytes(text, length, "text")?) };
        values.add_text(key, text)
    })
}

/// Gets an integer option that was set.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; ASDF_ERR_NOT_FOUND if the option is not set; ASDF_ERR_WRONG_TYPE if it is
///                not an integer
/// @param value   gets the value
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_get_int(options: *const asdf_options, key: i32, value: *mut i64) -> asdf_status {
    guard(|caller| {
        let out = caller.out(value, "value")?;
        let values = caller.handle(options, "options")?.read()?;
        let (option, value) = values.get(key)?;
        match value {
            Value::Int(value) | Value::IntAt(Some(value), _) => out.put(*value),
            Value::IntAt(None, _) => {
                return Err(Error::new(
                    Status::NotFound,
                    format!("{} has values for paths only, but no general value", option.name),
                ));
            }
            _ => return Err(not_of_type(option, "asdf_options_get_int")),
        }
        Ok(())
    })
}

/// Gets an option that is a floating-point number and was set.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; ASDF_ERR_NOT_FOUND if the option is not set; ASDF_ERR_WRONG_TYPE if it is
///                not a floating-point number
/// @param value   gets the value
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_get_float(
    options: *const asdf_options,
    key: i32,
    value: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let out = caller.out(value, "value")?;
        match caller.handle(options, "options")?.read()?.get(key)? {
            (_, Value::Float(value)) => out.put(*value),
            (option, _) => return Err(not_of_type(option, "asdf_options_get_float")),
        }
        Ok(())
    })
}

/// Gets a list of integers that was set.
///
/// @param options  the options
/// @param key      an ASDF_OPTION_ constant; ASDF_ERR_NOT_FOUND if the option is not set; ASDF_ERR_WRONG_TYPE if it is
///                 not a list of integers
/// @param ints     gets the integers; may be NULL if the capacity is 0
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if too small
/// @param count    gets the number of integers; may be NULL if the capacity is not 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_get_ints(
    options: *const asdf_options,
    key: i32,
    ints: *mut i64,
    capacity: i32,
    count: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(ints, capacity, count, ["ints", "count"])?;
        let values = caller.handle(options, "options")?.read()?;
        match values.get(key)? {
            (_, Value::Ints(ints)) => out.put(ints),
            (option, _) => Err(not_of_type(option, "asdf_options_get_ints")),
        }
    })
}

/// Gets a text option that was set, or one text of a list.
///
/// @param options  the options
/// @param key      an ASDF_OPTION_ constant; ASDF_ERR_NOT_FOUND if the option is not set; ASDF_ERR_WRONG_TYPE if it is
///                 not a text or a list of texts
/// @param index    number of the text in its list, from 0; ASDF_ERR_OUT_OF_RANGE if there is none. 0 if the option is
///                 not a list
/// @param buffer   gets the text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_get_text(
    options: *const asdf_options,
    key: i32,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let values = caller.handle(options, "options")?.read()?;
        let (option, value) = values.get(key)?;
        let text = match (value, option.kind) {
            (Value::Text(text), _) => element(std::slice::from_ref(text), index, "text")?,
            (Value::Texts(texts), Kind::Texts | Kind::FileNames) => element(texts, index, "text")?,
            _ => return Err(not_of_type(option, "asdf_options_get_text")),
        };
        out.put_bytes(text)
    })
}
