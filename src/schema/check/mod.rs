//! Checking a tree: `evaluate` applies schemas to nodes, `arrays` and `casting` the keywords of arrays, `failure` tells
//! what is wrong.

pub(super) mod arrays;
mod casting;
pub(super) mod evaluate;
pub(super) mod failure;
mod leaf;
