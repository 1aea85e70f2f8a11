//! ASDF files in new FITS files: elements that images of FITS can hold are in HDUs of their own.

use super::block_names::BlockNames;
use super::explode::{Brought, Copy, empty_block};
use super::framed::{Frame, Piece};
use crate::array::{Array, ByteOrder, Descriptor, Order};
use crate::error::{Error, Result, Status};
use crate::file::File;
use crate::file::blocks::number_of;
use crate::file::edit::redescribe::redescribe;
use crate::file::open::named_blocks::{block_source, count_from_start, for_each_node, uri_sources};
use crate::fits::{ImageElements, NewImage, hash_of, hdu_name, primary_header};
use crate::reserve;
use crate::tree::edit::Content;
use crate::tree::{Key, NodeId, Scalar, Style, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Key of the root with a hash of the headers, in files of `stdatamodels`.
const HASH: &str = "_fits_hash";

impl File {
    /// Returns a copy of the file for a new FITS file, and what stands around it there. Arrays in other files are brought,
    /// because readers of FITS files do not follow their URIs.
    pub(super) fn embedded(&self) -> Result<(File, Frame)> {
        let copy = Copy::of(self)?;
        if copy.store.unnumbered().iter().next().is_some() {
            let message = "the file has arrays that are to be streamed, or stored in other files; a FITS file holds all \
                           its arrays itself";
            return Err(Error::new(Status::Unsupported, message));
        }
        if uri_sources(&copy.tree)?.is_empty() {
            return copy.embedded();
        }
        let whole = copy.imploded(Brought::Files)?;
        Copy::of(&whole)?.embedded()
    }
}

impl Copy<'_> {
    fn embedded(mut self) -> Result<(File, Frame)> {
        let count = self.from.block_count()?;
        count_from_start(&mut self.tree, count, count)?;
        let mut images = Vec::new();
        let mut versions: BTreeMap<String, u64> = BTreeMap::new();
        let mut moved = BTreeSet::new();
        for (number, node) in self.movable(count)? {
            let path = self.tree.path(node);
            let key = path.rsplit('/').find(|token| !token.bytes().all(|byte| byte.is_ascii_digit()));
            let name = hdu_name(key.unwrap_or_default());
            let version = versions.get(&name).map_or(1, |last| last + 1);
            let Some(image) = self.image(node, number, &name, version)? else { continue };
            let source = format!("fits:{name},{version}");
            let place = self.tree.place(node, "source")?;
            self.tree.replace(place, Content::Scalar(&source, Style::Automatic));
            versions.insert(name, version);
            images.push(image);
            moved.insert(number);
        }
        self.put_blocks(count, &moved)?;
        let primary = primary_header(self.model().as_deref());
        let headers = std::iter::once(&primary).chain(images.iter().map(|image| &image.header));
        let hash = hash_of(headers.map(Vec::as_slice));
        self.set_hash(&hash);
        let mut before = vec![Piece::Bytes(primary)];
        for NewImage { header, data } in images {
            let length = data.len();
            before.extend([Piece::Bytes(header), Piece::Copied(data, 0..length)]);
        }
        Ok((self.into_file(), Frame::new(before)))
    }

    /// Puts the blocks that did not move into the copy. They get new numbers if only arrays name them.
    fn put_blocks(&mut self, count: u64, moved: &BTreeSet<u64>) -> Result<()> {
        let names = BlockNames::of(self.from, &self.tree, count)?;
        let keeps_numbers = names.keep_all || names.fixed.is_some() || !names.maps.is_empty();
        let staying: Vec<u64> = (0..count).filter(|number| !moved.contains(number)).collect();
        if keeps_numbers {
            // Moved blocks before the last one are replaced by empty ones.
            for number in 0..staying.last().map_or(0, |last| last + 1) {
                let stays = !moved.contains(&number);
                let block = if stays { self.from.copy_of_block(number as i64)? } else { empty_block() };
                self.copied.put(number, block)?;
            }
            return Ok(());
        }
        for (new, &old) in (0..).zip(&staying) {
            self.copied.put(new, self.from.copy_of_block(old as i64)?)?;
        }
        for (&place, &index) in &names.certain {
            if let Some(new) = u64::try_from(index).ok().and_then(|old| staying.binary_search(&old).ok()) {
                self.tree.replace(place, Content::Scalar(&new.to_string(), Style::Plain));
            }
        }
        Ok(())
    }

    /// Returns the blocks that a single array names and nothing else may name, with these arrays.
    fn movable(&self, count: u64) -> Result<Vec<(u64, NodeId)>> {
        let names = BlockNames::of(self.from, &self.tree, count)?;
        let mut arrays: BTreeMap<u64, Vec<NodeId>> = BTreeMap::new();
        for_each_node(&self.tree, |id| {
            let number = block_source(&self.tree, id).and_then(|(_, index)| number_of(index, count));
            if let Some(number) = number.filter(|&number| number < count) {
                arrays.entry(number).or_default().push(id);
            }
            Ok(())
        })?;
        let is_chunk = |number: &u64| names.chunks.contains(number) || names.maps.contains_key(number);
        let is_free =
            |number: u64| !names.keep_all && !is_chunk(&number) && names.fixed.is_none_or(|fixed| number > fixed);
        let single = arrays.into_iter().filter_map(|(number, nodes)| match nodes[..] {
            [node] if is_free(number) => Some((number, node)),
            _ => None,
        });
        let mut single = reserve::collected(single.map(Ok))?;
        // In the order of the tree.
        single.sort_unstable_by_key(|(_, node)| *node);
        Ok(single)
    }

    /// Makes an array node describe the data of an image, and returns the image; `None` if images cannot hold the array.
    fn image(&mut self, node: NodeId, number: u64, name: &str, version: u64) -> Result<Option<NewImage>> {
        let limits = self.from.limits();
        let Ok(descriptor) = Descriptor::parse(&self.tree, node, limits) else { return Ok(None) };
        let payload = self.from.payload(number as i64)?;
        let Some(array) = Error::readable(Array::open(&descriptor, payload, limits))? else { return Ok(None) };
        let shape = array.shape().to_vec();
        let Some(scalar) = array.datatype().scalar().filter(|_| descriptor.strides.is_none()) else { return Ok(None) };
        if shape.is_empty() || shape.contains(&0) {
            return Ok(None);
        }
        let source = self.from.copy_of_block(number as i64)?.decoded(limits)?;
        let (offset, count) = (descriptor.offset as u64, array.element_count() as u64);
        if source.len() < offset.saturating_add(count.saturating_mul(scalar.size() as u64)) {
            return Ok(None);
        }
        let elements = ImageElements { source, offset, scalar, byteorder: array.byteorder(), shape: &shape, count };
        let Some(image) = NewImage::new(&elements, name, version) else { return Ok(None) };
        let orders = (&Order::C, ByteOrder::Big);
        redescribe(&mut self.tree, node, 0, (array.datatype(), orders, &shape), limits)?;
        Ok(Some(image))
    }

    /// Returns the name of the data model of a file of `stdatamodels`.
    fn model(&self) -> Option<String> {
        let root = self.tree.root();
        self.tree.find(root, Key::String(HASH))?;
        let meta = self.tree.dealias(self.tree.find(root, Key::String("meta"))?);
        let model = self.tree.dealias(self.tree.find(meta, Key::String("model_type"))?);
        match self.tree.scalar(model) {
            Ok(Scalar::String(model)) => Some(model.to_owned()),
            _ => None,
        }
    }

    /// Renews the hash of the headers, if the tree has one.
    fn set_hash(&mut self, hash: &str) {
        let tree: &mut Tree = &mut self.tree;
        if let Some(place) = tree.find(tree.root(), Key::String(HASH)) {
            let place = tree.dealias(place);
            tree.replace(place, Content::Scalar(hash, Style::Automatic));
        }
    }
}
