//! Outcomes and failures of sub-commands, and their exit codes.

use super::limits;
use asdfkit::error::Location;
use asdfkit::{Error, Status};
use serde_json::{Value, json};
use std::fmt;
use std::io;

/// Result of a sub-command that worked. Its order is that of the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// The answer is yes, or the work is done: exit code 0.
    Yes,
    /// The answer is no: files differ, a file is invalid, or it does not have what the arguments name. Exit code 1.
    No,
    /// The arguments are wrong, or do not fit what they name: exit code 2.
    Usage,
    /// A file could not be read or written: exit code 3.
    Failure,
}

impl Outcome {
    /// Returns `Yes` or `No`.
    pub(crate) fn of(answer: bool) -> Outcome {
        if answer { Outcome::Yes } else { Outcome::No }
    }

    /// Returns the exit code.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

/// Reason for which a sub-command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the library.
    Library(Error),
    /// Arguments that do not fit together or do not fit the file.
    Usage(String),
    /// An error of the system outside the library, and the failed action.
    System(String, io::Error),
    /// The reader of the output is gone.
    BrokenPipe,
}

/// Result of a part of a sub-command.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Makes a failure of wrong arguments.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(message.into())
    }

    /// Makes a failure about something that a file does not have.
    pub(crate) fn not_found(message: impl Into<String>) -> Failure {
        Failure::Library(Error::new(Status::NotFound, message))
    }

    /// Gives an error about a temporary file the name of the file that it stands for. The place in it stays only if it is
    /// one in this file, too.
    pub(crate) fn of_stand_in(self, name: &str, has_places: bool) -> Failure {
        let Failure::Library(error) = self else { return self };
        let place = if has_places { error.location().clone() } else { Location::default() };
        let place = Location { file: Some(name.into()), path: error.location().path.clone(), ..place };
        Failure::Library(placed(Error::new(error.status(), error.message()), &place))
    }

    /// Adds what helps to the message of an error of the library.
    pub(crate) fn with_advice(self, advice: &str) -> Failure {
        let Failure::Library(error) = self else { return self };
        let mark = if error.message().ends_with('?') { "" } else { ";" };
        let message = format!("{}{mark} {advice}", error.message());
        Failure::Library(placed(Error::new(error.status(), message), error.location()))
    }

    /// Names the file of an error that has no place in a file.
    pub(crate) fn in_file(self, name: &str) -> Failure {
        match self {
            Failure::Library(error) if error.location().file.is_none() => Failure::Library(error.in_file(&name.into())),
            other => other,
        }
    }

    /// Names the input in an error about content that names no file. Errors about the output are about another file.
    pub(crate) fn about(self, name: &str) -> Failure {
        match &self {
            Failure::Library(error) if error.is_of_machine() || error.status() == Status::FileExists => self,
            _ => self.in_file(name),
        }
    }

    /// Makes a failure of an error of the library while it wrote to standard output.
    pub(crate) fn of_output(error: Error) -> Failure {
        match error.os_error().map(io::Error::from_raw_os_error) {
            Some(system) if system.kind() == io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::from(error),
        }
    }

    /// Returns the outcome of a sub-command that fails in this way.
    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            Failure::Usage(_) => Outcome::Usage,
            Failure::System(..) => Outcome::Failure,
            Failure::Library(error) => match error.status() {
                // The file has no such node, column or table.
                Status::NotFound | Status::WrongType => Outcome::No,
                // The library refuses a value or a unit, or a change of a node, that the arguments ask for.
                Status::InvalidArgument | Status::OutOfRange | Status::Path | Status::Units => Outcome::Usage,
                _ => Outcome::Failure,
            },
            Failure::BrokenPipe => Outcome::Yes,
        }
    }

    /// Returns the failure as JSON.
    pub(crate) fn json(&self) -> Value {
        match self {
            Failure::Library(error) => {
                let place = error.location();
                let mut value =
                    json!({"status": error.status().name(), "message": in_terms(error.message().to_owned())});
                let facts = [
                    ("path", place.path.clone().map(Value::from)),
                    ("line", place.line.map(Value::from)),
                    ("column", place.column.map(Value::from)),
                    ("offset", place.offset.map(Value::from)),
                    ("table_column", place.table_column.clone().map(Value::from)),
                ];
                for (key, fact) in facts {
                    if let Some(fact) = fact {
                        value[key] = fact;
                    }
                }
                value
            }
            Failure::Usage(message) => json!({"status": "USAGE", "message": message}),
            other => json!({"status": "IO", "message": other.to_string()}),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Library(error) => f.write_str(&in_terms(error.to_string())),
            Failure::Usage(message) => f.write_str(message),
            Failure::System(action, error) => write!(f, "{action}: {error}"),
            Failure::BrokenPipe => f.write_str("the reader of the output is gone"),
        }
    }
}

/// Gives an error a place.
fn placed(mut error: Error, place: &Location) -> Error {
    if let Some(file) = &place.file {
        error = error.in_file(file);
    }
    if let Some(path) = &place.path {
        error = error.at_path(path.clone());
    }
    if let Some(offset) = place.offset {
        error = error.at_offset(offset);
    }
    match (place.line, place.column) {
        (Some(line), Some(column)) => error.at_line(line, column),
        _ => error,
    }
}

/// Returns a message of the library without options of its interface that the command does not have.
fn in_terms(message: String) -> String {
    const ALLOWED: [(&str, &str); 2] = [
        ("the directories that the open option 'access' (ASDF_OPTION_ACCESS) allows", "the folder of the file"),
        ("; set the open option 'access' (ASDF_OPTION_ACCESS) to allow other files", ""),
    ];
    ALLOWED.iter().fold(message, |message, (found, own)| message.replace(found, own))
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        if let Some(option) = error.option() {
            let argument = limits::argument_of(option);
            return Failure::Library(error.with_hint(&format!("--limit {argument}=NUMBER raises it")));
        }
        if error.status() != Status::FileExists {
            return Failure::Library(error);
        }
        // The library does not know what its option is called here. More may follow its advice.
        let more = error.message().split_once("(ASDF_OPTION_REPLACE) to replace it").map_or("", |(_, more)| more);
        let message = format!("the file exists already; --force replaces it{more}");
        let named = Error::new(Status::FileExists, message);
        Failure::Library(match error.location().file.clone() {
            Some(file) => named.in_file(&file),
            None => named,
        })
    }
}

/// Errors of writing the output. Other actions name themselves by [`Failure::System`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::System("cannot write the output".to_owned(), error),
        }
    }
}
