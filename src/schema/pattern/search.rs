//! Searching a text: steps are tried in order, and taken back when they fail.

use super::class::is_word;
use super::program::{Program, Step};
use super::syntax::{Case, Place, Set};

/// Maximum number of steps of one search, and of pairs of step and position that are remembered.
const MAX_TRIES: usize = 1 << 23;

/// A failed search: it needs too many steps.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooCostly;

type Tried<T> = Result<T, TooCostly>;

/// Returns whether the expression is found anywhere in the text.
pub(super) fn search(program: &Program, text: &str) -> Tried<bool> {
    let text: Vec<char> = text.chars().collect();
    let pairs = program.steps.len().checked_mul(text.len() + 1).filter(|pairs| *pairs <= MAX_TRIES * 16);
    let pairs = pairs.ok_or(TooCostly)?;
    let failed = if program.remembers { Vec::new() } else { vec![0u64; pairs / 64 + 1] };
    let mut search = Search { program, text: &text, slots: vec![None; program.slots], failed, tries: 0, depth: 0 };
    for start in 0..=text.len() {
        search.slots.fill(None);
        if search.run(0, start, &mut Vec::new())?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Something to do when a step fails.
enum Other {
    Try(usize, usize),
    Restore(usize, Option<usize>),
}

struct Search<'a> {
    program: &'a Program,
    text: &'a [char],
    slots: Vec<Option<usize>>,
    /// A bit for each pair of step and position that was tried before. Empty if the way to a step matters.
    failed: Vec<u64>,
    tries: usize,
    /// Number of looks and atomic groups around the current step.
    depth: usize,
}

impl Search<'_> {
    /// Runs from a step and a position to the end of the part. Returns the position there, and adds to `undo` what the
    /// slots held before.
    fn run(&mut self, step: usize, position: usize, undo: &mut Vec<Other>) -> Tried<Option<usize>> {
        let mut others: Vec<Other> = Vec::new();
        let (mut step, mut at) = (step, position);
        loop {
            self.tries += 1;
            if self.tries > MAX_TRIES {
                return Err(TooCostly);
            }
            let next = if self.was_tried(step, at) { None } else { self.step(step, at, &mut others)? };
            match next {
                Some(Next::At(next, position)) => (step, at) = (next, position),
                Some(Next::End) => {
                    undo.extend(others.into_iter().filter(|other| matches!(other, Other::Restore(..))));
                    return Ok(Some(at));
                }
                None => match self.take_back(&mut others) {
                    Some(place) => (step, at) = place,
                    None => return Ok(None),
                },
            }
        }
    }

    /// Takes steps back, up to one with another way to go on.
    fn take_back(&mut self, others: &mut Vec<Other>) -> Option<(usize, usize)> {
        loop {
            match others.pop()? {
                Other::Try(step, position) => return Some((step, position)),
                Other::Restore(slot, value) => self.set(slot, value),
            }
        }
    }

    fn set(&mut self, slot: usize, value: Option<usize>) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = value;
        }
    }

    fn slot(&self, slot: usize) -> Option<usize> {
        self.slots.get(slot).copied().flatten()
    }

    /// Returns whether the pair was tried before, and notes it. Inside of looks, another end is wanted.
    fn was_tried(&mut self, step: usize, position: usize) -> bool {
        if self.failed.is_empty() || self.depth > 0 {
            return false;
        }
        let pair = step * (self.text.len() + 1) + position;
        let Some(word) = self.failed.get_mut(pair / 64) else { return false };
        let bit = 1 << (pair % 64);
        let tried = *word & bit != 0;
        *word |= bit;
        tried
    }

    fn step(&mut self, index: usize, at: usize, others: &mut Vec<Other>) -> Tried<Option<Next>> {
        let program = self.program;
        let Some(step) = program.steps.get(index) else { return Ok(None) };
        let character = self.text.get(at).copied();
        let after = |found: bool| found.then_some(Next::At(index + 1, at + 1));
        Ok(match step {
            Step::Character(wanted, case) => after(character.is_some_and(|found| same(found, *wanted, *case))),
            Step::Any(all) => after(character.is_some_and(|found| *all || found != '\n')),
            Step::Set(set, case) => {
                let set = program.sets.get(*set);
                after(character.zip(set).is_some_and(|(found, set)| set.holds(found, *case)))
            }
            Step::At(place) => self.is_at(*place, at).then_some(Next::At(index + 1, at)),
            Step::Split(first, second) => {
                others.push(Other::Try(*second, at));
                Some(Next::At(*first, at))
            }
            Step::Jump(to) => Some(Next::At(*to, at)),
            Step::Mark(slot) => {
                others.push(Other::Restore(*slot, self.slot(*slot)));
                self.set(*slot, Some(at));
                Some(Next::At(index + 1, at))
            }
            Step::Again { slot, start, exit } => {
                Some(Next::At(if self.slot(*slot) == Some(at) { *exit } else { *start }, at))
            }
            Step::Same(group, case) => self.same_as(*group, at, *case).map(|end| Next::At(index + 1, end)),
            Step::Look { body, back, negated, next } => {
                let mut undo = Vec::new();
                let found = match at.checked_sub(*back) {
                    Some(start) => self.inside(*body, start, &mut undo)?.is_some(),
                    None => false,
                };
                // Groups that a look ahead or behind has found stay found until it is taken back.
                if *negated {
                    let nothing = self.take_back(&mut undo);
                    debug_assert!(nothing.is_none(), "only slots are restored");
                } else {
                    others.append(&mut undo);
                }
                (found != *negated).then_some(Next::At(*next, at))
            }
            Step::Atomic { body, next } => self.inside(*body, at, others)?.map(|end| Next::At(*next, end)),
            Step::Conditional { group, yes, no } => {
                Some(Next::At(if self.slot(2 * group + 1).is_some() { *yes } else { *no }, at))
            }
            Step::Found => Some(Next::End),
        })
    }

    /// Runs a part of its own. Groups nest to a bounded depth, so this may recurse.
    fn inside(&mut self, body: usize, at: usize, undo: &mut Vec<Other>) -> Tried<Option<usize>> {
        self.depth += 1;
        let found = self.run(body, at, undo);
        self.depth -= 1;
        found
    }

    /// Returns the end of a repetition of the text of a group.
    fn same_as(&self, group: usize, at: usize, case: Case) -> Option<usize> {
        let (start, end) = (self.slot(2 * group)?, self.slot(2 * group + 1)?);
        let text = self.text.get(start..end)?;
        let here = self.text.get(at..at + text.len())?;
        text.iter().zip(here).all(|(left, right)| same(*left, *right, case)).then_some(at + text.len())
    }

    fn is_at(&self, place: Place, at: usize) -> bool {
        let end = self.text.len();
        match place {
            Place::Start => at == 0,
            Place::LineStart => at == 0 || self.text.get(at - 1) == Some(&'\n'),
            Place::End => at == end,
            Place::LastLineEnd => at == end || (at + 1 == end && self.text.get(at) == Some(&'\n')),
            Place::LineEnd => at == end || self.text.get(at) == Some(&'\n'),
            Place::Edge(wanted, ascii) => {
                let is_word_at = |index: Option<usize>| {
                    index.and_then(|index| self.text.get(index)).is_some_and(|found| is_word(*found, ascii))
                };
                // In an empty text, Python finds neither an edge nor a place that is none.
                end > 0 && (is_word_at(at.checked_sub(1)) != is_word_at(Some(at))) == wanted
            }
        }
    }
}

enum Next {
    At(usize, usize),
    End,
}

/// Returns the only character of its case mapping, or the character itself.
fn single(mut mapped: impl Iterator<Item = char>, character: char) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(mapped), None) => mapped,
        _ => character,
    }
}

fn lower(character: char) -> char {
    single(character.to_lowercase(), character)
}

fn upper(character: char) -> char {
    single(character.to_uppercase(), character)
}

fn same(left: char, right: char, case: Case) -> bool {
    match case {
        Case::Exact => left == right,
        Case::Ignored => left == right || lower(upper(left)) == lower(upper(right)),
        Case::AsciiIgnored => left.eq_ignore_ascii_case(&right),
    }
}

impl Set {
    fn holds(&self, character: char, case: Case) -> bool {
        let is_in = |character: char| {
            self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&character))
                || self.classes.iter().any(|class| class.contains(character))
        };
        let found = match case {
            Case::Exact => is_in(character),
            Case::Ignored => {
                let folded = lower(upper(character));
                is_in(character) || is_in(folded) || is_in(lower(character)) || is_in(upper(character))
            }
            Case::AsciiIgnored => is_in(character.to_ascii_lowercase()) || is_in(character.to_ascii_uppercase()),
        };
        found != self.negated
    }
}
