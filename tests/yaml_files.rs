//! YAML of other writers through the three formats, read as PyYAML reads it, and errors at their place in the file.

use asdfkit::file::{File, OpenOptions, WriteOptions};
use asdfkit::ndl;
use asdfkit::table::ecsv::{self, TableReader};
use asdfkit::{Error, Result, Status};
use std::path::PathBuf;
use std::sync::Arc;

const HEAD: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

fn report(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpora/reports")).join(name)
}

fn asdf(tree: &str) -> Result<File> {
    File::open_memory(Arc::new(format!("{HEAD}{tree}...\n").into_bytes()), &OpenOptions::default())
}

fn table(text: &str) -> Result<TableReader> {
    TableReader::of_memory(Arc::new(text.as_bytes().to_vec()), &ecsv::ReadOptions::default())
}

fn is_at(error: &Error, line: u64, column: u64, offset: u64) -> bool {
    let place = error.location();
    (place.line, place.column, place.offset) == (Some(line), Some(column), Some(offset))
}

#[test]
fn merge_keys_may_have_a_tag() {
    let file = File::open(report("y4_merge_tag.asdf")).unwrap();
    let root = file.root().unwrap();
    assert_eq!((root.i64("b/p").unwrap(), root.i64("b/q").unwrap()), (1, 2));
    assert!(root.at("b/<<").is_err());
    // PyYAML merges all of these.
    for key in ["<<", "!!merge <<", "!!merge z", "!!merge ''", "!<tag:yaml.org,2002:merge> \"<<\"", "! <<", "! '<<'"] {
        for form in ["{KEY: *x, q: 2}", "{q: 2, KEY: [*x]}", "\n  KEY: *x\n  q: 2", "{? KEY : *x, q: 2}"] {
            let tree = format!("a: &x {{p: 1}}\nb: {}\n", form.replace("KEY", key));
            let file = asdf(&tree).unwrap();
            let root = file.root().unwrap();
            assert_eq!((root.i64("b/p").unwrap(), root.count("b").unwrap()), (1, 2), "{tree}");
            // The key keeps its meaning in a file that is written.
            let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();
            let copy = File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap();
            assert_eq!(copy.root().unwrap().count("b").unwrap(), 2, "{tree}");
        }
    }
    let file = asdf("a: &x {p: 1}\nb: {&m <<: *x}\nc: {*m : *x, q: 2}\n").unwrap();
    assert_eq!(file.root().unwrap().i64("c/p").unwrap(), 1);
    // These are keys with the name "<<".
    for key in ["'<<'", "!!str <<", "!t <<"] {
        let file = asdf(&format!("a: &x {{p: 1}}\nb: {{{key}: *x}}\n")).unwrap();
        assert_eq!(file.root().unwrap().i64("b/<</p").unwrap(), 1, "{key}");
    }
    let error = asdf("b: {!!merge z: 1}\n").err().unwrap();
    assert_eq!(error.status(), Status::Tree, "{error}");
}

#[test]
fn indicators_stand_alone_in_braces() {
    let file = asdf("a: {unit: -, sign: +, x: ?}\nb: [-, a:b, -]\nc: &a:b 1\n");
    // libyaml ends the name of an anchor at the colon.
    assert_eq!(file.err().unwrap().status(), Status::Yaml);
    let file = asdf("a: {unit: -, ?x: 1, q: }\nb: [a, -]\n").unwrap();
    let root = file.root().unwrap();
    assert_eq!(root.string("a/unit").unwrap(), "-");
    let header = table(&std::fs::read_to_string(report("e2_dash_unit.ecsv")).unwrap()).unwrap();
    assert_eq!(header.header().columns[0].unit.as_deref(), Some("-"));
    let parsed =
        ndl::parse(b"ndarrays:\n  a: {type: float64, shape: [2], attributes: {units: -}}\n", &Default::default());
    assert_eq!(parsed.error_count, 0, "{:?}", parsed.diagnostics);
}

#[test]
fn texts_of_several_lines_below_their_key() {
    let reader = table(&std::fs::read_to_string(report("e1_stil_multiline.ecsv")).unwrap()).unwrap();
    let header = reader.header();
    assert_eq!(header.columns[0].description.as_deref(), Some("first line\nsecond line\n"));
    let meta = header.meta.clone().unwrap();
    assert_eq!(meta.string("QUERY").unwrap(), "SELECT *\n  FROM t\n");
    assert_eq!((meta.string("names/0").unwrap(), meta.string("names/1").unwrap()), ("two\nlines\n".into(), "x".into()));
    // The same through the other formats, with anchors and tags.
    let file = asdf("m:\n  a: \n  |\n   x\n  b: &t !!str\n  |\n   y\n  c: *t\n").unwrap();
    let root = file.root().unwrap();
    assert_eq!(root.string("m/a").unwrap(), "x\n");
    assert_eq!(root.string("m/c").unwrap(), "y\n");
}

#[test]
fn errors_point_into_the_file() {
    // The tree begins after two comment lines, which are not part of its text.
    let error = asdf("a: 1\nb: [1, 2\nc: é\n").err().unwrap();
    assert!(is_at(&error, 7, 4, HEAD.len() as u64 + 8), "{error}");
    assert_eq!(
        error.message(),
        "in the value of 'b': this '[' has no closing ']' before line 8, or a ',' is missing there"
    );
    let error = asdf("a: é\nb:\n\tc: 1\n").err().unwrap();
    assert!(is_at(&error, 8, 1, HEAD.len() as u64 + 9), "{error}");
    assert!(error.message().starts_with("in the value of 'b', begun in line 7: a tab"), "{error}");

    // Lines of a header begin with "# ".
    let header = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64, description: speed: x}\na\n1\n";
    let error = table(header).err().unwrap();
    assert!(is_at(&error, 4, 50, 79), "{error}");
    assert!(error.message().starts_with("in the value of 'description': a ',' or '}' is missing"), "{error}");
    let error = table(&header.replace(", description: speed: x}", "")).err().unwrap();
    assert!(is_at(&error, 4, 5, 34), "{error}");
    assert_eq!(error.message(), "in the value of 'datatype', begun in line 3: this '{' has no closing '}'");

    let parsed = ndl::parse("ndarrays:\n  a:\n    é: 'x\n    b: 'y'\n".as_bytes(), &Default::default());
    let found = &parsed.diagnostics[0];
    assert_eq!((found.code, found.line, found.column), (ndl::Code::YamlSyntax, 3, 8), "{}", found.message);
    assert_eq!(
        found.message,
        "in the value of 'é': this text in quotes ends in line 4, where other text follows it; is a quote missing?"
    );
    let parsed = ndl::parse(b"ndarrays: {a: {datatype: int8, x: 1\n", &Default::default());
    let found = &parsed.diagnostics[0];
    assert_eq!((found.line, found.column), (1, 15), "{}", found.message);
}
