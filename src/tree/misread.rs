//! Paths that probably mean something else than they say: indices in brackets, indices into lists that do not exist,
//! keys below arrays.

use super::{Key, Kind, NodeId, Scalar, Tree, path, scalar};
use crate::error::{Error, Result, Status};
use crate::hint;
use crate::tags;
use std::borrow::Cow;

/// Keys of arrays of the standard. Others have no effect there, and Python asdf drops them.
const ARRAY_KEYS: [&str; 9] =
    ["source", "data", "mask", "datatype", "byteorder", "shape", "strides", "offset", tags::NOTE_KEY];

impl Tree {
    /// Fails if `tokens`, which do not exist in `node` yet, probably do not mean the keys that setting would make.
    pub(super) fn check_new_tokens(&self, node: NodeId, tokens: &[Cow<str>]) -> Result<()> {
        if let (Kind::Mapping, Some(first)) = (self.kind(node), tokens.first()) {
            if self.is_tagged(node, tags::NDARRAY) && !ARRAY_KEYS.contains(&&**first) {
                let message = match path::index(first) {
                    Some(_) => "elements of an array are read and written by regions, not by paths".to_owned(),
                    None => format!("an array (core/ndarray) has no key '{first}'; set it beside the array"),
                };
                return Err(self.locate(Error::new(Status::InvalidArgument, message), node));
            }
            if let Some(hint) = self.bracket_hint(node, first) {
                let message = format!("'{first}' would be the key of a mapping{hint}");
                return Err(self.locate(Error::new(Status::InvalidArgument, message), node));
            }
        }
        for pair in tokens.windows(2) {
            if let [list, index] = pair
                && path::index(index).is_some()
            {
                let message = format!(
                    "there is no list with the index {index}, because '{list}' does not exist; make it as a sequence or a mapping first, \
                     or append an item by '{list}/-'"
                );
                return Err(Error::new(Status::NotFound, message));
            }
        }
        Ok(())
    }

    /// Returns the error for a key that a mapping lacks, with the key that was probably meant.
    pub(super) fn no_key(&self, mapping: NodeId, key: &str) -> Error {
        if self.is_tagged(mapping, tags::NDARRAY) && path::index(key).is_some() {
            let message = format!("the array has no key '{key}'; its elements are read by regions, not by paths");
            return Error::new(Status::NotFound, message);
        }
        let hint = self.bracket_hint(mapping, key).or_else(|| self.integer_hint(mapping, key));
        let hint = hint.or_else(|| self.slash_hint(mapping, key)).unwrap_or_else(|| {
            hint::similar(key, self.pairs(mapping).chunks_exact(2).map(|pair| self.key(pair[0]).text()))
        });
        Error::new(Status::NotFound, format!("the mapping has no key '{key}'{hint}"))
    }

    /// Returns a hint for an index in brackets after the key of a sequence or an array.
    fn bracket_hint(&self, mapping: NodeId, token: &str) -> Option<String> {
        let (key, index) = token.strip_suffix(']')?.split_once('[')?;
        let is_index = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit() || b"-,: ".contains(&byte));
        let list = self.dealias(self.find_token(mapping, key).filter(|_| is_index)?);
        if self.is_tagged(list, tags::NDARRAY) {
            return Some(format!("; elements of the array '{key}' are read and written by regions, not by paths"));
        }
        (self.kind(list) == Kind::Sequence).then(|| format!("; the path of an item is '{key}/{index}'"))
    }

    /// Returns a hint for a key with a slash, which begins with this token.
    fn slash_hint(&self, mapping: NodeId, token: &str) -> Option<String> {
        let is_meant = |key: &str| key.strip_prefix(token).is_some_and(|rest| rest.starts_with('/'));
        let mut keys = self.pairs(mapping).chunks_exact(2).map(|pair| self.key(pair[0]).text());
        let key = keys.find(|key| is_meant(key))?;
        Some(format!("; the path of its key '{key}' is '{}'", path::escape(&key)))
    }

    /// Returns a hint for digits that name a string while the mapping has the integer.
    fn integer_hint(&self, mapping: NodeId, token: &str) -> Option<String> {
        let Ok(Scalar::Integer(integer)) = scalar::resolve(token, true, None) else { return None };
        let integer = integer.to_i64()?;
        self.find(mapping, Key::Integer(integer))?;
        Some(format!(
            "; it has the integer {integer}: in YAML 1.1, a key of digits without quotes is an integer, and one with a \
             leading 0 an octal number. Its path is '{integer}'"
        ))
    }
}
