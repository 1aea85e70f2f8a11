//! Chunked arrays against the same arrays in one block.

use crate::{open, read_region, write};
use asdfkit::array::{Region, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{ArrayData, ArrayOptions, WriteOptions};
use asdfkit::source::SharedBytes;
use measure::{Buffer, Job, bytes_of, field};
use std::sync::Arc;

/// Reads a tile of a compressed image.
pub fn read_tile(job: &Job) {
    let mut buffer = Buffer::new(4 << 20);
    let name = if job.chunked { "chunks" } else { "block" };
    let region = Region { start: &[9000, 5000], count: &[1024, 1024], step: None };
    job.measure(|| {
        let array = open(job).and_then(|root| root.array(name)).expect("there is an image");
        read_region(job, &array, &region, &mut buffer).expect("the tile is read")
    });
}

/// Writes an image of 256 MiB, compressed.
pub fn write_compressed(job: &Job) {
    let bytes: SharedBytes = Arc::new(bytes_of(&field(1 << 26)).to_vec());
    let compression = Compression::new(Codec::Zlib, Some(1)).expect("zlib has this level");
    let chunks = job.chunked.then(|| vec![512, 512]);
    let array = ArrayOptions { compression: Some(compression), chunks, ..ArrayOptions::default() };
    let options = WriteOptions { durable: false, threads: job.threads, ..WriteOptions::default() };
    write(job, &options, |root| {
        let data = ArrayData::new(ScalarType::Float32, &[8192, 8192], bytes.clone());
        root.set_array_data("data", &data, &array)
    });
}

/// Opens a file with a million chunks, and looks up its array.
pub fn open_many(job: &Job) {
    job.measure(|| {
        let array = open(job).and_then(|root| root.array("data")).expect("there is an array");
        array.shape().iter().product::<i64>() as f64
    });
}
