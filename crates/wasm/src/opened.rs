//! Open files: ASDF files and tables in text.

use crate::answer::{Answer, refused};
use crate::kept_rows::KeptRows;
use crate::limits::limits;
use crate::request::Request;
use crate::sorted_rows::SortedRows;
use crate::source::HostSource;
use crate::text_rows::TextRows;
use asdfkit::Result;
use asdfkit::file::{File, OpenOptions};
use asdfkit::source::Source;
use asdfkit::table::ecsv;
use asdfkit::wcs::Wcs;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An open file, and what was read of it.
pub(crate) struct Opened {
    pub(crate) source: Arc<dyn Source>,
    /// The file; `None` for a table in text.
    pub(crate) file: Option<File>,
    /// The rows that were read last.
    pub(crate) rows: Option<KeptRows>,
    /// The table that was sorted last.
    pub(crate) sorted: Option<SortedRows>,
    /// Places of the rows of a table in text.
    pub(crate) text_rows: Option<TextRows>,
    /// The first WCS of the file, once it was looked for; `None` in it if there is none.
    pub(crate) world: Option<Option<Wcs>>,
}

impl Opened {
    /// Returns the ASDF file.
    pub(crate) fn file(&self) -> Result<&File> {
        self.file.as_ref().ok_or_else(|| refused("this file is a table in text: it has rows, and no tree"))
    }

    /// Returns the rows of a table in text.
    pub(crate) fn text_rows(&mut self) -> &mut TextRows {
        self.text_rows.get_or_insert_with(|| TextRows::of(self.source.clone()))
    }
}

/// All open files by their numbers.
#[derive(Default)]
pub(crate) struct Files {
    files: BTreeMap<u64, Opened>,
    last: u64,
}

impl Files {
    pub(crate) fn get(&mut self, request: &Request) -> Result<&mut Opened> {
        let number = request.index("file")?;
        self.files.get_mut(&number).ok_or_else(|| refused("this file is not open"))
    }

    pub(crate) fn close(&mut self, request: &Request) -> Result<Answer> {
        self.files.remove(&request.index("file")?);
        Ok(json!({}).into())
    }

    /// Opens a file, and tells its format and warnings.
    pub(crate) fn open(&mut self, request: &Request) -> Result<Answer> {
        let number = request.index("source")?;
        let number = u32::try_from(number).map_err(|_| refused("the number of the source is too large"))?;
        let (length, request_cost) = (request.index("length")?, request.index("requestCost")?);
        let source: Arc<dyn Source> = Arc::new(HostSource { number, length, request_cost });
        let mut opened =
            Opened { source: source.clone(), file: None, rows: None, sorted: None, text_rows: None, world: None };
        let mut start = [0; 5];
        let is_asdf = source.read_at(0, &mut start)? == start.len() && start == *b"#ASDF";
        let facts = match is_asdf || ecsv::probe(&mut ecsv::Input::of_source(source.clone())?)?.is_none() {
            false => json!({"format": "ecsv", "warnings": []}),
            true => {
                let options = OpenOptions { limits: limits(), ..OpenOptions::default() };
                let file = File::open_source(source, &options)?;
                let warnings: Vec<String> = file.warnings().iter().map(ToString::to_string).collect();
                let facts = json!({
                    "format": "asdf",
                    "formatVersion": file.format_version(),
                    "warnings": warnings,
                });
                opened.file = Some(file);
                facts
            }
        };
        self.last += 1;
        self.files.insert(self.last, opened);
        let mut answer = facts;
        answer["file"] = json!(self.last);
        Ok(answer.into())
    }
}
