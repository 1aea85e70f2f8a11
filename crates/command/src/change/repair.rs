//! `asdfkit repair` and `recover`: files with wrong indices and checksums, and damaged files.

use super::session::Saving;
use crate::core::arguments::{Target, Threads};
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Input, is_standard};
use crate::core::limits;
use crate::core::new_file::tell_new_warnings;
use crate::core::output::{Output, Report, Style, printable};
use crate::core::size::count;
use asdfkit::file::{File, LossKind, OpenOptions, RecoverOptions, Recovery, Repaired, Repairs};
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// Answer to a request for repairs that are not needed.
const NOTHING: &str = "nothing to repair in the block index; `asdfkit verify` checks the content, and `asdfkit recover` \
                       saves what is left of a damaged file";

/// Write a missing or wrong block index, and checksums
///
/// The tree and the payloads are not changed. Without options, only the block index is repaired.
#[derive(Args, Debug)]
pub(crate) struct RepairArguments {
    /// File to change
    pub(crate) file: PathBuf,
    /// Add checksums to blocks without one
    #[arg(long)]
    checksums: bool,
    /// Renew checksums of the decoded bytes, as earlier writers computed them
    #[arg(long)]
    decoded_checksums: bool,
    /// Renew checksums that do not match: the current bytes count as correct
    #[arg(long)]
    wrong_checksums: bool,
    #[command(flatten)]
    saving: Saving,
}

/// Copy the readable parts of a damaged file into a new file, and list the losses
///
/// The exit code is 1 if something was lost.
#[derive(Args, Debug)]
pub(crate) struct RecoverArguments {
    /// Damaged file, which is not changed; `-` is standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    target: Target,
    /// Drop blocks that end early as a whole, instead of keeping their complete rows
    #[arg(long)]
    whole_blocks: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Repairs a file.
pub(crate) fn repair(arguments: &RepairArguments, output: &mut Output) -> Result<Outcome> {
    let (path, saving) = (&arguments.file, &arguments.saving);
    let repairs = Repairs {
        index: true,
        absent_checksums: arguments.checksums,
        decoded_checksums: arguments.decoded_checksums,
        wrong_checksums: arguments.wrong_checksums,
    };
    let repaired = if saving.dry_run {
        saving.try_on_copy(path, |copy, options| Ok(saving.open(copy)?.repair(repairs, options)?))?
    } else {
        let file = saving.open(path)?;
        saving.back_up(path)?;
        let known = file.warnings().len();
        let repaired = file.repair(repairs, &saving.options())?;
        tell_new_warnings(&file, path, known);
        repaired
    };
    let Repaired { index, checksums } = repaired;
    let mut done = Vec::new();
    if index {
        done.push("write the block index".to_owned());
    }
    if checksums > 0 {
        done.push(format!("write {}", count(checksums, "checksum")));
    }
    if !saving.dry_run && !output.json {
        let told = if done.is_empty() { NOTHING.to_owned() } else { done.join(", ").replace("write", "wrote") };
        output.line(&format!("{}: {told}", printable(&path.to_string_lossy())))?;
        return Ok(Outcome::Yes);
    }
    saving.report(path, done, output)?;
    Ok(Outcome::Yes)
}

/// Recovers a damaged file.
pub(crate) fn recover(arguments: &RecoverArguments, output: &mut Output) -> Result<Outcome> {
    if is_standard(arguments.target.path()) {
        return Err(Failure::usage("the list of losses is written to standard output; give the new file a name"));
    }
    let input = Input::open(&arguments.file)?;
    let options = RecoverOptions {
        whole_blocks: arguments.whole_blocks,
        write: arguments.target.options(arguments.threads),
        open: OpenOptions { limits: limits::chosen(), ..OpenOptions::default() },
    };
    let new = arguments.target.path();
    let recovery = match input.is_stream() {
        true => File::recover_source(input.source()?, new, &options)?,
        false => File::recover(&arguments.file, new, &options)?,
    };
    let outcome = Outcome::of(recovery.losses.is_empty());
    let name = arguments.file.to_string_lossy().into_owned();
    let target = arguments.target.path().to_string_lossy().into_owned();
    output.report(&Recovered { name, target, recovery })?;
    Ok(outcome)
}

/// Returns the numbers of arrays, blocks and other parts with losses. An array is lost with its block.
fn summary(recovery: &Recovery) -> String {
    use LossKind::{Array, ArrayDamaged, ArrayEnd, Block, BlockDamaged, BlockEnd};
    let (mut arrays, mut blocks, mut others) = (0, 0, 0);
    for loss in &recovery.losses {
        match loss.kind {
            Array | ArrayEnd | ArrayDamaged => arrays += 1,
            Block | BlockEnd | BlockDamaged => blocks += 1,
            _ => others += 1,
        }
    }
    let parts = [(arrays, "array"), (blocks, "block"), (others, "other part")];
    let parts: Vec<String> = parts.iter().filter(|part| part.0 > 0).map(|part| count(part.0, part.1)).collect();
    format!("losses in {}", parts.join(", "))
}

struct Recovered {
    name: String,
    target: String,
    recovery: Recovery,
}

impl Report for Recovered {
    fn json(&self) -> Value {
        let losses = self.recovery.losses.iter().map(|loss| {
            json!({
                "kind": loss.kind.name(),
                "block": loss.block,
                "offset": loss.offset,
                "bytes": loss.bytes,
                "rows": loss.rows,
                "path": loss.path,
                "message": loss.message,
            })
        });
        json!({"file": self.name, "recovered": self.target, "losses": losses.collect::<Vec<_>>()})
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let name = style.name(printable(&self.name));
        match self.recovery.losses.len() as u64 {
            0 => writeln!(out, "{name}: {}", style.good("nothing was lost"))?,
            _ => writeln!(out, "{name}: {}", style.bad(summary(&self.recovery)))?,
        }
        for loss in &self.recovery.losses {
            writeln!(out, "  {}: {}", loss.kind.name(), printable(&loss.to_string()))?;
        }
        Ok(())
    }
}
