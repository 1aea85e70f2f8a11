//! Values of options, checked when they are set.

use super::keys::ASDF_OPTION_DATATYPE;
use super::table::{Kind, OptionKey, option_of};
use crate::array::{Datatype, Fill};
use crate::codec::LabelledCodec;
use crate::error::{Error, Result, Status};
use crate::file::Access;
use crate::progress::Progress;
use crate::schema::Schemas;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

/// A value of an option.
#[derive(Clone)]
pub(crate) enum Value {
    Int(i64),
    /// A value for all paths, and values for single paths.
    IntAt(Option<i64>, Vec<(String, i64)>),
    Ints(Vec<i64>),
    Float(f64),
    /// UTF-8 where the option is a text.
    Text(Vec<u8>),
    Texts(Vec<Vec<u8>>),
    Datatype(Datatype),
    Fill(Fill),
    Codecs(Vec<LabelledCodec>),
    Resolver(Access),
    Progress(Progress),
    Schemas(Arc<Schemas>),
}

/// Values that were set, by key.
#[derive(Clone, Default)]
pub(crate) struct Values {
    pub(super) by_key: BTreeMap<i32, Value>,
}

fn invalid(message: String) -> Error {
    Error::new(Status::InvalidArgument, message)
}

/// Returns the option of a number that the caller passes.
pub(super) fn known(key: i32) -> Result<&'static OptionKey> {
    option_of(key).ok_or_else(|| invalid(format!("{key} is not the key of an option; use a constant ASDF_OPTION_...")))
}

fn other_type(option: &OptionKey, setter: &str) -> Error {
    let takes = match option.kind {
        Kind::Flag | Kind::Int(..) | Kind::PowerOfTwo(_) | Kind::Choice(..) => "an integer",
        Kind::IntAt(..) => "an integer, also at a path",
        Kind::Text | Kind::FileName => "a text",
        Kind::Texts | Kind::FileNames => "a list of texts",
        Kind::Ints => "a list of integers",
        Kind::Float => "a floating-point number",
        Kind::Object(function) => return invalid(format!("{setter} cannot set {}; use {function}", option.in_words())),
    };
    invalid(format!("{setter} cannot set {}, which takes {takes}", option.in_words()))
}

impl Values {
    pub(super) fn set_int(&mut self, key: i32, value: i64) -> Result<()> {
        let option = known(key)?;
        let allowed = match option.kind {
            Kind::Flag => (0..=1).contains(&value),
            Kind::Int(least, most) | Kind::IntAt(least, most) | Kind::Choice(_, least, most) => {
                (least..=most).contains(&value)
            }
            Kind::PowerOfTwo(most) => (1..=most).contains(&value) && value.count_ones() == 1,
            _ => return Err(other_type(option, "asdf_options_set_int")),
        };
        check_range(option, value, allowed)?;
        match (option.kind, self.by_key.get_mut(&key)) {
            (Kind::IntAt(..), Some(Value::IntAt(all, _))) => *all = Some(value),
            (Kind::IntAt(..), _) => drop(self.by_key.insert(key, Value::IntAt(Some(value), Vec::new()))),
            _ => drop(self.by_key.insert(key, Value::Int(value))),
        }
        Ok(())
    }

    pub(super) fn set_int_at(&mut self, key: i32, path: &str, value: i64) -> Result<()> {
        let option = known(key)?;
        let Kind::IntAt(least, most) = option.kind else { return Err(other_type(option, "asdf_options_set_int_at")) };
        check_range(option, value, (least..=most).contains(&value))?;
        let entry = self.by_key.entry(key).or_insert(Value::IntAt(None, Vec::new()));
        if let Value::IntAt(_, at) = entry {
            at.retain(|(other, _)| other != path);
            at.push((path.to_owned(), value));
        }
        Ok(())
    }

    pub(super) fn set_ints(&mut self, key: i32, values: &[i64]) -> Result<()> {
        let option = known(key)?;
        if option.kind != Kind::Ints {
            return Err(other_type(option, "asdf_options_set_ints"));
        }
        self.by_key.insert(key, Value::Ints(values.to_vec()));
        Ok(())
    }

    pub(super) fn set_float(&mut self, key: i32, value: f64) -> Result<()> {
        let option = known(key)?;
        if option.kind != Kind::Float {
            return Err(other_type(option, "asdf_options_set_float"));
        }
        if !value.is_finite() || value <= 0.0 {
            return Err(not_allowed(option, value));
        }
        self.by_key.insert(key, Value::Float(value));
        Ok(())
    }

    pub(super) fn set_text(&mut self, key: i32, text: &[u8]) -> Result<()> {
        let option = known(key)?;
        if !matches!(option.kind, Kind::Text | Kind::FileName) {
            return Err(other_type(option, "asdf_options_set_text"));
        }
        check_text(option, text)?;
        self.by_key.insert(key, Value::Text(text.to_vec()));
        Ok(())
    }

    /// Adds a text; `None` makes the list empty.
    pub(super) fn add_text(&mut self, key: i32, text: Option<&[u8]>) -> Result<()> {
        let option = known(key)?;
        if !matches!(option.kind, Kind::Texts | Kind::FileNames) {
            return Err(other_type(option, "asdf_options_add_text"));
        }
        let Some(text) = text else {
            self.by_key.insert(key, Value::Texts(Vec::new()));
            return Ok(());
        };
        check_text(option, text)?;
        if let Value::Texts(texts) = self.by_key.entry(key).or_insert(Value::Texts(Vec::new())) {
            texts.push(text.to_vec());
        }
        Ok(())
    }

    /// The datatype that the code 0 stands for.
    pub(crate) fn datatype(&self) -> Option<&Datatype> {
        match self.by_key.get(&ASDF_OPTION_DATATYPE) {
            Some(Value::Datatype(datatype)) => Some(datatype),
            _ => None,
        }
    }

    pub(crate) fn set_object(&mut self, key: i32, value: Value) {
        self.by_key.insert(key, value);
    }

    /// Adds a codec; it replaces one of the same label.
    pub(crate) fn add_codec(&mut self, key: i32, codec: LabelledCodec) {
        if let Value::Codecs(codecs) = self.by_key.entry(key).or_insert(Value::Codecs(Vec::new())) {
            codecs.retain(|other| other.label() != codec.label());
            codecs.push(codec);
        }
    }

    pub(super) fn unset(&mut self, key: i32) -> Result<()> {
        known(key)?;
        self.by_key.remove(&key);
        Ok(())
    }

    /// Returns the value of a key; an error if it is not set.
    pub(super) fn get(&self, key: i32) -> Result<(&'static OptionKey, &Value)> {
        let option = known(key)?;
        let value = self.by_key.get(&key);
        value
            .map(|value| (option, value))
            .ok_or_else(|| Error::new(Status::NotFound, format!("{} is not set", option.in_words())))
    }
}

/// The error for a getter of another type than the option has.
pub(super) fn not_of_type(option: &OptionKey, getter: &str) -> Error {
    Error::new(Status::WrongType, format!("{getter} cannot get {}, which has another type", option.in_words()))
}

fn check_range(option: &OptionKey, value: i64, allowed: bool) -> Result<()> {
    if allowed { Ok(()) } else { Err(not_allowed(option, value)) }
}

fn not_allowed(option: &OptionKey, value: impl Display) -> Error {
    let expected = match option.kind {
        Kind::Flag => "0 or 1".to_owned(),
        Kind::Choice(prefix, least, most) => format!("a constant {prefix}... ({least} .. {most})"),
        Kind::Int(..) | Kind::IntAt(..) => format!("an {}", option.kind.in_words()),
        kind => format!("a {}", kind.in_words()),
    };
    invalid(format!("{value} is not allowed for {}; it takes {expected}", option.in_words()))
}

fn check_text(option: &OptionKey, text: &[u8]) -> Result<()> {
    let is_name = matches!(option.kind, Kind::FileName | Kind::FileNames);
    if is_name && text.contains(&0) {
        return Err(invalid(format!("the file name for {} contains a NUL byte", option.in_words())));
    }
    if (!is_name || !cfg!(unix))
        && let Err(error) = std::str::from_utf8(text)
    {
        let (name, position) = (option.in_words(), error.valid_up_to());
        let message = format!("the text for {name} is not valid UTF-8 from byte {position} on");
        return Err(Error::new(Status::Encoding, message));
    }
    Ok(())
}
