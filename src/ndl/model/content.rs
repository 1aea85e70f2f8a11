//! YAML content without a meaning in the language: values of `x-` keys and parameters of filters.

use crate::ndl::Named;

/// A YAML node with its aliases expanded. Scalars keep their source text.
///
/// Content that was read nests at most 128 levels deep. Programs that build content should keep this limit too, because
/// it is walked and dropped by recursion.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A scalar.
    Scalar(ContentScalar),
    /// A list.
    List(Vec<Content>),
    /// A mapping; keys are the source texts.
    Mapping(Named<Content>),
}

/// A scalar in source form. Its style and tag decide its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentScalar {
    /// The text, without quotes and escapes.
    pub text: String,
    /// True if the scalar has no quotes. Such a scalar may be null, a boolean or a number by the core schema of YAML
    /// 1.2.
    pub plain: bool,
    /// The explicit tag without the exclamation marks: `str` for `!!str`.
    pub tag: Option<String>,
}

impl Content {
    /// Returns a string scalar, even if the text looks like a number.
    pub fn text(text: impl Into<String>) -> Content {
        Content::Scalar(ContentScalar { text: text.into(), plain: false, tag: None })
    }

    /// Returns a plain scalar, which the core schema of YAML 1.2 resolves: `null`, `true`, a number or a string.
    pub fn plain(text: impl Into<String>) -> Content {
        Content::Scalar(ContentScalar { text: text.into(), plain: true, tag: None })
    }

    /// Returns a mapping of these pairs.
    pub fn mapping<N: Into<String>>(pairs: impl IntoIterator<Item = (N, Content)>) -> Content {
        Content::Mapping(pairs.into_iter().collect())
    }
}

/// Values of the `x-` keys. They are kept, but have no effect.
pub type Extensions = Named<Content>;

/// Returns true if the key begins with `x-`.
pub(crate) fn is_extension_key(key: &str) -> bool {
    key.starts_with("x-")
}
