//! bzip2: the blocks of a stream, decoded on several threads.

pub(super) mod blocks;
