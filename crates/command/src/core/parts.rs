//! Paths that go on below a node: columns of tables, fields of arrays of records, and keywords of the headers of HDUs.

use super::failure::{Failure, Result};
use super::walk::keyword_and_value;
use asdfkit::array::Array;
use asdfkit::file::{Node, NodeType};
use asdfkit::{Error, Status};

/// What a path leads to.
pub(crate) enum Part {
    /// A node of the tree.
    Node(Node),
    /// A column of a table or a field of records, with its unit.
    Array(Box<Array>, Option<String>),
}

impl Part {
    /// Finds the node at a path, or the column `TABLE/COLUMN`, field `ARRAY/FIELD` or card `HEADER/KEYWORD`. The error
    /// for a wrong path names the keys or columns that there are.
    pub(crate) fn find(root: &Node, path: &str) -> Result<Part> {
        let error = match root.at(path) {
            Ok(node) => return Ok(Part::Node(node)),
            Err(error) if !matches!(error.status(), Status::NotFound | Status::WrongType) => return Err(error.into()),
            Err(error) => error,
        };
        // The nearest parent that is a node, and the names after it.
        let mut parent = path;
        while let Some((before, _)) = parent.rsplit_once('/') {
            parent = before;
            if root.exists(parent)? {
                let mut names = path[parent.len()..].split('/').skip(1);
                let node = root.at(parent)?;
                let first = names.next().unwrap_or_default();
                if let (Some(value), 1) = (card(&node, first)?, path[parent.len()..].matches('/').count()) {
                    return Ok(Part::Node(value));
                }
                return match part_of(&node, &unescaped(first))? {
                    Some((array, unit)) => fields(array, names).map(|array| Part::Array(Box::new(array), unit)),
                    None => Err(error.into()),
                };
            }
        }
        Err(error.into())
    }

    /// Returns the array, and its unit; `None` for a node that has none.
    pub(crate) fn array(&self) -> Result<Option<(Array, Option<String>)>> {
        match self {
            Part::Node(node) => Ok(array_of(node)?.map(|array| (array, unit_of(node)))),
            Part::Array(array, unit) => Ok(Some((Array::clone(array), unit.clone()))),
        }
    }
}

/// Returns the array at a node, also that of a quantity or a column, and number lists with a tag.
pub(crate) fn array_of(node: &Node) -> Result<Option<Array>> {
    if node.is_array("")? {
        return Ok(Some(node.array("")?));
    }
    if node.node_type("")? == NodeType::Mapping && node.tag("")?.is_some() {
        for key in ["value", "data"] {
            if node.exists(key)? && node.is_array(key)? {
                return Ok(Some(node.array(key)?));
            }
        }
    }
    Ok(None)
}

fn unit_of(node: &Node) -> Option<String> {
    Error::readable(node.unit("")).ok().flatten()
}

fn unescaped(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}

/// Returns the fields of records in records, one in the other.
fn fields<'a>(array: Array, mut names: impl Iterator<Item = &'a str>) -> Result<Array> {
    Ok(names.try_fold(array, |array, name| array.field(&unescaped(name)))?)
}

/// Returns the value of the first card with a keyword in the header of an HDU.
fn card(header: &Node, keyword: &str) -> Result<Option<Node>> {
    if header.node_type("")? != NodeType::Sequence {
        return Ok(None);
    }
    for index in 0..header.count("")? {
        if let Some((name, value)) = keyword_and_value(&header.item("", index)?)?
            && name == keyword
        {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Returns the column of a table, or the field of an array of records, with its unit; `None` if the node is neither.
fn part_of(node: &Node, name: &str) -> Result<Option<(Array, Option<String>)>> {
    if node.node_type("")? == NodeType::Mapping && node.exists("columns")? {
        return column(node, name).map(Some);
    }
    match array_of(node)? {
        Some(records) if records.datatype().scalar().is_none() => Ok(Some((records.field(name)?, None))),
        _ => Ok(None),
    }
}

/// Returns the column of a table. Columns of astropy that are quantities or times have their names in the table.
fn column(table: &Node, name: &str) -> Result<(Array, Option<String>)> {
    let columns = table.at("columns")?;
    let names = Error::readable(table.at("colnames"))?;
    let mut known = Vec::new();
    for index in 0..columns.count("")? {
        let column = columns.item("", index)?;
        let own = match &names {
            Some(names) => Error::readable(names.text(&index.to_string()))?,
            None => Error::readable(column.text("name"))?,
        };
        if own.as_deref() == Some(name) {
            let array = array_of(&column)?.ok_or_else(|| {
                Failure::not_found(format!("the column '{name}' has no array; `asdfkit select` writes its cells"))
            })?;
            return Ok((array, unit_of(&column)));
        }
        known.extend(own);
    }
    let message = format!("the table has no column '{name}'; it has {}", known.join(", "));
    Err(Error::new(Status::NotFound, message).at_path(table.path()?).into())
}
