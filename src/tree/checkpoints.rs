//! Lines and columns of byte positions in a text, for errors and for callers that ask for them.
//!
//! The first query scans the whole text once and records checkpoints. Later queries start at a checkpoint. So even
//! thousands of errors in a large tree are located quickly.

use once_cell::race::OnceBox;

/// Bytes between two checkpoints.
const STEP: usize = 4096;

/// Checkpoints of a text; empty until the first query.
#[derive(Clone, Debug, Default)]
pub(super) struct Checkpoints(OnceBox<Box<[Checkpoint]>>);

/// Number of newlines before a byte, and of characters between the last newline and the byte.
#[derive(Clone, Copy, Debug, Default)]
struct Checkpoint {
    lines: u32,
    characters: u32,
}

impl Checkpoint {
    fn after(self, bytes: &[u8]) -> Checkpoint {
        let (before, rest) = match memchr::memrchr(b'\n', bytes) {
            Some(newline) => (self.lines + memchr::memchr_iter(b'\n', bytes).count() as u32, &bytes[newline + 1..]),
            None => (self.lines, bytes),
        };
        let started = if before == self.lines { self.characters } else { 0 };
        // Count characters, not bytes: UTF-8 continuation bytes are excluded.
        let characters = rest.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32;
        Checkpoint { lines: before, characters: started + characters }
    }
}

impl Checkpoints {
    /// Like [`line_and_column`]; the text must be the same for each call.
    pub(super) fn find(&self, text: &str, first_line: u64, position: usize) -> (u64, u64) {
        let bytes = text.as_bytes();
        let position = position.min(bytes.len());
        let checkpoints = self.0.get_or_init(|| {
            let mut next = Checkpoint::default();
            let steps = bytes.chunks(STEP).map(|step| {
                let place = next;
                next = place.after(step);
                place
            });
            Box::new(steps.collect())
        });
        // If the text ends at a multiple of `STEP`, its end has no checkpoint of its own.
        let step = (position / STEP).min(checkpoints.len().saturating_sub(1));
        let place = checkpoints.get(step).copied().unwrap_or_default();
        let found = place.after(&bytes[step * STEP..position]);
        (first_line + u64::from(found.lines), u64::from(found.characters) + 1)
    }
}

/// Returns line and column (from 1, columns in characters) of a byte of `text`. `first_line` is the number of its first
/// line.
pub(crate) fn line_and_column(text: &str, first_line: u64, position: usize) -> (u64, u64) {
    let place = Checkpoint::default().after(&text.as_bytes()[..position.min(text.len())]);
    (first_line + u64::from(place.lines), u64::from(place.characters) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_found_as_by_counting() {
        let pieces = ["a", "é\n", "\u{20AC}", "xyz\r\n\n", "\u{1F600}"];
        let mut texts = vec![String::new(), "\n".into(), "é".repeat(STEP), "\n".repeat(STEP * 2)];
        texts.push((0..4000).map(|number| pieces[number * number % 7 % 5]).collect());
        for text in texts {
            let places = Checkpoints::default();
            let (mut line, mut column) = (1, 1);
            for (position, character) in text.char_indices().chain([(text.len(), ' ')]) {
                assert_eq!(places.find(&text, 1, position), (line, column), "{position}");
                if position % 97 == 0 {
                    assert_eq!(line_and_column(&text, 1, position), (line, column), "{position}");
                }
                (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
            }
            assert_eq!(places.find(&text, 1, usize::MAX), places.find(&text, 1, text.len()));
        }
    }
}
