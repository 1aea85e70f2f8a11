//! The handle of options: made, copied, changed, looked at.
//!
//! # Options
//!
//! One kind of options serves all calls. Options begin empty, which means the defaults; each is set under its key, and
//! NULL in the place of options means the defaults, too. A call works on a snapshot: what is set later does not change
//! it, and options can be freed at any time. They never hold memory of the program.
//!
//! A key that a call does not know is ASDF_ERR_INVALID_ARGUMENT, and so is a value out of range; the message names
//! option, call and what is allowed.
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
use std::ffi::{c_char, c_void};
use std::sync::Arc;

impl Class for asdf_options {
    const TAG: u32 = u32::from_be_bytes(*b"OPTS");
    const NAME: &'static str = "asdf_options";
    type Value = ForkRwLock<Arc<Values>>;
}

/// Makes options in which nothing is set.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_new(options: *mut *mut asdf_options) -> asdf_status {
    guard_handle(options, "options", |_| Ok(ForkRwLock::default()))
}

/// Copies options. A change of the one does not change the other.
///
/// @param options the options
/// @param copy    gets the copy; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_copy(options: *const asdf_options, copy: *mut *mut asdf_options) -> asdf_status {
    guard_handle(copy, "copy", |caller| Ok(ForkRwLock::new(caller.handle(options, "options")?.read()?.clone())))
}

/// Frees options. Calls that began with them go on.
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

/// Unsets an option, so that its default holds again.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; another number is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_unset(options: *mut asdf_options, key: i32) -> asdf_status {
    change(options, |_, values| values.unset(key))
}

/// Sets an integer: a truth value (0 or 1), a number, or a constant.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; one that takes no integer is ASDF_ERR_INVALID_ARGUMENT
/// @param value   the value; one out of range is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_int(options: *mut asdf_options, key: i32, value: i64) -> asdf_status {
    change(options, |_, values| values.set_int(key, value))
}

/// Sets an integer for one path.
///
/// @param options the options
/// @param key     ASDF_OPTION_EXTENT; another key is ASDF_ERR_INVALID_ARGUMENT
/// @param path    the path, as the meaning of the key says. An integer that was set for it before is replaced
/// @param value   the value; one out of range is ASDF_ERR_INVALID_ARGUMENT
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

/// Sets a list of integers in the place of an earlier one.
///
/// @param options the options
/// @param key     ASDF_OPTION_STRIDES; another key is ASDF_ERR_INVALID_ARGUMENT
/// @param ints    the integers, which are copied; may be NULL if there are none
/// @param count   how many they are; 0 for an empty list, a negative number is ASDF_ERR_INVALID_ARGUMENT
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

/// Sets a text.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; one that takes no text, or a list, is ASDF_ERR_INVALID_ARGUMENT
/// @param text    the text in UTF-8, which is copied. Names of files are bytes of the system without NUL. May be NULL if
///                the length is 0. A text that names nothing known fails in the call that uses it
/// @param length  its bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_text(
    options: *mut asdf_options,
    key: i32,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    change(options, |caller, values| values.set_text(key, caller.bytes(text.cast(), length, "text")?))
}

/// Adds a text to a list.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; one that takes no list of texts is ASDF_ERR_INVALID_ARGUMENT
/// @param text    the text, as for asdf_options_set_text(). NULL makes the list empty, which is not the same as unset
/// @param length  its bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_add_text(
    options: *mut asdf_options,
    key: i32,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    change(options, |caller, values| {
        let bytes: *const c_void = text.cast();
        let text = if text.is_null() && length == 0 { None } else { Some(caller.bytes(bytes, length, "text")?) };
        values.add_text(key, text)
    })
}

/// Gets an integer that was set.
///
/// @param options the options
/// @param key     an ASDF_OPTION_ constant; one that was not set is ASDF_ERR_NOT_FOUND, one that takes no integer
///                ASDF_ERR_WRONG_TYPE
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
                return Err(Error::new(Status::NotFound, format!("{} is set for paths only", option.name)));
            }
            _ => return Err(not_of_type(option, "asdf_options_get_int")),
        }
        Ok(())
    })
}

/// Gets a list of integers that was set.
///
/// @param options  the options
/// @param key      an ASDF_OPTION_ constant; one that was not set is ASDF_ERR_NOT_FOUND, one that takes no integers
///                 ASDF_ERR_WRONG_TYPE
/// @param ints     gets the integers; may be NULL if the capacity is 0
/// @param capacity integers that may be written; fewer than there are is ASDF_ERR_BUFFER_TOO_SMALL
/// @param count    gets how many there are; may be NULL if the capacity is not 0
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

/// Gets a text that was set, or one of a list.
///
/// @param options  the options
/// @param key      an ASDF_OPTION_ constant; one that was not set is ASDF_ERR_NOT_FOUND, one that takes no text
///                 ASDF_ERR_WRONG_TYPE
/// @param index    number of the text in its list, from 0; one behind the last is ASDF_ERR_OUT_OF_RANGE. 0 for what is
///                 no list
/// @param buffer   gets the text
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the text; may be NULL
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
