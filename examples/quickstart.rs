//! Reads a number and an array from an ASDF file, and writes another file: `cargo run --example quickstart [FILE]`.
//!
//! Without FILE, a small image is created first.

use asdfkit::Result;
use asdfkit::file::{File, WriteOptions};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let path = match std::env::args_os().nth(1) {
        Some(path) => PathBuf::from(path),
        None => {
            let path = std::env::temp_dir().join("asdfkit-quickstart.asdf");
            make(&path)?;
            path
        }
    };

    let file = File::open(&path)?;
    let root = file.root()?;
    let seconds = root.f64("meta/exposure/time")?;
    let image = root.array("data")?;
    let mut pixels: Vec<f32> = image.read_vec()?;
    println!("{}: {:?} pixels, exposed for {seconds} s", path.display(), image.shape());

    pixels.iter_mut().for_each(|pixel| *pixel /= seconds as f32);
    let rates = File::default();
    rates.root()?.set_array("rates", &pixels, image.shape())?;
    let path = path.with_extension("rates.asdf");
    rates.write(&path, &replacing())?;
    println!("{}: the rates", path.display());
    Ok(())
}

/// Writes an image of 2 rows and 3 columns with its exposure time.
fn make(path: &Path) -> Result<()> {
    let file = File::default();
    let root = file.root()?;
    root.set_f64("meta/exposure/time", 139.8)?;
    root.set_array("data", &[0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0], [2, 3])?;
    file.write(path, &replacing())
}

/// The example can run again, so it replaces its files.
fn replacing() -> WriteOptions {
    WriteOptions { replace: true, ..WriteOptions::default() }
}
