//! The parts of a request.

use crate::answer::refused;
use asdfkit::Result;
use serde_json::Value;

/// A request: an object with a name of a call and its arguments.
pub(crate) struct Request(Value);

impl Request {
    pub(crate) fn parse(text: &[u8]) -> Result<Request> {
        serde_json::from_slice(text).map(Request).map_err(|error| refused(format!("the request is no JSON: {error}")))
    }

    pub(crate) fn text(&self, key: &str) -> Result<&str> {
        self.0[key].as_str().ok_or_else(|| refused(format!("the request lacks the text '{key}'")))
    }

    /// Returns a text that may be missing.
    pub(crate) fn optional_text(&self, key: &str) -> Option<&str> {
        self.0[key].as_str()
    }

    pub(crate) fn index(&self, key: &str) -> Result<u64> {
        self.0[key].as_u64().ok_or_else(|| refused(format!("the request lacks '{key}', an integer from 0 on")))
    }

    /// Returns a truth value; false if it is missing.
    pub(crate) fn flag(&self, key: &str) -> bool {
        self.0[key].as_bool().unwrap_or(false)
    }

    /// Returns a number; `None` if it is missing.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        self.0[key].as_f64()
    }

    /// Returns a list of integers; `None` if it is missing.
    pub(crate) fn integers(&self, key: &str) -> Result<Option<Vec<i64>>> {
        match &self.0[key] {
            Value::Null => Ok(None),
            Value::Array(items) => {
                let integers: Option<Vec<i64>> = items.iter().map(Value::as_i64).collect();
                integers.map(Some).ok_or_else(|| refused(format!("'{key}' holds something that is no integer")))
            }
            _ => Err(refused(format!("'{key}' is no list of integers"))),
        }
    }

    /// Returns a list of texts; `None` if it is missing.
    pub(crate) fn texts(&self, key: &str) -> Result<Option<Vec<String>>> {
        match &self.0[key] {
            Value::Null => Ok(None),
            Value::Array(items) => {
                let texts: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
                texts.map(Some).ok_or_else(|| refused(format!("'{key}' holds something that is no text")))
            }
            _ => Err(refused(format!("'{key}' is no list of texts"))),
        }
    }
}
