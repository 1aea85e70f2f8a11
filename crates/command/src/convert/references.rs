//! `asdfkit references`: where the chunks of arrays lie, for readers of zarr.

use super::reference_folder;
use crate::core::call::check_interrupt;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::files::{Kinds, expanded};
use crate::core::input::{Input, is_standard};
use crate::core::new_file;
use crate::core::output::{Output, complain, printable};
use crate::core::size::{bytes_of, count};
use crate::core::tree_path::TreePath;
use asdfkit::references::{Exported, Join, ReferenceOptions, References};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Write references to the arrays of files, for zarr, xarray and Dask: JSON, or a folder of Parquet files
///
/// Readers such as fsspec, kerchunk and VirtualiZarr then read the arrays as they lie in the ASDF files, also by HTTP or
/// from object stores, without a library for ASDF. Arrays of the same path in several files become one array. Arrays
/// that zarr cannot express are left out, and named.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// ASDF files, in the order in which they are joined; with --check, files of references
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// JSON file to write, `-` for standard output; or a folder of Parquet files, if the name ends in .parquet or .parq
    #[arg(short, long, value_name = "REFERENCES", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// URL of the file, or, with / at its end, of the folder that holds the files; by default where they are now
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    url: String,
    /// Path of the node that becomes the root group
    #[arg(long, value_name = "PATH")]
    root: Option<TreePath>,
    /// Wanted bytes of a part of an uncompressed array, such as 4MiB
    #[arg(long, value_name = "SIZE", default_value = "16MiB")]
    slab: String,
    /// Name of the new dimension along which several files are joined
    #[arg(long, value_name = "NAME", default_value = "file", conflicts_with = "concat")]
    new_dim: String,
    /// Join several files along the dimension of --axis, which their arrays have
    #[arg(long)]
    concat: bool,
    /// Index of the dimension along which several files are joined
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    axis: u8,
    /// Arrays that are the same in all files: they are taken from the first
    #[arg(long, value_name = "PATHS", value_delimiter = ',')]
    same: Vec<TreePath>,
    /// Names of the dimensions of an array, such as data=y,x; can be repeated
    #[arg(long, value_name = "PATH=NAMES")]
    dims: Vec<String>,
    /// Largest number of bytes of an array in the tree that is written into the references; VirtualiZarr refuses those
    #[arg(long, value_name = "SIZE", default_value = "0")]
    inline: String,
    /// References in one Parquet file
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    record_size: u64,
    /// Tell whether the files that references point to have changed since
    #[arg(long, conflicts_with_all = ["output", "url", "root", "concat", "same", "dims"])]
    check: bool,
    /// Replace existing references
    #[arg(short, long)]
    force: bool,
}

impl Arguments {
    fn options(&self) -> Result<ReferenceOptions> {
        let axis = self.axis.into();
        let mut options = ReferenceOptions::default();
        options.url.clone_from(&self.url);
        options.root = self.root.as_deref().unwrap_or_default().to_owned();
        let bytes = |text: &str, option: &str| {
            bytes_of(text).ok_or_else(|| Failure::usage(format!("{option} {text}: give a size such as 4MiB")))
        };
        options.slab_bytes = bytes(&self.slab, "--slab")?.max(1);
        options.inline_bytes = bytes(&self.inline, "--inline")?;
        options.join = match self.concat {
            true => Join::existing(axis),
            false => Join::new(axis, &self.new_dim),
        };
        options.same = self.same.iter().map(|path| path.to_string()).collect();
        for text in &self.dims {
            let (path, names) = text.split_once('=').ok_or_else(|| {
                Failure::usage(format!("--dims {text}: give a path and the names of its dimensions, such as data=y,x"))
            })?;
            options.dimensions.push((path.to_owned(), names.split(',').map(str::to_owned).collect()));
        }
        Ok(options)
    }
}

/// Writes or checks references.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let Some(target) = &arguments.output else { return check_all(&arguments.files, output) };
    let mut references = References::new(&arguments.options()?);
    for path in expanded(&arguments.files, Kinds::Asdf)? {
        check_interrupt()?;
        let input = Input::open(&path)?;
        if input.is_stream() {
            return Err(Failure::usage("references point to files, not to a stream"));
        }
        references.add(&input.asdf()?)?;
    }
    let exported = references.finish()?;
    write(&exported, target, arguments, output)?;
    if output.json {
        let report = serde_json::from_str(&exported.report.to_json()?).unwrap_or(Value::Null);
        let arrays: Vec<Value> =
            exported.arrays.iter().map(|array| json!({"path": array.key(), "chunks": array.len()})).collect();
        output.document(&json!({"files": exported.files.len(), "arrays": arrays, "notes": report}))?;
    } else {
        for entry in exported.report.entries() {
            complain(&format!("note: {}", printable(&entry.text)));
        }
    }
    if exported.arrays.is_empty() && !output.json {
        complain("note: no array can be expressed in references");
    }
    Ok(Outcome::of(!exported.arrays.is_empty()))
}

fn write(exported: &Exported, target: &Path, arguments: &Arguments, output: &mut Output) -> Result<()> {
    let is_folder = target.extension().is_some_and(|suffix| suffix == "parquet" || suffix == "parq");
    if is_folder {
        return reference_folder::write(exported, target, arguments.record_size, arguments.force);
    }
    let text = exported.to_json()?;
    match is_standard(target) {
        true if output.json => Err(Failure::usage("--json and references on standard output exclude each other")),
        true => Ok(output.stream().write_all(text.as_bytes())?),
        false => new_file::write(target, arguments.force, |out| Ok(out.write_all(text.as_bytes())?)),
    }
}

/// Compares sizes and times of files with those in references.
fn check_all(references: &[PathBuf], output: &mut Output) -> Result<Outcome> {
    let mut all_fit = true;
    for path in references {
        let mut unknown = 0;
        let mut changed = Vec::new();
        let files = files_of(path)?;
        for file in &files {
            let url = file["url"].as_str().unwrap_or_default();
            match state_of(url, file) {
                Some(None) => {}
                Some(Some(difference)) => changed.push(json!({"url": url, "difference": difference})),
                None => unknown += 1,
            }
        }
        all_fit &= changed.is_empty();
        if output.json {
            output.document(&json!({
                "references": path.to_string_lossy(), "files": files.len(), "changed": changed, "unknown": unknown
            }))?;
            continue;
        }
        for change in &changed {
            let [url, difference] =
                [&change["url"], &change["difference"]].map(|text| text.as_str().unwrap_or_default());
            output.line(&format!("{}: {difference}", printable(url)))?;
        }
        let name = printable(&path.to_string_lossy());
        let rest = if unknown > 0 { format!(", {unknown} on other machines not checked") } else { String::new() };
        output.line(&format!("{name}: {}, {} changed{rest}", count(files.len() as u64, "file"), changed.len()))?;
    }
    Ok(Outcome::of(all_fit))
}

/// Returns the files that references of JSON or a folder of Parquet files point to.
fn files_of(path: &Path) -> Result<Vec<Value>> {
    let document = if path.is_dir() { path.join(".zmetadata") } else { path.to_owned() };
    let failed = |error| Failure::System(format!("cannot read {}", document.display()), error);
    let file = std::fs::File::open(&document).map_err(failed)?;
    let parsed: Value = serde_json::from_reader(std::io::BufReader::new(file)).map_err(|error| failed(error.into()))?;
    match parsed["asdfkit"]["files"].as_array() {
        Some(files) => Ok(files.clone()),
        None => Err(Failure::usage(format!("{}: no references of this command", path.display()))),
    }
}

/// Returns the difference between a file and its description, or `None` in it without one; `None` if the file is on
/// another machine.
fn state_of(url: &str, known: &Value) -> Option<Option<String>> {
    let found = match std::fs::metadata(url.strip_prefix("file://")?) {
        Ok(found) => found,
        Err(error) => return Some(Some(error.to_string())),
    };
    if known["size"].as_u64().is_some_and(|size| size != found.len()) {
        return Some(Some(format!("its size is {} instead of {}", found.len(), known["size"])));
    }
    let modified = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.and_then(|elapsed| i64::try_from(elapsed.as_nanos()).ok());
    match (known["modified_ns"].as_i64(), modified) {
        (Some(known), Some(found)) if known != found => Some(Some("it was written since".to_owned())),
        _ => Some(None),
    }
}
