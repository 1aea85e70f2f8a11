//! A picture as pixels.

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// A picture as pixels, the top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    width: usize,
    height: usize,
    pixels: Vec<Rgb>,
}

impl Raster {
    /// Makes a picture of one colour.
    pub fn new(width: usize, height: usize, colour: Rgb) -> Raster {
        Raster { width, height, pixels: vec![colour; width.saturating_mul(height)] }
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the colour of a pixel; black outside of the picture.
    pub fn pixel(&self, column: usize, row: usize) -> Rgb {
        let inside = column < self.width && row < self.height;
        self.pixels.get(row * self.width + column).copied().filter(|_| inside).unwrap_or_default()
    }

    /// Sets the colour of a pixel, if it is in the picture.
    pub fn set_pixel(&mut self, column: usize, row: usize, colour: Rgb) {
        if column < self.width && row < self.height {
            self.pixels[row * self.width + column] = colour;
        }
    }

    /// Returns the bytes of all pixels.
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Returns the picture with other numbers of columns and rows. Larger pictures repeat pixels, smaller ones average
    /// them.
    pub fn resized(&self, width: usize, height: usize) -> Raster {
        let mut out = Raster::new(width, height, [0; 3]);
        if self.pixels.is_empty() {
            return out;
        }
        for row in 0..height {
            for column in 0..width {
                out.set_pixel(column, row, self.mean(part(column, width, self.width), part(row, height, self.height)));
            }
        }
        out
    }

    fn mean(&self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> Rgb {
        let mut sums = [0_u64; 3];
        let count = (columns.len() * rows.len()) as u64;
        for row in rows {
            for column in columns.clone() {
                let pixel = self.pixel(column, row);
                sums.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += u64::from(part));
            }
        }
        sums.map(|sum| ((sum + count / 2) / count.max(1)) as u8)
    }
}

/// Returns the old pixels that a new one stands for; at least one.
fn part(index: usize, count: usize, old: usize) -> std::ops::Range<usize> {
    let start = (index * old / count.max(1)).min(old - 1);
    let end = ((index + 1) * old / count.max(1)).clamp(start + 1, old);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_resized() {
        let mut raster = Raster::new(2, 2, [0; 3]);
        raster.set_pixel(1, 0, [100, 200, 40]);
        assert_eq!(raster.resized(4, 4).pixel(3, 1), [100, 200, 40]);
        assert_eq!(raster.resized(1, 1).pixel(0, 0), [25, 50, 10]);
        assert_eq!(Raster::new(0, 0, [0; 3]).resized(2, 1).bytes(), [0; 6]);
    }
}
