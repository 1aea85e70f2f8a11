//! The command `asdfkit`: look into, check, change and convert ASDF, ECSV and NDL files.

mod change;
mod check;
mod cli;
mod convert;
mod core;
mod look;

use clap::Parser;
use core::call;
use core::failure::Outcome;
use core::output::Output;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match cli::Cli::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version go to standard output and are no errors.
            let _ = error.print();
            let outcome = if error.use_stderr() { Outcome::Usage } else { Outcome::Yes };
            return ExitCode::from(outcome.code());
        }
    };
    call::watch_interrupts();
    let mut output = Output::new(arguments.json);
    let result = cli::run(&arguments.command, &mut output);
    let result = result.and_then(|outcome| output.flush().map(|()| outcome));
    let outcome = result.unwrap_or_else(|failure| cli::tell(None, &failure, &mut output));
    ExitCode::from(outcome.code())
}
