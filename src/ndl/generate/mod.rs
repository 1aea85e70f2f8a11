//! Generates source code from a description, for programs that read the described file: datatypes of elements,
//! constants of enumerations, extents.

mod c;
mod fortran;
mod identifiers;

use super::{Datatype, Description, Dimension, Size};
use crate::error::{Error, Result, Status};
use crate::reserve::{collected, push};

/// Maximum size of an element in bytes. Larger ones do not fit into an array of a program.
const MAX_ELEMENT: u128 = (1 << 31) - 1;

/// Programming language of the generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C99 header.
    C,
    /// Fortran 2003 module.
    Fortran,
}

impl Description {
    /// Returns source code for the arrays and dimension coordinates of the description.
    ///
    /// `name` is the prefix of the C identifiers, or the name of the Fortran module. Identifiers are path names in
    /// which characters other than letters, digits and `_` become `_`. Equal identifiers get numbers, in document
    /// order.
    ///
    /// In C, an array `/g/a` becomes a type `name_g_a` of its elements and macros `name_g_a_RANK` and
    /// `name_g_a_EXTENT_0` …, except for unlimited dimensions. An enumeration has a macro for each constant.
    ///
    /// In Fortran, a compound becomes a type `g_a`, and an enumeration a kind `g_a_kind` with parameters. The extents
    /// are `g_a_shape`, in Fortran order, with -1 for unlimited dimensions. An unsigned integer has the signed kind of
    /// the same size.
    ///
    /// Texts, path names, lists and regions become structures of a length and a pointer. Members keep the order of the
    /// description. Compilers may add padding that the elements in a file do not have.
    ///
    /// Fails with [`Status::Incomplete`] if a shape is missing after errors in the text, and with [`Status::Limit`] for
    /// an element of 2 GiB or more. Fails with [`Status::Unsupported`] for extents and ranks that the language does not
    /// support.
    pub fn generate(&self, language: Language, name: &str) -> Result<String> {
        let mut arrays = Vec::new();
        for (path, dimcoord) in self.dimcoords.iter() {
            let own = Dimension { extent: dimcoord.size, ..Dimension::default() };
            push(&mut arrays, Array::new(path, dimcoord.datatype.as_ref(), &[own])?)?;
        }
        for (path, ndarray) in self.ndarrays.iter() {
            let shape = ndarray.shape.as_deref().ok_or_else(|| missing(path))?;
            push(&mut arrays, Array::new(path, ndarray.datatype.as_ref(), shape)?)?;
        }
        match language {
            Language::C => c::header(name, &arrays),
            Language::Fortran => fortran::module(name, &arrays),
        }
    }
}

/// The parts of an array or a dimension coordinate that the code needs.
struct Array<'a> {
    path: &'a str,
    datatype: Option<&'a Datatype>,
    /// Outermost first; `None` for unlimited dimensions.
    extents: Vec<Option<u64>>,
}

fn missing(path: &str) -> Error {
    Error::new(Status::Incomplete, "the shape is missing, because the description was read with errors").at_path(path)
}

impl<'a> Array<'a> {
    fn new(path: &'a str, datatype: Option<&'a Datatype>, shape: &[Dimension]) -> Result<Array<'a>> {
        if shape.iter().any(|dimension| dimension.extent == Size::Unknown) {
            return Err(missing(path));
        }
        if let Some(datatype) = datatype {
            check_element(datatype).map_err(|error| error.at_path(path))?;
        }
        let extents = collected(shape.iter().map(|dimension| Ok(dimension.extent.fixed())))?;
        Ok(Array { path, datatype, extents })
    }
}

/// Fails if an element, or a part of it, is too large. Recursion is as deep as the datatype, which is limited.
fn check_element(datatype: &Datatype) -> Result<()> {
    if datatype.element_size()?.is_some_and(|size| size > MAX_ELEMENT) {
        return Err(Error::new(Status::Limit, "an element of the array is 2 GiB or larger, which exceeds the limit"));
    }
    datatype.kind().inner().try_for_each(check_element)
}

/// Returns a path name for a comment, without characters that could end the comment.
fn comment(path: &str) -> String {
    let free = |character: char| character.is_ascii_alphanumeric() || " _.-/".contains(character);
    let shown = path.chars().take(80).map(|character| if free(character) { character } else { '_' });
    shown.collect::<String>().replace("*/", "*_").replace("/*", "/_")
}
