//! Tests of validation with schemas in memory.

use super::{Described, Schemas, Subject, TreeArrays};
use crate::error::{Result, Status};
use crate::limits::Limits;
use crate::report::{Report, Severity};
use crate::tags::StandardVersion;
use crate::tree::Tree;
use crate::yaml;

fn tree(text: &str) -> Tree {
    yaml::parse(text.to_owned(), 0, 1, &Limits::default()).unwrap().tree
}

fn validate_with(schemas: &Schemas, schema: Option<&str>, text: &str) -> Result<Report> {
    let tree = tree(text);
    let limits = Limits::default();
    let standard = StandardVersion::NEWEST_STABLE;
    let arrays = TreeArrays { limits: &limits };
    schemas.validate(&Subject { tree: &tree, node: tree.root(), arrays: &arrays, standard, schema })
}

/// Returns the violations of a schema.
fn violations(schema: &str, text: &str) -> Result<Vec<String>> {
    let mut schemas = Schemas::new();
    let uri = schemas.add_text(schema)?;
    let report = validate_with(&schemas, Some(&uri), text)?;
    let errors = report.entries().iter().filter(|entry| entry.severity == Severity::Error);
    Ok(errors.map(|entry| format!("{} {}", entry.path.as_deref().unwrap(), entry.code.unwrap())).collect())
}

fn assert_valid(schema: &str, text: &str) {
    assert_eq!(violations(schema, text).unwrap(), Vec::<String>::new(), "{schema}: {text}");
}

fn assert_invalid(schema: &str, text: &str, expected: &str) {
    assert_eq!(violations(schema, text).unwrap(), [expected], "{schema}: {text}");
}

#[test]
fn each_keyword_is_checked() {
    for (schema, valid, invalid, violation) in [
        ("{type: integer}", "5", "5.0", " type"),
        ("{type: [string, 'null']}", "~", "1", " type"),
        ("{type: number}", ".nan", "true", " type"),
        ("{type: string, format: date-time}", "2020-01-01T00:00:00", "2020-01-01", " type"),
        ("{type: string}", "'2020-01-01'", "2020-01-01T00:00:00", " type"),
        ("{enum: [1, [a], {b: c}]}", "1.0", "true", " enum"),
        ("{enum: [1, [a], {b: c}]}", "{b: c}", "{b: d}", " enum"),
        ("{minimum: 3, exclusiveMinimum: true}", "3.1", "3", " minimum"),
        ("{maximum: 3}", "3", "3.5", " maximum"),
        ("{multipleOf: 0.0001}", "0.0075", "0.00751", " multipleOf"),
        ("{minLength: 2}", "éa", "é", " minLength"),
        ("{maxLength: 2}", "[1, 2, 3]", "abc", " maxLength"),
        ("{pattern: '^a+$'}", "aa", "ab", " pattern"),
        ("{items: {type: integer}}", "[1, 2]", "[1, a]", "/1 type"),
        ("{items: [{type: integer}]}", "[1, a]", "[a]", "/0 type"),
        ("{items: [{}], additionalItems: false}", "[a]", "[a, b]", "/1 additionalItems"),
        ("{items: [{}], additionalItems: {type: string}}", "[1, a]", "[1, 2]", "/1 type"),
        ("{minItems: 1}", "[a]", "[]", " minItems"),
        ("{maxItems: 1}", "[a]", "[a, b]", " maxItems"),
        ("{uniqueItems: true}", "[1, true, [1], [true]]", "[1, 2, 1.0]", " uniqueItems"),
        ("{minProperties: 1}", "{a: 1}", "{}", " minProperties"),
        ("{maxProperties: 1}", "{a: 1}", "{a: 1, b: 2}", " maxProperties"),
        ("{required: [a]}", "{a: ~}", "{b: 1}", " required"),
        ("{properties: {a: {type: string}}}", "{a: b, c: 1}", "{a: 1}", "/a type"),
        ("{patternProperties: {'^a': {type: string}}}", "{b: 1, 5: 1}", "{xa: 1, ab: 1}", "/ab type"),
        (
            "{properties: {a: {}}, patternProperties: {b: {}}, additionalProperties: false}",
            "{a: 1, xb: 1}",
            "{c: 1}",
            "/c additionalProperties",
        ),
        ("{additionalProperties: {type: integer}}", "{a: 1, 5: 2}", "{a: b}", "/a type"),
        ("{dependencies: {a: [b]}}", "{b: 1}", "{a: 1}", " dependencies"),
        ("{dependencies: {a: {required: [b]}}}", "{a: 1, b: 1}", "{a: 1}", " required"),
        ("{allOf: [{type: integer}, {minimum: 3}]}", "3", "2", " minimum"),
        ("{anyOf: [{type: integer}, {type: string}]}", "a", "[]", " anyOf"),
        ("{oneOf: [{type: integer}, {minimum: 3}]}", "2", "3", " oneOf"),
        ("{not: {type: integer}}", "a", "3", " not"),
        ("{tag: 'tag:yaml.org,2002:str'}", "a", "1", " tag"),
        ("{tag: 'tag:a/b-1.*'}", "!<tag:a/b-1.2> {}", "!<tag:a/b-1/2> {}", " tag"),
        ("{tag: 'tag:**'}", "!<tag:a/b> x", "!<a:tag:> x", " tag"),
        ("{tag: 'tag:yaml.org,2002:null'}", "!<tag:yaml.org,2002:null> x", "~", " tag"),
    ] {
        if !schema.contains(":null'") {
            assert_valid(schema, valid);
        }
        assert_invalid(schema, invalid, violation);
    }
}

#[test]
fn array_keywords_check_array_nodes_only() {
    let array = "!<tag:stsci.edu:asdf/core/ndarray-1.1.0> {source: 0, shape: [2, 3], datatype: int16, byteorder: big}";
    let inline = "!<tag:stsci.edu:asdf/core/ndarray-1.1.0> [[1, 2], [3, 4]]";
    for (schema, valid, invalid, violation) in [
        ("{ndim: 2}", array, "!<tag:stsci.edu:asdf/core/ndarray-1.0.0> [1]", " ndim"),
        ("{max_ndim: 2}", inline, "!<tag:stsci.edu:asdf/core/ndarray-1.0.0> [[[1]]]", " max_ndim"),
        ("{datatype: int32}", array, inline, " datatype"),
        ("{datatype: int16, exact_datatype: true}", array, inline, " datatype"),
        ("{datatype: int64, exact_datatype: true}", inline, array, " datatype"),
        ("{datatype: [ucs4, 6]}", array, inline, " datatype"),
    ] {
        assert_valid(schema, valid);
        assert_invalid(schema, invalid, violation);
        assert_valid(schema, "[[[1]]]");
    }
    let fields = "[{name: a, datatype: int8, byteorder: big}]";
    let record = format!(
        "!<tag:stsci.edu:asdf/core/ndarray-1.1.0> {{source: 0, shape: [2], datatype: {fields}, byteorder: big}}"
    );
    assert_valid("{datatype: [{name: b, datatype: int16}]}", &record);
    assert_valid("{datatype: [{name: a, datatype: int8, byteorder: big, title: x}], exact_datatype: true}", &record);
    assert_invalid("{datatype: [{name: b, datatype: int8}], exact_datatype: true}", &record, " datatype");
    assert_invalid("{datatype: int8}", &record, " datatype");
}

#[test]
fn references_lead_to_schemas_by_pointer_and_id() {
    for schema in [
        "{properties: {a: {$ref: '#/definitions/b'}}, definitions: {b: {type: string}}}",
        "{id: 'http://x/y', properties: {a: {$ref: 'z'}}, definitions: {b: {id: 'http://x/z', type: string}}}",
        "{id: 'http://x/y', properties: {a: {$ref: '#z'}}, definitions: {b: {id: '#z', type: string}}}",
        "{id: 'http://x/y', properties: {a: {$ref: '#/definitions/b~1%25c'}}, definitions: {'b/%c': {type: string}}}",
        "{properties: {a: {$ref: '#/definitions/b', maximum: 0}}, definitions: {b: {type: string}}}",
    ] {
        assert_valid(schema, "{a: b}");
        assert_invalid(schema, "{a: 1}", "/a type");
    }
    let recursive = "{properties: {a: {$ref: '#'}}, additionalProperties: false}";
    assert_valid(recursive, "{a: {a: {}}}");
    assert_invalid(recursive, "{a: {a: {b: 1}}}", "/a/a/b additionalProperties");
    assert_valid(recursive, "&x {a: *x}");
    // A reference in the tree has no content yet.
    assert_valid("{type: integer}", "{$ref: other.asdf}");
    assert_valid("{$ref: 'http://json-schema.org/draft-04/schema#'}", "{minLength: 1}");
    assert_invalid("{$ref: 'http://json-schema.org/draft-04/schema#'}", "{minLength: -1}", "/minLength minimum");
}

#[test]
fn hostile_schemas_fail_with_a_status() {
    let status = |schema: &str, text: &str| violations(schema, text).unwrap_err().status();
    for schema in [
        "{$ref: '#'}",
        "{allOf: [{$ref: '#/definitions/a'}], definitions: {a: {anyOf: [{$ref: '#'}]}}}",
        "{type: strange}",
        "{pattern: '('}",
        "{minLength: -1}",
        "{properties: []}",
        "{required: true}",
        "{properties: {a: ~}}",
        "{$ref: '#/missing'}",
    ] {
        assert_eq!(status(schema, "{a: b}"), Status::Schema, "{schema}");
    }
    assert_eq!(status("{$ref: 'http://example.org/none'}", "1"), Status::SchemaNotFound);
    assert_eq!(status("{pattern: '^(a+)+\\1$'}", &format!("{}b", "a".repeat(64))), Status::Limit);
    // 2^40 ways lead through these schemas to the last one.
    let mut choices = String::from("definitions:\n  s40: {type: integer}\n");
    for index in 0..40 {
        let next = index + 1;
        let both = format!(
            "[{{properties: {{}}, allOf: [{{$ref: '#/definitions/s{next}'}}]}}, {{$ref: '#/definitions/s{next}'}}]"
        );
        choices.push_str(&format!("  s{index}: {{allOf: {both}}}\n"));
    }
    choices.push_str("allOf: [{$ref: '#/definitions/s0'}]\n");
    assert_valid(&choices, "1");
    assert_eq!(status(&choices, "a"), Status::Limit);
    // A list that contains a list ten times, and so on, has 10^20 items.
    let mut lists = String::from("a0: &a0 [1]\n");
    for index in 0..20 {
        let items = vec![format!("*a{index}"); 10].join(", ");
        lists.push_str(&format!("a{}: &a{} [{items}]\n", index + 1, index + 1));
    }
    assert_valid(
        "{additionalProperties: {$ref: '#/definitions/l'}, definitions: {l: {items: {$ref: '#/definitions/l'}}}}",
        &lists,
    );
}

const MANIFEST: &str = "
id: asdf://example.org/manifests/a-1.0.0
extension_uri: asdf://example.org/extensions/a-1.0.0
asdf_standard_requirement: {gte: 1.5.0}
tags:
- tag_uri: asdf://example.org/tags/thing-1.0.0
  schema_uri: asdf://example.org/schemas/thing-1.0.0
- tag_uri: asdf://example.org/tags/lost-1.0.0
  schema_uri: [asdf://example.org/schemas/lost-1.0.0]
- asdf://example.org/tags/free-1.0.0
";

const THING: &str = "
%YAML 1.1
---
id: asdf://example.org/schemas/thing-1.0.0
title: A thing
type: object
properties:
  size: {title: Size, description: How large it is., type: number, unit: m, default: 1.5}
  parts:
    type: array
    items: {$ref: part-1.0.0}
  other: {anyOf: [{type: integer}, {type: object, properties: {a: {type: string}}}]}
required: [size]
...
";

const PART: &str = "
%YAML 1.1
---
id: asdf://example.org/schemas/part-1.0.0
title: A part
tag: asdf://example.org/tags/thing-1.0.0
...
";

fn example() -> Schemas {
    let mut schemas = Schemas::new();
    for text in [MANIFEST, THING.trim_start(), PART.trim_start()] {
        schemas.add_text(text).unwrap();
    }
    schemas
}

#[test]
fn tagged_nodes_are_checked_by_the_schemas_of_their_tags() {
    let text = "a: !<asdf://example.org/tags/thing-1.0.0>\n  size: small\n  other: {a: 1}\n  parts:\n  - 5\n\
                b: !<asdf://example.org/tags/lost-1.0.0> {}\nc: !<asdf://example.org/tags/free-1.0.0> {}\n";
    let report = validate_with(&example(), None, text).unwrap();
    let found: Vec<_> = report
        .entries()
        .iter()
        .map(|entry| {
            let place = (entry.path.as_deref().unwrap(), entry.line.unwrap(), entry.column.unwrap());
            (entry.severity.name(), entry.code.unwrap_or_default(), place, entry.message.as_str())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("error", "type", ("/a/size", 2, 9), "expected number, found the string 'small'"),
            ("error", "anyOf", ("/a/other", 3, 10), "a mapping matches none of 2 schemas"),
            ("note", "type", ("/a/other/a", 3, 14), "the nearest choice fails: expected string, found the integer 1"),
            (
                "error",
                "tag",
                ("/a/parts/0", 5, 5),
                "expected the tag asdf://example.org/tags/thing-1.0.0, found the integer 5 without a tag"
            ),
            (
                "warning",
                "",
                ("/b", 6, 42),
                "the schema 'asdf://example.org/schemas/lost-1.0.0' of the tag asdf://example.org/tags/lost-1.0.0 is missing"
            ),
        ]
    );
    let subject = report.entries()[0].subject.as_deref();
    assert_eq!(subject, Some("asdf://example.org/schemas/thing-1.0.0#/properties/size/type"));
}

#[test]
fn entries_are_described() {
    let tree = tree("a: !<asdf://example.org/tags/thing-1.0.0>\n  //: weighs nothing\n  parts: [x]\n");
    let schemas = example();
    let describe = |path| {
        let standard = StandardVersion::NEWEST_STABLE;
        schemas.describe(&Described { tree: &tree, root: tree.root(), standard, schema: None }, path).unwrap()
    };
    assert_eq!(
        describe("/a").to_json(),
        r#"{"title": "A thing", "type": "object", "schema": "asdf://example.org/schemas/thing-1.0.0", "note": "weighs nothing"}"#
    );
    assert_eq!(
        describe("a/size").to_json(),
        concat!(
            r#"{"title": "Size", "description": "How large it is.", "type": "number", "unit": "m", "default": "1.5", "#,
            r#""schema": "asdf://example.org/schemas/thing-1.0.0#/properties/size"}"#
        )
    );
    assert_eq!(describe("a/parts/0").title.as_deref(), Some("A part"));
    assert_eq!(describe("a/other/a").type_name.as_deref(), Some("string"));
    assert_eq!(describe("a///").note, None);
    assert_eq!(describe("a/~1~1").note.as_deref(), Some("weighs nothing"));
    assert!(describe("b").is_empty());
}
