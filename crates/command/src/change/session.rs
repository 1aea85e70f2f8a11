//! The course of every change of a file: open, change, and save as a whole or not at all.

use crate::core::arguments::Threads;
use crate::core::failure::Result;
use crate::core::input::check_changeable;
use crate::core::limits;
use crate::core::new_file::{self, tell_new_warnings};
use crate::core::output::{Output, Report, Style, printable};
use asdfkit::file::{File, OpenOptions, WriteOptions};
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// Arguments of every sub-command that changes files.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Saving {
    /// Say what would be changed, and change nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Keep the old file as FILE.bak
    #[arg(short, long)]
    backup: bool,
    #[command(flatten)]
    threads: Threads,
}

impl Saving {
    /// Returns the options for saving.
    pub(crate) fn options(&self) -> WriteOptions {
        WriteOptions { threads: self.threads.number(), ..WriteOptions::default() }
    }

    /// Opens a file for a change, also if nothing will be saved: what a change would refuse, `--dry-run` refuses, too.
    pub(crate) fn open(&self, path: &Path) -> Result<File> {
        check_changeable(path)?;
        Ok(File::open_for_update(path, &OpenOptions { limits: limits::chosen(), ..OpenOptions::default() })?)
    }

    /// Makes a change on a temporary copy of the file, whose name `change` gets. For changes that save by themselves.
    pub(crate) fn try_on_copy<T>(
        &self,
        path: &Path,
        change: impl FnOnce(&Path, &WriteOptions) -> Result<T>,
    ) -> Result<T> {
        drop(self.open(path)?);
        let copy = new_file::private_copy(path)?;
        let done = change(copy.path(), &WriteOptions { durable: false, ..self.options() });
        // The name of the copy means nothing to anybody.
        done.map_err(|failure| failure.of_stand_in(&path.to_string_lossy(), true))
    }

    /// Makes a change that is not saved.
    pub(crate) fn try_in_memory<T>(&self, path: &Path, change: impl FnOnce(&File) -> Result<T>) -> Result<()> {
        let file = self.open(path)?;
        change(&file).map(drop).map_err(|failure| failure.in_file(&path.to_string_lossy()))
    }

    /// Copies the file to its backup, if one is wanted. Call this right before saving.
    pub(crate) fn back_up(&self, path: &Path) -> Result<()> {
        if self.backup && !self.dry_run { new_file::back_up(path) } else { Ok(()) }
    }

    /// Opens a file, applies `change`, saves, and reports. `change` returns what it did, one line each.
    pub(crate) fn change(
        &self,
        path: &Path,
        output: &mut Output,
        change: impl FnOnce(&File) -> Result<Vec<String>>,
    ) -> Result<()> {
        let file = self.open(path)?;
        let done = change(&file).map_err(|failure| failure.in_file(&path.to_string_lossy()))?;
        if !self.dry_run && !done.is_empty() {
            self.back_up(path)?;
            let known = file.warnings().len();
            file.save(&self.options())?;
            tell_new_warnings(&file, path, known);
        }
        self.report(path, done, output)
    }

    /// Reports changes.
    pub(crate) fn report(&self, path: &Path, done: Vec<String>, output: &mut Output) -> Result<()> {
        let name = path.to_string_lossy().into_owned();
        output.report(&Changes { name, done, dry_run: self.dry_run })
    }
}

/// Changes of a file, one line each.
struct Changes {
    name: String,
    done: Vec<String>,
    dry_run: bool,
}

impl Report for Changes {
    fn json(&self) -> Value {
        json!({"file": self.name, "dry_run": self.dry_run, "changes": self.done})
    }

    /// Tells nothing about work that is done as asked, like other programs that change files.
    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        if !self.dry_run {
            return Ok(());
        }
        let name = style.name(printable(&self.name));
        for line in &self.done {
            writeln!(out, "{name}: would {}", printable(line))?;
        }
        if self.done.is_empty() {
            writeln!(out, "{name}: nothing to change")?;
        }
        Ok(())
    }
}
