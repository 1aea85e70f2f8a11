//! Arrays and references with targets in other files, and the policies that permit or refuse them.

use asdfkit::array::{Datatype, ReadOptions, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{Access, ArrayData, ArrayOptions, File, NewOptions, OpenOptions, Storage, WriteOptions};
use asdfkit::source::{MemorySource, Source};
use asdfkit::{Limits, Result, Status};
use std::path::Path;
use std::sync::{Arc, Mutex};

const HEADER: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

/// Returns a file with this tree and one block for each text.
fn asdf(tree: &str, blocks: &[&str]) -> Vec<u8> {
    let mut out = format!("{HEADER}{tree}\n...\n").into_bytes();
    for block in blocks {
        out.extend_from_slice(b"\xd3BLK\x00\x30");
        out.extend_from_slice(&[0; 8]);
        for _ in 0..3 {
            out.extend_from_slice(&(block.len() as u64).to_be_bytes());
        }
        out.extend_from_slice(&[0; 16]);
        out.extend_from_slice(block.as_bytes());
    }
    out
}

fn bytes_at(source: &str, shape: &str) -> String {
    format!("!core/ndarray-1.1.0 {{source: {source}, datatype: uint8, byteorder: little, shape: {shape}}}")
}

/// Returns a file whose tree has the arrays `a0`, `a1` … of four bytes with these sources.
fn arrays(sources: &[&str]) -> Vec<u8> {
    let pairs = sources.iter().enumerate().map(|(index, source)| format!("a{index}: {}", bytes_at(source, "[4]")));
    asdf(&pairs.collect::<Vec<_>>().join("\n"), &["SELF"])
}

fn put(directory: &Path, name: &str, bytes: &[u8]) {
    let path = directory.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn with_access(access: Access) -> OpenOptions {
    OpenOptions { access, ..OpenOptions::default() }
}

fn open(directory: &Path, name: &str) -> File {
    File::open_with(directory.join(name), &with_access(Access::SameDirectory)).unwrap()
}

fn text(file: &File, path: &str) -> Result<String> {
    let array = file.root()?.array(path)?;
    let mut out = vec![0; array.element_count() as usize];
    array.read(&Datatype::Scalar(ScalarType::Uint8), &mut out, &ReadOptions::default())?;
    Ok(String::from_utf8(out).unwrap())
}

fn status(file: &File, path: &str) -> Status {
    match text(file, path) {
        Ok(text) => panic!("{path}: {text}"),
        Err(error) => error.status(),
    }
}

/// Returns the bytes of an array with this source, under the policy for files of the same directory.
fn judge(directory: &Path, uri: &str) -> Result<String> {
    put(directory, "probe.asdf", &arrays(&[&format!("'{uri}'")]));
    text(&open(directory, "probe.asdf"), "a0")
}

#[test]
fn the_first_block_of_another_file_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    put(here, "sub/two.asdf", &asdf("b: 1", &["ONE.", "TWO."]));
    put(here, "sub/blank é.asdf", &asdf("b: 1", &["UTF8"]));
    put(here, "sub/no tree.asdf", &[b"#ASDF 1.0.0\n", &asdf("", &["BARE"])[HEADER.len() + 5..]].concat());
    let sources = ["sub/two.asdf", "./sub/../sub/two.asdf#", "sub/two.asdf#/b", "'sub/blank é.asdf'"];
    let more = ["sub/blank%20%C3%A9.asdf", "main.asdf", "./main.asdf#", "''", "'#'", "'sub/no tree.asdf'"];
    put(here, "main.asdf", &arrays(&[&sources[..], &more[..]].concat()));
    let file = open(here, "main.asdf");
    let found: Vec<_> = (0..10).map(|index| text(&file, &format!("a{index}")).unwrap()).collect();
    assert_eq!(found, ["ONE.", "ONE.", "ONE.", "UTF8", "UTF8", "SELF", "SELF", "SELF", "SELF", "BARE"]);
}

#[test]
fn a_file_may_name_itself_whatever_the_policy() {
    let directory = tempfile::tempdir().unwrap();
    put(directory.path(), "main.asdf", &arrays(&["main.asdf", "./main.asdf", "''", "other.asdf"]));
    let file = File::open(directory.path().join("main.asdf")).unwrap();
    assert_eq!(text(&file, "a0").unwrap(), "SELF");
    assert_eq!(text(&file, "a1").unwrap(), "SELF");
    assert_eq!(text(&file, "a2").unwrap(), "SELF");
    assert_eq!(status(&file, "a3"), Status::ExternalReference);
    let memory =
        File::open_memory(Arc::new(arrays(&["''", "other.asdf"])), &with_access(Access::SameDirectory)).unwrap();
    assert_eq!(text(&memory, "a0").unwrap(), "SELF");
    assert_eq!(status(&memory, "a1"), Status::AccessDenied);
}

#[test]
fn compressed_and_streamed_blocks_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let bytes: Vec<u8> = (0..200).map(|number| b'a' + number % 26).collect();
    let made = File::new(&NewOptions::default());
    let data = ArrayData::new(ScalarType::Uint8, &[200], Arc::new(bytes.clone()));
    let options =
        ArrayOptions { compression: Some(Compression::new(Codec::Zlib, None).unwrap()), ..ArrayOptions::default() };
    made.root().unwrap().set_array_data("a", &data, &options).unwrap();
    made.write(here.join("zlib.asdf"), &WriteOptions::default()).unwrap();
    let mut streamed = asdf("b: 1", &["stream of bytes"]);
    let flags = streamed.len() - 15 - 48 + 3;
    streamed[flags] = 1;
    put(here, "stream.asdf", &streamed);
    let tree = format!("z: {}\ns: {}", bytes_at("zlib.asdf", "[200]"), bytes_at("stream.asdf", "['*']"));
    put(here, "main.asdf", &asdf(&tree, &[]));
    let file = open(here, "main.asdf");
    assert_eq!(text(&file, "z").unwrap().as_bytes(), bytes);
    assert_eq!(text(&file, "s").unwrap(), "stream of bytes");
}

#[test]
fn a_missing_file_breaks_only_its_array() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    put(here, "empty.asdf", &asdf("b: 1", &[]));
    put(here, "text.asdf", b"this is no ASDF file");
    put(here, "short.asdf", &asdf("b: 1", &["no"]));
    put(here, "main.asdf", &arrays(&["none.asdf", "empty.asdf", "text.asdf", "short.asdf", "0", "none/none.asdf"]));
    let file = open(here, "main.asdf");
    let array = file.root().unwrap().array("a0").unwrap();
    assert_eq!(array.shape(), [4]);
    let error = text(&file, "a0").unwrap_err();
    assert_eq!(error.status(), Status::FileNotFound);
    assert_eq!(error.location().path.as_deref(), Some("/a0"));
    assert!(error.location().file.as_ref().unwrap().ends_with("main.asdf"));
    assert!(error.message().contains("/none.asdf'"), "{error}");
    assert_eq!(status(&file, "a1"), Status::BlockNotFound);
    assert_eq!(status(&file, "a2"), Status::NotAsdf);
    assert_eq!(status(&file, "a3"), Status::Bounds);
    assert_eq!(text(&file, "a4").unwrap(), "SELF");
    assert_eq!(status(&file, "a5"), Status::FileNotFound);
}

#[cfg(unix)]
#[test]
fn nothing_leads_out_of_the_directory() {
    use std::os::unix::fs::symlink;
    let outer = tempfile::tempdir().unwrap();
    let secret = asdf("b: 1", &["LEAK"]);
    put(outer.path(), "secret.asdf", &secret);
    put(outer.path(), "inner-not/secret.asdf", &secret);
    let here = outer.path().join("inner");
    put(&here, "sub/in.asdf", &asdf("b: 1", &["GOOD"]));
    symlink("../secret.asdf", here.join("out.asdf")).unwrap();
    symlink(outer.path(), here.join("up")).unwrap();
    symlink("sub/in.asdf", here.join("in.asdf")).unwrap();
    symlink("loop.asdf", here.join("loop.asdf")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(here.join("pipe.asdf")).status().unwrap();
    assert!(made.success());
    let judge = |uri: &str| judge(&here, uri);
    let inside = here.canonicalize().unwrap().join("sub/in.asdf");
    for uri in ["sub/in.asdf", "in.asdf", "../inner/sub/in.asdf", "%2e/sub/in.asdf"] {
        assert_eq!(judge(uri).unwrap(), "GOOD", "{uri}");
    }
    for uri in [format!("{}", inside.display()), format!("file://{}", inside.display())] {
        assert_eq!(judge(&uri).unwrap(), "GOOD", "{uri}");
    }
    let absolute = outer.path().join("secret.asdf");
    for (uri, expected) in [
        ("../secret.asdf", Status::AccessDenied),
        ("%2e%2E/secret.asdf", Status::AccessDenied),
        ("sub/../../secret.asdf", Status::AccessDenied),
        ("../inner-not/secret.asdf", Status::AccessDenied),
        ("..%2Fsecret.asdf", Status::Path),
        ("sub%2F..%2F..%2Fsecret.asdf", Status::Path),
        ("secret.asdf%00", Status::Path),
        ("%zz", Status::Path),
        ("in.asdf?query", Status::Path),
        (absolute.to_str().unwrap(), Status::AccessDenied),
        (&format!("file://{}", absolute.display()), Status::AccessDenied),
        ("file://elsewhere/etc/passwd", Status::Path),
        ("/dev/zero", Status::AccessDenied),
        ("/proc/self/environ", Status::AccessDenied),
        ("out.asdf", Status::AccessDenied),
        ("up/secret.asdf", Status::AccessDenied),
        ("loop.asdf", Status::Io),
        ("pipe.asdf", Status::Io),
        ("sub", Status::Io),
        (".", Status::AccessDenied),
        ("http://localhost/x.asdf", Status::AccessDenied),
        ("fits:SCI,1", Status::Unsupported),
    ] {
        assert_eq!(judge(uri).unwrap_err().status(), expected, "{uri}");
    }
    assert!(judge("http://localhost/x.asdf").unwrap_err().message().contains("'http://localhost/x.asdf'"));
}

#[cfg(unix)]
/// A name with `..` is the name of the file that it leads to, also if no other file may be opened.
#[test]
fn a_parent_directory_in_a_name_is_followed() {
    let directory = tempfile::tempdir().unwrap();
    put(directory.path(), "a/main.asdf", &arrays(&["far.asdf"]));
    put(directory.path(), "a/far.asdf", &asdf("x: 1", &["AFAR"]));
    put(directory.path(), "b/far.asdf", &asdf("x: 1", &["BFAR"]));
    let path = directory.path().join("b/../a/main.asdf");
    let file = File::open_with(&path, &with_access(Access::Deny)).unwrap();
    let message = text(&file, "a0").unwrap_err().to_string();
    assert!(message.contains("/a/far.asdf'") && !message.contains("/b/a/far.asdf"), "{message}");
    // A copy in another directory needs the bytes, so this is refused and no array gets those of another file.
    let refused = file.explode(directory.path().join("b/copy.asdf"), &WriteOptions::default()).unwrap_err();
    assert_eq!(refused.status(), Status::ExternalReference);
}

#[test]
fn a_file_is_opened_below_a_directory_only() {
    let outer = tempfile::tempdir().unwrap();
    put(outer.path(), "in/a/main.asdf", &asdf("x: 1", &[]));
    put(outer.path(), "secret.asdf", &asdf("x: 2", &[]));
    let directory = outer.path().join("in");
    let opened = |name: &str| File::open_beneath(&directory, name, &OpenOptions::default());
    assert_eq!(opened("a/main.asdf").unwrap().root().unwrap().i64("x").unwrap(), 1);
    let refused = |name: &str, status: Status| {
        let error = opened(name).err().unwrap();
        assert_eq!(error.status(), status, "{error}");
        assert!(error.to_string().contains(name), "{error}");
    };
    refused("../secret.asdf", Status::AccessDenied);
    refused("none.asdf", Status::FileNotFound);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.asdf", directory.join("out.asdf")).unwrap();
        refused("out.asdf", Status::AccessDenied);
        std::os::unix::fs::symlink("a/main.asdf", directory.join("link.asdf")).unwrap();
        assert_eq!(opened("link.asdf").unwrap().root().unwrap().i64("x").unwrap(), 1);
    }
}

#[test]
fn roots_are_the_only_places() {
    let outer = tempfile::tempdir().unwrap();
    for name in ["one/a.asdf", "two/deep/b.asdf", "three/c.asdf"] {
        put(outer.path(), name, &asdf("b: 1", &["DATA"]));
    }
    std::os::unix::fs::symlink("two", outer.path().join("link")).unwrap();
    let absolute = format!("file://{}/link/deep/b.asdf", outer.path().display());
    put(outer.path(), "main.asdf", &arrays(&["one/a.asdf", "two/deep/b.asdf", "three/c.asdf", &absolute, "''"]));
    let roots = ["one", "link"].map(|name| outer.path().join(name)).to_vec();
    let file = File::open_with(outer.path().join("main.asdf"), &with_access(Access::Roots(roots))).unwrap();
    assert_eq!(text(&file, "a0").unwrap(), "DATA");
    assert_eq!(text(&file, "a1").unwrap(), "DATA");
    assert_eq!(status(&file, "a2"), Status::AccessDenied);
    assert_eq!(text(&file, "a3").unwrap(), "DATA");
    assert_eq!(text(&file, "a4").unwrap(), "SELF");
    let missing = with_access(Access::Roots(vec![outer.path().join("none")]));
    let error = File::open_with(outer.path().join("main.asdf"), &missing).err().unwrap();
    assert_eq!(error.status(), Status::FileNotFound);
}

/// A policy that returns the same file for every URI, except URIs that contain `no`, and records the requests.
fn recording(bytes: Vec<u8>) -> (Access, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    let resolver = move |uri: &str| -> Result<Option<Arc<dyn Source>>> {
        log.lock().unwrap().push(uri.to_owned());
        Ok((!uri.contains("no")).then(|| Arc::new(MemorySource::of_vec(bytes.clone())) as Arc<dyn Source>))
    };
    (Access::Callback(Arc::new(resolver)), asked)
}

#[test]
fn a_callback_gives_bytes_and_each_file_is_opened_once() {
    let sources = ["http://Host/a/../b.asdf?x#f", "../c.asdf", "no.asdf", "../c.asdf#", "d/%2e./../c.asdf"];
    let (access, asked) = recording(asdf("b: 1", &["FAR."]));
    let file = File::open_memory(Arc::new(arrays(&sources)), &with_access(access)).unwrap();
    assert!(asked.lock().unwrap().is_empty());
    for path in ["a0", "a1", "a1", "a3", "a4"] {
        assert_eq!(text(&file, path).unwrap(), "FAR.");
    }
    assert_eq!(status(&file, "a2"), Status::AccessDenied);
    assert_eq!(*asked.lock().unwrap(), ["http://host/b.asdf?x", "../c.asdf", "no.asdf"]);
}

#[test]
fn many_arrays_share_one_file_and_many_files_are_too_many() {
    let sources: Vec<_> = (0..5).map(|number| format!("f{}.asdf", number % 4)).collect();
    let sources: Vec<_> = sources.iter().map(String::as_str).collect();
    let (access, asked) = recording(asdf("b: 1", &["FAR."]));
    let limits = Limits { external_files: 3, ..Limits::default() };
    let options = OpenOptions { limits, ..with_access(access) };
    let file = File::open_memory(Arc::new(arrays(&sources)), &options).unwrap();
    for path in ["a0", "a1", "a4", "a2", "a4"] {
        assert_eq!(text(&file, path).unwrap(), "FAR.");
    }
    assert_eq!(status(&file, "a3"), Status::Limit);
    assert_eq!(asked.lock().unwrap().len(), 3);
}

#[test]
fn to_close_the_first_file_closes_all() {
    let (access, _) = recording(asdf("b: 1", &["FAR."]));
    let file = File::open_memory(Arc::new(arrays(&["x.asdf", "y.asdf"])), &with_access(access)).unwrap();
    let array = file.root().unwrap().array("a0").unwrap();
    let datatype = Datatype::Scalar(ScalarType::Uint8);
    let view = array.view(&datatype).unwrap();
    file.close();
    let error = array.read(&datatype, &mut [0; 4], &ReadOptions::default()).unwrap_err();
    assert_eq!(error.status(), Status::Closed);
    assert_eq!(status(&file, "a1"), Status::Closed);
    assert_eq!(view.bytes(), b"FAR.");
}

#[test]
fn arrays_outlive_the_handle_of_the_first_file() {
    let (access, _) = recording(asdf("b: 1", &["FAR."]));
    let file = File::open_memory(Arc::new(arrays(&["x.asdf"])), &with_access(access)).unwrap();
    let array = file.root().unwrap().array("a0").unwrap();
    drop(file);
    let mut out = [0; 4];
    array.read(&Datatype::Scalar(ScalarType::Uint8), &mut out, &ReadOptions::default()).unwrap();
    assert_eq!(&out, b"FAR.");
}

#[test]
fn references_lead_through_other_files_as_if_all_were_one() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    put(
        here,
        "sub/b.asdf",
        &asdf("b: {list: [1, {$ref: '../c.asdf#/c/deep'}], back: {$ref: '../main.asdf#/own'}}", &[]),
    );
    let tree = format!("c: {{deep: {{x: 7, y: {}}}}}\nbare: !core/complex-1.0.0 1+2j", bytes_at("0", "[4]"));
    put(here, "c.asdf", &asdf(&tree, &["C..C"]));
    let tree = "own: mine\nb: {$ref: 'sub/b.asdf#/b'}\nall: {$ref: c.asdf}\nself: {$ref: './main.asdf#/own'}\n\
                array: {$ref: 'c.asdf#/c/deep/y'}\nz: {$ref: 'c.asdf#/bare'}";
    put(here, "main.asdf", &asdf(tree, &[]));
    let file = open(here, "main.asdf");
    let root = file.root().unwrap();
    assert_eq!(root.i64("b/list/0").unwrap(), 1);
    assert_eq!(root.i64("b/list/1/x").unwrap(), 7);
    assert_eq!(root.string("b/back").unwrap(), "mine");
    assert_eq!(root.string("self").unwrap(), "mine");
    assert_eq!(root.i64("all/c/deep/x").unwrap(), 7);
    assert_eq!(root.complex("z").unwrap(), (1.0, 2.0));
    assert_eq!(text(&file, "array").unwrap(), "C..C");
    assert_eq!(text(&file, "b/list/1/y").unwrap(), "C..C");
    assert_eq!(root.reference("b").unwrap().as_deref(), Some("sub/b.asdf#/b"));
    assert_eq!(root.reference("b/list/1").unwrap().as_deref(), Some("../c.asdf#/c/deep"));

    let deep = root.at("b").unwrap().item("", 0).unwrap().item("", 1).unwrap().at("y").unwrap();
    drop((file, root));
    assert_eq!(deep.path().unwrap(), "/c/deep/y");
    let location = deep.location().unwrap();
    assert!(location.file.unwrap().ends_with("c.asdf"));
    assert_eq!(location.line, Some(6));
    assert!(deep.is_array("").unwrap());
}

#[test]
fn places_in_two_files_differ_and_the_same_place_does_not() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    put(here, "b.asdf", &asdf("x: 1", &[]));
    put(here, "main.asdf", &asdf("x: {$ref: 'b.asdf#/x'}\ny: {$ref: './b.asdf#/x'}\nz: {$ref: b.asdf}", &[]));
    let root = open(here, "main.asdf").root().unwrap();
    assert_eq!(root.identity("x").unwrap(), root.identity("y").unwrap());
    assert_eq!(root.identity("x").unwrap(), root.identity("z/x").unwrap());
    assert_ne!(root.identity("").unwrap(), root.identity("z").unwrap());
}

#[test]
fn errors_of_dangling_references_name_their_place() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    put(here, "b.asdf", &asdf("x: {$ref: 'none.asdf#/q'}\nlist: [1]\nlost: {$ref: '#/no'}", &[]));
    let tree = "none: {$ref: 'none.asdf#/q'}\nno_key: {$ref: 'b.asdf#/q'}\nno_item: {$ref: 'b.asdf#/list/3'}\n\
                further: {$ref: 'b.asdf#/x'}\nlost: {$ref: 'b.asdf#/lost'}\nall: {$ref: b.asdf}\n\
                out: {$ref: '../b.asdf#/x'}\nweb: {$ref: 'http://localhost/b.asdf#/x'}\nok: 1";
    put(here, "main.asdf", &asdf(tree, &[]));
    let file = open(here, "main.asdf");
    let root = file.root().unwrap();
    for (path, expected, place, name) in [
        ("none", Status::FileNotFound, "/none", "main.asdf"),
        ("no_key", Status::DanglingReference, "/no_key", "main.asdf"),
        ("no_item", Status::DanglingReference, "/no_item", "main.asdf"),
        ("further", Status::FileNotFound, "/x", "b.asdf"),
        ("lost", Status::DanglingReference, "/lost", "b.asdf"),
        ("all/wanted", Status::NotFound, "", "b.asdf"),
        ("out", Status::AccessDenied, "/out", "main.asdf"),
        ("web", Status::AccessDenied, "/web", "main.asdf"),
    ] {
        let error = root.node_type(path).err().unwrap();
        assert_eq!(error.status(), expected, "{path}");
        assert_eq!(error.location().path.as_deref(), Some(place), "{path}");
        assert!(error.location().file.as_ref().unwrap().ends_with(name), "{path}: {error}");
    }
    assert_eq!(root.i64("ok").unwrap(), 1);
}

#[test]
fn circles_of_files_end_and_so_do_long_chains() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    for number in 0..7 {
        let tree = format!("x: {{$ref: 'f{}.asdf#/x'}}\nrest: {{$ref: 'f{}.asdf'}}\nv: 1", number + 1, number + 1);
        put(here, &format!("f{number}.asdf"), &asdf(&tree, &[]));
    }
    put(here, "f3.asdf", &asdf("x: 3\nrest: {$ref: f4.asdf}", &[]));
    put(
        here,
        "a.asdf",
        &asdf("x: {$ref: 'b.asdf#/x'}\nto: {$ref: b.asdf}\nlonger: {$ref: 'b.asdf#/longer/a'}\nv: 1", &[]),
    );
    put(
        here,
        "b.asdf",
        &asdf("x: {$ref: 'a.asdf#/x'}\nto: {$ref: a.asdf}\nlonger: {$ref: 'a.asdf#/longer/b'}\nv: 2", &[]),
    );
    let root = open(here, "a.asdf").root().unwrap();
    for path in ["x", "longer"] {
        assert_eq!(root.node_type(path).err().unwrap().status(), Status::ReferenceCycle, "{path}");
    }
    assert_eq!(root.i64("to/to/to/v").unwrap(), 2);
    assert_eq!(root.i64("to/to/to/to/v").unwrap(), 1);
    assert_eq!(root.i64("to/to/to/to/to/v").err().unwrap().status(), Status::Limit);

    let root = open(here, "f0.asdf").root().unwrap();
    assert_eq!(root.i64("x").unwrap(), 3);
    assert_eq!(root.i64("rest/rest/rest/rest/v").unwrap(), 1);
    assert_eq!(root.i64("rest/rest/rest/rest/rest/v").err().unwrap().status(), Status::Limit);
    let limits = Limits { external_depth: 5, ..Limits::default() };
    let options = OpenOptions { limits, ..with_access(Access::SameDirectory) };
    let root = File::open_with(here.join("f0.asdf"), &options).unwrap().root().unwrap();
    assert_eq!(root.i64("rest/rest/rest/rest/rest/v").unwrap(), 1);
}

#[test]
fn nodes_are_copied_from_where_a_reference_leads() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    put(here, "b.asdf", &asdf(&format!("part: {{x: 1, y: {}}}", bytes_at("0", "[4]")), &["DATA"]));
    put(here, "main.asdf", &asdf("b: {$ref: 'b.asdf#/part'}", &["WRNG"]));
    let made = File::new(&NewOptions::default());
    let part = open(here, "main.asdf").root().unwrap().at("b").unwrap();
    made.root().unwrap().copy_from("copy", &part, None).unwrap();
    assert_eq!(made.root().unwrap().i64("copy/x").unwrap(), 1);
    assert_eq!(text(&made, "copy/y").unwrap(), "DATA");
}

/// Returns a FITS file: an empty primary HDU, the image `SCI` of 2 x 3 big-endian integers, and the image `DQ` of 4 bytes.
fn fits() -> Vec<u8> {
    let hdu = |cards: &[&str], data: &[u8]| {
        let mut bytes: Vec<u8> =
            cards.iter().chain(&["END"]).flat_map(|card| format!("{card:<80}").into_bytes()).collect();
        bytes.resize(bytes.len().next_multiple_of(2880), b' ');
        bytes.extend_from_slice(data);
        bytes.resize(bytes.len().next_multiple_of(2880), 0);
        bytes
    };
    let image = ["XTENSION= 'IMAGE'", "BITPIX  = 16", "NAXIS   = 2", "NAXIS1  = 3", "NAXIS2  = 2", "EXTNAME = 'SCI'"];
    let bytes = ["XTENSION= 'IMAGE'", "BITPIX  = 8", "NAXIS   = 1", "NAXIS1  = 4", "EXTNAME = 'DQ'", "EXTVER  = 3"];
    [
        hdu(&["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 0"], &[]),
        hdu(&image, &[0, 1, 0, 2, 0, 3, 1, 0, 255, 255, 128, 0]),
        hdu(&bytes, b"BITS"),
    ]
    .concat()
}

fn external_array(uri: &str, target: &str) -> String {
    format!("!core/externalarray-1.0.0 {{fileuri: {uri}, target: {target}, datatype: int16, shape: [2, 3]}}")
}

#[test]
fn external_arrays_are_read_from_fits_files_under_the_policy() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "inner/image.fits", &fits());
    let place = |target| external_array("inner/image.fits", target);
    let tree = format!("sci: {}\nnamed: {}\ndq: {}\n", place("1"), place("sci"), place("DQ"));
    put(folder.path(), "a.asdf", &asdf(&tree, &[]));
    let file = open(folder.path(), "a.asdf");
    for path in ["sci", "named"] {
        let array = file.root().unwrap().array(path).unwrap();
        assert_eq!(array.shape(), [2, 3]);
        let mut numbers = [0; 12];
        array.read(&Datatype::Scalar(ScalarType::Int16), &mut numbers, &ReadOptions::default()).unwrap();
        let numbers: Vec<i16> = numbers.as_chunks::<2>().0.iter().map(|number| i16::from_ne_bytes(*number)).collect();
        assert_eq!(numbers, [1, 2, 3, 256, -1, i16::MIN]);
    }
    // The HDU decides on datatype and shape.
    assert_eq!(text(&file, "dq").unwrap(), "BITS");
    assert!(file.warnings().iter().any(|warning| warning.message.contains("HDU 2 ('DQ', 3) decides")));
    assert!(file.root().unwrap().is_array("sci").unwrap());
    let error = file.root().unwrap().array("sci").unwrap().chunk_map().unwrap_err();
    assert_eq!(error.status(), Status::Unsupported);
    file.close();
    assert_eq!(status(&file, "sci"), Status::Closed);
    // Without access the array is described.
    let file = File::open(folder.path().join("a.asdf")).unwrap();
    assert_eq!(file.root().unwrap().array("sci").unwrap().shape(), [2, 3]);
    assert_eq!(status(&file, "sci"), Status::ExternalReference);
}

#[test]
fn wrong_external_arrays_are_typed_errors() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "image.fits", &fits());
    put(folder.path(), "cut.fits", &fits()[..2 * 2880 + 5]);
    put(folder.path(), "other.h5", b"\x89HDF\r\n");
    let judged = |node: &str| {
        put(folder.path(), "probe.asdf", &asdf(&format!("a: {node}"), &[]));
        status(&open(folder.path(), "probe.asdf"), "a")
    };
    for (uri, target, expected) in [
        ("image.fits", "3", Status::HduNotFound),
        ("image.fits", "-1", Status::HduNotFound),
        ("image.fits", "SCI2", Status::HduNotFound),
        ("image.fits", "0", Status::BadArray),
        ("image.fits", "[1]", Status::BadArray),
        ("image.fits", "1.5", Status::BadArray),
        ("cut.fits", "1", Status::Truncated),
        ("none.fits", "1", Status::FileNotFound),
        ("other.h5", "1", Status::Unsupported),
        ("7", "1", Status::BadArray),
        ("../image.fits", "1", Status::AccessDenied),
        ("'http://example.org/image.fits'", "1", Status::AccessDenied),
    ] {
        assert_eq!(judged(&external_array(uri, target)), expected, "{uri} {target}");
    }
    assert_eq!(
        judged("!core/externalarray-1.0.0 {fileuri: image.fits, datatype: int16, shape: [2, 3]}"),
        Status::BadArray
    );
    assert_eq!(judged("!core/externalarray-1.0.0 {fileuri: image.fits, target: 1, shape: [2, 3]}"), Status::BadArray);
    assert_eq!(judged("!core/externalarray-1.0.0 [1]"), Status::BadArray);
}

#[test]
fn threads_share_what_one_of_them_opens() {
    let (access, asked) = recording(asdf("b: 1", &["FAR."]));
    let file = File::open_memory(Arc::new(arrays(&["x.asdf"])), &with_access(access)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(text(&file, "a0").unwrap(), "FAR."));
        }
    });
    assert_eq!(asked.lock().unwrap().len(), 1);
}

/// Returns the mask of an array as text.
fn mask(file: &File, path: &str) -> Result<String> {
    let array = file.root()?.array(path)?;
    let mut mask = vec![9; array.element_count() as usize];
    array.read_mask(None, &mut mask, &ReadOptions::default())?;
    Ok(mask.iter().map(u8::to_string).collect())
}

#[test]
fn masks_may_be_in_other_files() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let masked = |mask: &str| {
        format!("!core/ndarray-1.1.0 {{source: 0, datatype: uint8, byteorder: big, shape: [4], mask: {mask}}}")
    };
    let tree = [
        format!("stored: {}", masked("{$ref: 'other.asdf#/flags'}")),
        format!("number: {}", masked("{$ref: 'other.asdf#/number'}")),
        format!("exploded: {}", masked(&bytes_at("other.asdf", "[4]"))),
        format!("nothing: {}", masked("{$ref: 'other.asdf#/nothing'}")),
        format!("missing: {}", masked("{$ref: 'nowhere.asdf#/m'}")),
        format!("circle: {}", masked("{$ref: 'other.asdf#/circle'}")),
        format!("itself: {}", masked("{$ref: '#/itself'}")),
    ];
    put(here, "first.asdf", &asdf(&tree.join("\n"), &["ABCD"]));
    let other =
        format!("flags: {}\nnumber: 67\nnothing: null\ncircle: {{$ref: 'first.asdf#/circle'}}", bytes_at("0", "[4]"));
    put(here, "other.asdf", &asdf(&other, &["\0\x01\0\x07"]));
    let file = open(here, "first.asdf");
    assert_eq!(mask(&file, "stored").unwrap(), "0101");
    assert_eq!(mask(&file, "number").unwrap(), "0010");
    assert_eq!(mask(&file, "exploded").unwrap(), "0101");
    for (path, status) in [
        ("nothing", Status::BadArray),
        ("missing", Status::FileNotFound),
        ("circle", Status::BadArray),
        ("itself", Status::BadArray),
    ] {
        let error = mask(&file, path).unwrap_err();
        assert_eq!(error.status(), status, "{error}");
        assert_eq!(text(&file, path).unwrap_err().status(), Status::Masked);
    }
    let file = File::open(here.join("first.asdf")).unwrap();
    assert_eq!(mask(&file, "stored").unwrap_err().status(), Status::ExternalReference);
    let array = file.root().unwrap().array("stored").unwrap();
    let mut out = [0; 4];
    array.without_mask().read(&Datatype::Scalar(ScalarType::Uint8), &mut out, &ReadOptions::default()).unwrap();
    assert_eq!(out, *b"ABCD");
}

#[test]
fn parts_of_descriptions_may_be_in_other_files() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let tree = "stored: !core/ndarray-1.1.0 {source: {$ref: 'o.asdf#/zero'}, datatype: {$ref: 'o.asdf#/type'}, \
                byteorder: {$ref: '#/order'}, shape: [{$ref: 'o.asdf#/shape/0'}, {$ref: '#/two'}], mask: {$ref: 'o.asdf#/mask'}}
shape: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: big, shape: {$ref: 'o.asdf#/shape'}}
data: !core/ndarray-1.1.0 {data: {$ref: 'o.asdf#/data'}, mask: 5}
items: !core/ndarray-1.1.0 [{$ref: 'o.asdf#/zero'}, 7]
whole: {$ref: 'o.asdf#/whole'}
missing: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: big, shape: {$ref: 'o.asdf#/none'}}
circle: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: big, shape: {$ref: 'o.asdf#/circle'}}
wrong: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: big, shape: {$ref: 'o.asdf#/order'}}
two: 2
order: big";
    put(here, "first.asdf", &asdf(tree, &["ABCD"]));
    let other = "zero: 0\ntype: uint8\nshape: [2, 2]\norder: little\ndata: [4, 5, {$ref: 'first.asdf#/two'}]\n\
                 mask: 66\nwhole: !core/ndarray-1.1.0 {data: [{$ref: 'first.asdf#/two'}]}\ncircle: [{$ref: '#/circle'}]";
    put(here, "o.asdf", &asdf(other, &["abcd"]));
    let file = open(here, "first.asdf");
    let shape = |path: &str| file.root().unwrap().array(path).unwrap().shape().to_vec();
    assert_eq!((shape("stored"), mask(&file, "stored").unwrap()), (vec![2, 2], "0100".to_owned()));
    assert_eq!((shape("shape"), text(&file, "shape").unwrap()), (vec![2, 2], "ABCD".to_owned()));
    assert_eq!((shape("data"), mask(&file, "data").unwrap()), (vec![3], "010".to_owned()));
    assert_eq!(text(&file, "items").unwrap(), "\0\x07");
    assert_eq!(text(&file, "whole").unwrap(), "\x02");
    for (path, status) in
        [("missing", Status::DanglingReference), ("circle", Status::Limit), ("wrong", Status::BadArray)]
    {
        let error = text(&file, path).unwrap_err();
        assert_eq!(error.status(), status, "{error}");
    }
    let error = text(&file, "wrong").unwrap_err();
    assert_eq!(error.location().path.as_deref(), Some("/wrong"));
    let denied = File::open(here.join("first.asdf")).unwrap();
    assert_eq!(status(&denied, "shape"), Status::ExternalReference);
}

#[test]
fn an_array_that_is_moved_before_it_is_written_leaves_no_block_behind() {
    let storages = [Storage::Internal, Storage::External, Storage::Streamed];
    for (from, to) in storages.iter().flat_map(|&from| storages.map(|to| (from, to))) {
        let options = |storage| ArrayOptions { storage, ..ArrayOptions::default() };
        let root = File::new(&NewOptions::default()).root().unwrap();
        root.set_array_data("a", &ArrayData::of_slice(b"FAR.", &[4]), &options(from)).unwrap();
        root.set_array("b", b"HERE", [4]).unwrap();
        root.set_storage("a", &options(to)).unwrap();
        let directory = tempfile::tempdir().unwrap();
        root.file().write(directory.path().join("main.asdf"), &WriteOptions::default()).unwrap();
        let is_external = usize::from(to == Storage::External);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1 + is_external, "{from:?} {to:?}");
        let file = open(directory.path(), "main.asdf");
        assert_eq!(file.block_count().unwrap(), 2 - is_external as u64, "{from:?} {to:?}");
        assert_eq!((text(&file, "a").unwrap(), text(&file, "b").unwrap()), ("FAR.".to_owned(), "HERE".to_owned()));
    }
}

#[path = "chunked/reading.rs"]
mod chunked;

#[path = "chunked/writing.rs"]
mod chunked_writing;
