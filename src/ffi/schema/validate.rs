//! Validation of files, nodes and tables, and descriptions of entries.
//!
//! # Validation
//!
//! Each node with a tag must match the schemas of its tag. ASDF_OPTION_ROOT_SCHEMA names a schema that the root, the
//! node of the call or the header of the table must match as well. A report has an error for each violated keyword:
//!
//! - path, line and column of the node;
//! - the keyword as code ("type", "required", "anyOf", ...), and its place in the schema as subject, as a URI;
//! - after a violated choice (anyOf, oneOf), a note with the failure of the schema that comes closest.
//!
//! A warning tells that a schema is missing. Arrays are checked by their descriptions; no block is read. The content of
//! JSON references (`$ref`) is not checked. The key "//" is the note of its mapping, and no schema applies to it.

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::unknown_number;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_file, asdf_node, asdf_options, asdf_report, asdf_schemas, asdf_table};
use crate::ffi::options::keys::ASDF_OPTION_ROOT_SCHEMA;
use crate::ffi::options::taken::{Taken, take};
use crate::schema::Description;
use std::ffi::c_char;

/// Field of a description: all known fields as a JSON object of strings.
pub const ASDF_DESCRIPTION_JSON: i32 = 0;
/// Field of a description: short name.
pub const ASDF_DESCRIPTION_TITLE: i32 = 1;
/// Field of a description: explanation.
pub const ASDF_DESCRIPTION_TEXT: i32 = 2;
/// Field of a description: types of JSON Schema or a tag; of arrays also datatype and number of dimensions.
pub const ASDF_DESCRIPTION_TYPE: i32 = 3;
/// Field of a description: unit of the value.
pub const ASDF_DESCRIPTION_UNIT: i32 = 4;
/// Field of a description: value of a missing entry, as YAML.
pub const ASDF_DESCRIPTION_DEFAULT: i32 = 5;
/// Field of a description: URI of the schema.
pub const ASDF_DESCRIPTION_SCHEMA: i32 = 6;
/// Field of a description: the note of a mapping, which the mapping has under the key "//".
pub const ASDF_DESCRIPTION_NOTE: i32 = 7;

/// Returns a field of a description, with the name of its constant.
fn field(description: &Description, number: i32) -> Result<(&'static str, Option<String>)> {
    Ok(match number {
        ASDF_DESCRIPTION_JSON => ("ASDF_DESCRIPTION_JSON", Some(description.to_json())),
        ASDF_DESCRIPTION_TITLE => ("ASDF_DESCRIPTION_TITLE", description.title.clone()),
        ASDF_DESCRIPTION_TEXT => ("ASDF_DESCRIPTION_TEXT", description.description.clone()),
        ASDF_DESCRIPTION_TYPE => ("ASDF_DESCRIPTION_TYPE", description.type_name.clone()),
        ASDF_DESCRIPTION_UNIT => ("ASDF_DESCRIPTION_UNIT", description.unit.clone()),
        ASDF_DESCRIPTION_DEFAULT => ("ASDF_DESCRIPTION_DEFAULT", description.default.clone()),
        ASDF_DESCRIPTION_SCHEMA => ("ASDF_DESCRIPTION_SCHEMA", description.schema.clone()),
        ASDF_DESCRIPTION_NOTE => ("ASDF_DESCRIPTION_NOTE", description.note.clone()),
        number => return Err(unknown_number("ASDF_DESCRIPTION_", number)),
    })
}

/// Returns the URI of the schema that options add.
fn root_schema(taken: &Taken) -> Option<&str> {
    taken.text(ASDF_OPTION_ROOT_SCHEMA).filter(|uri| !uri.is_empty())
}

/// Validates the tree of a file.
///
/// @param file    the file
/// @param schemas the schemas
/// @param options options, or NULL for the defaults
/// @param report  gets the violations, possibly none; NULL on failure. ASDF_ERR_SCHEMA if a schema is malformed,
///                ASDF_ERR_SCHEMA_NOT_FOUND if the schema of the options is missing, ASDF_ERR_LIMIT if the schemas need
///                too much work
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_validate(
    file: *const asdf_file,
    schemas: *const asdf_schemas,
    options: *const asdf_options,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_handle(report, "report", |caller| {
        let file = caller.handle(file, "file")?;
        let schemas = caller.handle(schemas, "schemas")?.read()?.clone();
        let taken = take(caller, options, "asdf_file_validate")?;
        file.validate(&schemas, root_schema(&taken))
    })
}

/// Validates a node with all nodes below it.
///
/// @param node    the node
/// @param path    path of the node to validate, relative to `node`
/// @param schemas the schemas
/// @param options options, or NULL for the defaults
/// @param report  gets the violations, as for asdf_file_validate(); NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_validate(
    node: *const asdf_node,
    path: *const c_char,
    schemas: *const asdf_schemas,
    options: *const asdf_options,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_handle(report, "report", |caller| {
        let node = caller.handle(node, "node")?;
        let path = caller.text(path, "path")?;
        let schemas = caller.handle(schemas, "schemas")?.read()?.clone();
        let taken = take(caller, options, "asdf_node_validate")?;
        node.at(path)?.validate(&schemas, root_schema(&taken))
    })
}

/// Validates the description of a table: its columns and its metadata.
///
/// The schema of the options applies to a mapping as in the header of an ECSV file: "datatype" is the list of columns,
/// each with "name", "datatype" and, if known, "subtype", "unit", "description", "format" and "meta"; "meta" has the
/// metadata of the table, and "schema" the name of their convention. Nodes with a tag must match its schemas.
///
/// @param table   the table
/// @param schemas the schemas
/// @param options options, or NULL for the defaults
/// @param report  gets the violations, as for asdf_file_validate(); lines and columns are those of the ECSV file; NULL
///                on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_validate(
    table: *const asdf_table,
    schemas: *const asdf_schemas,
    options: *const asdf_options,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_handle(report, "report", |caller| {
        let table = caller.handle(table, "table")?.read()?;
        let schemas = caller.handle(schemas, "schemas")?.read()?.clone();
        let taken = take(caller, options, "asdf_table_validate")?;
        table.validate(&schemas, root_schema(&taken))
    })
}

/// Describes an entry: what the schemas of the tags on its path say about it. The entry need not exist.
///
/// @param schemas  the schemas
/// @param node     the node where the path begins, usually the root of a file
/// @param path     path of the entry
/// @param field    one of ASDF_DESCRIPTION_...; ASDF_ERR_INVALID_ARGUMENT for any other number; ASDF_ERR_NOT_FOUND if
///                 the schemas do not tell it
/// @param options  options, or NULL for the defaults
/// @param buffer   gets the text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_schema_describe(
    schemas: *const asdf_schemas,
    node: *const asdf_node,
    path: *const c_char,
    field: i32,
    options: *const asdf_options,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let schemas = caller.handle(schemas, "schemas")?.read()?.clone();
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        let path = caller.text(path, "path")?;
        let taken = take(caller, options, "asdf_schema_describe")?;
        let description = node.describe(path, &schemas, root_schema(&taken))?;
        let (name, text) = self::field(&description, field)?;
        out.put(&text.ok_or_else(|| Error::new(Status::NotFound, format!("no schema tells {name} of '{path}'")))?)
    })
}
