//! The syntax of regular expressions as the module `re` of Python 3.11 reads it.
//!
//! Groups nest at most [`MAX_DEPTH`] deep, so the parser may recurse.

use super::class::{Class, Named};
use std::iter::Peekable;
use std::str::Chars;

/// Maximum nesting of groups.
const MAX_DEPTH: usize = 100;
/// A repeat without an upper bound.
pub(super) const UNBOUNDED: u32 = u32::MAX;

/// A part of an expression.
#[derive(Debug)]
pub(super) enum Node {
    Empty,
    /// A character; the second field tells whether case matters not.
    Character(char, Case),
    /// `.`; the field tells whether it stands for a line feed, too.
    Any(bool),
    Set(Set, Case),
    At(Place),
    Group(usize, Box<Node>),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Repeat(Box<Repeat>),
    Look {
        ahead: bool,
        negated: bool,
        node: Box<Node>,
    },
    Atomic(Box<Node>),
    Same(usize, Case),
    Conditional(usize, Box<(Node, Node)>),
}

/// A repeated part.
#[derive(Debug)]
pub(super) struct Repeat {
    pub(super) node: Node,
    pub(super) least: u32,
    pub(super) most: u32,
    pub(super) lazy: bool,
}

/// Comparison of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// Characters are equal if they are the same.
    Exact,
    /// Letters of both cases are equal.
    Ignored,
    /// ASCII letters of both cases are equal.
    AsciiIgnored,
}

/// A place between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    LineStart,
    /// The end, or the line feed before it.
    LastLineEnd,
    LineEnd,
    End,
    /// The edge of a word (`true`), or a place that is none; with the words of ASCII if the second field is set.
    Edge(bool, bool),
}

/// A set of characters in brackets.
#[derive(Debug, Default)]
pub(super) struct Set {
    pub(super) negated: bool,
    pub(super) ranges: Vec<(char, char)>,
    pub(super) classes: Vec<Class>,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    ignore_case: bool,
    multiline: bool,
    dot_all: bool,
    verbose: bool,
    ascii: bool,
}

/// Parses an expression. Fails with a message in words.
pub(super) fn parse(pattern: &str) -> Result<Node, String> {
    let (flags, start) = global_flags(pattern)?;
    let rest = pattern.get(start..).unwrap_or_default();
    let mut parser = Parser { rest: rest.chars().peekable(), names: Vec::new(), groups: 1, open: Vec::new(), depth: 0 };
    let node = parser.choice(flags)?;
    match parser.rest.next() {
        None => Ok(node),
        Some(_) => Err("a ')' without '('".to_owned()),
    }
}

/// Reads the flags at the start of an expression, such as `(?i)`, and returns where the rest starts.
fn global_flags(pattern: &str) -> Result<(Flags, usize), String> {
    let mut flags = Flags::default();
    let mut start = 0;
    while let Some(rest) = pattern.get(start..).and_then(|rest| rest.strip_prefix("(?")) {
        let Some((letters, _)) = rest.split_once(')') else { break };
        if letters.is_empty() || !letters.bytes().all(|letter| letter.is_ascii_lowercase()) {
            break;
        }
        letters.chars().try_for_each(|letter| flags.set(letter, true))?;
        start += letters.len() + 3;
    }
    Ok((flags, start))
}

impl Flags {
    fn set(&mut self, letter: char, on: bool) -> Result<(), String> {
        match letter {
            'i' => self.ignore_case = on,
            'm' => self.multiline = on,
            's' => self.dot_all = on,
            'x' => self.verbose = on,
            'a' if on => self.ascii = true,
            'u' if on => self.ascii = false,
            _ => return Err(format!("the flag '{letter}' is not known here")),
        }
        Ok(())
    }

    fn case(self) -> Case {
        match (self.ignore_case, self.ascii) {
            (false, _) => Case::Exact,
            (true, false) => Case::Ignored,
            (true, true) => Case::AsciiIgnored,
        }
    }
}

/// A part of a set, or an escape outside of one.
enum Atom {
    Character(char),
    Class(Class),
    At(Place),
    Same(usize),
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    names: Vec<(String, usize)>,
    /// Number of groups, including the whole expression.
    groups: usize,
    /// Groups that have no end yet; they cannot be referred to.
    open: Vec<usize>,
    depth: usize,
}

impl Parser<'_> {
    fn take(&mut self, wanted: char) -> bool {
        self.rest.next_if_eq(&wanted).is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(format!("'{wanted}' is missing")) }
    }

    /// Reads up to a character, which is taken as well.
    fn up_to(&mut self, end: char) -> Result<String, String> {
        let mut text = String::new();
        loop {
            match self.rest.next() {
                Some(found) if found == end => return Ok(text),
                Some(found) => text.push(found),
                None => return Err(format!("'{end}' is missing")),
            }
        }
    }

    fn choice(&mut self, flags: Flags) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("groups nest more than {MAX_DEPTH} deep"));
        }
        let mut branches = vec![self.sequence(flags)?];
        while self.take('|') {
            branches.push(self.sequence(flags)?);
        }
        self.depth -= 1;
        Ok(if branches.len() == 1 { branches.remove(0) } else { Node::Choice(branches) })
    }

    fn sequence(&mut self, flags: Flags) -> Result<Node, String> {
        let mut nodes = Vec::new();
        while let Some(&next) = self.rest.peek() {
            if matches!(next, '|' | ')') {
                break;
            }
            self.rest.next();
            if flags.verbose && (next.is_ascii_whitespace() || next == '\u{b}') {
                continue;
            }
            if flags.verbose && next == '#' {
                while self.rest.next().is_some_and(|skipped| skipped != '\n') {}
                continue;
            }
            match self.item(next, flags)? {
                Item::Nothing => {}
                Item::Node(node) => nodes.push(node),
                Item::Repeat(least, most) => {
                    let node = nodes.pop().ok_or("nothing to repeat")?;
                    nodes.push(self.repeat(node, least, most)?);
                }
            }
        }
        Ok(Node::Sequence(nodes))
    }

    fn item(&mut self, next: char, flags: Flags) -> Result<Item, String> {
        let node = match next {
            '*' => return Ok(Item::Repeat(0, UNBOUNDED)),
            '+' => return Ok(Item::Repeat(1, UNBOUNDED)),
            '?' => return Ok(Item::Repeat(0, 1)),
            '{' => match self.bounds()? {
                Some((least, most)) => return Ok(Item::Repeat(least, most)),
                None => Node::Character('{', flags.case()),
            },
            '.' => Node::Any(flags.dot_all),
            '^' => Node::At(if flags.multiline { Place::LineStart } else { Place::Start }),
            '$' => Node::At(if flags.multiline { Place::LineEnd } else { Place::LastLineEnd }),
            '[' => Node::Set(self.set(flags)?, flags.case()),
            '(' => return self.group(flags),
            '\\' => match self.escape(flags, false)? {
                Atom::Character(character) => Node::Character(character, flags.case()),
                Atom::Class(class) => Node::Set(Set { classes: vec![class], ..Set::default() }, Case::Exact),
                Atom::At(place) => Node::At(place),
                Atom::Same(group) => Node::Same(group, flags.case()),
            },
            other => Node::Character(other, flags.case()),
        };
        Ok(Item::Node(node))
    }

    /// Reads the bounds after `{`. `None`: the brace is an ordinary character.
    fn bounds(&mut self) -> Result<Option<(u32, u32)>, String> {
        let mut ahead = self.rest.clone();
        if ahead.peek() == Some(&'}') {
            return Ok(None);
        }
        let mut digits = || {
            let mut text = String::new();
            while let Some(digit) = ahead.next_if(char::is_ascii_digit) {
                text.push(digit);
            }
            (text, ahead.next())
        };
        let (least, mut after) = digits();
        let most = match after {
            Some(',') => {
                let (most, next) = digits();
                after = next;
                most
            }
            _ => least.clone(),
        };
        if after != Some('}') {
            return Ok(None);
        }
        self.rest = ahead;
        let number = |text: &str, default: u32| match text {
            "" => Ok(default),
            text => text.parse().map_err(|_| "a repeat count is too large".to_owned()),
        };
        let (least, most) = (number(&least, 0)?, number(&most, UNBOUNDED)?);
        if most < least {
            return Err("the least repeat count is larger than the largest".to_owned());
        }
        Ok(Some((least, most)))
    }

    fn repeat(&mut self, node: Node, least: u32, most: u32) -> Result<Node, String> {
        match node {
            Node::At(_) | Node::Empty => return Err("nothing to repeat".to_owned()),
            Node::Repeat(_) => return Err("a repeat of a repeat".to_owned()),
            // A repeat that gives nothing back.
            Node::Atomic(ref inner) if matches!(**inner, Node::Repeat(_)) => {
                return Err("a repeat of a repeat".to_owned());
            }
            _ => {}
        }
        let (lazy, possessive) = (self.take('?'), self.take('+'));
        if lazy && possessive {
            return Err("a repeat of a repeat".to_owned());
        }
        let repeat = Node::Repeat(Box::new(Repeat { node, least, most, lazy }));
        Ok(if possessive { Node::Atomic(Box::new(repeat)) } else { repeat })
    }

    fn set(&mut self, flags: Flags) -> Result<Set, String> {
        let mut set = Set { negated: self.take('^'), ..Set::default() };
        let mut first = true;
        loop {
            let next = self.rest.next().ok_or("']' is missing")?;
            if next == ']' && !first {
                return Ok(set);
            }
            first = false;
            let low = if next == '\\' { self.escape(flags, true)? } else { Atom::Character(next) };
            let mut ahead = self.rest.clone();
            let is_range = ahead.next() == Some('-') && ahead.peek().is_some_and(|end| *end != ']');
            match low {
                Atom::Character(low) if is_range => {
                    self.rest = ahead;
                    let high = match self.rest.next() {
                        Some('\\') => self.escape(flags, true)?,
                        Some(high) => Atom::Character(high),
                        None => return Err("']' is missing".to_owned()),
                    };
                    match high {
                        Atom::Character(high) if low <= high => set.ranges.push((low, high)),
                        _ => return Err("a range of characters is not in order".to_owned()),
                    }
                }
                Atom::Character(character) => set.ranges.push((character, character)),
                Atom::Class(_) if is_range => return Err("a range of characters starts with a class".to_owned()),
                Atom::Class(class) => set.classes.push(class),
                Atom::At(_) | Atom::Same(_) => return Err("this escape has no meaning in a set".to_owned()),
            }
        }
    }

    fn escape(&mut self, flags: Flags, in_set: bool) -> Result<Atom, String> {
        let letter = self.rest.next().ok_or("the pattern ends with a backslash")?;
        let class = |named, negated| Ok(Atom::Class(Class { named, negated, ascii: flags.ascii }));
        let character = |character| Ok(Atom::Character(character));
        match letter {
            'd' => class(Named::Digit, false),
            'D' => class(Named::Digit, true),
            's' => class(Named::Space, false),
            'S' => class(Named::Space, true),
            'w' => class(Named::Word, false),
            'W' => class(Named::Word, true),
            'b' if in_set => character('\u{8}'),
            'A' if !in_set => Ok(Atom::At(Place::Start)),
            'Z' if !in_set => Ok(Atom::At(Place::End)),
            'b' => Ok(Atom::At(Place::Edge(true, flags.ascii))),
            'B' if !in_set => Ok(Atom::At(Place::Edge(false, flags.ascii))),
            'a' => character('\u{7}'),
            'f' => character('\u{c}'),
            'n' => character('\n'),
            'r' => character('\r'),
            't' => character('\t'),
            'v' => character('\u{b}'),
            'x' => self.hexadecimal(2).and_then(character),
            'u' => self.hexadecimal(4).and_then(character),
            'U' => self.hexadecimal(8).and_then(character),
            '0'..='9' => self.digits_after(letter, in_set),
            letter if letter.is_ascii_alphabetic() => Err(format!("the escape '\\{letter}' is not known")),
            other => character(other),
        }
    }

    fn hexadecimal(&mut self, count: usize) -> Result<char, String> {
        let mut digits = String::new();
        while digits.len() < count
            && let Some(digit) = self.rest.next_if(char::is_ascii_hexdigit)
        {
            digits.push(digit);
        }
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == count);
        code.and_then(char::from_u32).ok_or_else(|| "a hexadecimal escape is not complete".to_owned())
    }

    /// Reads an octal escape or the number of a group.
    fn digits_after(&mut self, first: char, in_set: bool) -> Result<Atom, String> {
        let mut digits = String::from(first);
        let is_octal = |digit: char| ('0'..='7').contains(&digit);
        let octal = |digits: &str| match u32::from_str_radix(digits, 8).ok().filter(|code| *code <= 0o377) {
            Some(code) => char::from_u32(code).map(Atom::Character).ok_or_else(String::new),
            None => Err(format!("the octal escape '\\{digits}' is out of range")),
        };
        if first == '0' || in_set {
            if !is_octal(first) {
                return Err(format!("the escape '\\{first}' is not known"));
            }
            while digits.len() < 3
                && let Some(digit) = self.rest.next_if(|next| is_octal(*next))
            {
                digits.push(digit);
            }
            return octal(&digits);
        }
        if let Some(second) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(second);
            let third = self.rest.peek().copied().filter(|third| is_octal(*third));
            if let (true, true, Some(third)) = (is_octal(first), is_octal(second), third) {
                self.rest.next();
                digits.push(third);
                return octal(&digits);
            }
        }
        self.closed_group(digits.parse().unwrap_or(usize::MAX)).map(Atom::Same)
    }

    /// Returns the number of a group if it may be referred to.
    fn closed_group(&self, group: usize) -> Result<usize, String> {
        if group == 0 || group >= self.groups {
            return Err(format!("no group has the number {group}"));
        }
        if self.open.contains(&group) {
            return Err("a reference to a group stands in the group itself".to_owned());
        }
        Ok(group)
    }

    fn named_group(&self, name: &str) -> Result<usize, String> {
        let found = self.names.iter().find(|(known, _)| known == name);
        found.map(|(_, group)| *group).ok_or_else(|| format!("no group has the name '{name}'"))
    }

    fn group(&mut self, flags: Flags) -> Result<Item, String> {
        if !self.take('?') {
            return self.capture(None, flags);
        }
        let next = self.rest.next().ok_or("')' is missing")?;
        match next {
            ':' => self.rest_of_group(flags).map(|node| Item::Node(plain(node))),
            '>' => Ok(Item::Node(Node::Atomic(Box::new(self.rest_of_group(flags)?)))),
            '#' => self.up_to(')').map(|_| Item::Nothing),
            '=' => self.look(true, false, flags),
            '!' => self.look(true, true, flags),
            '<' if self.take('=') => self.look(false, false, flags),
            '<' if self.take('!') => self.look(false, true, flags),
            '(' => self.conditional(flags),
            'P' if self.take('<') => {
                let name = self.up_to('>')?;
                check_name(&name)?;
                if self.names.iter().any(|(known, _)| *known == name) {
                    return Err(format!("two groups have the name '{name}'"));
                }
                self.capture(Some(name), flags)
            }
            'P' if self.take('=') => {
                let name = self.up_to(')')?;
                let group = self.named_group(&name)?;
                Ok(Item::Node(Node::Same(self.closed_group(group)?, flags.case())))
            }
            letter if letter.is_ascii_alphabetic() || letter == '-' => self.scoped_flags(letter, flags),
            other => Err(format!("the extension '(?{other}' is not known")),
        }
    }

    fn rest_of_group(&mut self, flags: Flags) -> Result<Node, String> {
        let node = self.choice(flags)?;
        self.expect(')').map(|()| node)
    }

    fn capture(&mut self, name: Option<String>, flags: Flags) -> Result<Item, String> {
        let group = self.groups;
        self.groups += 1;
        self.names.extend(name.map(|name| (name, group)));
        self.open.push(group);
        let node = self.rest_of_group(flags)?;
        self.open.pop();
        Ok(Item::Node(Node::Group(group, Box::new(node))))
    }

    fn look(&mut self, ahead: bool, negated: bool, flags: Flags) -> Result<Item, String> {
        let node = Box::new(self.rest_of_group(flags)?);
        if !ahead && width(&node).is_none() {
            return Err("a look behind needs a fixed width".to_owned());
        }
        Ok(Item::Node(Node::Look { ahead, negated, node }))
    }

    fn conditional(&mut self, flags: Flags) -> Result<Item, String> {
        let name = self.up_to(')')?;
        let is_number = !name.is_empty() && name.bytes().all(|digit| digit.is_ascii_digit());
        let group = match is_number {
            true => name.parse().unwrap_or(usize::MAX),
            false => self.named_group(&name)?,
        };
        if group == 0 || group >= MAX_GROUPS {
            return Err(format!("no group has the number {group}"));
        }
        let yes = self.sequence(flags)?;
        let no = if self.take('|') { self.sequence(flags)? } else { Node::Empty };
        if self.rest.peek() == Some(&'|') {
            return Err("a conditional group has more than two branches".to_owned());
        }
        self.expect(')')?;
        if group >= self.groups {
            return Err(format!("no group has the number {group}"));
        }
        Ok(Item::Node(Node::Conditional(group, Box::new((yes, no)))))
    }

    /// Reads `(?flags-flags:…)`.
    fn scoped_flags(&mut self, first: char, outer: Flags) -> Result<Item, String> {
        let mut flags = outer;
        let (mut letter, mut on, mut since) = (first, true, 0);
        loop {
            match letter {
                ':' if since > 0 => break,
                '-' if on => (on, since) = (false, 0),
                ')' => return Err("flags for the whole pattern do not stand at its start".to_owned()),
                'a' | 'u' if on => {
                    flags.set(letter, true)?;
                    since += 1;
                }
                letter => {
                    flags.set(letter, on)?;
                    since += 1;
                }
            }
            letter = self.rest.next().ok_or("')' is missing")?;
        }
        self.rest_of_group(flags).map(|node| Item::Node(plain(node)))
    }
}

/// Maximum number of groups.
const MAX_GROUPS: usize = 1 << 16;

enum Item {
    Nothing,
    Node(Node),
    Repeat(u32, u32),
}

/// Returns a group without a number as a node that can be repeated.
fn plain(node: Node) -> Node {
    Node::Choice(vec![node])
}

fn check_name(name: &str) -> Result<(), String> {
    let mut characters = name.chars();
    let first = characters.next().is_some_and(|first| first.is_alphabetic() || first == '_');
    if first && characters.all(|next| next.is_alphanumeric() || next == '_') {
        return Ok(());
    }
    Err(format!("'{name}' is not a name of a group"))
}

/// Returns the number of characters that a part takes, if it is always the same.
pub(super) fn width(node: &Node) -> Option<usize> {
    match node {
        Node::Empty | Node::At(_) | Node::Look { .. } => Some(0),
        Node::Character(..) | Node::Any(_) | Node::Set(..) => Some(1),
        Node::Group(_, node) | Node::Atomic(node) => width(node),
        Node::Sequence(nodes) => nodes.iter().try_fold(0usize, |sum, node| sum.checked_add(width(node)?)),
        Node::Choice(branches) => {
            let mut widths = branches.iter().map(width);
            let first = widths.next().flatten()?;
            widths.all(|width| width == Some(first)).then_some(first)
        }
        Node::Repeat(repeat) if repeat.least == repeat.most => width(&repeat.node)?.checked_mul(repeat.least as usize),
        Node::Conditional(_, branches) => {
            let (yes, no) = (width(&branches.0)?, width(&branches.1)?);
            (yes == no).then_some(yes)
        }
        // The width of a group is not that of every reference to it.
        Node::Repeat(_) | Node::Same(..) => None,
    }
}
