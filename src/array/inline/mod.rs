//! Inline arrays, whose elements are in the tree: shape from the nesting of lists, datatype and bytes from the values.
//!
//! The number of elements that aliases repeat is bounded.

pub(super) mod lists;
pub(super) mod number_list;
pub(super) mod record;
pub(super) mod values;

use self::lists::{Lists, nesting};
use self::record as inline_record;
use self::values::Values;
use super::Array;
use super::element::datatype::{ByteOrder, Datatype};
use super::place::descriptor::{ArraySource, DeclaredShape, Descriptor};
use super::place::geometry::Geometry;
use super::read::mask;
use super::read::mask::Missing;
use crate::error::{Error, Result, Status};
use crate::limits::{Limit, Limits};
use crate::source::zeroed_bytes;
use crate::tree::{NodeId, Tree};

/// The largest number of elements that aliases may add to the nodes of the tree. Without a limit, a short text could
/// exhaust the memory.
const MAX_REPEATED: u64 = 1 << 20;

impl Array {
    /// Makes an array from a description of inline data.
    ///
    /// Without a stated datatype, it is the first of these that an element requires: text (`ucs4`), complex128,
    /// float64, int64 (uint64 for numbers that only uint64 can represent), bool8. Without elements it is float64. A
    /// null makes the array a masked one. Byte orders in the description have no meaning.
    ///
    /// Errors are located at the faulty element or list. Fails with
    ///
    /// * [`Status::BadArray`] for lists of unequal length or another shape than stated;
    /// * [`Status::Overflow`] for numbers that the datatype cannot represent;
    /// * [`Status::Conversion`] for values of another kind;
    /// * [`Status::Limit`] for more elements than `limits.decoded_bytes` allows.
    pub(crate) fn open_inline(tree: &Tree, descriptor: &Descriptor, limits: &Limits) -> Result<Array> {
        let ArraySource::Inline(data) = descriptor.source else {
            return Err(Error::new(Status::InvalidArgument, "the elements of the array are not in the tree"));
        };
        let declared = match &descriptor.shape {
            Some(DeclaredShape::Fixed(shape)) => Some(&shape[..]),
            _ => None,
        };
        let mut warnings = descriptor.warnings.clone();
        let (shape, datatype, payload, nulls) = match &descriptor.datatype {
            Some(datatype @ Datatype::Record(_)) => {
                let shape = declared.map_or_else(|| vec![tree.items(data).len() as i64], <[i64]>::to_vec);
                // Values in the tree are text, which has no byte order. In memory they are native.
                let datatype = datatype.without_byteorder();
                let (payload, nulls) = inline_record::store(tree, data, &datatype, &shape, limits)?;
                (shape, datatype, payload, nulls)
            }
            stated => {
                let lists = Lists { tree, data, shape: nesting(tree, data, limits)?, of_lists: false };
                let shape = lists.check(declared)?;
                let values = Values::read(&lists, stated.as_ref(), limits, &mut warnings)?;
                (shape, values.datatype, values.payload, values.nulls)
            }
        };
        let nulls = nulls.map(|nulls| mask::nulls(nulls, &datatype, &shape)).transpose()?;
        let missing = Missing::new(nulls, descriptor.mask.is_some());
        let shape = DeclaredShape::Fixed(shape);
        let geometry = Geometry::new(&shape, None, 0, datatype.item_size()?, payload.length())?;
        let byteorder = ByteOrder::NATIVE;
        let decoded_bytes = limits.decoded_bytes;
        Ok(Array { datatype, byteorder, geometry, payload, missing, decoded_bytes, warnings, owner: None })
    }
}

/// Fails with [`Status::Limit`] if aliases repeat too many elements: `count` is larger than the number of nodes plus
/// [`MAX_REPEATED`].
pub(super) fn check_repeated(tree: &Tree, data: NodeId, count: u64) -> Result<()> {
    if count > tree.node_count() as u64 + MAX_REPEATED {
        let message = format!("aliases repeat more than {MAX_REPEATED} elements of an inline array");
        return Err(tree.locate(Error::new(Status::Limit, message), data));
    }
    Ok(())
}

/// Allocates memory for `count` elements of `size` bytes. Fails with [`Status::Limit`] above `limits.decoded_bytes`.
pub(super) fn room(tree: &Tree, data: NodeId, count: u64, size: u64, limits: &Limits) -> Result<Vec<u8>> {
    let total = count.checked_mul(size).filter(|&total| total <= limits.decoded_bytes);
    let most = limits.decoded_bytes;
    let total =
        total.ok_or_else(|| tree.locate(Limit::DecodedBytes.exceeded("bytes of an inline array", most), data))?;
    zeroed_bytes(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::tests::tree;
    use crate::array::{Datatype, ReadOptions, ScalarType};

    fn open(text: &str) -> Result<Array> {
        let tree = tree(text);
        let descriptor = Descriptor::parse(&tree, tree.root(), &Limits::default())?;
        Array::open_inline(&tree, &descriptor, &Limits::default())
    }

    fn read<const N: usize, T>(array: &Array, from: fn([u8; N]) -> T) -> Vec<T> {
        let mut out = vec![0; array.byte_size(array.datatype()).unwrap() as usize];
        array.read(array.datatype(), &mut out, &ReadOptions::default()).unwrap();
        out.as_chunks::<N>().0.iter().map(|&bytes| from(bytes)).collect()
    }

    #[test]
    fn datatypes_are_inferred() {
        use ScalarType::*;
        let cases: &[(&str, Datatype, &[i64])] = &[
            ("[1, -2, 3]", Int64.into(), &[3]),
            ("[1, 2.5]", Float64.into(), &[2]),
            ("[true, 2.5]", Float64.into(), &[2]),
            ("[true, false]", Bool8.into(), &[2]),
            ("[true, 2]", Int64.into(), &[2]),
            ("[a, bcd, é]", Datatype::Ucs4(3), &[3]),
            ("[1, abc]", Datatype::Ucs4(3), &[2]),
            ("[12345, abc, null]", Datatype::Ucs4(5), &[3]),
            ("[1e5]", Datatype::Ucs4(3), &[1]),
            ("[!core/complex-1.0.0 1+1j, 2]", Complex128.into(), &[2]),
            ("[.nan, .inf, -.inf, -0.0]", Float64.into(), &[4]),
            ("[]", Float64.into(), &[0]),
            ("[[], []]", Float64.into(), &[2, 0]),
            ("[9223372036854775808]", Uint64.into(), &[1]),
            ("[99999999999999999999999, 1.5]", Float64.into(), &[2]),
            ("[1, null, 3]", Int64.into(), &[3]),
            ("[null]", Bool8.into(), &[1]),
            ("[[[1], [2]], [[3], [4]], [[5], [6]]]", Int64.into(), &[3, 2, 1]),
            ("{data: [], shape: [0, 3]}", Float64.into(), &[0, 3]),
            ("{data: [[1, 2.5]], datatype: [int8, float64]}", Datatype::Record([int8(), float64()].into()), &[1]),
            ("{data: [a], datatype: [ascii, 4]}", Datatype::Ascii(4), &[1]),
            ("{data: [1], datatype: float16}", Float16.into(), &[1]),
        ];
        for (text, datatype, shape) in cases {
            let array = open(text).unwrap();
            assert_eq!((array.datatype(), array.shape()), (datatype, *shape), "{text}");
        }
        assert_eq!(open("[9223372036854775808]").unwrap().warnings().len(), 1);
        assert_eq!(open("[1, abc]").unwrap().warnings().len(), 1);
        assert_eq!(open("[1, 2]").unwrap().warnings().len(), 0);
    }

    fn int8() -> crate::array::Field {
        let datatype = ScalarType::Int8.into();
        crate::array::Field { name: None, datatype, byteorder: None, shape: Vec::new() }
    }

    fn float64() -> crate::array::Field {
        crate::array::Field { datatype: ScalarType::Float64.into(), ..int8() }
    }

    #[test]
    fn values_are_exact() {
        let array = open("[[1, -2], [9223372036854775807, true]]").unwrap();
        assert_eq!(read(&array, i64::from_ne_bytes), [1, -2, i64::MAX, 1]);
        let array = open("[18446744073709551615, 0]").unwrap();
        assert_eq!(read(&array, u64::from_ne_bytes), [u64::MAX, 0]);
        let bits = read(&open("[0.1, -0.0, .inf, 3]").unwrap(), f64::from_ne_bytes).map_bits();
        assert_eq!(bits, [0.1f64, -0.0, f64::INFINITY, 3.0].to_vec().map_bits());
        let array = open("[!core/complex-1.0.0 1-2j, 3]").unwrap();
        assert_eq!(read(&array, f64::from_ne_bytes), [1.0, -2.0, 3.0, 0.0]);
        let array = open("{data: [16777217, 0.1, true], datatype: float32}").unwrap();
        assert_eq!(read(&array, f32::from_ne_bytes), [16777216.0, 0.1, 1.0]);
        let array = open("{data: [2.0, -128, false], datatype: int8, byteorder: x, strides: [9]}").unwrap();
        assert_eq!(read(&array, i8::from_ne_bytes), [2, -128, 0]);
        let array = open("{data: [0, 2, 0.5, .nan, true], datatype: bool8}").unwrap();
        assert_eq!(read(&array, u8::from_ne_bytes), [0, 1, 1, 1, 1]);
        let array = open("{data: [0.1, 65519, -.inf], datatype: float16}").unwrap();
        assert_eq!(read(&array, u16::from_ne_bytes), [0x2E66, 0x7BFF, 0xFC00]);
        let array = open("{data: [1.5, !core/complex-1.0.0 2j], datatype: complex64}").unwrap();
        assert_eq!(read(&array, f32::from_ne_bytes), [1.5, 0.0, 0.0, 2.0]);
    }

    #[test]
    fn strings_are_padded_and_numbers_among_them_are_text() {
        let texts = |text: &str| -> Vec<String> {
            let array = open(text).unwrap();
            let one = |index| array.read_string(&[index], &ReadOptions::default()).unwrap();
            (0..array.element_count()).map(one).collect()
        };
        assert_eq!(texts("[a, bcd, é😀]"), ["a", "bcd", "é😀"]);
        assert_eq!(texts("[1, abc, true, 1.50]"), ["1", "abc", "true", "1.50"]);
        assert_eq!(texts("{data: ['', ab], datatype: [ascii, 2]}"), ["", "ab"]);
        assert_eq!(texts("{data: [a], datatype: [ucs4, 9]}"), ["a"]);
        assert_eq!(texts("{data: ['', ''], datatype: [ascii, 0]}"), ["", ""]);
        let array = open("[ab, é]").unwrap();
        assert_eq!(read(&array, u32::from_ne_bytes), [97, 98, 0xE9, 0]);
    }

    trait MapBits {
        fn map_bits(self) -> Vec<u64>;
    }

    impl MapBits for Vec<f64> {
        fn map_bits(self) -> Vec<u64> {
            self.into_iter().map(f64::to_bits).collect()
        }
    }

    #[test]
    fn invalid_elements_are_refused_at_their_location() {
        let cases = [
            ("[[1, 2], [3]]", Status::BadArray, "/1"),
            ("[1, [2]]", Status::BadArray, "/1"),
            ("[[1], 2]", Status::BadArray, "/1"),
            ("[1, {a: 1}]", Status::BadArray, "/1"),
            ("[{a: 1}]", Status::BadArray, "/0"),
            ("{data: [1, 2, 3], shape: [2]}", Status::BadArray, "/data"),
            ("{data: [5], shape: []}", Status::BadArray, "/data"),
            ("{data: 5, shape: [1]}", Status::BadArray, "/data"),
            ("{data: 5}", Status::BadArray, "/data"),
            ("{data: 5, shape: []}", Status::BadArray, "/data"),
            ("{data: [], shape: [3]}", Status::BadArray, "/data"),
            ("{data: [3, 300], datatype: uint8}", Status::Overflow, "/data/1"),
            ("{data: [[1], [-1]], datatype: uint8}", Status::Overflow, "/data/1/0"),
            ("{data: [1.5], datatype: int8}", Status::Overflow, "/data/0"),
            ("{data: [.nan], datatype: int64}", Status::Overflow, "/data/0"),
            ("{data: [1.0e+300], datatype: float32}", Status::Overflow, "/data/0"),
            ("{data: [65520], datatype: float16}", Status::Overflow, "/data/0"),
            ("{data: [1.0e+300], datatype: int64}", Status::Overflow, "/data/0"),
            ("{data: [ab, abc], datatype: [ascii, 2]}", Status::Overflow, "/data/1"),
            ("{data: [abc], datatype: [ucs4, 2]}", Status::Overflow, "/data/0"),
            ("{data: [é], datatype: [ascii, 2]}", Status::Encoding, "/data/0"),
            ("{data: [a, b], datatype: [ascii, 1000000000]}", Status::Limit, "/data"),
            ("{data: [a], datatype: int8}", Status::Conversion, "/data/0"),
            ("{data: ['1'], datatype: int8}", Status::Conversion, "/data/0"),
            ("{data: [!core/complex-1.0.0 1j], datatype: float64}", Status::Conversion, "/data/0"),
            ("[!core/complex-1.0.0 x]", Status::TagContent, "/0"),
            ("[-1, 9223372036854775808]", Status::Overflow, ""),
            ("[99999999999999999999999]", Status::Overflow, ""),
            ("&a [*a]", Status::Limit, ""),
        ];
        for (text, status, path) in cases {
            let error = open(text).unwrap_err();
            assert_eq!((error.status(), error.location().path.as_deref()), (status, Some(path)), "{text}");
        }
    }

    #[test]
    fn aliases_and_references_are_elements_and_bounded() {
        let tree = tree("{x: &x [1, 2], y: 7, a: [*x, [{$ref: '#/y'}, 3], {$ref: '#/x'}]}");
        let node = tree.lookup(tree.root(), "a").unwrap();
        let descriptor = Descriptor::parse(&tree, node, &Limits::default()).unwrap();
        let array = Array::open_inline(&tree, &descriptor, &Limits::default()).unwrap();
        assert_eq!(read(&array, i64::from_ne_bytes), [1, 2, 7, 3, 1, 2]);
        for leaf in ["1", ""] {
            let mut text = format!("\nx0: &x0 [{leaf}]\n");
            for level in 1..20 {
                let row = vec![format!("*x{}", level - 1); 10].join(", ");
                text += &format!("x{level}: &x{level} [{row}]\n");
            }
            let tree = crate::array::tests::tree(&text);
            // Ten million elements would fit the limit on memory, but exceed the limit on repeated elements.
            for (name, refused) in [("x2", false), ("x7", true), ("x19", true)] {
                let node = tree.lookup(tree.root(), name).unwrap();
                let descriptor = Descriptor::parse(&tree, node, &Limits::default()).unwrap();
                let status = Array::open_inline(&tree, &descriptor, &Limits::default()).err().map(|e| e.status());
                assert_eq!(status, refused.then_some(Status::Limit), "{name}");
            }
        }
    }

    #[test]
    fn long_lists_and_short_ones_are_read_alike() {
        let values = [
            "1",
            "-2",
            "true",
            "null",
            "0.5",
            "-1.25e+3",
            "1_000",
            "0x1F",
            "017",
            "9223372036854775808",
            "1e5",
            "word",
            "99999999999999999999999",
            ".nan",
            ".inf",
            "2020-01-02",
            "300",
            "a b",
        ];
        let mut random = crate::array::tests::Lcg(3);
        for round in 0..400 {
            // Few kinds per list, so that every datatype is inferred sometimes.
            let kinds: Vec<&str> = (0..1 + random.below(4)).map(|_| values[random.below(18) as usize]).collect();
            let items: Vec<&str> = (0..90).map(|_| kinds[random.below(kinds.len() as u64) as usize]).collect();
            let stated = ["", ", datatype: float32", ", datatype: int16", ", datatype: [ascii, 5]"][round % 4];
            let (rows, row) = (items[..70].join(", "), items[..20].join(", "));
            // A comment in a list makes its items nodes.
            for (short, long) in [
                (format!("[{rows}, # c\n 7]"), format!("[{rows},\n 7]")),
                (format!("[[{rows}, # c\n 7], [{rows}, # c\n 8]]"), format!("[[{rows}, 7], [{rows}, 8]]")),
                (format!("[[{row}, # c\n 7], [{rows}, # c\n 8]]"), format!("[[{row}, 7], [{rows}, 8]]")),
            ] {
                let told = |list: &str| {
                    let array = open(&format!("{{data: {list}{stated}}}"));
                    array.map_err(|error| (error.status(), error.message().to_owned(), error.location().path.clone()))
                };
                match (told(&short), told(&long)) {
                    (Ok(short), Ok(long)) => {
                        assert_eq!((short.datatype(), short.shape()), (long.datatype(), long.shape()));
                        assert_eq!(short.is_masked(), long.is_masked());
                        let bytes = |array: &Array| {
                            let array = array.without_mask();
                            let mut out = vec![0; array.byte_size(array.datatype()).unwrap() as usize];
                            array.read(array.datatype(), &mut out, &ReadOptions::default()).unwrap();
                            out
                        };
                        assert_eq!(bytes(&short), bytes(&long));
                    }
                    (short, long) => assert_eq!(short.map(drop), long.map(drop)),
                }
            }
        }
    }

    #[test]
    fn nulls_mask() {
        let status = |text: &str| {
            let array = open(text).unwrap();
            array.read(array.datatype(), &mut [0; 99], &ReadOptions::default()).unwrap_err().status()
        };
        assert!(open("[1, null]").unwrap().is_masked());
        assert_eq!(status("[1, null]"), Status::Masked);
        assert_eq!(status("{data: [1], mask: 1}"), Status::Masked);
    }
}
