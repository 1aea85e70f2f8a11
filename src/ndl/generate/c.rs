//! Generates a C header.

use super::identifiers::{Identifiers, mangled};
use super::{Array, comment};
use crate::error::Result;
use crate::ndl::{Datatype, DatatypeKind, Enumeration, FloatType, IntegerType};
use crate::reserve::{GrowingText, collected};
use std::fmt::Write;

/// Words that cannot be names of members, including those of C++, whose compilers may read the header.
const KEYWORDS: [&str; 96] = [
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "linux",
];

/// Returns the header for these arrays.
pub(super) fn header(name: &str, arrays: &[Array]) -> Result<String> {
    let prefix = mangled(name);
    let guard = format!("{}_H", prefix.to_ascii_uppercase());
    let mut header =
        Header { identifiers: Identifiers::new(&[&guard], false), text: GrowingText::default(), prefix: &prefix };
    let (text, region) = (header.identifier("text", &[])?, header.identifier("region", &[])?);
    let mut code = Code { header, string: text.clone(), region: region.clone() };
    let out = &mut code.header.text;
    let _ = write!(
        out,
        "/* Made from an NDL description. */\n#ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n#include \
         <stdint.h>\n\n/* Text, or the path name of an object; without NUL at its end. */\ntypedef struct {text} {{\n    \
         size_t length;\n    char *bytes;\n}} {text};\n\n/* A selection of elements of an array: indices, or first and \
         last indices of blocks. */\ntypedef struct {region} {{\n    {text} target;\n    size_t count;\n    uint64_t \
         *indices;\n}} {region};\n"
    );
    for array in arrays {
        code.array(array)?;
    }
    let _ = write!(code.header.text, "\n#endif /* {guard} */\n");
    code.header.text.finish()
}

struct Header<'a> {
    identifiers: Identifiers,
    text: GrowingText,
    prefix: &'a str,
}

impl Header<'_> {
    fn identifier(&mut self, name: &str, endings: &[&str]) -> Result<String> {
        let name = format!("{}_{}", self.prefix, name.strip_prefix('/').unwrap_or(name));
        self.identifiers.make(&name, endings)
    }
}

struct Code<'a> {
    header: Header<'a>,
    string: String,
    region: String,
}

/// A C type: the part before the name of a variable, and the extents after it.
struct Declared {
    base: String,
    extents: String,
}

impl Code<'_> {
    fn array(&mut self, array: &Array) -> Result<()> {
        let extents = collected((0..array.extents.len()).map(|axis| Ok(format!("_EXTENT_{axis}"))))?;
        let endings = collected(std::iter::once("_RANK").chain(extents.iter().map(String::as_str)).map(Ok))?;
        let identifier = self.header.identifier(array.path, &endings)?;
        let _ = writeln!(self.header.text, "\n/* {} */", comment(array.path));
        let _ = writeln!(self.header.text, "#define {identifier}_RANK {}", array.extents.len());
        for (ending, extent) in extents.iter().zip(&array.extents) {
            let _ = match extent {
                Some(extent) => writeln!(self.header.text, "#define {identifier}{ending} UINT64_C({extent})"),
                None => writeln!(self.header.text, "/* {identifier}{ending} is unlimited. */"),
            };
        }
        array.datatype.map_or(Ok(()), |datatype| self.named(datatype, &identifier))
    }

    /// Defines a type with this name.
    fn named(&mut self, datatype: &Datatype, identifier: &str) -> Result<()> {
        match datatype.kind() {
            DatatypeKind::Compound(_) | DatatypeKind::Vlen(_) => self.structure(datatype, identifier),
            DatatypeKind::Enum(enumeration) => self.enumeration(enumeration, identifier),
            _ => {
                let Declared { base, extents } = self.declared(datatype, identifier)?;
                let _ = writeln!(self.header.text, "typedef {base} {identifier}{extents};");
                Ok(())
            }
        }
    }

    /// Returns the type for a member or element with this name, and defines its parts before. Recursion is as deep as
    /// the datatype, which is limited.
    fn declared(&mut self, datatype: &Datatype, name: &str) -> Result<Declared> {
        let base = match datatype.kind() {
            DatatypeKind::String | DatatypeKind::Objref => self.string.clone(),
            DatatypeKind::Regref(_) => self.region.clone(),
            DatatypeKind::Integer(integer) => integer_name(*integer),
            DatatypeKind::Float(FloatType::Float32) => "float".to_owned(),
            DatatypeKind::Float(FloatType::Float64) => "double".to_owned(),
            DatatypeKind::Opaque { size, .. } => {
                return Ok(Declared { base: "uint8_t".to_owned(), extents: format!("[{size}]") });
            }
            DatatypeKind::Array { base, shape } => {
                let inner = self.declared(base, &format!("{name}_element"))?;
                let mut extents = GrowingText::default();
                for extent in shape {
                    let _ = write!(extents, "[{extent}]");
                }
                extents.push_str(&inner.extents);
                return Ok(Declared { base: inner.base, extents: extents.finish()? });
            }
            DatatypeKind::Enum(_) | DatatypeKind::Compound(_) | DatatypeKind::Vlen(_) => {
                let identifier = self.header.identifiers.make(name, &[])?;
                self.named(datatype, &identifier)?;
                identifier
            }
        };
        Ok(Declared { base, extents: String::new() })
    }

    fn enumeration(&mut self, enumeration: &Enumeration, identifier: &str) -> Result<()> {
        let base = integer_name(enumeration.base);
        let _ = writeln!(self.header.text, "typedef {base} {identifier};");
        for (name, number) in enumeration.members.iter() {
            let constant = self.header.identifiers.make(&format!("{identifier}_{name}"), &[])?;
            let number = literal(enumeration.base, *number);
            let _ = writeln!(self.header.text, "#define {constant} {number}");
        }
        Ok(())
    }

    fn structure(&mut self, datatype: &Datatype, identifier: &str) -> Result<()> {
        let mut members = GrowingText::default();
        if let DatatypeKind::Compound(of) = datatype.kind() {
            let mut scope = Identifiers::new(&KEYWORDS, false);
            let of_header = format!("{}_", self.header.prefix);
            for (name, member) in of.iter() {
                let Declared { base, extents } = self.declared(member, &format!("{identifier}_{name}"))?;
                let is_taken = name.starts_with(&of_header) || is_standard(name);
                let name = if is_taken { format!("{name}_") } else { name.to_owned() };
                let _ = writeln!(members, "    {base} {}{extents};", scope.make(&name, &[])?);
            }
        }
        if let DatatypeKind::Vlen(base) = datatype.kind() {
            let mut element = self.declared(base, &format!("{identifier}_element"))?;
            if !element.extents.is_empty() {
                let name = self.header.identifiers.make(&format!("{identifier}_element"), &[])?;
                let _ = writeln!(self.header.text, "typedef {} {name}{};", element.base, element.extents);
                element.base = name;
            }
            let _ = writeln!(members, "    size_t length;\n    {} *elements;", element.base);
        }
        let members = members.so_far()?;
        let _ = writeln!(self.header.text, "typedef struct {identifier} {{\n{members}}} {identifier};");
        Ok(())
    }
}

/// Returns true if the standard headers that are included define a macro or a type with this name.
fn is_standard(name: &str) -> bool {
    const OTHERS: [&str; 9] =
        ["INTMAX", "INTPTR", "PTRDIFF", "SIG_ATOMIC", "SIZE", "UINTMAX", "UINTPTR", "WCHAR", "WINT"];
    let is_sized = |base: &str| {
        let base = base.strip_prefix('U').unwrap_or(base).strip_prefix("INT");
        base.map(|base| base.strip_prefix("_LEAST").or(base.strip_prefix("_FAST")).unwrap_or(base))
            .is_some_and(|width| matches!(width, "8" | "16" | "32" | "64"))
    };
    let is_bound = |base: &str| OTHERS.contains(&base) || is_sized(base);
    name == "NULL"
        || name.ends_with("_t")
        || ["_MAX", "_MIN", "_WIDTH"].iter().any(|ending| name.strip_suffix(ending).is_some_and(is_bound))
}

fn integer_name(integer: IntegerType) -> String {
    format!("{}_t", integer.name())
}

/// Returns a constant expression of an integer type.
fn literal(integer: IntegerType, number: i128) -> String {
    let name = integer.name().to_ascii_uppercase();
    match number {
        0.. => format!("{name}_C({number})"),
        // The absolute value of the minimum is out of range, so it is written as a difference.
        _ if number == i64::MIN.into() => format!("(-{name}_C({}) - 1)", i64::MAX),
        _ => format!("(-{name}_C({}))", number.unsigned_abs()),
    }
}
