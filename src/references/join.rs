//! The arrays of several files as one array.

use super::export::ExportedArray;
use super::options::Join;
use super::slabs::slab_shape;
use super::variable::{Part, PartBytes, Variable};
use crate::error::Result;

use super::stored::inexpressible;

/// Chunks smaller than this are not worth a reference each.
const SMALL_CHUNK: u64 = 1024;
/// Largest number of references to small chunks of an array.
const MOST_SMALL_CHUNKS: u64 = 65_536;
/// Largest number of references of an array.
const MOST_CHUNKS: u64 = 1 << 24;

/// Adds the part of a further file. Fails if the two do not make one array.
pub(super) fn add_part(variable: &mut Variable, next: Variable, join: &Join) -> Result<()> {
    let axis = existing_axis(variable, join)?;
    let differs = |what: &str| Err(inexpressible(format!("its {what} differs from that in the first file")));
    if variable.dtype != next.dtype {
        return differs("datatype");
    }
    if variable.filters != next.filters || variable.order != next.order {
        return differs("storage");
    }
    if variable.fill != next.fill {
        return differs("fill value");
    }
    let (Some(first), Some(part)) = (variable.parts.first(), next.parts.into_iter().next()) else { return Ok(()) };
    let is_same = |(at, (one, other)): (usize, (&i64, &i64))| one == other || axis == Some(at);
    if first.shape.len() != part.shape.len() || !first.shape.iter().zip(&part.shape).enumerate().all(is_same) {
        return differs("shape");
    }
    let fits = match (&first.bytes, &part.bytes) {
        (PartBytes::Plain(_), PartBytes::Plain(_)) => true,
        (PartBytes::Chunked { chunk: one, .. }, PartBytes::Chunked { chunk: other, .. }) => one == other,
        (PartBytes::Inline(_), PartBytes::Inline(_)) => first.shape == part.shape,
        _ => false,
    };
    if !fits {
        return differs("division into chunks");
    }
    variable.parts.push(part);
    Ok(())
}

/// Returns the dimension along which the parts follow one another, in the order of the bytes; `None` for a new one.
fn existing_axis(variable: &Variable, join: &Join) -> Result<Option<usize>> {
    match join {
        Join::New { .. } => Ok(None),
        Join::Existing { axis } => {
            let place = variable.order.iter().position(|of| of == axis);
            place.map(Some).ok_or_else(|| inexpressible(format!("it has no dimension {axis} to join the files along")))
        }
    }
}

/// Makes one array of all parts. A single part is not joined unless `is_joined`.
pub(super) fn joined(variable: Variable, join: &Join, is_joined: bool, slab_bytes: u64) -> Result<ExportedArray> {
    let existing = if is_joined { existing_axis(&variable, join)? } else { None };
    let chunk = chunk_of(&variable, existing, slab_bytes)?;
    check_remainders(&variable.parts, &chunk, existing)?;
    let mut counts = Vec::new();
    let mut shape = Vec::new();
    let first = variable.parts.first().map(|part| part.shape.clone()).unwrap_or_default();
    for (axis, &extent) in first.iter().enumerate() {
        let extents = variable.parts.iter().map(|part| part.shape[axis]);
        let total = match existing {
            Some(joined) if joined == axis => extents.fold(0_i64, i64::saturating_add),
            _ => extent,
        };
        shape.push(total);
        counts.push(count(total, chunk[axis]));
    }
    let mut array = ExportedArray::new(variable, chunk, shape, counts, existing);
    if is_joined && let Join::New { axis, dimension } = join {
        array.insert_axis((*axis).min(first.len()), dimension);
    }
    check_number(&array)?;
    Ok(array)
}

/// Returns the number of chunks along a dimension.
pub(super) fn count(extent: i64, chunk: i64) -> i64 {
    extent / chunk + i64::from(extent % chunk != 0)
}

fn chunk_of(variable: &Variable, existing: Option<usize>, slab_bytes: u64) -> Result<Vec<i64>> {
    let none = || inexpressible("it has no bytes");
    match variable.parts.first().map(|part| &part.bytes) {
        Some(PartBytes::Plain(_)) => {
            let wanted = (slab_bytes / variable.item_size).max(1).saturating_mul(variable.item_size);
            slab_shape(&variable.parts, existing, wanted).ok_or_else(none)
        }
        Some(PartBytes::Chunked { chunk, .. }) => Ok(chunk.clone()),
        Some(PartBytes::Inline(_)) => Ok(variable
            .parts
            .iter()
            .flat_map(|part| part.shape.iter().map(|&extent| extent.max(1)))
            .take(rank(variable))
            .collect()),
        None => Err(none()),
    }
}

fn rank(variable: &Variable) -> usize {
    variable.parts.first().map_or(0, |part| part.shape.len())
}

/// Fails if a part before the last one ends within a chunk.
fn check_remainders(parts: &[Part], chunk: &[i64], existing: Option<usize>) -> Result<()> {
    let Some(axis) = existing else { return Ok(()) };
    let before = &parts[..parts.len().saturating_sub(1)];
    if before.iter().any(|part| part.shape[axis] % chunk[axis] != 0) {
        return Err(inexpressible("a file before the last one ends within a chunk"));
    }
    Ok(())
}

fn check_number(array: &ExportedArray) -> Result<()> {
    let (number, size) = (array.len(), array.chunk_bytes());
    let refused = |number: u64| -> Result<()> {
        Err(inexpressible(format!("it would need {number} references to {size} bytes each")))
    };
    if number > MOST_CHUNKS || number > MOST_SMALL_CHUNKS && size < SMALL_CHUNK {
        return refused(number);
    }
    Ok(())
}
