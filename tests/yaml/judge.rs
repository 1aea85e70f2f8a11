//! The judgement of two readers on one text: this library and libyaml agree, or their difference is one of those that
//! `docs/reference/yaml.md` lists.

use super::libyaml::{Document, documents};
use super::{Step, anchors_of, steps_of};
use asdfkit::internals::{Style, parse, resolve};
use asdfkit::{Error, Limits, Result, Status};

/// A difference between the two readers that is intended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Difference {
    /// A directive that YAML does not define is ignored here.
    UnknownDirective,
    /// Every `%YAML 1.N` is read here.
    MinorVersion,
    /// A text without a document is an empty mapping here.
    NoDocument,
    /// A document without content is an empty mapping here, and a null there.
    EmptyDocument,
    /// A second document is an error here.
    SecondDocument,
    /// A collection cannot be a key here.
    CollectionKey,
    /// The text of a key must be a value of the type that its tag demands here.
    KeyContent,
    /// A merge key needs mappings here, and no mapping is merged into itself.
    MergeValue,
    /// The nesting depth is limited here.
    Depth,
    /// A tag with `%00`, or with bytes that are not UTF-8, is an error here.
    TagBytes,
}

impl Difference {
    pub(super) const ALL: [Difference; 10] = [
        Difference::UnknownDirective,
        Difference::MinorVersion,
        Difference::NoDocument,
        Difference::EmptyDocument,
        Difference::SecondDocument,
        Difference::CollectionKey,
        Difference::KeyContent,
        Difference::MergeValue,
        Difference::Depth,
        Difference::TagBytes,
    ];
}

/// Result of the comparison of both readers for one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Verdict {
    /// Both read the same.
    Read,
    /// Both refuse it.
    Refused,
    Differs(Difference),
}

/// Steps and anchors of a text, as this library reads it.
fn read(text: &str) -> Result<Document> {
    let parsed = parse(text.to_owned(), 0, 1, &Limits::default())?;
    Ok(Document { steps: steps_of(&parsed.tree), anchors: anchors_of(&parsed.tree), has_unknown_alias: false })
}

/// Compares both readers. Panics if they differ, and the difference is none that is intended.
#[track_caller]
pub(super) fn judge(text: &str) -> Verdict {
    let (ours, theirs) = (read(text), documents(text));
    let verdict = match (&ours, theirs.as_deref()) {
        (Err(_), None) => Some(Verdict::Refused),
        (Ok(ours), None) => accepted_here(text, ours).map(Verdict::Differs),
        (Ok(ours), Some([])) => is_empty_mapping(ours, None).then_some(Verdict::Differs(Difference::NoDocument)),
        (Ok(ours), Some([theirs])) if ours == theirs => Some(Verdict::Read),
        (Ok(ours), Some([theirs])) => {
            is_empty_document(ours, theirs).then_some(Verdict::Differs(Difference::EmptyDocument))
        }
        (Ok(_), Some(_)) => None,
        (Err(error), Some([])) => panic!("{text:?}\n ours: {error}\n libyaml: no document"),
        // The composers of libyaml and PyYAML refuse it, too.
        (Err(error), Some([first, ..])) if first.has_unknown_alias && is_unknown_alias(error) => Some(Verdict::Refused),
        (Err(error), Some([first, rest @ ..])) => {
            refused_here(text, error, first, !rest.is_empty()).map(Verdict::Differs)
        }
    };
    verdict.unwrap_or_else(|| panic!("{text:?}\n ours: {ours:?}\n libyaml: {theirs:?}"))
}

/// Explains why this library reads a text that libyaml refuses: without what only this library accepts, both must read
/// the same.
fn accepted_here(text: &str, ours: &Document) -> Option<Difference> {
    let (plain, difference) = without_extensions(text)?;
    let same = read(&plain).is_ok_and(|read| read == *ours);
    let theirs = documents(&plain)?;
    let same = same
        && match theirs.as_slice() {
            [] => is_empty_mapping(ours, None),
            [theirs] => ours == theirs || is_empty_document(ours, theirs),
            _ => false,
        };
    same.then_some(difference)
}

/// Replaces directives at the start of a text that only this library reads: unknown ones by handles of tags that no text
/// uses, versions by 1.1.
fn without_extensions(text: &str) -> Option<(String, Difference)> {
    let mut plain = String::new();
    let mut difference = None;
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        let breaks = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
        let (line, after) = rest.split_at(rest.find(breaks).unwrap_or(rest.len()));
        // A byte order mark may begin any line; a directive after it is none.
        let content = line.trim_start_matches(['\u{feff}', ' ']);
        let is_empty = content.trim_matches([' ', '\t']).is_empty();
        if after.is_empty() || !is_empty && !content.starts_with(['%', '#']) {
            break;
        }
        let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
        let name = words.next().and_then(|word| word.strip_prefix('%')).filter(|_| line.starts_with('%'));
        match name {
            None | Some("TAG") => plain.push_str(line),
            Some("YAML") => {
                let version = words.next()?;
                let (major, minor) = version.split_once('.')?;
                let digits = minor.split(|character: char| !character.is_ascii_digit()).next()?;
                let (1, minor) = (major.parse::<u32>().ok()?, digits.parse::<u32>().ok()?) else { return None };
                if minor == 1 || minor == 2 {
                    plain.push_str(line);
                } else {
                    difference = difference.or(Some(Difference::MinorVersion));
                    plain.push_str(&line.replacen(&format!("{major}.{digits}"), "1.1", 1));
                }
            }
            Some(_) => {
                difference = Some(Difference::UnknownDirective);
                plain.push_str(&format!("%TAG !ignored-{}! x", plain.len()));
            }
        }
        let end = after.chars().next().map_or(0, char::len_utf8);
        plain.push_str(&after[..end]);
        rest = &after[end..];
    }
    plain.push_str(rest);
    difference.map(|difference| (plain, difference))
}

/// Returns whether a document is an empty mapping with this tag, and nothing else.
fn is_empty_mapping(document: &Document, tag: Option<&str>) -> bool {
    let mapping = Step::Mapping { tag: tag.map(str::to_owned), style: Style::Block };
    document.steps == [mapping, Step::End]
}

fn is_empty_document(ours: &Document, theirs: &Document) -> bool {
    match theirs.steps.as_slice() {
        [Step::Scalar { value, tag, style: Style::Plain }] if value.is_empty() => {
            is_empty_mapping(ours, tag.as_deref()) && ours.anchors == theirs.anchors
        }
        _ => false,
    }
}

fn is_unknown_alias(error: &Error) -> bool {
    error.status() == Status::Yaml && error.message().contains("stands before this alias")
}

/// Explains why this library refuses a text whose first document libyaml reads.
fn refused_here(text: &str, error: &Error, first: &Document, is_followed: bool) -> Option<Difference> {
    let is_second = error.message().contains("a second YAML document");
    let difference = match error.status() {
        Status::Yaml if is_followed && is_second => Difference::SecondDocument,
        Status::Yaml if text.contains('%') && error.message().contains("in a tag") && has_odd_tag(first, text) => {
            Difference::TagBytes
        }
        Status::Tree if Shape::of(&first.steps).has_collection_key => Difference::CollectionKey,
        Status::TagContent if Shape::of(&first.steps).has_odd_key => Difference::KeyContent,
        Status::Tree if Shape::of(&first.steps).has_odd_merge => Difference::MergeValue,
        Status::Limit if Shape::of(&first.steps).depth > Limits::default().depth as usize => Difference::Depth,
        _ => return None,
    };
    Some(difference)
}

/// Returns whether a tag cannot be a text of PyYAML, which decodes it as UTF-8, or ends early, at a NUL.
fn has_odd_tag(document: &Document, text: &str) -> bool {
    let tags = document.steps.iter().filter_map(|step| match step {
        Step::Scalar { tag, .. } | Step::Sequence { tag, .. } | Step::Mapping { tag, .. } => tag.as_deref(),
        _ => None,
    });
    text.contains("%00") || tags.into_iter().any(|tag| tag.contains('\u{fffd}'))
}

/// Rules of ASDF, or a limit, that a document breaks.
#[derive(Default)]
struct Shape {
    depth: usize,
    has_collection_key: bool,
    has_odd_key: bool,
    has_odd_merge: bool,
}

/// A node, and the numbers of its children so far.
struct Node<'a> {
    step: &'a Step,
    children: Vec<usize>,
}

impl Node<'_> {
    fn is_mapping(&self) -> bool {
        matches!(self.step, Step::Mapping { .. })
    }

    fn is_sequence(&self) -> bool {
        matches!(self.step, Step::Sequence { .. })
    }

    fn is_flow(&self) -> bool {
        matches!(self.step, Step::Sequence { style: Style::Flow, .. } | Step::Mapping { style: Style::Flow, .. })
    }

    /// Returns whether the text of a scalar is no value of the type that its tag demands.
    fn is_odd_scalar(&self) -> bool {
        let Step::Scalar { value, tag, style } = self.step else { return false };
        resolve(value, *style == Style::Plain, tag.as_deref()).is_err()
    }

    fn is_merge_key(&self) -> bool {
        let Step::Scalar { value, tag, style } = self.step else { return false };
        match tag.as_deref() {
            None => value == "<<" && *style == Style::Plain,
            Some("!") => value == "<<",
            Some(tag) => tag == "tag:yaml.org,2002:merge",
        }
    }
}

impl Shape {
    fn of(steps: &[Step]) -> Shape {
        let mut shape = Shape::default();
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        // Values of merge keys, and the collections around them.
        let mut merges: Vec<(usize, Vec<usize>)> = Vec::new();
        for step in steps {
            if *step == Step::End {
                open.pop();
                continue;
            }
            let (id, is_alias) = match step {
                Step::Alias(target) => (*target, true),
                _ => (nodes.len(), false),
            };
            if !is_alias {
                nodes.push(Node { step, children: Vec::new() });
            }
            let Some(node) = nodes.get(id) else { return shape };
            let is_collection = node.is_mapping() || node.is_sequence();
            if let Some(&parent) = open.last() {
                let (is_mapping, keys) = (nodes[parent].is_mapping(), &nodes[parent].children);
                let is_key = is_mapping && keys.len().is_multiple_of(2);
                shape.has_collection_key |= is_key && is_collection;
                shape.has_odd_key |= is_key && node.is_odd_scalar();
                // An alias of a merge key is one, too.
                let key = keys.last().filter(|_| is_mapping && !keys.len().is_multiple_of(2));
                if key.is_some_and(|&key| nodes[key].is_merge_key()) {
                    merges.push((id, open.clone()));
                }
                nodes[parent].children.push(id);
            }
            if is_collection && !is_alias {
                open.push(id);
                let flow = open.iter().filter(|&&node| nodes[node].is_flow()).count();
                shape.depth = shape.depth.max(flow).max(open.len() - flow);
            }
        }
        for (value, around) in merges {
            let value = [value];
            let sources = if nodes[value[0]].is_sequence() { &nodes[value[0]].children } else { &value[..] };
            shape.has_odd_merge |=
                sources.iter().any(|&source| !nodes[source].is_mapping() || around.contains(&source));
        }
        shape
    }
}
