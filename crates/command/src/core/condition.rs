//! Conditions on the rows of a table: `flux > 3.5 and name != 'Vega'`.
//!
//! A comparison with a missing cell is unknown, as in SQL: `not` of it is unknown, too, and such rows are left out.

use super::cells::Cell;
use super::failure::{Failure, Result};
use super::moments::{Literals, Operand, Values};
use asdfkit::table::Table;
use std::cmp::Ordering;
use std::str::FromStr;

/// Deepest nesting of parentheses.
const DEEPEST: usize = 100;

/// A condition.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// Steps in reverse Polish notation.
    steps: Vec<Step>,
    /// Names of columns.
    names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// The cell of a column, by its number in `names`.
    Column(usize),
    Value(Cell),
    Compare(Comparison),
    Arithmetic(char),
    Negative,
    Not,
    And,
    Or,
    IsMissing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparison {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Condition, String> {
        let mut parser = Parser { tokens: tokens(text)?, next: 0, steps: Vec::new(), names: Vec::new(), depth: 0 };
        parser.alternatives()?;
        match parser.tokens.get(parser.next) {
            None => Ok(Condition { steps: parser.steps, names: parser.names }),
            Some(token) => Err(format!("{} is not expected there", token.shown())),
        }
    }
}

impl Condition {
    /// Returns the names of the columns that the condition needs.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns a byte for each row of a table: 1 if the condition is true.
    pub(crate) fn mask(&self, table: &Table) -> Result<Vec<u8>> {
        let columns = self.names.iter().map(|name| Values::of(table, name)).collect::<Result<Vec<_>>>()?;
        self.check_cells(&columns)?;
        let (mut stack, mut literals) = (Vec::new(), Literals::default());
        let mut mask = Vec::with_capacity(table.row_count());
        for row in 0..table.row_count() {
            stack.clear();
            for step in &self.steps {
                match step {
                    Step::Column(number) => stack.push(columns[*number].get(row)?),
                    Step::Value(value) => stack.push(value.clone().into()),
                    step => apply(step, &mut stack, &mut literals)?,
                }
            }
            match stack.pop().map(|operand| operand.cell) {
                Some(Cell::Bool(truth)) => mask.push(u8::from(truth)),
                Some(Cell::Missing) => mask.push(0),
                _ => return Err(Failure::usage("a condition is a comparison, such as flux > 3.5")),
            }
        }
        Ok(mask)
    }

    /// Fails if the condition asks more of a cell that is an array than whether it is missing.
    fn check_cells(&self, columns: &[Values]) -> Result<()> {
        for (step, next) in self.steps.iter().zip(self.steps.iter().skip(1).map(Some).chain([None])) {
            if let Step::Column(number) = step
                && columns[*number].are_arrays()
                && next != Some(&Step::IsMissing)
            {
                let name = &self.names[*number];
                return Err(Failure::usage(format!("the cells of '{name}' are arrays, which have no order")));
            }
        }
        Ok(())
    }
}

/// Applies a step to the values on top of the stack.
fn apply(step: &Step, stack: &mut Vec<Operand>, literals: &mut Literals) -> Result<()> {
    let taken = stack.pop().unwrap_or(Cell::Missing.into());
    let last = &taken.cell;
    let result = match step {
        Step::IsMissing => Cell::Bool(*last == Cell::Missing),
        Step::Not => truth(last)?.map_or(Cell::Missing, |truth| Cell::Bool(!truth)),
        Step::Negative => match last {
            Cell::Integer(number) => Cell::Integer(-number),
            Cell::Float(number) => Cell::Float(-number),
            Cell::Missing => Cell::Missing,
            other => return Err(wrong("-", other)),
        },
        step => {
            let before = stack.pop().unwrap_or(Cell::Missing.into());
            let first = &before.cell;
            match step {
                Step::And => match (truth(first)?, truth(last)?) {
                    (Some(false), _) | (_, Some(false)) => Cell::Bool(false),
                    (Some(true), Some(true)) => Cell::Bool(true),
                    _ => Cell::Missing,
                },
                Step::Or => match (truth(first)?, truth(last)?) {
                    (Some(true), _) | (_, Some(true)) => Cell::Bool(true),
                    (Some(false), Some(false)) => Cell::Bool(false),
                    _ => Cell::Missing,
                },
                Step::Compare(comparison) => compare(*comparison, &before, &taken, literals)?,
                Step::Arithmetic(sign) => arithmetic(*sign, first, last)?,
                _ => Cell::Missing,
            }
        }
    };
    stack.push(result.into());
    Ok(())
}

fn wrong(what: &str, value: &Cell) -> Failure {
    Failure::usage(format!("'{what}' is not possible with {}", value.kind()))
}

fn truth(value: &Cell) -> Result<Option<bool>> {
    match value {
        Cell::Bool(truth) => Ok(Some(*truth)),
        Cell::Missing => Ok(None),
        other => Err(Failure::usage(format!("{} is no condition; compare it with a value", other.kind()))),
    }
}

fn compare(comparison: Comparison, first: &Operand, last: &Operand, literals: &mut Literals) -> Result<Cell> {
    use Comparison::{Different, Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    if first.cell == Cell::Missing || last.cell == Cell::Missing {
        return Ok(Cell::Missing);
    }
    let order = match literals.moments(first, last)? {
        Some([one, other]) => Some(one.order(other)?),
        None => order(&first.cell, &last.cell)?,
    };
    // NaN is different from everything.
    Ok(Cell::Bool(match comparison {
        Equal => order == Some(Ordering::Equal),
        Different => order != Some(Ordering::Equal),
        Less => order == Some(Ordering::Less),
        LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Greater => order == Some(Ordering::Greater),
        GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }))
}

/// Returns the order of two cells; `None` if one is NaN.
fn order(first: &Cell, last: &Cell) -> Result<Option<Ordering>> {
    Ok(match (first, last) {
        (Cell::Text(one), Cell::Text(other)) => Some(one.cmp(other)),
        (Cell::Integer(one), Cell::Integer(other)) => Some(one.cmp(other)),
        (Cell::Bool(one), Cell::Bool(other)) => Some(one.cmp(other)),
        (one, other) => match (one.number(), other.number()) {
            (Some(one), Some(other)) => one.partial_cmp(&other),
            _ => {
                let message = format!("{} cannot be compared with {}", one.kind(), other.kind());
                return Err(Failure::usage(message));
            }
        },
    })
}

fn arithmetic(sign: char, first: &Cell, last: &Cell) -> Result<Cell> {
    if *first == Cell::Missing || *last == Cell::Missing {
        return Ok(Cell::Missing);
    }
    if let (Cell::Integer(one), Cell::Integer(other)) = (first, last) {
        let exact = match sign {
            '+' => one.checked_add(*other),
            '-' => one.checked_sub(*other),
            '*' => one.checked_mul(*other),
            '%' => one.checked_rem_euclid(*other),
            _ => None,
        };
        if let Some(number) = exact {
            return Ok(Cell::Integer(number));
        }
    }
    let of = |value: &Cell| value.number().ok_or_else(|| wrong(&sign.to_string(), value));
    let (one, other) = (of(first)?, of(last)?);
    Ok(Cell::Float(match sign {
        '+' => one + other,
        '-' => one - other,
        '*' => one * other,
        '%' => one.rem_euclid(other),
        _ => one / other,
    }))
}

/// A word of a condition.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A name or a keyword.
    Name(String),
    /// A name in backquotes.
    Quoted(String),
    Value(Cell),
    Mark(&'static str),
}

impl Token {
    fn shown(&self) -> String {
        match self {
            Token::Name(text) | Token::Quoted(text) => format!("'{text}'"),
            Token::Value(Cell::Text(text)) => format!("'{text}'"),
            Token::Value(value) => format!("{value:?}"),
            Token::Mark(mark) => format!("'{mark}'"),
        }
    }
}

const MARKS: [&str; 19] =
    ["<=", ">=", "==", "!=", "<>", "&&", "||", "<", ">", "=", "!", "&", "|", "(", ")", "+", "-", "*", "/"];

fn tokens(text: &str) -> std::result::Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if matches!(first, '\'' | '"' | '`') {
            let end = rest[1..].find(first).ok_or_else(|| format!("the quote {first} is not closed"))? + 1;
            let inner = rest[1..end].to_owned();
            found.push(if first == '`' { Token::Quoted(inner) } else { Token::Value(Cell::Text(inner)) });
            rest = &rest[end + 1..];
        } else if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|next: char| next.is_ascii_digit()) {
            let end = number_end(rest);
            let digits = &rest[..end];
            let integer = digits.parse::<i128>().map(Cell::Integer);
            let value = integer.or_else(|_| digits.parse().map(Cell::Float));
            found.push(Token::Value(value.map_err(|_| format!("'{digits}' is no number"))?));
            rest = &rest[end..];
        } else if first.is_alphabetic() || first == '_' {
            let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | ':');
            let end = rest.find(|character: char| !is_part(character)).unwrap_or(rest.len());
            found.push(Token::Name(rest[..end].to_owned()));
            rest = &rest[end..];
        } else if let Some(mark) = MARKS.iter().chain(&["%", ","]).find(|mark| rest.starts_with(**mark)) {
            found.push(Token::Mark(mark));
            rest = &rest[mark.len()..];
        } else {
            return Err(format!("'{first}' is not expected there"));
        }
        rest = rest.trim_start();
    }
    Ok(found)
}

/// Returns the length of the number that a text begins with.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
            at += 1;
        }
        at
    };
    let end = digits(0);
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            return digits(end + 1 + sign);
        }
    }
    end
}

/// Reader of a condition. Each method reads one level of precedence.
struct Parser {
    tokens: Vec<Token>,
    next: usize,
    steps: Vec<Step>,
    names: Vec<String>,
    depth: usize,
}

type Parsed = std::result::Result<(), String>;

impl Parser {
    fn takes_mark(&mut self, marks: &[&'static str]) -> Option<&'static str> {
        match self.tokens.get(self.next) {
            Some(Token::Mark(mark)) if marks.contains(mark) => {
                self.next += 1;
                Some(mark)
            }
            _ => None,
        }
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = matches!(self.tokens.get(self.next), Some(Token::Name(name)) if name.eq_ignore_ascii_case(word));
        self.next += usize::from(found);
        found
    }

    fn alternatives(&mut self) -> Parsed {
        self.terms()?;
        while self.takes_word("or") || self.takes_mark(&["||", "|"]).is_some() {
            self.terms()?;
            self.steps.push(Step::Or);
        }
        Ok(())
    }

    fn terms(&mut self) -> Parsed {
        self.negation()?;
        while self.takes_word("and") || self.takes_mark(&["&&", "&"]).is_some() {
            self.negation()?;
            self.steps.push(Step::And);
        }
        Ok(())
    }

    fn negation(&mut self) -> Parsed {
        let mut count = 0;
        while self.takes_word("not") || self.takes_mark(&["!"]).is_some() {
            count += 1;
        }
        self.comparison()?;
        if count % 2 == 1 {
            self.steps.push(Step::Not);
        }
        Ok(())
    }

    fn comparison(&mut self) -> Parsed {
        self.sum()?;
        if self.takes_word("is") {
            let is_not = self.takes_word("not");
            if !["missing", "null", "none"].iter().any(|word| self.takes_word(word)) {
                return Err("after 'is' stands 'missing' or 'not missing'".to_owned());
            }
            self.steps.push(Step::IsMissing);
            self.steps.extend(is_not.then_some(Step::Not));
            return Ok(());
        }
        let is_not = matches!(self.tokens.get(self.next), Some(Token::Name(name)) if name.eq_ignore_ascii_case("not"))
            && matches!(self.tokens.get(self.next + 1), Some(Token::Name(name)) if name.eq_ignore_ascii_case("in"));
        self.next += usize::from(is_not);
        if self.takes_word("in") {
            return self.list(is_not);
        }
        let Some(mark) = self.takes_mark(&["<=", ">=", "==", "!=", "<>", "<", ">", "="]) else { return Ok(()) };
        self.sum()?;
        self.steps.push(Step::Compare(match mark {
            "<=" => Comparison::LessOrEqual,
            ">=" => Comparison::GreaterOrEqual,
            "<" => Comparison::Less,
            ">" => Comparison::Greater,
            "!=" | "<>" => Comparison::Different,
            _ => Comparison::Equal,
        }));
        if let Some(mark) = self.takes_mark(&["<=", ">=", "==", "!=", "<>", "<", ">", "="]) {
            return Err(format!("'{mark}' follows a comparison: write 1 < x and x < 2"));
        }
        Ok(())
    }

    /// Reads the list after `in`. The value before it is compared with each item.
    fn list(&mut self, is_not: bool) -> Parsed {
        let Some(left) = self.steps.pop().filter(|step| matches!(step, Step::Column(_))) else {
            return Err("before 'in' stands the name of a column".to_owned());
        };
        if self.takes_mark(&["("]).is_none() {
            return Err("after 'in' stands a list in parentheses: in ('a', 'b')".to_owned());
        }
        let mut count = 0;
        while self.takes_mark(&[")"]).is_none() {
            if count > 0 && self.takes_mark(&[","]).is_none() {
                return Err("items of a list are separated by commas".to_owned());
            }
            self.steps.push(left.clone());
            self.sum()?;
            self.steps.push(Step::Compare(Comparison::Equal));
            self.steps.extend((count > 0).then_some(Step::Or));
            count += 1;
        }
        if count == 0 {
            return Err("the list after 'in' is empty".to_owned());
        }
        self.steps.extend(is_not.then_some(Step::Not));
        Ok(())
    }

    fn sum(&mut self) -> Parsed {
        self.product()?;
        while let Some(mark) = self.takes_mark(&["+", "-"]) {
            self.product()?;
            self.steps.push(Step::Arithmetic(if mark == "+" { '+' } else { '-' }));
        }
        Ok(())
    }

    fn product(&mut self) -> Parsed {
        self.value()?;
        while let Some(mark) = self.takes_mark(&["*", "/", "%"]) {
            self.value()?;
            self.steps.push(Step::Arithmetic(match mark {
                "*" => '*',
                "/" => '/',
                _ => '%',
            }));
        }
        Ok(())
    }

    fn value(&mut self) -> Parsed {
        let mut is_negative = false;
        while let Some(mark) = self.takes_mark(&["-", "+"]) {
            is_negative ^= mark == "-";
        }
        let token = self.tokens.get(self.next).cloned().ok_or("a value is missing at the end")?;
        self.next += 1;
        match token {
            Token::Value(value) => self.steps.push(Step::Value(value)),
            Token::Name(name) => {
                let constant = match name.to_ascii_lowercase().as_str() {
                    "true" => Some(Cell::Bool(true)),
                    "false" => Some(Cell::Bool(false)),
                    "nan" => Some(Cell::Float(f64::NAN)),
                    "inf" => Some(Cell::Float(f64::INFINITY)),
                    _ => None,
                };
                match constant {
                    Some(value) => self.steps.push(Step::Value(value)),
                    None => self.column(name),
                }
            }
            Token::Quoted(name) => self.column(name),
            Token::Mark("(") if self.depth < DEEPEST => {
                self.depth += 1;
                self.alternatives()?;
                self.depth -= 1;
                if self.takes_mark(&[")"]).is_none() {
                    return Err("a parenthesis is not closed".to_owned());
                }
            }
            token => return Err(format!("{} is not expected there", token.shown())),
        }
        if is_negative {
            self.steps.push(Step::Negative);
        }
        Ok(())
    }

    fn column(&mut self, name: String) {
        let number = self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        self.steps.push(Step::Column(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value of a condition without columns.
    fn value(text: &str) -> std::result::Result<Option<Cell>, String> {
        let condition: Condition = text.parse()?;
        let (mut stack, mut literals) = (Vec::new(), Literals::default());
        for step in &condition.steps {
            match step {
                Step::Column(_) => stack.push(Cell::Missing.into()),
                Step::Value(value) => stack.push(value.clone().into()),
                step => apply(step, &mut stack, &mut literals).map_err(|failure| failure.to_string())?,
            }
        }
        Ok(stack.pop().map(|operand| operand.cell))
    }

    #[test]
    fn conditions_have_the_usual_precedence() {
        for (text, expected) in [
            ("1 < 2", true),
            ("1 + 2 * 3 == 7", true),
            ("(1 + 2) * 3 = 9", true),
            ("1 < 2 and 2 < 1 or 3 >= 3", true),
            ("1 < 2 and (2 < 1 or 3 > 3)", false),
            ("not 1 == 2 && !(2 == 3)", true),
            ("'a' < 'b' and \"é\" != 'e'", true),
            ("-3 % 5 == 2", true),
            ("18446744073709551615 == 18446744073709551614", false),
            ("1e3 == 1000 and .5 < 1", true),
            ("nan == nan", false),
            ("x is missing", true),
            ("x is not null", false),
            ("7 / 2 == 3.5", true),
        ] {
            assert_eq!(value(text), Ok(Some(Cell::Bool(expected))), "{text}");
        }
        assert_eq!(value("x > 1"), Ok(Some(Cell::Missing)));
        assert_eq!(value("not x > 1"), Ok(Some(Cell::Missing)));
        assert_eq!(value("x > 1 or true"), Ok(Some(Cell::Bool(true))));
        let names: Condition = "flux > 1 and `a b` == 2 or flux.err in (1, 2)".parse().unwrap();
        assert_eq!(names.names(), ["flux", "a b", "flux.err"]);
        for wrong in [
            "",
            "1 <",
            "1 < 2 < 3",
            "(1 < 2",
            "'a",
            "1 ? 2",
            "a in 5",
            "a is 5",
            "a in (1 2)",
            "a b",
            "1 + 'a' == 2",
            ") 1",
        ] {
            assert!(value(wrong).is_err(), "{wrong}");
        }
        assert!(value(&"(".repeat(1000)).is_err());
    }
}
