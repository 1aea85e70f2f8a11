//! `asdfkit info`: what is in a file.

use super::outline::Outline;
use super::tree_line::Line;
use crate::core::arguments::{Files, TableText};
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Format, Input};
use crate::core::output::{Output, Report, Style, printable};
use crate::core::size::{count, of_bytes};
use crate::core::tree_path::TreePath;
use crate::core::walk::Walk;
use crate::core::worlds::is_world;
use asdfkit::Error;
use asdfkit::file::{File, Node, NodeType};
use asdfkit::ndl;
use asdfkit::schema::Schemas;
use asdfkit::table::{CellShape, Header, ecsv};
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Show what is in files: header, software, history, world coordinates, and the tree with types, shapes, units and sizes
///
/// The tree is read, the arrays are not.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Show only the tree at this path, such as meta/exposure
    #[arg(short, long, default_value = "")]
    path: TreePath,
    /// Show children down to this depth
    #[arg(short, long, default_value_t = 4, value_name = "NUMBER")]
    depth: usize,
    /// Show at most this many children of each sequence
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    items: usize,
    /// Show asdf_library and the history, too
    #[arg(short, long)]
    all: bool,
    /// Show titles of entries from the schemas on the search path, or from those of a package: the path of a folder or a
    /// wheel, or a name such as rad; repeat the option for several
    #[arg(long, value_name = "PACKAGE", num_args = 0..=1, require_equals = true)]
    describe: Option<Vec<String>>,
    #[command(flatten)]
    text: TableText,
}

/// Shows one file.
pub(crate) fn run(input: &Input, arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let format = input.format_of_table(&arguments.text)?;
    if format != Format::Asdf && !arguments.path.is_root() {
        return Err(Failure::usage(format!("{}: only the tree of an ASDF file has paths", input.name())));
    }
    match format {
        Format::Asdf => output.report(&AsdfReport::of(input, arguments)?)?,
        Format::Ecsv => {
            let reader = input.text_table(&arguments.text, ecsv::ReadOptions::default())?;
            output.report(&TableReport { name: input.name(), size: input.size(), header: reader.header() })?;
        }
        Format::Ndl => {
            let parsed = input.description(&ndl::ReadOptions::default())?;
            let outcome = Outcome::of(parsed.is_valid());
            output.report(&NdlReport::of(input.name(), parsed)?)?;
            return Ok(outcome);
        }
    }
    Ok(Outcome::Yes)
}

/// Facts about an ASDF file.
struct AsdfReport {
    name: String,
    size: Option<u64>,
    format_version: String,
    standard: String,
    library: Option<String>,
    history: Vec<(Option<String>, String)>,
    blocks: Option<u64>,
    comments: Vec<String>,
    warnings: Vec<String>,
    worlds: Vec<Outline>,
    lines: Vec<(Line, usize)>,
}

impl AsdfReport {
    fn of(input: &Input, arguments: &Arguments) -> Result<AsdfReport> {
        let file = input.asdf()?;
        let standard = file.standard();
        let standard = standard.declared.clone().unwrap_or_else(|| standard.effective.as_str().to_owned());
        let root = file.root()?;
        let (mut lines, worlds) = tree_lines(&root.at(&arguments.path)?, String::from(&*arguments.path), arguments)?;
        if let Some(packages) = &arguments.describe {
            let schemas = Schemas::load(packages)?;
            lines.iter_mut().try_for_each(|(line, _)| line.describe(&root, &schemas))?;
        }
        let text = |path: &str| Error::readable(root.text(path));
        Ok(AsdfReport {
            name: input.name(),
            size: input.size(),
            format_version: file.format_version().to_owned(),
            standard,
            library: match text("asdf_library/name")? {
                Some(name) => Some(format!("{name} {}", text("asdf_library/version")?.unwrap_or_default())),
                None => None,
            },
            history: history(&file)?,
            blocks: Error::readable(file.block_count())?,
            comments: file.comments()?,
            warnings: file.warnings().iter().map(ToString::to_string).collect(),
            worlds,
            lines,
        })
    }
}

/// Returns the time and the text of each history entry.
pub(crate) fn history(file: &File) -> Result<Vec<(Option<String>, String)>> {
    let Some(history) = Error::readable(file.history())? else { return Ok(Vec::new()) };
    let mut entries = Vec::new();
    for index in 0..Error::readable(history.count(""))?.unwrap_or_default() {
        let Some(entry) = Error::readable(history.item("", index))? else { continue };
        let description = Error::readable(entry.text("description"))?.unwrap_or_default();
        entries.push((Error::readable(entry.text("time"))?, description));
    }
    Ok(entries)
}

/// Lines of a tree, each with the number of items that are left out after it, and the world coordinates in it.
type Tree = (Vec<(Line, usize)>, Vec<Outline>);

/// Collects the lines of a tree.
fn tree_lines(node: &Node, path: String, arguments: &Arguments) -> Result<Tree> {
    let mut lines: Vec<(Line, usize)> = Vec::new();
    let mut worlds = Vec::new();
    let mut walk = Walk::new(node.clone(), path);
    while let Some(visit) = walk.next()? {
        if !arguments.all && matches!(visit.path.as_str(), "/asdf_library" | "/history") {
            continue;
        }
        if visit.index.is_some_and(|index| index >= arguments.items) {
            let left_out = walk.skip_siblings() + 1;
            if let Some((_, last)) = lines.last_mut() {
                *last += left_out;
            }
            continue;
        }
        if visit.node_type == Some(NodeType::Mapping) && is_world(&visit.node)? {
            worlds.push(Outline::of(&visit.path, &visit.node));
        }
        // The line of its mapping shows it.
        if visit.path.ends_with("/~1~1") && visit.node_type == Some(NodeType::String) {
            continue;
        }
        if let Some(card) = visit.as_card()? {
            lines.push((Line::of(&card)?, 0));
            continue;
        }
        let line = Line::of(&visit)?;
        if visit.depth < arguments.depth && !line.is_closed() {
            walk.enter(&visit)?;
        }
        lines.push((line, 0));
    }
    Ok((lines, worlds))
}

impl Report for AsdfReport {
    fn json(&self) -> Value {
        let history = self.history.iter().map(|(time, text)| json!({"time": time, "description": text}));
        json!({
            "file": self.name,
            "format": "asdf",
            "bytes": self.size,
            "format_version": self.format_version,
            "standard": self.standard,
            "library": self.library,
            "blocks": self.blocks,
            "comments": self.comments,
            "history": history.collect::<Vec<_>>(),
            "warnings": self.warnings,
            "wcs": self.worlds.iter().map(Outline::json).collect::<Vec<_>>(),
            "tree": self.lines.iter().map(|(line, _)| line.json()).collect::<Vec<_>>(),
        })
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        write!(out, "{}: ASDF {}", style.name(printable(&self.name)), printable(&self.format_version))?;
        write!(out, ", standard {}", printable(&self.standard))?;
        if let Some(size) = self.size {
            write!(out, ", {}", of_bytes(size))?;
        }
        if let Some(blocks) = self.blocks {
            write!(out, ", {}", count(blocks, "block"))?;
        }
        writeln!(out)?;
        if let Some(library) = &self.library {
            writeln!(out, "written by {}", printable(library))?;
        }
        for (time, text) in &self.history {
            let time = time.as_deref().map(|time| format!("{} ", printable(time))).unwrap_or_default();
            writeln!(out, "history: {time}{}", printable(text))?;
        }
        for warning in &self.warnings {
            writeln!(out, "{} {}", style.bad("warning:"), printable(warning))?;
        }
        for world in &self.worlds {
            world.text(out, style)?;
        }
        for (line, left_out) in &self.lines {
            writeln!(out, "{}", line.text(style))?;
            if *left_out > 0 {
                writeln!(out, "{}… {left_out} more", "  ".repeat(line.depth))?;
            }
        }
        Ok(())
    }
}

/// Facts about an ECSV table, which its header tells.
struct TableReport<'a> {
    name: String,
    size: Option<u64>,
    header: &'a Header,
}

/// Returns the shape of a cell; an unknown extent is `*`.
fn cell_text(shape: &CellShape) -> String {
    let list = |extents: &[u64]| extents.iter().map(u64::to_string).collect::<Vec<_>>();
    match shape {
        CellShape::Scalar => String::new(),
        CellShape::Fixed(extents) => format!(" [{}]", list(extents).join(", ")),
        CellShape::Variable(extents) => {
            let mut parts = list(extents);
            parts.push("*".to_owned());
            format!(" [{}]", parts.join(", "))
        }
    }
}

impl Report for TableReport<'_> {
    fn json(&self) -> Value {
        let columns = self.header.columns.iter().map(|column| {
            json!({
                "name": column.name,
                "type": column.element_type.name(),
                "shape": cell_text(&column.cell_shape).trim(),
                "unit": column.unit,
                "description": column.description,
            })
        });
        json!({
            "file": self.name,
            "format": "ecsv",
            "bytes": self.size,
            "version": self.header.version,
            "schema": self.header.schema,
            "columns": columns.collect::<Vec<_>>(),
        })
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        write!(out, "{}: ECSV", style.name(printable(&self.name)))?;
        if let Some(version) = &self.header.version {
            write!(out, " {}", printable(version))?;
        }
        if let Some(size) = self.size {
            write!(out, ", {}", of_bytes(size))?;
        }
        writeln!(out, ", {}", count(self.header.columns.len() as u64, "column"))?;
        for column in &self.header.columns {
            let (name, kind) = (style.name(printable(&column.name)), column.element_type.name());
            write!(out, "  {name}: {kind}{}", cell_text(&column.cell_shape))?;
            if let Some(unit) = &column.unit {
                write!(out, ", unit '{}'", printable(unit))?;
            }
            if let Some(description) = &column.description {
                write!(out, "{}", style.faint(format!("  {}", printable(description))))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Facts about a description.
struct NdlReport {
    name: String,
    parsed: ndl::Parsed,
    /// Datatypes of the dimension coordinates and of the arrays, in NDL notation.
    coordinates: Vec<Option<String>>,
    arrays: Vec<Option<String>>,
}

impl NdlReport {
    fn of(name: String, parsed: ndl::Parsed) -> asdfkit::Result<NdlReport> {
        let text = |datatype: &Option<ndl::Datatype>| datatype.as_ref().map(ndl::Datatype::to_text).transpose();
        let description = &parsed.description;
        let coordinates = description.dimcoords.iter().map(|(_, coordinate)| text(&coordinate.datatype));
        let coordinates = coordinates.collect::<asdfkit::Result<_>>()?;
        let arrays = description.ndarrays.iter().map(|(_, array)| text(&array.datatype));
        let arrays = arrays.collect::<asdfkit::Result<_>>()?;
        Ok(NdlReport { name, parsed, coordinates, arrays })
    }
}

impl Report for NdlReport {
    fn json(&self) -> Value {
        let description = &self.parsed.description;
        let arrays = description.ndarrays.iter().zip(&self.arrays).map(|((path, _), datatype)| {
            json!({
                "path": path,
                "datatype": datatype,
            })
        });
        json!({
            "file": self.name,
            "format": "ndl",
            "valid": self.parsed.is_valid(),
            "errors": self.parsed.error_count,
            "warnings": self.parsed.warning_count,
            "groups": description.groups.iter().map(|(path, _)| path).collect::<Vec<_>>(),
            "dimension_coordinates": description.dimcoords.iter().map(|(path, _)| path).collect::<Vec<_>>(),
            "arrays": arrays.collect::<Vec<_>>(),
        })
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let description = &self.parsed.description;
        let name = style.name(printable(&self.name));
        let arrays = count(description.ndarrays.len() as u64, "array");
        let coordinates = count(description.dimcoords.len() as u64, "dimension coordinate");
        writeln!(out, "{name}: NDL, {arrays}, {coordinates}")?;
        for ((path, _), datatype) in description.dimcoords.iter().zip(&self.coordinates) {
            let datatype = printable(datatype.as_deref().unwrap_or_default());
            writeln!(out, "  {}: dimension coordinate {datatype}", style.name(printable(path)))?;
        }
        for ((path, _), datatype) in description.ndarrays.iter().zip(&self.arrays) {
            let datatype = printable(datatype.as_deref().unwrap_or_default());
            writeln!(out, "  {}: array {datatype}", style.name(printable(path)))?;
        }
        for diagnostic in &self.parsed.diagnostics {
            writeln!(out, "  {}", style.bad(printable(&diagnostic.to_string())))?;
        }
        Ok(())
    }
}
