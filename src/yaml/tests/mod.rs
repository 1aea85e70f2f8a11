//! Tests of reading and writing YAML.

#[cfg(test)]
pub(super) mod differential;
#[cfg(test)]
mod hostile_keys;
