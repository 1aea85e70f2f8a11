//! `asdfkit get`: the value at a path: a scalar, a part of the tree, or elements of an array.

use super::npy;
use crate::change::copy::cut_out;
use crate::core::arguments::{InUnit, Threads};
use crate::core::call::check_interrupt;
use crate::core::csv::csv_field;
use crate::core::elements::{Leaf, Piece, element_json, for_each_piece, leaves};
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Format, Input, is_standard};
use crate::core::output::{Output, printable, warn};
use crate::core::parts::Part;
use crate::core::region::Selection;
use crate::core::tree_path::TreePath;
use crate::core::value;
use asdfkit::array::{Array, Datatype};
use asdfkit::file::{Node, NodeType, WriteOptions};
use asdfkit::units::Conversion;
use asdfkit::{NodeKind, Status};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Length of a line if the output is no terminal.
const USUAL_WIDTH: usize = 100;

/// Write the value at a path: a scalar, a part of the tree, or the elements of an array
///
/// A scalar is written as its text, a part of the tree as YAML, and an array as text. A quantity or a column gives its
/// array; TABLE/COLUMN is a column, and ARRAY/FIELD a field of records. With several files, each value follows the name of
/// its file; `asdfkit table` makes a table of them.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Files to read, or folders of them, and the path of the value, such as meta/exposure/time or data[10:20,::4]
    ///
    /// `-` is standard input. The arguments after the first one that are names of files are files.
    #[arg(required = true, value_name = "FILE|PATH")]
    pub(crate) files: Vec<OsString>,
    /// Path of the value; all other arguments are then files
    #[arg(short = 'k', long, value_name = "PATH")]
    pub(crate) key: Option<TreePath>,
    /// Part of an array in the notation of numpy: [10:20,::4]
    #[arg(short, long, allow_hyphen_values = true)]
    region: Option<String>,
    /// Form of the output
    #[arg(short = 'f', long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    /// Write the tree at the path, not the elements of the array there
    #[arg(short, long)]
    tree: bool,
    /// File to write; standard output by default
    ///
    /// The suffix tells the form: .npy, .csv, .json, .yaml, .txt or .raw. A new .asdf file gets the node under the same
    /// path; of an image only the region, with its world coordinates.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    force: bool,
    /// Text for missing elements in text and CSV
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    missing: Option<String>,
    /// Value for missing elements in .npy and raw output
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    fill: Option<f64>,
    #[command(flatten)]
    unit: InUnit,
    #[command(flatten)]
    threads: Threads,
}

/// Form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Text: one row of an array on a line, separated by blanks
    Text,
    /// YAML (parts of the tree only)
    Yaml,
    /// JSON
    Json,
    /// Comma-separated values; records become columns with a line of names
    Csv,
    /// File of numpy
    Npy,
    /// Bytes of the elements in C order and native byte order
    Raw,
}

/// Writes the values of several files, each after the name of its file.
pub(crate) fn run_of_many(
    input: &Input,
    path: &TreePath,
    arguments: &Arguments,
    output: &mut Output,
) -> Result<Outcome> {
    if arguments.output.is_some() {
        return Err(Failure::usage("--output is for the value of a single file"));
    }
    if matches!(arguments.form, Some(Form::Npy | Form::Raw)) {
        return Err(Failure::usage("bytes of several files cannot be told apart; write each with --output"));
    }
    let name = input.name();
    if output.json || arguments.form == Some(Form::Json) {
        let head = format!("{{\"file\":{},\"path\":{},\"value\":", json!(name), json!(path.shown()));
        // A failure would otherwise leave half a document.
        let file = input.asdf_in_pieces()?;
        let root = file.root()?;
        find(&root, split_region(&root, path)?.0)?;
        output.stream().write_all(head.as_bytes())?;
        return write_value(input, path, arguments, "}\n", output);
    }
    let file = input.asdf_in_pieces()?;
    let node = file.root()?;
    let (inner, region) = split_region(&node, path)?;
    let is_line = match find(&node, inner)? {
        Part::Node(node) => region.is_none() && is_scalar(&node)?,
        Part::Array(..) => false,
    };
    let name = output.style().name(printable(&name));
    match is_line {
        true => write!(output.stream(), "{name}: ")?,
        false => writeln!(output.stream(), "==> {name} <==")?,
    }
    run(input, path, arguments, output)
}

/// Returns the form that the suffix of the name of the output tells.
fn form_of(target: &Path) -> Result<Option<Form>> {
    let name = target.file_name().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let Some((_, suffix)) = name.rsplit_once('.') else { return Ok(None) };
    Ok(Some(match suffix {
        "npy" => Form::Npy,
        "csv" => Form::Csv,
        "json" => Form::Json,
        "yaml" | "yml" => Form::Yaml,
        "txt" | "text" | "dat" => Form::Text,
        "raw" | "bin" => Form::Raw,
        "ecsv" => return Err(Failure::usage("`asdfkit convert` writes tables in ECSV")),
        _ => {
            let message = format!("the suffix '.{suffix}' tells no form; --as gives it");
            return Err(Failure::usage(message));
        }
    }))
}

/// Returns the form of the output: the chosen one, that of the suffix, or `None` for the usual one.
fn chosen_form(arguments: &Arguments, json: bool) -> Result<Option<Form>> {
    let target = arguments.output.as_deref().filter(|target| arguments.form.is_none() && !is_standard(target));
    let of_suffix = target.map(form_of).transpose()?.flatten();
    match (of_suffix, json) {
        (Some(form), true) if form != Form::Json => Err(Failure::usage("--json and the suffix of the output differ")),
        (_, true) => Ok(Some(Form::Json)),
        (form, false) => Ok(form.or(arguments.form)),
    }
}

/// Returns the name of the new ASDF file that the arguments ask for.
fn new_asdf(arguments: &Arguments) -> Option<&Path> {
    let has_suffix = |path: &&Path| path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("asdf"));
    arguments.output.as_deref().filter(has_suffix).filter(|_| arguments.form.is_none())
}

fn is_scalar(node: &Node) -> Result<bool> {
    let is_collection = matches!(node.node_type("")?, NodeType::Mapping | NodeType::Sequence);
    Ok(!is_collection || value::large_integer(node)?.is_some())
}

/// Writes one value.
pub(crate) fn run(input: &Input, path: &TreePath, arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    write_value(input, path, arguments, "\n", output)
}

/// Writes one value. JSON ends with `last`.
fn write_value(
    input: &Input,
    path: &TreePath,
    arguments: &Arguments,
    last: &str,
    output: &mut Output,
) -> Result<Outcome> {
    if input.format()? != Format::Asdf {
        return Err(Failure::usage("get reads ASDF files; head shows tables, and ndl shows descriptions"));
    }
    if let Some(target) = &arguments.output {
        input.check_differs(target)?;
    }
    let file = input.asdf_in_pieces()?;
    let root = file.root()?;
    let (path, region) = split_region(&root, path)?;
    let region = arguments.region.as_deref().or(region);
    if let Some(target) = new_asdf(arguments) {
        let threads = arguments.threads.number();
        let options = WriteOptions { replace: arguments.force, threads, ..WriteOptions::default() };
        let Ok(path) = path.parse::<TreePath>();
        return cut_out(input, &path, region, target, &options);
    }
    let form = chosen_form(arguments, output.json)?;
    let part = find(&root, path)?;
    let array = if arguments.tree { None } else { part.array()?.map(|(array, _)| array) };
    let node = match &part {
        Part::Node(node) => node,
        Part::Array(..) if arguments.tree => {
            return Err(Failure::not_found(format!(
                "{path} is a part of an array or a table, and no node of the tree"
            )));
        }
        Part::Array(..) => &root,
    };
    match array {
        Some(array) => {
            let form = form.unwrap_or(Form::Text);
            let selection = match region {
                Some(region) => Selection::parse(region, array.shape())?,
                None => Selection::all(array.shape()),
            };
            if let Some(region) = region
                && selection.count.contains(&0)
            {
                warn(
                    &input.name(),
                    &format!("the region {region} has no element of {path}, whose shape is {:?}", array.shape()),
                );
            }
            write_array(&array, &selection, (form, last), arguments, output)?;
        }
        None if region.is_some() => return Err(Failure::not_found(format!("there is no array at '{path}' to cut"))),
        None => {
            let text = match arguments.unit.number(node)? {
                Some(number) => format!("{}{last}", json!(number)),
                None => node_text(node, form, last)?,
            };
            write_to(arguments, output, |out| Ok(out.write_all(text.as_bytes())?))?;
        }
    }
    Ok(Outcome::Yes)
}

/// Finds what a path leads to.
fn find(root: &Node, path: &str) -> Result<Part> {
    let keys = path.trim_start_matches('/');
    Part::find(root, path).map_err(|failure| match failure {
        Failure::Library(error) if error.status() == Status::NotFound && !keys.contains('/') && keys.contains('.') => {
            let advice = format!("a slash stands between the keys of a path: {}", keys.replace('.', "/"));
            Failure::Library(error).with_advice(&advice)
        }
        other => other,
    })
}

/// Splits a region off the end of a path. A key that ends like a region is found first.
pub(crate) fn split_region<'a>(root: &Node, path: &'a str) -> Result<(&'a str, Option<&'a str>)> {
    match path.rfind('[') {
        Some(start) if path.ends_with(']') && !root.exists(path)? => {
            // A region alone is one of the root.
            let whole = if start == 1 { "" } else { &path[..start] };
            Ok((whole, Some(&path[start..])))
        }
        Some(start) if !path[start..].contains([']', '/']) && !root.exists(path)? => {
            Err(Failure::usage(format!("the region '{}' is not closed: ']' is missing", &path[start..])))
        }
        _ => Ok((path, None)),
    }
}

/// Returns a scalar or a part of the tree as text with a line feed, or as JSON with its last characters.
fn node_text(node: &Node, form: Option<Form>, last: &str) -> Result<String> {
    let is_scalar = is_scalar(node)?;
    let form = form.unwrap_or(if is_scalar { Form::Text } else { Form::Yaml });
    Ok(match form {
        Form::Text | Form::Raw if is_scalar => match value::large_integer(node)? {
            Some(digits) => digits + "\n",
            None => node.text("")? + "\n",
        },
        Form::Yaml => node.to_yaml("")?,
        Form::Json => value::of_node(node)?.to_string() + last,
        _ if node.kind("")? == NodeKind::Table => {
            return Err(Failure::usage(
                "`asdfkit select` writes tables; get writes their part of the tree as YAML or JSON",
            ));
        }
        _ => return Err(Failure::usage("a part of the tree is written as YAML or JSON")),
    })
}

/// Calls `write` with the requested output.
fn write_to(
    arguments: &Arguments,
    output: &mut Output,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    match arguments.output.as_deref().filter(|path| !is_standard(path)) {
        None => write(output.stream()),
        Some(path) => crate::core::new_file::write(path, arguments.force, write),
    }
}

fn write_array(
    array: &Array,
    selection: &Selection,
    (form, last): (Form, &str),
    arguments: &Arguments,
    output: &mut Output,
) -> Result<()> {
    let binary = matches!(form, Form::Npy | Form::Raw);
    if binary && arguments.output.is_none() && std::io::stdout().is_terminal() {
        return Err(Failure::usage("bytes are not written to a terminal; use --output or a pipe"));
    }
    let threads = arguments.threads.number();
    let read_as = arguments.unit.of(array)?;
    let width = output.width().unwrap_or(USUAL_WIDTH);
    write_to(arguments, output, |out| match form {
        Form::Npy | Form::Raw => write_bytes(array, selection, &read_as, form, arguments, out),
        Form::Text | Form::Csv | Form::Json => {
            let mut rows = Rows::new(&read_as.0, selection, form, arguments.missing.as_deref())?;
            rows.width = width;
            rows.begin(out)?;
            for_each_piece(array, selection, &read_as, threads, |piece| rows.write(&piece, out))?;
            rows.end(last, out)
        }
        Form::Yaml => Err(Failure::usage("elements of an array are not written as YAML; --tree writes its node")),
    })
}

/// Writes elements as bytes.
fn write_bytes(
    array: &Array,
    selection: &Selection,
    read_as: &(Datatype, Option<Conversion>),
    form: Form,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> Result<()> {
    let datatype = &read_as.0;
    let fill = arguments.fill.map(|fill| filling(datatype, fill)).transpose()?;
    if form == Form::Npy {
        out.write_all(&npy::header(datatype, &selection.shape())?)?;
    }
    for_each_piece(array, selection, read_as, arguments.threads.number(), |piece| {
        check_interrupt()?;
        let missing = piece.mask.iter().position(|missing| *missing != 0);
        match (missing, &fill) {
            (None, _) => out.write_all(piece.bytes)?,
            (Some(_), None) => {
                return Err(Failure::usage("elements are missing; --fill gives the value to write for them"));
            }
            (Some(_), Some(fill)) => {
                for (index, element) in piece.bytes.chunks_exact(fill.len().max(1)).enumerate() {
                    out.write_all(if piece.is_missing(index) { fill } else { element })?;
                }
            }
        }
        Ok(())
    })
}

/// Returns the bytes of a fill value.
fn filling(datatype: &Datatype, fill: f64) -> Result<Vec<u8>> {
    use asdfkit::array::ScalarType;
    let wrong = || Failure::usage(format!("{fill} is no value of the elements"));
    macro_rules! integer {
        ($type:ty) => {{
            let number = fill as $type;
            if number as f64 != fill {
                return Err(wrong());
            }
            number.to_ne_bytes().to_vec()
        }};
    }
    Ok(match datatype.scalar().ok_or_else(wrong)? {
        ScalarType::Int8 => integer!(i8),
        ScalarType::Int16 => integer!(i16),
        ScalarType::Int32 => integer!(i32),
        ScalarType::Int64 => integer!(i64),
        ScalarType::Uint8 => integer!(u8),
        ScalarType::Uint16 => integer!(u16),
        ScalarType::Uint32 => integer!(u32),
        ScalarType::Uint64 => integer!(u64),
        ScalarType::Float16 => asdfkit::array::Float16::from_f64(fill).to_bits().to_ne_bytes().to_vec(),
        ScalarType::Float32 => (fill as f32).to_ne_bytes().to_vec(),
        ScalarType::Float64 => fill.to_ne_bytes().to_vec(),
        _ => return Err(wrong()),
    })
}

/// Writer of elements as text, CSV or JSON, in rows along the last dimension. In CSV, each element of one dimension is a
/// row.
struct Rows {
    form: Form,
    leaves: Vec<Leaf>,
    shape: Vec<i64>,
    item: usize,
    missing: String,
    /// Number of elements written.
    done: i64,
    line: String,
    /// Number of characters after which the text of a one-dimensional array continues on the next line.
    width: usize,
    /// Place in `line` where the current line of a one-dimensional array begins.
    begun: usize,
}

impl Rows {
    fn new(datatype: &Datatype, selection: &Selection, form: Form, missing: Option<&str>) -> Result<Rows> {
        let usual = if form == Form::Csv { "" } else { "--" };
        Ok(Rows {
            form,
            leaves: leaves(datatype)?,
            shape: selection.shape(),
            item: datatype.item_size()? as usize,
            missing: missing.unwrap_or(usual).to_owned(),
            done: 0,
            line: String::new(),
            width: USUAL_WIDTH,
            begun: 0,
        })
    }

    /// True if each element has a line of its own: the elements are records, or have no dimension.
    fn is_table(&self) -> bool {
        self.leaves.len() != 1 || !self.leaves[0].name.is_empty()
    }

    fn begin(&mut self, out: &mut dyn Write) -> Result<()> {
        match self.form {
            Form::Csv if self.is_table() => {
                let names: Vec<String> = self.leaves.iter().map(|leaf| csv_field(&leaf.name)).collect();
                writeln!(out, "{}", names.join(","))?;
            }
            Form::Json if self.shape.contains(&0) => out.write_all(empty_json(&self.shape).as_bytes())?,
            _ => {}
        }
        Ok(())
    }

    fn write(&mut self, piece: &Piece, out: &mut dyn Write) -> Result<()> {
        let empty: &[u8] = &[];
        let count = piece.bytes.len().checked_div(self.item).unwrap_or(0);
        for index in 0..count {
            let element = piece.bytes.get(index * self.item..(index + 1) * self.item).unwrap_or(empty);
            let missing = piece.is_missing(index);
            if self.form == Form::Json {
                self.add_json(element, missing)
            } else {
                self.add_text(element, missing)
            }
            if self.line.len() > 1 << 16 {
                self.flush(out)?;
            }
        }
        self.flush(out)
    }

    /// Writes the lines so far. The last line of a one-dimensional array stays, since it can still be broken.
    fn flush(&mut self, out: &mut dyn Write) -> Result<()> {
        let end = if self.wraps() { self.begun } else { self.line.len() };
        out.write_all(&self.line.as_bytes()[..end])?;
        self.line.drain(..end);
        self.begun = 0;
        Ok(())
    }

    /// True if the elements are one line of text, which is broken at the width.
    fn wraps(&self) -> bool {
        self.form == Form::Text && self.shape.len() == 1 && !self.is_table()
    }

    /// True if the elements are rows of one column.
    fn is_column(&self) -> bool {
        self.form == Form::Csv && self.shape.len() == 1
    }

    fn add_text(&mut self, element: &[u8], missing: bool) {
        let is_alone = self.is_table() || self.is_column();
        let last = if is_alone { 1 } else { self.shape.last().copied().unwrap_or(1).max(1) };
        let column = self.done % last;
        let separator = if self.form == Form::Csv { "," } else { " " };
        // An empty line separates planes.
        if column == 0 && self.form == Form::Text && self.done > 0 {
            let row = self.done / last;
            let inner = if self.is_table() { 1 } else { self.shape.len().saturating_sub(2) };
            let rows = self.shape.get(inner).copied().unwrap_or(i64::MAX).max(1);
            if self.shape.len() > 2 && !self.is_table() && row % rows == 0 {
                self.line.push('\n');
            }
        }
        if column > 0 {
            self.line.push_str(separator);
        }
        let start = self.line.len();
        for (number, leaf) in self.leaves.iter().enumerate() {
            if number > 0 {
                self.line.push_str(separator);
            }
            if missing {
                self.line.push_str(&self.missing);
            } else if leaf.is_text() {
                let mut text = String::new();
                leaf.write_text(element, &mut text);
                self.line.push_str(&if self.form == Form::Csv { csv_field(&text) } else { text });
            } else {
                leaf.write_text(element, &mut self.line);
            }
        }
        if self.wraps() && column > 0 && self.line[self.begun..].chars().count() > self.width {
            self.line.replace_range(start - 1..start, "\n");
            self.begun = start;
        }
        self.done += 1;
        if self.done % last == 0 {
            self.line.push('\n');
            self.begun = self.line.len();
        }
    }

    fn add_json(&mut self, element: &[u8], missing: bool) {
        let opened = boundary(self.done, &self.shape);
        if self.done > 0 {
            self.line.push(',');
        }
        self.line.extend(std::iter::repeat_n('[', opened));
        let value = if missing { Value::Null } else { element_json(&self.leaves, element) };
        self.line.push_str(&value.to_string());
        self.done += 1;
        self.line.extend(std::iter::repeat_n(']', boundary(self.done, &self.shape)));
    }

    fn end(&mut self, last: &str, out: &mut dyn Write) -> Result<()> {
        if self.form == Form::Json {
            out.write_all(last.as_bytes())?;
        }
        Ok(())
    }
}

/// Returns the number of dimensions that begin or end before the element with this number.
fn boundary(number: i64, shape: &[i64]) -> usize {
    let mut size = 1_i64;
    let mut count = 0;
    for extent in shape.iter().rev() {
        size *= extent;
        if size == 0 || number % size != 0 {
            break;
        }
        count += 1;
    }
    count
}

/// Returns the JSON of an array without elements, as far as its shape can be seen in lists.
fn empty_json(shape: &[i64]) -> String {
    let mut text = String::from("[]");
    let outer = shape.iter().take_while(|extent| **extent != 0).collect::<Vec<_>>();
    for extent in outer.into_iter().rev() {
        // A huge list of empty lists says no more than one empty list.
        if *extent > 1000 {
            return "[]".to_owned();
        }
        text = format!("[{}]", vec![text; *extent as usize].join(","));
    }
    text
}
