//! Changing where nodes of a file stand: inserted at a position, renamed, moved.

use crate::error::Result;
use crate::file::Node;
pub use crate::tree::restructure::KeyPosition;

impl Node {
    /// Inserts null into the sequence at `path` before the item of this index, or at the end; it is then set as any
    /// other item.
    ///
    /// Fails with [`Status::WrongType`](crate::Status::WrongType) unless a sequence stands there, and with
    /// [`Status::OutOfRange`](crate::Status::OutOfRange) for an index beyond the number of items.
    pub fn insert_item(&self, path: &str, index: Option<usize>) -> Result<()> {
        self.edit_values(path, |tree| tree.insert_item(self.id(), path, index).map(|_| ()))
    }

    /// Inserts a pair with this key and null into the mapping at `path`; it is then set as any other value.
    ///
    /// Fails with [`Status::WrongType`](crate::Status::WrongType) unless a mapping stands there, with
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument) if it has the key already, and with
    /// [`Status::NotFound`](crate::Status::NotFound) if it lacks that of the neighbour.
    pub fn insert_key(&self, path: &str, key: &str, position: KeyPosition) -> Result<()> {
        self.edit_values(path, |tree| tree.insert_key(self.id(), path, key, position).map(|_| ()))
    }

    /// Gives the value at `path` another key. Its place among the pairs, its text and its comments stay.
    ///
    /// JSON references that lead here are left as they are, as those of other files have to be.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) if the mapping has the new key already, or
    /// has the old one only because another mapping is merged into it.
    pub fn rename_key(&self, path: &str, key: &str) -> Result<()> {
        self.edit(path, |tree| tree.rename_key(self.id(), path, key))
    }

    /// Moves what stands at `path`, with all below it, to the path `to` from this node, as JSON Patch (RFC 6902) does: it
    /// is taken out, and then put in. In a sequence the last part of `to` is the index that it gets, `-` for the end. In
    /// a mapping it takes the place of what stands there under the key, else it becomes the last. Collections that are
    /// missing on the way are made as setters make them. Nodes stay valid, arrays keep their blocks, and comments in the text go along. If something that has
    /// aliases would come to stand behind one of them, the first of these gets its content, and it becomes an alias.
    ///
    /// JSON references that lead here are left as they are, as those of other files have to be.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) for the root, for a target within what is
    /// moved, and for a pair that stands here only because another mapping is merged into this one.
    pub fn move_to(&self, path: &str, to: &str) -> Result<()> {
        self.edit(path, |tree| tree.move_node(self.id(), path, to))
    }
}
