//! Checksums of HDUs: the cards `DATASUM` and `CHECKSUM` (FITS standard 4.0, appendix J), and the hash of headers that
//! `stdatamodels` keeps in the tree.

use super::cards::Cards;
use super::file::FitsFile;
use super::hdu::Hdu;
use super::header::BLOCK;
use crate::error::Result;
use crate::progress;
use crate::source::{Source, read_exact_at, try_zeroed};
use sha2::{Digest, Sha256};
use std::ops::Range;

/// Bytes that are summed at a time: whole words.
const PIECE: u64 = 64 * BLOCK;
/// Value of `CHECKSUM` while the sum is computed.
const ZEROS: &str = "0000000000000000";

/// Ones' complement sum of 32-bit big-endian words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum(u32);

impl Sum {
    /// Adds bytes. Missing bytes of the last word count as zeros.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<4>();
        let mut sum: u64 =
            words.iter().map(|word| u64::from(u32::from_be_bytes(*word))).sum::<u64>() + u64::from(self.0);
        let mut last = [0; 4];
        last.iter_mut().zip(rest).for_each(|(byte, rest)| *byte = *rest);
        sum += u64::from(u32::from_be_bytes(last));
        while sum > u64::from(u32::MAX) {
            sum = (sum & u64::from(u32::MAX)) + (sum >> 32);
        }
        self.0 = sum as u32;
    }

    /// Returns the sum of bytes of a source. Bytes after the end of the source count as zeros.
    pub(super) fn of_range(source: &dyn Source, range: Range<u64>) -> Result<Sum> {
        let (mut sum, end) = (Sum::default(), range.end.min(source.len()));
        let mut buffer = try_zeroed(PIECE.min(end.saturating_sub(range.start)) as usize)?;
        let mut at = range.start;
        while at < end {
            progress::check()?;
            let count = (end - at).min(PIECE) as usize;
            let piece = buffer.get_mut(..count).unwrap_or_default();
            read_exact_at(source, at, piece)?;
            sum.add(piece);
            at += count as u64;
        }
        Ok(sum)
    }

    /// Returns the text whose bytes, in the place of the value of `CHECKSUM`, make the sum of the HDU -0.
    fn encoded(self) -> String {
        let complement = (!self.0).to_be_bytes();
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric();
        let mut text = [b'0'; 16];
        for (place, byte) in complement.into_iter().enumerate() {
            let mut four = [byte / 4 + b'0'; 4];
            four[0] += byte % 4;
            // Pairs keep their sums while punctuation is avoided.
            for pair in four.as_chunks_mut::<2>().0 {
                while !pair.iter().all(|&byte| is_letter(byte)) {
                    pair[0] += 1;
                    pair[1] -= 1;
                }
            }
            for (number, letter) in four.into_iter().enumerate() {
                // The value begins at the last byte of a word.
                text[(4 * number + place + 1) % 16] = letter;
            }
        }
        text.iter().map(|&letter| char::from(letter)).collect()
    }
}

impl Cards {
    /// Renews the checksums, if the header has them. `data` is the sum of the data.
    pub(super) fn set_sums(&mut self, data: Sum) {
        self.set_text("DATASUM", &data.0.to_string());
        if self.has("CHECKSUM") {
            self.set_text("CHECKSUM", ZEROS);
            let mut sum = data;
            sum.add(self.bytes());
            self.set_text("CHECKSUM", &sum.encoded());
        }
    }

    /// Returns whether the header has checksums.
    pub(super) fn has_sums(&self) -> bool {
        self.has("DATASUM") || self.has("CHECKSUM")
    }
}

/// Returns the hash of headers, as `stdatamodels` keeps it in the tree.
pub(crate) fn hash_of<'a>(headers: impl Iterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    headers.for_each(|header| hasher.update(header));
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl FitsFile {
    /// Returns the hash of the headers of all HDUs except that with ASDF, as `stdatamodels` keeps it in the tree.
    /// `changed` are headers that replace those of the file, by number of the HDU.
    pub(crate) fn hash_of_headers(&self, changed: &[(usize, Vec<u8>)]) -> Result<String> {
        let mut headers = Vec::new();
        for hdu in self.hdus.iter().filter(|hdu| hdu.data != self.asdf().start) {
            headers.push(match changed.iter().find(|(number, _)| *number == hdu.header.hdu) {
                Some((_, header)) => header.clone(),
                None => Cards::read(&*self.source, hdu.header_range())?.bytes().to_vec(),
            });
        }
        Ok(hash_of(headers.iter().map(Vec::as_slice)))
    }

    /// Returns the number of the HDU whose data include a byte of the file.
    pub(crate) fn hdu_at(&self, offset: u64) -> Option<usize> {
        self.hdus.iter().position(|hdu| (hdu.data..hdu.data + hdu.length).contains(&offset))
    }

    /// Returns the place and the new bytes of a header whose checksums must be renewed, because its data have changed;
    /// `None` if it has no checksums. `source` has the new data.
    pub(crate) fn renewed_sums(&self, hdu: usize, source: &dyn Source) -> Result<Option<(u64, Vec<u8>)>> {
        let Some(hdu) = self.hdus.get(hdu) else { return Ok(None) };
        let mut cards = Cards::read(source, hdu.header_range())?;
        if !cards.has_sums() {
            return Ok(None);
        }
        cards.set_sums(hdu.sum_of_data(source)?);
        Ok(Some((hdu.header.start, cards.bytes().to_vec())))
    }
}

impl Hdu {
    /// Returns the bytes of the header in the file.
    pub(super) fn header_range(&self) -> Range<u64> {
        self.header.start..self.header.end
    }

    fn sum_of_data(&self, source: &dyn Source) -> Result<Sum> {
        Sum::of_range(source, self.data..self.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hdu_with_its_checksum_has_the_sum_minus_zero() {
        for seed in 0..200_u32 {
            let data: Vec<u8> = (0..BLOCK as u32).map(|at| (at.wrapping_mul(seed * 77 + 13) >> 5) as u8).collect();
            let mut sum = Sum::default();
            data.chunks(92).for_each(|piece| sum.add(piece));
            let mut cards = Cards::new();
            cards.add_text("XTENSION", "IMAGE", "");
            cards.add_text("CHECKSUM", "", "HDU checksum");
            cards.add_text("DATASUM", "", "data unit checksum");
            let mut cards = cards.end();
            cards.set_sums(sum);
            let mut whole = sum;
            whole.add(cards.bytes());
            assert_eq!(whole, Sum(u32::MAX));
            assert!(
                cards.bytes()[80..].starts_with(b"CHECKSUM= '") && cards.bytes()[160..].starts_with(b"DATASUM = '")
            );
        }
    }
}
