//! File positions of the lines of a text that was taken out of its file line by line.

use super::checkpoints::Checkpoints;
use super::line_and_column;

/// Start of one line of the text.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Byte position in the text.
    start: usize,
    /// Byte offset in the file.
    offset: u64,
    /// Line of the file, from 1.
    number: u64,
    /// Column of that line in characters, from 1.
    column: u64,
}

/// File positions of all lines of a text, in order, from its first line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines(Vec<Line>);

impl Lines {
    /// Records that the text from this byte on begins at this offset, line and column of the file.
    pub(crate) fn begin(&mut self, start: usize, offset: u64, number: u64, column: u64) {
        self.0.push(Line { start, offset, number, column });
    }

    /// Returns byte offset, line and column (from 1, in characters) in the file for a byte position in the text.
    pub(crate) fn place(&self, text: &str, position: usize) -> (u64, u64, u64) {
        self.find(text, position, None)
    }

    /// Like [`Lines::place`]; checkpoints make thousands of queries on one long line fast.
    pub(super) fn place_with(&self, text: &str, position: usize, checkpoints: &Checkpoints) -> (u64, u64, u64) {
        self.find(text, position, Some(checkpoints))
    }

    fn find(&self, text: &str, position: usize, checkpoints: Option<&Checkpoints>) -> (u64, u64, u64) {
        let position = position.min(text.len());
        let following = self.0.partition_point(|line| line.start <= position);
        let Some(line) = following.checked_sub(1).and_then(|index| self.0.get(index)) else {
            let (line, column) = line_and_column(text, 1, position);
            return (position as u64, line, column);
        };
        let before = text.as_bytes().get(line.start..position).unwrap_or_default();
        let counted = || before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        let between =
            checkpoints.map(|checkpoints| [line.start, position].map(|place| checkpoints.find(text, 1, place)));
        let characters = match between {
            // The position after the last line feed is on no line of the file.
            Some([(line, start), (same, end)]) if line == same => end - start,
            _ => counted(),
        };
        (line.offset + before.len() as u64, line.number, line.column + characters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_file() {
        let text = "a: é1\nb: 2\n";
        let mut lines = Lines::default();
        lines.begin(0, 10, 2, 3);
        lines.begin(7, 40, 5, 2);
        for (position, place) in [(0, (10, 2, 3)), (5, (15, 2, 7)), (10, (43, 5, 5)), (99, (45, 5, 7))] {
            assert_eq!(lines.place(text, position), place);
            assert_eq!(lines.place_with(text, position, &Checkpoints::default()), place);
        }
        assert_eq!(Lines::default().place(text, 7), (7, 2, 1));
    }
}
