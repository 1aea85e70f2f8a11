//! Arrow field: name, type and metadata of a column or a table, with the fields of its children.

use super::{Format, lists_of, meta_json};
use crate::error::Result;
use crate::table::{CellShape, ColumnHeader, ElementType, Header};

/// Metadata keys for the entries of a [`ColumnHeader`] or a [`Header`].
pub(super) mod keys {
    pub(in super::super) const DATATYPE: &str = "ecsv:datatype";
    pub(in super::super) const SUBTYPE: &str = "ecsv:subtype";
    pub(in super::super) const UNIT: &str = "ecsv:unit";
    pub(in super::super) const DESCRIPTION: &str = "ecsv:description";
    pub(in super::super) const FORMAT: &str = "ecsv:format";
    pub(in super::super) const META: &str = "ecsv:meta";
    pub(in super::super) const SCHEMA: &str = "ecsv:schema";
    pub(in super::super) const EXTENSION: &str = "ARROW:extension:name";
    pub(in super::super) const EXTENSION_METADATA: &str = "ARROW:extension:metadata";
}

/// Name of the Arrow extension type for JSON text.
pub(super) const JSON_EXTENSION: &str = "arrow.json";

/// Name, type and metadata of an Arrow array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name; empty for a whole table.
    pub name: String,
    /// Arrow format string. A field from another program may have one that no [`Format`] represents.
    pub format: String,
    /// True if values can be missing.
    pub nullable: bool,
    /// Pairs of key and value, in order.
    pub metadata: Vec<(String, String)>,
    /// Fields of a struct, or of the items of a list.
    pub children: Vec<Field>,
    /// Field of the values in the dictionary that this field's numbers index.
    pub dictionary: Option<Box<Field>>,
}

impl Field {
    /// Makes a nullable field without metadata.
    pub fn new(name: impl Into<String>, format: Format, children: Vec<Field>) -> Field {
        let (name, format) = (name.into(), format.name());
        Field { name, format, nullable: true, metadata: Vec::new(), children, dictionary: None }
    }

    /// Makes a field that describes a table as a struct of its columns.
    ///
    /// Fails with [`Status::ValueRange`](crate::Status::ValueRange) or
    /// [`Status::Unsupported`](crate::Status::Unsupported) if Arrow cannot represent the shape of a cell, and with
    /// [`Status::Limit`](crate::Status::Limit) if aliases make metadata too large.
    pub fn of_header(header: &Header) -> Result<Field> {
        let columns =
            header.columns.iter().map(|column| of_column(column).map_err(|error| error.in_table_column(&column.name)));
        let mut field = Field { nullable: false, ..Field::new("", Format::Struct, columns.collect::<Result<_>>()?) };
        if let Some(meta) = &header.meta {
            field.add_metadata(keys::META, meta_json::write(meta)?);
        }
        if let Some(schema) = &header.schema {
            field.add_metadata(keys::SCHEMA, schema);
        }
        Ok(field)
    }

    fn add_metadata(&mut self, key: &str, value: impl Into<String>) {
        self.metadata.push((key.to_owned(), value.into()));
    }

    /// Returns the metadata under a key.
    pub(crate) fn metadata_value(&self, key: &str) -> Option<&str> {
        self.metadata.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }
}

fn of_column(column: &ColumnHeader) -> Result<Field> {
    let mut field = of_element(column.element_type);
    for list in lists_of(&column.cell_shape)?.into_iter().rev() {
        field = Field::new(ITEM, list, vec![field]);
    }
    field.name.clone_from(&column.name);
    let (datatype, subtype) = ecsv_type(column);
    field.add_metadata(keys::DATATYPE, datatype);
    for (key, value) in [
        (keys::SUBTYPE, &subtype),
        (keys::UNIT, &column.unit),
        (keys::DESCRIPTION, &column.description),
        (keys::FORMAT, &column.format),
    ] {
        if let Some(value) = value {
            field.add_metadata(key, value);
        }
    }
    if let Some(meta) = &column.meta {
        field.add_metadata(keys::META, meta_json::write(meta)?);
    }
    Ok(field)
}

/// Arrow's name for the field of the items of a list.
const ITEM: &str = "item";

fn of_element(element_type: ElementType) -> Field {
    let ElementType::Scalar(scalar) = element_type else {
        let mut field = Field::new(ITEM, Format::LargeText, Vec::new());
        if element_type == ElementType::Json {
            field.add_metadata(keys::EXTENSION, JSON_EXTENSION);
            field.add_metadata(keys::EXTENSION_METADATA, "");
        }
        return field;
    };
    let parts = Format::of_parts(scalar).map(|part| Field::new(ITEM, part, Vec::new()));
    Field::new(ITEM, Format::of_scalar(scalar), parts.into_iter().collect())
}

/// Returns the datatype and subtype of a column in the spelling of ECSV.
fn ecsv_type(column: &ColumnHeader) -> (&'static str, Option<String>) {
    let base = column.element_type.name();
    let (extents, last) = match &column.cell_shape {
        CellShape::Scalar if column.element_type == ElementType::Json => return ("string", Some(base.to_owned())),
        CellShape::Scalar => return (base, column.declared_subtype.clone()),
        CellShape::Fixed(extents) => (extents, None),
        CellShape::Variable(extents) => (extents, Some("null".to_owned())),
    };
    let extents: Vec<String> = extents.iter().map(u64::to_string).chain(last).collect();
    ("string", Some(format!("{base}[{}]", extents.join(","))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;

    fn column(name: &str, element_type: ElementType, cell_shape: CellShape) -> ColumnHeader {
        ColumnHeader::new(name, element_type, cell_shape)
    }

    /// Types from the outermost to the innermost.
    fn formats(mut field: &Field) -> Vec<&str> {
        let mut formats = vec![field.format.as_str()];
        while let [child] = field.children.as_slice() {
            formats.push(&child.format);
            field = child;
        }
        formats
    }

    #[test]
    fn columns_become_fields() {
        let mut flux = column("flux", ElementType::Scalar(ScalarType::Float32), CellShape::Variable(vec![4, 2]));
        flux.unit = Some("Jy".to_owned());
        let shape = CellShape::Fixed(vec![3]);
        let columns = vec![
            flux,
            column("z", ElementType::Scalar(ScalarType::Complex128), shape.clone()),
            column("j", ElementType::Json, CellShape::Scalar),
            column("on", ElementType::Scalar(ScalarType::Bool8), CellShape::Scalar),
        ];
        let header = Header { columns, schema: Some("astropy-2.0".to_owned()), ..Header::default() };
        let field = Field::of_header(&header).unwrap();
        assert_eq!((field.format.as_str(), field.metadata_value("ecsv:schema")), ("+s", Some("astropy-2.0")));
        let [flux, z, j, on] = field.children.as_slice() else { panic!() };
        assert_eq!(formats(flux), ["+w:4", "+w:2", "+L", "f"]);
        assert_eq!((flux.name.as_str(), flux.metadata_value("ecsv:unit")), ("flux", Some("Jy")));
        assert_eq!(flux.metadata_value("ecsv:subtype"), Some("float32[4,2,null]"));
        assert_eq!((formats(z), z.metadata_value("ecsv:subtype")), (vec!["+w:3", "+w:2", "g"], Some("complex128[3]")));
        assert_eq!((formats(j), j.metadata_value("ecsv:datatype")), (vec!["U"], Some("string")));
        assert_eq!(j.metadata_value("ARROW:extension:name"), Some("arrow.json"));
        assert_eq!(
            (formats(on), on.metadata_value("ecsv:datatype"), on.metadata_value("ecsv:subtype")),
            (vec!["b"], Some("bool"), None)
        );
    }

    #[test]
    fn shapes_beyond_arrow_are_refused() {
        let refused = |shape| {
            let columns = vec![column("a", ElementType::String, shape)];
            let error = Field::of_header(&Header { columns, ..Header::default() }).unwrap_err();
            assert!(error.to_string().starts_with("column 'a': "), "{error}");
            error.status()
        };
        assert_eq!(refused(CellShape::Fixed(vec![1 << 31])), crate::Status::ValueRange);
        assert_eq!(refused(CellShape::Fixed(vec![1; 33])), crate::Status::Unsupported);
        assert_eq!(refused(CellShape::Variable(vec![1; 32])), crate::Status::Unsupported);
    }
}
