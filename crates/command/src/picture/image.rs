//! An image of a part of an array, ready to be drawn.

use super::arguments::Look;
use super::place::Place;
use super::sample::Sample;
use super::values::Numbers;
use crate::core::arguments::InUnit;
use crate::core::failure::{Failure, Result};
use asdfkit_pictures::array::{Grid, Raster, Scaling, composite};
use asdfkit_pictures::plot::{Bar, Figure, SkyGrid};

/// An image, and what is known about it.
pub(crate) struct Image {
    /// Names of the arrays.
    pub(crate) title: String,
    pub(crate) sample: Sample,
    /// Range and stretch of each channel.
    pub(crate) scalings: Vec<Scaling>,
    raster: Raster,
    unit: Option<String>,
    /// First pixel along x and y, and the distance of two pixels.
    first: [f64; 2],
    step: [f64; 2],
    is_upward: bool,
    pub(crate) sky: Option<SkyGrid>,
    bar: Option<Bar>,
}

/// Part of an image that is read, and its conversion.
pub(crate) struct Reading<'a> {
    /// Most columns and rows.
    pub(crate) most: [usize; 2],
    pub(crate) unit: &'a InUnit,
    pub(crate) threads: usize,
}

fn sampled(place: &Place, look: &Look, reading: &Reading) -> Result<Sample> {
    if place.selection.count.contains(&0) {
        return Err(Failure::usage(format!("'{}' has no elements there", place.path)));
    }
    let without_mask;
    let array = if look.no_mask {
        without_mask = place.array.without_mask();
        &without_mask
    } else {
        &place.array
    };
    let numbers = Numbers::of(array, reading.unit, reading.threads)?;
    Sample::read(array, &numbers, &place.selection, reading.most, look.exact)
}

impl Image {
    /// Reads an image of one array, or of three: red, green, blue. The arrays are cut to planes before.
    pub(crate) fn read(places: &[Place], look: &Look, reading: &Reading, sky: Option<SkyGrid>) -> Result<Image> {
        let Some(place) = places.first() else { return Err(Failure::not_found("there is no array to show")) };
        let mut samples = places.iter().map(|place| sampled(place, look, reading)).collect::<Result<Vec<_>>>()?;
        let scaling =
            |sample: &Sample| Scaling { limits: look.range.limits(&sample.grid), stretch: look.stretch.stretch() };
        let scalings: Vec<Scaling> = samples.iter().map(scaling).collect();
        let is_upward = !look.from_top;
        let (mut raster, mut bar) = (None, None);
        if let ([_, second, third], [a, b, c]) = (&samples[..], &scalings[..]) {
            let shape = |sample: &Sample| (sample.grid.width, sample.grid.height);
            if shape(second) != shape(&samples[0]) || shape(third) != shape(second) {
                return Err(Failure::usage("the three arrays of a colour picture have different shapes"));
            }
            let grids: [Grid; 3] = [0, 1, 2].map(|channel| samples[channel].grid.clone());
            raster = Some(composite(&grids, &[*a, *b, *c], is_upward));
            // A pixel that is masked or not a number in one channel is so in the picture.
            samples[0].grid = joined(&grids);
        }
        let sample = samples.swap_remove(0);
        let raster = raster.unwrap_or_else(|| {
            let map = look.map.map();
            let label = match &place.unit {
                Some(unit) => format!("{unit} ({})", stretch_name(look)),
                None => stretch_name(look),
            };
            bar = Some(Bar { map, scaling: scalings[0], label });
            map.paint(&sample.grid, &scalings[0], is_upward)
        });
        let (first, step) = axes(place, &sample);
        let title = places.iter().map(|place| place.path.trim_start_matches('/')).collect::<Vec<_>>().join(", ");
        Ok(Image { title, sample, scalings, raster, unit: place.unit.clone(), first, step, is_upward, sky, bar })
    }

    /// Returns the index of a value along the last dimension.
    pub(crate) fn index_of(&self, column: usize) -> f64 {
        self.first[0] + self.step[0] * column as f64
    }

    /// Returns the pixels.
    pub(crate) fn raster(&self) -> &Raster {
        &self.raster
    }

    /// Returns the image with its axes. `notes` stand below it.
    pub(crate) fn figure(&self, notes: Vec<String>) -> Figure {
        Figure {
            raster: self.raster.clone(),
            title: self.title.clone(),
            notes,
            first: self.first,
            step: self.step,
            is_upward: self.is_upward,
            bar: self.bar.clone(),
            sky: self.sky.clone(),
            absent: self.sample.grid.absent(),
        }
    }

    /// Returns the colours and ends of the colour bar; `None` for a picture in red, green and blue.
    pub(crate) fn bar(&self) -> Option<&Bar> {
        self.bar.as_ref()
    }

    pub(crate) fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }
}

fn stretch_name(look: &Look) -> String {
    format!("{:?}", look.stretch).to_lowercase()
}

fn joined(grids: &[Grid; 3]) -> Grid {
    let [first, ..] = grids;
    let undefined = |index: usize| grids.iter().any(|grid| grid.values.get(index).is_none_or(|value| value.is_nan()));
    let values = first.values.iter().enumerate();
    let values = values.map(|(index, value)| if undefined(index) { f64::NAN } else { *value }).collect();
    let masked = (0..first.values.len()).map(|index| grids.iter().any(|grid| grid.is_masked(index))).collect();
    Grid { width: first.width, height: first.height, values, masked }
}

/// Returns the pixel of the array in the middle of the first pixel of the picture, and the distance of two pixels.
fn axes(place: &Place, sample: &Sample) -> ([f64; 2], [f64; 2]) {
    let kept = place.selection.kept();
    let factor = sample.factor as f64;
    let of = |dimension: Option<&usize>| match dimension {
        Some(&dimension) => {
            let step = place.selection.step[dimension] as f64;
            (place.selection.start[dimension] as f64 + step * (factor - 1.0) / 2.0, step * factor)
        }
        None => (0.0, 1.0),
    };
    let (x, y) = (of(kept.last()), of(kept.len().checked_sub(2).and_then(|index| kept.get(index))));
    ([x.0, y.0], [x.1, y.1])
}
