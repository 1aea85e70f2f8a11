//! The model of a description as JSON, in the form that manifests have.

use asdfkit::array::ByteOrder;
use asdfkit::ndl::scalar::{Core, float64, integer, resolve};
use asdfkit::ndl::{
    Attribute, Content, Datatype, DatatypeKind, Description, DimCoord, Elements, Named, Ndarray, Selection, Size,
    Storage, Value,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};

/// All of a description but extensions, which the manifests leave out.
pub(crate) fn model(description: &Description) -> Json {
    let groups = description.groups.iter().map(|(path, group)| {
        (path.to_owned(), json!({"listed": group.listed, "attributes": attributes(&group.attributes)}))
    });
    let dimcoords = description.dimcoords.iter().map(|(path, dimcoord)| (path.to_owned(), dimcoord_json(dimcoord)));
    let ndarrays = description.ndarrays.iter().map(|(path, ndarray)| (path.to_owned(), ndarray_json(ndarray)));
    json!({
        "form": if description.flat { "flat" } else { "grouped" },
        "groups": groups.collect::<Map<_, _>>(),
        "dimcoords": dimcoords.collect::<Map<_, _>>(),
        "ndarrays": ndarrays.collect::<Map<_, _>>(),
    })
}

/// The model without notation: forms, what is inferred and whether groups without content are listed.
pub(crate) fn meaning(description: &Description) -> Json {
    let mut model = model(description);
    strip(&mut model);
    model
}

fn strip(json: &mut Json) {
    match json {
        Json::Object(object) => {
            for key in ["form", "listed", "short", "inferred", "type_inferred"] {
                object.remove(key);
            }
            object.values_mut().for_each(strip);
        }
        Json::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// Elements, bytes of each and bytes of all, of every array and dimension coordinate.
pub(crate) fn sizes(description: &Description) -> Json {
    let size = |elements: Option<u128>, datatype: &Option<Datatype>, bytes: asdfkit::Result<Option<u128>>| {
        let item = datatype.as_ref().and_then(|datatype| datatype.element_size().ok().flatten());
        json!({"elements": number(elements), "itemsize": number(item), "bytes": number(bytes.ok().flatten())})
    };
    let mut out = Map::new();
    for (path, dimcoord) in description.dimcoords.iter() {
        out.insert(path.to_owned(), size(dimcoord.element_count(), &dimcoord.datatype, dimcoord.byte_count()));
    }
    for (path, ndarray) in description.ndarrays.iter() {
        let elements = ndarray.element_count().ok().flatten();
        out.insert(path.to_owned(), size(elements, &ndarray.datatype, ndarray.byte_count()));
    }
    Json::Object(out)
}

fn number(number: Option<u128>) -> Json {
    number.map_or(Json::Null, |number| u64::try_from(number).map_or(json!(number.to_string()), Json::from))
}

fn dimcoord_json(dimcoord: &DimCoord) -> Json {
    let mut out = json!({"size": size(dimcoord.size), "type": datatype_of(&dimcoord.datatype)});
    let common = (&dimcoord.storage, &dimcoord.value, &dimcoord.attributes, dimcoord.datatype_inferred);
    add_common(&mut out, &dimcoord.datatype, common);
    out
}

fn ndarray_json(ndarray: &Ndarray) -> Json {
    let mut out = json!({"shape": null, "dims": null, "type": datatype_of(&ndarray.datatype)});
    if let Some(shape) = &ndarray.shape {
        out["shape"] = shape.iter().map(|dimension| size(dimension.extent)).collect();
        out["dims"] = shape.iter().map(|dimension| json!(dimension.coordinate)).collect();
    }
    let common = (&ndarray.storage, &ndarray.value, &ndarray.attributes, ndarray.datatype_inferred);
    add_common(&mut out, &ndarray.datatype, common);
    out
}

fn size(size: Size) -> Json {
    json!(size.fixed())
}

type Common<'a> = (&'a Storage, &'a Option<Value>, &'a Named<Attribute>, bool);

fn add_common(out: &mut Json, datatype: &Option<Datatype>, (storage, value, own, inferred): Common) {
    if inferred {
        out["type_inferred"] = json!(true);
    }
    if !storage.is_empty() {
        out["storage"] = storage_json(storage, datatype);
    }
    if let (Some(value), Some(datatype)) = (value, datatype) {
        out["value"] = value_json(value, datatype);
    }
    out["attributes"] = attributes(own);
}

fn attributes(attributes: &Named<Attribute>) -> Json {
    let attribute = |attribute: &Attribute| {
        let value = attribute.value.as_ref().zip(attribute.datatype.as_ref());
        let mut out = json!({
            "type": datatype_of(&attribute.datatype),
            "shape": attribute.shape,
            "value": value.map_or(Json::Null, |(value, datatype)| value_json(value, datatype)),
        });
        if attribute.short {
            out["short"] = json!(true);
        }
        if !attribute.storage.is_empty() {
            out["storage"] = storage_json(&attribute.storage, &attribute.datatype);
        }
        out
    };
    attributes.iter().map(|(name, own)| (name.to_owned(), attribute(own))).collect::<Map<_, _>>().into()
}

fn storage_json(storage: &Storage, datatype: &Option<Datatype>) -> Json {
    let mut out = Map::new();
    let mut add = |name: &str, value: Option<Json>| {
        if let Some(value) = value {
            out.insert(name.to_owned(), value);
        }
    };
    add("shape", storage.shape.as_ref().map(|shape| json!(shape)));
    add("size", storage.size.map(Json::from));
    add("chunk", storage.chunk.as_ref().map(|chunk| json!(chunk)));
    let filter = |filter: &asdfkit::ndl::Filter| match &filter.parameters {
        None => json!(filter.name),
        Some(parameters) => json!({filter.name.as_str(): content(parameters)}),
    };
    add("filter", storage.filter.as_ref().map(|filters| filters.iter().map(filter).collect()));
    add("endian", storage.endian.map(|endian| json!(if endian == ByteOrder::Little { "little" } else { "big" })));
    add("charset", storage.charset.as_ref().map(|charset| json!(charset)));
    let fillvalue = storage.fillvalue.as_ref().zip(datatype.as_ref());
    add("fillvalue", fillvalue.map(|(value, datatype)| value_json(value, datatype)));
    Json::Object(out)
}

fn content(given: &Content) -> Json {
    match given {
        Content::Scalar(scalar) => {
            match resolve(
                &scalar.text,
                scalar.plain,
                scalar.tag.as_ref().map(|tag| format!("tag:yaml.org,2002:{tag}")).as_deref(),
            ) {
                Core::Null => Json::Null,
                Core::Bool(truth) => json!(truth),
                Core::Integer(text) => integer(text).and_then(|number| i64::try_from(number).ok()).into(),
                Core::Float(text) => json!(float64(text)),
                Core::Text(text) => json!(text),
            }
        }
        Content::List(items) => items.iter().map(content).collect(),
        Content::Mapping(pairs) => {
            pairs.iter().map(|(name, given)| (name.to_owned(), content(given))).collect::<Map<_, _>>().into()
        }
    }
}

fn datatype_of(datatype: &Option<Datatype>) -> Json {
    datatype.as_ref().map_or(Json::Null, datatype_json)
}

fn datatype_json(datatype: &Datatype) -> Json {
    match datatype.kind() {
        DatatypeKind::Opaque { size, tag } => {
            let mut opaque = json!({"size": size});
            if let Some(tag) = tag {
                opaque["tag"] = json!(tag);
            }
            json!({"opaque": opaque})
        }
        DatatypeKind::Regref(selection) => json!({"regref": {"selection": selection.name()}}),
        DatatypeKind::Enum(enumeration) => {
            let member = |(name, &number): (&str, &i128)| {
                let number = u64::try_from(number).map(Json::from).unwrap_or_else(|_| json!(number as i64));
                (name.to_owned(), number)
            };
            let members: Map<String, Json> = enumeration.members.iter().map(member).collect();
            let mut out = json!({"base": enumeration.base.name(), "members": members});
            if enumeration.inferred {
                out["inferred"] = json!(true);
            }
            json!({"enum": out})
        }
        DatatypeKind::Compound(members) => {
            let member = |(name, member): (&str, &Datatype)| json!([name, datatype_json(member)]);
            json!({"compound": members.iter().map(member).collect::<Vec<_>>()})
        }
        DatatypeKind::Vlen(base) => json!({"vlen": {"base": datatype_json(base)}}),
        DatatypeKind::Array { base, shape } => json!({"array": {"base": datatype_json(base), "shape": shape}}),
        _ => json!(datatype.keyword()),
    }
}

fn value_json(value: &Value, datatype: &Datatype) -> Json {
    let mut next = 0;
    nested(value.shape(), &mut |index| element(value.elements(), index, datatype), &mut next)
}

/// Nested lists of this shape of what `element` makes of the positions from `next` on.
fn nested(shape: &[u64], element: &mut dyn FnMut(usize) -> Json, next: &mut usize) -> Json {
    match shape.split_first() {
        None => {
            *next += 1;
            element(*next - 1)
        }
        Some((&count, inner)) => (0..count).map(|_| nested(inner, element, next)).collect(),
    }
}

fn element(elements: &Elements, index: usize, datatype: &Datatype) -> Json {
    match (elements, datatype.kind()) {
        (Elements::Texts(texts), _) => json!(texts.get(index)),
        (Elements::Integers(numbers), _) => json!(numbers[index]),
        (Elements::Unsigned(numbers), _) => json!(numbers[index]),
        (Elements::Float32(numbers), _) => float(numbers[index].into(), &numbers[index].to_string()),
        (Elements::Float64(numbers), _) => float(numbers[index], &numbers[index].to_string()),
        (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
            json!(enumeration.members.at(positions[index] as usize).map(|(name, _)| name))
        }
        (Elements::Opaque(blobs), _) => json!(blobs.get(index).map(|blob| STANDARD.encode(blob))),
        (Elements::Objects(paths), _) => json!(paths[index]),
        (Elements::Regions(regions), _) => match &regions[index] {
            None => Json::Null,
            Some(region) => {
                let mut out = json!({"target": region.target()});
                match region.selection() {
                    Selection::Block => {
                        let blocks = (0..region.len()).filter_map(|position| region.block(position));
                        out["blocks"] = blocks.map(|(first, last)| json!([first, last])).collect();
                    }
                    Selection::Element => {
                        out["elements"] = (0..region.len()).map(|position| json!(region.element(position))).collect();
                    }
                }
                out
            }
        },
        (Elements::Compound(columns), DatatypeKind::Compound(members)) => {
            columns.iter().zip(members.iter()).map(|(column, (_, member))| element(column, index, member)).collect()
        }
        (Elements::Lists(lists), DatatypeKind::Vlen(base)) => {
            lists.range(index).into_iter().flatten().map(|inner| element(lists.base(), inner, base)).collect()
        }
        (Elements::Arrays { size, base }, DatatypeKind::Array { base: datatype, shape }) => {
            let mut next = index * *size as usize;
            nested(shape, &mut |inner| element(base, inner, datatype), &mut next)
        }
        _ => json!("the elements are not of the datatype"),
    }
}

/// A number by its shortest digits; those that JSON lacks by name.
fn float(number: f64, shortest: &str) -> Json {
    match number {
        number if number.is_nan() => json!("nan"),
        f64::INFINITY => json!("inf"),
        f64::NEG_INFINITY => json!("-inf"),
        _ => json!(shortest.parse::<f64>().unwrap_or(number)),
    }
}
