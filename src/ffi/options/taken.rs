//! Snapshot of the options of a call, with only keys that the call knows.

use super::keys::*;
use super::table::{COMMON, LIMITS, OptionKey, in_words, is_known, option_of};
use super::values::{Value, Values};
use crate::array::{Datatype, Fill, ReadOptions};
use crate::codec::LabelledCodec;
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::types::asdf_options;
use crate::file::Access;
use crate::limits::{Limit, Limits};
use crate::progress::{self, Progress};
use crate::schema::Schemas;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of a call.
pub(crate) struct Taken {
    values: Option<Arc<Values>>,
}

/// Takes a snapshot of the options of a call; NULL means the defaults. Fails if the call does not know a key. From here
/// on the call reports its progress if the options set a callback.
pub(crate) fn take(caller: &Caller, options: *const asdf_options, function: &'static str) -> Result<Taken> {
    let Some(options) = caller.options(options, "options")? else { return Ok(Taken { values: None }) };
    let mut values = Arc::clone(&*options.read()?);
    if let Some(&key) = values.by_key.keys().find(|&&key| !is_known(function, key)) {
        if !matches!(values.by_key.get(&ASDF_OPTION_SHARED), Some(Value::Int(1))) {
            let name = option_of(key).map(OptionKey::in_words).unwrap_or_default();
            let shared = in_words("ASDF_OPTION_SHARED");
            let message = format!("{function} does not know {name}; unset it, pass other options, or set {shared}");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Arc::make_mut(&mut values).by_key.retain(|&key, _| is_known(function, key));
    }
    let taken = Taken { values: Some(values) };
    if let Some(progress) = taken.progress() {
        progress::enter(&progress, function);
    }
    Ok(taken)
}

/// A handle that reports the progress of each of its calls, by the options that it was created with.
pub(crate) struct Reporting<T> {
    value: T,
    progress: Option<Progress>,
}

impl<T> Reporting<T> {
    /// Wraps a value that was created with these options.
    pub(crate) fn new(value: T, options: &Taken) -> Reporting<T> {
        Reporting { value, progress: options.progress() }
    }

    /// Returns the value, for a function that reports its progress from here on.
    pub(crate) fn begin(&mut self, function: &'static str) -> &mut T {
        if let Some(progress) = &self.progress {
            progress::enter(progress, function);
        }
        &mut self.value
    }
}

impl<T> Deref for Reporting<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl Taken {
    fn value(&self, key: i32) -> Option<&Value> {
        self.values.as_ref()?.by_key.get(&key)
    }

    /// Tells whether no option is set besides those that every call knows, such as threads and progress.
    pub(crate) fn is_usual(&self) -> bool {
        let is_usual = |values: &Arc<Values>| values.by_key.keys().all(|key| COMMON.contains(key));
        self.values.as_ref().is_none_or(is_usual)
    }

    /// An integer that was set.
    pub(crate) fn int(&self, key: i32) -> Option<i64> {
        match self.value(key)? {
            Value::Int(value) => Some(*value),
            Value::IntAt(value, _) => *value,
            _ => None,
        }
    }

    /// A constant that was set.
    pub(crate) fn constant(&self, key: i32) -> Option<i32> {
        self.int(key).and_then(|value| i32::try_from(value).ok())
    }

    /// An integer of an option that takes no negative values.
    pub(crate) fn count(&self, key: i32) -> Option<u64> {
        self.int(key).map(i64::unsigned_abs)
    }

    /// A floating-point number that was set.
    pub(crate) fn float(&self, key: i32) -> Option<f64> {
        match self.value(key)? {
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// A truth value, or `default` if it was not set.
    pub(crate) fn flag(&self, key: i32, default: bool) -> bool {
        self.int(key).map_or(default, |value| value != 0)
    }

    /// Integers that were set by path.
    pub(crate) fn ints_at(&self, key: i32) -> &[(String, i64)] {
        match self.value(key) {
            Some(Value::IntAt(_, at)) => at,
            _ => &[],
        }
    }

    /// A text that was set, which may be empty.
    pub(crate) fn text(&self, key: i32) -> Option<&str> {
        match self.value(key)? {
            Value::Text(text) => std::str::from_utf8(text).ok(),
            _ => None,
        }
    }

    /// The name of a file that was set.
    pub(crate) fn file_name(&self, key: i32) -> Option<&Path> {
        match self.value(key)? {
            Value::Text(text) => path_of(text),
            _ => None,
        }
    }

    /// Texts that were added; `None` if the list was not set.
    pub(crate) fn texts(&self, key: i32) -> Option<Vec<String>> {
        match self.value(key)? {
            Value::Texts(texts) => Some(texts.iter().filter_map(|text| String::from_utf8(text.clone()).ok()).collect()),
            _ => None,
        }
    }

    /// File names that were added; `None` if the list was not set.
    pub(crate) fn file_names(&self, key: i32) -> Option<Vec<PathBuf>> {
        match self.value(key)? {
            Value::Texts(texts) => Some(texts.iter().filter_map(|text| path_of(text)).map(Path::to_owned).collect()),
            _ => None,
        }
    }

    /// Codecs of the program.
    pub(crate) fn codecs(&self) -> &[LabelledCodec] {
        match self.value(ASDF_OPTION_CUSTOM_CODECS) {
            Some(Value::Codecs(codecs)) => codecs,
            _ => &[],
        }
    }

    /// The datatype that the code 0 stands for.
    pub(crate) fn datatype(&self) -> Option<&Datatype> {
        self.values.as_ref()?.datatype()
    }

    /// Fill value for missing elements.
    pub(crate) fn fill(&self) -> Option<Fill> {
        match self.value(ASDF_OPTION_FILL) {
            Some(Value::Fill(fill)) => Some(fill.clone()),
            _ => None,
        }
    }

    /// Callback that opens other files.
    pub(crate) fn resolver(&self) -> Option<Access> {
        match self.value(ASDF_OPTION_RESOLVER) {
            Some(Value::Resolver(access)) => Some(access.clone()),
            _ => None,
        }
    }

    /// Schemas that the content must match.
    pub(crate) fn schemas(&self) -> Option<Arc<Schemas>> {
        match self.value(ASDF_OPTION_SCHEMAS) {
            Some(Value::Schemas(schemas)) => Some(schemas.clone()),
            _ => None,
        }
    }

    /// Callback for progress.
    pub(crate) fn progress(&self) -> Option<Progress> {
        match self.value(ASDF_OPTION_PROGRESS) {
            Some(Value::Progress(progress)) => Some(progress.clone()),
            _ => None,
        }
    }

    /// Largest number of threads that the call may use.
    pub(crate) fn threads(&self) -> usize {
        self.count(ASDF_OPTION_THREADS)
            .map_or(ReadOptions::default().threads, |threads| usize::try_from(threads).unwrap_or(usize::MAX))
    }

    /// Strides of elements in memory.
    pub(crate) fn strides(&self) -> Option<&[i64]> {
        self.ints(ASDF_OPTION_STRIDES)
    }

    /// A list of integers.
    pub(crate) fn ints(&self, key: i32) -> Option<&[i64]> {
        match self.value(key)? {
            Value::Ints(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// Limits of the call; defaults for those that are not set.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        self.for_each_limit(|limit, value| limits.set(limit, value));
        limits
    }

    /// Calls `set` with each limit that was set, and its value.
    pub(crate) fn for_each_limit(&self, mut set: impl FnMut(Limit, u64)) {
        for (key, limit) in LIMITS {
            if let Some(value) = self.count(key) {
                set(limit, value);
            }
        }
    }
}

/// The error for two options that exclude each other.
pub(crate) fn both(first: &str, second: &str) -> Error {
    let (first, second) = (in_words(first), in_words(second));
    Error::new(Status::InvalidArgument, format!("{first} and {second} exclude each other; unset one of them"))
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> Option<&Path> {
    Some(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name)))
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> Option<&Path> {
    std::str::from_utf8(name).ok().map(Path::new)
}
