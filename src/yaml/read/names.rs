//! Names of nodes: tags, anchors and aliases.

use super::Builder;
use super::nodes::positions;
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::reserve;
use crate::tree::{Extent, Kind, NodeId, TagId};
use crate::yaml::document::quoted_part;
use crate::yaml::events::Events;

impl<'a> Builder<'a> {
    pub(super) fn tag_number(&mut self, span: Extent, events: &Events<'a>) -> Result<TagId> {
        let tag = &self.document.text[span.range()];
        match self.last_tag {
            Some((last, number)) if last == tag => Ok(number),
            _ => {
                let number = match self.tags.get(tag) {
                    Some(&number) => number,
                    None => self.new_tag(tag, span, events)?,
                };
                self.last_tag = Some((tag, number));
                Ok(number)
            }
        }
    }

    /// Returns the number of a tag that is written in this form for the first time.
    ///
    /// Fails if all such tags take too much memory: each may have a prefix as long as the text.
    fn new_tag(&mut self, tag: &'a str, span: Extent, events: &Events<'a>) -> Result<TagId> {
        let full = events.full_tag(tag)?;
        self.room_for_tags = self.room_for_tags.checked_sub(full.len() as u64).ok_or_else(|| {
            let message = "the tags of the tree are too long together; shorten the prefix of a %TAG directive";
            self.locate(Error::new(Status::Limit, message), span)
        })?;
        self.tree.make_room_for_tag()?;
        let number = self.tree.tag_number(&full);
        reserve::room_in(&mut self.tags, 1)?;
        self.tags.insert(tag, number);
        Ok(number)
    }

    pub(super) fn anchor(&mut self, id: NodeId, span: Extent) -> Result<()> {
        let name = self.name_at(span);
        if self.anchor_count >= self.max_anchors {
            return Err(self.locate(Limit::Anchors.exceeded("anchors in the YAML tree", self.max_anchors), span));
        }
        self.anchor_count += 1;
        reserve::room_in(&mut self.anchors, 1)?;
        self.tree.make_room_for_anchor()?;
        self.anchors.insert(name, id);
        self.tree.set_anchor(id, name);
        Ok(())
    }

    pub(super) fn alias(&mut self, span: Extent) -> Result<()> {
        let name = self.name_at(span);
        self.check_room(span)?;
        if self.aliases >= self.max_anchors {
            return Err(self.locate(Limit::Anchors.exceeded("aliases in the YAML tree", self.max_anchors), span));
        }
        self.aliases += 1;
        let Some(&target) = self.anchors.get(name) else {
            let name = quoted_part(name);
            let message = format!("no anchor '&{name}' stands before this alias; quote a text that begins with '*'");
            return Err(self.locate(Error::new(Status::Yaml, message), span));
        };
        if self.at_key() && self.tree.kind(target) != Kind::Scalar {
            return Err(self.key_error(span));
        }
        let id = self.tree.add_alias(target, self.parent(), positions(span));
        self.add(id, span)
    }

    /// Returns the name of an anchor or an alias.
    fn name_at(&self, span: Extent) -> &'a str {
        &self.document.text[span.range()][1..]
    }
}
