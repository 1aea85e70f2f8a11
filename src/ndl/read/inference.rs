//! Infers missing datatypes and shapes from values.

use super::reader::Reader;
use crate::error::Result;
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::ndl::{Code, Datatype, FloatType, IntegerType};
use crate::reserve::push;
use crate::tree::{Kind, NodeId};

/// Kinds of scalars in a value.
#[derive(Default)]
struct Leaves {
    texts: bool,
    integers: bool,
    floats: bool,
    truths: bool,
    /// Null or a mapping.
    others: bool,
    least: i128,
    most: i128,
    /// True if an integer exceeds 128 bits.
    is_beyond: bool,
}

impl Reader<'_, '_> {
    /// Infers the datatype of a value. Reports an error and returns `None` if no datatype fits.
    pub(super) fn infer_datatype(&mut self, place: &str, node: NodeId) -> Option<Datatype> {
        let mut leaves = Leaves::default();
        self.leaves(node, &mut leaves);
        match leaves {
            Leaves { texts: true, integers: false, floats: false, truths: false, others: false, .. } => {
                Some(Datatype::string())
            }
            Leaves { texts: false, floats: true, truths: false, others: false, .. } => Some(FloatType::Float64.into()),
            Leaves { texts: false, integers: true, truths: false, others: false, .. } => {
                let integer = leaves.integer();
                if integer.is_none() {
                    let message = "no integer datatype can hold all the numbers; int64 and uint64 are the widest";
                    self.report(Code::IntRange, place, node, message);
                }
                integer.map(Datatype::from)
            }
            Leaves { texts: false, integers: false, truths: true, others: false, .. } => {
                let message = "NDL has no datatype for booleans; they are read as an enum of FALSE and TRUE";
                self.report(Code::AttrBool, place, node, message);
                Some(Datatype::boolean())
            }
            _ => {
                let message = "the datatype is missing and cannot be inferred from the values; give it under 'type'";
                self.report(Code::Infer, place, node, message);
                None
            }
        }
    }

    /// Recursion is as deep as the text, which is limited.
    fn leaves(&self, node: NodeId, leaves: &mut Leaves) {
        match self.core(node) {
            Some(Core::Text(_)) => leaves.texts = true,
            Some(Core::Integer(text)) => leaves.add(text),
            Some(Core::Float(_)) => leaves.floats = true,
            Some(Core::Bool(_)) => leaves.truths = true,
            None if self.kind(node) == Kind::Sequence => self.items(node).for_each(|item| self.leaves(item, leaves)),
            Some(Core::Null) | None => leaves.others = true,
        }
    }

    /// Returns the lengths of nested lists, determined from the first item of each list.
    pub(super) fn infer_shape(&self, node: NodeId) -> Result<Vec<u64>> {
        let mut shape = Vec::new();
        let mut node = Some(node);
        while let Some(list) = node.filter(|&node| self.kind(node) == Kind::Sequence) {
            push(&mut shape, self.tree.item_count(list) as u64)?;
            node = self.items(list).next();
        }
        Ok(shape)
    }
}

impl Leaves {
    fn add(&mut self, text: &str) {
        self.integers = true;
        match scalar::integer(text) {
            Some(number) => {
                self.least = self.least.min(number);
                self.most = self.most.max(number);
            }
            None => self.is_beyond = true,
        }
    }

    /// Returns the integer datatype that holds all numbers: `int32`, `int64` or `uint64`.
    fn integer(&self) -> Option<IntegerType> {
        let holds = |integer: &IntegerType| integer.holds(self.least) && integer.holds(self.most);
        let types = [IntegerType::Int32, IntegerType::Int64, IntegerType::Uint64];
        types.into_iter().find(holds).filter(|_| !self.is_beyond)
    }
}
