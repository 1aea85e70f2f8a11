//! Reads metadata from JSON that `meta_json` or another program wrote.
//!
//! The stack depth does not depend on the depth of the text.

use super::meta_json::{MAX_DEPTH, PLAIN, TAG, VALUE};
use crate::error::{Error, Result, Status};
use crate::file::{File, Node};
use crate::float;
use crate::limits::Limits;
use crate::table::ecsv::Json;
use crate::tags;
use crate::tree::scalar::resolve;
use crate::tree::{Kind, NodeId, Scalar, ScalarText, Style, Tree};

/// Value of a JSON text, with its tag.
struct Value {
    tag: Option<String>,
    content: Content,
}

enum Content {
    /// Scalar whose text determines its type.
    Plain(String),
    /// String.
    Text(String),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

impl From<Content> for Value {
    fn from(content: Content) -> Value {
        Value { tag: None, content }
    }
}

/// Returns a node with the contents of a JSON text, in a tree of its own.
///
/// Fails with [`Status::WrongType`] if the text is not JSON or uses `__tag__` in another way than `meta_json`. Fails
/// with [`Status::Limit`] if it is nested too deeply.
pub(super) fn read(text: &str) -> Result<Node> {
    let value = value_of(text).map_err(|error| match error.status() {
        Status::Limit => error,
        _ => Error::new(Status::WrongType, format!("metadata: {}", error.message())),
    })?;
    let mut tree = Tree::new();
    let above = tree.root();
    let root = add(&mut tree, above, value)?;
    tree.set_root(root);
    Ok(File::of_tree(tree, None, &Limits::default()).node(root))
}

/// A collection whose end has not been read yet.
enum OpenCollection {
    List(Vec<Value>),
    /// Entries, and the key of the next one.
    Map(Vec<(Value, Value)>, String),
}

fn value_of(text: &str) -> Result<Value> {
    let mut json = Json::new(text);
    let mut open: Vec<OpenCollection> = Vec::new();
    loop {
        let mut value = match json.peek() {
            Some(b'[' | b'{') if open.len() >= MAX_DEPTH => {
                return Err(Error::new(Status::Limit, format!("metadata are nested more than {MAX_DEPTH} deep")));
            }
            Some(b'[') => {
                json.take(b'[');
                if !json.take(b']') {
                    open.push(OpenCollection::List(Vec::new()));
                    continue;
                }
                Content::List(Vec::new()).into()
            }
            Some(b'{') => {
                json.take(b'{');
                if !json.take(b'}') {
                    open.push(OpenCollection::Map(Vec::new(), key(&mut json)?));
                    continue;
                }
                Content::Map(Vec::new()).into()
            }
            _ => scalar(&mut json)?,
        };
        // A value is complete. It may complete the collections around it.
        loop {
            let (end, collection) = match open.pop() {
                None => {
                    json.end()?;
                    return Ok(value);
                }
                Some(OpenCollection::List(mut items)) => {
                    items.push(value);
                    (b']', OpenCollection::List(items))
                }
                Some(OpenCollection::Map(mut entries, key)) => {
                    entries.push((Content::Text(key).into(), value));
                    (b'}', OpenCollection::Map(entries, String::new()))
                }
            };
            if json.take(b',') {
                open.push(match collection {
                    OpenCollection::Map(entries, _) => OpenCollection::Map(entries, key(&mut json)?),
                    list @ OpenCollection::List(_) => list,
                });
                break;
            }
            if !json.take(end) {
                return Err(json.expected("a comma or the end of a collection"));
            }
            value = match collection {
                OpenCollection::List(items) => Content::List(items).into(),
                OpenCollection::Map(entries, _) => object(entries)?,
            };
        }
    }
}

fn key(json: &mut Json) -> Result<String> {
    let mut key = String::new();
    json.string(&mut key)?;
    if json.take(b':') { Ok(key) } else { Err(json.expected("a colon")) }
}

fn scalar(json: &mut Json) -> Result<Value> {
    let content = match json.peek() {
        Some(b'"') => {
            let mut text = String::new();
            json.string(&mut text)?;
            Content::Text(text)
        }
        Some(b't' | b'f' | b'n') => match ["true", "false", "null"].iter().find(|word| json.take_word(word)) {
            Some(word) => Content::Plain((*word).to_owned()),
            None => return Err(json.expected("a value")),
        },
        Some(_) => {
            let number = json.number()?;
            Content::Plain(match number.text.parse::<f64>() {
                Ok(value) if !number.is_whole => {
                    let mut text = String::new();
                    float::Notation::YAML.write(&mut text, value);
                    text
                }
                _ => number.text.to_owned(),
            })
        }
        None => return Err(json.expected("a value")),
    };
    Ok(content.into())
}

/// Converts an object to a mapping or a tagged value.
fn object(mut entries: Vec<(Value, Value)>) -> Result<Value> {
    let has_key = |entry: Option<&(Value, Value)>, key: &str| {
        entry.is_some_and(|(found, _)| matches!(&found.content, Content::Text(found) if found == key))
    };
    if !has_key(entries.first(), TAG) {
        return Ok(Content::Map(entries).into());
    }
    let value = entries.pop().filter(|entry| entries.len() == 1 && has_key(Some(entry), VALUE));
    match (entries.pop(), value) {
        (Some((_, Value { content: Content::Text(tag), tag: None })), Some((_, value))) => tagged(tag, value),
        _ => Err(Error::new(
            Status::WrongType,
            format!("an object with the key {TAG} must have exactly the keys {TAG} and {VALUE}, the tag being text"),
        )),
    }
}

fn tagged(tag: String, value: Value) -> Result<Value> {
    let Value { tag: None, content } = value else {
        return Err(Error::new(Status::WrongType, "a value has two tags"));
    };
    let is = |name| tag.strip_prefix(tags::YAML) == Some(name);
    Ok(match content {
        Content::Text(text) if tag == PLAIN => Content::Plain(text).into(),
        Content::Text(text) => {
            let implied_by_text = match resolve(&text, true, None) {
                Ok(Scalar::Float(_)) => is("float"),
                Ok(Scalar::Timestamp(_)) => is("timestamp"),
                _ => false,
            };
            Value { tag: Some(tag).filter(|_| !implied_by_text), content: Content::Plain(text) }
        }
        Content::List(pairs) if is("map") => {
            let pairs = pairs.into_iter().map(|pair| match pair.content {
                Content::List(pair) => <[Value; 2]>::try_from(pair).ok().map(|[key, value]| (key, value)),
                _ => None,
            });
            let pairs = pairs.collect::<Option<_>>().map(Content::Map);
            pairs
                .ok_or_else(|| {
                    Error::new(Status::WrongType, "a tagged mapping must be a list of pairs of key and value")
                })?
                .into()
        }
        content => Value { tag: Some(tag), content },
    })
}

/// Collection whose children are being added.
struct Filling {
    id: NodeId,
    left: std::vec::IntoIter<Value>,
    items: Vec<NodeId>,
}

/// Adds a value to a tree. The parent does not list it as a child yet.
fn add(tree: &mut Tree, parent: NodeId, value: Value) -> Result<NodeId> {
    let mut filling = Vec::new();
    let root = add_one(tree, parent, value, &mut filling);
    // Only merge keys use the budget. A merge key here is plain text, so a budget of 0 is enough.
    let mut budget = 0;
    while let Some(collection) = filling.last_mut() {
        let Some(value) = collection.left.next() else {
            let Some(Filling { id, items, .. }) = filling.pop() else { break };
            tree.set_items(id, items);
            if tree.kind(id) == Kind::Mapping {
                tree.finish_mapping(id, &mut budget)?;
            }
            continue;
        };
        let id = collection.id;
        let position = filling.len() - 1;
        let child = add_one(tree, id, value, &mut filling);
        if let Some(collection) = filling.get_mut(position) {
            collection.items.push(child);
        }
    }
    Ok(root)
}

/// Adds one node. The children of a collection are added later.
fn add_one(tree: &mut Tree, parent: NodeId, value: Value, filling: &mut Vec<Filling>) -> NodeId {
    let mut collection = |kind, left: Vec<Value>| {
        let id = tree.add_collection(kind, Style::Block, parent, (0, 0));
        filling.push(Filling { id, left: left.into_iter(), items: Vec::new() });
        id
    };
    let id = match value.content {
        Content::List(items) => collection(Kind::Sequence, items),
        Content::Map(pairs) => {
            collection(Kind::Mapping, pairs.into_iter().flat_map(|(key, value)| [key, value]).collect())
        }
        Content::Plain(text) => tree.add_scalar(ScalarText::Decoded(text.into()), Style::Plain, parent, (0, 0)),
        Content::Text(text) => tree.add_scalar(ScalarText::Decoded(text.into()), Style::Automatic, parent, (0, 0)),
    };
    if value.tag.is_some() {
        tree.set_tag(id, value.tag.as_deref());
    }
    id
}

#[cfg(test)]
mod tests {
    use super::super::meta_json::write;
    use super::*;

    #[test]
    fn metadata_round_trip() {
        let texts = [
            r#"{"a":1,"b":[true,null,1.5,1.0e+20,-0.0],"c":"x\n\"\u0001é","d":{},"e":[]}"#,
            "123456789012345678901234567890",
            r#""5""#,
            r#"["yes","null","1e5","2027-01-31","<<","=",""]"#,
            r#"{"__tag__":"tag:yaml.org,2002:float","__value__":".nan"}"#,
            r#"[{"__tag__":"tag:yaml.org,2002:timestamp","__value__":"2027-01-31"}]"#,
            r#"{"__tag__":"tag:yaml.org,2002:binary","__value__":"AQI="}"#,
            r#"{"__tag__":"!astropy.units.Unit","__value__":{"unit":"m"}}"#,
            r#"{"__tag__":"!x","__value__":"5"}"#,
            r#"{"__tag__":"tag:yaml.org,2002:int","__value__":"abc"}"#,
            r#"{"__tag__":"tag:yaml.org,2002:map","__value__":[[1,"a"],[true,[]],["__tag__",2]]}"#,
            r#"{"__tag__":"tag:yaml.org,2002:map","__value__":[[{"__tag__":"!","__value__":"1.5"},"a"]]}"#,
        ];
        for text in texts {
            assert_eq!(write(&read(text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn json_of_other_programs_is_read() {
        let written = |text| write(&read(text).unwrap()).unwrap();
        assert_eq!(written(" { \"a\" : \"\\ud83d\\ude00\" , \"b\":1e5 } "), r#"{"a":"😀","b":100000.0}"#);
        assert_eq!(written("[NaN]"), r#"[{"__tag__":"tag:yaml.org,2002:float","__value__":".nan"}]"#);
        assert_eq!(
            written(r#"{"a":1,"__tag__":2}"#),
            r#"{"__tag__":"tag:yaml.org,2002:map","__value__":[["a",1],["__tag__",2]]}"#
        );
    }

    #[test]
    fn invalid_json_is_refused() {
        for text in ["", "{", "[1,]", "{1:2}", "[1]]", "nul", r#"{"__tag__":"x"}"#, r#"{"__tag__":1,"__value__":2}"#] {
            assert_eq!(read(text).unwrap_err().status(), Status::WrongType, "{text}");
        }
        let twice = r#"{"__tag__":"x","__value__":{"__tag__":"y","__value__":1}}"#;
        assert_eq!(read(twice).unwrap_err().status(), Status::WrongType);
        assert_eq!(read(&"[".repeat(100_000)).unwrap_err().status(), Status::Limit);
    }
}
