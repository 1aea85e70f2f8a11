//! The directions of north and east in an image of the sky.

use super::scene::Point;
use super::sky::SkyGrid;

/// Unit vectors in the picture, with y downward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Compass {
    pub(super) north: Point,
    pub(super) east: Point,
}

impl Compass {
    /// Returns the directions in the middle of an image; `None` where the sky is unknown or degenerate. `size` is that
    /// of the image in pixels.
    pub(super) fn of(grid: &SkyGrid, size: [f64; 2], is_upward: bool) -> Option<Compass> {
        if grid.columns < 2 || grid.rows < 2 {
            return None;
        }
        let longitudes = grid.unwrapped();
        let (column, row) = ((grid.columns - 1) / 2, (grid.rows - 1) / 2);
        let at = |values: &[f64], column: usize, row: usize| {
            values.get(row * grid.columns + column).copied().filter(|value| value.is_finite())
        };
        let (right, above) = ((column + 1).min(grid.columns - 1), (row + 1).min(grid.rows - 1));
        let latitude = at(&grid.latitudes, column, row)?;
        let shrink = latitude.to_radians().cos();
        let gradient = |column_to: usize, row_to: usize| -> Option<[f64; 2]> {
            let east = at(&longitudes, column_to, row_to)? - at(&longitudes, column, row)?;
            let north = at(&grid.latitudes, column_to, row_to)? - latitude;
            Some([east * shrink, north])
        };
        // Change of east and north by a pixel along x and along y.
        let (across, up) = (gradient(right, row)?, gradient(column, above)?);
        let pixels = [size[0] / (grid.columns - 1) as f64, size[1] / (grid.rows - 1) as f64];
        let [[a, c], [b, d]] = [across.map(|part| part / pixels[0]), up.map(|part| part / pixels[1])];
        let determinant = a * d - b * c;
        let down = if is_upward { -1.0 } else { 1.0 };
        let direction = |east: f64, north: f64| -> Option<Point> {
            let (x, y) = ((d * east - b * north) / determinant, (a * north - c * east) / determinant);
            let length = x.hypot(y);
            (length.is_finite() && length > 0.0).then(|| [x / length, down * y / length])
        };
        Some(Compass { north: direction(0.0, 1.0)?, east: direction(1.0, 0.0)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn north_is_up_and_east_to_the_left() {
        let grid = SkyGrid {
            columns: 2,
            rows: 2,
            longitudes: vec![10.0, 9.0, 10.0, 9.0],
            latitudes: vec![0.0, 0.0, 1.0, 1.0],
            ..SkyGrid::default()
        };
        let compass = Compass::of(&grid, [100.0, 100.0], true).unwrap();
        assert!((compass.north[1] + 1.0).abs() < 1e-12 && compass.north[0].abs() < 1e-12);
        assert!((compass.east[0] + 1.0).abs() < 1e-12);
        assert!((Compass::of(&grid, [100.0, 100.0], false).unwrap().north[1] - 1.0).abs() < 1e-12);
        let flat = SkyGrid { latitudes: vec![0.0; 4], ..grid };
        assert_eq!(Compass::of(&flat, [100.0, 100.0], true), None);
    }
}
