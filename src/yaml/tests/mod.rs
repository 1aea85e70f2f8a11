//! Tests of reading and writing YAML.

#[cfg(test)]
mod documents;
#[cfg(test)]
mod edits;
#[cfg(test)]
mod hostile_keys;
#[cfg(test)]
mod other_documents;
