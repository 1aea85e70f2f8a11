//! Reads everything that a file offers and computes a digest of the results, so that two files can be compared.

use super::{BUFFER, THOROUGH};
use asdfkit::array::{Array, ByteOrder, Datatype, Field, Fill, ReadOptions, Region, ScalarType};
use asdfkit::file::{Access, File, NewOptions, Node, NodeType, OpenOptions, WriteOptions};
use asdfkit::ndl::asdf::{DescribeOptions, describe};
use asdfkit::ndl::{ReadOptions as NdlReadOptions, TextOptions, parse};
use asdfkit::{Error, Status};
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

/// Maximum size in bytes of files that are copied: several trees at once take several times the memory.
const COPIED: usize = 1 << 20;
/// Maximum number of nodes that are copied into new files.
const COPIES: usize = 100_000;
/// Maximum number of alarms kept.
const ALARMS: usize = 100;

/// Results of reading a file.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Digest of the tree and all elements; `None` if the file does not open.
    pub(crate) content: Option<u64>,
    /// Errors and warnings without their places, which show that the damage was noticed.
    pub(crate) alarms: BTreeSet<String>,
    /// Results that are wrong for any file.
    pub(crate) violations: Vec<String>,
}

/// Reads everything in a file. If `directory` contains other files, the file is written there and may refer to them.
pub(crate) fn visit(bytes: Vec<u8>, directory: Option<&Path>) -> Told {
    let size = bytes.len();
    let Some(directory) = directory else {
        let bytes = Arc::new(bytes);
        // Without this limit the cache may grow to the decoded size of the file.
        let options = OpenOptions { cache_bytes: Some(16 << 20), ..OpenOptions::default() };
        return ask(size <= COPIED, &|| File::open_memory(bytes.clone(), &options));
    };
    let path = directory.join("damaged.asdf");
    std::fs::write(&path, bytes).unwrap();
    let options = OpenOptions { access: Access::SameDirectory, ..OpenOptions::default() };
    // In a copy, references lead to other targets.
    ask(false, &|| File::open_with(&path, &options))
}

/// Returns a problem with the description of a file. Every file can be described, and the description must be valid.
pub(crate) fn description(bytes: Vec<u8>) -> Option<String> {
    if bytes.len() > COPIED {
        return None;
    }
    let file = File::open_memory(Arc::new(bytes), &OpenOptions::default()).ok()?;
    let described = describe(&file, &DescribeOptions::default());
    match described.and_then(|described| described.description.to_text(&TextOptions::default())) {
        Ok(text) if parse(text.as_bytes(), &NdlReadOptions::default()).is_valid() => None,
        Ok(text) => Some(format!("the description is not valid: {text}")),
        // What a reference that leads nowhere stands for is not there to be described.
        Err(_) if file.root().is_ok_and(|root| root.reference("").is_ok_and(|uri| uri.is_some())) => None,
        Err(error) => Some(format!("the file cannot be described: {error}")),
    }
}

fn ask(copied: bool, open: &dyn Fn() -> asdfkit::Result<File>) -> Told {
    let mut told = Told::default();
    let file = match open() {
        Ok(file) => file,
        Err(error) => {
            told.note(&error);
            return told;
        }
    };
    let Some(root) = told.take(file.root()) else { return told };
    let mut digest = Digest::default();
    told.tree(&root, &mut digest);
    told.content = Some(digest.hasher.finish());
    told.blocks(&file);
    told.alarms.extend(file.warnings().into_iter().take(ALARMS).map(|warning| warning.message));
    if copied {
        told.copies(&root);
    }
    file.close();
    if !matches!(root.node_type(""), Err(error) if error.status() == Status::Closed) {
        told.violations.push("a node of a closed file answers".to_owned());
    }
    // Superfluous calls use another handle, because they cause warnings of their own.
    if let Ok(root) = open().and_then(|file| file.root()) {
        told.thoroughly(&root);
    }
    told
}

/// Returns a datatype whose numbers have the byte order of the machine, also in fields of records.
fn native(datatype: &Datatype) -> Datatype {
    let Datatype::Record(fields) = datatype else { return datatype.clone() };
    let of_field = |field: &Field| Field {
        datatype: native(&field.datatype),
        byteorder: Some(ByteOrder::NATIVE),
        ..field.clone()
    };
    Datatype::Record(fields.iter().map(of_field).collect())
}

#[derive(Default)]
struct Digest {
    hasher: DefaultHasher,
    /// Whether versions of tags do not count: a copy has those of its file.
    is_of_copy: bool,
}

impl Digest {
    fn of_copy() -> Digest {
        Digest { is_of_copy: true, ..Digest::default() }
    }

    fn add_tag(&mut self, tag: Option<String>) {
        let name = |tag: String| match tag.rsplit_once('-') {
            Some((name, _)) if self.is_of_copy => name.to_owned(),
            _ => tag,
        };
        self.add(tag.map(name));
    }

    fn add(&mut self, item: impl Hash) {
        item.hash(&mut self.hasher);
    }
}

/// Keys of arrays whose values can differ in a copy.
const OF_COPY: [&str; 4] = ["String(\"source\")", "String(\"datatype\")", "String(\"byteorder\")", "String(\"mask\")"];

impl Told {
    fn note(&mut self, error: &Error) {
        if self.alarms.len() < ALARMS {
            self.alarms.insert(format!("{:?}: {}", error.status(), error.message()));
        }
        if error.status() == Status::Internal {
            self.violations.push(format!("an internal error: {error}"));
        }
    }

    fn take<T>(&mut self, result: asdfkit::Result<T>) -> Option<T> {
        result.inspect_err(|error| self.note(error)).ok()
    }

    /// Visits the tree below a node. Shared nodes are visited once, references not at all. Returns the number of nodes.
    fn tree(&mut self, top: &Node, digest: &mut Digest) -> usize {
        let mut entered = HashSet::new();
        let mut waiting = vec![(top.clone(), true)];
        let mut asked = 0;
        while let Some((node, is_compared)) = waiting.pop() {
            asked += 1;
            let digest = if is_compared { &mut *digest } else { &mut Digest::default() };
            match node.reference("") {
                Ok(Some(uri)) => {
                    // A reference without a target need not be damage.
                    let _ = node.node_type("");
                    digest.add(uri);
                    continue;
                }
                Ok(None) => {}
                Err(error) => {
                    self.note(&error);
                    continue;
                }
            }
            let (Some(kind), Some(tag), Some(identity)) =
                (self.take(node.node_type("")), self.take(node.tag("")), self.take(node.identity("")))
            else {
                continue;
            };
            digest.add(kind as i32);
            digest.add_tag(tag);
            if !matches!(kind, NodeType::Sequence | NodeType::Mapping) {
                self.scalar(&node, kind, digest);
                continue;
            }
            if !entered.insert(identity) {
                digest.add("again");
                continue;
            }
            let is_array = self.take(node.is_array("")).unwrap_or(false);
            if is_array {
                self.array(&node, digest);
            }
            let count = self.take(node.count("")).unwrap_or(0);
            if !is_array {
                digest.add(count);
            }
            for index in (0..count).rev() {
                let mut is_part = is_compared;
                if kind == NodeType::Mapping {
                    let Some(key) = self.take(node.key("", index)) else { continue };
                    let key = format!("{key:?}");
                    // Blocks have new numbers in a copy. It describes the elements and the mask of an HDU, which can
                    // contradict the tree.
                    is_part &= !is_array || !OF_COPY.contains(&key.as_str());
                    if is_part {
                        digest.add(key);
                    }
                }
                waiting.extend(self.take(node.item("", index)).map(|item| (item, is_part)));
            }
        }
        asked
    }

    fn scalar(&mut self, node: &Node, kind: NodeType, digest: &mut Digest) {
        match kind {
            NodeType::Bool => digest.add(self.take(node.bool(""))),
            NodeType::Integer => digest.add(self.take(node.integer(""))),
            NodeType::Float => digest.add(self.take(node.f64("")).map(f64::to_bits)),
            NodeType::Binary => digest.add(self.take(node.binary(""))),
            NodeType::String | NodeType::Timestamp => digest.add(self.take(node.string(""))),
            _ => digest.add(0),
        }
    }

    fn array(&mut self, node: &Node, digest: &mut Digest) {
        let Some(array) = self.take(node.array("")) else { return };
        digest.add(array.shape());
        // A copy has another byte order where the machine has.
        digest.add(native(array.datatype()).to_string());
        match self.elements(&array.without_mask()) {
            Ok(elements) => digest.add(elements),
            Err(error) if error.status() == Status::Unsupported => {
                if let Ok(view) = array.without_mask().view_stored() {
                    digest.add(view.bytes().get(..BUFFER).unwrap_or(view.bytes()));
                }
            }
            Err(error) => self.note(&error),
        }
        if array.is_masked() {
            let mask = self.mask(&array);
            digest.add(self.take(mask));
        }
    }

    /// Reads the mask, unless it exceeds the buffer: alone, and together with elements, some of them filled.
    fn mask(&mut self, array: &Array) -> asdfkit::Result<Vec<u8>> {
        let count = usize::try_from(array.element_count()).unwrap_or(usize::MAX);
        let shape = array.shape();
        let start: Vec<i64> = shape.iter().map(|&length| (length - 1).clamp(0, 3)).collect();
        let few: Vec<i64> = shape.iter().map(|&length| length.min(2)).collect();
        let back = vec![-1; shape.len()];
        let few: Vec<i64> = few.iter().zip(&start).map(|(&count, &start)| count.min(start + 1)).collect();
        let region = Region { start: &start, count: &few, step: Some(&back) };
        let mut masks = [vec![7; 128], vec![7; 128]];
        if few.iter().product::<i64>() <= 128 {
            let [alone, beside] = &mut masks;
            let mut out = vec![0; 1 << 12];
            let (own, complex) = (array.datatype().clone(), Datatype::Scalar(ScalarType::Complex128));
            let fill = Some(Fill::new(ScalarType::Int8.into(), &[1])?);
            let filled = ReadOptions { fill, clamp: true, ..ReadOptions::default() };
            let read = array.read_mask(Some(&region), alone, &ReadOptions::default());
            if array.read_masked(Some(&region), &own, &mut out, beside, &ReadOptions::default()).is_ok()
                && (read.is_err() || alone != beside)
            {
                self.violations.push("a mask differs from itself".to_owned());
            }
            let _ = array.read_masked(Some(&region), &complex, &mut out, beside, &filled);
            let _ = array.read_region(&region, &complex, &mut out, &filled);
            if array.is_masked() && array.read_region(&region, &own, &mut out, &ReadOptions::default()).is_ok() {
                self.violations.push("missing elements were read as if they were not".to_owned());
            }
        }
        if count > BUFFER {
            return Ok(Vec::new());
        }
        let mut mask = vec![7; count];
        array.read_mask(None, &mut mask, &ReadOptions::default())?;
        if mask.iter().any(|&byte| byte > 1) {
            self.violations.push("a mask has other bytes than 0 and 1".to_owned());
        }
        Ok(mask)
    }

    /// Reads the elements, at most as many as the buffer holds, in every way of reading.
    fn elements(&mut self, array: &Array) -> asdfkit::Result<Vec<u8>> {
        let own = native(array.datatype());
        let shape = array.shape().to_vec();
        let _ = array.view(&own).map(|view| view.bytes().first().copied());
        let size = array.byte_size(&own)?;
        let zeros = vec![0; shape.len()];
        let ones: Vec<i64> = shape.iter().map(|&length| length.min(1)).collect();
        let steps: Vec<i64> = shape.iter().map(|&length| (length / 2).max(1)).collect();
        let twos: Vec<i64> = shape.iter().map(|&length| length.min(2)).collect();
        let mut few = vec![0; 1 << 12];
        let double = Datatype::Scalar(ScalarType::Complex128);
        let clamp = ReadOptions { clamp: true, ..ReadOptions::default() };
        for (count, step) in [(&ones, None), (&twos, Some(&steps[..]))] {
            if count.iter().product::<i64>() <= 128 {
                let region = Region { start: &zeros, count, step };
                let _ = array.read_region(&region, &own, &mut few, &ReadOptions::default());
                let _ = array.read_region(&region, &double, &mut few, &clamp);
            }
        }
        if array.read(&own, &mut [], &ReadOptions::default()).is_ok() && size > 0 && own.scalar().is_some() {
            self.violations.push("elements were read into no memory".to_owned());
        }
        let mut out = vec![0; usize::try_from(size).unwrap_or(usize::MAX).min(BUFFER)];
        if size <= BUFFER as u64 {
            array.read(&own, &mut out, &ReadOptions::default())?;
        } else if let Some((&rows, rest)) = shape.split_first() {
            let row = size / rows.max(1) as u64;
            if row > 0 && row <= BUFFER as u64 {
                let mut count = vec![(BUFFER as u64 / row) as i64];
                count.extend(rest);
                let region = Region { start: &zeros, count: &count, step: None };
                array.read_region(&region, &own, &mut out, &ReadOptions::default())?;
            }
        }
        Ok(out)
    }

    fn blocks(&mut self, file: &File) {
        let _ = self.take(file.check_blocks());
        let count = self.take(file.block_count()).unwrap_or(0);
        let mut out = Vec::new();
        for index in (0..count.min(200) as i64).chain([-1, i64::MIN, i64::MAX]) {
            let outside = index < -(count as i64) || index >= count as i64;
            match file.block(index) {
                Ok(info) => {
                    out.resize(usize::try_from(info.decoded_size).unwrap_or(usize::MAX).min(BUFFER), 0);
                    if info.decoded_size <= BUFFER as u64 {
                        let _ = self.take(file.read_decoded_block(index, &mut out));
                    }
                    let _ = file.read_stored_block(index, &mut out);
                }
                Err(_) if outside => {}
                Err(error) => self.note(&error),
            }
        }
        let _ = self.take(file.verify());
    }

    /// Checks that a readable node can be written and then reads the same.
    fn copies(&mut self, root: &Node) {
        let count = root.count("").unwrap_or(0);
        let mut copied = 0;
        for index in 0..count {
            let Ok(child) = root.item("", index) else { continue };
            let mut told = Told { alarms: self.alarms.clone(), ..Told::default() };
            let mut before = Digest::of_copy();
            copied += 10 + told.tree(&child, &mut before);
            if copied > COPIES {
                break;
            }
            if !matches!(child.reference(""), Ok(None)) {
                continue;
            }
            // Tables and transforms of another version of the standard get keys that it requires.
            let standard = root.file().standard().effective;
            let new = File::new(&NewOptions { standard, ..NewOptions::default() });
            let outcome = new.root().and_then(|place| {
                place.copy_from("copy", &child, None)?;
                let options = WriteOptions { checksums: false, ..WriteOptions::default() };
                let written = new.write_to_memory(&options)?;
                let again = File::open_memory(Arc::new(written), &OpenOptions::default())?;
                let mut after = Digest::of_copy();
                told.tree(&again.root()?.at("copy")?, &mut after);
                Ok(after.hasher.finish())
            });
            self.violations.append(&mut told.violations);
            match outcome {
                Ok(after) if after == before.hasher.finish() || !told.alarms.is_empty() => {}
                Ok(_) => self.violations.push(format!("the copy of child {index} reads otherwise")),
                Err(error) if !told.alarms.is_empty() => self.note(&error),
                // Damage of a tag makes an array a node that may have blocks of its own.
                Err(error) if error.status() == Status::Unsupported => {}
                Err(error) => self.violations.push(format!("child {index} cannot be copied: {error}")),
            }
        }
    }

    /// Tries all calls on the first nodes of a tree, whether they fit the node or not.
    fn thoroughly(&mut self, root: &Node) {
        let mut waiting = VecDeque::from([root.clone()]);
        for _ in 0..THOROUGH {
            let Some(node) = waiting.pop_front() else { break };
            let _ = (node.style(""), node.path(), node.location(), node.is_array(""));
            let _ = (node.bool(""), node.i64(""), node.u64(""), node.integer(""), node.f64(""), node.complex(""));
            let _ = (node.string(""), node.binary(""), node.text(""));
            let _ =
                (node.at("0"), node.at("a/b/~1"), node.at("-1"), node.key("", usize::MAX), node.item("", usize::MAX));
            let _ = node.array("").and_then(|array| {
                let _ = self.elements(&array);
                self.mask(&array)
            });
            let Ok(count) = node.count("") else { continue };
            if !matches!(node.item("", count), Err(error) if error.status() == Status::OutOfRange) {
                self.violations.push("there is a child behind the last one".to_owned());
            }
            waiting.extend((0..count.min(THOROUGH)).filter_map(|index| node.item("", index).ok()));
        }
    }
}
