//! asdfkit in the comparison: one workload, measured in this process.

mod chunks;
mod descriptions;
mod tables;
mod world;

use asdfkit::Result;
use asdfkit::array::{Array, Datatype, Order, ReadOptions, Region, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{ArrayData, ArrayOptions, File, NewOptions, Node, OpenOptions, WriteOptions};
use asdfkit::source::SharedBytes;
use measure::{Buffer, Job, bytes_of, check_of, field, tiles};
use std::sync::Arc;

fn main() {
    let job = Job::from_arguments();
    match job.workload.as_str() {
        "w1-touch" => job.measure(|| touch(&job).expect("the element is there")),
        "w1-element" => job.measure(|| read_element(&job).expect("the element is read")),
        "w1" => read_whole(&job, ScalarType::Float32, 1 << 30),
        "w2" => read_whole(&job, ScalarType::Float64, 1 << 30),
        "w3" => read_whole(&job, ScalarType::Float64, 2 << 30),
        "w4-tile" => {
            let mut buffer = Buffer::new(4 << 20);
            job.measure(|| read_tiles(&job, &mut buffer).expect("the tiles are read"));
        }
        "w4-strip" => {
            let mut buffer = Buffer::new(1 << 20);
            let region = Region { start: &[0, 8000], count: &[16384, 16], step: None };
            job.measure(|| {
                let array = open(&job).and_then(|root| root.array("data")).expect("there is an array");
                read_region(&job, &array, &region, &mut buffer).expect("the strip is read")
            });
        }
        "w5-int16" | "w5-lz4" => read_whole(&job, ScalarType::Int16, 256 << 20),
        "w5-float32" => read_whole(&job, ScalarType::Float32, 64 << 20),
        "w5-bzp2" => read_whole(&job, ScalarType::Int16, 64 << 20),
        "w5-deflate" => encode(&job, Codec::Zlib),
        "w5-lz4-encode" => encode(&job, Codec::Lz4),
        "w5-bzp2-encode" => encode(&job, Codec::Bzp2),
        "w6-verify" => {
            let mut buffer = Buffer::new(1 << 30);
            let options = OpenOptions { verify_checksums: true, ..OpenOptions::default() };
            job.measure(|| {
                let root = File::open_with(&job.input, &options).and_then(|file| file.root()).expect("the input opens");
                read_array(&job, &root, "data", ScalarType::Float32, &mut buffer).expect("the array is read")
            });
        }
        "w6-blocks" => job.measure(|| {
            let file = File::open(&job.input).expect("the input opens");
            let found = file.verify_on_threads(job.threads).expect("the blocks are read");
            assert_eq!(found.absent, 0, "all blocks have a checksum");
            found.stored as f64
        }),
        "w6-write" => write_large(&job, true),
        "w7-all" => read_many(&job, 10_000, 1024),
        "w7-last" => {
            let mut buffer = Buffer::new(1024);
            job.measure(|| {
                let root = open(&job).expect("the input opens");
                read_array(&job, &root, "last", ScalarType::Float32, &mut buffer).expect("the array is read")
            });
        }
        "w8-tree" => job.measure(|| look_up(&job).expect("the values are found")),
        "w8-small" => job.measure(|| small(&job).expect("the value is found")),
        "w9-large" => write_large(&job, false),
        "w9-many" => write_many(&job, 10_000),
        "w9-stream" => stream(&job),
        "w11" => change(&job),
        "w12" => grow(&job),
        "w13-tile" => chunks::read_tile(&job),
        "w13-write" => chunks::write_compressed(&job),
        "w13-open" => chunks::open_many(&job),
        "w10" => read_whole(&job, ScalarType::Float64, 8_000_000),
        "table" => tables::read_table(&job),
        "table-batches" => tables::read_batches(&job),
        "table-index" => tables::index(&job),
        "table-write" => tables::write_table(&job),
        "wcs-forward" => world::forward(&job),
        "wcs-back" => world::back(&job, 4096),
        "wcs-numerical" => world::back(&job, 32),
        "wcs-pixel" => world::pixel(&job),
        "wcs-build" => world::build(&job),
        "ndl-read" => descriptions::read_text(&job),
        "ndl-write" => descriptions::write_text(&job),
        "ndl-compare" => descriptions::compare(&job),
        "ndl-describe" => descriptions::describe_file(&job),
        "ndl-create" => descriptions::create_file(&job),
        "scaling-read" => read_whole(&job, ScalarType::Float32, job.amount),
        "scaling-read-many" => read_many(&job, job.amount, 256),
        "scaling-tree" => job.measure(|| {
            let path = format!("groups/group_0000/{}", measure::KEY);
            open(&job).and_then(|root| root.f64(&path)).expect("the value is found")
        }),
        "scaling-write" => {
            let count = job.amount / 4;
            let values: SharedBytes = Arc::new(Borrowed(field(count)));
            let options = WriteOptions { checksums: false, durable: false, ..WriteOptions::default() };
            write(&job, &options, |root| set(root, "data", &[count as i64], values.clone()));
        }
        "scaling-write-many" => write_many(&job, job.amount),
        other => panic!("no workload {other}"),
    }
}

fn open(job: &Job) -> Result<Node> {
    File::open_with(&job.input, &OpenOptions { mapped: job.mapped, ..OpenOptions::default() })?.root()
}

fn reading(job: &Job) -> ReadOptions {
    ReadOptions { threads: job.threads, ..ReadOptions::default() }
}

fn read_whole(job: &Job, scalar: ScalarType, size: usize) {
    let mut buffer = Buffer::new(size);
    job.measure(|| {
        let root = open(job).expect("the input opens");
        read_array(job, &root, "data", scalar, &mut buffer).expect("the array is read")
    });
}

fn read_array(job: &Job, root: &Node, name: &str, scalar: ScalarType, out: &mut [u8]) -> Result<f64> {
    root.array(name)?.read(&scalar.into(), out, &reading(job))?;
    Ok(check_of(out))
}

/// Reads the middle element through a view.
fn touch(job: &Job) -> Result<f64> {
    let view = open(job)?.array("data")?.view(&ScalarType::Float32.into())?;
    let middle = 8192 * (view.strides()[0] + view.strides()[1]) as usize;
    let element = view.bytes()[middle..].first_chunk().expect("the view holds the element");
    Ok(f32::from_le_bytes(*element).into())
}

/// Reads the middle element.
fn read_element(job: &Job) -> Result<f64> {
    let mut element = [0; 4];
    let region = Region { start: &[8192, 8192], count: &[1, 1], step: None };
    open(job)?.array("data")?.read_region(&region, &ScalarType::Float32.into(), &mut element, &reading(job))?;
    Ok(f32::from_ne_bytes(element).into())
}

fn read_tiles(job: &Job, out: &mut [u8]) -> Result<f64> {
    let array = open(job)?.array("data")?;
    tiles()
        .map(|start| read_region(job, &array, &Region { start: &start, count: &[1024, 1024], step: None }, out))
        .sum()
}

fn read_region(job: &Job, array: &Array, region: &Region, out: &mut [u8]) -> Result<f64> {
    array.read_region(region, &ScalarType::Float32.into(), out, &reading(job))?;
    Ok(check_of(out))
}

fn read_many(job: &Job, count: usize, size: usize) {
    let mut buffer = Buffer::new(count * size);
    job.measure(|| read_list(job, &mut buffer, size).expect("the arrays are read"));
}

fn read_list(job: &Job, out: &mut [u8], size: usize) -> Result<f64> {
    let list = open(job)?.at("arrays")?;
    let (float32, options) = (Datatype::from(ScalarType::Float32), ReadOptions::default());
    for (index, piece) in out.chunks_exact_mut(size).enumerate() {
        list.item("", index)?.array("")?.read(&float32, piece, &options)?;
    }
    Ok(check_of(out))
}

fn look_up(job: &Job) -> Result<f64> {
    let root = open(job)?;
    (0..10).map(|number| root.f64(&format!("groups/group_{:04}/{}", 200 * number + 7, measure::KEY))).sum()
}

fn small(job: &Job) -> Result<f64> {
    open(job)?.f64("roman/meta/exposure/exposure_time")
}

/// Numbers that the library writes without a copy.
struct Borrowed(Vec<f32>);

impl AsRef<[u8]> for Borrowed {
    fn as_ref(&self) -> &[u8] {
        bytes_of(&self.0)
    }
}

fn set(root: &Node, path: &str, shape: &[i64], bytes: SharedBytes) -> Result<()> {
    root.set_array_data(path, &ArrayData::new(ScalarType::Float32, shape, bytes), &ArrayOptions::default())
}

fn write_large(job: &Job, checksums: bool) {
    let values: SharedBytes = Arc::new(Borrowed(field(1 << 28)));
    let options = WriteOptions { checksums, durable: job.synced, threads: job.threads, ..WriteOptions::default() };
    write(job, &options, |root| set(root, "data", &[16384, 16384], values.clone()));
}

fn write_many(job: &Job, count: usize) {
    let values = field(64 * count);
    let options = WriteOptions { durable: job.synced, ..WriteOptions::default() };
    write(job, &options, |root| {
        let mut arrays = values.chunks_exact(64).enumerate();
        arrays.try_for_each(|(index, piece)| {
            set(root, &format!("arrays/a{index:05}"), &[64], Arc::new(bytes_of(piece).to_vec()))
        })
    });
}

/// Writes rows of 1 MiB one after another.
fn stream(job: &Job) {
    let row = field(1 << 18);
    let options = WriteOptions { checksums: false, durable: job.synced, ..WriteOptions::default() };
    let remove = || drop(std::fs::remove_file(&job.output));
    job.measure_after(remove, || {
        let file = File::new(&NewOptions::default());
        let array = ArrayOptions::default();
        let stream = file.stream(&job.output, "data", ScalarType::Float32, &[1 << 18], &array, &options);
        let mut stream = stream.expect("the output opens");
        for _ in 0..4096 {
            stream.push(1, bytes_of(&row), &Order::C).expect("the row is written");
        }
        stream.finish().expect("the file is whole");
        0.0
    });
}

/// Appends steps of 1 MiB to an array, and saves after each.
fn grow(job: &Job) {
    let row = field(1 << 18);
    let options = WriteOptions { checksums: false, durable: false, replace: true, ..WriteOptions::default() };
    let chunks = job.chunked.then(|| vec![1, 1 << 18]);
    let array = ArrayOptions { chunks, ..ArrayOptions::default() };
    let make = || {
        let file = File::new(&NewOptions::default());
        let root = file.root().expect("a file has a root");
        root.set_array_zeros("data", &ScalarType::Float32.into(), &[1, 1 << 18], &array).expect("the array is set");
        file.write(&job.output, &options).expect("the file is written");
    };
    let saved = WriteOptions { durable: job.synced, ..WriteOptions::default() };
    job.measure_after(make, || {
        let file = File::open_for_update(&job.output, &OpenOptions::default()).expect("the file opens");
        let data = file.root().and_then(|root| root.array("data")).expect("the array is there");
        for _ in 0..128 {
            let step = data.append(1, &ScalarType::Float32.into(), bytes_of(&row), &ReadOptions::default());
            step.and_then(|()| file.save(&saved)).expect("the step is saved");
        }
        0.0
    });
}

/// Changes one number in a file of 1 GiB.
fn change(job: &Job) {
    let options = WriteOptions { replace: true, checksums: false, durable: job.synced, ..WriteOptions::default() };
    let file = File::new(&NewOptions::default());
    let root = file.root().expect("there is a root");
    set(&root, "data", &[16384, 16384], Arc::new(Borrowed(field(1 << 28)))).expect("the array is taken");
    root.set_f64("meta/exposure_time", 0.5).expect("the number is taken");
    file.write(&job.output, &options).expect("the file is written");
    drop((root, file));
    let mut time = 0.5;
    job.measure(|| {
        time += 1.0;
        let file = File::open_for_update(&job.output, &OpenOptions::default()).expect("the file opens");
        file.root().and_then(|root| root.set_f64("meta/exposure_time", time)).expect("the number is set");
        file.save(&options).expect("the file is saved");
        0.0
    });
}

/// Writes the image of the input, compressed.
fn encode(job: &Job, codec: Codec) {
    let mut image = vec![0; 64 << 20];
    open(job).and_then(|root| read_array(job, &root, "data", ScalarType::Int16, &mut image)).expect("it is read");
    let bytes: SharedBytes = Arc::new(image);
    let compression = Compression::new(codec, None).expect("the codec has a default level");
    let options = ArrayOptions { compression: Some(compression), ..ArrayOptions::default() };
    let write_options =
        WriteOptions { checksums: false, durable: false, threads: job.threads, ..WriteOptions::default() };
    write(job, &write_options, |root| {
        let data = ArrayData::new(ScalarType::Int16, &[4096, 8192], bytes.clone());
        root.set_array_data("data", &data, &options)
    });
}

fn write(job: &Job, options: &WriteOptions, fill: impl Fn(&Node) -> Result<()>) {
    let remove = || drop(std::fs::remove_file(&job.output));
    job.measure_after(remove, || {
        let file = File::new(&NewOptions::default());
        file.root().and_then(|root| fill(&root)).expect("the arrays are taken");
        file.write(&job.output, options).expect("the file is written");
        0.0
    });
}
