//! The common form in which documents are compared.

use asdfkit::internals::{Kind, NodeId, Style, Tree};
use std::collections::HashMap;

/// One step through a document, without details that may differ between equal documents.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Scalar {
        value: String,
        tag: Option<String>,
        style: Style,
    },
    Sequence {
        tag: Option<String>,
        style: Style,
    },
    Mapping {
        tag: Option<String>,
        style: Style,
    },
    End,
    /// An alias of the node with this number in document order.
    Alias(usize),
}

/// Returns the steps through a tree of this library.
pub(super) fn steps_of(tree: &Tree) -> Vec<Step> {
    enum Task {
        Node(NodeId),
        End,
    }
    let mut steps = Vec::new();
    let mut numbers = HashMap::new();
    let mut tasks = vec![Task::Node(tree.root())];
    while let Some(task) = tasks.pop() {
        let Task::Node(id) = task else {
            steps.push(Step::End);
            continue;
        };
        let (tag, style) = (tree.tag(id).map(str::to_owned), tree.style(id));
        if tree.kind(id) != Kind::Alias {
            numbers.insert(id, numbers.len());
        }
        match tree.kind(id) {
            Kind::Alias => steps.push(Step::Alias(numbers[&tree.dealias(id)])),
            Kind::Scalar => steps.push(Step::Scalar { value: tree.text(id).to_owned(), tag, style }),
            kind => {
                let mapping = kind == Kind::Mapping;
                steps.push(if mapping { Step::Mapping { tag, style } } else { Step::Sequence { tag, style } });
                tasks.push(Task::End);
                tasks.extend(tree.items(id).iter().rev().map(|&item| Task::Node(item)));
            }
        }
    }
    steps
}

/// Returns the names of the anchors of a tree of this library, and the numbers of their nodes in document order.
pub(super) fn anchors_of(tree: &Tree) -> Vec<(usize, String)> {
    let mut anchors = Vec::new();
    let mut number = 0;
    let mut nodes = vec![tree.root()];
    while let Some(id) = nodes.pop() {
        if tree.kind(id) == Kind::Alias {
            continue;
        }
        anchors.extend(tree.anchor(id).map(|name| (number, name.to_owned())));
        number += 1;
        nodes.extend(tree.items(id).iter().rev());
    }
    anchors
}
