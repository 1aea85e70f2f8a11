//! Inserting, renaming and moving nodes of a tree.

use crate::error::Result;
use crate::file::Node;
use crate::tree::Key;
pub use crate::tree::restructure::KeyPosition;

impl Node {
    /// Makes the node at `path`, with missing collections on the way as setters do, and returns it. A new node holds
    /// null until it is set. An existing node stays as it is, but "-" always appends an item to a sequence.
    ///
    /// The node serves to set several values of one new item: its path is then empty, and does not append again.
    ///
    /// ```
    /// use asdfkit::file::{File, NewOptions};
    ///
    /// let root = File::new(&NewOptions::default()).root()?;
    /// let item = root.make("detectors/-")?;
    /// item.set_mapping("", false)?;
    /// item.set_string("name", "WFI01")?;
    /// item.set_i64("gain", 2)?;
    /// assert_eq!(root.i64("detectors/0/gain")?, 2);
    /// # Ok::<(), asdfkit::Error>(())
    /// ```
    ///
    /// Fails with [`Status::NotFound`](crate::Status::NotFound) for an index beyond the items of a sequence, and with
    /// [`Status::WrongType`](crate::Status::WrongType) for a path through a scalar.
    pub fn make(&self, path: &str) -> Result<Node> {
        self.edit_values(path, |tree| tree.place(self.id(), path)).map(|id| self.file().node(id))
    }

    /// Returns the value under a key of this type in the mapping at `path`. A missing key is appended, and its value is
    /// null until it is set. A path, in contrast, makes string keys only.
    ///
    /// ```
    /// use asdfkit::file::{File, NewOptions, Key};
    ///
    /// let root = File::new(&NewOptions::default()).root()?;
    /// root.set_mapping("channels", false)?;
    /// root.make_key("channels", Key::Integer(7))?.set_string("", "F146")?;
    /// assert_eq!(root.string("channels/7")?, "F146");
    /// # Ok::<(), asdfkit::Error>(())
    /// ```
    ///
    /// Fails with [`Status::WrongType`](crate::Status::WrongType) if the node is not a mapping, and with
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument) for [`Key::Other`].
    pub fn make_key(&self, path: &str, key: Key) -> Result<Node> {
        self.edit_values(path, |tree| tree.make_key(self.id(), path, key)).map(|id| self.file().node(id))
    }

    /// Inserts null into the sequence at `path` before the item of this index, or at the end for `None`. The item can
    /// then be set like any other.
    ///
    /// Fails with [`Status::WrongType`](crate::Status::WrongType) if the node is not a sequence, and with
    /// [`Status::OutOfRange`](crate::Status::OutOfRange) if the index exceeds the number of items.
    pub fn insert_item(&self, path: &str, index: Option<usize>) -> Result<()> {
        self.edit_values(path, |tree| tree.insert_item(self.id(), path, index).map(|_| ()))
    }

    /// Inserts a pair of this key and null into the mapping at `path`. The value can then be set like any other.
    ///
    /// Fails with [`Status::WrongType`](crate::Status::WrongType) if the node is not a mapping, with
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument) if the key exists already, and with
    /// [`Status::NotFound`](crate::Status::NotFound) if the key of the neighbour does not exist.
    pub fn insert_key(&self, path: &str, key: &str, position: KeyPosition) -> Result<()> {
        self.edit_values(path, |tree| tree.insert_key(self.id(), path, key, position).map(|_| ()))
    }

    /// Changes the key of the value at `path`. The position in the mapping, the text of the value and its comments
    /// stay.
    ///
    /// JSON references to the value are not changed, because references in other files cannot be changed either.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) if the mapping has the new key already,
    /// or has the old key only through a merge of another mapping.
    pub fn rename_key(&self, path: &str, key: &str) -> Result<()> {
        self.edit(path, |tree| tree.rename_key(self.id(), path, key))
    }

    /// Moves the node at `path`, with its descendants, to the path `to`, relative to this node. As in JSON Patch (RFC
    /// 6902), the node is removed first and then added.
    ///
    /// In a sequence, the last part of `to` is the new index, or `-` for the end. In a mapping, the node replaces the
    /// value of the same key, or is appended. Missing collections are created as by setters. Nodes stay valid, arrays
    /// keep their blocks, and comments move with the text. If a node with aliases would move behind an alias, the first
    /// alias gets the content, and the moved node becomes an alias.
    ///
    /// JSON references to the node are not changed, because references in other files cannot be changed either.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) for the root, for a target within the
    /// moved node, and for a pair that exists only through a merge of another mapping.
    pub fn move_to(&self, path: &str, to: &str) -> Result<()> {
        self.edit(path, |tree| tree.move_node(self.id(), path, to))
    }
}
