//! An expression as a program of single steps, which [`super::search`] executes.

use super::syntax::{Case, Node, Place, Repeat, Set, UNBOUNDED, width};

/// Maximum number of steps of a program. Counted repeats are written out.
const MAX_STEPS: usize = 1 << 17;

/// A step. Numbers are indices of steps.
#[derive(Debug)]
pub(super) enum Step {
    Character(char, Case),
    Any(bool),
    /// A set: an index into `Program::sets`.
    Set(usize, Case),
    At(Place),
    /// Tries the first step, then the second one.
    Split(usize, usize),
    Jump(usize),
    /// Remembers the position in a slot.
    Mark(usize),
    /// Goes to the first step, or to the second one if nothing was taken since the slot was marked.
    Again {
        slot: usize,
        start: usize,
        exit: usize,
    },
    /// The text between the slots of a group.
    Same(usize, Case),
    /// Goes on after `body` if its part is found at the position, this many characters earlier for a look behind.
    Look {
        body: usize,
        back: usize,
        negated: bool,
        next: usize,
    },
    Atomic {
        body: usize,
        next: usize,
    },
    /// Goes to the first step if the group was found, and otherwise to the second one.
    Conditional {
        group: usize,
        yes: usize,
        no: usize,
    },
    Found,
}

/// The steps of an expression.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) sets: Vec<Set>,
    /// Number of slots: two for each group, and one for each loop whose body may be empty.
    pub(super) slots: usize,
    /// True if the way to a step decides what follows it. Then a step can be tried again at the same position.
    pub(super) remembers: bool,
}

impl Program {
    /// Writes the steps of an expression. Fails with a message in words if there are too many.
    pub(super) fn of(node: Node) -> Result<Program, String> {
        let groups = groups(&node);
        let program = Program { steps: Vec::new(), sets: Vec::new(), slots: 2 * (groups + 1), remembers: false };
        let mut writer = Writer { program, captures: remembers(&node) };
        writer.write(node)?;
        writer.push(Step::Found)?;
        let mut program = writer.program;
        program.remembers = writer.captures;
        Ok(program)
    }
}

/// Calls `see` for a node and all nodes in it.
fn visit(node: &Node, see: &mut dyn FnMut(&Node)) {
    see(node);
    match node {
        Node::Group(_, node) | Node::Atomic(node) | Node::Look { node, .. } => visit(node, see),
        Node::Sequence(nodes) | Node::Choice(nodes) => nodes.iter().for_each(|node| visit(node, see)),
        Node::Repeat(repeat) => visit(&repeat.node, see),
        Node::Conditional(_, branches) => {
            visit(&branches.0, see);
            visit(&branches.1, see);
        }
        _ => {}
    }
}

/// Returns the highest number of a group.
fn groups(node: &Node) -> usize {
    let mut highest = 0;
    visit(node, &mut |node| {
        if let Node::Group(group, _) = node {
            highest = highest.max(*group);
        }
    });
    highest
}

/// Returns whether a part refers to the text of groups, or allows no other try of a part.
fn remembers(node: &Node) -> bool {
    let mut found = false;
    visit(node, &mut |node| found |= matches!(node, Node::Same(..) | Node::Conditional(..) | Node::Atomic(_)));
    found
}

/// Returns whether a part can take no character.
fn can_be_empty(node: &Node) -> bool {
    match node {
        Node::Character(..) | Node::Any(_) | Node::Set(..) => false,
        Node::Group(_, node) | Node::Atomic(node) => can_be_empty(node),
        Node::Sequence(nodes) => nodes.iter().all(can_be_empty),
        Node::Choice(branches) => branches.iter().any(can_be_empty),
        Node::Repeat(repeat) => repeat.least == 0 || can_be_empty(&repeat.node),
        _ => true,
    }
}

struct Writer {
    program: Program,
    /// True if the texts of groups are needed.
    captures: bool,
}

impl Writer {
    fn here(&self) -> usize {
        self.program.steps.len()
    }

    fn push(&mut self, step: Step) -> Result<usize, String> {
        if self.here() >= MAX_STEPS {
            return Err(format!("the pattern has more than {MAX_STEPS} steps"));
        }
        self.program.steps.push(step);
        Ok(self.here() - 1)
    }

    fn replace(&mut self, index: usize, step: Step) {
        if let Some(place) = self.program.steps.get_mut(index) {
            *place = step;
        }
    }

    fn write(&mut self, node: Node) -> Result<(), String> {
        match node {
            Node::Repeat(repeat) => self.repeat(*repeat),
            Node::Set(set, case) => {
                self.program.sets.push(set);
                self.push(Step::Set(self.program.sets.len() - 1, case)).map(drop)
            }
            Node::Group(group, node) => {
                self.mark(2 * group)?;
                self.write(*node)?;
                self.mark(2 * group + 1)
            }
            Node::Sequence(nodes) => nodes.into_iter().try_for_each(|node| self.write(node)),
            Node::Choice(branches) => self.choice(branches),
            Node::Look { ahead, negated, node } => {
                let back = if ahead { 0 } else { width(&node).unwrap_or_default() };
                let look = self.push(Step::Found)?;
                let body = self.here();
                self.write(*node)?;
                self.push(Step::Found)?;
                let next = self.here();
                self.replace(look, Step::Look { body, back, negated, next });
                Ok(())
            }
            Node::Atomic(node) => {
                let atomic = self.push(Step::Found)?;
                let body = self.here();
                self.write(*node)?;
                self.push(Step::Found)?;
                let next = self.here();
                self.replace(atomic, Step::Atomic { body, next });
                Ok(())
            }
            Node::Conditional(group, branches) => {
                let decision = self.push(Step::Found)?;
                let yes = self.here();
                self.write(branches.0)?;
                let jump = self.push(Step::Found)?;
                let no = self.here();
                self.write(branches.1)?;
                self.replace(jump, Step::Jump(self.here()));
                self.replace(decision, Step::Conditional { group, yes, no });
                Ok(())
            }
            leaf => self.leaf(&leaf),
        }
    }

    fn leaf(&mut self, node: &Node) -> Result<(), String> {
        let step = match *node {
            Node::Character(character, case) => Step::Character(character, case),
            Node::Any(all) => Step::Any(all),
            Node::At(place) => Step::At(place),
            Node::Same(group, case) => Step::Same(group, case),
            _ => return Ok(()),
        };
        self.push(step).map(drop)
    }

    fn mark(&mut self, slot: usize) -> Result<(), String> {
        if self.captures { self.push(Step::Mark(slot)).map(drop) } else { Ok(()) }
    }

    fn choice(&mut self, branches: Vec<Node>) -> Result<(), String> {
        let last = branches.len().saturating_sub(1);
        let mut ends = Vec::new();
        for (index, branch) in branches.into_iter().enumerate() {
            let split = if index < last { Some(self.push(Step::Found)?) } else { None };
            self.write(branch)?;
            if let Some(split) = split {
                ends.push(self.push(Step::Found)?);
                self.replace(split, Step::Split(split + 1, self.here()));
            }
        }
        ends.into_iter().for_each(|end| self.replace(end, Step::Jump(self.here())));
        Ok(())
    }

    /// Writes a repeated part: as often as it must occur, and then as a loop or as parts that can be left out.
    fn repeat(&mut self, repeat: Repeat) -> Result<(), String> {
        let Repeat { node, least, most, lazy } = repeat;
        let start = self.here();
        if most == 0 {
            return Ok(());
        }
        let empty = can_be_empty(&node);
        self.write(node)?;
        let body = start..self.here();
        let copies = if least == 0 { 0 } else { least - 1 };
        match (least, most) {
            (0, UNBOUNDED) => {
                self.insert_loop(body, empty, lazy)?;
            }
            (0, 1) => self.make_optional(body, lazy)?,
            (0, most) => {
                self.make_optional(body.clone(), lazy)?;
                let optional = start..self.here();
                for _ in 1..most {
                    self.copy(optional.clone())?;
                }
            }
            (_, UNBOUNDED) => {
                for _ in 0..copies {
                    self.copy(body.clone())?;
                }
                let again = self.here();
                self.copy(body)?;
                self.insert_loop(again..self.here(), empty, lazy)?;
            }
            (least, most) => {
                for _ in 0..copies {
                    self.copy(body.clone())?;
                }
                if most > least {
                    let more = self.here();
                    self.copy(body)?;
                    self.make_optional(more..self.here(), lazy)?;
                    let optional = more..self.here();
                    for _ in 1..most - least {
                        self.copy(optional.clone())?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes the last steps a part that can be left out.
    fn make_optional(&mut self, body: std::ops::Range<usize>, lazy: bool) -> Result<(), String> {
        self.shift(body.clone(), 1)?;
        let (inside, after) = (body.start + 1, self.here());
        let split = if lazy { Step::Split(after, inside) } else { Step::Split(inside, after) };
        self.replace(body.start, split);
        Ok(())
    }

    /// Makes the last steps a loop.
    fn insert_loop(&mut self, body: std::ops::Range<usize>, empty: bool, lazy: bool) -> Result<(), String> {
        self.shift(body.clone(), if empty { 2 } else { 1 })?;
        let start = body.start;
        let slot = self.program.slots;
        if empty {
            self.program.slots += 1;
            self.replace(start + 1, Step::Mark(slot));
            let exit = self.here() + 1;
            self.push(Step::Again { slot, start, exit })?;
        } else {
            self.push(Step::Jump(start))?;
        }
        let (inside, after) = (start + 1, self.here());
        self.replace(start, if lazy { Step::Split(after, inside) } else { Step::Split(inside, after) });
        Ok(())
    }

    /// Moves the last steps up, so that others can precede them.
    fn shift(&mut self, body: std::ops::Range<usize>, by: usize) -> Result<(), String> {
        let steps: Vec<Step> = self.program.steps.drain(body.clone()).collect();
        for _ in 0..by {
            self.push(Step::Found)?;
        }
        for step in steps {
            self.push(step.moved(body.start, by))?;
        }
        Ok(())
    }

    /// Appends a copy of steps.
    fn copy(&mut self, body: std::ops::Range<usize>) -> Result<(), String> {
        let by = self.here() - body.start;
        for index in body.clone() {
            let Some(step) = self.program.steps.get(index) else { break };
            let step = step.moved(body.start, by);
            self.push(step)?;
        }
        Ok(())
    }
}

impl Step {
    /// Returns a copy in which the indices from `from` on are larger by `by`.
    fn moved(&self, from: usize, by: usize) -> Step {
        let to = |index: usize| if index >= from { index + by } else { index };
        match *self {
            Step::Character(character, case) => Step::Character(character, case),
            Step::Any(all) => Step::Any(all),
            Step::Set(set, case) => Step::Set(set, case),
            Step::At(place) => Step::At(place),
            Step::Split(first, second) => Step::Split(to(first), to(second)),
            Step::Jump(index) => Step::Jump(to(index)),
            Step::Mark(slot) => Step::Mark(slot),
            Step::Again { slot, start, exit } => Step::Again { slot, start: to(start), exit: to(exit) },
            Step::Same(group, case) => Step::Same(group, case),
            Step::Look { body, back, negated, next } => Step::Look { body: to(body), back, negated, next: to(next) },
            Step::Atomic { body, next } => Step::Atomic { body: to(body), next: to(next) },
            Step::Conditional { group, yes, no } => Step::Conditional { group, yes: to(yes), no: to(no) },
            Step::Found => Step::Found,
        }
    }
}
