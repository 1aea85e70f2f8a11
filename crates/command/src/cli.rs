//! The arguments of the command, and the choice of the sub-command.

use crate::core::call::with_progress;
use crate::core::completion;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::files::{FilesAndPaths, Kinds, expanded};
use crate::core::input::Input;
use crate::core::limits;
use crate::core::output::{Output, complain, printable, warn};
use crate::core::tree_path::TreePath;
use crate::{change, check, convert, look, page, picture, serve};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Look into, check, change and convert ASDF, ECSV and NDL files.
///
/// Paths of nodes are JSON Pointers whose leading / may be left out, such as meta/exposure/time; / is the whole tree.
///
/// Exit codes: 0 yes or done, 1 no (files differ, a file is invalid, nothing was found), 2 wrong arguments, 3 failure.
#[derive(Parser, Debug)]
#[command(name = "asdfkit", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// Write one JSON document for each file
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Change a limit on the cost of files, such as nodes=1000000 or decoded-bytes=4GiB; can be repeated
    #[arg(long = "limit", global = true, value_name = "NAME=NUMBER", long_help = limit_help())]
    pub(crate) limits: Vec<limits::Setting>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

fn limit_help() -> String {
    format!(
        "Change a limit on the cost of files; can be repeated. A number of bytes may have a unit: KiB, MiB, GiB, TiB. \
         The limits are {}",
        limits::names()
    )
}

/// The sub-commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Info(look::info::Arguments),
    Blocks(look::blocks::Arguments),
    Get(look::get::Arguments),
    Stat(look::stat::Arguments),
    Table(look::keywords::Arguments),
    Find(look::find::Arguments),
    Describe(look::describe::Arguments),
    Sky(look::sky::Sky),
    Pixel(look::sky::Pixel),
    Show(Box<picture::show::Show>),
    Page(page::Page),
    Serve(serve::Serve),
    Head(look::table::Head),
    Select(convert::select::Select),
    Verify(check::verify::Arguments),
    Diff(check::diff::Arguments),
    Validate(check::validate::Arguments),
    Ndl(check::ndl::Arguments),
    Set(change::edit::Set),
    Delete(change::edit::Delete),
    Rename(change::edit::Rename),
    Copy(change::copy::Arguments),
    History(change::history::Arguments),
    Recompress(change::layout::Recompress),
    Explode(change::layout::Explode),
    Implode(change::layout::Implode),
    Compact(change::layout::Compact),
    Repair(change::repair::RepairArguments),
    Recover(change::repair::RecoverArguments),
    Convert(convert::arguments::Arguments),
    References(convert::references::Arguments),
    #[command(hide = true)]
    Complete(look::complete::Arguments),
    #[command(hide = true)]
    Manual(Manual),
}

/// Write man pages and shell completions into a directory
#[derive(clap::Args, Debug)]
pub(crate) struct Manual {
    /// Directory for `man1` and `completions`
    directory: std::path::PathBuf,
}

/// Runs a sub-command.
pub(crate) fn run(command: &Command, output: &mut Output) -> Result<Outcome> {
    match command {
        Command::Info(arguments) => {
            each(&arguments.files.files, Kinds::All, output, |input, output| look::info::run(input, arguments, output))
        }
        Command::Blocks(arguments) => each(&arguments.files.files, Kinds::Asdf, output, |input, output| {
            look::blocks::run(input, arguments, output)
        }),
        Command::Get(arguments) => get(arguments, output),
        Command::Stat(arguments) => {
            let given = FilesAndPaths::of(&arguments.files, &arguments.keys, Kinds::Asdf)?;
            each_of(&given.files, given.is_single, output, |input, output| {
                look::stat::run(input, &given.paths, given.is_single, arguments, output)
            })
        }
        Command::Table(arguments) => table(arguments, output),
        Command::Complete(arguments) => look::complete::run(arguments, output),
        Command::Find(arguments) => {
            let arguments = arguments.checked()?;
            each(&arguments.files.files, Kinds::Asdf, output, |input, output| look::find::run(input, arguments, output))
        }
        Command::Describe(arguments) => {
            one(&arguments.file, output, |input, output| look::describe::run(input, arguments, output))
        }
        Command::Sky(arguments) => world(&arguments.points, look::sky::Direction::ToWorld, output),
        Command::Pixel(arguments) => world(&arguments.points, look::sky::Direction::ToPixel, output),
        Command::Show(arguments) => {
            one(&arguments.file, output, |input, output| picture::show::run(input, arguments, output))
        }
        Command::Page(arguments) => one(&arguments.file, output, |input, output| page::run(input, arguments, output)),
        Command::Serve(arguments) => serve::run(arguments, output),
        Command::Head(arguments) => head(arguments, output),
        Command::Select(arguments) => {
            one(&arguments.file, output, |input, output| convert::select::select(input, arguments, output))
        }
        Command::Verify(arguments) => verify(arguments, output),
        Command::Diff(arguments) => check::diff::run(arguments, output),
        Command::Validate(arguments) => {
            let demands = arguments.demands()?;
            each(&arguments.files, Kinds::All, output, |input, output| {
                check::validate::run(input, &demands, arguments, output)
            })
        }
        Command::Ndl(arguments) => match &arguments.action {
            check::ndl::Action::Check(arguments) => {
                each(&arguments.files.files, Kinds::All, output, |input, output| {
                    check::ndl::check(input, arguments, output)
                })
            }
            action => with_progress("ndl", || check::ndl::run(action, output)),
        },
        Command::Set(arguments) => set(arguments, output),
        Command::Delete(arguments) => with_progress("delete", || change::edit::delete(arguments, output)),
        Command::Rename(arguments) => with_progress("rename", || change::edit::rename(arguments, output)),
        Command::Copy(arguments) => with_progress("copy", || change::copy::run(arguments, output)),
        Command::History(arguments) => match &arguments.action {
            change::history::Action::Add(arguments) => {
                with_progress("history", || change::history::add(arguments, output))
            }
        },
        Command::Recompress(arguments) => with_progress("recompress", || change::layout::recompress(arguments, output)),
        Command::Explode(arguments) => with_progress("explode", || change::layout::explode(arguments, output)),
        Command::Implode(arguments) => with_progress("implode", || change::layout::implode(arguments, output)),
        Command::Compact(arguments) => with_progress("compact", || change::layout::compact(arguments, output)),
        Command::Repair(arguments) => with_progress("repair", || change::repair::repair(arguments, output)),
        Command::Recover(arguments) => with_progress("recover", || change::repair::recover(arguments, output)),
        Command::Convert(arguments) => with_progress("convert", || convert::run::run(arguments, output)),
        Command::References(arguments) => with_progress("references", || convert::references::run(arguments, output)),
        Command::Manual(arguments) => write_manual(&arguments.directory),
    }
}

/// Writes the value at a path, of one or several files.
fn get(arguments: &look::get::Arguments, output: &mut Output) -> Result<Outcome> {
    let keys: Vec<TreePath> = arguments.key.iter().cloned().collect();
    let given = FilesAndPaths::of(&arguments.files, &keys, Kinds::Asdf)?;
    let path = given.path()?.cloned().unwrap_or_default();
    each_of(&given.files, given.is_single, output, |input, output| match given.is_single {
        true => look::get::run(input, &path, arguments, output),
        false => look::get::run_of_many(input, &path, arguments, output),
    })
}

/// Shows the first rows of one or several tables.
fn head(arguments: &look::table::Head, output: &mut Output) -> Result<Outcome> {
    let given = FilesAndPaths::of(&arguments.files, &[], Kinds::All)?;
    let path = given.path()?;
    let found = std::cell::Cell::new(0);
    let worst = each_of(&given.files, given.is_single, output, |input, output| {
        if !given.is_single && path.is_none() && !look::table::has_table(input, &arguments.text)? {
            warn(&input.name(), &"the file has no table");
            return Ok(Outcome::Yes);
        }
        found.set(found.get() + 1);
        if !given.is_single && !output.json {
            let name = output.style().name(printable(&input.name()));
            output.line(&format!("==> {name} <=="))?;
        }
        look::table::head(input, path, arguments, output)
    })?;
    Ok(worst.max(Outcome::of(found.get() > 0)))
}

/// Sets a value in one or several files.
fn set(arguments: &change::edit::Set, output: &mut Output) -> Result<Outcome> {
    let (files, path, value) = arguments.parts()?;
    let work = |file: &Path, output: &mut Output| {
        with_progress("set", || change::edit::set(file, &path, value, arguments, output))
    };
    if let [file] = &files[..] {
        return work(file, output);
    }
    // A change that one of the files refuses is made in none of them.
    for file in &files {
        with_progress("set", || arguments.check(file, &path, value)).inspect_err(|_| {
            complain("asdfkit: no file was changed");
        })?;
    }
    for_all(&files, output, work)
}

/// Makes a table of keywords.
fn table(arguments: &look::keywords::Arguments, output: &mut Output) -> Result<Outcome> {
    let mut made = look::keywords::Keywords::new(arguments, output)?;
    let files = std::mem::take(&mut made.files);
    let worst = for_all(&files, output, |path, output| made.add(path, output))?;
    Ok(worst.max(made.finish(output)?))
}

/// Converts pixels to world coordinates, or back.
fn world(points: &look::sky::Points, direction: look::sky::Direction, output: &mut Output) -> Result<Outcome> {
    one(&points.file, output, |input, output| look::sky::run(input, direction, points, output))
}

/// Verifies files and, if there are several, sums up the results.
fn verify(arguments: &check::verify::Arguments, output: &mut Output) -> Result<Outcome> {
    let outcome = std::cell::RefCell::new([0_u64; 2]);
    let worst = each(&arguments.files.files, Kinds::All, output, |input, output| {
        let result = check::verify::run(input, arguments, output)?;
        outcome.borrow_mut()[usize::from(result != Outcome::Yes)] += 1;
        Ok(result)
    })?;
    let [good, damaged] = outcome.into_inner();
    let files = expanded(&arguments.files.files, Kinds::All)?.len() as u64;
    if files > 1 && !output.json {
        let failed = files - good - damaged;
        output.line(&format!("{files} files: {good} good, {damaged} damaged, {failed} not read"))?;
    }
    Ok(worst)
}

/// Runs `work` for each file. A failure of one file is told and does not stop the others. Returns the worst outcome.
fn each(
    files: &[PathBuf],
    kinds: Kinds,
    output: &mut Output,
    work: impl Fn(&Input, &mut Output) -> Result<Outcome>,
) -> Result<Outcome> {
    for_all(&expanded(files, kinds)?, output, |path, output| one(path, output, &work))
}

/// Runs `work` for each file, as `each` does. A failure of a single file ends the command.
fn each_of(
    files: &[PathBuf],
    is_single: bool,
    output: &mut Output,
    work: impl Fn(&Input, &mut Output) -> Result<Outcome>,
) -> Result<Outcome> {
    match files {
        [file] if is_single => one(file, output, work),
        files => for_all(files, output, |path, output| one(path, output, &work)),
    }
}

fn for_all(
    files: &[PathBuf],
    output: &mut Output,
    mut work: impl FnMut(&Path, &mut Output) -> Result<Outcome>,
) -> Result<Outcome> {
    let mut worst = Outcome::Yes;
    let mut told = None;
    for path in files {
        let outcome = match work(path, output) {
            Err(Failure::BrokenPipe) => return Err(Failure::BrokenPipe),
            // The same arguments are wrong for each file.
            Err(Failure::Usage(message)) if told.as_ref() == Some(&message) && !output.json => Outcome::Usage,
            Err(Failure::Usage(message)) => {
                told = Some(message.clone());
                tell(Some(path), &Failure::Usage(message), output)
            }
            Err(failure) => tell(Some(path), &failure, output),
            Ok(outcome) => outcome,
        };
        worst = worst.max(outcome);
    }
    Ok(worst)
}

/// Runs `work` for one file, with progress.
fn one(path: &Path, output: &mut Output, work: impl FnOnce(&Input, &mut Output) -> Result<Outcome>) -> Result<Outcome> {
    let input = Input::open(path)?;
    let name = input.name();
    with_progress(&name, || work(&input, output)).map_err(|failure| match input.is_made() {
        // Places in the text that was made of it are none in the file.
        true => failure.of_stand_in(&name, false),
        false => failure.about(&name),
    })
}

/// Tells a failure on standard error, and with `--json` on standard output, too. Returns its outcome.
pub(crate) fn tell(path: Option<&Path>, failure: &Failure, output: &mut Output) -> Outcome {
    if let Failure::BrokenPipe = failure {
        return failure.outcome();
    }
    if output.json {
        let document = match path {
            Some(path) => json!({"file": path.to_string_lossy(), "error": failure.json()}),
            None => json!({"error": failure.json()}),
        };
        // The message below tells the failure in any case.
        let _ = output.document(&document);
    }
    // Reports so far stand before the message on a terminal.
    let _ = output.flush();
    complain(&format!("asdfkit: {failure}"));
    failure.outcome()
}

/// Writes the manual page of a command, which names the version and the manual.
fn write_page(command: clap::Command, directory: &Path) -> std::io::Result<()> {
    let page = clap_mangen::Man::new(command).source(concat!("asdfkit ", env!("CARGO_PKG_VERSION")));
    page.manual("Manual of asdfkit").generate_to(directory).map(drop)
}

fn write_manual(directory: &Path) -> Result<Outcome> {
    let failed = |error| Failure::System(format!("cannot write to {}", directory.display()), error);
    let (pages, completions) = (directory.join("man1"), directory.join("completions"));
    std::fs::create_dir_all(&pages).map_err(failed)?;
    std::fs::create_dir_all(&completions).map_err(failed)?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()).cloned());
        write_page(command, &pages).map_err(failed)?;
    }
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        let name = clap_complete::generate_to(shell, &mut Cli::command(), "asdfkit", &completions).map_err(failed)?;
        let script = std::fs::read_to_string(&name).map_err(failed)?;
        let script = match shell {
            Shell::Bash => script + &completion::of_bash(),
            Shell::Fish => script + &completion::of_fish(),
            _ => completion::of_zsh(&script),
        };
        std::fs::write(&name, script).map_err(failed)?;
    }
    Ok(Outcome::Yes)
}
