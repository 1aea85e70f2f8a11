//! Values by the file that they belong to, in the order of their insertion.

use crate::file::File;
use std::collections::HashMap;
use std::sync::Arc;

/// Map from files to values. It keeps its files alive, so their addresses identify them.
pub(crate) struct ByFile<T> {
    places: HashMap<usize, usize>,
    entries: Vec<(File, T)>,
}

impl<T> ByFile<T> {
    /// Makes an empty map.
    pub(crate) fn new() -> ByFile<T> {
        ByFile { places: HashMap::new(), entries: Vec::new() }
    }

    /// Returns the value of a file.
    pub(crate) fn get_mut(&mut self, file: &File) -> Option<&mut T> {
        let place = self.places.get(&address(file))?;
        self.entries.get_mut(*place).map(|(_, value)| value)
    }

    /// Adds the value of a file that has none yet.
    pub(crate) fn insert(&mut self, file: File, value: T) {
        self.places.insert(address(&file), self.entries.len());
        self.entries.push((file, value));
    }

    /// Returns all files with their values.
    pub(crate) fn into_entries(self) -> Vec<(File, T)> {
        self.entries
    }
}

fn address(file: &File) -> usize {
    Arc::as_ptr(&file.shared).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_identity() {
        let files: Vec<File> = (0..100).map(|_| File::new(&crate::file::NewOptions::default())).collect();
        let mut map = ByFile::new();
        for (number, file) in files.iter().enumerate() {
            assert!(map.get_mut(file).is_none());
            map.insert(file.clone(), number);
        }
        for (number, file) in files.iter().enumerate() {
            assert_eq!(map.get_mut(&file.clone()), Some(&mut number.clone()));
        }
        assert!(map.into_entries().iter().map(|(_, number)| *number).eq(0..files.len()));
    }
}
