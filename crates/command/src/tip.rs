//! Tips about arguments that begin with a hyphen.

use crate::cli::Cli;
use clap::CommandFactory;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};

/// Replaces the tip to put a value after `--`, which is of no use for the value of an option.
pub(crate) fn fitting(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidArg) else { return error };
    let given: Vec<String> = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    // clap names the first letter of several after a hyphen.
    let pair = given.windows(2).find(|pair| pair[1].starts_with(value.as_str()) && takes_value(&given, &pair[0]));
    if let Some([option, value]) = pair {
        let tip = format!("to pass '{value}' as the value of '{option}', write '{option}={value}'");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}

/// Returns whether a word is an option with a value, of the sub-command that the arguments name.
fn takes_value(given: &[String], word: &str) -> bool {
    let mut command = Cli::command();
    for argument in given.iter().skip(1) {
        if let Some(inner) = command.find_subcommand(argument) {
            command = inner.clone();
        }
    }
    command.get_arguments().filter(|argument| argument.get_action().takes_values()).any(|argument| {
        let long = argument.get_long().map(|name| format!("--{name}"));
        let short = argument.get_short().map(|letter| format!("-{letter}"));
        [long, short].iter().flatten().any(|name| name == word)
    })
}
