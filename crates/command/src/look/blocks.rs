//! `asdfkit blocks`: the layout of the blocks of a file.

use crate::core::arguments::Files;
use crate::core::failure::{Outcome, Result};
use crate::core::input::Input;
use crate::core::output::{Output, Report, Style, printable};
use crate::core::size::{count, of_bytes};
use asdfkit::codec::Label;
use asdfkit::file::{BlockInfo, ChecksumMatch, File};
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Show the blocks of files: place, size, gaps, compression and checksum
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Compare each block with its checksum, which reads the whole file
    #[arg(short, long)]
    check: bool,
}

/// Shows the blocks of one file.
pub(crate) fn run(input: &Input, arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let file = input.asdf()?;
    let mut blocks = Vec::new();
    let mut good = true;
    for index in 0..file.block_count()? as i64 {
        let info = file.block(index)?;
        let checksum = match (arguments.check, info.checksum == [0; 16]) {
            (true, _) => match file.verify_block(index)? {
                ChecksumMatch::Absent => "none",
                ChecksumMatch::Stored => "good",
                ChecksumMatch::Decoded => "good (of decoded bytes)",
                ChecksumMatch::Mismatch => {
                    good = false;
                    "wrong"
                }
            },
            (false, true) => "none",
            (false, false) => "present",
        };
        blocks.push(Block { info, checksum });
    }
    let size = input.size();
    output.report(&BlockList { name: input.name(), size, blocks })?;
    Ok(Outcome::of(good))
}

/// Returns the facts about all blocks, without a comparison of checksums.
pub(crate) fn facts(input: &Input, file: &File) -> Result<Value> {
    let mut blocks = Vec::new();
    for index in 0..file.block_count()? as i64 {
        let info = file.block(index)?;
        let checksum = if info.checksum == [0; 16] { "none" } else { "present" };
        blocks.push(Block { info, checksum });
    }
    Ok(BlockList { name: input.name(), size: input.size(), blocks }.json())
}

struct Block {
    info: BlockInfo,
    checksum: &'static str,
}

impl Block {
    /// Returns the decoded size divided by the stored size.
    fn ratio(&self) -> Option<f64> {
        let stored = self.info.stored_size.filter(|stored| *stored > 0)?;
        (self.info.compression != Label::NONE).then(|| self.info.decoded_size as f64 / stored as f64)
    }

    /// Returns the offset of the first byte after the block.
    fn end(&self) -> Option<u64> {
        let length = self.info.allocated_size.or(self.info.stored_size)?;
        self.info.payload_offset.map(|start| start.saturating_add(length))
    }

    /// Returns the number of bytes after the payload that are reserved and not used.
    fn free(&self) -> u64 {
        match (self.info.allocated_size, self.info.stored_size) {
            (Some(allocated), Some(stored)) => allocated.saturating_sub(stored),
            _ => 0,
        }
    }
}

struct BlockList {
    name: String,
    size: Option<u64>,
    blocks: Vec<Block>,
}

impl BlockList {
    /// Returns the number of bytes between the block and the next block, without an index at the end.
    fn gap_after(&self, index: usize) -> Option<u64> {
        let end = self.blocks[index].end()?;
        let next = self.blocks.get(index + 1)?.info.offset?;
        Some(next.saturating_sub(end))
    }
}

impl Report for BlockList {
    fn json(&self) -> Value {
        let blocks = self.blocks.iter().enumerate().map(|(index, block)| {
            let info = &block.info;
            let digest = info.checksum.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            json!({
                "block": index,
                "offset": info.offset,
                "payload_offset": info.payload_offset,
                "compression": (info.compression != Label::NONE).then(|| info.compression.to_string()),
                "allocated_bytes": info.allocated_size,
                "stored_bytes": info.stored_size,
                "decoded_bytes": info.decoded_size,
                "ratio": block.ratio(),
                "free_bytes": block.free(),
                "gap_after": self.gap_after(index),
                "streamed": info.streamed,
                "md5": (info.checksum != [0; 16]).then_some(digest),
                "checksum": block.checksum,
            })
        });
        json!({"file": self.name, "bytes": self.size, "blocks": blocks.collect::<Vec<_>>()})
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        writeln!(out, "{}: {}", style.name(printable(&self.name)), count(self.blocks.len() as u64, "block"))?;
        for (index, block) in self.blocks.iter().enumerate() {
            let info = &block.info;
            write!(out, "  {index}: byte {}, {}", info.offset.unwrap_or_default(), of_bytes(info.decoded_size))?;
            if let (Some(ratio), Some(stored)) = (block.ratio(), info.stored_size) {
                write!(out, ", {} {} {ratio:.1}:1", info.compression, of_bytes(stored))?;
            }
            if info.streamed {
                write!(out, ", streamed")?;
            }
            let checksum = format!("checksum {}", block.checksum);
            let checksum = match block.checksum {
                "wrong" => style.bad(checksum),
                text if text.starts_with("good") => style.good(checksum),
                _ => checksum,
            };
            write!(out, ", {checksum}")?;
            if block.free() > 0 {
                write!(out, ", {} free", of_bytes(block.free()))?;
            }
            match self.gap_after(index) {
                Some(gap) if gap > 0 => writeln!(out, ", gap of {} after it", of_bytes(gap))?,
                _ => writeln!(out)?,
            }
        }
        Ok(())
    }
}
