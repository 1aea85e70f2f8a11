//! Writes the header of a table, through the line of names.

use super::field_writer::{FieldWriter, write_quoted};
use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::file::{Node, copy_to_tree};
use crate::table::ecsv::serialized;
use crate::table::metadata;
use crate::table::prune::prune;
use crate::table::{CellShape, ColumnHeader, Delimiter, ElementType, Header};
use crate::tags;
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Style, Tree};
use crate::yaml::{self, EmitOptions};
use std::collections::HashSet;

/// Line length in bytes after which a list or mapping continues on the next line.
const WIDTH: usize = 110;

/// Header that is being written.
pub(super) struct HeaderWriter<'a> {
    header: &'a Header,
    tree: Tree,
    meta: Option<NodeId>,
    /// Masks to add, each with the index of the column that it follows.
    masks: Vec<(usize, String)>,
}

impl<'a> HeaderWriter<'a> {
    /// Prepares a header.
    ///
    /// Fails with [`Status::InvalidArgument`] for duplicate or empty names, and with [`Status::Unsupported`] for cells
    /// that ECSV cannot represent. Fails with [`Status::Tree`] for metadata that are cyclic or have tags that are neither
    /// local nor YAML's own.
    pub(super) fn new(header: &'a Header, delimiter: Delimiter) -> Result<HeaderWriter<'a>> {
        if header.columns.iter().any(|column| column.name.is_empty()) {
            let message = "a column has an empty name, which readers of ECSV refuse";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let mut names = HashSet::new();
        if let Some(column) = header.columns.iter().find(|column| !names.insert(&*column.name)) {
            let message = format!("two columns have the name '{}'", column.name);
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let mut tree = Tree::new();
        let mut nodes = Vec::new();
        let style = if header.columns.is_empty() { Style::Flow } else { Style::Block };
        let list = tree.append_pair(tree.root(), "datatype", Content::Sequence(style));
        for column in &header.columns {
            nodes.extend(add_column(&mut tree, list, column)?);
        }
        if delimiter == Delimiter::Comma {
            tree.append_pair(tree.root(), "delimiter", Content::Scalar(",", Style::SingleQuoted));
        }
        let meta = header.meta.as_ref().map(|node| (node, add_place(&mut tree, "meta")));
        nodes.extend(meta);
        copy_to_tree(&nodes, &mut tree)?;
        for (node, place) in nodes {
            // Mappings made in memory become ordered ones. Metadata from a file are written as they were.
            if node.location()?.offset.is_none() && tree.kind(place) == Kind::Mapping && tree.tag(place).is_none() {
                tree.set_tag(place, Some(tags::FULL_ORDERED_MAPPING));
            }
        }
        metadata::check(&tree, tree.root())?;
        let meta = meta.map(|(_, place)| place);
        if let Some(meta) = meta {
            prune(&mut tree, meta, &names)?;
        }
        // Removing the last entry also removed the metadata.
        let meta = meta.filter(|&place| tree.check(place).is_ok());
        Ok(HeaderWriter { header, tree, meta, masks: Vec::new() })
    }

    /// Returns the names of the columns that astropy makes other columns from.
    pub(super) fn member_names(&self) -> HashSet<String> {
        self.meta.map(|meta| serialized::member_names(&self.tree, meta)).unwrap_or_default()
    }

    /// Marks the column at this index as masked, so that its empty fields are empty strings. `with_mask` adds a column
    /// behind it that marks its missing cells. A column that already has a mask stays as it is.
    pub(super) fn mark(&mut self, position: usize, with_mask: bool) -> Result<()> {
        let Some(column) = self.header.columns.get(position) else { return Ok(()) };
        if self.meta.is_some_and(|meta| serialized::has_mask(&self.tree, meta, &column.name)) {
            return Ok(());
        }
        let mask = with_mask.then(|| self.free_name(&column.name));
        let meta = match self.meta {
            Some(meta) => meta,
            None => {
                let meta = self.tree.append_pair(self.tree.root(), "meta", Content::Mapping(Style::Block));
                self.tree.set_tag(meta, Some(tags::FULL_ORDERED_MAPPING));
                meta
            }
        };
        self.meta = Some(meta);
        serialized::declare_masked(&mut self.tree, meta, &column.name, mask.as_deref())?;
        self.masks.extend(mask.map(|mask| (position, mask)));
        Ok(())
    }

    fn free_name(&self, name: &str) -> String {
        let mut mask = format!("{name}.mask");
        while self.header.columns.iter().any(|column| column.name == mask)
            || self.masks.iter().any(|(_, known)| *known == mask)
        {
            mask.push('_');
        }
        mask
    }

    /// Returns the header as a tree, with ordered mappings as mappings.
    pub(super) fn into_tree(mut self) -> Tree {
        add_schema(&mut self.tree, self.header);
        self.tree
    }

    /// Appends the text of the header. Returns, for each added mask, the index of the column that it follows.
    pub(super) fn write(mut self, fields: &FieldWriter, out: &mut Vec<u8>) -> Result<Vec<usize>> {
        let mut names: Vec<&str> = self.header.columns.iter().map(|column| &*column.name).collect();
        let root = self.tree.root();
        if let Some(list) = self.tree.find_token(root, "datatype") {
            let mut items = self.tree.items(list).to_vec();
            self.masks.sort_unstable();
            for (position, name) in self.masks.iter().rev() {
                let mask = ColumnHeader::new(&**name, ElementType::Scalar(ScalarType::Bool8), CellShape::Scalar);
                add_column(&mut self.tree, list, &mask)?;
                items.insert(position + 1, self.tree.items(list).last().copied().unwrap_or(list));
                names.insert(position + 1, name);
            }
            self.tree.set_items(list, items);
        }
        add_schema(&mut self.tree, self.header);
        spread_ordered(&mut self.tree);
        let mut lines = String::new();
        yaml::emit_lines(&self.tree, &mut lines, &EmitOptions { width: WIDTH, ..EmitOptions::default() })?;
        out.extend_from_slice(b"# %ECSV 1.0\n# ---\n");
        for line in lines.lines() {
            out.extend_from_slice(b"# ");
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        }
        write_names(&names, fields, out)?;
        Ok(self.masks.iter().map(|(position, _)| *position).collect())
    }
}

/// Adds the name of the convention that the metadata follow.
fn add_schema(tree: &mut Tree, header: &Header) {
    if let Some(schema) = &header.schema {
        tree.append_pair(tree.root(), "schema", Content::Scalar(schema, Style::Automatic));
    }
}

/// Adds a column to the list of columns. Returns its metadata and the place to copy them to.
fn add_column<'a>(tree: &mut Tree, list: NodeId, column: &'a ColumnHeader) -> Result<Option<(&'a Node, NodeId)>> {
    let (datatype, subtype) = types(column)?;
    let style = if column.meta.is_some() { Style::Block } else { Style::Flow };
    let item = tree.append_item(list, Content::Mapping(style));
    let mut add = |key: &str, text: Option<&str>| {
        if let Some(text) = text {
            tree.append_pair(item, key, Content::Scalar(text, Style::Automatic));
        }
    };
    add("name", Some(&column.name));
    add("unit", column.unit.as_deref());
    add("datatype", Some(&datatype));
    add("format", column.format.as_deref());
    add("description", column.description.as_deref());
    let meta = column.meta.as_ref();
    let meta = meta.map(|node| (node, tree.append_pair(item, "meta", Content::Scalar("", Style::Plain))));
    if let Some(subtype) = subtype {
        tree.append_pair(item, "subtype", Content::Scalar(&subtype, Style::Automatic));
    }
    Ok(meta)
}

fn add_place(tree: &mut Tree, key: &str) -> NodeId {
    tree.append_pair(tree.root(), key, Content::Scalar("", Style::Plain))
}

/// Returns the datatype and subtype of a column.
fn types(column: &ColumnHeader) -> Result<(String, Option<String>)> {
    use ElementType::{Complex256, Json, Scalar, String as Text};
    let element_type = column.element_type;
    let extents = match &column.cell_shape {
        CellShape::Scalar => {
            let declared = &column.declared_datatype;
            let kept = column.declared_subtype.clone().filter(|subtype| element_type != Json && is_unknown(subtype));
            return Ok(match element_type {
                Json => (Text.name().to_owned(), Some(Json.name().to_owned())),
                // Numpy's name for times, which are read as strings.
                Text if declared.starts_with("datetime64") => (declared.clone(), kept),
                _ => (element_type.name().to_owned(), kept),
            });
        }
        CellShape::Fixed(extents) => extents.iter().map(u64::to_string).collect::<Vec<_>>(),
        CellShape::Variable(extents) => {
            extents.iter().map(u64::to_string).chain(std::iter::once("null".to_owned())).collect()
        }
    };
    if matches!(element_type, Complex256 | Scalar(ScalarType::Complex64 | ScalarType::Complex128)) {
        let message = format!("the column '{}' holds arrays of complex numbers, which ECSV cannot store", column.name);
        return Err(Error::new(Status::Unsupported, message));
    }
    Ok((Text.name().to_owned(), Some(format!("{element_type}[{}]", extents.join(",")))))
}

/// Returns whether ECSV does not know a subtype, so that it is kept as additional information.
fn is_unknown(subtype: &str) -> bool {
    let base = subtype.split('[').next().unwrap_or_default().trim();
    ElementType::from_name(base).is_none()
}

/// Converts ordered mappings to lists of pairs, their written form.
fn spread_ordered(tree: &mut Tree) {
    let is_ordered = |id: &NodeId| tree.kind(*id) == Kind::Mapping && tree.tag(*id) == Some(tags::FULL_ORDERED_MAPPING);
    let ordered: Vec<NodeId> = tree.live_nodes().filter(is_ordered).collect();
    for id in ordered {
        tree.list_pairs(id);
    }
}

/// Appends the line of names. All names are quoted if the line could be read as a comment or could lose blanks.
fn write_names(names: &[&str], fields: &FieldWriter, out: &mut Vec<u8>) -> Result<()> {
    let blanks = [' ', '\t'];
    let all_quoted = names.first().is_some_and(|name| name.trim_start_matches(blanks).starts_with('#'))
        || names.iter().any(|name| name.trim_matches(blanks) != *name);
    for (position, name) in names.iter().enumerate() {
        if position > 0 {
            fields.separate(out);
        }
        if all_quoted {
            write_quoted(out, name.as_bytes())?;
        } else {
            fields.write(out, name.as_bytes())?;
        }
    }
    if !names.is_empty() {
        out.push(b'\n');
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{File, NewOptions};

    fn text(header: &Header, delimiter: Delimiter) -> Result<String> {
        let fields = FieldWriter::new(delimiter, header.columns.len());
        let mut out = Vec::new();
        HeaderWriter::new(header, delimiter)?.write(&fields, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn column(name: &str, element_type: ElementType) -> ColumnHeader {
        ColumnHeader::new(name, element_type, CellShape::Scalar)
    }

    fn meta() -> Node {
        let root = File::new(&NewOptions::default()).root().unwrap();
        root.set_string("meta/b", "1e5").unwrap();
        root.set_string("meta/a/deeper", "two\n\nlines").unwrap();
        root.at("meta").unwrap()
    }

    #[test]
    fn headers_are_legible() {
        let int32 = ElementType::Scalar(ScalarType::Int32);
        let first = ColumnHeader {
            unit: Some("m / s".to_owned()),
            description: Some("a: b, é".to_owned()),
            format: Some("%5.1f".to_owned()),
            ..column("a b", int32)
        };
        let array = ColumnHeader { cell_shape: CellShape::Fixed(vec![3, 2]), ..column("c", int32) };
        let variable = ColumnHeader { cell_shape: CellShape::Variable(vec![4]), ..column("v", ElementType::Json) };
        let json = ColumnHeader { meta: Some(meta()), ..column("#j", ElementType::Json) };
        let kept = ColumnHeader { declared_subtype: Some("MJD".to_owned()), ..column("k", ElementType::Float128) };
        let header = Header {
            columns: vec![first, array, variable, json, kept],
            meta: Some(meta()),
            schema: Some("astropy-2.0".to_owned()),
            ..Header::default()
        };
        let expected = r##"# %ECSV 1.0
# ---
# datatype:
# - {name: a b, unit: m / s, datatype: int32, format: '%5.1f', description: 'a: b, é'}
# - {name: c, datatype: string, subtype: 'int32[3,2]'}
# - {name: v, datatype: string, subtype: 'json[4,null]'}
# - name: '#j'
#   datatype: string
#   meta: !!omap
#   - b: '1e5'
#   - a:
#       deeper: "two\n\nlines"
#   subtype: json
# - {name: k, datatype: float128, subtype: MJD}
# delimiter: ','
# meta: !!omap
# - b: '1e5'
# - a:
#     deeper: "two\n\nlines"
# schema: astropy-2.0
a b,c,v,"#j",k
"##;
        assert_eq!(text(&header, Delimiter::Comma).unwrap(), expected);
    }

    #[test]
    fn names_that_could_be_lost_are_quoted() {
        let float64 = ElementType::Scalar(ScalarType::Float64);
        let names = |names: &[&str], delimiter| {
            let columns = names.iter().map(|name| column(name, float64)).collect();
            let text = text(&Header { columns, ..Header::default() }, delimiter).unwrap();
            text.lines().last().unwrap().to_owned()
        };
        assert_eq!(names(&["#a", "b"], Delimiter::Comma), "\"#a\",\"b\"");
        assert_eq!(names(&["a", " b"], Delimiter::Space), "\"a\" \" b\"");
        assert_eq!(names(&["a", "b c"], Delimiter::Space), "a \"b c\"");
        assert_eq!(names(&["a", "c\"d"], Delimiter::Comma), "a,\"c\"\"d\"");
        let unnamed = Header { columns: vec![column("", float64)], ..Header::default() };
        assert_eq!(text(&unnamed, Delimiter::Comma).unwrap_err().status(), Status::InvalidArgument);
        let none = text(&Header::default(), Delimiter::Space).unwrap();
        assert_eq!(none, "# %ECSV 1.0\n# ---\n# datatype: []\n");
    }

    #[test]
    fn unsupported_content_is_refused() {
        let status = |header: &Header| text(header, Delimiter::Space).unwrap_err().status();
        let complex = ElementType::Scalar(ScalarType::Complex64);
        let arrays = ColumnHeader { cell_shape: CellShape::Variable(vec![]), ..column("c", complex) };
        assert_eq!(status(&Header { columns: vec![arrays], ..Header::default() }), Status::Unsupported);
        let twice = vec![column("a", complex), column("a", complex)];
        assert_eq!(status(&Header { columns: twice, ..Header::default() }), Status::InvalidArgument);
        let tagged = meta();
        tagged.set_tag("a/deeper", Some("tag:example.org:x-1.0.0")).unwrap();
        let header = Header { meta: Some(tagged.clone()), ..Header::default() };
        let error = text(&header, Delimiter::Space).unwrap_err();
        assert_eq!((error.status(), error.location().path.as_deref()), (Status::Tree, Some("/meta/a/deeper")));
        tagged.set_tag("a/deeper", Some("tag:yaml.org,2002:python/x")).unwrap();
        assert!(text(&header, Delimiter::Space).unwrap().contains("deeper: !!python/x \"two"));
    }
}
