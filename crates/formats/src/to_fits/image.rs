//! Arrays as the data of images.

use super::output::Output;
use crate::core::Array;
use crate::element::Element;
use crate::failure::{Result, zeros};
use crate::fits::image::ImageForm;

/// Number of bytes that are converted at a time: what the caches of a processor hold.
const PIECE: usize = 1 << 18;

/// A region of an array.
pub(crate) struct Region {
    pub(crate) start: Vec<i64>,
    pub(crate) count: Vec<i64>,
    /// Number of elements.
    pub(crate) elements: usize,
}

/// Divides an array into regions that follow one another in C order, of at most some number of elements each.
pub(crate) fn regions(shape: &[i64], most: usize) -> Vec<Region> {
    let extents: Vec<usize> = shape.iter().map(|&extent| usize::try_from(extent).unwrap_or(0)).collect();
    if extents.contains(&0) {
        return Vec::new();
    }
    // The axis along which whole slabs of the later axes fit.
    let mut slab = 1;
    let mut axis = extents.len();
    while axis > 0 && slab * extents[axis - 1] <= most.max(1) {
        axis -= 1;
        slab *= extents[axis];
    }
    let Some(split) = axis.checked_sub(1) else {
        return vec![Region { start: vec![0; shape.len()], count: shape.to_vec(), elements: slab }];
    };
    let step = (most / slab).max(1);
    let mut all = Vec::new();
    let outer: usize = extents[..split].iter().product();
    for outer in 0..outer {
        let mut index = vec![0_i64; shape.len()];
        let mut rest = outer;
        for axis in (0..split).rev() {
            index[axis] = i64::try_from(rest % extents[axis]).unwrap_or(0);
            rest /= extents[axis];
        }
        for first in (0..extents[split]).step_by(step) {
            let length = step.min(extents[split] - first);
            let mut start = index.clone();
            start[split] = i64::try_from(first).unwrap_or(0);
            let mut count = vec![1_i64; shape.len()];
            count[split] = i64::try_from(length).unwrap_or(0);
            count[split + 1..].copy_from_slice(&shape[split + 1..]);
            all.push(Region { start, count, elements: length * slab });
        }
    }
    all
}

/// Writes the elements of an array as an image in a form.
pub(crate) fn write_pixels(array: &Array, form: ImageForm, output: &mut Output) -> Result<()> {
    let size = form.stored_size();
    let mut stored: Vec<u8> = zeros(PIECE)?;
    // The core converts types and fills in missing elements; otherwise the stored bytes go straight to the file.
    let is_direct = array.code()? == form.element().code() && !array.has_mask();
    if is_direct
        && let Some(result) = array.with_stored(size, |bytes, is_big| {
            let mut swapped: Vec<u8> = zeros(PIECE)?;
            for piece in bytes.chunks(PIECE) {
                let stored = &mut stored[..piece.len()];
                if is_big == cfg!(target_endian = "big") {
                    form.encode(piece, stored);
                } else {
                    crate::element::swap_into(size, piece, &mut swapped[..piece.len()]);
                    form.encode(&swapped[..piece.len()], stored);
                }
                output.bytes(stored)?;
            }
            Ok(())
        })
    {
        return result;
    }
    let shape = array.shape()?;
    let missing = missing_value(array, form.element());
    let mut elements: Vec<u8> = Vec::new();
    let mut mask: Vec<u8> = Vec::new();
    for region in regions(&shape, PIECE / size) {
        elements.resize(region.elements * size, 0);
        stored.resize(region.elements * size, 0);
        mask.resize(if missing.is_some() { region.elements } else { 0 }, 0);
        let wanted = (!mask.is_empty()).then_some(mask.as_mut_slice());
        array.read(&region.start, &region.count, form.element().code(), &mut elements, wanted)?;
        if let Some(value) = &missing {
            for (element, _) in elements.chunks_exact_mut(size).zip(&mask).filter(|(_, missing)| **missing != 0) {
                element.copy_from_slice(value);
            }
        }
        form.encode(&elements, &mut stored);
        output.bytes(&stored)?;
    }
    Ok(())
}

/// Value of a missing element in native byte order; `None` if there is none.
pub(crate) fn missing_value(array: &Array, element: Element) -> Option<Vec<u8>> {
    if !array.has_mask() {
        return None;
    }
    Some(match element {
        Element::Float32 => f32::NAN.to_ne_bytes().to_vec(),
        Element::Float64 => f64::NAN.to_ne_bytes().to_vec(),
        Element::Complex64 => f32::NAN.to_ne_bytes().repeat(2),
        Element::Complex128 => f64::NAN.to_ne_bytes().repeat(2),
        Element::Int16 => i16::MIN.to_ne_bytes().to_vec(),
        Element::Int32 => i32::MIN.to_ne_bytes().to_vec(),
        Element::Int64 => i64::MIN.to_ne_bytes().to_vec(),
        other => vec![0xff; other.size()],
    })
}

/// Value of BLANK for the missing elements of an image; `None` for types whose images cannot have one.
pub(crate) fn blank(element: Element) -> Option<i64> {
    match element {
        Element::Uint8 => Some(255),
        Element::Int16 => Some(i16::MIN.into()),
        Element::Int32 => Some(i32::MIN.into()),
        Element::Int64 => Some(i64::MIN),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::regions;

    #[test]
    fn regions_cover_an_array_in_order() {
        for (shape, most) in [(vec![5, 4, 3], 7), (vec![1, 1, 100], 9), (vec![3], 100), (vec![2, 3], 1), (vec![], 4)] {
            let mut next = 0;
            for region in regions(&shape, most) {
                let mut offset = 0;
                for (axis, &start) in region.start.iter().enumerate() {
                    offset = offset * shape[axis] + start;
                }
                assert_eq!(offset, next, "{shape:?}");
                assert_eq!(region.count.iter().product::<i64>(), region.elements as i64);
                next += region.elements as i64;
            }
            assert_eq!(next, shape.iter().product::<i64>());
        }
    }
}
