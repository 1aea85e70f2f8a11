//! Options and other arguments, checked in one way by all functions.

use super::caller::Caller;
use super::guard::{guard, guard_handle};
use super::handle::Class;
use super::status::asdf_status;
use crate::error::{Error, Result, Status};
use crate::process::ForkRwLock;

type Options<T> = ForkRwLock<T>;

/// Makes options with the defaults.
pub(crate) fn new<T: Default, C: Class<Value = Options<T>>>(options: *mut *mut C) -> asdf_status {
    guard_handle(options, "options", |_| Ok(Options::default()))
}

/// Changes options.
pub(crate) fn set<T, C: Class<Value = Options<T>>>(
    options: *mut C,
    change: impl FnOnce(&Caller, &mut T) -> Result<()>,
) -> asdf_status {
    guard(|caller| change(caller, &mut *caller.handle(options, "options")?.write()?))
}

/// The options that the caller chose, or the defaults.
pub(crate) fn chosen<T: Clone + Default, C: Class<Value = Options<T>>>(
    caller: &Caller,
    options: *const C,
) -> Result<T> {
    chosen_as(caller, options, "options")
}

/// The same for an argument of this name, where a function takes several options.
pub(crate) fn chosen_as<T: Clone + Default, C: Class<Value = Options<T>>>(
    caller: &Caller,
    options: *const C,
    argument: &str,
) -> Result<T> {
    caller.options(options, argument)?.map_or_else(|| Ok(T::default()), |options| Ok(options.read()?.clone()))
}

pub(crate) fn thread_count(threads: i32) -> Result<usize> {
    usize::try_from(threads).ok().filter(|&threads| threads > 0).ok_or_else(|| {
        Error::new(Status::InvalidArgument, format!("{threads} threads can do nothing; at least 1 does"))
    })
}

pub(crate) fn unknown_number(constants: &str, number: i32) -> Error {
    Error::new(Status::InvalidArgument, format!("{number} is none of {constants}..."))
}

/// The element of a list at an index of the caller.
pub(crate) fn element<'a, T>(list: &'a [T], index: i64, what: &str) -> Result<&'a T> {
    usize::try_from(index)
        .ok()
        .and_then(|index| list.get(index))
        .ok_or_else(|| Error::new(Status::OutOfRange, format!("there is no {what} {index} among {}", list.len())))
}
