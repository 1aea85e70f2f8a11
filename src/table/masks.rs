//! Masks that a file stores as columns of truth values. Each belongs to a column of values, and both together are one
//! column with missing cells or elements. astropy describes such columns under `__serialized_columns__`.

use super::logical::masked;
use super::memory::build::copied;
use super::prune::empty_entries;
use super::serialized::{CLASS, entries, is_masked, references};
use super::{CellShape, Column, ElementType, Header, LogicalColumn, Member, logical_columns};
use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::tree::path::escape;
use crate::tree::{NodeId, Tree};
use std::sync::Arc;

/// Columns of values and their masks.
#[derive(Debug, Default)]
pub(super) struct Masks {
    /// Positions of the values and of their mask.
    pairs: Vec<(usize, usize)>,
    /// Positions of the values of masked columns, also of those without a mask, in which nothing is missing.
    masked: Vec<usize>,
    /// Paths of what describes the masks, below the metadata.
    paths: Vec<String>,
}

impl Masks {
    /// Finds the masks among the columns of a header.
    ///
    /// A column that does not fit the values as a mask, or that something else refers to as well, is not among them.
    pub(super) fn of(header: &Header) -> Result<Masks> {
        let Some(meta) = &header.meta else { return Ok(Masks::default()) };
        let logical = logical_columns(header);
        let mut masks = Masks::default();
        for column in logical.iter().filter(|column| column.class.is_some()) {
            masks.masked.extend(masked_values(column));
            let is_whole = meta.in_tree(|tree, meta| is_only_masked(tree, meta, &column.name))?;
            let pairs = masked_members(column);
            // A column that is declared as masked without a mask has no missing cells.
            if is_whole && column.members.len() == 1 + pairs.len() {
                masks.paths.push(entry_path(&column.name));
            }
            for (values, mask) in pairs {
                // Columns that were not selected for reading need no mask.
                if (values.position, mask.position) == (None, None) {
                    continue;
                }
                let members = logical.iter().flat_map(|column| &column.members);
                let uses = members.filter(|member| member.name == values.name || member.name == mask.name).count();
                let is_used_once = meta.in_tree(|tree, _| is_referred_once(tree, [&values.name, &mask.name]))?;
                let positions = (values.position).zip(mask.position).filter(|_| is_used_once && uses == 2);
                match positions.filter(|positions| can_mask(header, *positions)) {
                    Some(positions) => {
                        masks.pairs.push(positions);
                        masks
                            .paths
                            .extend((!is_whole).then(|| format!("{}/{}", entry_path(&column.name), mask.attribute)));
                    }
                    None => masks.paths.retain(|path| *path != entry_path(&column.name)),
                }
            }
        }
        Ok(masks)
    }

    /// Returns whether there are neither masks nor declarations of masked columns.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.paths.is_empty() && self.masked.is_empty()
    }

    /// Returns the position of the mask of a column.
    pub(super) fn of_values(&self, position: usize) -> Option<usize> {
        self.pairs.iter().find(|(values, _)| *values == position).map(|(_, mask)| *mask)
    }

    /// Returns the position of the column with this name.
    ///
    /// Fails with [`Status::NotFound`](crate::Status::NotFound) if there is none. A mask is not a column of its own.
    pub(super) fn position(&self, header: &Header, name: &str) -> Result<usize> {
        let position = header.position(name)?;
        if !self.is_mask(position) {
            return Ok(position);
        }
        let message = format!("the column '{name}' is the mask of another one, which it is read with");
        Err(Error::new(Status::NotFound, message))
    }

    /// Returns whether the column at a position is a mask.
    fn is_mask(&self, position: usize) -> bool {
        self.pairs.iter().any(|(_, mask)| *mask == position)
    }

    /// Returns the header without the masks, and without what describes them in the metadata.
    pub(super) fn without(&self, header: &Header) -> Result<Header> {
        let columns = header.columns.iter().enumerate().filter(|(position, _)| !self.is_mask(*position));
        let columns = columns.map(|(_, column)| column.clone()).collect();
        let meta = header.meta.as_ref().map(|meta| without_paths(meta, &self.paths)).transpose()?.flatten();
        Ok(Header { columns, meta, ..header.without_columns() })
    }

    /// Returns the columns of values with their masks applied, and the other columns that are not masks.
    ///
    /// Fails with [`Status::WrongType`](crate::Status::WrongType) if the cells of a mask differ from those of the values
    /// in length.
    pub(super) fn apply(&self, header: &Header, mut columns: Vec<Arc<Column>>) -> Result<Vec<Arc<Column>>> {
        let masks = self.pairs.iter().map(|&(_, mask)| columns.get(mask).cloned()).collect::<Vec<_>>();
        for (&(values, _), mask) in self.pairs.iter().zip(masks) {
            if let (Some(place), Some(mask)) = (columns.get_mut(values), mask) {
                let name = header.columns.get(values).map_or("", |column| &column.name);
                let column = std::mem::replace(place, mask.clone());
                *place = Arc::new(masked(column, &mask).map_err(|error| error.in_table_column(name))?);
            }
        }
        for &position in &self.masked {
            // Without the place in the list, the column is not shared, and its values need not be copied.
            if let Some(column) = (position < columns.len()).then(|| columns.remove(position)) {
                columns.insert(position, column.with_mask()?);
            }
        }
        let columns = columns.into_iter().enumerate().filter(|(position, _)| !self.is_mask(*position));
        Ok(columns.map(|(_, column)| column).collect())
    }
}

/// Returns the members of a logical column that have a mask, each with its mask.
fn masked_members(column: &LogicalColumn) -> Vec<(&Member, &Member)> {
    let mask_of = |values: &Member| {
        let object = values.attribute.strip_suffix("data")?;
        column.members.iter().find(|other| other.attribute.strip_suffix("mask") == Some(object))
    };
    column.members.iter().filter_map(|values| Some((values, mask_of(values)?))).collect()
}

/// Returns the positions of the values of a logical column that are declared as masked.
fn masked_values(column: &LogicalColumn) -> impl Iterator<Item = usize> {
    let is_masked = |member: &&Member| {
        let object = member.attribute.strip_suffix("data");
        let class = object.and_then(|object| column.attribute(&format!("{object}{CLASS}")));
        class.is_some_and(|class| class.ends_with(".MaskedColumn") || class.ends_with(".MaskedNDArray"))
    };
    column.members.iter().filter(is_masked).filter_map(|member| member.position)
}

/// Returns whether the second of two columns can be the mask of the first one.
fn can_mask(header: &Header, (values, mask): (usize, usize)) -> bool {
    let (Some(values), Some(mask)) = (header.columns.get(values), header.columns.get(mask)) else { return false };
    mask.element_type == ElementType::Scalar(ScalarType::Bool8)
        && (mask.cell_shape == CellShape::Scalar || mask.cell_shape == values.cell_shape)
}

/// Returns whether exactly one node refers to each of these columns.
fn is_referred_once(tree: &Tree, names: [&str; 2]) -> bool {
    names.iter().all(|wanted| references(tree).filter(|(_, name)| name == wanted).count() == 1)
}

/// Returns whether an entry describes a masked column, and has nothing but the values and the mask.
fn is_only_masked(tree: &Tree, meta: NodeId, name: &str) -> bool {
    let entry = entries(tree, meta).and_then(|entries| tree.find_token(entries, name)).map(|entry| tree.dealias(entry));
    entry.is_some_and(|entry| {
        let is_known = |key: NodeId| [CLASS, "data", "mask"].contains(&&*tree.key(key).text());
        is_masked(tree, entry) && tree.pairs(entry).chunks_exact(2).all(|pair| is_known(pair[0]))
    })
}

/// Returns the path of an entry below the metadata.
fn entry_path(name: &str) -> String {
    format!("{}/{}", super::serialized::KEY, escape(name))
}

/// Returns a copy of metadata without the nodes at these paths; `None` if nothing remains.
fn without_paths(meta: &Node, paths: &[String]) -> Result<Option<Node>> {
    if paths.is_empty() {
        return Ok(Some(meta.clone()));
    }
    let copy = copied(meta)?;
    for path in paths {
        copy.remove(path)?;
    }
    if let Some(path) = copy.in_tree(|tree, meta| empty_entries(tree, meta).map(|id| tree.path(id)))? {
        copy.file().root()?.remove(&path)?;
    }
    Ok(if copy.count("")? > 0 { Some(copy) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use crate::table::ecsv::{ReadOptions, TableReader};

    const REFERENCE: &str = "!astropy.table.SerializedColumn";

    /// Reads a table with these columns (name and type), metadata and rows.
    fn read(columns: &[(&str, &str)], entries: &str, rows: &str, options: &ReadOptions) -> Result<Table> {
        let mut text = "# %ECSV 1.0\n# ---\n# datatype:\n".to_owned();
        for (name, datatype) in columns {
            text += &format!("# - {{name: {name}, {datatype}}}\n");
        }
        text += &format!("# delimiter: ','\n# meta: {{__serialized_columns__: {{{entries}}}}}\n");
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        text += &format!("{}\n{rows}", names.join(","));
        TableReader::of_memory(Arc::new(text.into_bytes()), options)?.read_all()
    }

    fn entry(name: &str, class: &str, values: &str, mask: &str) -> String {
        format!(
            "{name}: {{__class__: {class}, data: {REFERENCE} {{name: {values}}}, mask: {REFERENCE} {{name: {mask}}}}}"
        )
    }

    const MASKED: &str = "astropy.table.column.MaskedColumn";
    const TEXTS: [(&str, &str); 3] =
        [("s", "datatype: string"), ("s.mask", "datatype: bool"), ("f", "datatype: float64")];

    fn names(table: &Table) -> Vec<&str> {
        table.header().columns.iter().map(|column| &*column.name).collect()
    }

    fn missing(table: &Table, name: &str) -> Vec<usize> {
        let column = table.column(name).unwrap();
        (0..column.values().len()).filter(|&index| !column.has_element(index)).collect()
    }

    #[test]
    fn a_masked_column_is_one_column() {
        let entries = entry("s", MASKED, "s", "s.mask");
        let rows = "a,False,1\n,False,2\n,True,3\n";
        let table = read(&TEXTS, &entries, rows, &ReadOptions::default()).unwrap();
        assert_eq!((names(&table), missing(&table, "s")), (vec!["s", "f"], vec![2]));
        assert!(table.header().meta.is_none() && table.header().columns[0].has_empty_texts);
        let raw = ReadOptions { raw_columns: true, ..ReadOptions::default() };
        let table = read(&TEXTS, &entries, rows, &raw).unwrap();
        assert_eq!((names(&table), missing(&table, "s")), (vec!["s", "s.mask", "f"], vec![]));
        assert_eq!(logical_columns(table.header())[0].class.as_deref(), Some(MASKED));
        // The mask is read with its column, and is not a column that can be selected.
        let chosen = |name: &str| ReadOptions { columns: Some(vec![name.to_owned()]), ..ReadOptions::default() };
        let table = read(&TEXTS, &entries, rows, &chosen("s")).unwrap();
        assert_eq!((names(&table), missing(&table, "s")), (vec!["s"], vec![2]));
        assert_eq!(names(&read(&TEXTS, &entries, rows, &chosen("f")).unwrap()), ["f"]);
        assert_eq!(read(&TEXTS, &entries, rows, &chosen("s.mask")).unwrap_err().status(), Status::NotFound);
    }

    #[test]
    fn masks_inside_other_columns_are_applied() {
        let columns = [
            ("q", "datatype: float64"),
            ("q.mask", "datatype: bool"),
            ("g", "datatype: string, subtype: 'int8[2]'"),
            ("g.mask", "datatype: string, subtype: 'bool[2]'"),
        ];
        let inner =
            format!("{REFERENCE} {{{}}}", entry("x", "MaskedNDArray", "q", "q.mask").trim_start_matches("x: {"));
        let quantity = format!("q: {{__class__: Quantity, value: {}", inner.trim_end_matches('}').to_owned() + "}}}");
        let entries = format!("{quantity}, {}", entry("g", MASKED, "g", "g.mask"));
        let table = read(&columns, &entries, "1,True,\"[1,2]\",\"[false,true]\"\n", &ReadOptions::default()).unwrap();
        assert_eq!(names(&table), ["q", "g"]);
        assert_eq!((missing(&table, "q"), missing(&table, "g")), (vec![0], vec![1]));
        let meta = table.header().meta.as_ref().unwrap();
        assert_eq!(meta.count("__serialized_columns__").unwrap(), 1);
        assert_eq!(meta.string("__serialized_columns__/q/value/data/name").unwrap(), "q");
        assert!(meta.at("__serialized_columns__/q/value/mask").is_err());
    }

    #[test]
    fn other_uses_of_masks_are_left_alone() {
        let all = |entries: &str, rows: &str| {
            let table = read(&TEXTS, entries, rows, &ReadOptions::default()).unwrap();
            names(&table).len() == 3 && table.header().meta.is_some()
        };
        let (row, whole) = ("a,True,1\n", entry("s", MASKED, "s", "s.mask"));
        assert!(all(&format!("{whole}, {}", entry("f", MASKED, "f", "s.mask")), row));
        assert!(all(&format!("{whole}, other: [{REFERENCE} {{name: s.mask}}]"), row));
        // A mask must hold truth values, and exist.
        assert!(all(&entry("s", MASKED, "s", "f"), row));
        assert!(all(&entry("s", MASKED, "s", "nosuch"), row));
    }

    #[test]
    fn cells_of_masks_must_be_those_of_the_values() {
        let columns =
            [("v", "datatype: string, subtype: 'int8[null]'"), ("v.mask", "datatype: string, subtype: 'bool[null]'")];
        let entries = entry("v", MASKED, "v", "v.mask");
        let table = |mask: &str| read(&columns, &entries, &format!("\"[1,2]\",\"{mask}\"\n"), &ReadOptions::default());
        assert_eq!(missing(&table("[true,false]").unwrap(), "v"), [0]);
        assert_eq!(table("[true]").unwrap_err().status(), Status::WrongType);
    }

    #[test]
    fn columns_without_missing_cells_need_no_mask() {
        let entries = format!("s: {{__class__: {MASKED}, data: {REFERENCE} {{name: s}}}}");
        let table = read(&TEXTS[..1], &entries, "a\n\"\"\n", &ReadOptions::default()).unwrap();
        assert_eq!(missing(&table, "s"), [0; 0]);
        assert!(table.header().meta.is_none() && table.header().columns[0].has_empty_texts);
        assert!(table.column("s").unwrap().is_masked());
    }

    #[test]
    fn columns_stay_masked_without_missing_cells() {
        let (number, flag) = (("q", "datatype: float64"), ("n", "datatype: int8"));
        let quantity = format!(
            "q: {{__class__: Quantity, value: {REFERENCE} {{__class__: a.MaskedNDArray, data: {REFERENCE} {{name: q}}}}}}"
        );
        let entries = format!("{quantity}, n: {{__class__: {MASKED}, data: {REFERENCE} {{name: n}}}}");
        let table =
            read(&[number, flag, ("p", "datatype: int8")], &entries, "1,2,3\n", &ReadOptions::default()).unwrap();
        let is_masked = |table: &Table| ["q", "n", "p"].map(|name| table.column(name).unwrap().is_masked());
        assert_eq!(
            (is_masked(&table), missing(&table, "q"), missing(&table, "n")),
            ([true, true, false], vec![], vec![])
        );
        assert_eq!(is_masked(&table.slice(0, None, 1).unwrap()), [true, true, false]);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.ecsv");
        crate::table::ecsv::write(&path, &table, &Default::default()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(MASKED), "{text}");
        let mut again = TableReader::of_memory(Arc::new(text.into_bytes()), &ReadOptions::default()).unwrap();
        assert_eq!(is_masked(&again.read_all().unwrap()), [true, true, false]);
    }
}
