//! YAML that the language gives no meaning: what `x-` keys hold, and the parameters of filters.

use crate::ndl::Named;

/// Any YAML, aliases expanded, with the source text of its scalars.
///
/// What is read nests at most 128 levels deep; whoever makes content should keep
/// to the same, for it is walked and dropped by recursion.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A scalar.
    Scalar(ContentScalar),
    /// A list.
    List(Vec<Content>),
    /// A mapping; keys are the source texts.
    Mapping(Named<Content>),
}

/// A scalar and how it is written, which decides what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentScalar {
    /// The text, without quotes and escapes.
    pub text: String,
    /// Whether it stands without quotes, and so may be null, a truth value or a number by the core schema of YAML 1.2.
    pub plain: bool,
    /// The explicit tag, as in `!!str`, without the exclamation marks.
    pub tag: Option<String>,
}

impl Content {
    /// Text, whatever it looks like.
    pub fn text(text: impl Into<String>) -> Content {
        Content::Scalar(ContentScalar { text: text.into(), plain: false, tag: None })
    }

    /// What the core schema of YAML 1.2 makes of the text: `null`, `true`, a number.
    pub fn plain(text: impl Into<String>) -> Content {
        Content::Scalar(ContentScalar { text: text.into(), plain: true, tag: None })
    }

    /// A mapping of these pairs.
    pub fn mapping<N: Into<String>>(pairs: impl IntoIterator<Item = (N, Content)>) -> Content {
        Content::Mapping(pairs.into_iter().collect())
    }
}

/// What stands under `x-` keys, by these keys: kept, and ignored otherwise.
pub type Extensions = Named<Content>;

/// Whether a key is one of an extension.
pub fn is_extension_key(key: &str) -> bool {
    key.starts_with("x-")
}
