//! Tests that descriptions can be rebuilt from the parts of others, and that failed calls change nothing.

use super::{Address, Builder};
use crate::array::{Order, ScalarType};
use crate::error::{Result, Status};
use crate::ndl::{
    Attribute, Code, Datatype, Description, Dimension, Elements, Extensions, IntegerType, MemoryElements, Parsed,
    ReadOptions, Size, Storage, TextOptions, Value, parse,
};
use std::path::{Path, PathBuf};

fn finished(builder: &Builder) -> Parsed {
    builder.finish(&ReadOptions::default()).unwrap()
}

fn codes(builder: &Builder) -> Vec<(&'static str, String)> {
    let parsed = finished(builder);
    parsed.diagnostics.iter().map(|found| (found.code.name(), found.place.clone())).collect()
}

fn text(description: &Description) -> String {
    description.to_text(&TextOptions::default()).unwrap()
}

/// Returns a value in NDL notation.
fn notation(value: &Value, datatype: &Datatype) -> String {
    let mut description = Description::new();
    let attribute = Attribute { storage: big_endian(), ..Attribute::new(datatype.clone(), value.clone()) };
    description.attributes_mut("/").unwrap().insert("a", attribute);
    let text = text(&description);
    text.split_once("\n    value:").unwrap().1.to_owned()
}

/// Returns a storage that an attribute can have only in its long form.
fn big_endian() -> Storage {
    Storage { endian: Some(crate::array::ByteOrder::Big), ..Storage::default() }
}

/// Sets all parts of a description that have an NDL notation, in a builder that has the rest.
fn give_anew(
    builder: &mut Builder,
    address: Address,
    storage: &Storage,
    value: Option<&Value>,
    datatype: Option<&Datatype>,
    extensions: &Extensions,
) -> Result<()> {
    for key in ["shape", "size", "chunk", "filter", "endian", "charset", "fillvalue"] {
        if let Some(text) = storage.directive(key, datatype)? {
            builder.set_directive(address, key, Some(&text))?;
        }
    }
    if let (Some(value), Some(datatype)) = (value, datatype) {
        builder.set_value(address, Some(&notation(value, datatype)))?;
    }
    // The text of a directive is the same as its notation.
    for (key, content) in extensions.iter() {
        let mut group = Description::new();
        group.extensions.insert("x-a", content.clone());
        let text = text(&group);
        builder.set_extension(address, key, text.strip_prefix("x-a:"))?;
    }
    assert!(storage.extensions.is_empty());
    Ok(())
}

fn anew(datatype: &Option<Datatype>) -> Option<Datatype> {
    datatype.as_ref().map(|datatype| datatype.to_text().unwrap().parse().unwrap())
}

/// Returns a dimension in the form in which a program would name it.
fn dimension(dimension: &Dimension) -> Dimension {
    match &dimension.coordinate {
        Some(path) => Dimension::named(path),
        None => dimension.clone(),
    }
}

fn rebuilt(from: &Description) -> Result<Builder> {
    let mut builder = Builder::new();
    for (path, group) in from.groups.iter().filter(|(_, group)| group.listed) {
        builder.add_group(path)?;
        for (key, content) in group.extensions.iter() {
            builder.description.groups.get_mut(path).unwrap().extensions.insert(key, content.clone());
        }
    }
    for (path, dimcoord) in from.dimcoords.iter() {
        builder.add_dimcoord(path, dimcoord.size, anew(&dimcoord.datatype))?;
    }
    for (path, ndarray) in from.ndarrays.iter() {
        let shape = ndarray.shape.as_ref().unwrap().iter().map(dimension).collect();
        builder.add_ndarray(path, shape, anew(&ndarray.datatype))?;
    }
    for (path, of) in from.dimcoords.iter() {
        give_anew(&mut builder, path.into(), &of.storage, of.value.as_ref(), of.datatype.as_ref(), &of.extensions)?;
    }
    for (path, of) in from.ndarrays.iter() {
        give_anew(&mut builder, path.into(), &of.storage, of.value.as_ref(), of.datatype.as_ref(), &of.extensions)?;
    }
    let paths = from.groups.iter().map(|(path, _)| path);
    let paths =
        paths.chain(from.dimcoords.iter().map(|(path, _)| path)).chain(from.ndarrays.iter().map(|(path, _)| path));
    for path in paths {
        for (name, of) in from.attributes(path).unwrap().iter() {
            let attribute = Attribute { shape: of.shape.clone(), datatype: anew(&of.datatype), ..Attribute::default() };
            builder.set_attribute(path, name, attribute)?;
            let address = Address::attribute(path, name);
            give_anew(&mut builder, address, &of.storage, of.value.as_ref(), of.datatype.as_ref(), &of.extensions)?;
        }
    }
    for (key, content) in from.extensions.iter() {
        builder.description.extensions.insert(key, content.clone());
    }
    Ok(builder)
}

fn descriptions() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ndl");
    let samples = std::env::var_os("ASDFKIT_SAMPLES").map(|samples| Path::new(&samples).join("ndl-samples"));
    let files = std::iter::once(own).chain(samples).flat_map(|folder| std::fs::read_dir(folder).unwrap());
    files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|name| name == "yaml")).collect()
}

#[test]
fn parts_of_a_description_rebuild_it() {
    let mut count = 0;
    for path in descriptions() {
        let read = parse(&std::fs::read(&path).unwrap(), &ReadOptions::default());
        if let Ok(text) = read.description.to_text(&TextOptions::default()) {
            let of_text = parse(text.as_bytes(), &ReadOptions::default());
            let found = |parsed: &Parsed| {
                let found = parsed.diagnostics.iter();
                found.map(|found| (found.code, found.place.clone(), found.message.clone())).collect::<Vec<_>>()
            };
            let checked = read.description.check(&ReadOptions::default()).unwrap();
            assert_eq!(found(&checked), found(&of_text), "{}", path.display());
        }
        if !read.is_valid() {
            continue;
        }
        count += 1;
        let canonical = text(&read.description);
        let again = parse(canonical.as_bytes(), &ReadOptions::default()).description;
        let name = path.display();
        for builder in [Builder::from(read.description.clone()), rebuilt(&read.description).unwrap()] {
            let built = finished(&builder);
            assert!(built.is_valid(), "{name}: {:?}", built.diagnostics);
            assert!(built.description.means_the_same(&read.description).unwrap(), "{name}");
            assert_eq!(text(&built.description), canonical, "{name}");
            // Content without a meaning in the language is equal too.
            assert_eq!(built.description.to_json().unwrap(), again.to_json().unwrap(), "{name}");
        }
    }
    assert!(count >= 8, "{count}");
}

/// A built description has the errors of its text, except those of the text itself.
#[test]
fn a_built_description_is_checked_like_a_text() {
    let mut builder = Builder::new();
    let int8: Datatype = "int8".parse().unwrap();
    builder.add_ndarray("/g/a", vec![Dimension::named("x"), Dimension::named("y")], Some(int8.clone())).unwrap();
    builder.add_ndarray("/g/b", vec![Dimension::fixed(3)], None).unwrap();
    builder.add_ndarray("/g/b/c", vec![], Some(int8.clone())).unwrap();
    builder.add_ndarray("/p", vec![Dimension::unlimited()], Some(Datatype::objref())).unwrap();
    builder.set_elements("/p", &[2], |datatype| Elements::of_texts(&["/g/a", "/none"], datatype)).unwrap();
    builder.add_dimcoord("/x", Size::Fixed(2), Some(int8.clone())).unwrap();
    builder.set_directive("/g/a", "chunk", Some("[4, 4]")).unwrap();
    builder
        .set_attribute("/g", "n", Attribute { shape: Some(vec![]), datatype: Some(int8), ..Attribute::default() })
        .unwrap();
    let mut found = codes(&builder);
    found.sort_unstable();
    let expected = [
        ("E-ATTR-NO-VALUE", "/g@n"),
        ("E-DIM-UNRESOLVED", "/g/a"),
        ("E-NAME-CLASH", "/g/b"),
        ("W-CHUNK-LARGE", "/g/a"),
        ("W-REF-DANGLING", "/p"),
        ("W-TYPE-MISSING", "/g/b"),
    ];
    assert_eq!(found, expected.map(|(code, place)| (code, place.to_owned())));
    let parsed = finished(&builder);
    let shown: Vec<String> = parsed.diagnostics.iter().map(|found| found.to_string()).collect();
    assert!(shown.iter().any(|line| line.starts_with("E-NAME-CLASH: /g/b: ")), "{shown:?}");
    assert!(parsed.diagnostics.iter().all(|found| (found.line, found.column) == (0, 0)));
    let strict = builder.finish(&ReadOptions { strict: true, ..ReadOptions::default() }).unwrap();
    assert_eq!((strict.error_count, strict.warning_count), (6, 0));
    // Errors that can be corrected in place.
    builder.add_dimcoord("/g/y", Size::Unlimited, Some(Datatype::string())).unwrap();
    builder.remove("/g/b").unwrap();
    builder.remove(Address::attribute("/g", "n")).unwrap();
    assert!(finished(&builder).is_valid());
    let description = finished(&builder).description;
    let shape = description.ndarrays.get("/g/a").unwrap().shape.clone().unwrap();
    assert_eq!((shape[0].extent, shape[1].coordinate.as_deref()), (Size::Fixed(2), Some("/g/y")));
    assert!(!description.contains("/g/b/c") && !description.contains("/g/b"));
}

#[test]
fn values_are_checked_against_the_whole() {
    let mut builder = Builder::new();
    let float = || Some("float32".parse().unwrap());
    builder.add_ndarray("/a", vec![Dimension::named("x"), Dimension::fixed(2)], float()).unwrap();
    builder.set_elements("/a", &[2, 2], |datatype| of_i64(&[1, 2, 3, 4], &[2, 2], datatype)).unwrap();
    builder.add_dimcoord("/x", Size::Fixed(3), float()).unwrap();
    assert_eq!(codes(&builder), [("E-VALUE-SHAPE", "/a".to_owned())]);
    assert!(finished(&builder).description.ndarrays.get("/a").unwrap().value.is_none());
    builder.set_size("/x", Size::Unlimited).unwrap();
    let parsed = finished(&builder);
    assert!(parsed.diagnostics.is_empty());
    assert!(text(&parsed.description).contains("value: [[1.0, 2.0], [3.0, 4.0]]"));
    builder.set_shape("/a", vec![Dimension::fixed(4)]).unwrap();
    assert_eq!(codes(&builder), [("E-VALUE-SHAPE", "/a".to_owned())]);
    // Elements that are lists themselves, and an attribute with the name of a key.
    builder.set_value("/a", None).unwrap();
    let vlen: Datatype = "{vlen: {base: {compound: [a: int8, b: {array: {base: int8, shape: [2]}}]}}}".parse().unwrap();
    builder.add_ndarray("/v", vec![], Some(vlen)).unwrap();
    builder.set_value("/v", Some("[[1, [2, 3]], {b: [5, 6], a: 4}]")).unwrap();
    builder.set_directive("/v", "fillvalue", Some("[[7, [8, 9]]]")).unwrap();
    builder.set_attribute("/v", "value", Attribute::integer(0)).unwrap();
    let region = "{regref: {selection: block}}".parse().unwrap();
    builder.add_ndarray("/r", vec![Dimension::fixed(1)], Some(region)).unwrap();
    builder.set_value("/r", Some("[{target: /a, start: [0], opposite: [9]}]")).unwrap();
    assert_eq!(codes(&builder), [("E-REGREF-BOUNDS", "/r".to_owned())]);
    builder.set_shape("/a", vec![Dimension::fixed(10)]).unwrap();
    let parsed = finished(&builder);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let text = text(&parsed.description);
    assert!(text.contains("value: [[1, [2, 3]], [4, [5, 6]]]") && text.contains("fillvalue: [[7, [8, 9]]]"), "{text}");
    assert!(text.contains("value: 0\n"), "{text}");
}

#[test]
fn failed_calls_change_nothing() {
    let mut builder = Builder::new();
    let int8: Datatype = "int8".parse().unwrap();
    builder.add_ndarray("/a", vec![Dimension::fixed(2)], Some(int8.clone())).unwrap();
    builder.add_ndarray("/untyped", vec![], None).unwrap();
    builder.set_value("/a", Some("[1, 2]")).unwrap();
    builder.set_attribute("/a", "u", Attribute::text("m")).unwrap();
    let before = builder.clone();
    let mut fails = |status: Status, call: &dyn Fn(&mut Builder) -> Result<()>| {
        let error = call(&mut builder).unwrap_err();
        assert_eq!(error.status(), status, "{error}");
        assert_eq!(builder, before, "{error}");
    };
    for path in ["", "a", "/", "/a/", "/a//b", "/..", "/\0"] {
        fails(Status::Path, &|builder| builder.add_ndarray(path, vec![], Some(Datatype::string())));
        fails(Status::Path, &|builder| builder.add_dimcoord(path, Size::Fixed(1), Some(Datatype::string())));
    }
    let invalid = Status::InvalidArgument;
    fails(invalid, &|builder| builder.add_ndarray("/a", vec![], None));
    fails(invalid, &|builder| builder.add_group("/a"));
    fails(invalid, &|builder| builder.add_dimcoord("/x", Size::Fixed(0), None));
    fails(invalid, &|builder| builder.add_ndarray("/x", vec![Dimension::default()], None));
    fails(invalid, &|builder| builder.set_attribute("/a", "", Attribute::float(1.0)));
    fails(Status::NotFound, &|builder| builder.set_attribute("/b", "n", Attribute::float(1.0)));
    fails(Status::NotFound, &|builder| builder.set_value("/b", None));
    fails(Status::NotFound, &|builder| builder.set_value("/", None));
    fails(Status::NotFound, &|builder| builder.set_value(Address::attribute("/a", "v"), None));
    fails(Status::NotFound, &|builder| builder.set_size("/a", Size::Unlimited));
    fails(Status::NotFound, &|builder| builder.set_shape("/x", vec![]));
    fails(invalid, &|builder| builder.set_datatype("/a", Datatype::string()));
    for (status, text) in [
        (invalid, "[1]"),
        (invalid, "1"),
        (invalid, "[[1, 2]]"),
        (Status::WrongType, "[1, x]"),
        (Status::WrongType, "[1, null]"),
        (Status::ValueRange, "[1, 128]"),
        (Status::Yaml, "[1, 2"),
        (Status::Yaml, "[1, *a]"),
        (Status::Yaml, "[1, 2]\n--- 3"),
        (Status::Yaml, "[1, !t 2]"),
    ] {
        fails(status, &|builder| builder.set_value("/a", Some(text)));
    }
    fails(Status::Incomplete, &|builder| builder.set_value("/untyped", Some("1")));
    fails(Status::Incomplete, &|builder| builder.set_directive("/untyped", "fillvalue", Some("1")));
    let give = |builder: &mut Builder, shape: &[u64], numbers: &[i64]| {
        builder.set_elements("/a", shape, |datatype| of_i64(numbers, shape, datatype))
    };
    fails(Status::Overflow, &|builder| give(builder, &[2], &[1, 128]));
    fails(invalid, &|builder| give(builder, &[3], &[1, 2]));
    fails(invalid, &|builder| give(builder, &[3], &[1, 2, 3]));
    fails(invalid, &|builder| give(builder, &[2, 1], &[1, 2]));
    for (key, text) in
        [("size", "1"), ("chunk", "[1, 1]"), ("chunk", "1"), ("endian", "middle"), ("chunks", "[1]"), ("shape", "[3]")]
    {
        fails(invalid, &|builder| builder.set_directive("/a", key, Some(text)));
    }
    fails(invalid, &|builder| builder.set_directive(Address::attribute("/a", "u"), "chunk", Some("[1]")));
    fails(invalid, &|builder| builder.set_directive("/a", "chunks", None));
    fails(Status::Yaml, &|builder| builder.set_extension("/a", "x-a", Some("{a: 1, a: 2}")));
    fails(invalid, &|builder| builder.set_extension("/a", "y-a", Some("1")));
    fails(invalid, &|builder| builder.remove("/"));
    fails(Status::NotFound, &|builder| builder.remove("/b"));
    fails(Status::NotFound, &|builder| builder.remove(Address::attribute("/a", "v")));
}

#[test]
fn datatypes_are_read_as_they_are_written() {
    for text in [
        "float32",
        "{opaque: {size: 4, tag: \"1\"}}",
        "{enum: {base: uint8, members: {\"NO\": 0, B: 255}}}",
        "{regref: {selection: element}}",
        "{compound: [{a: int8}, {\"2\": {vlen: {base: {array: {base: objref, shape: [1, 2]}}}}}]}",
        "{vlen: {base: string, x-a: {\"b\": [1, null]}}}",
    ] {
        assert_eq!(text.parse::<Datatype>().unwrap().to_text().unwrap(), text);
    }
    for (status, text) in [
        (Status::BadDatatype, ""),
        (Status::BadDatatype, "double"),
        (Status::BadDatatype, "{array: {base: int8}}"),
        (Status::BadDatatype, "{enum: {members: {A: 1.5}}}"),
        (Status::InvalidArgument, "{opaque: {size: 4, length: 4}}"),
        (Status::Yaml, "{opaque"),
    ] {
        let error = text.parse::<Datatype>().unwrap_err();
        assert_eq!(error.status(), status, "{error}");
    }
    let error = "{compound: [a: int8, b: real]}".parse::<Datatype>().unwrap_err();
    assert!(error.message().starts_with("E-TYPE-UNKNOWN: "), "{error}");
}

/// Converts packed numbers in memory to elements of a datatype.
fn of<T: bytemuck::NoUninit>(
    scalar: ScalarType,
    numbers: &[T],
    shape: &[u64],
    datatype: &Datatype,
) -> Result<Elements> {
    let elements = MemoryElements { datatype: &scalar.into(), bytes: bytemuck::cast_slice(numbers), order: &Order::C };
    Elements::of_memory(elements, shape, datatype)
}

fn of_i64(numbers: &[i64], shape: &[u64], datatype: &Datatype) -> Result<Elements> {
    of(ScalarType::Int64, numbers, shape, datatype)
}

#[test]
fn numbers_in_memory_become_elements() {
    let datatype = |text: &str| text.parse::<Datatype>().unwrap();
    let status = |result: Result<Elements>| result.unwrap_err().status();
    let boolean = Datatype::boolean();
    let single = of(ScalarType::Float64, &[0.1, f64::INFINITY], &[2], &datatype("float32")).unwrap();
    assert_eq!(single, Elements::Float32(vec![0.1, f32::INFINITY]));
    assert_eq!(status(of(ScalarType::Float64, &[1e39], &[1], &datatype("float32"))), Status::Overflow);
    assert_eq!(of(ScalarType::Float32, &[3.0f32], &[1], &datatype("int8")).unwrap(), Elements::Integers(vec![3]));
    assert_eq!(status(of(ScalarType::Float32, &[1.5f32], &[1], &datatype("int8"))), Status::Overflow);
    assert_eq!(status(of_i64(&[-1], &[1], &datatype("uint64"))), Status::Overflow);
    assert_eq!(status(of_i64(&[128], &[1], &datatype("int8"))), Status::Overflow);
    let most = [u64::MAX];
    assert_eq!(of(ScalarType::Uint64, &most, &[1], &datatype("uint64")).unwrap(), Elements::Unsigned(most.to_vec()));
    assert_eq!(status(of(ScalarType::Uint64, &most, &[1], &datatype("int64"))), Status::Overflow);
    assert_eq!(of_i64(&[16_777_217], &[], &datatype("float32")).unwrap(), Elements::Float32(vec![16_777_216.0]));
    assert_eq!(of(ScalarType::Uint8, &[3u8], &[1], &datatype("float64")).unwrap(), Elements::Float64(vec![3.0]));
    assert_eq!(of(ScalarType::Bool8, &[1u8, 0], &[2], &boolean).unwrap(), Elements::Constants(vec![1, 0]));
    assert_eq!(status(of_i64(&[2], &[1], &boolean)), Status::ValueRange);
    let large = datatype("{enum: {members: {A: 18446744073709551615}}}");
    assert_eq!(of(ScalarType::Uint64, &most, &[1], &large).unwrap(), Elements::Constants(vec![0]));
    let opaque = of(ScalarType::Uint8, &[1u8, 2, 3, 4], &[2], &datatype("{opaque: {size: 2}}")).unwrap();
    assert!(matches!(&opaque, Elements::Opaque(blobs) if blobs.iter().eq([[1u8, 2], [3, 4]])));
    assert_eq!(status(of_i64(&[1], &[1], &Datatype::string())), Status::Conversion);
    assert_eq!(status(of_i64(&[1, 2], &[3], &datatype("int8"))), Status::InvalidArgument);
    assert_eq!(status(of_i64(&[], &[u64::MAX], &datatype("int8"))), Status::Limit);
    let matrix = datatype("{array: {base: {array: {base: int16, shape: [2]}}, shape: [2]}}");
    let elements = of_i64(&[1, 2, 3, 4, 5, 6, 7, 8], &[2], &matrix).unwrap();
    assert_eq!((elements.len(), elements.are_of(&matrix)), (2, true));
}

#[test]
fn texts_become_elements() {
    let datatype = |text: &str| text.parse::<Datatype>().unwrap();
    let status = |result: Result<Elements>| result.unwrap_err().status();
    assert_eq!(Elements::of_texts(&["TRUE"], &Datatype::boolean()).unwrap(), Elements::Constants(vec![1]));
    assert_eq!(status(Elements::of_texts(&["true"], &Datatype::boolean())), Status::ValueRange);
    let objects = Elements::of_texts(&["", "/a"], &Datatype::objref()).unwrap();
    assert_eq!(objects, Elements::Objects(vec![None, Some("/a".into())]));
    assert_eq!(status(Elements::of_texts(&["a"], &Datatype::objref())), Status::Path);
    assert_eq!(status(Elements::of_texts(&["a"], &datatype("int8"))), Status::WrongType);
    let pairs = datatype("{array: {base: string, shape: [2]}}");
    assert_eq!(Elements::of_texts(&["a", "b"], &pairs).unwrap().len(), 1);
    assert_eq!(status(Elements::of_texts(&["a"], &pairs)), Status::InvalidArgument);
    assert_eq!(Attribute::integer(1 << 40).datatype, Some(IntegerType::Int64.into()));
}

#[test]
fn values_of_a_wrong_datatype_are_refused() {
    let mut description = Description::new();
    let int8 = Datatype::from(IntegerType::Int8);
    let value = Value::new(vec![2], Elements::Integers(vec![1, 2]), &int8).unwrap();
    let wrong = Attribute { datatype: Some(Datatype::string()), ..Attribute::new(int8.clone(), value.clone()) };
    description.attributes_mut("/").unwrap().insert("a", wrong);
    let error = description.check(&ReadOptions::default()).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    let deep = Value::new(vec![1; 65], Elements::Integers(vec![1]), &int8).unwrap();
    description.attributes_mut("/").unwrap().insert("a", Attribute::new(int8, deep));
    let parsed = description.check(&ReadOptions::default()).unwrap();
    assert_eq!(parsed.diagnostics.first().map(|found| found.code), Some(Code::Limit));
}
