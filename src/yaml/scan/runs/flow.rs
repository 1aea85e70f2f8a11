//! Runs in flow collections, and flow collections in runs.

use super::{MAX_LENGTH, MAX_NESTED, PieceKind, Place, Run, push};
use crate::error::Result;
use crate::tree::Style;
use crate::yaml::scan::Scanner;
use crate::yaml::scan::classes::{InPlainFlow, begins_simple, count_of};

impl Scanner<'_> {
    /// Reads items of a flow sequence. A comma comes before the first one, unless it is the first of all.
    #[inline]
    pub(in crate::yaml) fn scan_flow_items(&mut self, is_first: bool, depth: u32, run: &mut Run) -> Result<()> {
        run.clear();
        let mut needs_comma = !is_first;
        while self.may_begin_run() && run.len() < MAX_LENGTH {
            let Some(item) = self.next_in_flow(needs_comma) else { break };
            if self.scan_plain_items(item, run)? {
                needs_comma = true;
                continue;
            }
            if !self.scan_flow_value(item, b']', depth, run)? {
                break;
            }
            needs_comma = true;
        }
        Ok(())
    }

    /// Reads pairs of a flow mapping. A comma comes before the first one, unless it is the first of all. Returns whether
    /// the last key has no value in the run; its colon comes next then.
    #[inline]
    pub(in crate::yaml) fn scan_flow_pairs(&mut self, is_first: bool, depth: u32, run: &mut Run) -> Result<bool> {
        run.clear();
        let mut needs_comma = !is_first;
        while self.may_begin_run() && run.len() < MAX_LENGTH {
            let Some(Place { at, line_start }) = self.next_in_flow(needs_comma) else { break };
            let Some(colon) = self.simple_key::<true>(at, line_start, run)? else { break };
            if !self.scan_flow_value(Place { at: self.after_spaces(colon + 1), line_start }, b'}', depth, run)? {
                self.line_start = line_start;
                return self.stop_at_colon(colon);
            }
            needs_comma = true;
        }
        Ok(false)
    }

    /// Reads plain items of a flow sequence with a comma right after them, and moves to the last comma. Returns whether
    /// there is one.
    #[inline]
    fn scan_plain_items(&mut self, mut item: Place, run: &mut Run) -> Result<bool> {
        let length = run.len();
        while run.len() < MAX_LENGTH {
            let Place { at: start, line_start } = item;
            let is_plain = match self.bytes.get(start) {
                Some(b'-') => !self.is_blank_or_end(start + 1) && start > line_start,
                Some(b'.') => start > line_start,
                Some(&byte) => begins_simple(byte),
                None => false,
            };
            let end = start + if is_plain { count_of::<InPlainFlow>(&self.bytes[start..]) } else { 0 };
            if end == start || self.bytes.get(end) != Some(&b',') || self.is_blank(end - 1) {
                break;
            }
            push(run, PieceKind::Scalar(Style::Plain), start, end)?;
            self.move_to(Place { at: end, line_start });
            item = match self.bytes.get(end + 1..end + 3) {
                Some(&[b' ', byte]) if begins_simple(byte) => Place { at: end + 2, line_start },
                _ => self.after_breaks(Place { at: end + 1, line_start }),
            };
        }
        Ok(run.len() > length)
    }

    /// Reads the value or item of a flow collection, and moves to the comma or the bracket after it. Returns whether it
    /// was simple; otherwise the run is as before.
    #[inline]
    fn scan_flow_value(&mut self, start: Place, bracket: u8, depth: u32, run: &mut Run) -> Result<bool> {
        let length = run.len();
        let end = self.simple_node::<true>(start, depth, run)?;
        let end = end.map(|end| self.after_breaks(end));
        match end.filter(|end| matches!(self.bytes.get(end.at), Some(&byte) if byte == b',' || byte == bracket)) {
            Some(end) => {
                self.move_to(end);
                Ok(true)
            }
            None => {
                run.truncate(length);
                Ok(false)
            }
        }
    }

    /// Reads a flow collection whose entries are simple nodes, and whose pairs have a key and a value. Returns its end.
    pub(super) fn simple_collection(&self, start: Place, depth: u32, run: &mut Run) -> Result<Option<Place>> {
        let most = depth.min(MAX_NESTED);
        // One bit for each open collection; the innermost is the lowest. It is set for mappings.
        let mut open = 0_u32;
        let mut count = 0;
        let mut place = start;
        loop {
            // A bracket that opens is next.
            let is_mapping = self.bytes.get(place.at) == Some(&b'{');
            if count == most || run.len() >= MAX_LENGTH {
                return Ok(None);
            }
            open = open << 1 | u32::from(is_mapping);
            count += 1;
            let kind = if is_mapping { PieceKind::FlowMappingStart } else { PieceKind::FlowSequenceStart };
            push(run, kind, place.at, place.at + 1)?;
            place = self.after_breaks(Place { at: place.at + 1, ..place });
            let mut is_entry = !self.is_closing(place.at, open);
            // Entries follow until a bracket opens.
            loop {
                if is_entry {
                    if self.may_be_marker(place) || run.len() >= MAX_LENGTH {
                        return Ok(None);
                    }
                    if open & 1 == 1 {
                        let Some(colon) = self.simple_key::<true>(place.at, place.line_start, run)? else {
                            return Ok(None);
                        };
                        place.at = self.after_spaces(colon + 1);
                    }
                    let Some(at) = self.after_properties(place.at, run)? else { return Ok(None) };
                    place.at = at;
                    if matches!(self.bytes.get(at), Some(b'[' | b'{')) {
                        break;
                    }
                    let Some(end) = self.simple_scalar::<true>(at, run)? else { return Ok(None) };
                    place = self.after_breaks(Place { at: end, ..place });
                }
                if !is_entry && self.is_closing(place.at, open) {
                    push(run, PieceKind::FlowEnd, place.at, place.at + 1)?;
                    (open, count) = (open >> 1, count - 1);
                    place.at += 1;
                    if count == 0 {
                        return Ok(Some(place));
                    }
                    place = self.after_breaks(place);
                }
                is_entry = match self.bytes.get(place.at) {
                    Some(b',') => {
                        place = self.after_breaks(Place { at: place.at + 1, ..place });
                        !self.is_closing(place.at, open)
                    }
                    Some(b']' | b'}') if self.is_closing(place.at, open) => false,
                    _ => return Ok(None),
                };
            }
        }
    }

    /// Returns whether the bracket of the innermost open collection stands at a position.
    #[inline]
    fn is_closing(&self, position: usize, open: u32) -> bool {
        self.bytes.get(position) == Some(if open & 1 == 1 { &b'}' } else { &b']' })
    }

    /// Returns where the next entry of a flow collection begins, after a comma if `needs_comma` is true.
    #[inline]
    fn next_in_flow(&self, needs_comma: bool) -> Option<Place> {
        let mut place = Place { at: self.at, line_start: self.line_start };
        if needs_comma {
            place = self.after_breaks(place);
            if self.bytes.get(place.at) != Some(&b',') {
                return None;
            }
            place.at += 1;
        }
        let place = self.after_breaks(place);
        (!self.may_be_marker(place)).then_some(place)
    }

    /// Skips spaces and line breaks.
    #[inline]
    pub(super) fn after_breaks(&self, mut place: Place) -> Place {
        loop {
            place.at = self.after_spaces(place.at);
            match self.bytes.get(place.at) {
                Some(b'\n' | b'\r') => {
                    place.at += self.break_length(place.at);
                    place.line_start = place.at;
                }
                _ => return place,
            }
        }
    }
}
