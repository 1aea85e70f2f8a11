//! Files: opened, made, written, their blocks and history.

pub mod access;
pub mod blocks;
pub mod callbacks;
pub mod codec;
mod descriptor;
pub mod history;
pub mod image_decoder;
pub mod open;
pub(crate) mod options;
pub mod progress;
pub mod recover;
pub mod references;
pub mod write;
