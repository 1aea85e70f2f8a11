//! Writes a description as CDL, the text from which `ncgen` creates netCDF-4 files.

mod names;
mod types;
mod values;

use super::directive::Directive;
use super::flow::{Dialect, Flow};
use crate::array::ByteOrder;
use crate::error::{Error, Result, Status};
use crate::ndl::model::members::{GroupMembers, Members};
use crate::ndl::model::path_name::{ROOT, ancestors, join, split};
use crate::ndl::read::parts;
use crate::ndl::{
    Attribute, Content, Datatype, DatatypeKind, Description, Dimension, Filter, Named, Size, Storage, Value,
};
use crate::reserve::{GrowingText, collected, push, room_in};
use names::{FILL_VALUE, Used, subject, written, written_attribute};
use std::collections::HashMap;
use std::fmt::Write;
use types::Types;
use values::write_value;

/// Options for writing CDL.
#[derive(Clone, Debug)]
pub struct CdlOptions {
    /// Name of the data set. `ncgen` also uses it as the default file name.
    pub name: String,
    /// True to write the values of arrays. Because of an error in `ncgen` 4.9, values of compounds with constants of
    /// enumerations are wrong or missing in its files.
    pub values: bool,
}

impl Default for CdlOptions {
    fn default() -> CdlOptions {
        CdlOptions { name: "description".to_owned(), values: false }
    }
}

impl Description {
    /// Returns the description as CDL for netCDF-4.
    ///
    /// * Dimension coordinates become dimensions with variables. Other extents become dimensions of the root: one for
    ///   each fixed extent, and one for each unlimited dimension.
    /// * Datatypes get names.
    /// * A scalar text attribute becomes an attribute of characters.
    /// * The storage directives `chunk`, `endian` and `fillvalue` and the filters `deflate`, `shuffle` and `fletcher32`
    ///   are written. The other directives have no form in CDL and become comments.
    ///
    /// Fails as [`Description::to_text`] does, and with [`Status::Unsupported`] for content that netCDF cannot hold:
    ///
    /// * references
    /// * array datatypes outside compounds
    /// * extents of 0
    /// * attributes of rank 2 or more, or without elements
    /// * names that CDL cannot write
    /// * dimension coordinates outside the parent groups of an array
    /// * a `fillvalue` together with an attribute `_FillValue`
    /// * an attribute `_FillValue` that is not one element of the datatype of its array
    pub fn to_cdl(&self, options: &CdlOptions) -> Result<String> {
        let members = Members::of(self)?;
        let mut cdl = Cdl {
            description: self,
            options,
            types: Types::of(self)?,
            extents: Extents::of(self)?,
            out: GrowingText::default(),
        };
        let _ = writeln!(cdl.out, "netcdf {} {{", written(&options.name)?);
        cdl.types.write_section(&mut cdl.out)?;
        cdl.groups(members)?;
        cdl.out.push_str("}\n");
        cdl.out.finish()
    }
}

fn unsupported(what: impl Into<String>) -> Error {
    Error::new(Status::Unsupported, what)
}

fn missing(what: &str) -> Error {
    Error::new(Status::Incomplete, format!("the {what} is missing in the description"))
}

struct Cdl<'a> {
    description: &'a Description,
    options: &'a CdlOptions,
    types: Types,
    extents: Extents,
    out: GrowingText,
}

/// Dimensions without a dimension coordinate. All are in the root.
struct Extents {
    fixed: HashMap<u64, String>,
    used: Used,
    /// Names and extents, in the order of first use.
    declared: Vec<(String, Option<u64>)>,
    /// Names of the unlimited dimensions, by path name of the array and axis.
    unlimited: HashMap<(String, usize), String>,
}

impl Extents {
    fn of(description: &Description) -> Result<Extents> {
        let mut extents = Extents {
            fixed: HashMap::new(),
            // These names must not be equal to the name of a variable, which would make it a coordinate variable. A
            // group must not hide them either.
            used: Used::of_last_names(description)?,
            declared: Vec::new(),
            unlimited: HashMap::new(),
        };
        for (path, ndarray) in description.ndarrays.iter() {
            for (axis, dimension) in ndarray.shape.iter().flatten().enumerate() {
                if dimension.coordinate.is_some() {
                    continue;
                }
                match dimension.extent {
                    Size::Fixed(0) => {
                        return Err(unsupported("netCDF has no fixed dimensions of extent 0").at_path(path));
                    }
                    Size::Fixed(extent) => {
                        if !extents.fixed.contains_key(&extent) {
                            let name = extents.used.name(&format!("extent_{extent}"))?;
                            room_in(&mut extents.fixed, 1)?;
                            extents.fixed.insert(extent, name.clone());
                            push(&mut extents.declared, (name, Some(extent)))?;
                        }
                    }
                    Size::Unlimited => {
                        let name = extents.used.name("unlimited_1")?;
                        room_in(&mut extents.unlimited, 1)?;
                        extents.unlimited.insert((path.to_owned(), axis), name.clone());
                        push(&mut extents.declared, (name, None))?;
                    }
                    Size::Unknown => return Err(missing("extent of a dimension").at_path(path)),
                }
            }
        }
        Ok(extents)
    }
}

/// An open group with its remaining child groups.
pub(crate) struct Opened<'a> {
    name: Option<String>,
    children: std::vec::IntoIter<&'a str>,
}

impl<'a> Cdl<'a> {
    /// Writes nested groups. Uses no recursion, because the depth of groups is not limited.
    fn groups(&mut self, members: Members<'a>) -> Result<()> {
        let mut children: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut contents: HashMap<&str, GroupMembers> = HashMap::new();
        for group in members.groups {
            // Parent groups must exist before their members.
            let around = collected(std::iter::once(group.path).chain(ancestors(group.path)).map(Ok))?;
            for path in around.into_iter().rev() {
                if !contents.contains_key(path) {
                    room_in(&mut contents, 1)?;
                    contents.insert(path, GroupMembers::none(path));
                    if let Some((outer, _)) = split(path) {
                        room_in(&mut children, 1)?;
                        push(children.entry(outer).or_default(), path)?;
                    }
                }
            }
            if let Some(content) = contents.get_mut(group.path) {
                *content = group;
            }
        }
        let mut opened: Vec<Opened> = Vec::new();
        let mut next = Some(ROOT);
        loop {
            if let Some(path) = next {
                let name =
                    split(path).map(|(_, name)| written(name)).transpose().map_err(|error| error.at_path(path))?;
                if let Some(name) = &name {
                    let _ = writeln!(self.out, "\ngroup: {name} {{");
                }
                if let Some(group) = contents.get(path) {
                    self.group(group).map_err(|error| error.at_path(path))?;
                }
                let children = children.remove(path).unwrap_or_default().into_iter();
                push(&mut opened, Opened { name, children })?;
            }
            let Some(innermost) = opened.last_mut() else { return Ok(()) };
            next = innermost.children.next();
            if next.is_none()
                && let Some(Opened { name: Some(name), .. }) = opened.pop()
            {
                let _ = writeln!(self.out, "}} // group {name}");
            }
        }
    }

    fn group(&mut self, group: &GroupMembers) -> Result<()> {
        self.dimensions(group)?;
        let attributes = group.attributes();
        if attributes.is_some() || !group.dimcoords.is_empty() || !group.ndarrays.is_empty() {
            self.out.push_str("variables:\n");
        }
        for (name, dimcoord) in &group.dimcoords {
            let path = join(group.path, name);
            let own = Dimension { extent: dimcoord.size, coordinate: Some(path.clone()), spelling: None };
            let variable = Variable {
                name,
                path: &path,
                shape: &[own],
                datatype: dimcoord.datatype.as_ref(),
                storage: &dimcoord.storage,
            };
            self.variable(&variable, &dimcoord.attributes).map_err(|error| error.at_path(&path))?;
        }
        for (name, ndarray) in &group.ndarrays {
            let path = join(group.path, name);
            let shape = ndarray.shape.as_deref().ok_or_else(|| missing("shape").at_path(&path))?;
            let variable =
                Variable { name, path: &path, shape, datatype: ndarray.datatype.as_ref(), storage: &ndarray.storage };
            self.variable(&variable, &ndarray.attributes).map_err(|error| error.at_path(&path))?;
        }
        for (name, attribute) in attributes.into_iter().flat_map(Named::iter) {
            self.attribute("", name, attribute).map_err(|error| super::text::in_attribute(name, error))?;
        }
        if self.options.values { self.data(group) } else { Ok(()) }
    }

    fn dimensions(&mut self, group: &GroupMembers) -> Result<()> {
        let of_root = if group.path == ROOT { std::mem::take(&mut self.extents.declared) } else { Vec::new() };
        if !of_root.is_empty() || !group.dimcoords.is_empty() {
            self.out.push_str("dimensions:\n");
        }
        let mut dimension = |name: &str, extent: Option<u64>| {
            let extent = extent.map_or("UNLIMITED".to_owned(), |extent| extent.to_string());
            let _ = writeln!(self.out, "\t{name} = {extent} ;");
        };
        of_root.iter().for_each(|(name, extent)| dimension(name, *extent));
        for (name, dimcoord) in &group.dimcoords {
            match dimcoord.size {
                Size::Fixed(0) | Size::Unknown => return Err(missing("size").at_path(join(group.path, name))),
                size => dimension(&written(name)?, size.fixed()),
            }
        }
        Ok(())
    }

    fn variable(&mut self, variable: &Variable, attributes: &Named<Attribute>) -> Result<()> {
        let datatype = variable.datatype.ok_or_else(|| missing("datatype"))?;
        let name = written(variable.name)?;
        let _ = write!(self.out, "\t{} {name}", self.types.name(datatype)?);
        for (axis, dimension) in variable.shape.iter().enumerate() {
            self.out.push_str(if axis == 0 { "(" } else { ", " });
            let dimension = self.dimension(variable.path, axis, dimension)?;
            self.out.push_str(&dimension);
        }
        self.out.push_str(if variable.shape.is_empty() { " ;\n" } else { ") ;\n" });
        for (attribute_name, attribute) in attributes.iter() {
            let result = if attribute_name == FILL_VALUE {
                self.fill_attribute(&name, attribute, variable.storage, datatype)
            } else {
                self.attribute(&name, attribute_name, attribute)
            };
            result.map_err(|error| super::text::in_attribute(attribute_name, error))?;
        }
        self.storage(&name, variable.storage, datatype)
    }

    /// Writes the attribute `_FillValue`, which must have the datatype of the variable in netCDF.
    fn fill_attribute(
        &mut self,
        variable: &str,
        attribute: &Attribute,
        storage: &Storage,
        datatype: &Datatype,
    ) -> Result<()> {
        if storage.fillvalue.is_some() {
            let message = "the storage directive fillvalue and the attribute _FillValue have the same name in netCDF";
            return Err(unsupported(message));
        }
        let of = attribute.datatype.as_ref().ok_or_else(|| missing("datatype"))?;
        let value = attribute.value.as_ref().ok_or_else(|| missing("value"))?;
        let is_text = |datatype: &Datatype| *datatype.kind() == DatatypeKind::String;
        if value.elements().len() != 1 || is_text(of) != is_text(datatype) {
            return Err(unsupported("a fill value must be a single element of the datatype of its variable"));
        }
        let mut text = Flow::new(Dialect::Yaml);
        text.value(value, of)?;
        let shape: Vec<Dimension> = value.shape().iter().map(|&extent| Dimension::fixed(extent)).collect();
        let converted = parts::value(text.as_text()?, Some(&shape), &Storage::default(), datatype);
        let converted = converted.map_err(|error| unsupported(error.message()))?;
        self.fill_value(variable, &converted, datatype)
    }

    fn fill_value(&mut self, variable: &str, value: &Value, datatype: &Datatype) -> Result<()> {
        let _ = write!(self.out, "\t\t{} {}{FILL_VALUE} = ", self.types.name(datatype)?, subject(variable));
        write_value(&mut self.out, value, datatype, &self.types, &[])?;
        self.out.push_str(" ;\n");
        Ok(())
    }

    /// Returns the reference of a variable to a dimension: its name, or its path if a nearer dimension has the same
    /// name.
    fn dimension(&self, path: &str, axis: usize, dimension: &Dimension) -> Result<String> {
        let extents = &self.extents;
        let Some(coordinate) = &dimension.coordinate else {
            let name = match dimension.extent {
                Size::Fixed(extent) => extents.fixed.get(&extent),
                _ => extents.unlimited.get(&(path.to_owned(), axis)),
            };
            return name.cloned().ok_or_else(|| missing("extent of a dimension"));
        };
        let (group, name) = split(coordinate).ok_or_else(|| unsupported("a dimension without a path name"))?;
        if !ancestors(path).any(|outer| outer == group) || !self.description.dimcoords.contains(coordinate) {
            let message = format!(
                "the dimension '{coordinate}' is not in a parent group of the array, where netCDF would find it"
            );
            return Err(unsupported(message));
        }
        let nearest = ancestors(path).find(|outer| self.description.dimcoords.contains(&join(outer, name)));
        if nearest == Some(group) {
            return written(name);
        }
        coordinate.split('/').skip(1).try_fold(String::new(), |path, name| Ok(path + "/" + &written(name)?))
    }

    fn attribute(&mut self, variable: &str, name: &str, attribute: &Attribute) -> Result<()> {
        let datatype = attribute.datatype.as_ref().ok_or_else(|| missing("datatype"))?;
        let value = attribute.value.as_ref().ok_or_else(|| missing("value"))?;
        if value.shape().len() > 1 {
            return Err(unsupported("an attribute in netCDF has at most one dimension"));
        }
        if value.elements().is_empty() {
            return Err(unsupported("an attribute in CDL needs at least one element"));
        }
        let mut type_name = self.types.name(datatype)? + " ";
        if value.shape().is_empty() && *datatype.kind() == DatatypeKind::String {
            type_name.clear();
        }
        let _ = write!(self.out, "\t\t{type_name}{}{} = ", subject(variable), written_attribute(name)?);
        write_value(&mut self.out, value, datatype, &self.types, &[])?;
        self.out.push_str(" ;\n");
        let given = Directive::ALL.into_iter().filter(|directive| directive.is_in(&attribute.storage));
        given.for_each(|directive| self.comment(directive, &attribute.storage));
        Ok(())
    }

    /// Writes a directive without a form in CDL as a comment.
    fn comment(&mut self, directive: Directive, storage: &Storage) {
        if let Ok(Some(notation)) = storage.directive(directive.name(), None) {
            let _ = writeln!(self.out, "\t\t// {}: {notation}", directive.name());
        }
    }

    fn storage(&mut self, variable: &str, storage: &Storage, datatype: &Datatype) -> Result<()> {
        if let Some(fillvalue) = &storage.fillvalue {
            self.fill_value(variable, fillvalue, datatype)?;
        }
        if let Some(chunk) = &storage.chunk {
            let _ = write!(self.out, "\t\t{}_ChunkSizes = ", subject(variable));
            for (axis, extent) in chunk.iter().enumerate() {
                let _ = write!(self.out, "{}{extent}", if axis == 0 { "" } else { ", " });
            }
            self.out.push_str(" ;\n");
        }
        for filter in storage.filter.iter().flatten() {
            if let Some(line) = filter_line(filter) {
                let _ = writeln!(self.out, "\t\t{}{line} ;", subject(variable));
            }
        }
        // netCDF has a byte order only for numbers.
        let has_endianness = matches!(datatype.kind(), DatatypeKind::Integer(_) | DatatypeKind::Float(_));
        if let (Some(endian), true) = (storage.endian, has_endianness) {
            let word = if endian == ByteOrder::Big { "big" } else { "little" };
            let _ = writeln!(self.out, "\t\t{}_Endianness = \"{word}\" ;", subject(variable));
        }
        for directive in Directive::ALL {
            let is_written = match directive {
                Directive::Chunk | Directive::Fillvalue => true,
                Directive::Filter => storage.filter.iter().flatten().all(|filter| filter_line(filter).is_some()),
                Directive::Endian => has_endianness,
                Directive::Shape | Directive::Size | Directive::Charset => false,
            };
            if !is_written {
                self.comment(directive, storage);
            }
        }
        Ok(())
    }

    fn data(&mut self, group: &GroupMembers) -> Result<()> {
        let mut out = GrowingText::default();
        for (name, dimcoord) in &group.dimcoords {
            let Some(value) = &dimcoord.value else { continue };
            self.variable_data(&mut out, name, &[dimcoord.size], value, dimcoord.datatype.as_ref())
                .map_err(|error| error.at_path(join(group.path, name)))?;
        }
        for (name, ndarray) in &group.ndarrays {
            let Some(value) = &ndarray.value else { continue };
            let sizes: Vec<Size> = ndarray.shape.iter().flatten().map(|dimension| dimension.extent).collect();
            self.variable_data(&mut out, name, &sizes, value, ndarray.datatype.as_ref())
                .map_err(|error| error.at_path(join(group.path, name)))?;
        }
        if !out.is_empty() {
            self.out.push_str("data:\n");
            self.out.push_str(out.so_far()?);
        }
        Ok(())
    }

    fn variable_data(
        &self,
        out: &mut GrowingText,
        name: &str,
        sizes: &[Size],
        value: &Value,
        datatype: Option<&Datatype>,
    ) -> Result<()> {
        let datatype = datatype.ok_or_else(|| missing("datatype"))?;
        let inner = value.shape().iter().zip(sizes).skip(1);
        if inner.clone().any(|(&count, size)| size.fixed().is_some_and(|extent| extent != count)) {
            return Err(unsupported(
                "the values are shorter than an extent, which CDL allows only along the first dimension",
            ));
        }
        if value.elements().is_empty() {
            return Ok(());
        }
        let _ = write!(out, "\t{} = ", written(name)?);
        write_value(out, value, datatype, &self.types, sizes)?;
        out.push_str(" ;\n");
        Ok(())
    }
}

/// The parts of an array or a dimension coordinate that `variable` writes.
struct Variable<'a> {
    name: &'a str,
    path: &'a str,
    shape: &'a [Dimension],
    datatype: Option<&'a Datatype>,
    storage: &'a Storage,
}

/// Returns the attribute that stands for a filter in CDL; `None` for filters without one.
fn filter_line(filter: &Filter) -> Option<String> {
    Some(match filter.known_name()? {
        "deflate" => format!("_DeflateLevel = {}", deflate_level(filter)),
        "shuffle" => "_Shuffle = \"true\"".to_owned(),
        "fletcher32" => "_Fletcher32 = \"true\"".to_owned(),
        _ => return None,
    })
}

/// Returns the level from the parameters of a filter, or else the default level 6.
fn deflate_level(filter: &Filter) -> u8 {
    let Some(Content::Mapping(parameters)) = &filter.parameters else { return 6 };
    match parameters.get("level") {
        Some(Content::Scalar(level)) => level.text.parse().ok().filter(|level| *level <= 9).unwrap_or(6),
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndl::{ReadOptions, parse};

    fn cdl(text: &str, values: bool) -> Result<String> {
        let parsed = parse(text.as_bytes(), &ReadOptions::default());
        assert!(parsed.is_valid(), "{:?}", parsed.diagnostics);
        parsed.description.to_cdl(&CdlOptions { values, ..CdlOptions::default() })
    }

    const GROUPED: &str = "\
/:
  attributes: {title: 'a \"b\"', n: {shape: [2], type: int64, value: [1, -2]}}
  dimcoords: {x: {size: 2, type: float32, value: [0.5, .nan]}}
/g/h:
  dimcoords: {x: {size: null, type: int16}}
  ndarrays:
    2 m:
      shape: [x, /x, 3, null]
      type: {enum: {members: {A: 0, 'B C': 1}}}
      storage: {chunk: [1, 1, 1, 1], filter: [gzip], endian: big, fillvalue: A}
";

    const WRITTEN: &str = "\
netcdf description {
types:
\tubyte enum enum_1 {A = 0, B\\ C = 1} ;
dimensions:
\textent_3 = 3 ;
\tunlimited_1 = UNLIMITED ;
\tx = 2 ;
variables:
\tfloat x(x) ;
\t\t:title = \"a \\\"b\\\"\" ;
\t\tint64 :n = 1LL, -2LL ;
data:
\tx = 0.5f, NaNf ;

group: g {

group: h {
dimensions:
\tx = UNLIMITED ;
variables:
\tshort x(x) ;
\tenum_1 \\2\\ m(x, /x, extent_3, unlimited_1) ;
\t\tenum_1 \\2\\ m:_FillValue = enum_1.A ;
\t\t\\2\\ m:_ChunkSizes = 1, 1, 1, 1 ;
\t\t\\2\\ m:_DeflateLevel = 6 ;
\t\t// endian: big
} // group h
} // group g
}
";

    #[test]
    fn a_fill_value_is_of_the_datatype_of_its_variable_or_refused() {
        let text = |datatype: &str, value: &str| {
            cdl(
                &format!("ndarrays: {{v: {{shape: [2], type: {datatype}, attributes: {{_FillValue: {value}}}}}}}"),
                false,
            )
        };
        for (datatype, value, line) in [
            ("int8", "5", "byte v:_FillValue = 5b ;"),
            ("float32", "-999", "float v:_FillValue = -999.0f ;"),
            ("float32", "{shape: [1], type: float64, value: [1e20]}", "float v:_FillValue = 1.0e+20f ;"),
            ("string", "x", "string v:_FillValue = \"x\" ;"),
        ] {
            let text = text(datatype, value).unwrap();
            assert!(text.contains(line), "{text}");
        }
        for (datatype, value) in
            [("int8", "1.5"), ("int8", "x"), ("string", "5"), ("int8", "{shape: [2], type: int8, value: [1, 2]}")]
        {
            assert_eq!(text(datatype, value).unwrap_err().status(), Status::Unsupported, "{datatype} {value}");
        }
    }

    #[test]
    fn groups_types_and_dimensions_have_names() {
        assert_eq!(cdl(GROUPED, true).unwrap(), WRITTEN);
        assert!(!cdl(GROUPED, false).unwrap().contains("data:"));
    }

    #[test]
    fn storage_without_a_form_is_written_as_comments() {
        let text = cdl(
            "attributes: {t: {shape: [], type: string, value: x, storage: {charset: utf-8}}}\n\
             dimcoords: {x: {size: null, type: int8, storage: {size: 2}}}\n\
             ndarrays:\n  a: {shape: [x, 3], type: string, storage: {shape: [1, 3], endian: big, charset: \"u\\n}\"}}\n\
             \x20 b: {shape: [x], type: int8, storage: {filter: [shuffle, {blosc: {level: 3}}]}}\n\
             \x20 c: {shape: [x], type: int8, storage: {filter: [shuffle, gzip], endian: big}}\n",
            false,
        );
        let text = text.unwrap();
        let comments: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("\t\t// ")).collect();
        assert_eq!(
            comments,
            [
                "size: 2",
                "shape: [1, 3]",
                "endian: big",
                "charset: \"u\\n}\"",
                "filter: [shuffle, {blosc: {\"level\": 3}}]",
                "charset: utf-8"
            ]
        );
    }

    #[test]
    fn values_have_braces_where_ncgen_needs_them() {
        for (array, written) in [
            ("shape: [2, null], type: int8, value: [[1, 2], [3, 4]]", "{1b, 2b}, {3b, 4b}"),
            ("shape: [null, 2], type: uint32, value: [[1, 2], [3, 4]]", "1U, 2U, 3U, 4U"),
            ("shape: [2], type: {vlen: {base: string}}, value: [[a], []]", "{\"a\"}, {}"),
            ("shape: [1], type: {opaque: {size: 2}}, value: [AAE=]", "0X0001"),
            (
                "shape: [1], type: {compound: [k: {array: {base: int16, shape: [2, 1]}}, s: string]}, value: [[[[1], [2]], b]]",
                "{{1s, 2s}, \"b\"}",
            ),
            ("shape: [3], type: float64, value: [-.inf, 1.0e+39, 200]", "-Infinity, 1.0e+39, 200.0"),
        ] {
            let text = cdl(&format!("ndarrays: {{a: {{{array}}}}}"), true).unwrap();
            assert!(text.contains(&format!("\ta = {written} ;\n")), "{text}");
        }
    }

    #[test]
    fn content_without_netcdf_form_is_refused_with_its_place() {
        for (text, place) in [
            ("ndarrays: {a: {shape: [], type: objref}}", "/a"),
            ("ndarrays: {a: {shape: [], type: {array: {base: int8, shape: [2]}}}}", "/a"),
            ("ndarrays: {a: {shape: [0], type: int8}}", "/a"),
            ("ndarrays: {float: {shape: [], type: int8}}", "/float"),
            ("attributes: {a: {shape: [1, 1], type: int8, value: [[1]]}}", "/"),
            ("attributes: {a: {shape: [0], type: int8, value: []}}", "/"),
            ("/a: {ndarrays: {n: {shape: [/b/x], type: int8}}}\n/b: {dimcoords: {x: {size: 1, type: int8}}}", "/a/n"),
        ] {
            let error = cdl(text, false).unwrap_err();
            assert_eq!(
                (error.status(), error.location().path.as_deref()),
                (Status::Unsupported, Some(place)),
                "{text}"
            );
        }
    }
}
