//! Diagnostics: errors and warnings about a description, with their position.

use super::model::path_name::one_line;
use crate::error::{Error, Status};
use crate::report::{self, Entry, Kind};
use std::fmt;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The description is valid, but other readers may not accept it in this form.
    Warning,
    /// The description is not valid.
    Error,
}

/// Part of the language that a diagnostic belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Stage {
    Yaml,
    Structure,
    Datatype,
    Shape,
    Attribute,
    Value,
    Storage,
}

macro_rules! codes {
    ($($stage:ident: $($name:ident $text:literal)*;)*) => {
        /// Identifies the kind of problem. The name ([`Code::name`]) begins with `E` for errors and `W` for warnings;
        /// its meaning never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Code {
            $($($name,)*)*
        }

        impl Code {
            /// All codes, grouped by stage.
            pub const ALL: &[Code] = &[$($(Code::$name,)*)*];

            /// Returns the name, for example `E-VALUE-RANGE`.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Code::$name => $text,)*)*
                }
            }

            /// Returns the part of the language that the code belongs to.
            pub fn stage(self) -> Stage {
                match self {
                    $($(Code::$name)|* => Stage::$stage,)*
                }
            }
        }
    };
}

codes! {
    Yaml:
        YamlSyntax "E-YAML-SYNTAX" Encoding "E-ENCODING" MultiDoc "E-MULTI-DOC" EmptyDoc "E-EMPTY-DOC"
        DocType "E-DOC-TYPE" DupKey "E-DUP-KEY" KeyType "E-KEY-TYPE" MergeKey "E-MERGE-KEY" YamlTag "E-YAML-TAG"
        AliasCycle "E-ALIAS-CYCLE" Limit "E-LIMIT";
    Structure:
        UnknownKey "E-UNKNOWN-KEY" MixedRoot "E-MIXED-ROOT" MixedRootForm "W-MIXED-ROOT"
        GroupPath "E-GROUP-PATH" GroupType "E-GROUP-TYPE" SectionType "E-SECTION-TYPE" EntityType "E-ENTITY-TYPE"
        Name "E-NAME" NameClash "E-NAME-CLASH" NameNfc "W-NAME-NFC" EmptyNull "W-EMPTY-NULL";
    Datatype:
        TypeUnknown "E-TYPE-UNKNOWN" TypeForm "E-TYPE-FORM" TypeParam "E-TYPE-PARAM" TypeMissing "W-TYPE-MISSING"
        EnumBase "E-ENUM-BASE" EnumMembers "E-ENUM-MEMBERS" EnumValue "E-ENUM-VALUE" EnumRange "E-ENUM-RANGE"
        EnumDupValue "W-ENUM-DUP-VALUE" CompoundForm "E-COMPOUND-FORM" CompoundDup "E-COMPOUND-DUP";
    Shape:
        ShapeMissing "E-SHAPE-MISSING" ShapeForm "E-SHAPE-FORM" ShapeItem "E-SHAPE-ITEM" SizeMissing "E-SIZE-MISSING"
        Size "E-SIZE" DimSyntax "E-DIM-SYNTAX" DimUnresolved "E-DIM-UNRESOLVED" DimNotDimcoord "E-DIM-NOT-DIMCOORD";
    Attribute:
        AttrNull "E-ATTR-NULL" AttrShortList "E-ATTR-SHORT-LIST" AttrNoValue "E-ATTR-NO-VALUE" AttrShape "E-ATTR-SHAPE"
        AttrInferred "W-ATTR-INFERRED" AttrBool "W-ATTR-BOOL" IntRange "E-INT-RANGE" Infer "E-INFER"
        YamlVersion "W-YAML-VERSION";
    Value:
        ValueShape "E-VALUE-SHAPE" ValueType "E-VALUE-TYPE" ValueRange "E-VALUE-RANGE" ValueNull "E-VALUE-NULL"
        ValueScalar "W-VALUE-SCALAR" FloatSpelling "W-FLOAT-SPELLING" EnumUnknown "E-ENUM-UNKNOWN"
        OpaqueValue "E-OPAQUE-VALUE" RefSyntax "E-REF-SYNTAX" RefDangling "W-REF-DANGLING" RegrefForm "E-REGREF-FORM"
        RegrefTarget "E-REGREF-TARGET" RegrefRank "E-REGREF-RANK" RegrefBounds "E-REGREF-BOUNDS";
    Storage:
        StorageContext "E-STORAGE-CONTEXT" StorageShape "E-STORAGE-SHAPE" StorageSize "E-STORAGE-SIZE" Chunk "E-CHUNK"
        ChunkLarge "W-CHUNK-LARGE" Filter "E-FILTER" Endian "E-ENDIAN" EndianNa "W-ENDIAN-NA" Charset "E-CHARSET"
        CharsetNa "W-CHARSET-NA";
}

impl Code {
    /// Returns the severity, unless the description is read strictly.
    pub fn severity(self) -> Severity {
        if self.name().starts_with('W') { Severity::Warning } else { Severity::Error }
    }

    /// Returns the code with this name.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }
}

/// One error or warning about a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Severity; strict reading turns warnings into errors.
    pub severity: Severity,
    /// Kind of problem.
    pub code: Code,
    /// Path name of the object, followed by `@` and the name of the attribute if an attribute is meant. Empty for the
    /// document.
    pub place: String,
    /// Line in the text, from 1; 0 if there is no text.
    pub line: u64,
    /// Column in characters, from 1; 0 if there is no text.
    pub column: u64,
    /// Message for the user, without the position.
    pub message: String,
}

impl Diagnostic {
    /// Converts the diagnostic to an error, for callers that stop at it.
    pub fn to_error(&self) -> Error {
        let error = Error::new(self.status(), format!("{}: {}", self.code.name(), self.message));
        let error = if self.line == 0 { error } else { error.at_line(self.line, self.column) };
        if self.place.is_empty() { error } else { error.at_path(self.place.clone()) }
    }

    fn status(&self) -> Status {
        match self.code {
            Code::Encoding => Status::Encoding,
            Code::Limit => Status::Limit,
            Code::ValueRange | Code::IntRange | Code::EnumUnknown | Code::OpaqueValue => Status::ValueRange,
            Code::ValueType | Code::ValueNull | Code::RegrefForm => Status::WrongType,
            Code::RefSyntax | Code::DimSyntax | Code::Name | Code::GroupPath => Status::Path,
            code => match code.stage() {
                Stage::Yaml => Status::Yaml,
                Stage::Datatype => Status::BadDatatype,
                Stage::Structure | Stage::Shape | Stage::Attribute | Stage::Value | Stage::Storage => {
                    Status::InvalidArgument
                }
            },
        }
    }
}

/// Formats as compilers do: `12:7: E-VALUE-RANGE: /a: 300 is not in the range of int8`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        write!(f, "{}: ", self.code.name())?;
        if !self.place.is_empty() {
            write!(f, "{}: ", one_line(&self.place))?;
        }
        f.write_str(&self.message)
    }
}

impl From<&Diagnostic> for Entry {
    fn from(diagnostic: &Diagnostic) -> Entry {
        let severity = match diagnostic.severity {
            Severity::Warning => report::Severity::Warning,
            Severity::Error => report::Severity::Error,
        };
        let position = |number: u64| (number > 0).then_some(number);
        Entry {
            code: Some(diagnostic.code.name()),
            path: Some(diagnostic.place.clone()),
            line: position(diagnostic.line),
            column: position(diagnostic.column),
            ..Entry::new(Kind::Diagnostic, severity, diagnostic.to_string(), diagnostic.message.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_parsed_back() {
        for &code in Code::ALL {
            assert_eq!(Code::from_name(code.name()), Some(code));
            assert!(code.name().starts_with("E-") || code.name().starts_with("W-"));
        }
        assert_eq!(Code::from_name("E-OTHER"), None);
        assert_eq!(Code::ChunkLarge.severity(), Severity::Warning);
        assert_eq!(Code::Limit.stage(), Stage::Yaml);
    }
}
