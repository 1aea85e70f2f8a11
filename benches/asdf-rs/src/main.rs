//! The crate asdf-rs in the comparison: one workload, measured in this process.
//!
//! If there are several ways to read the same bytes, this uses the fastest one in its documentation.

use asdf::{AsdfBuilder, AsdfFile, ChecksumStatus, Compression, Result, Source};
use measure::{Buffer, Job, bytes_of, check_of, field};
use std::path::Path;

fn main() {
    let job = Job::from_arguments();
    match job.workload.as_str() {
        "w1" | "w5-float32" => job.measure(|| {
            let file = AsdfFile::open(&job.input).expect("the input opens");
            check_of(bytes_of(&file.read_array_of::<f32>("data").expect("the array is read")))
        }),
        "w1-touch" => job.measure(|| touch(&job.input).expect("the element is there")),
        "w2" => job.measure(|| {
            let file = AsdfFile::open(&job.input).expect("the input opens");
            check_of(double_bytes(&file.read_array_of::<f64>("data").expect("the array is read")))
        }),
        "w10" => job.measure(|| {
            let file = AsdfFile::open(&job.input).expect("the input opens");
            check_of(double_bytes(&file.read_array_f64_at("data").expect("the array is read")))
        }),
        "w5-deflate" => encode(&job, Compression::Zlib),
        "w5-lz4-encode" => encode(&job, Compression::Lz4),
        "w5-bzp2-encode" => encode(&job, Compression::Bzp2),
        "w6-verify" => job.measure(|| {
            let file = AsdfFile::open(&job.input).expect("the input opens");
            assert_eq!(file.verify_block(0).expect("the block is read"), ChecksumStatus::Valid);
            check_of(bytes_of(&file.read_array_of::<f32>("data").expect("the array is read")))
        }),
        "w6-write" => {
            let values = field(1 << 28);
            write(&job, |builder| builder.set_array_shaped("data", &values, &[16384, 16384]));
        }
        // Read the block directly, which avoids the conversion from bytes to numbers.
        "w5-int16" | "w5-lz4" | "w5-bzp2" => job.measure(|| {
            let file = AsdfFile::open(&job.input).expect("the input opens");
            check_of(&file.block_data(0).expect("the block is read"))
        }),
        "w7-all" => {
            let mut buffer = Buffer::new(10_000 * 1024);
            job.measure(|| read_list(&job.input, &mut buffer).expect("the arrays are read"));
        }
        "w7-last" => job.measure(|| {
            let file = AsdfFile::open(&job.input).expect("the input opens");
            check_of(bytes_of(&file.read_array_of::<f32>("last").expect("the array is read")))
        }),
        "w8-tree" => job.measure(|| look_up(&job.input).expect("the values are found")),
        "w8-small" => job.measure(|| small(&job.input).expect("the value is found")),
        "w9-many" => {
            let values = field(640_000);
            write(&job, |builder| {
                let arrays = values.chunks_exact(64).enumerate();
                arrays.map(|(index, piece)| builder.set_array(&format!("arrays/a{index:05}"), piece)).collect()
            });
        }
        other => panic!("no workload {other}"),
    }
}

fn read_list(path: &Path, out: &mut [u8]) -> Result<f64> {
    let file = AsdfFile::open(path)?;
    let tree = file.tree()?.expect("there is a tree");
    let list = tree.get("arrays").expect("there is a list");
    for (item, piece) in list.items().zip(out.chunks_exact_mut(1024)) {
        let array = item.as_ndarray().expect("the item is an array");
        let Source::Block(index) = array.source else { panic!("the array is in a block") };
        piece.copy_from_slice(&file.block_data(index)?);
    }
    Ok(check_of(out))
}

fn look_up(path: &Path) -> Result<f64> {
    let tree = AsdfFile::open(path)?.tree()?.expect("there is a tree");
    let value = |number: usize| tree.get(&format!("groups/group_{:04}/{}", 200 * number + 7, measure::KEY));
    Ok((0..10).map(|number| value(number).and_then(|value| value.as_f64()).expect("the value is a number")).sum())
}

fn small(path: &Path) -> Result<f64> {
    let tree = AsdfFile::open(path)?.tree()?.expect("there is a tree");
    let value = tree.get("roman/meta/exposure/exposure_time");
    Ok(value.and_then(|value| value.as_f64()).expect("the value is a number"))
}

/// Reads the middle element from the mapped block.
fn touch(path: &Path) -> Result<f64> {
    let file = AsdfFile::open(path)?;
    let array = file.tree()?.and_then(|tree| tree.get("data")?.as_ndarray()).expect("there is an array");
    let Source::Block(index) = array.source else { panic!("the array is in a block") };
    let block = file.block_data(index)?;
    Ok(f32::from_le_bytes(*block[4 * 8192 * 16385..].first_chunk().expect("the block holds the element")).into())
}

fn double_bytes(values: &[f64]) -> &[u8] {
    // SAFETY: any eight bytes of a float are valid bytes, and u8 has no alignment.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Writes the image of the input, compressed.
fn encode(job: &Job, compression: Compression) {
    let image = AsdfFile::open(&job.input).and_then(|file| file.read_array_of::<i16>("data")).expect("it is read");
    write(job, |builder| {
        *builder = std::mem::take(builder).with_compression(compression);
        builder.set_array_shaped("data", &image, &[4096, 8192])
    });
}

fn write(job: &Job, fill: impl Fn(&mut AsdfBuilder) -> Result<()>) {
    let remove = || drop(std::fs::remove_file(&job.output));
    job.measure_after(remove, || {
        let mut builder = AsdfBuilder::new();
        fill(&mut builder).expect("the arrays are taken");
        builder.write_to_path(&job.output).expect("the file is written");
        0.0
    });
}
