//! Runs a corpus with a manifest: the content of each file, the layout of its blocks, and whether a reader should
//! accept it.

use crate::described::can_be_described;
use crate::hex::hex;
use crate::typed_json::Comparison;
use crate::verdict::{Findings, Verdict};
use crate::walk::touch;
use asdfkit::codec::{Codec, Label};
use asdfkit::file::{Access, ChecksumMatch, File, OpenOptions};
use asdfkit::internals::{Layout, md5};
use asdfkit::source::FileSource;
use asdfkit::{Limits, Status};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// Labels of codecs that are optional in a build.
const OPTIONAL_CODECS: [&str; 4] = ["zstd", "blsc", "bls2", "xz"];

/// Returns the verdict of each entry of a manifest, in order.
pub(crate) fn run(manifest: &Path) -> Result<Vec<(String, Verdict)>, String> {
    let directory = manifest.parent().unwrap_or(Path::new("."));
    let text = std::fs::read(manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let json: Value = serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let entries = json["files"].as_array().ok_or_else(|| format!("{}: 'files' is missing", manifest.display()))?;
    let verdict = |entry: &Value| {
        let name = entry["file"].as_str().unwrap_or("(an entry without a name)");
        let mut findings = Findings::new(lacks_codec(entry));
        judge(entry, &directory.join(name), &mut findings);
        (name.to_owned(), findings.verdict())
    };
    Ok(entries.iter().map(verdict).collect())
}

fn judge(entry: &Value, path: &Path, findings: &mut Findings) {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return findings.differ("", error),
    };
    findings.same("", "the size of the file", Some(bytes.len() as u64), entry["size"].as_u64());
    findings.same("", "the MD5 of the file", Some(hex(&md5(&bytes)).as_str()), entry["md5"].as_str());

    let verify_checksums = entry["open_options"]["validate_checksums"] == true;
    let options = OpenOptions { verify_checksums, access: Access::SameDirectory, ..OpenOptions::default() };
    let expect = entry["expect"].as_str().unwrap_or_default();
    if expect == "error" {
        return must_fail(entry, path, &options, findings);
    }
    let file = match File::open_with(path, &options) {
        Ok(file) => file,
        Err(error) => return findings.differ("", error),
    };
    can_be_described(&file, findings);
    header(entry, &file, findings);
    blocks(entry, &file, findings);
    block_headers(entry, path, findings);
    match expect {
        "ok" | "warn" => {
            values(entry, &file, findings);
            if let Err(error) = file.verify()
                && error.status() == Status::Checksum
            {
                findings.differ("", error);
            }
        }
        "error-on-access" => access(entry, &file, findings),
        "error-on-verify" => {
            values(entry, &file, findings);
            let status = file.verify().map_err(|error| error.status()).err();
            findings.same("", "the error of verifying", status, Some(Status::Checksum));
        }
        other => findings.differ("", format_args!("the expectation '{other}' is not known")),
    }
    if let Err(error) = file.check_blocks()
        && expect != "error-on-access"
    {
        findings.differ("", error);
    }
    let warnings = file.warnings();
    if let ("ok", Some(warning)) = (expect, warnings.first()) {
        findings.differ("", format_args!("there is a warning: {warning}"));
    }
    // If a part was refused because of a missing codec, its warnings cannot appear.
    if expect == "warn" && warnings.is_empty() && !findings.is_refused() {
        findings.differ("", "there is no warning");
    }
}

/// Checks that opening fails: by itself, or if warnings count as errors, or when the references are resolved.
fn must_fail(entry: &Value, path: &Path, options: &OpenOptions, findings: &mut Findings) {
    let Ok(file) = File::open_with(path, options) else { return };
    if entry["open_options"]["resolve_references"] == true {
        return must_fail_on_access(&file, findings);
    }
    if File::open_with(path, &OpenOptions { strict: true, ..options.clone() }).is_ok() {
        findings.differ("", "the file opens, even strictly, but must not");
    }
}

fn must_fail_on_access(file: &File, findings: &mut Findings) {
    let failures = touch(file);
    if failures.iter().any(|failure| !findings.is_refusal(&failure.error)) {
        return;
    }
    if failures.is_empty() {
        findings.differ("", "everything in the file can be read, but something must not");
    }
    for failure in failures {
        findings.error(&failure.at, &failure.error);
    }
}

/// Returns whether blocks are compressed by a codec that is not in this build.
fn lacks_codec(entry: &Value) -> bool {
    entry["blocks"].as_array().into_iter().flatten().any(|block| {
        let label = block["compression"].as_str().unwrap_or_default();
        OPTIONAL_CODECS.contains(&label) && label.parse::<Codec>().is_err()
    })
}

/// Compares the tree, or only reads it if the manifest has no values.
fn values(entry: &Value, file: &File, findings: &mut Findings) {
    match entry.get("values") {
        Some(expected) => match file.root() {
            Ok(root) => Comparison::new(findings).root(expected, &root),
            Err(error) => findings.differ("", error),
        },
        None => {
            for failure in touch(file) {
                findings.error(&failure.at, &failure.error);
            }
        }
    }
}

/// Checks that something cannot be read. The outcome in Python says what, unless the outcomes are meant to differ.
fn access(entry: &Value, file: &File, findings: &mut Findings) {
    let python = &entry["python"];
    let shows_errors = python["outcome"] == "access-error" && entry.get("python_differs").is_none();
    match (python.get("values").filter(|_| shows_errors), file.root()) {
        (Some(expected), Ok(root)) => {
            Comparison::new(findings).root(expected, &root);
            must_fail_on_access(file, findings);
        }
        _ => must_fail_on_access(file, findings),
    }
}

/// Compares the comments and the version of the standard with those found by Python.
fn header(entry: &Value, file: &File, findings: &mut Findings) {
    let python = &entry["python"];
    if let Some(standard) = python["standard"].as_str() {
        findings.same("", "the version of the standard", file.standard().effective.as_str(), standard);
    }
    if let Some(comments) = python["comments"].as_array() {
        let comments: Vec<_> = comments.iter().filter_map(Value::as_str).collect();
        findings.same(
            "",
            "the comments",
            file.comments().unwrap_or_default().iter().map(String::as_str).collect(),
            comments,
        );
    }
}

/// Compares the blocks as an open file reports them.
fn blocks(entry: &Value, file: &File, findings: &mut Findings) {
    let expected = entry["blocks"].as_array().map(Vec::as_slice).unwrap_or_default();
    match file.block_count() {
        Ok(count) => findings.same("", "the number of blocks", count, expected.len() as u64),
        Err(error) => findings.differ("", error),
    }
    for (number, expected) in expected.iter().enumerate() {
        let block = match file.block(number as i64) {
            Ok(block) => block,
            Err(error) => return findings.differ("", error),
        };
        let mut same = |what, is, key| {
            findings.same("", &format!("the {what} of block {number}"), Some(is), expected[key].as_u64());
        };
        same("offset", block.offset.unwrap_or_default(), "offset");
        let header_size = block.payload_offset.zip(block.offset).map(|(payload, header)| payload - header - 6);
        same("header size", header_size.unwrap_or_default(), "header_size");
        if !block.streamed {
            same("allocated size", block.allocated_size.unwrap_or_default(), "allocated_size");
            same("used size", block.stored_size.unwrap_or_default(), "used_size");
            same("data size", block.decoded_size, "data_size");
        }
        let streamed = expected["flags"].as_u64().map(|flags| flags & 1 == 1);
        findings.same("", &format!("block {number} being streamed"), Some(block.streamed), streamed);
        let label = Some(text_of(block.compression));
        findings.same("", &format!("the codec of block {number}"), label.as_deref(), expected["compression"].as_str());
        let checksum = Some(hex(&block.checksum));
        let what = format!("the checksum of block {number}");
        findings.same("", &what, checksum.as_deref(), expected["checksum"].as_str());
        // If the bytes cannot be decoded, the checksum counts as a mismatch.
        let kind = match file.verify_block(number as i64) {
            Ok(ChecksumMatch::Absent) => "none",
            Ok(ChecksumMatch::Stored) => "md5_used",
            Ok(ChecksumMatch::Decoded) => "md5_decoded",
            Ok(ChecksumMatch::Mismatch) | Err(_) => "other",
        };
        let what = format!("the kind of checksum of block {number}");
        findings.same("", &what, Some(kind), expected["checksum_kind"].as_str());
    }
}

/// Compares the fields in the headers of the blocks that an open file does not report directly.
fn block_headers(entry: &Value, path: &Path, findings: &mut Findings) {
    let source = match FileSource::open(path) {
        Ok(source) => Arc::new(source),
        Err(error) => return findings.differ("", error),
    };
    let layout = match Layout::read(source, &Limits::default()) {
        Ok(layout) => layout,
        Err(error) => return findings.differ("", error),
    };
    for (number, expected) in entry["blocks"].as_array().into_iter().flatten().enumerate() {
        let header = match layout.blocks.get(number as u64) {
            Ok(header) => header,
            Err(error) => return findings.differ("", error),
        };
        for (key, is) in [
            ("flags", u64::from(header.flags)),
            ("allocated_size", header.allocated_size),
            ("used_size", header.used_size),
            ("data_size", header.data_size),
        ] {
            findings.same("", &format!("{key} in header {number}"), Some(is), expected[key].as_u64());
        }
    }
}

fn text_of(label: Label) -> String {
    String::from_utf8_lossy(&label.0).trim_end_matches('\0').to_owned()
}
