//! Reads the header of a table, from its first line through the line of names.

use super::columns::HeaderTree;
use super::lines::{HeaderLines, LineReader};
use super::names;
use super::names::FieldRules;
use super::untyped;
use crate::error::{Error, Result, Status, Warning};
use crate::file::File;
use crate::limits::Limits;
use crate::table::Header;
use crate::table::ecsv::{ExternalHeader, Input, NamesPolicy, ReadOptions};
use crate::yaml;
use std::sync::Arc;

/// Header of a table, and the position in the input after the line of names.
#[derive(Debug)]
pub struct HeaderText {
    /// Description of the table.
    pub header: Header,
    /// Warnings about the header.
    pub warnings: Vec<Warning>,
    /// Number of the line after the line of names, from 1.
    pub line: u64,
    /// Byte offset of that line.
    pub offset: u64,
    /// Bytes from that line on that are already read. The input continues after them.
    pub rest: Vec<u8>,
}

/// Reads the header and the line of names from the beginning of an input.
///
/// All errors give the place. Fails as [`yaml::parse`] does, and with
///
/// * [`Status::NotEcsv`] if the text does not begin like an ECSV table;
/// * [`Status::TableHeader`] if the header violates ECSV or the line of names differs from it;
/// * [`Status::InvalidArgument`] for options that exclude each other;
/// * [`Status::BadDatatype`] for an unknown or malformed datatype or subtype, and for arrays of complex numbers;
/// * [`Status::Record`] if the line of names has more or fewer names than the header has columns;
/// * [`Status::Truncated`] if the text ends before the line of names.
pub fn read(input: &mut Input, options: &ReadOptions) -> Result<HeaderText> {
    let name = input.name().cloned();
    let in_file = |error: Error| match &name {
        Some(name) => error.in_file(name),
        None => error,
    };
    let (header, mut warnings, reader) = match &options.external_header {
        Some(_) if options.as_text => {
            let message = "an external header has datatypes, so the table cannot be read as text";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Some(external) => {
            let (header, warnings) = read_external(external, options)?;
            (Some(header), warnings, LineReader::new(input, header_limit(options)).map_err(in_file)?)
        }
        None if options.as_text => (None, Vec::new(), LineReader::new(input, header_limit(options)).map_err(in_file)?),
        None => {
            let mut reader = LineReader::new(input, header_limit(options)).map_err(in_file)?;
            let (header, warnings) = described(&mut reader, name.clone(), options).map_err(in_file)?;
            (Some(header), warnings, reader)
        }
    };
    if reader.has_carriage_returns() {
        let message = "the lines end with carriage returns alone, but ECSV requires line feeds";
        if options.strict {
            return Err(in_file(reader.locate(Error::new(Status::TableHeader, message))));
        }
        warnings.push(Warning::new(message).at_line(1, 1));
    }
    let text = match header {
        Some(header) => check_names(reader, header, options),
        None => untyped::read(reader, options.strict),
    };
    let mut text = text.map_err(in_file)?;
    warnings.append(&mut text.warnings);
    for warning in &mut warnings {
        warning.location.file = warning.location.file.take().or_else(|| name.clone());
    }
    Ok(HeaderText { warnings, ..text })
}

fn header_limit(options: &ReadOptions) -> u64 {
    options.limits.tree_bytes.min(Limits::MAX_TREE_BYTES)
}

fn read_external(external: &ExternalHeader, options: &ReadOptions) -> Result<(Header, Vec<Warning>)> {
    let mut input = match external {
        ExternalHeader::Path(path) => Input::open(path)?,
        ExternalHeader::Memory(bytes) => Input::of_memory(bytes.clone())?,
    };
    let name = input.name().cloned().unwrap_or_else(|| Arc::from("external header"));
    let mut reader = LineReader::new(&mut input, header_limit(options)).map_err(|error| error.in_file(&name))?;
    let described = described(&mut reader, Some(name.clone()), options);
    let (header, mut warnings) = described.map_err(|error| error.in_file(&name))?;
    for warning in &mut warnings {
        warning.location.file = Some(name.clone());
    }
    Ok((header, warnings))
}

/// Reads the description from the lines at the beginning of an input.
fn described(reader: &mut LineReader, name: Option<Arc<str>>, options: &ReadOptions) -> Result<(Header, Vec<Warning>)> {
    let HeaderLines { version, yaml: text, places } = HeaderLines::read(reader, options.strict)?;
    let parsed = yaml::parse_lines(text, places, &options.limits)?;
    let mut warnings = parsed.warnings;
    if parsed.dropped_warnings > 0 {
        warnings.push(Warning::new(format!("{} more warnings about the header were dropped", parsed.dropped_warnings)));
    }
    if !is_known(&version) {
        let message = format!("the ECSV version {version} is unknown and is read as ECSV 1.0");
        warnings.insert(0, Warning::new(message).at_line(1, 1));
    }
    let file = File::of_tree(parsed.tree, name, &options.limits);
    let (header, more) = HeaderTree::read(&*file.tree()?, &file, options)?;
    warnings.extend(more);
    let source = Some(file.root()?);
    Ok((Header { version: Some(version), source, ..header }, warnings))
}

/// Returns whether a version is known to have the syntax of 1.0.
fn is_known(version: &str) -> bool {
    version == "0.9" || version.starts_with("1.")
}

/// Reads the line of names, and compares it with the header.
fn check_names(mut reader: LineReader, header: Header, options: &ReadOptions) -> Result<HeaderText> {
    let mut warnings = Vec::new();
    let rules = FieldRules { delimiter: header.delimiter, strict: options.strict };
    match names::read(&mut reader, rules)? {
        Some(names) => warnings.extend(difference(&reader, &names, &header, options)?),
        None if header.columns.is_empty() => {}
        None => {
            let error = Error::new(Status::Truncated, "the text ends before the line of names");
            return Err(reader.locate(error));
        }
    }
    let (line, offset, rest) = reader.into_rest();
    Ok(HeaderText { header, warnings, line, offset, rest })
}

/// Compares names with those of the header. The line of names is the last one that was read.
fn difference(
    reader: &LineReader,
    names: &[String],
    header: &Header,
    options: &ReadOptions,
) -> Result<Option<Warning>> {
    let columns = &header.columns;
    let line = reader.number() - 1;
    if names.len() != columns.len() {
        let message =
            format!("the line of names has {} names, but the header has {} columns", names.len(), columns.len());
        return Err(Error::new(Status::Record, message).at_line(line, 1));
    }
    let Some((name, column)) = names.iter().zip(columns).find(|(name, column)| **name != column.name) else {
        return Ok(None);
    };
    let message = format!("the line of names has '{name}' where the header has '{}'", column.name);
    match options.names_policy() {
        NamesPolicy::Refuse => Err(Error::new(Status::TableHeader, message).at_line(line, 1)),
        NamesPolicy::Warn => Ok(Some(Warning::new(message).at_line(line, 1))),
        NamesPolicy::Ignore => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::NodeType;
    use crate::source::Source;
    use crate::table::Delimiter;

    fn read_with(text: &str, options: &ReadOptions) -> Result<HeaderText> {
        read(&mut Input::of_memory(Arc::new(text.as_bytes().to_vec()))?, options)
    }

    fn of_yaml(yaml: &str) -> Result<HeaderText> {
        read_with(&format!("# %ECSV 1.0\n# ---\n{yaml}a\n1\n"), &ReadOptions::default())
    }

    #[test]
    fn a_header_is_read_through_the_line_of_names() {
        let text = "# %ECSV 1.0\n# ---\n# datatype:\n\
                    # - {name: a, unit: m / s, datatype: int64, format: '%03d', description: ~}\n\
                    # - {name: b, datatype: string, description: 5, subtype: 'float64[2]', meta: {x: 1}}\n\
                    # delimiter: ','\n# meta: {k: [yes, 010]}\n# schema: astropy-2.0\n\n# c\na,b\n1,x\n2,y\n";
        let error = read_with(text, &ReadOptions::default()).unwrap_err();
        assert_eq!((error.status(), error.location().line), (Status::Yaml, Some(10)));
        let text = text.replace("# c\n", "");
        let read = read_with(&text, &ReadOptions::default()).unwrap();
        assert_eq!((read.line, read.rest.as_slice()), (11, &b"1,x\n2,y\n"[..]));
        assert_eq!(&text[read.offset as usize..], "1,x\n2,y\n");
        assert!(read.warnings.is_empty());
        let header = read.header;
        assert_eq!((header.delimiter, header.version.as_deref()), (Delimiter::Comma, Some("1.0")));
        assert_eq!(header.schema.as_deref(), Some("astropy-2.0"));
        assert!(header.source.as_ref().unwrap().at("datatype/1/name").is_ok());
        let [a, b] = &header.columns[..] else { panic!("{header:?}") };
        assert_eq!((a.unit.as_deref(), a.format.as_deref()), (Some("m / s"), Some("%03d")));
        assert_eq!((a.description.as_deref(), a.declared_datatype.as_str()), (None, "int64"));
        assert_eq!((b.description.as_deref(), b.declared_subtype.as_deref()), (Some("5"), Some("float64[2]")));
        assert_eq!(b.meta.as_ref().unwrap().i64("x").unwrap(), 1);
        let meta = header.meta.unwrap();
        assert_eq!((meta.bool("k/0").unwrap(), meta.i64("k/1").unwrap()), (true, 8));
        let place = meta.at("k/1").unwrap().location().unwrap();
        assert_eq!((place.line, place.column, place.path.as_deref()), (Some(7), Some(19), Some("/meta/k/1")));
        assert_eq!(&text[place.offset.unwrap() as usize..][..3], "010");
    }

    /// A source that gives few bytes at a time.
    struct Slow(Vec<u8>);

    impl Source for Slow {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
            let rest = self.0.get(offset as usize..).unwrap_or_default();
            let count = rest.len().min(buffer.len()).min(40);
            buffer[..count].copy_from_slice(&rest[..count]);
            Ok(count)
        }
    }

    #[test]
    fn the_limit_counts_the_bytes_of_the_header() {
        let columns: String = (0..9).map(|at| format!("# - {{name: c{at}, datatype: int64}}\n")).collect();
        let names = (0..9).map(|at| format!("c{at}")).collect::<Vec<_>>().join(" ");
        let text = format!("# %ECSV 1.0\n# ---\n# datatype:\n{columns}{names}\n");
        let read_within = |tree_bytes| {
            let mut options = ReadOptions::default();
            options.limits.tree_bytes = tree_bytes;
            read(&mut Input::of_source(Arc::new(Slow(text.clone().into_bytes())))?, &options)
        };
        assert_eq!(read_within(text.len() as u64 + 50).unwrap().header.columns.len(), 9);
        let error = read_within(200).unwrap_err();
        assert_eq!((error.status(), error.location().offset.is_some()), (Status::Limit, true));
    }

    #[test]
    fn required_keys_are_checked() {
        let cases = [
            ("# meta: {x: 1}\n", 3),
            ("# - a\n", 3),
            ("# datatype: {name: a, datatype: int64}\n", 3),
            ("# datatype: [a]\n", 3),
            ("# datatype:\n# - {datatype: int64}\n", 4),
            ("# datatype:\n# - {name: yes, datatype: int64}\n", 4),
            ("# datatype:\n# - {name: '', datatype: int64}\n", 4),
            ("# datatype:\n# - {name: a, datatype: 5}\n", 4),
            ("# datatype:\n# - {name: a, datatype: int8}\n# - {name: a, datatype: int8}\n", 5),
            ("# datatype:\n# - {name: a, datatype: int8}\n# delimiter: '|'\n", 5),
            ("# datatype:\n# - {name: a, datatype: int8}\n# delimiter:\n", 5),
        ];
        for (yaml, line) in cases {
            let error = of_yaml(yaml).unwrap_err();
            assert_eq!((error.status(), error.location().line), (Status::TableHeader, Some(line)), "{yaml}");
        }
        let error = of_yaml("# datatype:\n# - {name: a, datatype: int65}\n").unwrap_err();
        assert_eq!((error.status(), error.location().offset), (Status::BadDatatype, Some(34)));
        assert_eq!(error.message(), "'int65' is not an ECSV datatype");
        assert_eq!(error.location().table_column.as_deref(), Some("a"));
        assert_eq!(of_yaml("# datatype: []\n# ---\n# a: 1\n").unwrap_err().status(), Status::Yaml);
    }

    #[test]
    fn harmless_errors_are_warnings() {
        let odd = "# %ECSV 2.7\n# ---\n# datatype:\n# - {name: a, datatype: int, unit: [m]}\na\n";
        let read = read_with(odd, &ReadOptions::default()).unwrap();
        let lines: Vec<_> = read.warnings.iter().map(|warning| warning.location.line.unwrap()).collect();
        assert_eq!(lines, [1, 4, 4], "{:?}", read.warnings);
        let unit =
            of_yaml("# datatype:\n# - {name: a, datatype: int8, unit: !astropy.units.Unit {unit: m}}\n").unwrap();
        assert_eq!((unit.header.columns[0].unit.as_deref(), unit.warnings.len()), (Some("m"), 0));
        for unit in ["!magunit AB", "!magunit {unit: AB}"] {
            let unit = of_yaml(&format!("# datatype:\n# - {{name: a, datatype: int8, unit: {unit}}}\n")).unwrap();
            assert_eq!((unit.header.columns[0].unit.as_deref(), unit.warnings.len()), (None, 1));
        }
        let name = of_yaml("# datatype:\n# - {name: !x a, datatype: int8}\n").unwrap_err();
        assert_eq!(name.status(), Status::TableHeader);
    }

    #[test]
    fn names_policies_are_followed() {
        let text = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int8}\nb\n";
        let read = |names, strict| read_with(text, &ReadOptions { names, strict, ..ReadOptions::default() });
        let error = read(None, false).unwrap_err();
        assert_eq!((error.status(), error.location().line), (Status::TableHeader, Some(5)));
        for (names, strict, warnings) in
            [(Some(NamesPolicy::Warn), false, 1), (None, true, 1), (Some(NamesPolicy::Ignore), true, 0)]
        {
            let read = read(names, strict).unwrap();
            assert_eq!((read.warnings.len(), read.header.columns[0].name.as_str()), (warnings, "a"));
        }
        let more = text.replace("\nb\n", "\na b\n");
        let options = ReadOptions { names: Some(NamesPolicy::Ignore), ..ReadOptions::default() };
        assert_eq!(read_with(&more, &options).unwrap_err().status(), Status::Record);
        let none = text.replace("\nb\n", "\n");
        assert_eq!(read_with(&none, &options).unwrap_err().status(), Status::Truncated);
        let empty = read_with("# %ECSV 1.0\n# ---\n# datatype: []\n\n", &options).unwrap();
        assert!(empty.header.columns.is_empty() && empty.rest.is_empty());
    }

    #[test]
    fn headers_may_be_external() {
        let header = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int}\n# delimiter: ','\na,unused\n";
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("header.ecsv");
        std::fs::write(&path, header).unwrap();
        for external in [ExternalHeader::Path(path), ExternalHeader::Memory(Arc::new(header.as_bytes()))] {
            let options = ReadOptions { external_header: Some(external), ..ReadOptions::default() };
            let read = read_with("# a comment\na\n1\n", &options).unwrap();
            assert_eq!((read.line, read.rest.as_slice()), (3, &b"1\n"[..]));
            let place = &read.warnings[0].location;
            assert!(place.line == Some(4) && place.file.as_ref().unwrap().contains("header"));
        }
    }

    #[test]
    fn metadata_of_any_kind_are_kept() {
        let yaml = "# datatype:\n# - {name: a, datatype: int8}\n# meta: !mine [&x !numpy.ndarray {a: 1}, *x, =]\n";
        let meta = of_yaml(yaml).unwrap().header.meta.unwrap();
        assert_eq!(meta.tag("").unwrap().as_deref(), Some("!mine"));
        assert_eq!((meta.node_type("1").unwrap(), meta.string("2").unwrap().as_str()), (NodeType::Mapping, "="));
    }

    #[test]
    fn ordered_mappings_are_mappings() {
        let yaml = "# datatype: [{name: a, datatype: int8}]\n# meta: !!omap\n# - {z: 1}\n# - &s\n#   a: !!omap [x: 2, y: &n 3]\n\
                    # - again: [*s, *n, !!omap []]\n# - *s\n# - z: 18446744073709551616\n";
        let read = of_yaml(yaml).unwrap();
        let meta = read.header.meta.unwrap();
        assert_eq!(
            (meta.node_type("").unwrap(), meta.node_type("again/2").unwrap()),
            (NodeType::Mapping, NodeType::Mapping)
        );
        assert_eq!(meta.tag("").unwrap().as_deref(), Some("tag:yaml.org,2002:omap"));
        let keys: Vec<_> = (0..meta.count("").unwrap()).map(|index| meta.key("", index).unwrap()).collect();
        let text = |key: &str| crate::file::NodeKey::String(key.into());
        assert_eq!(keys, [text("z"), text("a"), text("again")]);
        assert_eq!((meta.i64("a/x").unwrap(), meta.i64("again/0/a/y").unwrap()), (2, 3));
        assert_eq!(meta.identity("a/y").unwrap(), meta.identity("again/1").unwrap());
        assert_eq!(meta.at("a/y").unwrap().path().unwrap(), "/meta/a/y");
        let repeated: Vec<_> = read.warnings.iter().map(|warning| warning.message.as_str()).collect();
        assert!(repeated.len() == 2 && repeated.iter().all(|message| message.contains("repeats")), "{repeated:?}");
        let rest = of_yaml("# datatype: [{name: a, datatype: int8}]\n# meta: {1.5: 2, !x y: 18446744073709551616}\n");
        assert!(rest.unwrap().warnings.is_empty());
        for wrong in ["5", "{a: 1}", "[a]", "[1, 2, 3]", "[{a: 1, b: 2}]", "[{}]", "&x [*x]", "", "&x [{a: 1}, [*x]]"] {
            let error =
                of_yaml(&format!("# datatype: [{{name: a, datatype: int8}}]\n# meta: !!omap {wrong}\n")).unwrap_err();
            assert_eq!((error.status(), error.location().line), (Status::TagContent, Some(4)), "{wrong}");
        }
    }
}
