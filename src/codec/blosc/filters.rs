//! Blosc filters, which are applied to a block before compression: byte shuffle, bit shuffle and delta.

/// Undoes the byte shuffle. Bytes after the last whole element are copied unchanged.
pub(super) fn unshuffle(type_size: usize, from: &[u8], to: &mut [u8]) {
    match type_size {
        2 => unshuffle_elements::<2>(from, to),
        4 => unshuffle_elements::<4>(from, to),
        8 => unshuffle_elements::<8>(from, to),
        16 => unshuffle_elements::<16>(from, to),
        _ => {
            let count = from.len() / type_size;
            for (byte, plane) in from.chunks_exact(count.max(1)).take(type_size).enumerate() {
                for (element, &value) in to.chunks_exact_mut(type_size).zip(plane) {
                    element[byte] = value;
                }
            }
            copy_rest(count * type_size, from, to);
        }
    }
}

/// Undoes the byte shuffle for groups of 64 elements, so that the bytes read and written stay in the cache.
fn unshuffle_elements<const N: usize>(from: &[u8], to: &mut [u8]) {
    const GROUP: usize = 64;
    let count = from.len() / N;
    let (elements, _) = to.as_chunks_mut::<N>();
    for (number, group) in elements.chunks_mut(GROUP).enumerate() {
        for byte in 0..N {
            let plane = from.get(byte * count + number * GROUP..).unwrap_or_default();
            for (element, &value) in group.iter_mut().zip(plane) {
                element[byte] = value;
            }
        }
    }
    copy_rest(count * N, from, to);
}

/// Shuffles bytes: the first bytes of all elements come first, then all second bytes, and so on.
pub(super) fn shuffle(type_size: usize, from: &[u8], to: &mut [u8]) {
    let count = from.len() / type_size;
    for (byte, plane) in to.chunks_exact_mut(count.max(1)).take(type_size).enumerate() {
        for (value, element) in plane.iter_mut().zip(from.chunks_exact(type_size)) {
            *value = element[byte];
        }
    }
    copy_rest(count * type_size, from, to);
}

/// Shuffles bits: the first bits of all elements come first, then all second bits, and so on. The other rules are those
/// of [`unshuffle_bits`].
pub(super) fn shuffle_bits(type_size: usize, all_or_none: bool, from: &[u8], to: &mut [u8]) {
    let shuffled = bit_shuffled(type_size, all_or_none, from.len());
    let row = shuffled / 8;
    for (group, elements) in from.chunks_exact(8 * type_size).take(row).enumerate() {
        for byte in 0..type_size {
            let mut values = [0; 8];
            for (element, value) in values.iter_mut().enumerate() {
                *value = elements[element * type_size + byte];
            }
            for (bit, value) in transposed(values).into_iter().enumerate() {
                if let Some(place) = to.get_mut((8 * byte + bit) * row + group) {
                    *place = value;
                }
            }
        }
    }
    copy_rest(shuffled * type_size, from, to);
}

/// Returns the number of elements whose bits are shuffled, in a block of `size` bytes.
fn bit_shuffled(type_size: usize, all_or_none: bool, size: usize) -> usize {
    let count = size / type_size;
    if all_or_none && !count.is_multiple_of(8) { 0 } else { count - count % 8 }
}

/// Undoes the bit shuffle. Only whole groups of eight elements are shuffled; the remaining elements are copied
/// unchanged. With `all_or_none`, nothing is shuffled unless the number of elements is a multiple of eight.
pub(super) fn unshuffle_bits(type_size: usize, all_or_none: bool, from: &[u8], to: &mut [u8]) {
    let shuffled = bit_shuffled(type_size, all_or_none, from.len());
    // A row holds one bit of every element.
    let row = shuffled / 8;
    if row > 0 {
        for (group, elements) in to.chunks_exact_mut(8 * type_size).take(row).enumerate() {
            for byte in 0..type_size {
                let mut bits = [0; 8];
                for (bit, value) in bits.iter_mut().enumerate() {
                    *value = from.get((8 * byte + bit) * row + group).copied().unwrap_or_default();
                }
                for (element, value) in transposed(bits).into_iter().enumerate() {
                    elements[element * type_size + byte] = value;
                }
            }
        }
    }
    copy_rest(shuffled * type_size, from, to);
}

/// Transposes a matrix of 8 × 8 bits. The rows are bytes; the lowest bit is the first column.
fn transposed(rows: [u8; 8]) -> [u8; 8] {
    let mut x = u64::from_le_bytes(rows);
    let mut t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^= t ^ (t << 28);
    x.to_le_bytes()
}

/// Undoes the delta filter, which combines values by exclusive or. In the first block an element is combined with the
/// element before it, in other blocks with the bytes at the same place of the first block, `reference`.
pub(super) fn undo_delta(type_size: usize, reference: Option<&[u8]>, block: &mut [u8]) {
    // Elements of other sizes are treated as 8-byte words, or as bytes if their size is not a multiple of 8.
    let step = match type_size {
        1 | 2 | 4 | 8 => type_size,
        _ if type_size.is_multiple_of(8) => 8,
        _ => 1,
    };
    let length = block.len() / step * step;
    match reference {
        Some(reference) => {
            block.iter_mut().take(length).zip(reference).for_each(|(value, other)| *value ^= other);
        }
        None => {
            for index in step..length {
                block[index] ^= block[index - step];
            }
        }
    }
}

fn copy_rest(start: usize, from: &[u8], to: &mut [u8]) {
    if let (Some(from), Some(to)) = (from.get(start..), to.get_mut(start..)) {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_undone_by_words() {
        let undone = |type_size, reference: Option<&[u8]>, bytes: &[u8]| {
            let mut block = bytes.to_vec();
            undo_delta(type_size, reference, &mut block);
            block
        };
        assert_eq!(undone(1, None, &[1, 2, 4]), [1, 3, 7]);
        assert_eq!(undone(3, None, &[1, 2, 4]), [1, 3, 7]);
        assert_eq!(undone(2, None, &[1, 2, 4, 8, 16]), [1, 2, 5, 10, 16]);
        assert_eq!(undone(4, None, &[1, 2, 4, 8, 16, 0, 0, 0]), [1, 2, 4, 8, 17, 2, 4, 8]);
        let words = [[1; 8], [2; 8], [4; 8]].concat();
        for type_size in [8, 16, 24] {
            assert_eq!(undone(type_size, None, &words), [[1; 8], [3; 8], [7; 8]].concat(), "{type_size}");
        }
        assert_eq!(undone(2, Some(&[1, 2, 3, 4, 5]), &[1, 1, 1, 1, 1]), [0, 3, 2, 5, 1]);
    }

    #[test]
    fn shuffled_bytes_come_back() {
        for type_size in [2, 3, 4, 7, 8, 16, 24, 255] {
            for length in [0, 1, type_size - 1, type_size, 5 * type_size + 1, 131 * type_size + type_size / 2] {
                let data: Vec<u8> = (0..length).map(|index| (index * 31 % 251) as u8).collect();
                let (mut shuffled, mut back) = (vec![0; length], vec![0; length]);
                shuffle(type_size, &data, &mut shuffled);
                unshuffle(type_size, &shuffled, &mut back);
                assert_eq!(back, data, "{type_size} {length}");
                for all_or_none in [false, true] {
                    shuffle_bits(type_size, all_or_none, &data, &mut shuffled);
                    unshuffle_bits(type_size, all_or_none, &shuffled, &mut back);
                    assert_eq!(back, data, "{type_size} {length} {all_or_none}");
                }
            }
        }
    }

    #[test]
    fn bits_are_mirrored() {
        let rows = [1, 2, 4, 8, 16, 32, 64, 128];
        assert_eq!(transposed(rows), rows);
        assert_eq!(transposed([0xFF, 0, 0, 0, 0, 0, 0, 0]), [1; 8]);
        assert_eq!(transposed(transposed([3, 1, 4, 1, 5, 9, 2, 6])), [3, 1, 4, 1, 5, 9, 2, 6]);
    }
}
