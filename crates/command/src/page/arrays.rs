//! Previews of arrays: a small picture or a chart, and a histogram.

use super::arguments::{Context, look};
use super::html::escaped;
use super::rows;
use crate::core::arguments::InUnit;
use crate::core::failure::Result;
use crate::core::parts::array_of;
use crate::picture::image::{Image, Reading};
use crate::picture::place::Place;
use asdfkit::array::Datatype;
use asdfkit::file::Node;
use asdfkit_pictures::output::{data_uri, svg};
use asdfkit_pictures::plot::{Axis, Chart, Marks, number_text};

/// Most pixels along a side of a picture.
const SIDE: usize = 320;
/// Size of charts.
const CHART: [usize; 2] = [460, 260];
/// Points of a chart.
const POINTS: usize = 4000;

/// Returns the preview of an array; empty if it has no numbers.
pub(super) fn preview(node: &Node, path: &str, context: &Context) -> Result<String> {
    let Some(array) = array_of(node)? else { return Ok(String::new()) };
    if matches!(array.datatype(), Datatype::Record(_)) {
        return rows::of_records(node, context);
    }
    if array.datatype().scalar().is_none() || array.element_count() < 2 {
        return Ok(String::new());
    }
    let Some(mut place) = Place::of_node(node, path)? else { return Ok(String::new()) };
    let chosen = place.choose_plane();
    let is_list = place.selection.shape().iter().filter(|extent| **extent > 1).count() < 2;
    let unit = InUnit::default();
    let most = if is_list { [POINTS, POINTS] } else { [SIDE, SIDE] };
    let reading = Reading { most, unit: &unit, threads: context.threads };
    let image = Image::read(std::slice::from_ref(&place), &look(), &reading, None)?;
    let name = path.trim_start_matches('/');
    let label = place.unit.as_deref().map_or(name.to_owned(), |unit| format!("{name} [{unit}]"));
    let grid = &image.sample.grid;
    let mut out = String::from("<div class=\"preview\">");
    if is_list {
        let axis = Axis { label: "index".to_owned(), is_log: false };
        let values: Vec<f64> = (0..grid.values.len())
            .map(|index| if grid.is_masked(index) { f64::NAN } else { grid.values[index] })
            .collect();
        let x = (0..values.len()).map(|index| image.index_of(index)).collect();
        let y_axis = Axis { label: label.clone(), is_log: false };
        let chart = Chart { title: String::new(), x_axis: axis, y_axis, x, y: values, marks: Marks::Line };
        out.push_str(&format!("<figure class=\"chart\">{}</figure>", svg(&chart.scene(CHART[0], CHART[1]))));
    } else {
        let planes: Vec<String> =
            chosen.iter().map(|(_, index, extent)| format!("plane {index} of {extent}")).collect();
        let step = (image.scalings[0].limits.high - image.scalings[0].limits.low).abs() / 100.0;
        let [low, high] =
            [image.scalings[0].limits.low, image.scalings[0].limits.high].map(|end| number_text(end, step));
        let mut facts = vec![format!("{low} to {high}")];
        facts.extend(planes);
        facts.extend(image.sample.note());
        let (masked, undefined) = grid.absent();
        facts.extend((masked > 0).then(|| "masked: blue".to_owned()));
        facts.extend((undefined > 0).then(|| "not a number: magenta".to_owned()));
        let raster = image.raster();
        let zoom = (SIDE / raster.width().max(raster.height()).max(1)).max(1);
        out.push_str(&format!(
            "<figure><img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"Image of {}\"><figcaption>{}</figcaption></figure>",
            data_uri(raster),
            raster.width() * zoom,
            raster.height() * zoom,
            escaped(name),
            escaped(&facts.join("; "))
        ));
    }
    let chart = Chart {
        title: String::new(),
        x_axis: Axis { label, is_log: false },
        y_axis: Axis { label: "count".to_owned(), is_log: true },
        x: Vec::new(),
        y: grid.present().collect(),
        marks: Marks::Histogram { bins: 60 },
    };
    out.push_str(&format!("<figure class=\"chart\">{}</figure></div>", svg(&chart.scene(CHART[0], CHART[1]))));
    Ok(out)
}
