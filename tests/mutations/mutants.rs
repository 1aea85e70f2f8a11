//! Damaged files, derived from valid ones. Each can be reproduced from its number.

use crate::fits;
use crate::random::Lcg;
use asdfkit::array::ScalarType;
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{ArrayData, ArrayOptions, File, NewOptions, Storage, WriteOptions};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Requirement for a damaged file, in addition to causing no harm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    /// The damage may be unnoticed, because the result is another valid file.
    Free,
    /// The content is unchanged, or there is an error or warning.
    Told,
    /// The content is unchanged.
    Harmless,
}

/// A valid file and the places of its parts.
pub(crate) struct Base {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    tree: Range<usize>,
    /// Offsets of the block headers, with the ranges of the payloads.
    blocks: Vec<(usize, Range<usize>)>,
    streamed: bool,
    /// Other files that it refers to.
    beside: Option<tempfile::TempDir>,
}

/// A file with one kind of damage.
pub(crate) struct Mutant {
    pub(crate) kind: &'static str,
    pub(crate) rule: Rule,
    pub(crate) bytes: Vec<u8>,
}

impl Base {
    fn new(name: String, bytes: Vec<u8>) -> Base {
        let find = |what: &[u8], from: usize| {
            bytes[from..].windows(what.len()).position(|window| window == what).map(|at| from + at)
        };
        let start = find(b"%YAML", 0).unwrap_or(0);
        let end = find(b"\n...", start).map_or(start, |at| at + 4);
        let mut blocks = Vec::new();
        let mut streamed = false;
        let mut from = end;
        while let Some(at) = find(b"\xD3BLK", from) {
            let number = |at: usize| u64::from_be_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
            let payload = at + 6 + usize::from(u16::from_be_bytes([bytes[at + 4], bytes[at + 5]]));
            streamed |= bytes[at + 9] & 1 != 0;
            let used = if streamed { bytes.len() - payload } else { number(at + 22) };
            blocks.push((at, payload..payload + used));
            from = if streamed { bytes.len() } else { payload + number(at + 14) };
        }
        Base { name, bytes, tree: start..end, blocks, streamed, beside: None }
    }

    /// Returns the same file with the other files that it refers to.
    fn with(mut self, others: &[(&str, &[u8])]) -> Base {
        let directory = tempfile::tempdir().unwrap();
        others.iter().for_each(|(name, bytes)| std::fs::write(directory.path().join(name), bytes).unwrap());
        self.name = format!("with-others-{}", self.name);
        self.beside = Some(directory);
        self
    }

    /// Returns the directory of the files that it refers to.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.beside.as_ref().map(|directory| directory.path())
    }

    fn index(&self) -> Range<usize> {
        let from = self.blocks.last().map_or(self.bytes.len(), |(_, payload)| payload.end);
        let marker: &[u8] = b"#ASDF BLOCK INDEX";
        let start = self.bytes[from..].windows(marker.len()).position(|window| window == marker);
        start.map_or(self.bytes.len(), |at| from + at)..self.bytes.len()
    }
}

/// Returns the files to damage: the official reference files of one version, the example in C, and files of this
/// library with each codec and with masks. Files that refer to others are included twice, with and without the others.
pub(crate) fn bases() -> Vec<Base> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let reference = std::env::var_os("ASDFKIT_REFERENCE_FILES")
        .map_or_else(|| root.join("build/reference_files"), PathBuf::from)
        .join("1.6.0");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(reference)
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "asdf"));
    paths.push(root.join("examples-c/quickstart.asdf"));
    paths.sort();
    let read =
        |path: &PathBuf| Base::new(path.file_name().unwrap().to_string_lossy().into(), std::fs::read(path).unwrap());
    let mut bases: Vec<Base> = paths.iter().map(read).collect();
    bases.push(Base::new("codecs.asdf".into(), codecs()));
    bases.push(Base::new("product.fits".into(), fits::file()));
    bases.push(Base::new("masks.asdf".into(), masks("flags.asdf")));
    bases.push(Base::new("masks.asdf".into(), masks("flags.asdf")).with(&[("flags.asdf", &masks("masks.asdf"))]));
    let exploded = |end: &str| paths.iter().find(|path| path.ends_with(format!("exploded{end}.asdf"))).map(read);
    if let (Some(exploded), Some(part)) = (exploded(""), exploded("0000")) {
        bases.push(exploded.with(&[("exploded0000.asdf", &part.bytes)]));
    }
    bases
}

/// Arrays with masks of each kind; some masks are in another file.
fn masks(other: &str) -> Vec<u8> {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let numbers: Vec<u8> = (0..24i16).flat_map(|number| (number % 5).to_ne_bytes()).collect();
    let data = ArrayData::new(ScalarType::Int16, &[4, 6], Arc::new(numbers));
    let inline = ArrayOptions { storage: Storage::Inline, ..ArrayOptions::default() };
    let packed = Compression::new(Codec::Zlib, None).unwrap();
    let packed = ArrayOptions { compression: Some(packed), ..ArrayOptions::default() };
    for (name, options) in [("number", &packed), ("row", &packed), ("inline", &inline), ("reference", &inline)] {
        root.set_array_data(name, &data, options).unwrap();
    }
    root.set_array_data("elsewhere", &data, &inline).unwrap();
    root.set_i64("number/mask", 3).unwrap();
    let flags = ArrayData::new(ScalarType::Bool8, &[6], Arc::new(vec![0, 1, 0, 0, 1, 0]));
    root.set_array_data("row/mask", &flags, &ArrayOptions::default()).unwrap();
    root.set_array_data("inline/mask", &flags, &inline).unwrap();
    root.set_array_data("flags", &flags, &ArrayOptions::default()).unwrap();
    root.set_reference("reference/mask", "#/flags").unwrap();
    root.set_reference("elsewhere/mask", &format!("{other}#/flags")).unwrap();
    root.set_array_data("null", &ArrayData::new(ScalarType::Int16, &[2], Arc::new(vec![0; 4])), &inline).unwrap();
    root.set_null("null/data/1").unwrap();
    file.write_to_memory(&WriteOptions::default()).unwrap()
}

fn codecs() -> Vec<u8> {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let numbers: Vec<u8> = (0..600u16).flat_map(|number| (number / 7 * 7).to_ne_bytes()).collect();
    for &codec in Codec::ALL {
        let data = ArrayData::new(ScalarType::Uint16, &[20, 30], Arc::new(numbers.clone()));
        let compression = Some(Compression::new(codec, None).unwrap());
        let options = ArrayOptions { compression, slack: 10, ..ArrayOptions::default() };
        root.set_array_data(codec.name(), &data, &options).unwrap();
    }
    file.write_to_memory(&WriteOptions::default()).unwrap()
}

/// Produces all mutants of a file, always in the same order. Random mutants depend on `seed`.
pub(crate) fn each(base: &Base, seed: u64, out: &mut dyn FnMut(Mutant)) {
    let mut random = Lcg::new(seed ^ base.bytes.len() as u64);
    truncations(base, out);
    headers(base, out);
    tokens(base, out);
    tree_bytes(base, &mut random, out);
    payloads(base, &mut random, out);
    indices(base, &mut random, out);
    splices(base, &mut random, out);
    fits::cards(base, out);
}

fn truncations(base: &Base, out: &mut dyn FnMut(Mutant)) {
    let length = base.bytes.len();
    let tell_tale = |at: &usize| {
        let near = |place: usize| at.abs_diff(place) < 64;
        length < 10_000
            || *at < base.tree.end + 64
            || at.is_multiple_of(997)
            || near(length)
            || base.blocks.iter().any(|(header, payload)| near(*header) || near(payload.end))
    };
    for at in (0..length).filter(tell_tale) {
        // A stream has as many rows as are present, and header lines alone are a valid file.
        let whole = (base.streamed && at >= base.blocks[0].1.start)
            || (at <= base.tree.start && base.bytes[..at].ends_with(b"\n"));
        let rule = if whole { Rule::Free } else { Rule::Told };
        out(Mutant { kind: "truncated", rule, bytes: base.bytes[..at].to_vec() });
    }
}

fn headers(base: &Base, out: &mut dyn FnMut(Mutant)) {
    let length = base.bytes.len() as u64;
    let rule = if base.streamed { Rule::Free } else { Rule::Told };
    for (header, payload) in &base.blocks {
        for bit in 0..54 * 8 {
            let mut bytes = base.bytes.clone();
            bytes[header + bit / 8] ^= 1 << (bit % 8);
            out(Mutant { kind: "bit of a header", rule, bytes });
        }
        let size = payload.len() as u64;
        let values = [
            0,
            1,
            size - size.min(1),
            size + 1,
            size * 2,
            length,
            length - *header as u64,
            1 << 31,
            (1 << 32) - 1,
            1 << 32,
            1 << 62,
            i64::MAX as u64 - 1,
            i64::MAX as u64,
            1 << 63,
            u64::MAX - 53,
            u64::MAX,
        ];
        for value in values {
            // Allocated, used and data size each, then the first two, then all.
            for fields in [&[14][..], &[22], &[30], &[14, 22], &[14, 22, 30]] {
                let mut bytes = base.bytes.clone();
                for field in fields {
                    bytes[header + field..][..8].copy_from_slice(&value.to_be_bytes());
                }
                out(Mutant { kind: "size in a header", rule, bytes });
            }
        }
        for value in [0u16, 1, 47, 49, 64, 255, 0x7FFF, 0xFFFF] {
            let mut bytes = base.bytes.clone();
            bytes[header + 4..][..2].copy_from_slice(&value.to_be_bytes());
            out(Mutant { kind: "size of a header", rule, bytes });
        }
        for label in [
            b"zlib",
            b"bzp2",
            b"lz4\0",
            b"zstd",
            b"lz4f",
            b"blsc",
            b"input"[..4].try_into().unwrap(),
            b"\0\0\0z",
            &[0xFF; 4],
        ] {
            let mut bytes = base.bytes.clone();
            bytes[header + 10..][..4].copy_from_slice(label);
            out(Mutant { kind: "label", rule, bytes });
        }
    }
}

const HOSTILE: [&str; 30] = [
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
    "-1",
    "0",
    "1",
    "4611686018427387904",
    "1e400",
    ".nan",
    "[]",
    "{}",
    "'*'",
    "['*', '*']",
    "['*', 9223372036854775807]",
    "[9223372036854775807, 9223372036854775807]",
    "[0, 9223372036854775807]",
    "[-1]",
    "[1, [2, [3]]]",
    "[[[[[]]]]]",
    "*none",
    "&loop [*loop]",
    "~",
    "''",
    "\"\\uD800\"",
    "!core/ndarray-1.0.0 {source: 0}",
    "{$ref: '#'}",
    "{$ref: 'other.asdf#/a'}",
    "[ucs4, 4611686018427387904]",
    "[{name: a, datatype: [ascii, 9223372036854775807]}, {datatype: int8, shape: [9223372036854775807, 2]}]",
];
const KEYS: [&str; 9] = ["source", "datatype", "byteorder", "shape", "offset", "strides", "data", "mask", "unknown"];

/// Replaces the text after each colon and each word, and adds unexpected keys to arrays.
fn tokens(base: &Base, out: &mut dyn FnMut(Mutant)) {
    let tree = &base.bytes[base.tree.clone()];
    let mut replace = |range: Range<usize>, with: &str| {
        let mut bytes = base.bytes[..base.tree.start + range.start].to_vec();
        bytes.extend(with.as_bytes());
        bytes.extend(&base.bytes[base.tree.start + range.end..]);
        out(Mutant { kind: "token", rule: Rule::Free, bytes });
    };
    let mut at = 0;
    for line in tree.split_inclusive(|&byte| byte == b'\n') {
        let end = at + line.len() - 1;
        if let Some(colon) = line.windows(2).position(|pair| pair == b": ") {
            for value in HOSTILE {
                replace(at + colon + 2..end, value);
            }
        }
        if line.windows(8).any(|window| window == b"ndarray-") {
            let next = &tree[at + line.len()..];
            let indent = next.iter().take_while(|&&byte| byte == b' ').count();
            for key in KEYS {
                for value in HOSTILE {
                    replace(end..end, &format!("\n{}{key}: {value}", " ".repeat(indent)));
                }
            }
        }
        at += line.len();
    }
}

fn tree_bytes(base: &Base, random: &mut Lcg, out: &mut dyn FnMut(Mutant)) {
    for number in 0..400 {
        let mut bytes = base.bytes.clone();
        let at = random.below(base.tree.end);
        match number % 4 {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes[at] = *random.pick(b"[]{}:,-?*&!|>'\"%@#\n \t\r\0<=."),
            _ => drop(bytes.remove(at)),
        }
        out(Mutant { kind: "byte of the tree", rule: Rule::Free, bytes });
    }
}

fn payloads(base: &Base, random: &mut Lcg, out: &mut dyn FnMut(Mutant)) {
    for (header, payload) in base.blocks.iter().filter(|(_, payload)| !payload.is_empty()) {
        let has_checksum = base.bytes[header + 38..header + 54] != [0; 16] && !base.streamed;
        let rule = if has_checksum { Rule::Told } else { Rule::Free };
        for _ in 0..200 {
            let mut bytes = base.bytes.clone();
            bytes[payload.start + random.below(payload.len())] ^= 1 << random.below(8);
            out(Mutant { kind: "bit of a payload", rule, bytes });
        }
    }
}

fn indices(base: &Base, random: &mut Lcg, out: &mut dyn FnMut(Mutant)) {
    let index = base.index();
    if index.is_empty() || base.blocks.is_empty() || base.streamed {
        return;
    }
    let mut with = |text: Vec<u8>| {
        let mut bytes = base.bytes[..index.start].to_vec();
        bytes.extend(text);
        out(Mutant { kind: "index", rule: Rule::Harmless, bytes });
    };
    let old = &base.bytes[index.clone()];
    for at in 0..old.len() {
        with(old[..at].to_vec());
        let mut text = old.to_vec();
        text[at] ^= 1 << random.below(8);
        with(text);
        let mut text = old.to_vec();
        text[at] = *random.pick(b"0123456789[]- \n");
        with(text);
    }
    for offsets in HOSTILE.iter().map(|value| value.to_string()).chain([format!("[{}, 0]", base.blocks[0].0)]) {
        with(format!("#ASDF BLOCK INDEX\n%YAML 1.1\n--- {offsets}\n...\n").into_bytes());
        with(format!("#ASDF BLOCK INDEX\n%YAML 1.1\n---\n- {}\n- {offsets}\n...\n", base.blocks[0].0).into_bytes());
    }
}

/// Doubles, moves and omits parts, and zeroes parts as a power cut does.
fn splices(base: &Base, random: &mut Lcg, out: &mut dyn FnMut(Mutant)) {
    let bytes = &base.bytes;
    let mut piece = || {
        let (one, other) = (random.below(bytes.len()), random.below(bytes.len()));
        one.min(other)..one.max(other)
    };
    for number in 0..120 {
        let (from, to) = (piece(), piece());
        let mut bytes = bytes.clone();
        match number % 4 {
            0 => drop(bytes.splice(to, base.bytes[from].iter().copied())),
            1 => drop(bytes.splice(to.start..to.start, base.bytes[from].iter().copied())),
            2 => drop(bytes.drain(from)),
            _ => bytes[from].fill(0),
        }
        out(Mutant { kind: "splice", rule: Rule::Free, bytes });
    }
    let crlf: Vec<u8> =
        bytes.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] }).collect();
    let rule = if base.streamed { Rule::Free } else { Rule::Told };
    out(Mutant { kind: "CRLF", rule, bytes: crlf });
    out(Mutant { kind: "BOM", rule: Rule::Told, bytes: [b"\xEF\xBB\xBF", &bytes[..]].concat() });
}
