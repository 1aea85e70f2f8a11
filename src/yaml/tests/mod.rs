//! Tests of the room.

#[cfg(test)]
pub(super) mod differential;
