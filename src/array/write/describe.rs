//! Description of arrays in the caller's memory as ndarray nodes.
//!
//! The caller writes the bytes of stored arrays and sets the node's tag.

use super::in_memory::{InMemory, fortran_strides};
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::element::scalar_type::ScalarType;
use crate::array::element::text::{Encoding, text_of};
use crate::array::place::descriptor::{DeclaredShape, Descriptor};
use crate::array::place::destination::Order;
use crate::array::place::geometry::check_elements;
use crate::array::place::geometry::element_count;
use crate::array::read::fields::{for_each_leaf, in_record, records};
use crate::error::{Error, Result, Status};
use crate::float::{self, Float16};
use crate::limits::Limits;
use crate::tags::{self, FULL_COMPLEX, StandardVersion, standard_tag};
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Style, Tree, complex};

/// Returns the tag of an array of this datatype. Fails with [`Status::Unsupported`] if the standard does not have the
/// datatype.
pub(crate) fn array_tag(datatype: &Datatype, standard: StandardVersion) -> Result<String> {
    let tag = standard_tag(tags::NDARRAY, standard)?;
    if datatype.holds(ScalarType::Float16) && tag.ends_with("-1.0.0") {
        let message = format!("float16 is not part of standard {}", standard.as_str());
        return Err(Error::new(Status::Unsupported, message));
    }
    Ok(tag)
}

/// Turns a node into the description of an array. Its elements are packed in these orders in the block `source`.
pub(crate) fn describe_stored(
    tree: &mut Tree,
    node: NodeId,
    source: i64,
    datatype: &Datatype,
    orders: (&Order, ByteOrder),
    shape: &[i64],
) -> Result<()> {
    let (order, byteorder) = orders;
    let (count, item_size) = (element_count(shape)?, datatype.item_size()? as i64);
    let strides = match order {
        // With at most one dimension longer than 1, or without bytes, both orders are the same.
        Order::Fortran if count > 0 && item_size > 0 && shape.iter().filter(|&&extent| extent > 1).count() > 1 => {
            Some(fortran_strides(shape, count, item_size)?)
        }
        _ => None,
    };
    tree.replace(node, Content::Mapping(Style::Block));
    tree.append_pair(node, "source", Content::Scalar(&source.to_string(), Style::Plain));
    datatype.append_pair(tree, node, "datatype");
    tree.append_pair(node, "byteorder", Content::Scalar(byteorder.name(), Style::Plain));
    append_numbers(tree, node, "shape", shape);
    if let Some(strides) = strides {
        append_numbers(tree, node, "strides", &strides);
    }
    Ok(())
}

/// Adds the offset and the strides to the description of each array in a block, which readers of the standard infer.
/// An array whose number of rows is open gets no strides.
pub(crate) fn describe_fully(tree: &mut Tree, limits: &Limits) -> Result<()> {
    let is_stored = |&node: &NodeId| tree.kind(node) == Kind::Mapping && tree.find_token(node, "source").is_some();
    let arrays: Vec<NodeId> =
        tree.live_nodes().filter(|&node| tree.is_tagged(node, tags::NDARRAY)).filter(is_stored).collect();
    for node in arrays {
        let Descriptor { shape, datatype, .. } = Descriptor::parse(tree, node, limits)?;
        if tree.find_token(node, "offset").is_none() {
            tree.append_pair(node, "offset", Content::Scalar("0", Style::Plain));
        }
        let (Some(DeclaredShape::Fixed(shape)), Some(datatype)) = (shape, datatype) else { continue };
        if tree.find_token(node, "strides").is_none() {
            let mut stride = datatype.item_size()? as i64;
            let mut strides = vec![0; shape.len()];
            for (place, &extent) in strides.iter_mut().zip(&shape).rev() {
                *place = stride;
                stride = stride.saturating_mul(extent.max(1));
            }
            append_numbers(tree, node, "strides", &strides);
        }
    }
    Ok(())
}

/// Replaces the number of rows in a description by `'*'`: the length of the block then gives the number. Leaves the
/// description unchanged without dimensions, with strides, or if a row has no bytes.
pub(crate) fn leave_rows_open(tree: &mut Tree, node: NodeId, datatype: &Datatype, shape: &[i64]) -> Result<()> {
    let Some((_, row)) = shape.split_first() else { return Ok(()) };
    if tree.find_token(node, "strides").is_some() || element_count(row)? == 0 || datatype.item_size()? == 0 {
        return Ok(());
    }
    let rows = tree.lookup(node, "shape/0")?;
    tree.replace(rows, Content::Scalar("*", Style::SingleQuoted));
    Ok(())
}

/// Sets the number of rows in the description of a stored array; `None` writes `'*'`, the number given by the length of
/// the block.
pub(crate) fn describe_rows(tree: &mut Tree, node: NodeId, rows: Option<i64>) -> Result<()> {
    let first = tree.find_token(node, "shape").and_then(|shape| tree.items(shape).first().copied());
    let first = first.ok_or_else(|| Error::new(Status::Internal, "the array has no rows"))?;
    match rows {
        Some(rows) => tree.replace(first, Content::Scalar(&rows.to_string(), Style::Plain)),
        None => tree.replace(first, Content::Scalar("*", Style::SingleQuoted)),
    }
    Ok(())
}

/// Fails with [`Status::Encoding`] unless all strings in memory are valid ASCII or UTF-32, as the datatype says.
pub(crate) fn check_text_in(memory: &InMemory, datatype: &Datatype, bytes: &[u8]) -> Result<()> {
    if !datatype.holds_text() {
        return Ok(());
    }
    memory.native().for_each_piece(bytes, ByteOrder::NATIVE, &mut |elements| check_text(datatype, elements))
}

/// Like [`check_text_in`], for packed native elements.
pub(super) fn check_text(datatype: &Datatype, elements: &[u8]) -> Result<()> {
    let mut text = String::new();
    for_each_leaf(datatype, elements, &mut |leaf, bytes| {
        let Some(encoding) = Encoding::of(leaf) else { return Ok(()) };
        for element in records(leaf, bytes)? {
            let decoded = encoding.decode(element, &mut text);
            decoded.map_err(|(status, what)| Error::new(status, format!("a string {what}")))?;
        }
        Ok(())
    })
}

/// Fails with [`Status::InvalidArgument`] for a single element (rank 0), and with [`Status::Limit`] for more elements
/// than the limit on nodes of a tree allows.
pub(crate) fn check_inline(datatype: &Datatype, shape: &[i64], count: i64) -> Result<()> {
    if shape.is_empty() {
        let message = "a single element cannot be written inline; store it in a block";
        return Err(Error::new(Status::InvalidArgument, message));
    }
    // An element needs at most one list per dimension.
    let most = Limits::default().nodes / shape.len() as u64;
    if (count as u64).saturating_mul(datatype.leaf_count()) > most {
        return Err(Error::limit("the elements of an inline array", most));
    }
    Ok(())
}

/// Turns a node into an inline array. `bytes` holds the elements, packed in C order and native.
///
/// Fails as [`check_inline`] does. Also fails with
///
/// * [`Status::InvalidArgument`] if the number of bytes is not the size of the elements;
/// * [`Status::ValueRange`] for integers above `i64::MAX`, which readers do not expect in a tree;
/// * [`Status::Encoding`] for invalid strings.
///
/// After a failure the tree is unchanged.
pub(crate) fn describe_inline(
    tree: &mut Tree,
    node: NodeId,
    datatype: &Datatype,
    shape: &[i64],
    bytes: &[u8],
) -> Result<()> {
    let count = check_elements(datatype, shape, bytes.len())?;
    check_inline(datatype, shape, count)?;
    if datatype.holds_text() {
        check_text(datatype, bytes)?;
    }
    if datatype.holds(ScalarType::Uint64) {
        for_each_leaf(datatype, bytes, &mut |leaf, bytes| match leaf {
            Datatype::Scalar(ScalarType::Uint64) => check_integers(bytes),
            _ => Ok(()),
        })?;
    }

    tree.replace(node, Content::Mapping(Style::Block));
    // Without elements, the outer dimensions could still produce many empty lists; write a single empty list.
    let shown = if count == 0 { &[0] } else { shape };
    let flow = matches!(datatype, Datatype::Scalar(_) | Datatype::Ascii(_) | Datatype::Ucs4(_));
    let style = |level: usize| if flow && level + 1 == shown.len() { Style::Flow } else { Style::Block };
    let data = tree.append_pair(node, "data", Content::Sequence(style(0)));
    append_elements(tree, data, datatype, shown, bytes, &style)?;
    datatype.without_byteorder().append_pair(tree, node, "datatype");
    append_numbers(tree, node, "shape", shape);
    Ok(())
}

/// Fails with [`Status::ValueRange`] if a native uint64 is above `i64::MAX`.
fn check_integers(bytes: &[u8]) -> Result<()> {
    let too_large = bytes.as_chunks().0.iter().map(|&bytes| u64::from_ne_bytes(bytes)).find(|&value| value >> 63 != 0);
    too_large.map_or(Ok(()), |value| {
        let message = format!(
            "{value} is too large for an inline array, where the limit is 2^63 - 1; store the array in a block"
        );
        Err(Error::new(Status::ValueRange, message))
    })
}

/// Appends elements to the outermost list of their nested lists. `style` gives the style of the lists at each level.
/// Without elements, the lists above the first extent of 0 are written.
fn append_elements(
    tree: &mut Tree,
    list: NodeId,
    datatype: &Datatype,
    shape: &[i64],
    bytes: &[u8],
    style: &dyn Fn(usize) -> Style,
) -> Result<()> {
    let is_empty = shape.contains(&0);
    let shape: Vec<i64> = shape.iter().copied().take_while(|&count| count != 0).collect();
    let Some(outer) = shape.len().checked_sub(1) else { return Ok(()) };
    // Elements of size 0 are counted by the shape.
    let size = datatype.item_size()? as usize;
    let mut lists = vec![list; shape.len()];
    for number in 0..element_count(&shape)? as usize {
        let mut inside: usize = shape.iter().skip(1).map(|&count| count as usize).product();
        for level in 1..shape.len() {
            if number % inside == 0 {
                lists[level] = tree.append_item(lists[level - 1], Content::Sequence(style(level)));
            }
            inside /= shape[level] as usize;
        }
        if is_empty {
            tree.append_item(lists[outer], Content::Sequence(style(shape.len())));
            continue;
        }
        let element = bytes.get(number * size..).and_then(|rest| rest.get(..size)).unwrap_or_default();
        append_element(tree, lists[outer], datatype, element)?;
    }
    Ok(())
}

fn append_element(tree: &mut Tree, list: NodeId, datatype: &Datatype, element: &[u8]) -> Result<()> {
    match datatype {
        Datatype::Scalar(scalar) => {
            let mut text = String::new();
            write_element(&mut text, *scalar, element);
            let item = tree.append_item(list, Content::Scalar(&text, Style::Plain));
            if matches!(scalar, ScalarType::Complex64 | ScalarType::Complex128) {
                tree.set_tag(item, Some(FULL_COMPLEX));
            }
        }
        Datatype::Ascii(_) | Datatype::Ucs4(_) => {
            tree.append_item(list, Content::Scalar(&text_of(datatype, element)?, Style::Automatic));
        }
        Datatype::Record(fields) => {
            let record = tree.append_item(list, Content::Sequence(Style::Flow));
            for (field, bytes) in in_record(fields, element)? {
                if field.shape.is_empty() {
                    append_element(tree, record, &field.datatype, bytes)?;
                } else {
                    let nest = tree.append_item(record, Content::Sequence(Style::Flow));
                    append_elements(tree, nest, &field.datatype, &field.shape, bytes, &|_| Style::Flow)?;
                }
            }
        }
    }
    Ok(())
}

fn append_numbers(tree: &mut Tree, node: NodeId, key: &str, numbers: &[i64]) {
    let list = tree.append_pair(node, key, Content::Sequence(Style::Flow));
    for number in numbers {
        tree.append_item(list, Content::Scalar(&number.to_string(), Style::Plain));
    }
}

/// Writes one native element in the form of a tree scalar.
fn write_element(out: &mut String, scalar: ScalarType, element: &[u8]) {
    use ScalarType as S;
    // The caller passes elements of the right size.
    fn part<const N: usize>(element: &[u8], part: usize) -> [u8; N] {
        element.as_chunks().0.get(part).copied().unwrap_or([0; N])
    }
    let float32 = |index| f32::from_ne_bytes(part(element, index));
    let float64 = |index| f64::from_ne_bytes(part(element, index));
    let integer: i64 = match scalar {
        S::Int8 => i8::from_ne_bytes(part(element, 0)).into(),
        S::Int16 => i16::from_ne_bytes(part(element, 0)).into(),
        S::Int32 => i32::from_ne_bytes(part(element, 0)).into(),
        S::Int64 | S::Uint64 => i64::from_ne_bytes(part(element, 0)),
        S::Uint8 => u8::from_ne_bytes(part(element, 0)).into(),
        S::Uint16 => u16::from_ne_bytes(part(element, 0)).into(),
        S::Uint32 => u32::from_ne_bytes(part(element, 0)).into(),
        S::Float16 => return write_float16(out, Float16::from_ne_bytes(part(element, 0))),
        S::Float32 => return float::Notation::YAML.write(out, float32(0)),
        S::Float64 => return float::Notation::YAML.write(out, float64(0)),
        S::Complex64 => return out.push_str(&complex::shortest(float32(0), float32(1))),
        S::Complex128 => return out.push_str(&complex::shortest(float64(0), float64(1))),
        S::Bool8 => return out.push_str(if element.iter().any(|&byte| byte != 0) { "true" } else { "false" }),
    };
    out.push_str(&integer.to_string());
}

/// Writes a binary16 number. Integral values get all digits, for readers that parse them as a wider type.
fn write_float16(out: &mut String, number: Float16) {
    let wide = number.to_f32();
    if wide.fract() == 0.0 {
        float::Notation::YAML.write(out, wide);
    } else {
        float::Notation::YAML.write(out, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::tests::Lcg;
    use crate::array::{Array, ArraySource, Descriptor, ReadOptions};

    fn write(scalar: ScalarType, shape: &[i64], bytes: &[u8]) -> Result<Tree> {
        let mut tree = Tree::new();
        let node = tree.place(tree.root(), "a")?;
        describe_inline(&mut tree, node, &scalar.into(), shape, bytes)?;
        Ok(tree)
    }

    #[test]
    fn inline_elements_read_back_bit_by_bit() {
        let mut random = Lcg(3);
        for &scalar in ScalarType::ALL {
            for shape in [&[7][..], &[0], &[3, 2], &[2, 1, 3], &[2, 0], &[0, 4]] {
                let count = shape.iter().product::<i64>() as usize;
                let mut bytes = random.bytes(count * scalar.size());
                match scalar {
                    ScalarType::Bool8 => bytes.iter_mut().for_each(|byte| *byte %= 2),
                    ScalarType::Uint64 => bytes.chunks_exact_mut(8).for_each(|item| {
                        let value = u64::from_ne_bytes(item.try_into().unwrap()) >> 1;
                        item.copy_from_slice(&value.to_ne_bytes());
                    }),
                    // A tree does not keep the payload of a NaN.
                    ScalarType::Float16 => bytes.chunks_exact_mut(2).for_each(|item| {
                        if u16::from_ne_bytes(item.try_into().unwrap()) & 0x7C00 == 0x7C00 {
                            item.fill(0);
                        }
                    }),
                    ScalarType::Float64 | ScalarType::Complex128 => bytes.chunks_exact_mut(8).for_each(|item| {
                        if f64::from_ne_bytes(item.try_into().unwrap()).is_nan() {
                            item.fill(0);
                        }
                    }),
                    ScalarType::Float32 | ScalarType::Complex64 => bytes.chunks_exact_mut(4).for_each(|item| {
                        if f32::from_ne_bytes(item.try_into().unwrap()).is_nan() {
                            item.fill(0);
                        }
                    }),
                    _ => {}
                }
                let tree = write(scalar, shape, &bytes).unwrap();
                let node = tree.lookup(tree.root(), "a").unwrap();
                let descriptor = Descriptor::parse(&tree, node, &Limits::default()).unwrap();
                let array = Array::open_inline(&tree, &descriptor, &Limits::default()).unwrap();
                assert_eq!((array.shape(), array.datatype()), (shape, &scalar.into()));
                let mut found = vec![0; bytes.len()];
                array.read(&scalar.into(), &mut found, &ReadOptions::default()).unwrap();
                assert_eq!(found, bytes, "{scalar} {shape:?}");
            }
        }
    }

    #[test]
    fn texts_are_the_shortest_that_every_reader_reads_correctly() {
        let text = |scalar, bytes: &[u8]| {
            let tree = write(scalar, &[1], bytes).unwrap();
            let node = tree.lookup(tree.root(), "a/data/0").unwrap();
            (tree.text(node).to_owned(), tree.tag(node).map(str::to_owned))
        };
        assert_eq!(text(ScalarType::Float32, &0.1f32.to_ne_bytes()).0, "0.1");
        assert_eq!(text(ScalarType::Float16, &0x2E66u16.to_ne_bytes()).0, "0.1");
        assert_eq!(text(ScalarType::Float16, &0x7BFFu16.to_ne_bytes()).0, "65504.0");
        assert_eq!(text(ScalarType::Float16, &0xFC00u16.to_ne_bytes()).0, "-.inf");
        assert_eq!(text(ScalarType::Float64, &3f64.to_ne_bytes()).0, "3.0");
        assert_eq!(text(ScalarType::Float64, &f64::NEG_INFINITY.to_ne_bytes()).0, "-.inf");
        assert_eq!(text(ScalarType::Bool8, &[1]).0, "true");
        let (complex, tag) = text(ScalarType::Complex64, &[1.5f32.to_ne_bytes(), (-0.1f32).to_ne_bytes()].concat());
        assert_eq!((&*complex, tag.as_deref()), ("1.5-0.1i", Some(FULL_COMPLEX)));
    }

    #[test]
    fn nested_lists_end_in_flow_style() {
        let tree = write(ScalarType::Int8, &[2, 2, 1], &[1, 2, 3, 4]).unwrap();
        let style = |path: &str| tree.style(tree.lookup(tree.root(), path).unwrap());
        assert_eq!(
            [style("a/data"), style("a/data/1"), style("a/data/1/0")],
            [Style::Block, Style::Block, Style::Flow]
        );
        assert_eq!(tree.text(tree.lookup(tree.root(), "a/data/1/0/0").unwrap()), "3");
    }

    #[test]
    fn failures_leave_the_tree_unchanged() {
        let status = |scalar, shape: &[i64], bytes: &[u8]| write(scalar, shape, bytes).unwrap_err().status();
        assert_eq!(status(ScalarType::Int8, &[], &[1]), Status::InvalidArgument);
        assert_eq!(status(ScalarType::Int8, &[2], &[1]), Status::InvalidArgument);
        assert_eq!(status(ScalarType::Int8, &[-1], &[]), Status::InvalidArgument);
        assert_eq!(status(ScalarType::Uint64, &[1], &[255; 8]), Status::ValueRange);
        let mut tree = Tree::new();
        let node = tree.place(tree.root(), "a").unwrap();
        assert!(describe_inline(&mut tree, node, &ScalarType::Uint64.into(), &[1], &[255; 8]).is_err());
        assert_eq!(tree.text(node), "null");
    }

    #[test]
    fn stored_descriptions_read_back() {
        let mut tree = Tree::new();
        let node = tree.place(tree.root(), "a").unwrap();
        let mut describe = |order, shape: &[i64]| {
            let orders = (&order, ByteOrder::NATIVE);
            describe_stored(&mut tree, node, -1, &Datatype::Ucs4(3), orders, shape).unwrap();
            Descriptor::parse(&tree, node, &Limits::default()).unwrap()
        };
        let descriptor = describe(Order::C, &[4, 0]);
        assert_eq!(descriptor.source, ArraySource::Block(-1));
        assert_eq!((descriptor.datatype, descriptor.byteorder), (Some(Datatype::Ucs4(3)), ByteOrder::NATIVE));
        let mut strides = |order, shape: &[i64]| describe(order, shape).strides;
        assert_eq!(strides(Order::C, &[4, 2]), None);
        assert_eq!(strides(Order::Fortran, &[4, 2]), Some(vec![12, 48]));
        assert_eq!(strides(Order::Fortran, &[4, 3, 2]), Some(vec![12, 48, 144]));
        for same in [&[][..], &[4], &[1, 4, 1], &[4, 0]] {
            assert_eq!(strides(Order::Fortran, same), None, "{same:?}");
        }
        let node = tree.root();
        describe_stored(&mut tree, node, -1, &Datatype::Ascii(0), (&Order::Fortran, ByteOrder::NATIVE), &[4, 2])
            .unwrap();
        assert_eq!(Descriptor::parse(&tree, node, &Limits::default()).unwrap().strides, None);
    }
}
