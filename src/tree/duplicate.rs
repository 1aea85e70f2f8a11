//! Copy of a whole tree, and room for edits, for whose size the system may have no memory.

use super::chunked::Chunked;
use super::original::Original;
use super::{Collection, Difference, EffectivePairs, NodeId, Tree};
use crate::error::Result;
use crate::reserve;

impl Tree {
    /// Returns a copy of the tree. `Clone` would end the program if memory is short.
    pub(crate) fn duplicate(&self) -> Result<Tree> {
        let mut tag_numbers = foldhash::HashMap::default();
        reserve::room_in(&mut tag_numbers, self.tag_numbers.len())?;
        for (tag, &number) in &self.tag_numbers {
            tag_numbers.insert(reserve::text_of(tag)?, number);
        }
        let mut anchors = foldhash::HashMap::default();
        reserve::room_in(&mut anchors, self.anchors.len())?;
        for (&node, name) in &self.anchors {
            anchors.insert(node, reserve::text_of(name)?);
        }
        Ok(Tree {
            source: self.source.clone(),
            source_offset: self.source_offset,
            source_line: self.source_line,
            lines: self.lines.clone(),
            // They are made again when an error needs them.
            checkpoints: super::Checkpoints::default(),
            uri: self.uri.clone(),
            nodes: reserve::copy_of(&self.nodes)?,
            plain: self.plain.duplicate()?,
            texts: texts_of(&self.texts)?,
            collections: self.collections.duplicate(Collection::duplicate)?,
            tags: texts_of(&self.tags)?,
            tag_numbers,
            anchors,
            aliases: reserve::copy_of(&self.aliases)?,
            merging: reserve::copy_of(&self.merging)?,
            root: self.root,
            comments: self.comments.clone(),
            original: self.original.as_deref().map(Original::duplicate).transpose()?.map(Box::new),
        })
    }

    /// Makes room for the nodes of a small edit.
    pub(crate) fn make_room_for_edit(&mut self) -> Result<()> {
        /// More nodes than an edit makes, apart from copies and long paths.
        const NODES: usize = 64;
        reserve::room_for(&mut self.nodes, NODES)?;
        reserve::room_for(&mut self.texts, NODES)?;
        reserve::room_for(&mut self.aliases, NODES)?;
        reserve::room_for(&mut self.merging, NODES)?;
        self.collections.make_room()?;
        if let Some(original) = &mut self.original {
            original.make_room(NODES)?;
        }
        self.make_room_for_tag()?;
        self.make_room_for_anchor()
    }

    /// Makes room for a child of a collection. A list that is full grows, and with it the tables of its keys.
    pub(super) fn make_room_for_child(&mut self, id: NodeId) -> Result<()> {
        /// Bytes of a child in the tables of a mapping, and in a list that is copied.
        const BYTES: usize = 64;
        self.prepare_children(id)?;
        let number = self.node(id).data as usize;
        let items = &mut self.collections[number].items;
        if items.capacity() - items.len() < 2 {
            reserve::expect_room(items.len().saturating_mul(BYTES) as u64)?;
        }
        reserve::room_for(items, 2)
    }
}

impl Collection {
    fn duplicate(&self) -> Result<Collection> {
        let effective = self.effective.as_deref().map(|pairs| reserve::copy_of(&pairs.0)).transpose()?;
        let difference = self.difference.as_deref().map(|difference| difference.duplicate(self.items.len()));
        Ok(Collection {
            items: reserve::copy_of(&self.items)?,
            difference: difference.transpose()?.map(Box::new),
            effective: effective.map(|pairs| Box::new(EffectivePairs(pairs))),
            index: self.index.clone(),
        })
    }
}

impl Difference {
    fn duplicate(&self, count: usize) -> Result<Difference> {
        Ok(match self {
            Difference::Runs(runs) => Difference::Runs(runs.duplicate()?),
            Difference::Holes(holes) => Difference::Holes(holes.duplicate(count)?),
        })
    }
}

fn texts_of(texts: &[Box<str>]) -> Result<Vec<Box<str>>> {
    let mut copies = reserve::list_for(texts.len())?;
    for text in texts {
        copies.push(reserve::text_of(text)?);
    }
    Ok(copies)
}

impl<T> Chunked<T> {
    fn duplicate(&self, copy: impl Fn(&T) -> Result<T>) -> Result<Chunked<T>> {
        let mut copies = Chunked::new();
        for element in self.iter() {
            copies.make_room()?;
            copies.push(copy(element)?);
        }
        Ok(copies)
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use crate::limits::Limits;

    #[test]
    fn a_copy_has_the_same_content_and_is_independent() {
        let numbers = (0..200).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
        let text =
            format!("a: &x {{b: \"\\x41\", c: !t 1}}\nd: *x\n<<: {{e: 2}}\nf: [{numbers}]\nf: 3\ng: [{numbers}]\n");
        let mut tree = crate::yaml::parse(text, 0, 1, &Limits::default()).unwrap().tree;
        let copy = tree.duplicate().unwrap();
        let written = |tree: &Tree| {
            let mut out = String::new();
            crate::yaml::emit(tree, &mut out, &crate::yaml::EmitOptions::default()).unwrap();
            out
        };
        assert_eq!(written(&copy), written(&tree));
        let root = tree.root();
        assert_eq!((copy.node_count(), copy.pairs(root)), (tree.node_count(), tree.pairs(root)));
        let f = tree.lookup(root, "a/b").unwrap();
        tree.remove(f).unwrap();
        assert!(copy.check(f).is_ok() && tree.check(f).is_err());
        assert_eq!(copy.text(copy.lookup(copy.root(), "g/199").unwrap()), "199");
    }
}
