//! The columns of a table as a file has them: plain columns, and objects of astropy that consist of several.

use super::entry;
use super::object::{Attribute, Object};
use super::spooled::SpooledColumn;
use super::time_values;
use super::write_column::Storable;
use super::write_object::{can_be_stored, is_stored_as_it_is};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::standard::object_kind::ObjectKind;
use crate::standard::time::{Time, TimeDelta, TimeOptions};
use crate::table::serialized::{INFO, KEY, MASKED_CLASS};
use crate::table::{Header, LogicalColumn, Table, logical_columns};
use crate::tree::path::escape;
use std::collections::HashSet;
use std::sync::Arc;

/// A column of the file.
pub(super) enum Planned {
    Plain(Storable),
    /// Records, with a column for each field.
    Records {
        name: String,
        fields: Vec<(String, Storable)>,
    },
    Object {
        name: String,
        object: Object,
        parts: Vec<Storable>,
        info: Option<Node>,
        /// Times whose columns are not what the file stores.
        converted: Option<Converted>,
    },
}

/// Points or spans of time that are stored in another form than their columns.
pub(super) enum Converted {
    Times(Time),
    Spans(TimeDelta),
}

impl Planned {
    pub(super) fn name(&self) -> &str {
        match self {
            Planned::Plain(column) => &column.header.name,
            Planned::Records { name, .. } | Planned::Object { name, .. } => name,
        }
    }
}

/// The columns that are planned.
pub(super) enum Columns<'a> {
    Memory(&'a Table),
    /// Columns in a temporary file, in the order of the header of a table without rows.
    Spooled(&'a Table, &'a [SpooledColumn]),
}

impl Columns<'_> {
    /// Returns the table with the header.
    pub(super) fn table(&self) -> &Table {
        match self {
            Columns::Memory(table) | Columns::Spooled(table, _) => table,
        }
    }

    pub(super) fn header(&self) -> &Arc<Header> {
        self.table().header()
    }

    /// Prepares the column at this index.
    fn storable(&self, position: usize) -> Result<Storable> {
        let missing = || Error::new(Status::Internal, "a table lacks a column of its header");
        let header = self.header().columns.get(position).ok_or_else(missing)?;
        match self {
            Columns::Memory(table) => Storable::new(header, table.columns().get(position).ok_or_else(missing)?),
            Columns::Spooled(_, columns) => Storable::spooled(header, columns.get(position).ok_or_else(missing)?),
        }
    }

    /// Prepares the columns of an object; `None` if a column is not stored as it is.
    fn parts(&self, logical: &LogicalColumn) -> Result<Option<(Table, Vec<Storable>)>> {
        let Ok(parts) = logical.parts(self.table()) else { return Ok(None) };
        let storable = match self {
            Columns::Memory(_) => {
                let columns = parts.header().columns.iter().zip(parts.columns());
                columns.map(|(header, column)| Storable::new(header, column)).collect::<Result<_>>()?
            }
            // The mask of a column in a temporary file is not joined with it.
            Columns::Spooled(..) if logical.members.len() != parts.columns().len() => return Ok(None),
            Columns::Spooled(..) => {
                let positions = parts.header().columns.iter().map(|header| self.header().position(&header.name));
                positions.map(|position| self.storable(position?)).collect::<Result<_>>()?
            }
        };
        Ok(Some((parts, storable)))
    }
}

/// Plan of a table.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) columns: Vec<Planned>,
    /// Names of the objects whose entries in the metadata are not needed, because the file has the objects.
    described: Vec<String>,
    names: HashSet<String>,
}

impl Plan {
    /// Plans a table as it is, without objects.
    pub(super) fn plain(columns: &Columns) -> Result<Plan> {
        let mut plan = Plan::default();
        for position in 0..columns.header().columns.len() {
            plan.columns.push(Planned::Plain(columns.storable(position)?));
        }
        Ok(plan)
    }

    /// Plans a table with the objects that its metadata describe. An object that cannot be stored leaves its columns as
    /// they are.
    pub(super) fn with_objects(columns: &Columns) -> Result<Plan> {
        let mut plan = Plan::default();
        for logical in logical_columns(columns.header()) {
            plan.add(&logical, columns)?;
        }
        Ok(plan)
    }

    /// Returns whether the table has objects that only astropy's tables can hold.
    pub(super) fn has_objects(&self) -> bool {
        self.columns.iter().any(|column| matches!(column, Planned::Object { .. }))
    }

    /// Returns whether the table is written as a `QTable` of astropy. Quantities need one. In a table of unknown class,
    /// columns with a unit that are no quantities show that it is another.
    pub(super) fn is_quantity_table(&self, known: Option<bool>) -> bool {
        let is_quantity =
            |column: &Planned| matches!(column, Planned::Object { object, .. } if object.kind.is_measured());
        let has_unit = |column: &Planned| matches!(column, Planned::Plain(column) if column.header.unit.is_some());
        let is_likely = || self.has_objects() && !self.columns.iter().any(has_unit);
        self.columns.iter().any(is_quantity) || known.unwrap_or_else(is_likely)
    }

    /// Returns the columns of a plan without objects.
    pub(super) fn into_plain(self) -> impl Iterator<Item = Storable> {
        self.columns.into_iter().filter_map(|column| match column {
            Planned::Plain(column) => Some(column),
            Planned::Records { .. } | Planned::Object { .. } => None,
        })
    }

    /// Returns metadata without the entries of the objects that are planned as such.
    pub(super) fn remaining_metadata(&self, meta: Option<&Node>) -> Result<Option<Node>> {
        let Some(meta) = meta else { return Ok(None) };
        if self.described.is_empty() || meta.node_type("")? != NodeType::Mapping {
            return Ok(Some(meta.clone()));
        }
        let root = meta.file().for_copies().root()?;
        root.copy_from("meta", meta, None)?;
        for name in &self.described {
            root.remove(&format!("meta/{KEY}/{}", escape(name)))?;
        }
        if root.count(&format!("meta/{KEY}"))? == 0 {
            root.remove(&format!("meta/{KEY}"))?;
        }
        if root.count("meta")? == 0 { Ok(None) } else { root.at("meta").map(Some) }
    }

    fn add(&mut self, logical: &LogicalColumn, columns: &Columns) -> Result<()> {
        let is_free = !self.names.contains(&logical.name);
        let is_whole = !logical.members.is_empty() && logical.members.iter().all(|member| member.position.is_some());
        if is_free
            && is_whole
            && let Some(planned) = planned(logical, columns)?
        {
            self.names.insert(logical.name.clone());
            if logical.attributes.is_some() {
                self.described.push(logical.name.clone());
            }
            self.columns.push(planned);
            return Ok(());
        }
        for position in logical.members.iter().filter_map(|member| member.position) {
            if self.names.insert(columns.header().columns[position].name.clone()) {
                self.columns.push(Planned::Plain(columns.storable(position)?));
            }
        }
        Ok(())
    }
}

/// Plans a logical column, unless its class is not known.
fn planned(logical: &LogicalColumn, columns: &Columns) -> Result<Option<Planned>> {
    let Some(attributes) = &logical.attributes else {
        let [member] = &logical.members[..] else { return Ok(None) };
        return Ok(Some(Planned::Plain(columns.storable(columns.header().position(&member.name)?)?)));
    };
    let Some((parts, mut storable)) = columns.parts(logical)? else { return Ok(None) };
    let is_whole = logical.class.as_deref() == Some(MASKED_CLASS);
    if !is_whole && storable.iter().any(|part| part.cells.is_some()) {
        return Ok(None);
    }
    let name = logical.name.clone();
    if is_whole && storable.len() == 1 {
        let column = storable.remove(0);
        return Ok(Some(Planned::Plain(column.renamed(name))));
    }
    let Some(object) = entry::object_of(attributes)? else { return Ok(None) };
    let is_spooled = matches!(columns, Columns::Spooled(..));
    let converted = match object.kind {
        // Only values in memory are converted.
        ObjectKind::Time if is_spooled && !is_stored_as_it_is(&object, &storable) => return Ok(None),
        ObjectKind::TimeDelta if is_spooled && object.get("value").is_some() => return Ok(None),
        ObjectKind::Time if !is_stored_as_it_is(&object, &storable) => {
            let Ok(times) = time_values::times(&object, &parts, &TimeOptions::default()) else { return Ok(None) };
            Some(Converted::Times(times)).filter(|_| object.text("scale") != Some("local"))
        }
        ObjectKind::TimeDelta if object.get("value").is_some() => {
            let Ok(spans) = time_values::spans(&object, &parts) else { return Ok(None) };
            Some(Converted::Spans(spans))
        }
        _ => None,
    };
    if converted.is_none() && !can_be_stored(&object) {
        return Ok(None);
    }
    if let Some(Attribute::Fields(fields)) = object.get("data") {
        if is_spooled {
            return Ok(None);
        }
        let field_of = |column: Storable| {
            let field = fields.iter().find(|(_, name)| *name == column.header.name)?;
            Some((field.0.clone(), column))
        };
        return Ok(Some(Planned::Records { name, fields: storable.into_iter().filter_map(field_of).collect() }));
    }
    let info = if attributes.exists(INFO)? { Some(attributes.at(INFO)?) } else { None };
    Ok(Some(Planned::Object { name, object, parts: storable, info, converted }))
}
