//! Writes datatypes on one line, as JSON and in NDL notation.

use super::flow::{Dialect, Flow};
use crate::error::Result;
use crate::ndl::{Datatype, DatatypeKind, Named};

impl Datatype {
    /// Returns the datatype as JSON: a keyword, or an object that maps the keyword to its parameters. The members of a
    /// compound are a list of pairs of name and datatype.
    ///
    /// Fails with [`Status::OutOfMemory`](crate::Status::OutOfMemory) alone, as [`Datatype::to_text`] does.
    pub fn to_json(&self) -> Result<String> {
        let mut json = Flow::new(Dialect::Json);
        json.datatype(self);
        json.into_text()
    }

    /// Returns the datatype in NDL notation on one line: `float32`, `{array: {base: float32, shape: [3]}}`.
    /// [`str::parse`] reads it back.
    pub fn to_text(&self) -> Result<String> {
        let mut flow = Flow::new(Dialect::Yaml);
        flow.datatype(self);
        flow.into_text()
    }
}

impl Flow {
    /// Writes a datatype. Recursion is as deep as the datatype, which is limited.
    pub(super) fn datatype(&mut self, of: &Datatype) {
        if let DatatypeKind::String | DatatypeKind::Integer(_) | DatatypeKind::Float(_) | DatatypeKind::Objref =
            of.kind()
        {
            return self.plain_text(of.keyword());
        }
        self.begin_mapping();
        self.key(of.keyword());
        if let DatatypeKind::Compound(members) = of.kind() {
            self.members(members);
            return self.end_mapping();
        }
        self.begin_mapping();
        match of.kind() {
            DatatypeKind::Opaque { size, tag } => {
                self.key("size");
                self.word(&size.to_string());
                if let Some(tag) = tag {
                    self.key("tag");
                    self.plain_text(tag);
                }
            }
            DatatypeKind::Regref(selection) => {
                self.key("selection");
                self.plain_text(selection.name());
            }
            DatatypeKind::Enum(enumeration) => {
                self.key("base");
                self.plain_text(enumeration.base.name());
                self.key("members");
                self.begin_mapping();
                for (name, number) in enumeration.members.iter() {
                    self.key(name);
                    self.word(&number.to_string());
                }
                self.end_mapping();
                if enumeration.inferred && self.dialect == Dialect::Json {
                    self.key("inferred");
                    self.word("true");
                }
            }
            DatatypeKind::Vlen(base) => {
                self.key("base");
                self.datatype(base);
            }
            DatatypeKind::Array { base, shape } => {
                self.key("base");
                self.datatype(base);
                self.key("shape");
                self.numbers(shape);
            }
            _ => {}
        }
        self.extensions(of.extensions());
        self.end_mapping();
        self.end_mapping();
    }

    fn members(&mut self, members: &Named<Datatype>) {
        self.begin_list();
        for (name, member) in members.iter() {
            if self.dialect == Dialect::Json {
                self.begin_list();
                self.quoted(name);
                self.datatype(member);
                self.end_list();
            } else {
                self.begin_mapping();
                self.key(name);
                self.datatype(member);
                self.end_mapping();
            }
        }
        self.end_list();
    }
}
