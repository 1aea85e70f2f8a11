//! Values of elements as JSON: what an element without bytes has, and numbers that stand for missing elements.

use crate::array::{Datatype, ScalarType};
use crate::error::Result;
use crate::file::{Node, NodeType};
use crate::float::Notation;
use crate::json::{Escapes, write_string};
use crate::reserve::GrowingText;

const ESCAPES: Escapes = Escapes { letters: "bfrt", more: &[] };

/// Floats as JSON. Infinities and NaN are texts in zarr.
const NOTATION: Notation =
    Notation { nan: "\"NaN\"", infinity: "\"Infinity\"", negative_infinity: "\"-Infinity\"", ..Notation::PYTHON };

/// Returns a text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_string(&mut out, text, &ESCAPES);
    out
}

/// Same as [`quoted`] for a document, whose length follows from a file.
pub(super) fn quoted_document(text: &str) -> Result<String> {
    let mut out = GrowingText::default();
    write_string(&mut out, text, &ESCAPES);
    out.finish()
}

/// Returns the value at a node as JSON for elements of this datatype; `None` if it is no value of it.
pub(super) fn value_of(node: &Node, datatype: &Datatype) -> Result<Option<String>> {
    use ScalarType as S;
    let kind = node.node_type("")?;
    Ok(match (datatype.scalar(), kind) {
        (Some(S::Bool8), NodeType::Bool) => Some(node.bool("")?.to_string()),
        (Some(S::Float16 | S::Float32 | S::Float64), NodeType::Integer | NodeType::Float) => Some(float(node.f64("")?)),
        (Some(S::Float16 | S::Float32 | S::Float64), NodeType::String) => match &*node.string("")? {
            word @ ("NaN" | "Infinity" | "-Infinity") => Some(quoted(word)),
            text => text.parse().ok().map(float),
        },
        (Some(S::Complex64 | S::Complex128), NodeType::Sequence) if node.count("")? == 2 => {
            let part = |index| -> Result<Option<String>> { value_of(&node.item("", index)?, &S::Float64.into()) };
            part(0)?.zip(part(1)?).map(|(real, imaginary)| format!("[{real},{imaginary}]"))
        }
        (Some(S::Bool8 | S::Float16 | S::Float32 | S::Float64 | S::Complex64 | S::Complex128), _) => None,
        (Some(scalar), NodeType::Integer) => integer_of(&node.integer("")?, scalar),
        (None, NodeType::String) => Some(quoted(&node.string("")?)),
        _ => None,
    })
}

/// Returns the text of an integer if the type has it.
fn integer_of(text: &str, scalar: ScalarType) -> Option<String> {
    let number: i128 = text.parse().ok()?;
    let bits = 8 * scalar.size() as u32;
    let is_unsigned =
        matches!(scalar, ScalarType::Uint8 | ScalarType::Uint16 | ScalarType::Uint32 | ScalarType::Uint64);
    let range = if is_unsigned { 0..1_i128 << bits } else { -(1_i128 << (bits - 1))..1_i128 << (bits - 1) };
    range.contains(&number).then(|| number.to_string())
}

fn float(number: f64) -> String {
    let mut out = String::new();
    NOTATION.write(&mut out, number);
    out
}
