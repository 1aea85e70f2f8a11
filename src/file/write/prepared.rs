//! A file as it is when a write of it begins. Later changes have no effect on the write, which holds no lock.

use super::framed::Frame;
use super::output::end_line;
use super::sources::Sources;
use crate::array;
use crate::error::Result;
use crate::file::blocks::BlockStore;
use crate::file::edit::translate::translate;
use crate::file::open::writer_name;
use crate::file::{Container, File, StandardVersion, WriteOptions};
use crate::layout;
use crate::reserve;
use crate::source::read_vec_at;
use crate::tree::Tree;
use crate::yaml::{self, EmitOptions};
use std::path::Path;
use std::sync::Arc;

/// A file that is ready to be written.
pub(crate) struct Prepared {
    pub(crate) file: File,
    pub(crate) tree: Arc<Tree>,
    pub(crate) store: Arc<BlockStore>,
    /// Sources of the arrays whose blocks have no number.
    pub(crate) sources: Sources,
    /// Version of the standard, if the file is rewritten in another one.
    pub(crate) renewed: Option<StandardVersion>,
    /// HDUs around the file, if a FITS file is written.
    pub(super) frame: Option<Frame>,
    /// Header lines.
    header: Vec<u8>,
}

impl Prepared {
    /// Prepares a file for writing, and writes the files of external arrays in the directory of `main`. Fails if changes
    /// are missing in the file, or if the options are invalid.
    pub(crate) fn new(file: &File, main: Option<&Path>, options: &WriteOptions) -> Result<Prepared> {
        check_valid(file, options)?;
        let (tree, store) = {
            let mut state = file.own_state()?;
            state.check_complete(options)?;
            state.update.undo_failed_save()?;
            if state.store().is_changeable() {
                if state.is_changed && is_copy(file, state.store()) {
                    writer_name::name_library(state.tree_mut(), file.standard_version())?;
                }
                state.drop_unused_blocks()?;
            }
            state.content()
        };
        let mut prepared = Prepared::of_content(file, tree, store)?;
        prepared.write_externals(main, options)?;
        Ok(prepared)
    }

    /// Prepares a file for writing under another name, in the container of the options. Otherwise like
    /// [`Prepared::new`]. The data of HDUs become blocks of an ASDF file.
    pub(super) fn for_new_file(file: &File, main: Option<&Path>, options: &WriteOptions) -> Result<Prepared> {
        Prepared::in_own_standard(file, main, options)?.in_standard(options)
    }

    fn in_own_standard(file: &File, main: Option<&Path>, options: &WriteOptions) -> Result<Prepared> {
        let (copy, frame) = match (options.container, file.store()?.fits()) {
            (Container::Asdf, None) => return Prepared::new(file, main, options),
            (Container::Fits, Some(fits)) => {
                let prepared = Prepared::new(file, main, options)?;
                return Ok(Prepared { frame: Some(Frame::of(fits)?), ..prepared });
            }
            (Container::Asdf, Some(_)) => (file.without_hdus(), None),
            (Container::Fits, None) => {
                let (copy, frame) = file.embedded()?;
                (Ok(Some(copy)), Some(frame))
            }
        };
        file.check_complete(options)?;
        check_valid(file, options)?;
        let mut prepared = Prepared::of(copy?.as_ref().unwrap_or(file))?;
        prepared.frame = frame;
        prepared.write_externals(main, options)?;
        Ok(prepared)
    }

    /// Takes what is written from a file as it is now, without changing the file.
    pub(crate) fn of(file: &File) -> Result<Prepared> {
        let (tree, store) = file.state()?.content();
        Prepared::of_content(file, tree, store)
    }

    fn of_content(file: &File, tree: Arc<Tree>, store: Arc<BlockStore>) -> Result<Prepared> {
        let mut header = match (store.of_file(), &file.shared.origin.header) {
            (Some(stored), _) => {
                let range = &stored.layout.header;
                read_vec_at(&*stored.source, range.start, range.end - range.start)?
            }
            (None, Some(header)) => header.clone(),
            (None, None) => layout::encode_header_lines(file.standard_version(), &file.comments()?)?,
        };
        end_line(&mut header);
        Ok(Prepared {
            file: file.clone(),
            tree,
            store,
            sources: Sources::default(),
            renewed: None,
            frame: None,
            header,
        })
    }

    /// Rewrites the file in the version of the standard that the options demand.
    pub(crate) fn in_standard(mut self, options: &WriteOptions) -> Result<Prepared> {
        let Some(standard) = options.as_standard else { return Ok(self) };
        let declared = self.file.standard();
        if declared.declared.as_deref() == Some(standard.as_str()) {
            return Ok(self);
        }
        let mut tree = Tree::clone(&self.tree);
        if !self.store.is_changeable() {
            tree.remember_original();
        }
        translate(&mut tree, declared.effective, standard).map_err(|error| self.file.name_in(error))?;
        self.header = layout::header_in_standard(&self.header, standard);
        self.tree = Arc::new(tree);
        self.renewed = Some(standard);
        self.file.check_valid_tree(&self.tree, standard, options.validation.as_ref())?;
        Ok(self)
    }

    /// Returns the header lines.
    pub(crate) fn header(&self) -> &[u8] {
        &self.header
    }

    /// Returns the files on disk whose tree or blocks are written. Files with this content get at most their rights.
    pub(super) fn originals(&self) -> Vec<Arc<std::fs::File>> {
        let mut files = Vec::from_iter(self.file.shared.origin.original.clone());
        self.store.add_opened_files(&mut files);
        files
    }

    /// Returns true for a new file that readers of the first version of the format are meant to read.
    pub(super) fn is_for_old_readers(&self) -> bool {
        self.file.shared.origin.is_for_old_readers
    }

    /// Returns true if the text of the tree comes from a file, so that unchanged parts of it must stay.
    pub(super) fn is_copy(&self) -> bool {
        is_copy(&self.file, &self.store)
    }

    /// Returns the part before the blocks: header lines and tree.
    pub(crate) fn head(&self) -> Result<Vec<u8>> {
        if self.sources.is_empty() {
            return self.head_with(&self.tree);
        }
        let mut tree = self.tree.duplicate()?;
        self.sources.set_in(&self.store, &mut tree);
        self.head_with(&tree)
    }

    /// Returns the header lines, followed by the text of a tree.
    pub(crate) fn head_with(&self, tree: &Tree) -> Result<Vec<u8>> {
        let mut head = self.header.clone();
        let text = self.text_of(tree)?;
        reserve::room_for(&mut head, text.len() + 1)?;
        head.extend_from_slice(text.as_bytes());
        end_line(&mut head);
        Ok(head)
    }

    /// Returns the text of a tree that was made of this one.
    pub(super) fn text_of(&self, tree: &Tree) -> Result<String> {
        let text = self.text_without_comments(tree)?;
        match tree.set_comments().next() {
            Some(_) => yaml::with_comments(tree, text, self.file.limits()),
            None => Ok(text),
        }
    }

    /// Returns the text of a tree, with the comments of the text that it was read from only.
    fn text_without_comments(&self, tree: &Tree) -> Result<String> {
        if self.is_copy() {
            return yaml::splice(tree, self.file.limits());
        }
        let mut text = String::new();
        let options = EmitOptions::of_limits(self.file.limits());
        if self.is_for_old_readers() {
            let mut full = tree.duplicate()?;
            array::describe_fully(&mut full, self.file.limits())?;
            yaml::emit(&full, &mut text, &options)?;
        } else {
            yaml::emit(tree, &mut text, &options)?;
        }
        Ok(text)
    }
}

/// Returns true if the text of the tree comes from a file, so that unchanged parts of it must stay.
fn is_copy(file: &File, store: &BlockStore) -> bool {
    store.of_file().is_some() || file.shared.origin.header.is_some()
}

/// Fails if options demand valid content and it is not. Content in another version of the standard is checked when it is
/// made.
fn check_valid(file: &File, options: &WriteOptions) -> Result<()> {
    let keeps_standard =
        options.as_standard.is_none_or(|standard| file.standard().declared.as_deref() == Some(standard.as_str()));
    if keeps_standard { file.check_valid(options.validation.as_ref()) } else { Ok(()) }
}
