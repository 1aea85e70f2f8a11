//! An image that is not larger than needed: read as a whole, averaged, or sampled.

use super::values::Numbers;
use crate::core::failure::Result;
use crate::core::region::Selection;
use asdfkit::array::Array;
use asdfkit_pictures::array::Grid;

/// Size of an array in bytes up to which all of it is read.
const WHOLE: i64 = 256 << 20;

/// Relation of a picture to its array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// A pixel is an element.
    Whole,
    /// A pixel is the mean of the elements of a square.
    Averaged,
    /// A pixel is one element of a square.
    Sampled,
}

/// An image in memory.
pub(crate) struct Sample {
    pub(crate) grid: Grid,
    /// Side of the square of elements for which a pixel stands.
    pub(crate) factor: i64,
    pub(crate) method: Method,
}

/// Sums of the elements of the squares.
struct Sums {
    width: usize,
    sums: Vec<f64>,
    /// Numbers of elements that are in the sum, of those that are masked, and of all.
    counts: Vec<[u32; 3]>,
}

impl Sums {
    fn add(&mut self, column: usize, row: usize, value: f64, missing: bool) {
        let index = row * self.width + column;
        let (Some(sum), Some([added, masked, all])) = (self.sums.get_mut(index), self.counts.get_mut(index)) else {
            return;
        };
        *all += 1;
        match (missing, value.is_nan()) {
            (true, _) => *masked += 1,
            (false, true) => {}
            (false, false) => {
                *sum += value;
                *added += 1;
            }
        }
    }

    /// A square is masked if all its elements are, and not a number if there is no number among the others.
    fn into_grid(self) -> Grid {
        let mean = |(sum, [added, ..]): (&f64, &[u32; 3])| sum / f64::from(*added);
        let values = self.sums.iter().zip(&self.counts).map(mean).collect();
        let mut masked: Vec<bool> = self.counts.iter().map(|[_, masked, all]| masked == all).collect();
        if !masked.contains(&true) {
            masked.clear();
        }
        let height = self.sums.len() / self.width.max(1);
        Grid { width: self.width, height, values, masked }
    }
}

impl Sample {
    /// Reads a selection of two dimensions as an image of at most `width` columns and `height` rows. With `exact`, all
    /// elements are read.
    pub(crate) fn read(
        array: &Array,
        numbers: &Numbers,
        selection: &Selection,
        [width, height]: [usize; 2],
        exact: bool,
    ) -> Result<Sample> {
        let [rows, columns] = selection.plane();
        let ratio = |count: i64, most: usize| (count as u64).div_ceil(most.max(1) as u64) as i64;
        let factor = ratio(columns, width).max(ratio(rows, height)).max(1);
        let item = array.datatype().item_size()?.max(1) as i64;
        let is_small = rows.saturating_mul(columns).saturating_mul(item) <= WHOLE;
        let method = match (factor, exact || is_small) {
            (1, _) => Method::Whole,
            (_, true) => Method::Averaged,
            _ => Method::Sampled,
        };
        let across = |count: i64| usize::try_from((count as u64).div_ceil(factor as u64)).unwrap_or(0);
        let (wide, high) = (across(columns), across(rows));
        let pixels = wide.saturating_mul(high);
        let mut sums = Sums { width: wide, sums: vec![0.0; pixels], counts: vec![[0; 3]; pixels] };
        let mut at = 0;
        match method {
            Method::Sampled => {
                let thinned = selection.every(factor);
                numbers.each(array, &thinned, |value, missing| {
                    sums.add(at % wide, at / wide, value, missing);
                    at += 1;
                })?;
            }
            Method::Whole | Method::Averaged => {
                let (columns, factor) = (columns.max(1) as usize, factor as usize);
                let (mut column, mut row) = (0, 0);
                numbers.each(array, selection, |value, missing| {
                    sums.add(column / factor, row / factor, value, missing);
                    column += 1;
                    if column == columns {
                        (column, row) = (0, row + 1);
                    }
                })?;
            }
        }
        Ok(Sample { grid: sums.into_grid(), factor, method })
    }

    /// Returns the sentence about the method; `None` if a pixel is an element.
    pub(crate) fn note(&self) -> Option<String> {
        let side = self.factor;
        match self.method {
            Method::Whole => None,
            Method::Averaged => Some(format!("averaged: a pixel is the mean of {side} x {side} elements")),
            Method::Sampled => Some(format!("sampled: a pixel is one element of {side} x {side}")),
        }
    }

    /// Returns the name of the method.
    pub(crate) fn name(&self) -> &'static str {
        match self.method {
            Method::Whole => "whole",
            Method::Averaged => "averaged",
            Method::Sampled => "sampled",
        }
    }
}
