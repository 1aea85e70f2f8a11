//! Damaged descriptions: no panics, and each diagnostic has a place in the text.
//!
//! The text below and `tests/corpora/ndl-samples` are damaged; `ASDFKIT_SAMPLES` adds more. `ASDFKIT_NDL_MUTATIONS` is the number of random damages of each
//! text. If it is set, texts are cut at every byte, otherwise long texts only at some bytes.

use asdfkit::ndl::{Code, ReadOptions, Severity, parse};
use std::path::{Path, PathBuf};

const TEXT: &str = "\
%YAML 1.2
---
x-a: &x {a: [1, 'b', \"c\\n\", !!str 5, |-
  text], ? k : v}
/:
  attributes: {n: 1, f: 0x1F, t: true, s: {shape: [2, 1], type: string, value: [[a], [\"b\"]], storage: {charset: ascii}}}
/g/h é:
  dimcoords:
    t: {size: null, type: float32, storage: {size: 2, chunk: [4]}, value: [0.1, .nan]}
  ndarrays:
    a:
      shape: [t, 3, /g/h é/t]
      type:
        compound:
          - k: {enum: {base: uint8, members: {OFF: 0, ON: 200}}}
          - o: {opaque: {size: 2, tag: raw, x-p: *x}}
          - m: {array: {base: int16, shape: [2]}}
      storage: {endian: big, filter: [shuffle, {deflate: {level: 4}}], fillvalue: [OFF, AA==, [1, 2]]}
    r: {shape: [], type: {regref: {selection: block}}, value: {target: /g/h é/t, start: [1], opposite: [0]}}
    e: {shape: [2], type: {regref: {selection: element}}, value: [{target: /g/h é/a, selection: [[0, 1, 0]]}, null]}
    p: {shape: [2], type: objref, value: [/g, null], storage: {shape: [2]}}
    v: {shape: [1], type: {vlen: {base: uint64}}, value: [[18446744073709551615]]}
";

/// Bytes that have a meaning somewhere in the language.
const BYTES: &[u8] = b"{}[]:,?-&*!|>'\"%@`#~ \n\r\t0123456789.eExob/\\<=+_TtNn\0\x7F\x80\xC3\xE2\xFF";

fn check(bytes: &[u8], strict: bool) {
    let parsed = parse(bytes, &ReadOptions { strict, ..ReadOptions::default() });
    let lines = 1 + bytes.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count() as u64;
    for diagnostic in &parsed.diagnostics {
        let is_placed = (1..=lines).contains(&diagnostic.line) && diagnostic.column >= 1;
        assert!(is_placed && !diagnostic.message.is_empty(), "{diagnostic} of {}", String::from_utf8_lossy(bytes));
        assert!(!strict || diagnostic.severity == Severity::Error);
        assert!(Code::ALL.contains(&diagnostic.code));
    }
    assert_eq!(parsed.is_valid(), parsed.error_count == 0);
    for (path, ndarray) in parsed.description.ndarrays.iter() {
        let _ = ndarray.byte_count();
        let (Some(value), Some(datatype)) = (&ndarray.value, &ndarray.datatype) else { continue };
        let count: u64 = value.shape().iter().product();
        assert_eq!(count, value.elements().len() as u64, "{path}");
        assert!(value.elements().are_of(datatype), "{path}");
    }
}

fn texts() -> Vec<Vec<u8>> {
    let mut texts = vec![TEXT.as_bytes().to_vec()];
    let more = std::env::var_os("ASDFKIT_SAMPLES").map(PathBuf::from);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora");
    for folder in std::iter::once(own).chain(more) {
        for entry in std::fs::read_dir(folder.join("ndl-samples")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                texts.push(std::fs::read(path).unwrap());
            }
        }
    }
    texts.sort();
    texts.dedup();
    println!("{} descriptions", texts.len());
    assert!(texts.len() > 170);
    texts
}

/// Random numbers by xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn mutated(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = text.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(out.len() + 1);
        let end = (at + random.below(12)).min(out.len());
        match random.below(5) {
            0 => drop(out.drain(at..end)),
            1 => out.insert(at, BYTES[random.below(BYTES.len())]),
            2 => {
                if let Some(byte) = out.get_mut(at) {
                    *byte = BYTES[random.below(BYTES.len())];
                }
            }
            3 => {
                let piece = out[at..end].to_vec();
                let to = random.below(out.len() + 1);
                out.splice(to..to, piece);
            }
            _ => {
                let from = random.below(other.len());
                let to = (from + random.below(60)).min(other.len());
                out.splice(at..end, other[from..to].iter().copied());
            }
        }
    }
    out
}

#[test]
fn damaged_texts_are_read_without_panic_and_each_diagnostic_has_a_place() {
    let asked = std::env::var("ASDFKIT_NDL_MUTATIONS").ok().map(|count| count.parse::<usize>().unwrap());
    let texts = texts();
    check(TEXT.as_bytes(), false);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for text in &texts {
        // The time for all cuts of a text grows with the square of its length.
        let step = if asked.is_some() { 1 } else { 1 + text.len() / 200 };
        for end in (0..text.len()).step_by(step) {
            check(&text[..end], end % 2 == 0);
        }
        for _ in 0..asked.unwrap_or(20) {
            let other = &texts[random.below(texts.len())];
            check(&mutated(text, other, &mut random), random.below(2) == 0);
        }
    }
}
