//! References in a folder of Parquet files, as fsspec's `LazyReferenceMapper` reads them.
//!
//! `.zmetadata` holds all documents; `ARRAY/refs.K.parq` holds the chunks K·n to K·n + n − 1 of an array in C order.

use crate::core::call::check_interrupt;
use crate::core::failure::{Failure, Result};
use arrow_array::builder::{BinaryBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use asdfkit::references::{Exported, ExportedArray, Reference};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Value, json};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes references. After a failure there is no new folder, and an old one is as before.
pub(super) fn write(exported: &Exported, target: &Path, record_size: u64, replace: bool) -> Result<()> {
    let failed = |error| Failure::System(format!("cannot write {}", target.display()), error);
    if target.exists() {
        if !replace {
            return Err(Failure::usage(format!("{} exists; --force replaces it", target.display())));
        }
        // Never remove a folder of something else.
        if !target.join(".zmetadata").is_file() {
            return Err(Failure::usage(format!("{} is no folder of references", target.display())));
        }
    }
    let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let draft = tempfile::tempdir_in(parent).map_err(failed)?;
    for array in &exported.arrays {
        write_array(array, draft.path(), record_size)?;
    }
    let mut metadata = Map::new();
    for (key, document) in exported.documents()? {
        // The mapper makes its own of all documents.
        if key != ".zmetadata" {
            let document = serde_json::from_str(&document).map_err(|error| failed(error.into()))?;
            metadata.insert(key, document);
        }
    }
    let about: Value = serde_json::from_str(&exported.about_json()?).map_err(|error| failed(error.into()))?;
    let all = json!({"metadata": metadata, "record_size": record_size, "asdfkit": about});
    std::fs::write(draft.path().join(".zmetadata"), all.to_string()).map_err(failed)?;
    if target.exists() {
        std::fs::remove_dir_all(target).map_err(failed)?;
    }
    let made = draft.keep();
    open_to_others(&made).map_err(failed)?;
    std::fs::rename(&made, target).map_err(failed)
}

/// Gives a folder the rights of a new one: temporary folders belong to the user alone.
fn open_to_others(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let usual = folder.join(".rights");
        std::fs::create_dir(&usual)?;
        let rights = std::fs::metadata(&usual)?.permissions().mode();
        std::fs::remove_dir(&usual)?;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(rights))?;
    }
    Ok(())
}

/// Columns of a file.
#[derive(Default)]
struct Rows {
    path: StringBuilder,
    offset: Int64Builder,
    size: Int64Builder,
    raw: BinaryBuilder,
    count: u64,
}

fn write_array(array: &ExportedArray, folder: &Path, record_size: u64) -> Result<()> {
    let folder = folder.join(array.key());
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::System(format!("cannot make {}", folder.display()), error))?;
    let mut rows = Rows::default();
    let mut number = 0;
    let mut result = Ok(());
    array.for_each_chunk(|_, reference| {
        rows.push(reference);
        if rows.count == record_size && result.is_ok() {
            result = write_file(&mut rows, file_name(&folder, number));
            number += 1;
        }
    });
    result?;
    if rows.count > 0 {
        write_file(&mut rows, file_name(&folder, number))?;
    }
    check_interrupt()
}

fn file_name(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("refs.{number}.parq"))
}

impl Rows {
    fn push(&mut self, reference: Option<Reference<'_>>) {
        let (path, offset, size, raw) = match reference {
            Some(Reference::Bytes { url, offset, length }) => (Some(url), offset, length, None),
            Some(Reference::Inline(bytes)) => (None, 0, 0, Some(bytes)),
            None => (None, 0, 0, None),
        };
        self.path.append_option(path);
        self.offset.append_value(offset as i64);
        self.size.append_value(size as i64);
        self.raw.append_option(raw);
        self.count += 1;
    }
}

/// Writes the rows and begins anew.
fn write_file(rows: &mut Rows, path: PathBuf) -> Result<()> {
    let failed = |error: io::Error| Failure::System(format!("cannot write {}", path.display()), error);
    let other = |error| failed(io::Error::other(error));
    let schema = Arc::new(Schema::new(vec![
        Field::new("path", DataType::Utf8, true),
        Field::new("offset", DataType::Int64, false),
        Field::new("size", DataType::Int64, false),
        Field::new("raw", DataType::Binary, true),
    ]));
    let columns: Vec<ArrayRef> = vec![
        Arc::new(rows.path.finish()),
        Arc::new(rows.offset.finish()),
        Arc::new(rows.size.finish()),
        Arc::new(rows.raw.finish()),
    ];
    rows.count = 0;
    let batch = RecordBatch::try_new(schema.clone(), columns).map_err(|error| failed(io::Error::other(error)))?;
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let file = std::fs::File::create(&path).map_err(failed)?;
    let mut writer = ArrowWriter::try_new_with_options(file, schema, options).map_err(other)?;
    writer.write(&batch).map_err(other)?;
    writer.close().map_err(other)?;
    Ok(())
}
