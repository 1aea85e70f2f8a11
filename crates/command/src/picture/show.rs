//! `asdfkit show`: an image or a chart, in the terminal or as a file.

use super::arguments::Kind;
pub(crate) use super::arguments::Show;
use super::chart;
use super::image::{Image, Reading};
use super::place::Place;
use super::sky;
use super::terminal::Terminal;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Format, Input, is_standard};
use crate::core::output::{Output, printable};
use crate::core::size::of_bytes;
use crate::core::tree_path::TreePath;
use asdfkit::file::Node;
use asdfkit_pictures::array::{Raster, Scaling};
use asdfkit_pictures::output::{encode, graph, half_blocks, kitty, rasterize, svg};
use asdfkit_pictures::plot::{Chart, Scene, number_text};
use serde_json::json;
use std::io::IsTerminal;
use std::path::Path;

/// Lines of a terminal that stay free for the text below a picture and the next prompt.
const FREE_LINES: usize = 6;

/// Form of the file to write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Png,
    Svg,
}

/// Shows an array, a column, or the first image of the file.
pub(crate) fn run(input: &Input, arguments: &Show, output: &mut Output) -> Result<Outcome> {
    let target = target(arguments)?;
    if let Some(path) = &arguments.output {
        input.check_differs(path)?;
    }
    if input.format_of_table(&arguments.text)? != Format::Asdf {
        if arguments.rgb.is_some() || arguments.kind == Some(Kind::Image) {
            return Err(Failure::usage("only arrays of ASDF files are images"));
        }
        let chart = chart::of_text_table(input, arguments)?;
        return show_chart(input, &chart, target, arguments, output);
    }
    let before = bytes_read();
    let file = input.asdf_in_pieces()?;
    let root = file.root()?;
    let mut places = places(&root, arguments)?;
    let is_list = |place: &Place| place.selection.shape().iter().filter(|extent| **extent != 1).count() < 2;
    let as_chart = match arguments.kind {
        Some(Kind::Image) => false,
        Some(_) => true,
        None => arguments.rgb.is_none() && (arguments.chart.x.is_some() || places.iter().all(is_list)),
    };
    if let ([place], true) = (&places[..], as_chart) {
        let chart = chart::of_place(place, &root, arguments)?;
        return show_chart(input, &chart, target, arguments, output);
    }
    let mut chosen = Vec::new();
    for place in &mut places {
        chosen = place.choose_plane();
    }
    let terminal = Terminal::of(output, arguments.graphics);
    let size = arguments.size as usize;
    let most = match (target, terminal.has_pixels) {
        (None, false) => [terminal.columns, terminal.lines.saturating_sub(FREE_LINES).max(2) * 2],
        _ => [size, size],
    };
    let sky = match (arguments.look.no_wcs, places.first()) {
        (false, Some(place)) => sky::behind(place, &root, arguments.look.wcs.as_deref())?,
        _ => None,
    };
    let reading = Reading { most, unit: &arguments.unit, threads: arguments.threads.number() };
    let image = Image::read(&places, &arguments.look, &reading, sky)?;
    let bytes = before.zip(bytes_read()).map(|(before, after)| after.saturating_sub(before));
    let facts = Facts { shape: places.iter().map(|place| place.array.shape().to_vec()).collect(), chosen, bytes };
    match target {
        Some(target) => write_image(&image, &facts, target, arguments)?,
        None if output.json => {}
        None => print_image(&image, &facts, &terminal, size, output)?,
    }
    if output.json {
        output.document(&facts.json(input, &image, arguments))?;
    } else if target.is_some() {
        facts.lines(&image).into_iter().try_for_each(|line| output.line(&line))?;
    }
    Ok(Outcome::Yes)
}

/// Messages beside a picture.
struct Facts {
    /// Shape of each array.
    shape: Vec<Vec<i64>>,
    /// Dimension, index and extent of each choice among planes.
    chosen: Vec<(usize, i64, i64)>,
    /// Bytes that the process read for the picture, where the system counts them.
    bytes: Option<u64>,
}

impl Facts {
    fn lines(&self, image: &Image) -> Vec<String> {
        let mut lines = Vec::new();
        let shape: Vec<String> = self.shape.iter().flatten().map(i64::to_string).collect();
        let shape = if self.shape.len() == 1 { format!(" [{}]", shape.join(", ")) } else { String::new() };
        let mut first = format!("{}{shape}", printable(&image.title));
        for (dimension, index, extent) in &self.chosen {
            first.push_str(&format!(", plane {index} of {extent} along dimension {dimension}"));
        }
        lines.push(first);
        let range = |scaling: &Scaling| {
            let step = (scaling.limits.high - scaling.limits.low).abs() / 100.0;
            [scaling.limits.low, scaling.limits.high].map(|limit| number_text(limit, step)).join(" to ")
        };
        let ranges: Vec<String> = image.scalings.iter().map(range).collect();
        let unit = image.unit().map_or(String::new(), |unit| format!(" {}", printable(unit)));
        lines.push(format!("shown: {}{unit}", ranges.join("; ")));
        let mut last = Vec::new();
        last.extend(image.sample.note());
        last.extend(self.bytes.map(|bytes| format!("{} read", of_bytes(bytes))));
        let (masked, undefined) = image.sample.grid.absent();
        last.extend((masked > 0).then(|| format!("{masked} pixels masked (blue)")));
        last.extend((undefined > 0).then(|| format!("{undefined} pixels not a number (magenta)")));
        if !last.is_empty() {
            lines.push(last.join("; "));
        }
        lines
    }

    fn json(&self, input: &Input, image: &Image, arguments: &Show) -> serde_json::Value {
        let limits = |scaling: &Scaling| json!([scaling.limits.low, scaling.limits.high]);
        let (masked, undefined) = image.sample.grid.absent();
        json!({
            "file": input.name(),
            "arrays": image.title.split(", ").collect::<Vec<_>>(),
            "shapes": self.shape,
            "plane": self.chosen.iter().map(|(_, index, _)| index).collect::<Vec<_>>(),
            "pixels": [image.sample.grid.height, image.sample.grid.width],
            "method": image.sample.name(),
            "elements_per_side": image.sample.factor,
            "limits": image.scalings.iter().map(limits).collect::<Vec<_>>(),
            "sky": image.sky.is_some(),
            "masked": masked,
            "not_a_number": undefined,
            "bytes_read": self.bytes,
            "output": arguments.output.as_deref().map(Path::to_string_lossy),
        })
    }
}

fn target(arguments: &Show) -> Result<Option<Target>> {
    let Some(path) = &arguments.output else { return Ok(None) };
    if is_standard(path) {
        if std::io::stdout().is_terminal() {
            return Err(Failure::usage("bytes are not written to a terminal; use a file or a pipe"));
        }
        return Ok(Some(Target::Png));
    }
    match path.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase()).as_deref() {
        Some("png") => Ok(Some(Target::Png)),
        Some("svg") => Ok(Some(Target::Svg)),
        _ => Err(Failure::usage("pictures are written as .png or .svg")),
    }
}

fn places(root: &Node, arguments: &Show) -> Result<Vec<Place>> {
    let paths: Vec<TreePath> = match (&arguments.rgb, &arguments.path) {
        (Some(paths), _) => paths.clone(),
        (None, Some(path)) => vec![path.clone()],
        (None, None) => Place::first(root)?.into_iter().collect(),
    };
    if paths.is_empty() {
        return Err(Failure::not_found("the file has no array of numbers to show"));
    }
    let found = |path: &TreePath| {
        let place = Place::find(root, path, arguments.region.as_deref())?;
        place.ok_or_else(|| Failure::not_found(format!("there is no array at '{path}'; name one in it, or a column")))
    };
    paths.iter().map(found).collect()
}

/// Writes a picture into the file of the arguments.
fn write(arguments: &Show, bytes: &[u8]) -> Result<()> {
    let Some(path) = &arguments.output else { return Ok(()) };
    if is_standard(path) {
        use std::io::Write;
        return Ok(std::io::stdout().write_all(bytes)?);
    }
    crate::core::new_file::write(path, arguments.force, |out| Ok(out.write_all(bytes)?))
}

fn write_scene(scene: &Scene, target: Target, arguments: &Show) -> Result<()> {
    match target {
        Target::Svg => write(arguments, svg(scene).as_bytes()),
        Target::Png => write(arguments, &encode(&rasterize(scene))?),
    }
}

fn write_image(image: &Image, facts: &Facts, target: Target, arguments: &Show) -> Result<()> {
    match (arguments.plain, target) {
        (true, Target::Svg) => Err(Failure::usage("--plain writes pixels: use a file .png")),
        (true, Target::Png) => write(arguments, &encode(image.raster())?),
        _ => {
            let notes = facts.lines(image).split_off(1);
            write_scene(&image.figure(notes).scene(arguments.size as usize), target, arguments)
        }
    }
}

fn print_image(image: &Image, facts: &Facts, terminal: &Terminal, size: usize, output: &mut Output) -> Result<()> {
    if terminal.has_pixels {
        let picture = kitty(&rasterize(&image.figure(Vec::new()).scene(size)))?;
        output.stream().write_all(picture.as_bytes())?;
    } else {
        let raster = enlarged(image.raster(), terminal);
        output.stream().write_all(half_blocks(&raster, terminal.depth).as_bytes())?;
        if let Some(bar) = image.bar() {
            let colours = bar.map.colours();
            let width = raster.width().clamp(10, 40);
            let mut line = Raster::new(width, 2, [0; 3]);
            for column in 0..width {
                let colour = colours[column * (colours.len() - 1) / (width - 1)];
                (0..2).for_each(|row| line.set_pixel(column, row, colour));
            }
            let limits = bar.scaling.limits;
            let ends = [limits.low, limits.high].map(|limit| number_text(limit, (limits.high - limits.low) / 100.0));
            let drawn = half_blocks(&line, terminal.depth);
            output.line(&format!("{} {} {}", ends[0], drawn.trim_end_matches('\n'), ends[1]))?;
        }
    }
    facts.lines(image).into_iter().try_for_each(|line| output.line(&line))
}

/// Enlarges a small image by a whole factor to the size of the terminal.
fn enlarged(raster: &Raster, terminal: &Terminal) -> Raster {
    let (width, height) = (raster.width().max(1), raster.height().max(1));
    let room = [terminal.columns / width, terminal.lines.saturating_sub(FREE_LINES) * 2 / height];
    let factor = room.into_iter().min().unwrap_or(1).max(1);
    raster.resized(width * factor, height * factor)
}

fn show_chart(
    input: &Input,
    chart: &Chart,
    target: Option<Target>,
    arguments: &Show,
    output: &mut Output,
) -> Result<Outcome> {
    let size = arguments.size as usize;
    let terminal = Terminal::of(output, arguments.graphics);
    match target {
        Some(target) => write_scene(&chart.scene(size, size * 5 / 8), target, arguments)?,
        None if output.json => {}
        None if terminal.has_pixels => {
            let picture = kitty(&rasterize(&chart.scene(size, size * 5 / 8)))?;
            output.stream().write_all(picture.as_bytes())?;
        }
        None => {
            let mut chart = chart.clone();
            for text in [&mut chart.title, &mut chart.x_axis.label, &mut chart.y_axis.label] {
                *text = printable(text);
            }
            let text = graph(&chart, terminal.columns, terminal.lines.saturating_sub(1));
            output.stream().write_all(text.as_bytes())?;
        }
    }
    if output.json {
        output.document(&json!({
            "file": input.name(),
            "x": chart.x_axis.label,
            "y": chart.y_axis.label,
            "values": chart.y.len(),
            "output": arguments.output.as_deref().map(Path::to_string_lossy),
        }))?;
    }
    Ok(Outcome::Yes)
}

/// Returns the number of bytes that the process has read so far, as Linux counts them.
fn bytes_read() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("rchar: "))?.trim().parse().ok()
}
