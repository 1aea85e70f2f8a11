//! Runs a corpus of pairs: `NAME.asdf` with blocks, and `NAME.yaml` with the same content and all arrays inline.
//!
//! A file without a partner must open and be readable completely.

use crate::described::can_be_described;
use crate::typed_json::{same_float, text_of};
use crate::verdict::{Findings, Verdict};
use crate::walk::{read_as, touch};
use asdfkit::Error;
use asdfkit::array::{Datatype, ScalarType};
use asdfkit::file::{Access, File, Node, NodeKey, NodeType, OpenOptions};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Returns the verdict of each `.asdf` file in a directory and its subdirectories, in the order of their names.
pub(crate) fn run(directory: &Path) -> Result<Vec<(String, Verdict)>, String> {
    let mut verdicts = Vec::new();
    for path in files_below(directory).map_err(|error| format!("{}: {error}", directory.display()))? {
        let mut findings = Findings::new(false);
        judge(&path, &mut findings);
        let name = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
        verdicts.push((name, findings.verdict()));
    }
    Ok(verdicts)
}

fn files_below(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "asdf") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn judge(path: &Path, findings: &mut Findings) {
    let Some(stored) = open(path, findings) else { return };
    if let Err(error) = stored.verify() {
        findings.differ("", error);
    }
    let partner = path.with_extension("yaml");
    if partner.is_file() {
        let Some(inline) = open(&partner, findings) else { return };
        match (stored.root(), inline.root()) {
            (Ok(stored), Ok(inline)) => Pair { findings, seen: HashSet::new() }.node(&stored, &inline, ""),
            (Err(error), _) | (_, Err(error)) => findings.differ("", error),
        }
        no_warnings(&inline, findings);
    } else {
        for failure in touch(&stored) {
            findings.error(&failure.at, &failure.error);
        }
    }
    no_warnings(&stored, findings);
}

fn open(path: &Path, findings: &mut Findings) -> Option<File> {
    let options = OpenOptions { access: Access::SameDirectory, ..OpenOptions::default() };
    let file = File::open_with(path, &options).map_err(|error| findings.differ("", error)).ok()?;
    can_be_described(&file, findings);
    Some(file)
}

fn no_warnings(file: &File, findings: &mut Findings) {
    if let Some(warning) = file.warnings().first() {
        findings.differ("", format_args!("there is a warning: {warning}"));
    }
}

/// Compares two trees. Each node is visited once, however often it is aliased.
struct Pair<'a> {
    findings: &'a mut Findings,
    seen: HashSet<(u64, u64)>,
}

impl Pair<'_> {
    fn node(&mut self, stored: &Node, inline: &Node, at: &str) {
        if let Err(error) = self.try_node(stored, inline, at) {
            self.findings.error(at, &error);
        }
    }

    fn try_node(&mut self, stored: &Node, inline: &Node, at: &str) -> Result<(), Error> {
        if !self.seen.insert((stored.identity("")?, inline.identity("")?)) {
            return Ok(());
        }
        self.findings.same(at, "the tag", stored.tag("")?, inline.tag("")?);
        if stored.is_array("")? {
            return self.array(stored, inline, at);
        }
        let (kind, other) = (stored.node_type("")?, inline.node_type("")?);
        if kind != other {
            self.findings.differ(at, format_args!("the type is {kind:?}, expected {other:?}"));
            return Ok(());
        }
        match kind {
            NodeType::Sequence => {
                self.findings.same(at, "the number of items", stored.count("")?, inline.count("")?);
                for index in 0..stored.count("")?.min(inline.count("")?) {
                    self.node(&stored.item("", index)?, &inline.item("", index)?, &format!("{at}/{index}"));
                }
                Ok(())
            }
            NodeType::Mapping => self.mapping(stored, inline, at),
            NodeType::Float => {
                let (value, expected) = (stored.f64("")?, inline.f64("")?);
                if !same_float(value, expected) {
                    self.findings.differ(at, format_args!("the value is {value:?}, expected {expected:?}"));
                }
                Ok(())
            }
            NodeType::Bool => {
                self.findings.same(at, "the value", stored.bool("")?, inline.bool("")?);
                Ok(())
            }
            NodeType::Integer => {
                self.findings.same(at, "the value", stored.integer("")?, inline.integer("")?);
                Ok(())
            }
            NodeType::Binary => {
                self.findings.same(at, "the bytes", stored.binary("")?, inline.binary("")?);
                Ok(())
            }
            NodeType::String | NodeType::Timestamp => {
                self.findings.same(at, "the text", stored.string("")?, inline.string("")?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Compares pairs in any order, except root entries about the creation of the files.
    fn mapping(&mut self, stored: &Node, inline: &Node, at: &str) -> Result<(), Error> {
        let (mut ours, mut theirs) = (keys(stored)?, keys(inline)?);
        if at.is_empty() {
            for keys in [&mut ours, &mut theirs] {
                let own = |key: &str| matches!(key, "asdf_library" | "history");
                keys.retain(|(key, _)| !matches!(key, NodeKey::String(text) if own(text)));
            }
        }
        self.findings.same(at, "the number of pairs", ours.len(), theirs.len());
        for (key, index) in &ours {
            let at = format!("{at}/{}", text_of(key));
            match theirs.iter().find(|(other, _)| other == key) {
                Some((_, other)) => self.node(&stored.item("", *index)?, &inline.item("", *other)?, &at),
                None => self.findings.differ(&at, "the key is in one of the files only"),
            }
        }
        Ok(())
    }

    /// Compares elements in the datatype of the stored array.
    fn array(&mut self, stored: &Node, inline: &Node, at: &str) -> Result<(), Error> {
        let array = stored.array("")?;
        let expected = match inline.array("") {
            Ok(expected) => expected,
            Err(error) => {
                self.findings.error(at, &error);
                return Ok(());
            }
        };
        self.findings.same(at, "the shape", array.shape(), expected.shape());
        let elements = read_as(&array, array.datatype()).and_then(|a| Ok((a, read_as(&expected, array.datatype())?)));
        match elements {
            Ok(((_, is), (_, expected))) if is != expected => self.findings.differ(at, "the masks differ"),
            Ok(((is, _), (expected, _))) if same_elements(array.datatype(), &is, &expected) => {}
            Ok(_) => self.findings.differ(at, "the elements differ"),
            Err(error) => self.findings.error(at, &error),
        }
        Ok(())
    }
}

fn keys(node: &Node) -> Result<Vec<(NodeKey, usize)>, Error> {
    (0..node.count("")?).map(|index| Ok((node.key("", index)?, index))).collect()
}

/// Returns whether elements in native byte order have the same bits or are both NaN.
fn same_elements(datatype: &Datatype, a: &[u8], b: &[u8]) -> bool {
    let Some(scalar) = datatype.scalar() else { return a == b };
    let is_float =
        matches!(scalar, ScalarType::Float32 | ScalarType::Float64 | ScalarType::Complex64 | ScalarType::Complex128);
    a.len() == b.len()
        && a.chunks_exact(scalar.unit())
            .zip(b.chunks_exact(scalar.unit()))
            .all(|(a, b)| a == b || (is_float && is_nan(a) && is_nan(b)))
}

fn is_nan(bytes: &[u8]) -> bool {
    match bytes.len() {
        4 => bytes.try_into().is_ok_and(|bytes| f32::from_ne_bytes(bytes).is_nan()),
        _ => bytes.try_into().is_ok_and(|bytes| f64::from_ne_bytes(bytes).is_nan()),
    }
}
