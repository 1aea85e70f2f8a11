//! Tests of single rules of the language.

mod faults;

use self::faults::FAULTS;
use super::{Parsed, ReadLimits, ReadOptions, parse};
use crate::ndl::{Code, Content, Elements, Severity, Size};

fn read(text: &str) -> Parsed {
    parse(text.as_bytes(), &ReadOptions::default())
}

fn codes(parsed: &Parsed) -> Vec<&'static str> {
    parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect()
}

#[test]
fn each_fault_is_found_where_it_is() {
    let mut wrong = Vec::new();
    for (text, expected) in FAULTS {
        let parsed = read(text);
        let mut found: Vec<_> =
            parsed.diagnostics.iter().map(|found| (found.code.name(), found.place.as_str())).collect();
        let mut expected = expected.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        let has_error = expected.iter().any(|(code, _)| code.starts_with('E'));
        let strict = parse(text.as_bytes(), &ReadOptions { strict: true, ..ReadOptions::default() });
        let are_placed = parsed
            .diagnostics
            .iter()
            .all(|diagnostic| diagnostic.line >= 1 && diagnostic.column >= 1 && !diagnostic.message.is_empty());
        if found != expected
            || parsed.is_valid() == has_error
            || strict.is_valid()
            || strict.warning_count > 0
            || !are_placed
        {
            wrong.push(format!("{text}: {found:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_can_be_found() {
    let mut missing: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    let found = |name: &str| FAULTS.iter().any(|(_, expected)| expected.iter().any(|(code, _)| *code == name));
    missing.retain(|name| !found(name));
    // Other tests cover these.
    assert_eq!(
        missing,
        [
            "E-LIMIT",
            "W-MIXED-ROOT",
            "W-ATTR-BOOL",
            "W-YAML-VERSION",
            "W-VALUE-SCALAR",
            "W-FLOAT-SPELLING",
            "W-CHARSET-NA"
        ]
    );
}

#[test]
fn places_are_lines_and_columns_of_the_text() {
    let parsed = read("ndarrays:\n  é: {shape: [2], type: int8, value: [1, 300]}\n");
    let found = &parsed.diagnostics[0];
    assert_eq!((found.code, found.line, found.column), (Code::ValueRange, 2, 42));
    assert_eq!(found.to_string(), "2:42: E-VALUE-RANGE: /é: 300 is not in the range of int8");
    let parsed = read("ndarrays: {\"a\\n\\e\": {shape: [], type: 5}}");
    assert_eq!(parsed.diagnostics[0].to_string(), "1:39: E-TYPE-UNKNOWN: /a\\n\\u{1b}: there is no datatype '5'");
    let parsed = read("ndarrays:\n  a:\n    shape: []\n    type:\n");
    assert_eq!((parsed.diagnostics[0].line, parsed.diagnostics[0].column), (4, 5));
    let parsed = read("\u{feff}attributes:\r\n  a:\r\n  b: 1\r\n");
    assert_eq!((parsed.diagnostics[0].line, parsed.diagnostics[0].column), (2, 3));
}

#[test]
fn valid_parts_survive_errors() {
    let text = "attributes: {a: 1, b:}\ndimcoords:\n  x: {size: 3, type: int8, value: [1, 2]}\n\
                ndarrays:\n  a: {shape: [x, 2], type: bool, storage: {endian: big}, attributes: {u: m}}\n  b: 5\n";
    let Parsed { description, diagnostics, error_count, .. } = read(text);
    assert_eq!((diagnostics.len(), error_count), (4, 4));
    assert_eq!(description.groups.get("/").unwrap().attributes.len(), 1);
    let dimcoord = description.dimcoords.get("/x").unwrap();
    assert_eq!((dimcoord.size, dimcoord.value.is_none()), (Size::Fixed(3), true));
    let ndarray = description.ndarrays.get("/a").unwrap();
    assert!(ndarray.datatype.is_none() && ndarray.attributes.contains("u"));
    assert_eq!(ndarray.shape.as_ref().unwrap()[0].coordinate.as_deref(), Some("/x"));
    assert!(description.ndarrays.get("/b").unwrap().shape.is_none());
}

#[test]
fn exceeded_limits_are_reported() {
    let bomb: String = (b'b'..=b'i').fold("x-a: &a [x,x,x,x,x,x,x,x,x,x]\n".to_owned(), |text, name| {
        let (name, before) = (name as char, (name - 1) as char);
        format!("{text}x-{name}: &{name} [{}]\n", vec![format!("*{before}"); 10].join(","))
    });
    assert_eq!(codes(&read(&bomb)), ["E-LIMIT"]);
    for depth in [127, 128, 300] {
        let text = format!("x-a: {}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(read(&text).is_valid(), depth == 127, "{depth}");
        let text = format!("x-a: {}{}", "{a: ".repeat(depth), "}".repeat(depth));
        assert_eq!(read(&text).is_valid(), depth == 127, "{depth}");
        let block: String = (0..depth).map(|level| format!("{}a:\n", " ".repeat(level + 1))).collect();
        assert_eq!(read(&format!("x-a:\n{block}")).is_valid(), depth == 127, "{depth}");
    }
    let mixed = format!(
        "x-a:\n{}  a: {}{}",
        (0..100).map(|level| format!("{}a:\n", " ".repeat(level + 1))).collect::<String>(),
        "[".repeat(100),
        "]".repeat(100)
    );
    assert!(!read(&mixed).is_valid());
    let aliased: String = (0..5)
        .map(|level| format!("x-{level}: &{level} {}*{}{}\n", "[".repeat(60), level - 1, "]".repeat(60)))
        .collect();
    assert_eq!(codes(&read(&aliased.replace("*-1", "1"))), ["E-LIMIT"]);
    // Each level of a datatype takes two levels of the text.
    let vlen = |depth, base: &str| format!("{}{base}{}", "{vlen: {base: ".repeat(depth), "}}".repeat(depth));
    for (depth, is_valid) in [(62, true), (63, false)] {
        let text = format!("ndarrays:\n  a: {{shape: [], type: {}}}", vlen(depth, "int8"));
        assert_eq!(read(&text).is_valid(), is_valid, "{depth}");
    }
    for rank in [64, 65] {
        let shape = ["1"; 65][..rank].join(",");
        let text = format!(
            "ndarrays:\n  a: {{shape: [{shape}], type: int8, value: {}5{}}}",
            "[".repeat(rank),
            "]".repeat(rank)
        );
        assert_eq!(codes(&read(&text)), if rank == 64 { vec![] } else { vec!["E-LIMIT"] });
    }
    let limits = ReadLimits { bytes: 10, ..ReadLimits::default() };
    let parsed = parse(b"attributes: {a: b}", &ReadOptions { limits, ..ReadOptions::default() });
    assert_eq!(parsed.unreadable().map(|diagnostic| diagnostic.code), Some(Code::Limit));
}

#[test]
fn diagnostics_beyond_the_limit_are_counted() {
    let text = format!("ndarrays:\n  a: {{shape: [3000], type: int8, value: [{}]}}", "x,".repeat(3000));
    let parsed = read(&text);
    assert_eq!((parsed.diagnostics.len(), parsed.error_count), (1000, 3000));
}

#[test]
fn encodings_are_detected_by_byte_order_mark() {
    let text = "attributes: {a: é\u{1F600}}\n";
    let expected = read(text);
    assert!(expected.is_valid());
    let units: Vec<u16> = std::iter::once(0xFEFF).chain(text.encode_utf16()).collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for bytes in [[b"\xEF\xBB\xBF", text.as_bytes()].concat(), little.clone(), big] {
        assert_eq!(parse(&bytes, &ReadOptions::default()), expected);
    }
    for bytes in
        [&little[..little.len() - 1], b"attributes: {a: \xE9t\xE9}", b"\xFF\xFEa\0\0\xD8b\0", b"\xFF\xFE\0\0a\0\0\0"]
    {
        let parsed = parse(bytes, &ReadOptions::default());
        assert_eq!(codes(&parsed), ["E-ENCODING"]);
        assert!(parsed.unreadable().is_some());
    }
}

#[test]
fn options_change_the_severity() {
    let text = "dims: {}\nattributes: {a: true}\n";
    let options = ReadOptions { allow_unknown_keys: true, ..ReadOptions::default() };
    let parsed = parse(text.as_bytes(), &options);
    assert_eq!((codes(&parsed), parsed.is_valid()), (vec!["E-UNKNOWN-KEY", "W-ATTR-BOOL"], true));
    assert!(parsed.diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Warning));
    assert!(parsed.diagnostics[0].message.contains("'dimcoords'"));
    let strict = parse(text.as_bytes(), &ReadOptions { strict: true, ..options });
    assert_eq!(strict.error_count, 2);
}

#[test]
fn warnings_leave_descriptions_valid() {
    for (text, expected) in [
        ("attributes: {a: b}\n/g: {}", &["W-MIXED-ROOT"][..]),
        ("attributes: {a: {shape: [1, 1], type: string, value: N}}", &["W-VALUE-SCALAR"]),
        ("ndarrays: {a: {shape: [4], type: float32, value: [nan, -inf, Infinity, .nan]}}", &["W-FLOAT-SPELLING"; 3]),
        ("ndarrays: {a: {shape: [1], type: int8, storage: {charset: ascii}}}", &["W-CHARSET-NA"]),
        (
            "ndarrays: {a: {shape: [2], value: [1, 2.5]}, b: {shape: [2], value: [a, 1]}}",
            &["W-TYPE-MISSING", "W-TYPE-MISSING", "E-INFER"],
        ),
        ("{}", &[]),
        ("/a/b/c:\n/:\n", &[]),
        (
            "%YAML 1.1\n---\nattributes: {No: No, 2020: 1_000, null: ''}\n...\n",
            &["W-YAML-VERSION", "W-YAML-VERSION", "W-YAML-VERSION"],
        ),
    ] {
        assert_eq!(codes(&read(text)), expected, "{text}");
    }
}

#[test]
fn the_datatype_decides_how_numbers_are_read() {
    let text = "ndarrays:\n\
        \x20 f: {shape: [4], type: float32, value: [0x10, 16777217, -999.2999877929688, 3.4028235e38]}\n\
        \x20 u: {shape: [3], type: uint64, value: [18446744073709551615, 0xFFFFFFFFFFFFFFFF, 007]}\n\
        \x20 e: {shape: [4], type: {enum: {members: {1: 2, OFF: 1, TRUE: 7}}}, value: [1, OFF, 2, true]}\n\
        \x20 o: {shape: [2], type: {opaque: {size: 3}}, value: [AAE=, \"\"]}\n\
        \x20 v: {shape: [2], type: {vlen: {base: {array: {base: int8, shape: [2]}}}}, value: [[], [[1, 2], [3, 4]]]}\n";
    let parsed = read(text);
    assert_eq!(codes(&parsed), Vec::<&str>::new());
    let elements = |path| parsed.description.ndarrays.get(path).unwrap().value.as_ref().unwrap().elements();
    assert_eq!(elements("/f"), &Elements::Float32(vec![16.0, 16_777_216.0, -999.3, f32::MAX]));
    assert_eq!(elements("/u"), &Elements::Unsigned(vec![u64::MAX, u64::MAX, 7]));
    // A constant is looked up by name before it is looked up by number.
    assert_eq!(elements("/e"), &Elements::Constants(vec![0, 1, 0, 2]));
    let Elements::Opaque(blobs) = elements("/o") else { panic!() };
    assert!(blobs.iter().eq([&[0u8, 1][..], &[]]));
    let Elements::Lists(lists) = elements("/v") else { panic!() };
    assert_eq!((lists.range(0), lists.range(1), lists.base().len()), (Some(0..0), Some(0..2), 2));
}

#[test]
fn extensions_are_kept_everywhere() {
    let text = "x-a: {b: [1, '1', !!str 1]}\n/g:\n  x-g: 1\n  attributes: {u: {shape: [], type: int8, value: 1, x-u: 1}}\n  \
                ndarrays:\n    a: {shape: [1], type: {opaque: {size: 1, x-t: 1}}, storage: {x-s: 1, filter: [{d: {l: 4}}]}, x-n: 1}\n    \
                r: {shape: [], type: {regref: {selection: element}}, value: {target: /g/a, selection: [[0]], x-r: 1}}\n";
    let Parsed { description, diagnostics, .. } = read(text);
    assert_eq!(diagnostics, []);
    let scalar = |text: &str, plain, tag: Option<&str>| {
        Content::Scalar(crate::ndl::ContentScalar { text: text.to_owned(), plain, tag: tag.map(str::to_owned) })
    };
    let list = Content::List(vec![scalar("1", true, None), scalar("1", false, None), scalar("1", true, Some("str"))]);
    assert_eq!(description.extensions.get("x-a"), Some(&Content::mapping([("b", list)])));
    let group = description.groups.get("/g").unwrap();
    let (a, r) = (description.ndarrays.get("/g/a").unwrap(), description.ndarrays.get("/g/r").unwrap());
    let Elements::Regions(regions) = r.value.as_ref().unwrap().elements() else { panic!() };
    for (extensions, key) in [
        (&group.extensions, "x-g"),
        (&group.attributes.get("u").unwrap().extensions, "x-u"),
        (&a.extensions, "x-n"),
        (&a.storage.extensions, "x-s"),
        (a.datatype.as_ref().unwrap().extensions(), "x-t"),
        (&regions[0].as_ref().unwrap().extensions, "x-r"),
    ] {
        assert_eq!(extensions.get(key), Some(&Content::plain("1")), "{key}");
    }
}

#[test]
fn an_integer_of_an_extension_that_takes_long_to_convert_is_refused() {
    for (digits, is_read) in [(10_000, true), (10_001, false)] {
        let parsed = read(&format!("x-a: {{b: 0x{}}}\n", "f".repeat(digits)));
        assert_eq!(parsed.is_valid(), is_read, "{digits}");
        assert!(parsed.description.to_json().is_ok());
    }
    let parsed = read(&format!("a: {{shape: []}}\nx-a: {{b:   0o{}}}\n", "7".repeat(20_000)));
    let [.., found] = &parsed.diagnostics[..] else { panic!() };
    assert_eq!((found.code, found.line, found.column), (Code::Limit, 2, 12));
    assert_eq!(found.message, "the limit of 10000 on the digits of an integer in a base other than ten is exceeded");
}

#[test]
fn groups_are_in_document_order_after_their_parents() {
    let parsed = read("/b/c/d: {}\n/a:\n/b:\n");
    let groups: Vec<_> = parsed.description.groups.iter().map(|(path, group)| (path, group.listed)).collect();
    assert_eq!(groups, [("/", false), ("/b/c", false), ("/b/c/d", true), ("/a", true), ("/b", true)]);
}
