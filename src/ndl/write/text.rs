//! The canonical text of a description: equal content gives equal text, and readers of YAML 1.1 and 1.2 agree on it.
//!
//! The emitter of trees in `yaml` is not used. It keeps a style for each node and the meaning of YAML 1.1, and a tree
//! would need the memory of all values a second time. Here the content alone decides on layout, quotes and line breaks,
//! and scalars follow YAML 1.2. Block scalars, the maximum length of a simple key and the words that need quotes are
//! shared with `yaml` and `tree`.

use super::directive::Directive;
use super::flow::{Dialect, Flow, write_key};
use super::spelling::write_text;
use super::walk::not_of_datatype;
use crate::error::{Error, Result, Status};
use crate::ndl::model::datatype::BINARY16;
use crate::ndl::model::members::{GroupMembers, Members};
use crate::ndl::model::path_name;
use crate::ndl::read::is_detachable;
use crate::ndl::{
    Attribute, Datatype, DatatypeKind, Description, DimCoord, Dimension, Elements, Extensions, FloatType, IntegerType,
    Named, Ndarray, Size, Storage, Value,
};
use crate::reserve::{GrowingText, push};
use crate::yaml::write::{MAX_SIMPLE_KEY, quoting, write_blanks};

/// Maximum width of a line in columns. Longer lists continue on the next lines.
const WIDTH: usize = 100;

/// Options for writing a description as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// True to sort groups and their members by path name, false to keep the order of the description.
    pub sort: bool,
    /// True to write groups even if only the root has content.
    pub grouped: bool,
}

impl Description {
    /// Returns the canonical text. Descriptions of equal content have equal texts, except for the order of entities and
    /// for listed groups without content. Parsing the text and writing it again gives the same text. Comments are not
    /// part of a description.
    ///
    /// Fails with [`Status::Incomplete`] if a part is missing after errors in the original text, with
    /// [`Status::InvalidArgument`] if a value does not fit its datatype, and with [`Status::Path`] if an array or a
    /// group has an invalid path name.
    pub fn to_text(&self, options: &TextOptions) -> Result<String> {
        Ok(self.emit(options, None)?.0)
    }

    /// Returns the text and the detached values, as [`parse_detached`](crate::ndl::read::parse_detached) reads them. A
    /// missing part is left out if the parser reports it.
    pub(crate) fn to_text_detached(&self) -> Result<(String, Vec<&Value>)> {
        self.emit(&TextOptions::default(), Some(Vec::new()))
    }

    fn emit<'a>(&'a self, options: &TextOptions, detached: Option<Vec<&'a Value>>) -> Result<(String, Vec<&'a Value>)> {
        let mut members = Members::of(self)?;
        if options.sort {
            members.sort();
        }
        let mut emitter =
            Emitter { out: GrowingText::default(), is_flat: members.fit_flat() && !options.grouped, detached };
        for group in members.groups.iter().filter(|group| group.is_written()) {
            if emitter.is_flat {
                emitter.sections(0, group)?;
            } else {
                emitter.group(group)?;
            }
        }
        emitter.extensions(0, &self.extensions)?;
        if emitter.out.is_empty() {
            emitter.out.push_str("{}\n");
        }
        Ok((emitter.out.finish()?, emitter.detached.unwrap_or_default()))
    }
}

/// Returns the error for a missing part of a description.
fn missing(what: &str) -> Error {
    Error::new(Status::Incomplete, format!("the {what} is missing, because the description was read with errors"))
}

struct Emitter<'a> {
    out: GrowingText,
    /// True for the flat form: no groups, and dimension coordinates are referred to by name.
    is_flat: bool,
    /// Detached values; `None` if all values are in the text.
    detached: Option<Vec<&'a Value>>,
}

impl<'a> Emitter<'a> {
    /// Writes a key with its colon; the value follows.
    fn key(&mut self, indent: usize, key: &str) {
        write_blanks(&mut self.out, indent);
        self.key_here(indent, key);
    }

    fn key_here(&mut self, indent: usize, key: &str) {
        write_key(&mut self.out, key, write_text);
        if key.len() > MAX_SIMPLE_KEY {
            self.out.push('\n');
            write_blanks(&mut self.out, indent);
        }
        self.out.push(':');
    }

    /// Writes a key whose value is on the next lines.
    fn opening_key(&mut self, indent: usize, key: &str) {
        self.key(indent, key);
        self.out.push('\n');
    }

    /// Writes a key and its value on one line.
    fn line(&mut self, indent: usize, key: &str, value: &str) {
        self.key(indent, key);
        self.end_line(value);
    }

    fn end_line(&mut self, value: &str) {
        self.out.push(' ');
        self.out.push_str(value);
        self.out.push('\n');
    }

    fn group(&mut self, group: &GroupMembers<'a>) -> Result<()> {
        self.key(0, group.path);
        let start = self.out.len();
        self.out.push('\n');
        self.sections(2, group)?;
        if let Some(extensions) = group.group.map(|group| &group.extensions) {
            self.extensions(2, extensions)?;
        }
        if self.out.len() == start.saturating_add(1) {
            self.out.truncate(start);
            self.end_line("{}");
        }
        Ok(())
    }

    fn sections(&mut self, indent: usize, group: &GroupMembers<'a>) -> Result<()> {
        if let Some(attributes) = group.attributes() {
            self.attributes(indent, attributes).map_err(|error| error.at_path(group.path))?;
        }
        if !group.dimcoords.is_empty() {
            self.opening_key(indent, "dimcoords");
        }
        for (name, dimcoord) in &group.dimcoords {
            self.opening_key(indent + 2, name);
            let result = self.dimcoord(indent + 4, dimcoord);
            result.map_err(|error| error.at_path(path_name::join(group.path, name)))?;
        }
        if !group.ndarrays.is_empty() {
            self.opening_key(indent, "ndarrays");
        }
        for (name, ndarray) in &group.ndarrays {
            self.opening_key(indent + 2, name);
            let result = self.ndarray(indent + 4, ndarray);
            result.map_err(|error| error.at_path(path_name::join(group.path, name)))?;
        }
        Ok(())
    }

    fn dimcoord(&mut self, indent: usize, dimcoord: &'a DimCoord) -> Result<()> {
        if dimcoord.size != Size::Unknown || self.detached.is_none() {
            self.line(indent, "size", &extent(dimcoord.size, "size")?);
        }
        let DimCoord { datatype, storage, value, attributes, extensions, .. } = dimcoord;
        self.array(indent, datatype.as_ref(), storage, value.as_ref(), attributes, extensions)
    }

    fn ndarray(&mut self, indent: usize, ndarray: &'a Ndarray) -> Result<()> {
        match &ndarray.shape {
            Some(shape) => self.shape(indent, shape)?,
            None if self.detached.is_some() => {}
            None => return Err(missing("shape")),
        }
        let Ndarray { datatype, storage, value, attributes, extensions, .. } = ndarray;
        self.array(indent, datatype.as_ref(), storage, value.as_ref(), attributes, extensions)
    }

    fn shape(&mut self, indent: usize, shape: &[Dimension]) -> Result<()> {
        let mut flow = Flow::new(Dialect::Yaml);
        flow.begin_list();
        for dimension in shape {
            self.dimension(&mut flow, dimension)?;
        }
        flow.end_list();
        self.line(indent, "shape", flow.as_text()?);
        Ok(())
    }

    fn dimension(&self, flow: &mut Flow, dimension: &Dimension) -> Result<()> {
        match (&dimension.coordinate, &dimension.spelling) {
            (Some(path), _) => {
                let name = path.strip_prefix('/').filter(|name| self.is_flat && path_name::is_name(name));
                flow.plain_text(name.unwrap_or(path));
            }
            (None, Some(spelling)) => flow.plain_text(spelling),
            (None, None) => flow.word(&extent(dimension.extent, "extent of a dimension")?),
        }
        Ok(())
    }

    /// Writes the parts that arrays and dimension coordinates share.
    fn array(
        &mut self,
        indent: usize,
        datatype: Option<&Datatype>,
        storage: &Storage,
        value: Option<&'a Value>,
        attributes: &'a Named<Attribute>,
        extensions: &Extensions,
    ) -> Result<()> {
        if let Some(datatype) = datatype {
            self.key(indent, "type");
            self.datatype(indent + 2, datatype)?;
        }
        self.storage(indent, storage, datatype)?;
        if let Some(value) = value {
            self.key(indent, "value");
            self.value(indent, value, datatype.ok_or_else(|| missing("datatype"))?)?;
        }
        self.attributes(indent, attributes)?;
        self.extensions(indent, extensions)
    }

    fn attributes(&mut self, indent: usize, attributes: &'a Named<Attribute>) -> Result<()> {
        if !attributes.is_empty() {
            self.opening_key(indent, "attributes");
        }
        for (name, attribute) in attributes.iter() {
            self.key(indent + 2, name);
            self.attribute(indent + 2, attribute).map_err(|error| in_attribute(name, error))?;
        }
        Ok(())
    }

    /// Writes an attribute after its key, which is indented by `indent`.
    fn attribute(&mut self, indent: usize, attribute: &'a Attribute) -> Result<()> {
        let shape = attribute.shape.as_ref().ok_or_else(|| missing("shape"))?;
        let datatype = attribute.datatype.as_ref().ok_or_else(|| missing("datatype"))?;
        let value = match &attribute.value {
            None if self.detached.is_some() => None,
            value => Some(value.as_ref().ok_or_else(|| missing("value"))?),
        };
        let is_short_type = match datatype.kind() {
            DatatypeKind::String => true,
            DatatypeKind::Integer(integer) => *integer == IntegerType::Int32,
            DatatypeKind::Float(float) => *float == FloatType::Float64,
            _ => false,
        };
        let is_plain = attribute.storage.is_empty() && attribute.extensions.is_empty();
        if let Some(value) = value.filter(|_| is_short_type && shape.is_empty() && is_plain) {
            return self.value(indent, value, datatype);
        }
        self.out.push('\n');
        let mut flow = Flow::new(Dialect::Yaml);
        flow.numbers(shape);
        self.line(indent + 2, "shape", flow.as_text()?);
        self.key(indent + 2, "type");
        self.datatype(indent + 4, datatype)?;
        self.storage(indent + 2, &attribute.storage, Some(datatype))?;
        if let Some(value) = value {
            self.key(indent + 2, "value");
            self.value(indent + 2, value, datatype)?;
        }
        self.extensions(indent + 2, &attribute.extensions)
    }

    /// Writes a datatype after its key. The keyword is indented by `indent` if it is not on the line of the key.
    /// Recursion is as deep as the datatype, which is limited.
    fn datatype(&mut self, indent: usize, datatype: &Datatype) -> Result<()> {
        if let DatatypeKind::String | DatatypeKind::Integer(_) | DatatypeKind::Float(_) | DatatypeKind::Objref =
            datatype.kind()
        {
            self.end_line(datatype.keyword());
            return Ok(());
        }
        self.out.push('\n');
        self.opening_key(indent, datatype.keyword());
        let indent = indent + 2;
        match datatype.kind() {
            DatatypeKind::Opaque { size, tag } => {
                self.line(indent, "size", &size.to_string());
                if datatype.kind().is_binary16() {
                    // The comment helps readers who do not know the name in the tag.
                    self.line(indent, "tag", &format!("{BINARY16} # 16-bit floats"));
                } else if let Some(tag) = tag {
                    self.key(indent, "tag");
                    self.text(indent, tag);
                }
            }
            DatatypeKind::Regref(selection) => self.line(indent, "selection", selection.name()),
            DatatypeKind::Enum(enumeration) => {
                self.line(indent, "base", enumeration.base.name());
                self.opening_key(indent, "members");
                for (name, number) in enumeration.members.iter() {
                    self.line(indent + 2, name, &number.to_string());
                }
            }
            DatatypeKind::Compound(members) => {
                for (name, member) in members.iter() {
                    write_blanks(&mut self.out, indent);
                    self.out.push_str("- ");
                    self.key_here(indent + 2, name);
                    self.datatype(indent + 4, member)?;
                }
            }
            DatatypeKind::Vlen(base) => {
                self.key(indent, "base");
                self.datatype(indent + 2, base)?;
            }
            DatatypeKind::Array { base, shape } => {
                self.key(indent, "base");
                self.datatype(indent + 2, base)?;
                let mut flow = Flow::new(Dialect::Yaml);
                flow.numbers(shape);
                self.line(indent, "shape", flow.as_text()?);
            }
            DatatypeKind::String | DatatypeKind::Integer(_) | DatatypeKind::Float(_) | DatatypeKind::Objref => {}
        }
        // The members of a compound are a list, so there is no place for other keys.
        match datatype.kind() {
            DatatypeKind::Compound(_) => Ok(()),
            _ => self.extensions(indent, datatype.extensions()),
        }
    }

    fn storage(&mut self, indent: usize, storage: &Storage, datatype: Option<&Datatype>) -> Result<()> {
        if storage.is_empty() {
            return Ok(());
        }
        self.opening_key(indent, "storage");
        let indent = indent + 2;
        for directive in Directive::ALL {
            if directive.is_in(storage) {
                let mut flow = Flow::new(Dialect::Yaml);
                directive.write(&mut flow, storage, datatype)?;
                self.line(indent, directive.name(), flow.as_text()?);
            }
        }
        self.extensions(indent, &storage.extensions)
    }

    /// Writes a value after its key, which is indented by `indent`.
    fn value(&mut self, indent: usize, value: &'a Value, datatype: &Datatype) -> Result<()> {
        if self.detach(value, datatype)? {
            return Ok(());
        }
        if let (true, Elements::Texts(texts)) = (value.shape().is_empty(), value.elements())
            && let (Some(text), DatatypeKind::String) = (texts.get(0), datatype.kind())
        {
            self.text(indent, text);
            return Ok(());
        }
        let mut flow = Flow::new(Dialect::Yaml);
        flow.value(value, datatype)?;
        let text = flow.as_text()?;
        match flow.list_items()? {
            Some(items) if indent + "value: ".len() + text.len() > WIDTH => {
                let are_numbers = matches!(datatype.kind(), DatatypeKind::Integer(_) | DatatypeKind::Float(_));
                if are_numbers && value.shape().len() == 1 {
                    self.wrapped(indent, &items);
                } else {
                    self.block_list(indent, &items);
                }
            }
            _ => self.end_line(text),
        }
        Ok(())
    }

    /// Detaches a value: in its place, writes a list that holds only its number. Returns false if the value must be
    /// written into the text.
    fn detach(&mut self, value: &'a Value, datatype: &Datatype) -> Result<bool> {
        let is_list = !value.shape().is_empty() || datatype.list_depth() > 0;
        let Some(detached) = self.detached.as_mut().filter(|_| is_list && is_detachable(datatype)) else {
            return Ok(false);
        };
        if !value.elements().are_of(datatype) {
            return Err(not_of_datatype());
        }
        let number = detached.len();
        push(detached, value)?;
        self.end_line(&format!("[{number}]"));
        Ok(true)
    }

    fn block_list(&mut self, indent: usize, items: &[&str]) {
        self.out.push('\n');
        for item in items {
            write_blanks(&mut self.out, indent + 2);
            self.out.push('-');
            self.end_line(item);
        }
    }

    /// Writes a list in brackets on as many lines as it needs.
    fn wrapped(&mut self, indent: usize, items: &[&str]) {
        self.out.push_str(" [");
        let mut column = WIDTH;
        for (position, item) in items.iter().enumerate() {
            let is_first = position == 0;
            column += ", ".len() + item.len();
            if !is_first {
                self.out.push(',');
            }
            // The width includes the following comma or bracket.
            if column >= WIDTH {
                self.out.push('\n');
                write_blanks(&mut self.out, indent + 2);
                column = indent + 2 + item.len();
            } else {
                self.out.push(' ');
            }
            self.out.push_str(item);
        }
        self.out.push_str("]\n");
    }

    /// Writes a text after its key: as a literal block if this is exact, otherwise on the line of the key.
    fn text(&mut self, indent: usize, text: &str) {
        self.out.push(' ');
        if text.contains('\n') && !text.ends_with("\n\n") && quoting::fits_literal(text) {
            quoting::write_literal(&mut self.out, text, indent + 2);
        } else {
            write_text(&mut self.out, text);
            self.out.push('\n');
        }
    }

    fn extensions(&mut self, indent: usize, extensions: &Extensions) -> Result<()> {
        for (key, content) in extensions.iter() {
            let mut flow = Flow::new(Dialect::Yaml);
            flow.content(content);
            self.line(indent, key, flow.as_text()?);
        }
        Ok(())
    }
}

/// Adds the name of an attribute to an error, because attributes have no path name.
pub(crate) fn in_attribute(name: &str, error: Error) -> Error {
    Error::because_of(&format!("in the attribute '{name}'"), &error)
}

fn extent(size: Size, what: &str) -> Result<String> {
    match size {
        Size::Fixed(extent) => Ok(extent.to_string()),
        Size::Unlimited => Ok("null".to_owned()),
        Size::Unknown => Err(missing(what)),
    }
}
