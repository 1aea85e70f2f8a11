//! Writing files.

mod ahead;
pub(super) mod block;
mod block_names;
pub(super) mod compact;
pub(super) mod embed;
pub(super) mod explode;
pub(super) mod external;
pub(super) mod framed;
pub(super) mod new_file;
pub(super) mod open_block;
pub(super) mod output;
pub(super) mod prepared;
mod sources;
pub(super) mod stream;
pub(super) mod whole;
