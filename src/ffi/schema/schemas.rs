//! Sets of schemas.
//!
//! # Schemas
//!
//! Schemas tell what the nodes with a tag must contain. They are not part of the library: packages of the Python
//! registry hold them (asdf-standard, asdf-transform-schemas, asdf-wcs-schemas, asdf-coordinates-schemas, asdf-astropy,
//! rad). `make install-schemas` installs them without Python. Load them once, and use them for many files.
//!
//! The search path of packages has the folders and archives of the environment variable ASDFKIT_SCHEMAS, the folder
//! share/asdfkit/schemas of the installation, and the packages of the first Python on PATH. Python is not started, and
//! nothing is fetched from a network. Of two schemas with the same URI, the first one is used.
//!
//! ```c
//! asdf_schemas *schemas = NULL;
//! asdf_report *report = NULL;
//! asdf_schemas_new(&schemas);
//! if (asdf_schemas_add_package(schemas, NULL) || asdf_file_validate(file, schemas, NULL, &report)) return fail();
//! print_report(report);   // image.asdf:12:7, byte 318, at /meta/exposure: expected number, found ...
//! ```

use crate::error::Result;
use crate::ffi::basics::buffer::buffer_of;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_options, asdf_schemas};
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_SCHEMAS;
use crate::ffi::options::values::Value;
use crate::process::ForkRwLock;
use crate::schema::Schemas;
use std::ffi::c_char;
use std::sync::Arc;

impl Class for asdf_schemas {
    const TAG: u32 = u32::from_be_bytes(*b"SCHE");
    const NAME: &'static str = "asdf_schemas";
    type Value = ForkRwLock<Arc<Schemas>>;
}

/// Changes schemas. Options keep the earlier ones.
fn add(schemas: *mut asdf_schemas, work: impl FnOnce(&Caller, &mut Schemas) -> Result<()>) -> asdf_status {
    guard(|caller| {
        let mut schemas = caller.handle(schemas, "schemas")?.write()?;
        work(caller, Arc::make_mut(&mut schemas))
    })
}

/// Creates a set of schemas. It has only the schema of draft 4 of JSON Schema.
///
/// @param schemas gets the schemas; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_schemas_new(schemas: *mut *mut asdf_schemas) -> asdf_status {
    guard_handle(schemas, "schemas", |_| Ok(ForkRwLock::new(Arc::new(Schemas::new()))))
}

/// Adds the schemas of a package.
///
/// @param schemas the schemas
/// @param name    the path of a folder, a wheel or a single schema, or the name of a package on the search path;
///                NULL for all packages on the search path. ASDF_ERR_SCHEMA_NOT_FOUND if there is none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_schemas_add_package(schemas: *mut asdf_schemas, name: *const c_char) -> asdf_status {
    add(schemas, |caller, schemas| match caller.optional_text(name, "name")? {
        Some(name) => schemas.add_package(name),
        None => schemas.add_all(),
    })
}

/// Adds a schema or a manifest from memory. It replaces a schema with the same URI.
///
/// @param schemas the schemas
/// @param text    YAML or JSON in UTF-8; ASDF_ERR_YAML if malformed. May be NULL if the length is 0
/// @param length  its length in bytes
/// @param uri     gets the URI of the schema, without NUL at its end: its `id`, or a new URI if it has none; NULL on
///                failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_schemas_add_text(
    schemas: *mut asdf_schemas,
    text: *const c_char,
    length: usize,
    uri: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(uri, "uri", |caller| {
        let mut schemas = caller.handle(schemas, "schemas")?.write()?;
        let text = caller.string(text, length, "text")?;
        Ok(buffer_of(Arc::make_mut(&mut schemas).add_text(text)?.into_bytes()))
    })
}

/// Gets the URIs of all schemas and manifests.
///
/// @param schemas the schemas
/// @param uris    gets the URIs, one on each line, without NUL at the end; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_schemas_uris(schemas: *const asdf_schemas, uris: *mut *mut asdf_buffer) -> asdf_status {
    guard_handle(uris, "uris", |caller| {
        let schemas = caller.handle(schemas, "schemas")?.read()?;
        let lines: String = schemas.uris().flat_map(|uri| [uri, "\n"]).collect();
        Ok(buffer_of(lines.into_bytes()))
    })
}

/// Sets the schemas that the content of files must match. Later changes of the schemas do not affect the options.
///
/// Opening a file then fails with ASDF_ERR_INVALID if its content does not match; writing and saving fail so before they
/// write anything.
///
/// @param options the options
/// @param schemas the schemas
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_schemas(
    options: *mut asdf_options,
    schemas: *const asdf_schemas,
) -> asdf_status {
    change(options, |caller, values| {
        let schemas = caller.handle(schemas, "schemas")?.read()?.clone();
        values.set_object(ASDF_OPTION_SCHEMAS, Value::Schemas(schemas));
        Ok(())
    })
}

/// Adds an owner to schemas.
///
/// @param schemas the schemas
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_schemas_retain(
    schemas: *const asdf_schemas,
    another: *mut *mut asdf_schemas,
) -> asdf_status {
    guard_retain(schemas, "schemas", another)
}

/// Gives up one owner of schemas. The last owner frees them.
///
/// @param schemas the schemas, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_schemas_free(schemas: *mut asdf_schemas) {
    guard_silently(|caller| caller.release(schemas));
}
