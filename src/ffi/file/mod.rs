//! Files: opened, made, written, their blocks and history.

pub mod access;
pub mod blocks;
pub mod codec;
pub mod history;
pub(super) mod lent;
pub mod open;
pub(crate) mod options;
pub mod progress;
pub mod recover;
pub mod write;
