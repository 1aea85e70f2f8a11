//! Parts of arrays in the notation of numpy: `[10:20, ::4]`, `[-1]`, `[..., 0]`.

use super::failure::{Failure, Result};

/// A part of an array with a known shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    /// First index along each dimension.
    pub(crate) start: Vec<i64>,
    /// Number of elements along each dimension.
    pub(crate) count: Vec<i64>,
    /// Distance between indices along each dimension.
    pub(crate) step: Vec<i64>,
    /// True for each dimension that a single index removes.
    removed: Vec<bool>,
}

impl Selection {
    /// Selects all elements.
    pub(crate) fn all(shape: &[i64]) -> Selection {
        let rank = shape.len();
        Selection { start: vec![0; rank], count: shape.to_vec(), step: vec![1; rank], removed: vec![false; rank] }
    }

    /// Parses a region. As in numpy, slices are cut at the ends of the array, and indices beyond them are an error.
    pub(crate) fn parse(text: &str, shape: &[i64]) -> Result<Selection> {
        let wrong = |reason: &str| Failure::usage(format!("the region '{text}' is wrong: {reason}"));
        // Shells give a meaning to brackets, so they may be left out.
        let bare = Some(text.trim()).filter(|text| !text.is_empty() && !text.contains(['[', ']']));
        let inner = bare.or_else(|| text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']')));
        let inner = inner.ok_or_else(|| wrong("it has the form [10:20,::4]"))?;
        let mut parts: Vec<&str> = inner.split(',').map(str::trim).collect();
        // numpy allows a comma at the end.
        if parts.len() > 1 && parts.last() == Some(&"") {
            parts.pop();
        }
        let named = parts.iter().filter(|part| **part != "...").count();
        if parts.len() - named > 1 {
            return Err(wrong("it has more than one '...'"));
        }
        if named > shape.len() {
            return Err(wrong(&format!("the array has {} dimensions", shape.len())));
        }
        let mut selection = Selection::all(shape);
        let mut axis = 0;
        for part in parts {
            if part == "..." {
                axis += shape.len() - named;
                continue;
            }
            let extent = shape[axis];
            let number = |text: &str| -> Result<Option<i64>> {
                match text.trim() {
                    "" => Ok(None),
                    digits => digits.parse().map(Some).map_err(|_| wrong(&format!("'{digits}' is not an integer"))),
                }
            };
            let pieces: Vec<&str> = part.split(':').collect();
            match pieces[..] {
                [index] => {
                    let index = number(index)?.ok_or_else(|| wrong("an index is missing"))?;
                    let place = if index < 0 { index.saturating_add(extent) } else { index };
                    if !(0..extent).contains(&place) {
                        let reason = format!("index {index} is outside dimension {axis}, which has {extent} elements");
                        return Err(wrong(&reason));
                    }
                    (selection.start[axis], selection.count[axis]) = (place, 1);
                    selection.removed[axis] = true;
                }
                [first, last] | [first, last, _] => {
                    let step = pieces.get(2).map_or(Ok(None), |step| number(step))?.unwrap_or(1);
                    if step == 0 {
                        return Err(wrong("a step is 0"));
                    }
                    let (first, count) = slice(number(first)?, number(last)?, step, extent);
                    (selection.start[axis], selection.count[axis], selection.step[axis]) = (first, count, step);
                }
                _ => return Err(wrong("a slice has at most three numbers")),
            }
            axis += 1;
        }
        Ok(selection)
    }

    /// Returns the dimensions that no single index removes.
    pub(crate) fn kept(&self) -> Vec<usize> {
        (0..self.count.len()).filter(|dimension| !self.removed[*dimension]).collect()
    }

    /// Removes a dimension: of its elements only one stays, with a number within the selection.
    pub(crate) fn remove(&mut self, dimension: usize, number: i64) {
        self.start[dimension] += number * self.step[dimension];
        (self.count[dimension], self.step[dimension]) = (1, 1);
        self.removed[dimension] = true;
    }

    /// Returns the numbers of rows and columns: the extents of the last two dimensions that are not removed.
    pub(crate) fn plane(&self) -> [i64; 2] {
        match self.shape()[..] {
            [.., rows, columns] => [rows, columns],
            [columns] => [1, columns],
            [] => [1, 1],
        }
    }

    /// Selects every so-many-th element along the last two dimensions that are not removed, from the middle of the
    /// first ones on.
    pub(crate) fn every(&self, factor: i64) -> Selection {
        let mut thinned = self.clone();
        for dimension in self.kept().into_iter().rev().take(2) {
            let count = thinned.count[dimension];
            let first = (factor / 2).min((count - 1).rem_euclid(factor));
            thinned.start[dimension] += first * thinned.step[dimension];
            thinned.step[dimension] = thinned.step[dimension].saturating_mul(factor);
            thinned.count[dimension] = (count as u64).div_ceil(factor as u64) as i64;
        }
        thinned
    }

    /// Keeps the dimensions that single indices remove, with one element each.
    pub(crate) fn keep_all(&mut self) {
        self.removed.fill(false);
    }

    /// Returns the shape without the dimensions that single indices remove.
    pub(crate) fn shape(&self) -> Vec<i64> {
        let kept = self.count.iter().zip(&self.removed).filter(|(_, removed)| !**removed);
        kept.map(|(count, _)| *count).collect()
    }
}

/// Returns the first index and the number of elements of a slice, as Python's `slice.indices` does.
fn slice(first: Option<i64>, last: Option<i64>, step: i64, extent: i64) -> (i64, i64) {
    let (lowest, highest) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
    let within = |index: i64| {
        let index = if index < 0 { index.saturating_add(extent) } else { index };
        index.clamp(lowest, highest)
    };
    let first = first.map_or(if step > 0 { lowest } else { highest }, within);
    let last = last.map_or(if step > 0 { highest } else { lowest }, within);
    let distance = if step > 0 { last - first } else { first - last };
    let width = i64::try_from(step.unsigned_abs()).unwrap_or(i64::MAX);
    let count = if distance <= 0 { 0 } else { (distance - 1) / width + 1 };
    (if count == 0 { 0 } else { first }, count)
}

/// Splits a selection into pieces of consecutive elements in C order.
pub(crate) struct Pieces {
    start: Vec<i64>,
    count: Vec<i64>,
    step: Vec<i64>,
    /// Dimension that is cut. Pieces have one element along the dimensions before it and all along those after it.
    axis: usize,
    /// Number of elements of a piece along `axis`.
    most: i64,
    /// Index of the next piece within the selection, for the dimensions up to `axis`; `None` at the end.
    next: Option<Vec<i64>>,
}

impl Pieces {
    /// Splits a selection into pieces of at most `elements` elements.
    pub(crate) fn new(selection: &Selection, elements: i64) -> Pieces {
        let count = selection.count.clone();
        let mut axis = count.len().saturating_sub(1);
        let mut row: i64 = 1;
        while axis > 0 && row.saturating_mul(count[axis]) <= elements {
            row = row.saturating_mul(count[axis]);
            axis -= 1;
        }
        let next = if count.contains(&0) { None } else { Some(vec![0; (axis + 1).min(count.len())]) };
        let most = (elements / row.max(1)).max(1);
        Pieces { start: selection.start.clone(), step: selection.step.clone(), count, axis, most, next }
    }
}

impl Iterator for Pieces {
    /// First index and number of elements along each dimension.
    type Item = (Vec<i64>, Vec<i64>);

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.next.take()?;
        if index.is_empty() {
            return Some((Vec::new(), Vec::new()));
        }
        let (mut start, mut count) = (self.start.clone(), self.count.clone());
        for (dimension, &position) in index.iter().enumerate() {
            start[dimension] += position * self.step[dimension];
            count[dimension] = 1;
        }
        count[self.axis] = self.most.min(self.count[self.axis] - index[self.axis]);
        let mut following = index;
        following[self.axis] += count[self.axis];
        let mut dimension = self.axis;
        loop {
            if following[dimension] < self.count[dimension] {
                self.next = Some(following);
                break;
            }
            if dimension == 0 {
                break;
            }
            following[dimension] = 0;
            dimension -= 1;
            following[dimension] += 1;
        }
        Some((start, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, shape: &[i64]) -> (Vec<i64>, Vec<i64>, Vec<i64>, Vec<i64>) {
        let selection = Selection::parse(text, shape).unwrap();
        let shape = selection.shape();
        (selection.start, selection.count, selection.step, shape)
    }

    #[test]
    fn regions_select_as_in_numpy() {
        assert_eq!(parsed("[1:3, ::4]", &[5, 9]), (vec![1, 0], vec![2, 3], vec![1, 4], vec![2, 3]));
        assert_eq!(parsed("[-1]", &[5, 9]), (vec![4, 0], vec![1, 9], vec![1, 1], vec![9]));
        assert_eq!(parsed("[...,0]", &[5, 6, 9]), (vec![0, 0, 0], vec![5, 6, 1], vec![1, 1, 1], vec![5, 6]));
        assert_eq!(parsed("[::-2]", &[5]), (vec![4], vec![3], vec![-2], vec![3]));
        assert_eq!(parsed("[-100:100]", &[5]), (vec![0], vec![5], vec![1], vec![5]));
        assert_eq!(parsed("[4:2]", &[5]), (vec![0], vec![0], vec![1], vec![0]));
        assert_eq!(parsed("[2::9223372036854775807]", &[5]).1, [1]);
        for wrong in ["", "[1:2", "[1,2]", "[5]", "[-6]", "[::0]", "[a]", "[1:2:3:4]", "[...,...]", "[]"] {
            assert!(matches!(Selection::parse(wrong, &[5]), Err(Failure::Usage(_))), "{wrong}");
        }
    }

    #[test]
    fn every_square_has_one_element() {
        for (extent, factor) in [(10, 3), (9, 3), (1, 7), (7, 7), (8, 7), (40_000, 41)] {
            let thinned = Selection::all(&[2, extent]).every(factor);
            assert_eq!(thinned.count[1], (extent + factor - 1) / factor);
            let last = thinned.start[1] + (thinned.count[1] - 1) * thinned.step[1];
            assert!(last < extent && last / factor == thinned.count[1] - 1, "{extent} {factor}");
        }
        let mut cube = Selection::parse("[::-1]", &[5, 6, 7]).unwrap();
        cube.remove(0, 1);
        assert_eq!((cube.start[0], cube.kept(), cube.plane()), (3, vec![1, 2], [6, 7]));
    }

    #[test]
    fn pieces_cover_a_selection_in_order() {
        for shape in [&[][..], &[7], &[3, 4, 5], &[2, 0, 3], &[1, 1, 9]] {
            for most in [1, 2, 5, 7, 21, 1000] {
                let total: i64 = shape.iter().product();
                let pieces: Vec<_> = Pieces::new(&Selection::all(shape), most).collect();
                let sizes: Vec<i64> = pieces.iter().map(|(_, count)| count.iter().product()).collect();
                assert_eq!(sizes.iter().sum::<i64>(), total, "{shape:?} {most}");
                assert!(sizes.iter().all(|size| *size <= most));
                let mut expected = 0;
                for ((start, _), size) in pieces.iter().zip(&sizes) {
                    let flat = start.iter().zip(shape).fold(0, |flat, (index, extent)| flat * extent + index);
                    assert_eq!(flat, expected);
                    expected += size;
                }
            }
        }
    }
}
