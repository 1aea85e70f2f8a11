//! Source code from a description, so that a program can be written against a documented file: datatypes of elements,
//! constants of enumerations, extents.

mod c;
mod fortran;
mod identifiers;

use super::{Datatype, Description, Dimension, Size};
use crate::error::{Error, Result, Status};

/// Elements larger than this have no array in a program.
const MAX_ELEMENT: u128 = (1 << 31) - 1;

/// A language to write code in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// A header of C99.
    C,
    /// A module of Fortran 2003.
    Fortran,
}

impl Description {
    /// Source code for the arrays and dimension coordinates of the description.
    ///
    /// `name` begins the identifiers of C, and is that of the module of Fortran. Identifiers are path names in which all
    /// but letters, digits and `_` became `_`; those that meet get numbers, in document order.
    ///
    /// In C an array `/g/a` is a type `name_g_a` of its elements and macros `name_g_a_RANK` and `name_g_a_EXTENT_0` …,
    /// none for unlimited dimensions; an enumeration has a macro for each constant. In Fortran a compound is a type
    /// `g_a`, an enumeration a kind `g_a_kind` and parameters, and extents are `g_a_shape`, in the order of Fortran, with
    /// -1 for unlimited dimensions. Unsigned integers have the kind of the signed ones with the same bits. Texts and path
    /// names, lists and regions are structures of a length and a pointer. Members have the order of the description;
    /// compilers may leave gaps that the elements of a file do not have.
    ///
    /// Fails with [`Status::Incomplete`] if a shape is missing since the description was read with errors, with
    /// [`Status::Limit`] for an element of 2 GiB and more, and with [`Status::Unsupported`] for extents and ranks that
    /// the language does not have.
    pub fn generate(&self, language: Language, name: &str) -> Result<String> {
        let mut arrays = Vec::new();
        for (path, dimcoord) in self.dimcoords.iter() {
            let own = Dimension { extent: dimcoord.size, ..Dimension::default() };
            arrays.push(Array::new(path, dimcoord.datatype.as_ref(), &[own])?);
        }
        for (path, ndarray) in self.ndarrays.iter() {
            let shape = ndarray.shape.as_deref().ok_or_else(|| missing(path))?;
            arrays.push(Array::new(path, ndarray.datatype.as_ref(), shape)?);
        }
        match language {
            Language::C => c::header(name, &arrays),
            Language::Fortran => fortran::module(name, &arrays),
        }
    }
}

/// What code needs of an array or a dimension coordinate.
struct Array<'a> {
    path: &'a str,
    datatype: Option<&'a Datatype>,
    /// Outermost first; nothing for unlimited ones.
    extents: Vec<Option<u64>>,
}

fn missing(path: &str) -> Error {
    Error::new(Status::Incomplete, "the shape is missing, as the description was read with errors").at_path(path)
}

impl<'a> Array<'a> {
    fn new(path: &'a str, datatype: Option<&'a Datatype>, shape: &[Dimension]) -> Result<Array<'a>> {
        if shape.iter().any(|dimension| dimension.extent == Size::Unknown) {
            return Err(missing(path));
        }
        if let Some(datatype) = datatype {
            check_element(datatype).map_err(|error| error.at_path(path))?;
        }
        Ok(Array { path, datatype, extents: shape.iter().map(|dimension| dimension.extent.fixed()).collect() })
    }
}

/// Fails if an element, or one within it, is too large. Recursion goes as deep as the datatype, which is bounded.
fn check_element(datatype: &Datatype) -> Result<()> {
    if datatype.element_size()?.is_some_and(|size| size > MAX_ELEMENT) {
        return Err(Error::new(Status::Limit, "an element of the array has 2 GiB or more"));
    }
    datatype.kind().inner().into_iter().try_for_each(check_element)
}

/// A path name for a comment, with nothing in it that could end one.
fn comment(path: &str) -> String {
    let free = |character: char| character.is_ascii_alphanumeric() || " _.-/".contains(character);
    let shown = path.chars().take(80).map(|character| if free(character) { character } else { '_' });
    shown.collect::<String>().replace("*/", "*_").replace("/*", "/_")
}
