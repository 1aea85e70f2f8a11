//! Arrays of any datatype, shape and strides: a region has the elements that the whole array has at its places, in each
//! datatype to which both are converted.
#![no_main]

use asdfkit::array::{Datatype, ReadOptions, Region, ScalarType};
use asdfkit_fuzz::asdf::{file_of, open};
use asdfkit_fuzz::input::Choices;
use asdfkit_fuzz::judge::{judge, take};
use libfuzzer_sys::fuzz_target;

const NAMES: &[&str] = &[
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "bool8",
    "[ascii, 3]",
    "[ucs4, 2]",
];
const TARGETS: &[ScalarType] = &[
    ScalarType::Int8,
    ScalarType::Uint16,
    ScalarType::Int64,
    ScalarType::Float32,
    ScalarType::Float64,
    ScalarType::Complex128,
];
/// Largest number of bytes that are read.
const LARGEST: u64 = 1 << 14;

fuzz_target!(|input: &[u8]| {
    let mut choices = Choices(input);
    let rank = choices.below(4);
    let shape: Vec<i64> = (0..rank).map(|_| choices.below(6) as i64).collect();
    let mut tree = format!("a: !core/ndarray-1.1.0\n  source: 0\n  shape: {shape:?}\n");
    tree += &format!("  datatype: {}\n", choices.of(NAMES));
    tree += &format!("  byteorder: {}\n", choices.of(&["little", "big"]));
    if choices.is_true() {
        tree += &format!("  offset: {}\n", choices.number());
    }
    if choices.is_true() {
        let strides: Vec<i64> = (0..rank).map(|_| choices.number()).collect();
        tree += &format!("  strides: {strides:?}\n");
    }
    if choices.is_true() {
        tree += &format!("  mask: {}\n", choices.number());
    }
    let mut starts = Vec::new();
    let mut counts = Vec::new();
    let mut steps = Vec::new();
    for &length in &shape {
        let start = choices.below(length.max(1) as usize) as i64;
        let step = *choices.of(&[1, 2, -1, -2, 3]);
        let most = if step > 0 { (length - start + step - 1) / step } else { start / -step + 1 };
        starts.push(start);
        steps.push(step);
        counts.push(choices.below(most.min(length).max(0) as usize + 1) as i64);
    }
    let scalar = Datatype::Scalar(*choices.of(TARGETS));
    let is_own = choices.is_true();
    let options = ReadOptions { clamp: choices.is_true(), ..ReadOptions::default() };
    let Some(root) = take(open(file_of(tree.as_bytes(), &[choices.0]))).and_then(|file| take(file.root())) else {
        return;
    };
    let Some(array) = take(root.array("a")) else { return };
    let array = array.without_mask();
    let target = if is_own { array.datatype().clone() } else { scalar };
    let Some(size) = take(array.byte_size(&target)).filter(|&size| size <= LARGEST) else { return };
    let mut whole = vec![0; size as usize];
    let read = array.read(&target, &mut whole, &options);
    let region = Region { start: &starts, count: &counts, step: Some(&steps) };
    let Some(size) = take(array.region_size(&counts, &target)).filter(|&size| size <= LARGEST) else { return };
    let mut part = vec![0; size as usize];
    let read_part = array.read_region(&region, &target, &mut part, &options);
    match (&read, &read_part) {
        (Ok(()), Ok(())) => {}
        (Ok(()), Err(error)) => panic!("the whole is read, but not a region: {error}"),
        (Err(error), _) => return judge(error),
    }
    if part.is_empty() {
        return;
    }
    let item = array.region_size(&vec![1; rank], &target).expect("the size of an element") as usize;
    let mut index = vec![0; rank];
    for element in part.chunks(item) {
        let at = (0..rank).fold(0, |at, axis| at * shape[axis] + starts[axis] + index[axis] * steps[axis]) as usize;
        assert_eq!(element, &whole[at * item..][..item], "{index:?}");
        for axis in (0..rank).rev() {
            index[axis] += 1;
            if index[axis] < counts[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
});
