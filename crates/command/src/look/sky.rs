//! `asdfkit sky` and `asdfkit pixel`: world coordinates of pixels, and pixels of world coordinates.

use crate::core::arguments::Threads;
use crate::core::call::check_interrupt;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Format, Input, is_standard};
use crate::core::output::Output;
use crate::core::tree_path::TreePath;
use crate::core::worlds::World;
use asdfkit::wcs::{EvaluateOptions, Layout};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::io::{BufRead, Read};
use std::path::PathBuf;

/// Points that are evaluated at once.
const POINTS: usize = 1 << 16;
/// Maximum length of a line of input in bytes.
const MAX_LINE: u64 = 1 << 16;

/// Write the world coordinates of pixels, such as right ascension and declination
///
/// Pixel 0 0 is the center of the first pixel; x is the index along the last axis of the array. Without coordinates,
/// lines with one pixel each are read from standard input, with blanks or commas between the numbers. Pixels outside of
/// the bounding box give nan.
#[derive(Args, Debug)]
pub(crate) struct Sky {
    #[command(flatten)]
    pub(crate) points: Points,
}

/// Write the pixels at world coordinates, such as right ascension and declination in degrees
///
/// Pixel 0 0 is the center of the first pixel; x is the index along the last axis of the array. Without coordinates,
/// lines with one point each are read from standard input, with blanks or commas between the numbers. Points outside of
/// the bounding box give nan, and so does a line with a declination beyond ±90 degrees.
#[derive(Args, Debug)]
pub(crate) struct Pixel {
    #[command(flatten)]
    pub(crate) points: Points,
}

/// Points, and how their results are written.
#[derive(Args, Debug)]
pub(crate) struct Points {
    /// File to read; `-` is standard input
    pub(crate) file: PathBuf,
    /// Coordinates of one or several points: x y x y …
    #[arg(allow_negative_numbers = true, value_name = "NUMBER")]
    numbers: Vec<f64>,
    /// Path of the WCS; by default the first one of the file
    #[arg(short, long, default_value = "", value_name = "PATH")]
    wcs: TreePath,
    /// Form of the output
    #[arg(short = 'f', long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    /// Evaluate the transforms outside of the bounding box, too
    #[arg(long)]
    everywhere: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Text: the coordinates of one point on a line, separated by blanks
    Text,
    /// Comma-separated values: input and result of each point, below a line of names
    Csv,
    /// JSON
    Json,
}

/// Direction of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    ToWorld,
    ToPixel,
}

/// Columns of a table of points.
struct Columns {
    inputs: Vec<String>,
    outputs: Vec<String>,
}

/// Writes the results for the points of the arguments, or those of standard input.
pub(crate) fn run(input: &Input, direction: Direction, points: &Points, output: &mut Output) -> Result<Outcome> {
    if input.format()? != Format::Asdf {
        return Err(Failure::usage("only ASDF files have world coordinates"));
    }
    let world = World::find(&input.asdf()?.root()?, &points.wcs)?;
    let (pixels, worlds) = world.wcs.forward()?.arity();
    let pixel_names = World::names(world.wcs.frames().next(), pixels, "pixel");
    let world_names = World::names(world.frame(), worlds, "world");
    let columns = match direction {
        Direction::ToWorld => Columns { inputs: pixel_names, outputs: world_names },
        Direction::ToPixel => Columns { inputs: world_names, outputs: pixel_names },
    };
    let form = if output.json { Form::Json } else { points.form.unwrap_or(Form::Text) };
    let mut found: Vec<Value> = Vec::new();
    if form == Form::Csv {
        output.line(&[columns.inputs.as_slice(), &columns.outputs].concat().join(","))?;
    }
    let mut evaluate = |values: &[f64], output: &mut Output| -> Result<()> {
        let results = evaluated(&world, direction, values, &columns, points)?;
        let (inputs, outputs) = (columns.inputs.len(), columns.outputs.len());
        for (given, result) in values.chunks(inputs.max(1)).zip(results.chunks(outputs.max(1))) {
            match form {
                Form::Text => writeln!(output.stream(), "{}", joined(result, " "))?,
                Form::Csv => writeln!(output.stream(), "{},{}", joined(given, ","), joined(result, ","))?,
                Form::Json => found.push(json!({"input": given, "result": result})),
            }
        }
        Ok(())
    };
    if points.numbers.is_empty() {
        each_block(points, columns.inputs.len(), |values| evaluate(values, output))?;
    } else {
        check_count(points.numbers.len(), &columns)?;
        if direction == Direction::ToPixel {
            points.numbers.chunks(columns.inputs.len().max(1)).try_for_each(|point| world.wcs.check_world(point))?;
        }
        evaluate(&points.numbers, output)?;
    }
    if form == Form::Json {
        output.document(&json!({
            "file": input.name(),
            "wcs": world.path,
            "reference_frame": world.reference(),
            "units": world.units(),
            "input": columns.inputs,
            "result": columns.outputs,
            "points": found,
        }))?;
    }
    Ok(Outcome::Yes)
}

fn check_count(numbers: usize, columns: &Columns) -> Result<()> {
    let wanted = columns.inputs.len().max(1);
    if numbers.is_multiple_of(wanted) {
        return Ok(());
    }
    let names = columns.inputs.join(" ");
    Err(Failure::usage(format!("a point has {wanted} coordinates, {names}; {numbers} numbers are not whole points")))
}

fn evaluated(
    world: &World,
    direction: Direction,
    values: &[f64],
    columns: &Columns,
    points: &Points,
) -> Result<Vec<f64>> {
    let (inputs, outputs) = (columns.inputs.len(), columns.outputs.len());
    let count = values.len() / inputs.max(1);
    let mut options = EvaluateOptions::default();
    options.threads = points.threads.number();
    options.with_bounding_box = points.everywhere.then_some(false);
    let mut results = vec![0.0; count * outputs];
    let (from, to) = (Layout::points(inputs), Layout::points(outputs));
    match direction {
        Direction::ToWorld => world.wcs.pixel_to_world(count, values, from, &mut results, to, &options)?,
        Direction::ToPixel => world.wcs.world_to_pixel(count, values, from, &mut results, to, &options)?,
    };
    Ok(results)
}

/// Returns numbers in their shortest exact form.
fn joined(numbers: &[f64], separator: &str) -> String {
    let text = |number: &f64| if number.is_nan() { "nan".to_owned() } else { number.to_string() };
    numbers.iter().map(text).collect::<Vec<_>>().join(separator)
}

/// Calls `work` with the points of standard input, many at once. Blank lines and lines that begin with `#` are skipped.
fn each_block(points: &Points, axes: usize, mut work: impl FnMut(&[f64]) -> Result<()>) -> Result<()> {
    if is_standard(&points.file) {
        return Err(Failure::usage("standard input is the file; give the points as arguments"));
    }
    let mut lines = std::io::stdin().lock();
    let mut values = Vec::new();
    let mut line = String::new();
    for number in 1_u64.. {
        line.clear();
        let read = lines.by_ref().take(MAX_LINE).read_line(&mut line);
        let length = read.map_err(|error| Failure::System("cannot read standard input".to_owned(), error))?;
        if length > 0 && !line.ends_with('\n') && length as u64 == MAX_LINE {
            return Err(Failure::usage(format!("line {number} of standard input is too long")));
        }
        let text = line.trim();
        if !text.is_empty() && !text.starts_with('#') {
            let before = values.len();
            for field in text.split([',', ' ', '\t']).filter(|field| !field.is_empty()) {
                let value = field.parse().map_err(|_| {
                    Failure::usage(format!("line {number} of standard input: '{field}' is not a number"))
                })?;
                values.push(value);
            }
            if values.len() - before != axes {
                let message = format!("line {number} of standard input: expected {axes} numbers");
                return Err(Failure::usage(message));
            }
        }
        if length == 0 || values.len() >= POINTS * axes.max(1) {
            check_interrupt()?;
            work(&values)?;
            values.clear();
        }
        if length == 0 {
            break;
        }
    }
    Ok(())
}
