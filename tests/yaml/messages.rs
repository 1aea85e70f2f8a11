//! Messages of errors: what was being read, what stands there, what would be legal, and the place to mend.

use asdfkit::internals::parse;
use asdfkit::{Error, Limits, Status};

/// Malformed texts, with line, column and message of the error.
const FAULTS: &[(&str, u64, u64, &str)] = &[
    // Brackets and braces.
    (
        "a: [1, 2, 3\nb: 4\n",
        1,
        4,
        "in the value of 'a': this '[' has no closing ']' before line 2, or a ',' is missing there",
    ),
    ("a: [1, 2, 3\n", 1, 4, "in the value of 'a': this '[' has no closing ']'"),
    ("a: 1\nb: [1, 2,\nc: 4\n", 2, 4, "in the value of 'b': this '[' has no closing ']'"),
    (
        "x:\n  a: {x: 1, y: 2\n  b: 2\n  c: 3\n",
        2,
        6,
        "in the value of 'a': this '{' has no closing '}' before line 3, or a ',' is missing there",
    ),
    (
        "a: [[1, 2], [3, 4]\nb: 4\n",
        1,
        4,
        "in the value of 'a': this '[' has no closing ']' before line 2, or a ',' is missing there",
    ),
    ("- [1, 2\n- [3, 4]\n", 1, 3, "this '[' has no closing ']' before line 2, or a ',' is missing there"),
    (
        "datatype:\n- {name: a, datatype: int64\n- {name: b, datatype: int64}\n",
        2,
        3,
        "in the value of 'datatype', begun in line 1: this '{' has no closing '}' before line 3, or a ',' is missing there",
    ),
    ("a: [1, 2\n... \n", 1, 4, "in the value of 'a': this '[' has no closing ']'"),
    ("a: [1, 2}\n", 1, 9, "in the value of 'a': this '}' does not close the '[' before it"),
    ("a: [1, 2]]\n", 1, 10, "in the value of 'a': this ']' has no '[' before it; quote a text that contains it"),
    ("a: }\n", 1, 4, "in the value of 'a': this '}' has no '{' before it; quote a text that contains it"),
    (
        "a: \"x\", y\n",
        1,
        7,
        "in the value of 'a': a ',' separates only entries in brackets; quote the text, or write '[a, b]'",
    ),
    (
        "a: {x: 1 y: 2}\n",
        1,
        11,
        "in the value of 'x': a ',' or '}' is missing before the key of this ':'; quote a text that contains ': '",
    ),
    (
        "a: {x: 1\n    y: 2}\n",
        2,
        6,
        "in the value of 'x', begun in line 1: a ',' or '}' is missing before the key of this ':'; quote a text that contains ': '",
    ),
    (
        "datatype:\n- {name: a, unit: m, description: speed: x}\n",
        2,
        40,
        "in the value of 'description': a ',' or '}' is missing before the key of this ':'; quote a text that contains ': '",
    ),
    (
        "a: [\"x\" \"y\"]\n",
        1,
        9,
        "in the value of 'a': a ',' is missing before this text; write a quote within a text as \\\"",
    ),
    (
        "a: [1,, 2]\n",
        1,
        7,
        "in the value of 'a': no value stands before this ','; write '' for an empty text, or remove the ','",
    ),
    (
        "a: {x:[1]}\n",
        1,
        6,
        "in the value of 'a': a ':' stands before a bracket, ',' or '?'; write a blank after the ':', or quote the text",
    ),
    (
        "a: [- b]\n",
        1,
        5,
        "in the value of 'a': a list with '-' cannot stand in brackets; write '[a, b]', or quote a text '-'",
    ),
    (
        "a: [1, 2] x\nb: 1\n",
        1,
        11,
        "in the value of 'a': the value ends before this text; quote the whole text, or put a new entry on a line of its own",
    ),
    (
        "[1, 2] x\n",
        1,
        8,
        "the document ends before this text; check its indentation, and quote a text with special characters",
    ),
    // Quotes and escapes.
    ("a: \"text\nb: 1\n", 1, 4, "in the value of 'a': this text has no closing \""),
    (
        "a: \"text\nb: \"more\"\n",
        1,
        4,
        "in the value of 'a': this text in quotes ends in line 2, where other text follows it; is a quote missing?",
    ),
    (
        "a: 'text\nb: 'more'\n",
        1,
        4,
        "in the value of 'a': this text in quotes ends in line 2, where other text follows it; is a quote missing?",
    ),
    (
        "\"a: 1\nb: \"2\"\n",
        1,
        1,
        "this text in quotes ends in line 2, where other text follows it; is a quote missing?",
    ),
    (
        "a: 'it's here'\nb: 1\n",
        1,
        8,
        "in the value of 'a': text stands after the closing quote; write a quote within the text as ''",
    ),
    (
        "a: \"say \"hi\" now\"\nb: 1\n",
        1,
        10,
        "in the value of 'a': text stands after the closing quote; write a quote within the text as \\\"",
    ),
    ("a: \"x\n...\n", 1, 4, "in the value of 'a': this text has no closing \" before the document marker in line 2"),
    (
        "a: \"\\q\"\n",
        1,
        5,
        "in the value of 'a': the escape '\\q' does not exist; write a backslash as '\\\\', or use single quotes",
    ),
    (
        "a: \"C:\\Users\\me\"\n",
        1,
        7,
        "in the value of 'a': the escape '\\U' needs 8 hexadecimal digits; write a backslash as '\\\\', or use single quotes",
    ),
    (
        "a: \"\\x4\"\n",
        1,
        5,
        "in the value of 'a': the escape '\\x' needs 2 hexadecimal digits; write a backslash as '\\\\', or use single quotes",
    ),
    // Tabs.
    (
        "a:\n\tb: 1\n",
        2,
        1,
        "in the value of 'a', begun in line 1: a tab stands in the indentation of this line; use spaces",
    ),
    (
        "a:\n  b: 1\n\tc: 2\n",
        3,
        1,
        "after the value of 'a', begun in line 1: a tab stands in the indentation of this line; use spaces",
    ),
    ("-\ta\n", 1, 2, "a tab stands after '-', '?' or ':'; use spaces there"),
    ("- \t- a\n", 1, 3, "a tab stands after '-', '?' or ':'; use spaces there"),
    (
        "a: x\n\ty\n",
        2,
        1,
        "in the value of 'a', begun in line 1: a tab stands in the indentation of this line; use spaces",
    ),
    (
        "a: |\n\tx\n",
        2,
        1,
        "in the value of 'a', begun in line 1: a tab stands in the indentation of this text; use spaces",
    ),
    // Colons and keys.
    (
        "title: M31: the galaxy\n",
        1,
        11,
        "in the value of 'title': a text that contains ': ' must be quoted; a mapping begins in the next line",
    ),
    (
        "a: [1, 2]: x\nb: 1\n",
        1,
        10,
        "in the value of 'a': no key can stand before this ':'; quote a text that contains ': '",
    ),
    ("key:value\nb: 2\n", 1, 1, "this is no key with ': ', so the text goes on to line 2, which has a ': '"),
    (
        "a: 1\nkey:value\nb: 2\n",
        2,
        1,
        "after the value of 'a', begun in line 1: a blank must follow the ':' after a key",
    ),
    ("\"a\":1\nb: 2\n", 1, 4, "a blank must follow the ':' after a key"),
    (
        "a: 1\nkey\nb: 2\n",
        2,
        1,
        "after the value of 'a', begun in line 1: a key must be followed by ': ', a list item must follow '- '; indent a value further than its key",
    ),
    ("key\nb: 2\n", 1, 1, "this is no key with ': ', so the text goes on to line 2, which has a ': '"),
    ("\"a\n b\": 1\n", 1, 1, "a key must end in the line in which it begins; is a closing quote missing?"),
    (
        "b: 1\n\"a\nc\": 1\nd: 1\n",
        2,
        1,
        "after the value of 'b', begun in line 1: a key must end in the line in which it begins; is a closing quote missing?",
    ),
    ("- - :\n", 1, 5, "no key stands before this ':'; quote a text that begins with ':'"),
    (
        "? a\n: b\n: c\n",
        3,
        1,
        "after the value of 'a', begun in line 1: no key stands before this ':'; quote a text that begins with ':'",
    ),
    // Indentation.
    (
        "a: some long\ntext here\nb: 2\n",
        2,
        1,
        "after the value of 'a', begun in line 1: a key must be followed by ': ', a list item must follow '- '; indent a value further than its key",
    ),
    (
        "a: 1\n  b: 2\n",
        2,
        3,
        "in the value of 'a', begun in line 1: this line is indented like a part of the text before it; indent a key like its neighbours",
    ),
    (
        "a:\n    b: 1\n  c: 2\n",
        3,
        3,
        "after the value of 'a', begun in line 1: this key is indented less than the key before it, but like no key further above; indent it like its neighbours",
    ),
    (
        "a:\n    b: 1\n  c\nd: 2\n",
        3,
        3,
        "after the value of 'a', begun in line 1: this line is neither an entry nor part of a value; check its indentation",
    ),
    (
        "a:\n    - 1\n  - 2\n",
        3,
        3,
        "after the value of 'a', begun in line 1: this item is indented less than the item before it, but like no item further above; indent it like its neighbours",
    ),
    (
        "- a: 1\n b: 2\n",
        2,
        2,
        "in the list that begins in line 1: this key is indented less than the key before it, but like no key further above; indent it like its neighbours",
    ),
    (
        "  a: 1\n b: 2\n",
        2,
        2,
        "the document ends before this line; indent its keys or items all alike, and quote a text with ': '",
    ),
    (
        "a: |\n    x\n  y\nb: 1\n",
        3,
        3,
        "in the value of 'a', begun in line 1: this line is neither an entry nor part of a value; check its indentation",
    ),
    // Lists and mappings in the wrong place.
    (
        "a: 1\n- b\n",
        2,
        1,
        "after the value of 'a', begun in line 1: a list item ('-') stands where a key is expected; indent a list below its key",
    ),
    (
        "- a\nb: 1\n",
        2,
        1,
        "in the list that begins in line 1: a key stands where a list item ('-') is expected; indent a key of an item like the item's first key",
    ),
    (
        "list:\n  - 1\n  2\n",
        3,
        3,
        "in the value of 'list', begun in line 1: a key must be followed by ': ', a list item must follow '- '; indent a value further than its key",
    ),
    ("a: - b\n", 1, 4, "in the value of 'a': a list with '-' cannot begin in this line; begin it in the next one"),
    ("a: ? b\n", 1, 4, "in the value of 'a': a key with '?' cannot begin in this line; begin it in the next one"),
    (
        "\"hello\"\na: 1\n",
        2,
        1,
        "the document ends before this line; indent its keys or items all alike, and quote a text with ': '",
    ),
    ("hello\na: 1\n", 1, 1, "this is no key with ': ', so the text goes on to line 2, which has a ': '"),
    // Anchors, aliases and tags.
    (
        "a: &x &y 1\n",
        1,
        7,
        "in the value of 'a': a value has at most one anchor ('&') and one tag ('!'), and they stand before it",
    ),
    ("a: &x *y\n", 1, 7, "in the value of 'a': an alias ('*') cannot have an anchor or a tag"),
    (
        "a: *x\n",
        1,
        4,
        "in the value of 'a': no anchor '&x' stands before this alias; quote a text that begins with '*'",
    ),
    (
        "a: &x 1\nb: *x c\n",
        2,
        7,
        "in the value of 'b': the value ends before this text; quote the whole text, or put a new entry on a line of its own",
    ),
    (
        "a: *.fits\n",
        1,
        4,
        "in the value of 'a': letters, digits, '_' and '-' must follow '*', then a blank; quote a text that begins with '*'",
    ),
    (
        "a: &.fits\n",
        1,
        4,
        "in the value of 'a': letters, digits, '_' and '-' must follow '&', then a blank; quote a text that begins with '&'",
    ),
    (
        "a: !u!x 1\n",
        1,
        4,
        "in the value of 'a': no %TAG directive declares the handle '!u!' of this tag; quote a text that begins with '!'",
    ),
    (
        "a: !<tag:x 1\n",
        1,
        4,
        "in the value of 'a': a tag that begins with '!<' must end with '>', and contain no blank; quote a text that begins with '!'",
    ),
    (
        "a: !x{y} 1\n",
        1,
        6,
        "in the value of 'a': a blank must stand between a tag and its value; quote a text that begins with '!'",
    ),
    (
        "a: !!\n",
        1,
        4,
        "in the value of 'a': a name must follow the handle of this tag; quote a text that begins with '!'",
    ),
    (
        "a: !%zz 1\n",
        1,
        4,
        "in the value of 'a': a '%' in a tag must be followed by two hexadecimal digits, and the bytes must be UTF-8",
    ),
    // Special characters, and texts over several lines.
    ("a: %d\n", 1, 4, "in the value of 'a': a text cannot begin with '%'; write it in quotes"),
    ("a: @x\n", 1, 4, "in the value of 'a': a text cannot begin with '@'; write it in quotes"),
    ("a: `x`\n", 1, 4, "in the value of 'a': a text cannot begin with '`'; write it in quotes"),
    (
        "a: >=5\n",
        1,
        5,
        "in the value of 'a': the text after '|' or '>' must begin in the next line; quote a text that begins with '|' or '>'",
    ),
    (
        "a: | text\n",
        1,
        6,
        "in the value of 'a': the text after '|' or '>' must begin in the next line; quote a text that begins with '|' or '>'",
    ),
    (
        "a: |0\n  x\n",
        1,
        5,
        "in the value of 'a': the indentation after '|' or '>' must be 1 to 9; quote a text that begins with '|' or '>'",
    ),
    (
        "a: [|\n  x]\n",
        1,
        5,
        "in the value of 'a': a text after '|' or '>' cannot stand in brackets; write it in quotes",
    ),
    // Documents and directives.
    (
        "a: 1\n%b: 2\n",
        2,
        1,
        "after the value of 'a', begun in line 1: a name and a blank must follow the '%' of a directive; quote a text that begins with '%'",
    ),
    ("%YAML 1.1\na: 1\n", 2, 1, "a line '---' must stand between the directives ('%') and the document"),
    ("%YAML 2.0\n---\na: 1\n", 1, 1, "YAML 2.0 is not supported; this library reads YAML 1.1"),
    ("%YAML 1.1\n%YAML 1.1\n---\na: 1\n", 2, 1, "a document can have only one %YAML directive"),
    ("%YAML x\n---\na: 1\n", 1, 7, "the version of YAML must be two numbers with a point, as in '%YAML 1.1'"),
    ("%TAG x y\n---\na: 1\n", 1, 6, "the handle of a tag must begin with '!'"),
    ("a: 1\n---\nb: 2\n", 2, 1, "a second YAML document begins before the end of the tree"),
    (
        "a: 1\n... x\n",
        2,
        5,
        "the document ends before this text; check its indentation, and quote a text with special characters",
    ),
];

/// Texts that a tree of ASDF cannot hold.
const UNSUITABLE: &[(&str, u64, u64, &str)] = &[
    (
        "? [a, b]\n: 1\n",
        1,
        3,
        "a sequence or a mapping cannot be the key of a mapping; quote a text that begins with '[' or '{'",
    ),
    (
        "x: {{ y }}\n",
        1,
        5,
        "in the value of 'x': a sequence or a mapping cannot be the key of a mapping; quote a text that begins with '[' or '{'",
    ),
    (
        "a: &x [1]\n*x : 1\n",
        2,
        1,
        "after the value of 'a', begun in line 1: a sequence or a mapping cannot be the key of a mapping; quote a text that begins with '[' or '{'",
    ),
    ("<<: 1\n", 1, 5, "the value of the merge key '<<' must be a mapping or a sequence of mappings"),
];

/// Maximum length of a message in characters.
const MAX_LENGTH: usize = 200;

fn error_of(text: &str) -> Error {
    match parse(text.to_owned(), 0, 1, &Limits::default()) {
        Ok(_) => panic!("is read: {text:?}"),
        Err(error) => error,
    }
}

#[track_caller]
fn assert_errors(faults: &[(&str, u64, u64, &str)], status: Status) {
    for &(text, line, column, message) in faults {
        let error = error_of(text);
        let place = (error.location().line, error.location().column);
        assert_eq!((place, error.message()), ((Some(line), Some(column)), message), "{text:?}");
        assert_eq!(error.status(), status, "{text:?}");
        assert!(message.chars().count() <= MAX_LENGTH, "{text:?}");
    }
}

#[test]
fn messages_name_value_fault_and_remedy() {
    assert_errors(FAULTS, Status::Yaml);
    assert_errors(UNSUITABLE, Status::Tree);
}

#[test]
fn libyaml_refuses_the_same_texts() {
    for (text, ..) in FAULTS {
        assert!(super::libyaml::parse(text).is_none(), "{text:?}");
    }
}

#[test]
fn long_keys_and_deep_nesting() {
    let long = "k".repeat(1100);
    let message = "a key can have at most 1,024 characters; write a longer one after '? '";
    assert_eq!(error_of(&format!("{long}: 1\n")).message(), message);
    let error = error_of(&format!("a: 1\n{long}: 2\n"));
    assert_eq!(error.message(), format!("after the value of 'a', begun in line 1: {message}"));
    assert_eq!((error.location().line, error.location().column), (Some(2), Some(1)));
    // A key in a message is short, and in one line.
    let error = error_of(&format!("\"\\n{}\": @\n", "é".repeat(100)));
    let key = format!("\\n{}…", "é".repeat(29));
    assert_eq!(error.message(), format!("in the value of '{key}': a text cannot begin with '@'; write it in quotes"));
    let error = error_of(&format!("a: {}\n", "[".repeat(300)));
    assert_eq!((error.status(), error.location().column), (Status::Limit, Some(259)));
}

#[test]
fn forbidden_characters_are_written_as_escapes() {
    for (character, code, escape) in [('\0', "0000", "x00"), ('\x07', "0007", "x07"), ('\u{FFFE}', "FFFE", "ufffe")] {
        let error = error_of(&format!("a: é{character}\n"));
        let message = format!("the character U+{code} is not allowed in YAML; write it as \"\\{escape}\"");
        assert_eq!((error.status(), error.message()), (Status::Encoding, message.as_str()));
        assert_eq!(
            (error.location().line, error.location().column, error.location().offset),
            (Some(1), Some(5), Some(5))
        );
    }
}
