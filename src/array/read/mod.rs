//! Arrays, and reads of their elements.

pub(super) mod array;
pub(super) mod chunk_map;
pub(super) mod chunks;
pub(super) mod copy;
pub(super) mod elements;
pub(super) mod encoded;
pub(super) mod fields;
pub(super) mod load;
pub(super) mod mask;
pub(super) mod options;
pub(super) mod owned;
pub(super) mod owner;
pub(super) mod parts;
pub(super) mod pieces;
pub(super) mod prefetch;
pub(super) mod typed;
pub(super) mod view;
pub(super) mod window;
