//! Writes lists, mappings and scalars on one line, as JSON or as YAML flow style. In YAML fewer texts need quotes, and
//! NaN and infinity have a spelling. The writer of JSON serves both, because readers of all YAML versions agree on
//! JSON.

use super::spelling::{FLOAT, JSON_FLOAT, STYLE, base64, write_quoted, write_text};
use super::walk::{ValueVisitor, walk};
use crate::error::Result;
use crate::float::Float;
use crate::json::Writer;
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::ndl::{Content, ContentScalar, Datatype, Extensions, Filter, IntegerType, Region, Selection, Value};
use crate::reserve::{GrowingText, collected};
use crate::yaml::write::MAX_SIMPLE_KEY;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Dialect {
    Json,
    Yaml,
}

/// Writer for one line.
pub(crate) struct Flow {
    pub(super) dialect: Dialect,
    json: Writer<GrowingText>,
    depth: usize,
    /// Start offsets of the items of the outermost collection.
    items: Vec<usize>,
}

impl Flow {
    pub(crate) fn new(dialect: Dialect) -> Flow {
        Flow { dialect, json: Writer::new(GrowingText::default(), &STYLE), depth: 0, items: Vec::new() }
    }

    /// Returns the text that was written.
    pub(crate) fn into_text(self) -> Result<String> {
        self.json.into_text().finish()
    }

    pub(super) fn as_text(&self) -> Result<&str> {
        self.json.text().so_far()
    }

    /// Returns the texts of the items, if a list was written.
    pub(super) fn list_items(&self) -> Result<Option<Vec<&str>>> {
        let text = self.as_text()?;
        let Some(inner) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) else { return Ok(None) };
        let ends = self.items.iter().skip(1).map(|start| start - STYLE.comma.len()).chain([1 + inner.len()]);
        let items = self.items.iter().zip(ends).map(|(&start, end)| Ok(text.get(start..end).unwrap_or_default()));
        collected(items).map(Some)
    }

    fn begin_item(&mut self) -> &mut GrowingText {
        let out = self.json.item();
        if self.depth == 1 {
            let start = out.len();
            out.push_to(&mut self.items, start);
        }
        out
    }

    fn begin(&mut self, bracket: &str) {
        self.begin_item();
        self.json.begin(bracket);
        self.depth += 1;
    }

    fn end(&mut self, bracket: &str) {
        self.json.close(bracket);
        self.depth -= 1;
    }

    pub(crate) fn begin_list(&mut self) {
        self.begin("[");
    }

    pub(crate) fn end_list(&mut self) {
        self.end("]");
    }

    pub(crate) fn begin_mapping(&mut self) {
        self.begin("{");
    }

    pub(crate) fn end_mapping(&mut self) {
        self.end("}");
    }

    /// Writes a key of a mapping; its value follows.
    pub(crate) fn key(&mut self, key: &str) {
        self.key_by(write_text, key);
    }

    /// Writes a key: quoted in JSON, with `write` in YAML.
    fn key_by(&mut self, write: fn(&mut GrowingText, &str), key: &str) {
        let dialect = self.dialect;
        let out = self.begin_item();
        match dialect {
            Dialect::Json => write_quoted(out, key),
            Dialect::Yaml => write_key(out, key, write),
        }
        self.json.end_key();
    }

    /// Writes a token that needs no quotes: a number, `true` or `null`.
    pub(crate) fn word(&mut self, word: &str) {
        self.begin_item().push_str(word);
    }

    /// Writes a text in quotes.
    pub(crate) fn quoted(&mut self, text: &str) {
        write_quoted(self.begin_item(), text);
    }

    /// Writes a list of integers, such as extents or indices.
    pub(crate) fn numbers(&mut self, numbers: &[u64]) {
        self.begin_list();
        numbers.iter().for_each(|number| self.word(&number.to_string()));
        self.end_list();
    }

    /// Writes a text, in quotes only if it needs them.
    pub(super) fn plain_text(&mut self, text: &str) {
        match self.dialect {
            Dialect::Json => self.quoted(text),
            Dialect::Yaml => write_text(self.begin_item(), text),
        }
    }

    /// Writes the list of filters.
    pub(super) fn filters(&mut self, filters: &[Filter]) {
        self.begin_list();
        for filter in filters {
            let Some(parameters) = &filter.parameters else {
                self.plain_text(&filter.name);
                continue;
            };
            self.begin_mapping();
            self.key(&filter.name);
            self.content(parameters);
            self.end_mapping();
        }
        self.end_list();
    }

    /// Writes all elements of a value.
    pub(crate) fn value(&mut self, value: &Value, datatype: &Datatype) -> Result<()> {
        walk(value, datatype, self)
    }

    /// Writes content without a meaning in the language. Its depth is limited, so recursion is safe.
    pub(crate) fn content(&mut self, content: &Content) {
        match content {
            Content::Scalar(scalar) => self.content_scalar(scalar),
            Content::List(items) => {
                self.begin_list();
                items.iter().for_each(|item| self.content(item));
                self.end_list();
            }
            Content::Mapping(pairs) => self.mapping(pairs),
        }
    }

    /// Writes a mapping without a meaning in the language.
    pub(crate) fn mapping(&mut self, pairs: &Extensions) {
        self.begin_mapping();
        for (key, value) in pairs.iter() {
            self.key_by(write_quoted, key);
            self.content(value);
        }
        self.end_mapping();
    }

    /// Writes the `x-` keys as pairs of the current mapping.
    pub(super) fn extensions(&mut self, extensions: &Extensions) {
        for (key, content) in extensions.iter() {
            self.key(key);
            self.content(content);
        }
    }

    fn content_scalar(&mut self, scalar: &ContentScalar) {
        let ContentScalar { text, plain, tag } = scalar;
        match scalar::resolve(text, *plain, tag.as_deref()) {
            Core::Null => self.word("null"),
            Core::Bool(truth) => self.word(if truth { "true" } else { "false" }),
            Core::Integer(text) => self.word(&scalar::decimal_integer(text)),
            Core::Float(text) => self.float64(scalar::float64(text).unwrap_or(f64::NAN)),
            Core::Text(text) if tag.as_deref() == Some("binary") && self.dialect == Dialect::Yaml => {
                let out = self.begin_item();
                out.push_str("!!binary ");
                write_quoted(out, text);
            }
            Core::Text(text) => self.quoted(text),
        }
    }

    fn float(&mut self, number: impl Float) {
        let notation = if self.dialect == Dialect::Json { JSON_FLOAT } else { FLOAT };
        notation.write(self.begin_item(), number);
    }

    fn corners(&mut self, region: &Region) {
        let blocks = (0..region.len()).filter_map(|position| region.block(position));
        if self.dialect == Dialect::Json {
            self.key("blocks");
            self.begin_list();
            for (first, last) in blocks {
                self.begin_list();
                self.numbers(first);
                self.numbers(last);
                self.end_list();
            }
            self.end_list();
            return;
        }
        let is_single = region.len() == 1;
        if !is_single {
            self.key("selection");
            self.begin_list();
        }
        for (first, last) in blocks {
            if !is_single {
                self.begin_mapping();
            }
            self.key("start");
            self.numbers(first);
            self.key("opposite");
            self.numbers(last);
            if !is_single {
                self.end_mapping();
            }
        }
        if !is_single {
            self.end_list();
        }
    }

    fn indices(&mut self, region: &Region) {
        self.key(if self.dialect == Dialect::Json { "elements" } else { "selection" });
        self.begin_list();
        for index in (0..region.len()).filter_map(|position| region.element(position)) {
            self.numbers(index);
        }
        self.end_list();
    }
}

/// Writes a key in a form whose end all readers find.
pub(super) fn write_key(out: &mut GrowingText, key: &str, write: fn(&mut GrowingText, &str)) {
    if key.len() > MAX_SIMPLE_KEY {
        out.push_str("? ");
    }
    write(out, key);
}

impl ValueVisitor for Flow {
    fn open(&mut self) {
        self.begin_list();
    }

    fn close(&mut self) {
        self.end_list();
    }

    fn text(&mut self, text: &str) {
        self.plain_text(text);
    }

    fn integer(&mut self, number: i128, _: IntegerType) {
        self.word(&number.to_string());
    }

    fn float32(&mut self, number: f32) {
        self.float(number);
    }

    fn float64(&mut self, number: f64) {
        self.float(number);
    }

    fn constant(&mut self, name: &str, _: &Datatype) {
        self.plain_text(name);
    }

    fn opaque(&mut self, bytes: &[u8]) {
        match base64(bytes) {
            Ok(text) => self.plain_text(&text),
            Err(error) => self.begin_item().expect(Err(error)),
        }
    }

    fn object(&mut self, path: Option<&str>) {
        match path {
            Some(path) => self.plain_text(path),
            None => self.word("null"),
        }
    }

    fn region(&mut self, region: Option<&Region>) {
        let Some(region) = region else { return self.word("null") };
        self.begin_mapping();
        self.key("target");
        self.plain_text(region.target());
        match region.selection() {
            Selection::Block => self.corners(region),
            Selection::Element => self.indices(region),
        }
        self.extensions(&region.extensions);
        self.end_mapping();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(dialect: Dialect, content: &Content) -> String {
        let mut flow = Flow::new(dialect);
        flow.content(content);
        flow.into_text().unwrap()
    }

    #[test]
    fn content_is_written_by_its_meaning() {
        for (text, json) in [
            ("~", "null"),
            ("TRUE", "true"),
            ("007", "7"),
            ("-0", "0"),
            ("0x1F", "31"),
            ("0o17", "15"),
            ("0xFFFFFFFFFFFFFFFFFF", "4722366482869645213695"),
            ("1e3", "1000.0"),
            ("x", "\"x\""),
            ("1_000", "\"1_000\""),
            (".nan", "\"nan\""),
            ("-.inf", "\"-inf\""),
        ] {
            assert_eq!(written(Dialect::Json, &Content::plain(text)), json);
            let yaml = if text.starts_with('.') || text == "-.inf" { text } else { json };
            assert_eq!(written(Dialect::Yaml, &Content::plain(text)), yaml);
        }
        let binary = Content::Scalar(ContentScalar { text: "AA==".into(), plain: false, tag: Some("binary".into()) });
        assert_eq!(written(Dialect::Yaml, &binary), "!!binary \"AA==\"");
        let long = "k".repeat(MAX_SIMPLE_KEY + 1);
        let mapping = Content::mapping([("a b", Content::List(vec![Content::text("1")])), (&long, Content::plain(""))]);
        assert_eq!(written(Dialect::Yaml, &mapping), format!("{{\"a b\": [\"1\"], ? \"{long}\": null}}"));
    }

    #[test]
    fn items_of_a_list_are_separate() {
        let mut flow = Flow::new(Dialect::Yaml);
        flow.begin_list();
        flow.numbers(&[1, 2]);
        flow.quoted("a, b");
        flow.end_list();
        assert_eq!(flow.list_items().unwrap().unwrap(), ["[1, 2]", "\"a, b\""]);
        let mut empty = Flow::new(Dialect::Yaml);
        empty.numbers(&[]);
        assert_eq!(empty.list_items().unwrap(), Some(vec![]));
    }
}
