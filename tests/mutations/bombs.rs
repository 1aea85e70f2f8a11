//! Files made by hand to use as much time, memory or stack as possible.

use asdfkit::codec::{Codec, Compression, encode};
use std::fmt::Write;

/// Name and bytes of a bomb.
pub(crate) type Bomb = (&'static str, fn() -> Vec<u8>);

const HEAD: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n";

fn file(tree: impl AsRef<str>) -> Vec<u8> {
    format!("{HEAD}--- !core/asdf-1.1.0\n{}\n...\n", tree.as_ref()).into_bytes()
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> Vec<u8> {
    let mut tree = String::new();
    for number in 0..count {
        tree.push_str(&line(number));
        tree.push('\n');
    }
    file(tree)
}

fn around(prefix: &str, count: usize, middle: &str, suffix: &str) -> Vec<u8> {
    file(format!("a: {}{middle}{}", prefix.repeat(count), suffix.repeat(count)))
}

fn block(label: &[u8; 4], stored: &[u8], allocated: u64, used: u64, decoded: u64) -> Vec<u8> {
    let mut out = b"\xD3BLK\x00\x30\x00\x00\x00\x00".to_vec();
    out.extend(label);
    for size in [allocated, used, decoded] {
        out.extend(size.to_be_bytes());
    }
    out.extend([0; 16]);
    out.extend(stored);
    out
}

fn array(keys: &str) -> String {
    format!("a: !core/ndarray-1.1.0 {{source: 0, byteorder: little, {keys}}}")
}

/// One array on a block of 64 bytes.
fn on_block(keys: &str) -> Vec<u8> {
    [file(array(keys)), block(&[0; 4], &[1; 64], 64, 64, 64)].concat()
}

fn compressed(codec: Codec, size: usize, declared: u64, keys: &str) -> Vec<u8> {
    let mut stored = Vec::new();
    encode(&Compression::new(codec, None).unwrap(), &vec![0; size], &mut stored, 1).unwrap();
    let used = stored.len() as u64;
    [file(array(keys)), block(&codec.label().0, &stored, used, used, declared)].concat()
}

fn nested_datatype(depth: usize) -> String {
    format!("{}int8{}", "[{datatype: ".repeat(depth), "}]".repeat(depth))
}

fn chain(length: usize) -> Vec<u8> {
    lines(length, |number| format!("k{number}: {{$ref: '#/k{}'}}", number + 1))
}

fn many_blocks(count: usize, index: bool) -> Vec<u8> {
    let mut bytes = file("a: 1");
    let first = bytes.len();
    for _ in 0..count {
        bytes.extend(block(&[0; 4], &[], 0, 0, 0));
    }
    if index {
        let mut text = String::from("#ASDF BLOCK INDEX\n%YAML 1.1\n---\n");
        for number in 0..count {
            writeln!(text, "- {}", first + number * 54).unwrap();
        }
        bytes.extend(text.as_bytes());
        bytes.extend(b"...\n");
    }
    bytes
}

const MILLION: usize = 1_000_000;
const ZEROS: usize = 32 << 20;

/// All bombs.
pub(crate) const BOMBS: &[Bomb] = &[
    // Nesting.
    ("flow sequences", || around("[", 100_000, "", "]")),
    ("flow sequences left open", || around("[", 100_000, "", "")),
    ("flow mappings", || around("{a: ", 100_000, "1", "}")),
    ("flow mappings of keys", || around("{", 100_000, "", "}")),
    ("flow pairs", || around("[a: ", 100_000, "1", "]")),
    ("flow keys with question marks", || around("{? ", 100_000, "1", "}")),
    ("flow mixed", || around("[{a: [", 30_000, "", "]}]")),
    ("closed too often", || around("", 100_000, "", "]")),
    ("block sequences", || file("- ".repeat(100_000))),
    ("block sequences with anchors", || file("- &a ".repeat(50_000))),
    ("block question marks", || file("? ".repeat(100_000))),
    ("block colons", || file(": ".repeat(100_000))),
    ("block mappings", || lines(2000, |depth| format!("{}a:", " ".repeat(depth)))),
    ("block mappings at the limit", || {
        file((0..250).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect::<String>() + &" ".repeat(250) + "b: 1")
    }),
    ("flow in block at the limit", || file("- ".repeat(250) + &"[".repeat(250) + &"]".repeat(250))),
    ("many deep ones", || lines(2000, |number| format!("k{number}: {}{}", "[".repeat(250), "]".repeat(250)))),
    ("dedents", || lines(200_000, |number| if number % 2 == 0 { "- - - - - - - - a".into() } else { "- b".into() })),
    ("inline array nested at the limit", || {
        file(format!("a: !core/ndarray-1.1.0 {{data: {}1{}}}", "[".repeat(250), "]".repeat(250)))
    }),
    ("datatypes nested at the limit", || on_block(&format!("shape: [1], datatype: {}", nested_datatype(120)))),
    ("datatypes nested through references", || {
        file("d: [{datatype: {$ref: '#/d'}}]\n".to_owned() + &array("shape: [1], datatype: {$ref: '#/d'}"))
    }),
    ("datatypes nested through aliases", || {
        let mut tree = String::from("d0: &d0 int8\n");
        for number in 1..2000 {
            writeln!(tree, "d{number}: &d{number} [{{datatype: *d{}}}]", number - 1).unwrap();
        }
        file(tree + &array("shape: [1], datatype: *d1999"))
    }),
    ("datatypes doubled through aliases", || {
        let mut tree = String::from("d0: &d0 int8\n");
        for number in 1..60 {
            writeln!(tree, "d{number}: &d{number} [{{datatype: *d{0}}}, {{datatype: *d{0}}}]", number - 1).unwrap();
        }
        file(tree + &array("shape: [1], datatype: *d59"))
    }),
    ("inline data doubled through aliases", || {
        let mut tree = String::from("d0: &d0 [1, 2]\n");
        for number in 1..60 {
            writeln!(tree, "d{number}: &d{number} [*d{0}, *d{0}]", number - 1).unwrap();
        }
        file(tree + "a: !core/ndarray-1.1.0 {data: *d30}\nb: !core/ndarray-1.1.0 {data: *d59}")
    }),
    // Aliases, anchors, merge keys.
    ("billion laughs", || {
        lines(60, |number| match number {
            0 => "l0: &l0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]".into(),
            _ => format!("l{number}: &l{number} [{}]", format!("*l{}, ", number - 1).repeat(10)),
        })
    }),
    ("billion laughs of mappings", || {
        lines(60, |number| match number {
            0 => "l0: &l0 {a: lol}".into(),
            _ => format!("l{number}: &l{number} {{a: *l{0}, b: *l{0}}}", number - 1),
        })
    }),
    ("an alias of what contains it", || file("a: &a [*a, *a, {b: *a}]\nb: &b {c: *b, d: [*a, *b]}")),
    ("anchors", || lines(200_000, |number| format!("- &a{number} x"))),
    ("one anchor again and again", || lines(200_000, |_| "- &a x\n- *a".into())),
    ("aliases", || lines(400_000, |number| if number == 0 { "- &a x".into() } else { "- *a".into() })),
    ("aliases of the root", || {
        lines(100_000, |number| if number == 0 { "&a\nk: 1".into() } else { format!("k{number}: *a") })
    }),
    ("a long anchor", || file(format!("a: &{} b", "x".repeat(4 * MILLION)))),
    ("long anchors", || lines(2000, |number| format!("- &{}{number} b", "x".repeat(1000)))),
    ("merge chain", || {
        lines(3000, |number| match number {
            0 => "k0: &k0 {a: 1}".into(),
            _ => format!("k{number}: &k{number} {{<<: *k{}, a{number}: 1}}", number - 1),
        })
    }),
    ("merge doubling", || {
        lines(30, |number| match number {
            0 => "k0: &k0 {a: 1}".into(),
            _ => format!("k{number}: &k{number} {{<<: [*k{0}, *k{0}], a{number}: 1}}", number - 1),
        })
    }),
    ("merge of one thing often", || file(format!("a: &a {{b: 1, c: 2}}\nd: {{<<: [{}]}}", "*a, ".repeat(300_000)))),
    ("merge keys often", || file("a: &a {b: 1}\nd:\n".to_owned() + &"  <<: *a\n".repeat(200_000))),
    ("merge into mergers", || {
        let keys: String = (0..2000).map(|number| format!("k{number}: 1, ")).collect();
        let mergers: String = (0..3000).map(|number| format!("m{number}: {{<<: *a}}\n")).collect();
        file(format!("a: &a {{{keys}}}\n{mergers}"))
    }),
    ("merge deep below", || file(format!("a: &a {{b: 1}}\nc: {}{{<<: *a}}{}", "[".repeat(240), "]".repeat(240)))),
    ("merge deep below often", || {
        let inner = "{<<: *a}, ".repeat(50_000);
        file(format!("a: &a {{b: 1}}\nc: {}{inner}{}", "[".repeat(240), "]".repeat(240)))
    }),
    // Width.
    ("keys", || lines(500_000, |number| format!("key{number}: {number}"))),
    ("keys in flow", || {
        let keys: String = (0..500_000).map(|number| format!("key{number}: {number}, ")).collect();
        file(format!("{{{keys}}}"))
    }),
    ("one key again and again", || lines(300_000, |number| format!("key: {number}"))),
    ("one key in quotes again and again", || lines(300_000, |number| format!("'key': {number}"))),
    ("items", || lines(MILLION, |_| "- 1".into())),
    ("items in flow", || file(format!("a: [{}]", "1, ".repeat(2 * MILLION)))),
    ("empty items in flow", || file(format!("a: [{}]", "[], ".repeat(500_000)))),
    ("empty mappings in flow", || file(format!("a: [{}]", "{}, ".repeat(500_000)))),
    ("long lists", || lines(20_000, |number| format!("k{number}: [{}]", "1, ".repeat(65)))),
    ("long lists in mappings in a list", || {
        lines(10_000, |number| format!("- a: !core/ndarray-1.1.0 {{data: [{}]}}\n  b: {number}", "1, ".repeat(65)))
    }),
    ("a long list that ends otherwise", || file(format!("a: {}{}\"\"]", "[1, ".repeat(8), "1, ".repeat(MILLION)))),
    ("long lists that end otherwise", || lines(1000, |_| format!("- {}{}\"\"", "[".repeat(8), "1, ".repeat(500)))),
    ("items that turn out to be text", || file(format!("a: |\n{}", "  - 1\n".repeat(MILLION)))),
    ("tags of runs", || lines(100_000, |number| format!("a{number}: !t{number} x\nb{number}: y"))),
    ("runs of two", || lines(200_000, |number| format!("a{number}: x\nb{number}: y\n# c"))),
    ("commas", || file(format!("a: [{}]", ",".repeat(MILLION)))),
    ("colons in flow", || file(format!("a: {{{}}}", ": , ".repeat(300_000)))),
    ("question marks in flow", || file(format!("a: {{{}}}", "? ".repeat(300_000)))),
    ("exclamation marks", || file(format!("a: {}", "! ".repeat(300_000)))),
    ("ampersands", || file(format!("a: {}", "&".repeat(300_000)))),
    ("quotes", || file(format!("a: {}", "'".repeat(2 * MILLION)))),
    ("quote after quote", || file(format!("a: {}", "\"\" ".repeat(300_000)))),
    ("dashes", || file("-".repeat(2 * MILLION))),
    ("document starts", || file("---\n".repeat(300_000))),
    ("tabs", || file("\t".repeat(MILLION))),
    ("indented comments", || lines(300_000, |number| format!("{}# c", " ".repeat(number % 20)))),
    ("possible keys", || file("a ".repeat(2 * MILLION))),
    ("possible keys in flow", || file(format!("{{{}}}", "a ".repeat(2 * MILLION)))),
    ("possible keys line by line in flow", || file(format!("{{{}}}", "\"a\"\n ".repeat(300_000)))),
    ("possible keys in brackets", || file(format!("[{}]", "[a\n".repeat(200)))),
    // Long texts.
    ("a plain scalar", || file(format!("a: {}", "x".repeat(10 * MILLION)))),
    ("a plain scalar of lines", || file(format!("a:\n{}", "  xy\n".repeat(2 * MILLION)))),
    ("a plain scalar of empty lines", || file(format!("a: b\n{}  c", "\n".repeat(10 * MILLION)))),
    ("a quoted scalar", || file(format!("a: '{}'", "x".repeat(10 * MILLION)))),
    ("a scalar of quotes", || file(format!("a: '{}'", "''".repeat(5 * MILLION)))),
    ("a scalar of escapes", || file(format!("a: \"{}\"", "\\u263A".repeat(MILLION)))),
    ("a scalar of escaped breaks", || file(format!("a: \"{}\"", "\\\n ".repeat(2 * MILLION)))),
    ("a literal scalar", || file(format!("a: |\n{}", "  text\n".repeat(MILLION)))),
    ("a literal scalar of empty lines", || file(format!("a: |+\n{}", "\n".repeat(10 * MILLION)))),
    ("a folded scalar", || file(format!("a: >\n{}", "  text\n\n".repeat(MILLION)))),
    ("a folded scalar of blanks", || file(format!("a: >\n  b\n{}", format!("{}\n", " ".repeat(1000)).repeat(5000)))),
    ("a key", || file(format!("{}: 1", "x".repeat(MILLION)))),
    ("a key behind a question mark", || file(format!("? {}\n: 1", "x".repeat(10 * MILLION)))),
    ("a comment", || file(format!("a: 1 #{}", "x".repeat(10 * MILLION)))),
    ("comments", || lines(MILLION, |_| "# c".into())),
    ("a tag", || file(format!("a: !{} 1", "x".repeat(10 * MILLION)))),
    ("a tag of escapes", || file(format!("a: !{} 1", "%41".repeat(MILLION)))),
    ("a verbatim tag", || file(format!("a: !<{}> 1", "x".repeat(10 * MILLION)))),
    ("tags", || lines(200_000, |number| format!("- !t{number} 1"))),
    ("long tags by a long prefix", || {
        let tree: String = (0..20_000).map(|number| format!("- !p!{number} a\n")).collect();
        format!("#ASDF 1.0.0\n%YAML 1.1\n%TAG !p! tag:{}\n---\n{tree}...\n", "x".repeat(MILLION)).into_bytes()
    }),
    ("digits", || file(format!("a: {}\nb: -{}", "7".repeat(5 * MILLION), "1".repeat(4000)))),
    ("hexadecimal digits", || file(format!("a: 0x{}\nb: 0x{}", "f".repeat(5 * MILLION), "f".repeat(4000)))),
    ("binary digits", || file(format!("a: 0b{}", "1".repeat(5 * MILLION)))),
    ("octal digits", || file(format!("a: 0{}", "7".repeat(5 * MILLION)))),
    ("sexagesimal digits", || file(format!("a: 1{}\nb: 1{}.5", ":10".repeat(MILLION), ":10".repeat(MILLION)))),
    ("underscores", || file(format!("a: 1{}", "_".repeat(5 * MILLION)))),
    ("many long integers", || lines(5000, |_| format!("- {}", "9".repeat(4000)))),
    ("a float of digits", || file(format!("a: 0.{}1e-5", "0".repeat(5 * MILLION)))),
    ("an exponent", || file(format!("a: 1.0e+{}", "9".repeat(5 * MILLION)))),
    ("bytes in base64", || file(format!("a: !!binary {}", "AAAA".repeat(2 * MILLION)))),
    ("a timestamp", || file(format!("a: 2000-01-01 00:00:00.{}", "1".repeat(5 * MILLION)))),
    ("a complex number", || file(format!("a: !core/complex-1.0.0 1.{}+1j", "1".repeat(5 * MILLION)))),
    ("Unicode line breaks", || file(format!("a: \"{}\"", "x\u{85}".repeat(900_000)))),
    ("more Unicode line breaks", || file(format!("a: \"{}\"", "\u{2028}".repeat(2 * MILLION)))),
    // Directives and header lines.
    ("unknown directives", || {
        format!("#ASDF 1.0.0\n%YAML 1.1\n{}---\n{{}}\n...\n", "%FOO bar\n".repeat(300_000)).into()
    }),
    ("TAG directives", || {
        let tags: String = (0..200_000).map(|number| format!("%TAG !t{number}! tag:t{number}:\n")).collect();
        format!("#ASDF 1.0.0\n%YAML 1.1\n{tags}---\na: !t5!x 1\n...\n").into()
    }),
    ("YAML directives", || format!("#ASDF 1.0.0\n{}---\n{{}}\n...\n", "%YAML 1.1\n".repeat(300_000)).into()),
    ("a version", || format!("#ASDF 1.0.0\n%YAML {}.1\n---\n{{}}\n...\n", "1".repeat(MILLION)).into()),
    ("comments before the tree", || {
        format!("#ASDF 1.0.0\n{}%YAML 1.1\n---\n{{}}\n...\n", "#c\n".repeat(MILLION)).into()
    }),
    ("a comment before the tree", || {
        format!("#ASDF 1.0.0\n#{}\n%YAML 1.1\n---\n{{}}\n...\n", "c".repeat(10 * MILLION)).into()
    }),
    ("no end of the first line", || format!("#ASDF 1.0.0{}", " ".repeat(10 * MILLION)).into()),
    ("no end of the tree", || [&file("a: 1")[..100], &b"\n.. .".repeat(2 * MILLION)[..]].concat()),
    ("almost an end of the tree", || file("... \n".repeat(2 * MILLION))),
    // References.
    ("a reference to itself", || file("a: {$ref: '#/a'}\nb: {$ref: '#'}\nc: {$ref: '#/c/c/c'}")),
    ("references in a circle", || lines(1000, |number| format!("k{number}: {{$ref: '#/k{}'}}", (number + 1) % 1000))),
    ("a chain of references", || chain(1000)),
    ("a long chain of references", || chain(50_000)),
    ("references that lengthen each other", || file(format!("a: {{$ref: '#/a{}'}}", "/a".repeat(500)))),
    ("long pointers", || lines(300, |number| format!("k{number}: {{$ref: '#{}'}}", "/k0".repeat(5000)))),
    ("a pointer of escapes", || file(format!("a: {{$ref: '#/{}'}}", "~1".repeat(MILLION)))),
    ("a pointer of per cents", || file(format!("a: {{$ref: '#/{}'}}", "%2541".repeat(MILLION)))),
    ("references of references", || {
        file("a: {b: {$ref: '#/c'}}\nc: {d: {$ref: '#/e'}}\ne: {f: {$ref: '#/a'}}\ng: {$ref: '#/a/b/d/f/b/d/f/b'}")
    }),
    // Arrays.
    ("elements in one place", || on_block("shape: [1000000000000], strides: [0], datatype: int8")),
    ("elements in one place in all dimensions", || {
        on_block("shape: [100000, 100000, 100000], strides: [0, 0, 0], datatype: int8")
    }),
    ("as many elements as can be counted", || on_block("shape: [9223372036854775807], strides: [0], datatype: int8")),
    ("more elements than can be counted", || {
        on_block("shape: [9223372036854775807, 9223372036854775807], strides: [0, 0], datatype: float64")
    }),
    ("strides that cancel out", || {
        on_block("shape: [3, 3], strides: [9223372036854775807, -9223372036854775807], datatype: int8")
    }),
    ("strides beyond", || {
        on_block("shape: [2, 2], strides: [-9223372036854775808, 9223372036854775807], datatype: int8")
    }),
    ("no elements of a great shape", || {
        on_block("shape: [0, 9223372036854775807, 9223372036854775807], datatype: float64")
    }),
    ("rows without end", || on_block("shape: ['*', 9223372036854775807], datatype: float64")),
    ("rows of nothing", || on_block("shape: ['*', 0], datatype: float64")),
    ("rows with a great stride", || on_block("shape: ['*', 1], strides: [9223372036854775807, 1], datatype: int8")),
    ("rows with no stride", || on_block("shape: ['*'], strides: [0], datatype: int8")),
    ("a great offset", || on_block("shape: [1], offset: 9223372036854775807, datatype: int8")),
    ("thirty-two dimensions", || on_block(&format!("shape: [{}], datatype: int8", "1, ".repeat(32)))),
    ("thirty-two great dimensions", || {
        on_block(&format!("shape: [{}], strides: [{}], datatype: int8", "2, ".repeat(32), "1, ".repeat(32)))
    }),
    ("thirty-three dimensions", || on_block(&format!("shape: [{}], datatype: int8", "1, ".repeat(33)))),
    ("a million dimensions", || on_block(&format!("shape: [{}], datatype: int8", "1, ".repeat(MILLION)))),
    ("great strings", || on_block("shape: [1], datatype: [ucs4, 4611686018427387903]")),
    ("fields", || on_block(&format!("shape: [1], datatype: [{}]", "{datatype: int8}, ".repeat(200_000)))),
    ("fields of fields", || {
        let fields = "{datatype: int8, shape: [9223372036854775807]}, ".repeat(100);
        on_block(&format!("shape: [0], datatype: [{fields}]"))
    }),
    ("arrays with warnings", || {
        let each = "!core/ndarray-1.1.0 {source: 0, byteorder: little, datatype: int8, shape: [2], strides: [0]}";
        let tree: String = (0..20_000).map(|_| format!("- {each}\n")).collect();
        [file(tree), block(&[0; 4], &[1; 64], 64, 64, 64)].concat()
    }),
    ("arrays without blocks", || {
        lines(20_000, |number| {
            format!("- !core/ndarray-1.1.0 {{source: {number}, byteorder: little, datatype: int8, shape: [2]}}")
        })
    }),
    ("inline numbers", || file(format!("a: !core/ndarray-1.1.0 {{data: [{}]}}", "1, ".repeat(MILLION)))),
    ("inline lists of nothing", || file(format!("a: !core/ndarray-1.1.0 {{data: [{}]}}", "[], ".repeat(300_000)))),
    ("inline lists of no length", || {
        file(format!("a: !core/ndarray-1.1.0 {{data: [{}[1]]}}", "[1, 2], ".repeat(300_000)))
    }),
    ("inline strings of one great one", || {
        file(format!("a: !core/ndarray-1.1.0 {{data: [{}, {}]}}", "x".repeat(MILLION), "'', ".repeat(100_000)))
    }),
    ("inline data with a great shape", || {
        file("a: !core/ndarray-1.1.0 {data: [1], shape: [9223372036854775807], datatype: int8}")
    }),
    ("an integer of many words", || {
        file(format!(
            "a: !core/integer-1.0.0 {{sign: +, words: !core/ndarray-1.0.0 {{datatype: uint32, data: [{}]}}}}",
            "4294967295, ".repeat(100_000)
        ))
    }),
    ("integers of as many words as there may be", || {
        let one = "4294967295, ".repeat(9_999);
        let array = format!("!core/ndarray-1.0.0 {{datatype: uint32, data: [{one}]}}");
        file(format!(
            "w: &w {array}\na: !core/integer-1.0.0 {{sign: +, words: *w}}\nb: !core/integer-1.0.0 {{sign: '-', words: *w}}"
        ))
    }),
    // Compression.
    ("zeros by zlib", || compressed(Codec::Zlib, ZEROS, ZEROS as u64, "datatype: int8, shape: [1024]")),
    ("zeros by bzp2", || compressed(Codec::Bzp2, ZEROS, ZEROS as u64, "datatype: int8, shape: [1024]")),
    ("zeros by lz4f", || compressed(Codec::Lz4f, ZEROS, ZEROS as u64, "datatype: int8, shape: [1024]")),
    ("zeros by lz4f, said to be few", || compressed(Codec::Lz4f, ZEROS, 1024, "datatype: int8, shape: [1024]")),
    ("zeros by lz4f, said to be many", || compressed(Codec::Lz4f, 1024, 1 << 40, "datatype: int8, shape: ['*']")),
    #[cfg(feature = "zstd")]
    ("zeros by zstd", || compressed(Codec::Zstd, ZEROS, ZEROS as u64, "datatype: int8, shape: [1024]")),
    #[cfg(feature = "zstd")]
    ("zeros by zstd, said to be few", || compressed(Codec::Zstd, ZEROS, 1024, "datatype: int8, shape: [1024]")),
    #[cfg(feature = "zstd")]
    ("zeros by zstd, said to be many", || compressed(Codec::Zstd, 1024, 1 << 40, "datatype: int8, shape: ['*']")),
    ("zeros by lz4", || compressed(Codec::Lz4, ZEROS, ZEROS as u64, "datatype: int8, shape: [1024]")),
    ("zeros by zlib, said to be few", || compressed(Codec::Zlib, ZEROS, 1024, "datatype: int8, shape: [1024]")),
    ("zeros by bzp2, said to be few", || compressed(Codec::Bzp2, ZEROS, 1024, "datatype: int8, shape: [1024]")),
    ("zeros by lz4, said to be few", || compressed(Codec::Lz4, ZEROS, 1024, "datatype: int8, shape: [1024]")),
    ("zeros by zlib, said to be many", || compressed(Codec::Zlib, 1024, 1 << 40, "datatype: int8, shape: ['*']")),
    ("zeros by bzp2, said to be many", || compressed(Codec::Bzp2, 1024, 1 << 40, "datatype: int8, shape: ['*']")),
    ("zeros by lz4, said to be many", || compressed(Codec::Lz4, 1024, 1 << 40, "datatype: int8, shape: ['*']")),
    ("zeros by zlib backwards", || {
        compressed(Codec::Zlib, 1024, 1 << 62, "datatype: int8, shape: [1024], strides: [-1], offset: 1023")
    }),
    ("zeros by lz4 one by one", || {
        compressed(Codec::Lz4, ZEROS, ZEROS as u64, "datatype: int8, shape: [64, 1024], strides: [0, 65536]")
    }),
    // Blocks.
    ("blocks", || many_blocks(200_000, false)),
    ("blocks with an index", || many_blocks(200_000, true)),
    ("an index of nothing", || {
        [
            file("a: 1"),
            block(&[0; 4], &[], 0, 0, 0),
            b"#ASDF BLOCK INDEX\n%YAML 1.1\n---\n".to_vec(),
            b"- 0\n".repeat(2 * MILLION),
            b"...\n".to_vec(),
        ]
        .concat()
    }),
    ("an index in brackets", || {
        [
            file("a: 1"),
            block(&[0; 4], &[], 0, 0, 0),
            b"#ASDF BLOCK INDEX\n%YAML 1.1\n--- ".to_vec(),
            b"[".repeat(2 * MILLION),
            b"\n...\n".to_vec(),
        ]
        .concat()
    }),
    ("index after index", || {
        [file("a: 1"), block(&[0; 4], &[], 0, 0, 0), b"#ASDF BLOCK INDEX\n".repeat(200_000)].concat()
    }),
    ("padding", || [file("a: 1"), vec![0; 10 * MILLION], block(&[0; 4], &[], 0, 0, 0)].concat()),
    ("almost blocks", || [file("a: 1"), b"\xD3BL".repeat(2 * MILLION)].concat()),
    ("blocks that cannot be", || [file("a: 1"), b"\xD3BLK".repeat(2 * MILLION)].concat()),
    ("nothing", Vec::new),
    ("zeros", || vec![0; 10 * MILLION]),
];
