//! Streams of HCOMPRESS, read without their pixels. A stream has the bit planes of four quadrants, each plane as a tree of
//! codes for 2 × 2 pixels, and then a sign for each pixel that is not zero.

use super::bits::Bits;

/// First bytes of a stream, and the size of what stands before its bits.
const MAGIC: [u8; 2] = [0xdd, 0x99];
const HEADER: usize = 25;
/// Forms of a bit plane: codes alone, or a tree.
const PLAIN: u32 = 0;
const TREE: u32 = 15;

/// Walks a stream. Returns `None` unless it begins as one for this number of pixels, and is whole.
pub(super) fn walk(stream: &[u8], pixels: usize) -> Option<()> {
    let (header, data) = stream.split_at_checked(HEADER)?;
    let number = |at: usize| header[at..at + 4].iter().fold(0, |number, byte| number << 8 | usize::from(*byte));
    let (rows, columns) = (number(2), number(6));
    // Encoders write no tile with one row or column: some of its quadrants would be empty.
    let fits = header.starts_with(&MAGIC) && rows > 1 && columns > 1 && rows.checked_mul(columns) == Some(pixels);
    let planes: [u8; 3] = header[22..].try_into().ok().filter(|_| fits)?;
    if planes.iter().any(|&planes| planes >= 64) {
        return None;
    }
    let (upper, left) = (rows.div_ceil(2), columns.div_ceil(2));
    let mut bits = Bits::new(data);
    let mut signs = 0;
    for (rows, columns, planes) in [
        (upper, left, planes[0]),
        (upper, columns / 2, planes[1]),
        (rows / 2, left, planes[1]),
        (rows / 2, columns / 2, planes[2]),
    ] {
        signs += walk_quadrant(&mut bits, rows, columns, planes)?;
    }
    if bits.take(4)? != 0 {
        return None;
    }
    bits.align();
    bits.skip(signs)
}

/// Walks the bit planes of a quadrant. Returns the number of pixels that are not zero.
fn walk_quadrant(bits: &mut Bits, rows: usize, columns: usize, planes: u8) -> Option<usize> {
    let (code_rows, code_columns) = (rows.div_ceil(2), columns.div_ceil(2));
    let mut set = zeros(code_rows.checked_mul(code_columns)?)?;
    for _ in 0..planes {
        match bits.take(4)? {
            PLAIN => {
                for set in &mut set {
                    *set |= bits.take(4)? as u8;
                }
            }
            TREE => {
                let codes = tree(bits, rows, columns)?;
                set.iter_mut().zip(&codes).for_each(|(set, code)| *set |= code);
            }
            _ => return None,
        }
    }
    // Bits of a code from the highest one on: a pixel, its right neighbour, and those below. Some lie beyond the edges.
    let mut pixels = 0;
    for (row, codes) in set.chunks(code_columns).enumerate() {
        let rows_of_code = if 2 * row + 1 < rows { 0b1111 } else { 0b1100 };
        for (column, code) in codes.iter().enumerate() {
            let columns_of_code = if 2 * column + 1 < columns { 0b1111 } else { 0b1010 };
            pixels += (code & rows_of_code & columns_of_code).count_ones() as usize;
        }
    }
    Some(pixels)
}

/// Walks a tree. Returns its codes of 2 × 2 pixels.
fn tree(bits: &mut Bits, rows: usize, columns: usize) -> Option<Vec<u8>> {
    let levels = rows.max(columns).next_power_of_two().trailing_zeros();
    let mut codes = vec![huffman(bits)?];
    for level in (1..levels).rev() {
        // Extents of the codes at this level: halves of the quadrant, rounded up.
        let (level_rows, level_columns) = (rows.div_ceil(1 << level), columns.div_ceil(1 << level));
        let parents = level_columns.div_ceil(2);
        let mut next = zeros(level_rows.checked_mul(level_columns)?)?;
        for (row, line) in next.chunks_mut(level_columns).enumerate().rev() {
            let parents = codes.get(row / 2 * parents..)?;
            for (column, code) in line.iter_mut().enumerate().rev() {
                if parents.get(column / 2)? & (8 >> (row % 2 * 2 + column % 2)) != 0 {
                    *code = huffman(bits)?;
                }
            }
        }
        codes = next;
    }
    Some(codes)
}

/// Reads a code by its Huffman code.
fn huffman(bits: &mut Bits) -> Option<u8> {
    let short = bits.take(3)?;
    if short < 4 {
        return Some(1 << short);
    }
    let mut code = short;
    for (last, values) in [(13, &[3, 5, 10, 12, 15][..]), (31, &[6, 7, 9, 11, 13])] {
        code = code << 1 | bits.take(1)?;
        if code < last {
            return values.get((code + values.len() as u32 - last) as usize).copied();
        }
    }
    Some(if bits.take(1)? == 0 { 0 } else { 14 })
}

fn zeros(count: usize) -> Option<Vec<u8>> {
    crate::failure::zeros(count).ok()
}
