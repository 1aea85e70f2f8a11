//! Changes the extents of a description, to create files smaller or larger than the original.

use super::CreateOptions;
use crate::error::{Error, Result, Status};
use crate::ndl::{Description, DimCoord, Dimension, Ndarray, Size, Storage};
use crate::reserve::collected;

/// Returns the description with the extents of the options.
///
/// Fails with [`Status::NotFound`] for a path name without an array or dimension coordinate. Fails with
/// [`Status::InvalidArgument`] for an array without unlimited dimensions of its own, for a fixed dimension coordinate
/// of size 0, and if the given values have another extent.
pub(super) fn with_extents(description: &Description, options: &CreateOptions) -> Result<Description> {
    let mut description = description.copied()?;
    for (path, extent) in &options.extents {
        resize(&mut description, path, *extent, options.extent).map_err(|error| error.at_path(path))?;
    }
    Ok(description)
}

/// Sets one extent. `default` is the extent of other unlimited dimensions without a stored extent.
fn resize(description: &mut Description, path: &str, extent: u64, default: u64) -> Result<()> {
    if let Some(dimcoord) = description.dimcoords.get_mut(path) {
        resize_dimcoord(dimcoord, extent)?;
        let size = dimcoord.size;
        for (other, ndarray) in description.ndarrays.iter_mut() {
            let is_along = |dimension: &Dimension| dimension.coordinate.as_deref() == Some(path);
            resize_ndarray(ndarray, is_along, size, extent, default).map_err(|error| error.at_path(other))?;
        }
        return Ok(());
    }
    let Some(ndarray) = description.ndarrays.get_mut(path) else {
        return Err(Error::new(Status::NotFound, "there is no dimension coordinate and no array with this path name"));
    };
    let is_own = |dimension: &Dimension| dimension.coordinate.is_none() && dimension.extent == Size::Unlimited;
    if !ndarray.shape.iter().flatten().any(is_own) {
        let message =
            "the array has no unlimited dimension of its own; to change a dimension coordinate, give its path name";
        return Err(Error::new(Status::InvalidArgument, message));
    }
    resize_ndarray(ndarray, is_own, Size::Unlimited, extent, default)
}

fn resize_dimcoord(dimcoord: &mut DimCoord, extent: u64) -> Result<()> {
    if dimcoord.value.as_ref().is_some_and(|value| value.shape() != [extent]) {
        return Err(other_values());
    }
    if dimcoord.size == Size::Unlimited {
        dimcoord.storage.size = Some(extent);
        return Ok(());
    }
    if extent == 0 {
        let message = "the size of a dimension coordinate must be at least 1, unless it is unlimited";
        return Err(Error::new(Status::InvalidArgument, message));
    }
    dimcoord.size = Size::Fixed(extent);
    dimcoord.storage.size = None;
    Ok(())
}

/// Sets the extent of the dimensions that `is_along` selects. `size` becomes their declared extent, `extent` the stored
/// one.
fn resize_ndarray(
    ndarray: &mut Ndarray,
    is_along: impl Fn(&Dimension) -> bool,
    size: Size,
    extent: u64,
    default: u64,
) -> Result<()> {
    let Ndarray { shape: Some(shape), storage: Storage { shape: stored, .. }, value, .. } = ndarray else {
        return Ok(());
    };
    let along = collected(shape.iter().map(|dimension| Ok(is_along(dimension))))?;
    if !along.contains(&true) {
        return Ok(());
    }
    let given = value.iter().flat_map(|value| value.shape().iter().zip(&along));
    if given.filter(|(_, along)| **along).any(|(&given, _)| given != extent) {
        return Err(other_values());
    }
    for (dimension, _) in shape.iter_mut().zip(&along).filter(|(_, along)| **along) {
        dimension.extent = size;
    }
    let mut extents = match stored.take() {
        Some(stored) => stored,
        None => collected(shape.iter().map(|dimension| Ok(dimension.extent.fixed().unwrap_or(default))))?,
    };
    for (stored, _) in extents.iter_mut().zip(&along).filter(|(_, along)| **along) {
        *stored = extent;
    }
    // The stored shape is given only if it differs from the declared one.
    let is_told = shape.iter().zip(&extents).any(|(dimension, &stored)| dimension.extent != Size::Fixed(stored));
    *stored = is_told.then_some(extents);
    Ok(())
}

fn other_values() -> Error {
    Error::new(Status::InvalidArgument, "the requested extent differs from the number of values in the description")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndl::{ReadOptions, TextOptions, parse};

    const TEXT: &str = "dimcoords:\n  t: {size: null, type: int8, storage: {size: 5}}\n  z: {size: 720, type: float32}\n\
                        \x20 b: {size: 2, type: string, value: [r, g]}\n\
                        ndarrays:\n  a: {shape: [t, z, null], type: int8}\n  c: {shape: [z, b], type: int8, storage: {shape: [10, 2]}}\n\
                        \x20 d: {shape: [null], type: int8, value: [1, 2]}\n";

    fn resized(extents: &[(&str, u64)]) -> Result<String> {
        let parsed = parse(TEXT.as_bytes(), &ReadOptions::default());
        assert!(parsed.is_valid());
        let extents = extents.iter().map(|(path, extent)| ((*path).to_owned(), *extent)).collect();
        let options = CreateOptions { extents, extent: 7, ..CreateOptions::default() };
        let text = with_extents(&parsed.description, &options)?.to_text(&TextOptions::default())?;
        let again = parse(text.as_bytes(), &ReadOptions::default());
        assert!(again.is_valid(), "{text} {:?}", again.diagnostics);
        Ok(text)
    }

    #[test]
    fn an_extent_applies_to_all_arrays_of_a_dimension() {
        let text = resized(&[("/t", 3), ("/z", 4), ("/d", 2)]).unwrap();
        let stored: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("s")).collect();
        assert_eq!(
            stored,
            [
                "size: null",
                "storage:",
                "size: 3",
                "size: 4",
                "size: 2",
                "shape: [t, z, null]",
                "storage:",
                "shape: [3, 4, 7]",
                "shape: [z, b]",
                "shape: [null]",
                "storage:",
                "shape: [2]"
            ]
        );
    }

    #[test]
    fn invalid_extents_are_refused() {
        for (path, extent, status, place) in [
            ("/x", 1, Status::NotFound, "/x"),
            ("/z", 0, Status::InvalidArgument, "/z"),
            ("/b", 3, Status::InvalidArgument, "/b"),
            ("/c", 3, Status::InvalidArgument, "/c"),
            ("/d", 3, Status::InvalidArgument, "/d"),
        ] {
            let error = resized(&[(path, extent)]).unwrap_err();
            assert_eq!((error.status(), error.location().path.as_deref()), (status, Some(place)));
        }
    }
}
