//! Compares two descriptions part by part.

use super::difference::{ConformanceOptions, Difference, DifferenceOptions};
use super::same;
use crate::error::Result;
use crate::ndl::model::path_name::{ROOT, ancestors};
use crate::ndl::write::directive::Directive;
use crate::ndl::write::flow::{Dialect, Flow};
use crate::ndl::write::json;
use crate::ndl::{
    Attribute, Datatype, Description, DimCoord, Dimension, Extensions, Group, Named, Ndarray, Size, Storage, Value,
};
use crate::progress;
use crate::report::Operation;
use crate::reserve::{insert, push, text_of};
use std::collections::HashSet;

pub(super) fn differences(
    old: &Description,
    new: &Description,
    options: &DifferenceOptions,
) -> Result<Vec<Difference>> {
    let mut comparison = Comparison { ignored: *options, conformance: None, found: Vec::new() };
    comparison.descriptions(old, new)?;
    Ok(comparison.found)
}

pub(super) fn violations(
    promise: &Description,
    file: &Description,
    options: &ConformanceOptions,
) -> Result<Vec<Difference>> {
    let ignored = DifferenceOptions { ignore_extensions: true, ..DifferenceOptions::default() };
    let mut comparison = Comparison { ignored, conformance: Some(*options), found: Vec::new() };
    comparison.descriptions(promise, file)?;
    Ok(comparison.found)
}

struct Comparison {
    ignored: DifferenceOptions,
    /// Rules for a conformance check, where the old description is the promise and the new one describes a file.
    conformance: Option<ConformanceOptions>,
    found: Vec<Difference>,
}

/// Returns a part as JSON.
fn text(write: impl FnOnce(&mut Flow) -> Result<()>) -> Result<String> {
    let mut flow = Flow::new(Dialect::Json);
    write(&mut flow)?;
    flow.into_text()
}

fn place_of_attribute(path: &str, name: &str) -> String {
    format!("{path}@{name}")
}

impl Comparison {
    /// Records a part that was added, removed or changed.
    fn record(&mut self, at: &str, what: &str, old: Option<String>, new: Option<String>) -> Result<()> {
        let operation = match (&old, &new) {
            (None, _) => Operation::Add,
            (_, None) => Operation::Remove,
            _ => Operation::Change,
        };
        let at = text_of(at)?.into_string();
        push(&mut self.found, Difference { operation, at, what: what.to_owned(), old, new })
    }

    fn allows_more(&self) -> bool {
        self.conformance.is_some_and(|options| options.subset)
    }

    fn descriptions(&mut self, old: &Description, new: &Description) -> Result<()> {
        self.extensions("", "extensions", &old.extensions, &new.extensions)?;
        self.groups(old, new)?;
        self.entities("dimcoord", &old.dimcoords, &new.dimcoords, json::dimcoord, Comparison::dimcoords)?;
        self.entities("ndarray", &old.ndarrays, &new.ndarrays, json::ndarray, Comparison::ndarrays)
    }

    fn groups(&mut self, old: &Description, new: &Description) -> Result<()> {
        let (in_old, in_new) = (groups_with_content(old)?, groups_with_content(new)?);
        let none = Group::default();
        let paths = old.groups.iter().chain(new.groups.iter()).map(|(path, _)| path);
        let mut seen = HashSet::new();
        for path in paths {
            if !insert(&mut seen, path)? {
                continue;
            }
            let (of_old, of_new) = (old.groups.get(path), new.groups.get(path));
            match (in_old.contains(path), in_new.contains(path)) {
                (true, true) => {
                    let (of_old, of_new) = (of_old.unwrap_or(&none), of_new.unwrap_or(&none));
                    self.attributes(path, &of_old.attributes, &of_new.attributes)?;
                    self.extensions(path, "extensions", &of_old.extensions, &of_new.extensions)?;
                }
                (true, false) => {
                    let group = text(|json| json::group(json, of_old.unwrap_or(&none)))?;
                    self.record(path, "group", Some(group), None)?;
                }
                (false, true) if !self.allows_more() => {
                    let group = text(|json| json::group(json, of_new.unwrap_or(&none)))?;
                    self.record(path, "group", None, Some(group))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn entities<T>(
        &mut self,
        what: &str,
        old: &Named<T>,
        new: &Named<T>,
        write: fn(&mut Flow, &T) -> Result<()>,
        compare: fn(&mut Comparison, &str, &T, &T) -> Result<()>,
    ) -> Result<()> {
        for (at, of_old) in old.iter() {
            progress::check()?;
            match new.get(at) {
                Some(of_new) => compare(self, at, of_old, of_new)?,
                None => {
                    let removed = text(|json| write(json, of_old))?;
                    self.record(at, what, Some(removed), None)?;
                }
            }
        }
        if self.allows_more() {
            return Ok(());
        }
        for (at, of_new) in new.iter().filter(|(at, _)| !old.contains(at)) {
            let added = text(|json| write(json, of_new))?;
            self.record(at, what, None, Some(added))?;
        }
        Ok(())
    }

    fn dimcoords(&mut self, at: &str, old: &DimCoord, new: &DimCoord) -> Result<()> {
        if !self.is_same_size(old.size, new.size) {
            let size = |size| {
                text(|json| {
                    json::size(json, size);
                    Ok(())
                })
            };
            self.record(at, "size", Some(size(old.size)?), Some(size(new.size)?))?;
        }
        let (of_old, of_new) = (Part::of_dimcoord(old), Part::of_dimcoord(new));
        self.arrays(at, &of_old, &of_new)?;
        self.attributes(at, &old.attributes, &new.attributes)?;
        self.extensions(at, "extensions", &old.extensions, &new.extensions)
    }

    fn ndarrays(&mut self, at: &str, old: &Ndarray, new: &Ndarray) -> Result<()> {
        self.shapes(at, old.shape.as_deref(), new.shape.as_deref())?;
        let (of_old, of_new) = (Part::of_ndarray(old), Part::of_ndarray(new));
        self.arrays(at, &of_old, &of_new)?;
        self.attributes(at, &old.attributes, &new.attributes)?;
        self.extensions(at, "extensions", &old.extensions, &new.extensions)
    }

    /// Compares sizes. In a conformance check an unlimited dimension allows any size.
    fn is_same_size(&self, old: Size, new: Size) -> bool {
        old == new || (self.conformance.is_some() && old == Size::Unlimited)
    }

    fn shapes(&mut self, at: &str, old: Option<&[Dimension]>, new: Option<&[Dimension]>) -> Result<()> {
        let (of_old, of_new) = (old.unwrap_or_default(), new.unwrap_or_default());
        let mut pairs = of_old.iter().zip(of_new);
        let is_same_rank = old.is_some() == new.is_some() && of_old.len() == of_new.len();
        if !is_same_rank || !pairs.all(|(one, other)| self.is_same_size(one.extent, other.extent)) {
            let extents = |shape: Option<&[Dimension]>| {
                let write = |shape| {
                    text(|json| {
                        json::extents(json, shape);
                        Ok(())
                    })
                };
                shape.map(write).transpose()
            };
            self.record(at, "shape", extents(old)?, extents(new)?)?;
        }
        let allows_more = self.allows_more();
        let is_same_coordinate = |(one, other): (&Dimension, &Dimension)| {
            one.coordinate == other.coordinate || (allows_more && one.coordinate.is_none())
        };
        if is_same_rank && !of_old.iter().zip(of_new).all(is_same_coordinate) {
            let dims = |shape| {
                text(|json| {
                    json::coordinates(json, shape);
                    Ok(())
                })
            };
            self.record(at, "dims", Some(dims(of_old)?), Some(dims(of_new)?))?;
        }
        Ok(())
    }

    fn arrays(&mut self, at: &str, old: &Part, new: &Part) -> Result<()> {
        self.datatypes(at, old.datatype, new.datatype)?;
        if !self.ignored.ignore_storage {
            self.storage(at, old, new)?;
        }
        if !self.ignored.ignore_values {
            self.values(at, old, new)?;
        }
        Ok(())
    }

    fn datatypes(&mut self, at: &str, old: Option<&Datatype>, new: Option<&Datatype>) -> Result<()> {
        let is_same = match (old, new) {
            (Some(old), Some(new)) => same::datatypes(old, new),
            (None, _) if self.conformance.is_some() => true,
            (old, new) => old.is_none() && new.is_none(),
        };
        if is_same {
            return Ok(());
        }
        let json = |datatype: Option<&Datatype>| datatype.map(Datatype::to_json).transpose();
        self.record(at, "type", json(old)?, json(new)?)
    }

    fn values(&mut self, at: &str, old: &Part, new: &Part) -> Result<()> {
        let is_same = match (old.typed_value(), new.typed_value()) {
            (Some(old), Some(new)) => same::values(old, new)?,
            (old, new) => self.conformance.is_some() || (old.is_none() && new.is_none()),
        };
        if !is_same {
            let value = |part: &Part| part.typed_value().map(|(value, datatype)| same::value_text(value, datatype));
            self.record(at, "value", value(old).transpose()?, value(new).transpose()?)?;
        }
        Ok(())
    }

    fn storage(&mut self, at: &str, old: &Part, new: &Part) -> Result<()> {
        for directive in Directive::ALL {
            let (in_old, in_new) = (directive.is_in(old.storage), directive.is_in(new.storage));
            let is_stored_extent = matches!(directive, Directive::Shape | Directive::Size);
            if self.conformance.is_some() && (is_stored_extent || !in_old || !in_new) {
                continue;
            }
            let is_same = in_old == in_new
                && match (directive, &old.storage.filter, &new.storage.filter) {
                    (Directive::Filter, Some(old), Some(new)) => same::filters(old, new),
                    _ => directive_text(directive, old)? == directive_text(directive, new)?,
                };
            if !is_same {
                let what = format!("storage.{}", directive.name());
                let content = |part: &Part, is_in: bool| is_in.then(|| directive_text(directive, part)).transpose();
                self.record(at, &what, content(old, in_old)?, content(new, in_new)?)?;
            }
        }
        self.extensions(at, "storage.extensions", &old.storage.extensions, &new.storage.extensions)
    }

    fn attributes(&mut self, path: &str, old: &Named<Attribute>, new: &Named<Attribute>) -> Result<()> {
        if self.ignored.ignore_attributes {
            return Ok(());
        }
        for (name, of_old) in old.iter() {
            let at = place_of_attribute(path, name);
            match new.get(name) {
                Some(of_new) => self.attribute(&at, of_old, of_new)?,
                None => {
                    let removed = text(|json| json::attribute(json, of_old))?;
                    self.record(&at, "attribute", Some(removed), None)?;
                }
            }
        }
        if self.allows_more() {
            return Ok(());
        }
        for (name, of_new) in new.iter().filter(|(name, _)| !old.contains(name)) {
            let added = text(|json| json::attribute(json, of_new))?;
            self.record(&place_of_attribute(path, name), "attribute", None, Some(added))?;
        }
        Ok(())
    }

    fn attribute(&mut self, at: &str, old: &Attribute, new: &Attribute) -> Result<()> {
        if old.shape != new.shape {
            let shape = |shape: &Option<Vec<u64>>| {
                let write = |shape: &Vec<u64>| {
                    text(|json| {
                        json.numbers(shape);
                        Ok(())
                    })
                };
                shape.as_ref().map(write).transpose()
            };
            self.record(at, "shape", shape(&old.shape)?, shape(&new.shape)?)?;
        }
        let (of_old, of_new) = (Part::of_attribute(old), Part::of_attribute(new));
        self.datatypes(at, of_old.datatype, of_new.datatype)?;
        if !self.ignored.ignore_storage {
            self.storage(at, &of_old, &of_new)?;
        }
        self.values(at, &of_old, &of_new)?;
        self.extensions(at, "extensions", &old.extensions, &new.extensions)
    }

    fn extensions(&mut self, at: &str, what: &str, old: &Extensions, new: &Extensions) -> Result<()> {
        if self.ignored.ignore_extensions || same::extensions(old, new) {
            return Ok(());
        }
        let content = |extensions: &Extensions| {
            let write = || {
                text(|json| {
                    json.mapping(extensions);
                    Ok(())
                })
            };
            (!extensions.is_empty()).then(write).transpose()
        };
        self.record(at, what, content(old)?, content(new)?)
    }
}

/// Returns the groups that exist because they, or groups inside them, have attributes, extensions or arrays. For all
/// other groups it does not matter if they are listed.
fn groups_with_content(description: &Description) -> Result<HashSet<&str>> {
    let of_group = |group: &Group| !group.attributes.is_empty() || !group.extensions.is_empty();
    let groups = description.groups.iter().filter(|(_, group)| of_group(group)).map(|(path, _)| path);
    let dimcoords = description.dimcoords.iter().map(|(path, _)| path);
    let ndarrays = description.ndarrays.iter().map(|(path, _)| path);
    let mut found = HashSet::from([ROOT]);
    for path in groups.clone().chain(dimcoords).chain(ndarrays) {
        // If a group is found, its parent groups were found before.
        for group in ancestors(path) {
            if !insert(&mut found, group)? {
                break;
            }
        }
    }
    for group in groups {
        insert(&mut found, group)?;
    }
    Ok(found)
}

fn directive_text(directive: Directive, part: &Part) -> Result<String> {
    text(|json| directive.write(json, part.storage, part.datatype))
}

/// The parts that arrays, dimension coordinates and attributes share.
struct Part<'a> {
    datatype: Option<&'a Datatype>,
    storage: &'a Storage,
    value: Option<&'a Value>,
}

impl<'a> Part<'a> {
    fn of_dimcoord(dimcoord: &'a DimCoord) -> Part<'a> {
        let DimCoord { datatype, storage, value, .. } = dimcoord;
        Part { datatype: datatype.as_ref(), storage, value: value.as_ref() }
    }

    fn of_ndarray(ndarray: &'a Ndarray) -> Part<'a> {
        let Ndarray { datatype, storage, value, .. } = ndarray;
        Part { datatype: datatype.as_ref(), storage, value: value.as_ref() }
    }

    fn of_attribute(attribute: &'a Attribute) -> Part<'a> {
        let Attribute { datatype, storage, value, .. } = attribute;
        Part { datatype: datatype.as_ref(), storage, value: value.as_ref() }
    }

    fn typed_value(&self) -> Option<(&'a Value, &'a Datatype)> {
        self.value.zip(self.datatype)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndl::{ReadOptions, parse};

    fn description(text: &str) -> Description {
        let parsed = parse(text.as_bytes(), &ReadOptions::default());
        assert!(parsed.is_valid(), "{text}: {:?}", parsed.diagnostics);
        parsed.description
    }

    fn lines(found: &[Difference]) -> Vec<String> {
        found.iter().map(Difference::to_string).collect()
    }

    /// Returns the differences of two descriptions as text.
    fn compared(old: &str, new: &str, options: DifferenceOptions) -> Vec<String> {
        lines(&differences(&description(old), &description(new), &options).unwrap())
    }

    /// Returns the violations of a promise by a file as text.
    fn broken(promise: &str, file: &str, subset: bool) -> Vec<String> {
        lines(&violations(&description(promise), &description(file), &ConformanceOptions { subset }).unwrap())
    }

    const OLD: &str = "\
/:
  attributes: {title: old, gone: 1}
  dimcoords: {t: {size: 4, type: float64, value: [1, 2, 3, 4]}, u: {size: 4, type: int8}}
  ndarrays:
    a: {shape: [t, 3], type: float32, storage: {chunk: [1, 3], fillvalue: 0}, attributes: {units: K}}
    b: {shape: [2], type: int16, value: [1, 2]}
/empty: {}
/g: {attributes: {n: 1}}
";

    const NEW: &str = "\
/:
  attributes: {title: new, came: 2}
  dimcoords: {t: {size: 5, type: float64}, u: {size: 4, type: int8}}
  ndarrays:
    a: {shape: [u, 3], type: float64, storage: {chunk: [2, 3], endian: big, fillvalue: 0}, attributes: {units: mK}}
    c: {shape: [], type: int16}
";

    const ALL: [&str; 13] = [
        "~ /@title: value \"old\" -> \"new\"",
        "- /@gone: attribute {\"type\": \"int32\", \"shape\": [], \"value\": 1, \"short\": true}",
        "+ /@came: attribute {\"type\": \"int32\", \"shape\": [], \"value\": 2, \"short\": true}",
        "- /g: group {\"listed\": true, \"attributes\": {\"n\": {\"type\": \"int32\", \"shap…",
        "~ /t: size 4 -> 5",
        "- /t: value [1.0, 2.0, 3.0, 4.0]",
        "~ /a: dims [\"/t\", null] -> [\"/u\", null]",
        "~ /a: type \"float32\" -> \"float64\"",
        "~ /a: storage.chunk [1, 3] -> [2, 3]",
        "+ /a: storage.endian \"big\"",
        "~ /a@units: value \"K\" -> \"mK\"",
        "- /b: ndarray {\"shape\": [2], \"dims\": [null], \"type\": \"int16\", \"value\": [1,…",
        "+ /c: ndarray {\"shape\": [], \"dims\": [], \"type\": \"int16\", \"attributes\": {}}",
    ];

    #[test]
    fn each_difference_has_a_record_in_order() {
        assert_eq!(compared(OLD, NEW, DifferenceOptions::default()), ALL);
    }

    #[test]
    fn ignored_parts_have_no_record() {
        let default = DifferenceOptions::default();
        for (options, left_out) in [
            (DifferenceOptions { ignore_attributes: true, ..default }, vec![0, 1, 2, 10]),
            (DifferenceOptions { ignore_storage: true, ..default }, vec![8, 9]),
            (DifferenceOptions { ignore_values: true, ..default }, vec![5]),
        ] {
            let kept = ALL.iter().enumerate().filter(|(number, _)| !left_out.contains(number));
            let expected: Vec<&str> = kept.map(|(_, line)| *line).collect();
            assert_eq!(compared(OLD, NEW, options), expected, "{options:?}");
        }
        let (one, other) = ("x-by: me", "x-by: you");
        assert_eq!(compared(one, other, default), ["~ : extensions {\"x-by\": \"me\"} -> {\"x-by\": \"you\"}"]);
        assert_eq!(compared(one, other, DifferenceOptions { ignore_extensions: true, ..default }), [""; 0]);
    }

    #[test]
    fn nothing_differs_from_itself_or_another_notation() {
        for text in [OLD, NEW] {
            assert_eq!(compared(text, text, DifferenceOptions::default()), [""; 0]);
            assert_eq!(broken(text, text, false), [""; 0]);
        }
        let (short, long) = (
            "attributes: {n: 1}\nndarrays: {a: {shape: [2], type: int8, value: [1, 2]}}",
            "/:\n  ndarrays: {a: {value: [0x1, 2], type: int8, shape: [2]}}\n  attributes: {n: {shape: [], type: int32, \
             value: 1}}\n/g: {}",
        );
        assert_eq!(compared(short, long, DifferenceOptions::default()), [""; 0]);
    }

    const PROMISE: &str = "\
dimcoords: {t: {size: null, type: float64}}
ndarrays:
  a: {shape: [t, null, 3], type: float32, attributes: {units: K}, storage: {chunk: [1, 1, 3], shape: [1, 1, 3]}}
";

    #[test]
    fn open_or_missing_parts_are_not_compared() {
        let file = "\
dimcoords: {t: {size: 2, type: float64, value: [1, 2]}}
ndarrays: {a: {shape: [t, 9, 3], type: float32, attributes: {units: K}, storage: {fillvalue: 0}}}
";
        assert_eq!(broken(PROMISE, file, false), [""; 0]);
        assert_eq!(broken("ndarrays: {a: {shape: [2]}}", "ndarrays: {a: {shape: [2], type: int8}}", false), [""; 0]);
    }

    #[test]
    fn additional_content_violates_only_an_exact_promise() {
        let file = "\
dimcoords: {t: {size: 7, type: float64}}
ndarrays:
  a: {shape: [t, 9, 4], type: float64, attributes: {units: mK, more: 1}, storage: {chunk: [2, 1, 4]}}
  b: {shape: [], type: int8}
";
        let of_both = [
            "~ /a: shape [null, null, 3] -> [7, 9, 4]",
            "~ /a: type \"float32\" -> \"float64\"",
            "~ /a: storage.chunk [1, 1, 3] -> [2, 1, 4]",
            "~ /a@units: value \"K\" -> \"mK\"",
        ];
        assert_eq!(broken(PROMISE, file, true), of_both);
        let exact = broken(PROMISE, file, false);
        assert_eq!(exact[..4], of_both);
        let [attribute, array] = &exact[4..] else { panic!("{exact:?}") };
        assert!(attribute.starts_with("+ /a@more: attribute ") && array.starts_with("+ /b: ndarray "), "{exact:?}");
    }

    #[test]
    fn missing_content_violates_every_promise() {
        for subset in [false, true] {
            let found = broken(PROMISE, "attributes: {}", subset);
            let [dimcoord, array] = &found[..] else { panic!("{found:?}") };
            assert!(dimcoord.starts_with("- /t: dimcoord ") && array.starts_with("- /a: ndarray "), "{found:?}");
        }
    }
}
