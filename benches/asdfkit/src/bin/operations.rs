//! Small operations for counts of instructions: `operations NAME COUNT` repeats one of them. `operations` lists them.
//!
//! `instructions.py` runs each operation with two counts under callgrind; the difference is its cost.

use asdfkit::Result;
use asdfkit::array::{ByteOrder, ReadOptions, Region, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{ArrayData, ArrayOptions, File, NewOptions, Node, Storage, WriteOptions};
use asdfkit::source::SharedBytes;
use asdfkit::table::ecsv;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

const NAMES: [&str; 12] = [
    "open",
    "look-up",
    "read",
    "read-swapped",
    "read-converted",
    "read-region",
    "inflate",
    "verify",
    "write",
    "inline",
    "ecsv",
    "remove",
];

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(count)) = (arguments.next(), arguments.next()) else {
        println!("{}", NAMES.join(" "));
        return Ok(());
    };
    let count: u32 = count.parse().expect("a number");
    let bytes: SharedBytes = Arc::new(made()?.write_to_memory(&WriteOptions::default())?);
    let path = PathBuf::from(std::env::temp_dir()).join(format!("asdfkit-operations-{}.asdf", std::process::id()));
    std::fs::write(&path, (*bytes).as_ref()).expect("the file is written");
    let file = File::open(&path)?;
    let root = file.root()?;
    for _ in 0..count {
        operate(&name, &root, &path)?;
    }
    drop(std::fs::remove_file(&path));
    Ok(())
}

/// A file of 200 scalars and a few arrays of 64 × 64 elements.
fn made() -> Result<File> {
    let file = File::new(&NewOptions::default());
    let root = file.root()?;
    for number in 0..200 {
        root.set_f64(&format!("meta/group_{}/key_{number}", number % 10), f64::from(number) / 8.0)?;
    }
    let values: Vec<f32> = (0..4096).map(|number| number as f32 / 8.0).collect();
    root.set_array("plain", &values, [64, 64])?;
    let bytes: SharedBytes = Arc::new(values.iter().flat_map(|value| value.to_be_bytes()).collect::<Vec<u8>>());
    let native: SharedBytes = Arc::new(values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
    let data = |bytes: &SharedBytes| ArrayData::new(ScalarType::Float32, &[64, 64], bytes.clone());
    let other = if ByteOrder::NATIVE == ByteOrder::Little { ByteOrder::Big } else { ByteOrder::Little };
    root.set_array_data("swapped", &data(&bytes), &ArrayOptions { byteorder: other, ..ArrayOptions::default() })?;
    let compression = Some(Compression::new(Codec::Zlib, None)?);
    root.set_array_data("packed", &data(&native), &ArrayOptions { compression, ..ArrayOptions::default() })?;
    root.set_array_data(
        "inline",
        &data(&native),
        &ArrayOptions { storage: Storage::Inline, ..ArrayOptions::default() },
    )?;
    Ok(file)
}

fn operate(name: &str, root: &Node, path: &PathBuf) -> Result<()> {
    let read = |path: &str, scalar: ScalarType| -> Result<()> {
        let mut out = vec![0; 4096 * scalar.size()];
        root.array(path)?.read(&scalar.into(), &mut out, &ReadOptions::default())?;
        black_box(&out);
        Ok(())
    };
    match name {
        "open" => drop(black_box(File::open(path)?.root()?)),
        "look-up" => drop(black_box(root.f64("meta/group_7/key_197")?)),
        "read" => read("plain", ScalarType::Float32)?,
        "read-swapped" => read("swapped", ScalarType::Float32)?,
        "read-converted" => read("plain", ScalarType::Float64)?,
        "read-region" => {
            let region = Region { start: &[3, 5], count: &[20, 15], step: Some(&[3, 2]) };
            let mut out = [0; 1200];
            let options = ReadOptions::default();
            root.array("plain")?.read_region(&region, &ScalarType::Float32.into(), &mut out, &options)?;
            black_box(&out);
        }
        "inflate" => read("packed", ScalarType::Float32)?,
        "verify" => drop(black_box(File::open(path)?.verify()?)),
        "write" => drop(black_box(made()?.write_to_memory(&WriteOptions::default())?)),
        "inline" => read("inline", ScalarType::Float64)?,
        "ecsv" => {
            let mut text = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\n# - {name: b, datatype: \
                            float64}\n# - {name: c, datatype: string}\na b c\n"
                .to_owned();
            (0..200).for_each(|row| text += &format!("{row} {}.5 word{}\n", row * 7, row % 9));
            let bytes: SharedBytes = Arc::new(text.into_bytes());
            let table = ecsv::TableReader::of_memory(bytes, &ecsv::ReadOptions::default())?.read_all()?;
            black_box(table.row_count());
        }
        // The first key each time. If a removal moved the keys behind it, 4 times as many would take 16 times as long.
        "remove" => {
            let file = File::new(&NewOptions::default());
            let root = file.root()?;
            let keys: Vec<String> = (0..4000).map(|number| format!("m/key_{number}")).collect();
            keys.iter().try_for_each(|key| root.set_i64(key, 1))?;
            keys.iter().try_for_each(|key| root.remove(key))?;
        }
        other => panic!("no operation {other}"),
    }
    Ok(())
}
