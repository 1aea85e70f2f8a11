//! The end of reading: merge keys, repeated keys, ordered mappings and warnings.

use super::oddities::{BEYOND_LIMITS, is_element, key_oddity};
use super::{Builder, Parsed, Rules, Unmerged};
use crate::error::{Result, Warning};
use crate::tree::mapping::{KeyFindings, MAX_MERGED_PAIRS};
use crate::tree::{Kind, NodeId, Style};
use std::borrow::Cow;

/// Maximum number of warnings kept for one tree; further ones are only counted.
const MAX_WARNINGS: usize = 100;

impl Builder<'_> {
    /// Returns the tree as it was read.
    pub(super) fn unmerged(mut self) -> Unmerged {
        self.add_missing_root();
        let Builder { tree, is_empty, second_document, .. } = self;
        let second_document = second_document.map(|position| tree.line_and_column(position));
        Unmerged { tree, is_empty, second_document }
    }

    /// Adds an empty mapping as root if the document has no content.
    fn add_missing_root(&mut self) {
        if self.tree.node_count() == 0 {
            self.is_empty = true;
            let root = self.tree.add_collection(Kind::Mapping, Style::Block, NodeId::NONE, (0, 0));
            self.tree.set_root(root);
        }
    }

    pub(super) fn finish(mut self) -> Result<Parsed> {
        self.add_missing_root();
        let mut budget = MAX_MERGED_PAIRS;
        let mappings = std::mem::take(&mut self.mappings);
        for &id in &mappings {
            if self.tree.kind(id) == Kind::Sequence {
                self.tree.make_ordered_mapping(id)?;
            }
        }
        for mapping in mappings {
            if self.tree.check(mapping).is_ok() {
                self.finish_mapping(mapping, &mut budget)?;
            }
        }
        let Builder { tree, rules, mut warnings, remarks, remarks_left_out, .. } = self;
        for (id, message) in remarks {
            if message == BEYOND_LIMITS && (rules == Rules::Table || is_element(&tree, id)) {
                continue;
            }
            warnings.push(Warning { message: message.into_owned(), location: tree.location(id) });
        }
        Ok(Parsed { tree, warnings, dropped_warnings: remarks_left_out })
    }

    fn finish_mapping(&mut self, mapping: NodeId, budget: &mut u64) -> Result<()> {
        let finished = self.tree.finish_mapping(mapping, budget);
        let KeyFindings { repeated, unusual, .. } = finished.map_err(|error| self.tree.locate(error, mapping))?;
        for key in repeated {
            let text = self.tree.key(key).text().into_owned();
            self.remark(key, Cow::Owned(format!("the key '{text}' repeats an earlier key; the last value is used")));
        }
        for key in unusual {
            if let (Rules::Asdf, Some(oddity)) = (self.rules, key_oddity(&self.tree, key)) {
                self.remark(key, Cow::Borrowed(oddity));
            }
        }
        Ok(())
    }

    pub(super) fn remark(&mut self, id: NodeId, message: Cow<'static, str>) {
        if self.remarks.len() < MAX_WARNINGS {
            self.remarks.push((id, message));
        } else {
            self.remarks_left_out += 1;
        }
    }
}
