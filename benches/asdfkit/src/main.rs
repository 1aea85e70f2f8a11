//! asdfkit in the comparison: one workload, measured in this process.

use asdfkit::Result;
use asdfkit::array::{Datatype, ReadOptions, ScalarType};
use asdfkit::file::{ArrayData, ArrayOptions, File, NewOptions, Node, OpenOptions, WriteOptions};
use asdfkit::source::SharedBytes;
use measure::{Buffer, Job, bytes_of, check_of, field};
use std::path::Path;
use std::sync::Arc;

fn main() {
    let job = Job::from_arguments();
    match job.workload.as_str() {
        "w1" => read_whole(&job, ScalarType::Float32, 1 << 30),
        "w5-int16" => read_whole(&job, ScalarType::Int16, 256 << 20),
        "w5-float32" => read_whole(&job, ScalarType::Float32, 64 << 20),
        "w7-all" => {
            let mut buffer = Buffer::new(10_000 * 1024);
            job.measure(|| read_list(&job.input, &mut buffer).expect("the arrays are read"));
        }
        "w7-last" => {
            let mut buffer = Buffer::new(1024);
            job.measure(|| {
                read_array(&job.input, "last", ScalarType::Float32, &mut buffer).expect("the array is read")
            });
        }
        "w8-tree" => job.measure(|| look_up(&job.input).expect("the values are found")),
        "w8-small" => job.measure(|| small(&job.input).expect("the value is found")),
        "w9-large" => {
            let values: SharedBytes = Arc::new(Borrowed(field(1 << 28)));
            let options = WriteOptions { checksums: false, durable: false, ..WriteOptions::default() };
            write(&job, &options, |root| set(root, "data", &[16384, 16384], values.clone()));
        }
        "w9-many" => {
            let values = field(640_000);
            let options = WriteOptions { durable: false, ..WriteOptions::default() };
            write(&job, &options, |root| {
                let mut arrays = values.chunks_exact(64).enumerate();
                arrays.try_for_each(|(index, piece)| {
                    set(root, &format!("arrays/a{index:05}"), &[64], Arc::new(bytes_of(piece).to_vec()))
                })
            });
        }
        other => panic!("no workload {other}"),
    }
}

fn open(path: &Path) -> Result<Node> {
    File::open(path, &OpenOptions::default())?.root()
}

fn read_whole(job: &Job, scalar: ScalarType, size: usize) {
    let mut buffer = Buffer::new(size);
    job.measure(|| read_array(&job.input, "data", scalar, &mut buffer).expect("the array is read"));
}

fn read_array(path: &Path, name: &str, scalar: ScalarType, out: &mut [u8]) -> Result<f64> {
    open(path)?.array(name)?.read(&scalar.into(), out, &ReadOptions::default())?;
    Ok(check_of(out))
}

fn read_list(path: &Path, out: &mut [u8]) -> Result<f64> {
    let list = open(path)?.get("arrays")?;
    let (float32, options) = (Datatype::from(ScalarType::Float32), ReadOptions::default());
    for (index, piece) in out.chunks_exact_mut(1024).enumerate() {
        list.item(index)?.array("")?.read(&float32, piece, &options)?;
    }
    Ok(check_of(out))
}

fn look_up(path: &Path) -> Result<f64> {
    let root = open(path)?;
    (0..10).map(|number| root.f64(&format!("groups/group_{:04}/{}", 200 * number + 7, measure::KEY))).sum()
}

fn small(path: &Path) -> Result<f64> {
    open(path)?.f64("roman/meta/exposure/exposure_time")
}

/// Numbers that the library takes as they are, without a copy.
struct Borrowed(Vec<f32>);

impl AsRef<[u8]> for Borrowed {
    fn as_ref(&self) -> &[u8] {
        bytes_of(&self.0)
    }
}

fn set(root: &Node, path: &str, shape: &[i64], bytes: SharedBytes) -> Result<()> {
    root.set_array(path, &ArrayData { datatype: ScalarType::Float32.into(), shape, bytes }, &ArrayOptions::default())
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
