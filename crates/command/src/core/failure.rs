//! Outcomes and failures of sub-commands, and their exit codes.

use super::limits;
use asdfkit::{Error, Status};
use serde_json::{Value, json};
use std::fmt;
use std::io;

/// Result of a sub-command that worked. Its order is that of the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// The answer is yes, or the work is done: exit code 0.
    Yes,
    /// The answer is no: files differ, a file is invalid, nothing was found. Exit code 1.
    No,
    /// The arguments are wrong: exit code 2.
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

    /// Names the file of an error that has no place in a file.
    pub(crate) fn in_file(self, name: &str) -> Failure {
        match self {
            Failure::Library(error) if error.location().file.is_none() => Failure::Library(error.in_file(&name.into())),
            other => other,
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
            Failure::Library(_) | Failure::System(..) => Outcome::Failure,
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
