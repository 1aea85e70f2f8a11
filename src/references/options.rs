//! Options of references.

/// Contents of references.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReferenceOptions {
    /// Wanted size of the parts of an uncompressed array, in bytes. Parts have whole rows, and a size near this one that
    /// divides the array without a remainder.
    pub slab_bytes: u64,
    /// URL of the file, or, if it ends in `/`, of the folder that holds the files. Empty for the places where the files
    /// were opened.
    pub url: String,
    /// Path of the node that becomes the root group.
    pub root: String,
    /// Joining of the arrays of several files.
    pub join: Join,
    /// Paths of arrays in the tree that are taken from the first file alone, because they are the same in all.
    pub same: Vec<String>,
    /// Largest number of bytes of an array in the tree whose elements are written into the references, in base64. With 0
    /// no elements are.
    pub inline_bytes: u64,
    /// Names of the dimensions of arrays, by path. They replace those of the file.
    pub dimensions: Vec<(String, Vec<String>)>,
}

impl Default for ReferenceOptions {
    fn default() -> ReferenceOptions {
        ReferenceOptions {
            slab_bytes: 16 << 20,
            url: String::new(),
            root: String::new(),
            join: Join::default(),
            same: Vec::new(),
            inline_bytes: 0,
            dimensions: Vec::new(),
        }
    }
}

/// Joining of the arrays of several files. It has no effect on a single file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Join {
    /// The files follow one another along a new dimension.
    New {
        /// Index of the dimension in the array that is made.
        axis: usize,
        /// Name of the dimension.
        dimension: String,
    },
    /// The rows of the files follow one another along a dimension that the arrays have.
    Existing {
        /// Index of the dimension.
        axis: usize,
    },
}

impl Join {
    /// The files follow one another along a new dimension of this index and name.
    pub fn new(axis: usize, dimension: &str) -> Join {
        Join::New { axis, dimension: dimension.to_owned() }
    }

    /// The rows of the files follow one another along the dimension of this index.
    pub fn existing(axis: usize) -> Join {
        Join::Existing { axis }
    }
}

impl Default for Join {
    fn default() -> Join {
        Join::new(0, "file")
    }
}
