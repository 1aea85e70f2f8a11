//! The command `asdfkit`: look into, check, change and convert ASDF, ECSV and NDL files.

mod change;
mod check;
mod cli;
mod convert;
mod core;
mod look;
mod page;
mod picture;
mod serve;
mod tip;

use clap::Parser;
use core::call;
use core::descriptors;
use core::failure::Outcome;
use core::formats;
use core::limits;
use core::output::{self, Output};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match cli::Cli::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            return ExitCode::from(answer(&tip::fitting(error)).code());
        }
    };
    limits::choose(&arguments.limits);
    descriptors::allow_many();
    formats::offer_decoder();
    call::watch_interrupts();
    let mut output = Output::new(arguments.json);
    let result = cli::run(&arguments.command, &mut output);
    let result = result.and_then(|outcome| output.flush().map(|()| outcome));
    let outcome = result.unwrap_or_else(|failure| cli::tell(None, &failure, &mut output));
    ExitCode::from(outcome.code())
}

/// Shows the message of wrong arguments, or the help or version that was asked for.
fn answer(error: &clap::Error) -> Outcome {
    if error.use_stderr() {
        // The exit code tells the failure even if the message cannot be written.
        let _ = error.print();
        return Outcome::Usage;
    }
    match output::show(error) {
        Ok(()) => Outcome::Yes,
        Err(failure) => cli::tell(None, &failure, &mut Output::new(false)),
    }
}
