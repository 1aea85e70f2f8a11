//! Random edits of random documents.

use super::documents::{Random, document, random_content};
use crate::error::Result;
use crate::limits::Limits;
use crate::tree::edit::Content;
use crate::tree::restructure::KeyPosition;
use crate::tree::{Kind, NodeId, Style, Tree, same};
use crate::yaml::read::{Parsed, parse, parse_with_plain_items};
use crate::yaml::splice::{by_patches, splice};
use crate::yaml::write::{EmitOptions, emit};

/// Describes all nodes, in document order.
fn dump(tree: &Tree) -> Vec<String> {
    let mut out = Vec::new();
    let mut stack = vec![tree.root()];
    while let Some(id) = stack.pop() {
        let (target, parent) = (tree.dealias(id).number(), tree.parent(id));
        let (kind, style, span) = (tree.kind(id), tree.style(id), tree.span(id));
        let text = if kind == Kind::Scalar { tree.text(id) } else { "" };
        let (tag, anchor, count) = (tree.tag(id), tree.anchor(id), tree.item_count(id));
        let number = id.number();
        out.push(format!(
            "{number} {target} {parent:?} {kind:?} {style:?} {span:?} {tag:?} {anchor:?} {count} {text:?}"
        ));
        if let Some(list) = tree.plain_items(id) {
            let nodes = tree.items(id).iter().map(|&item| (item, tree.text(item)));
            assert!(list.eq(nodes));
        }
        stack.extend(tree.items(id).iter().rev());
    }
    out.push(format!("{}", tree.node_count()));
    out
}

/// Returns the items of all sequences and the values of all mappings.
pub(super) fn places(tree: &Tree) -> Vec<NodeId> {
    let mut out = Vec::new();
    let mut stack = vec![tree.root()];
    while let Some(id) = stack.pop() {
        let step = if tree.kind(id) == Kind::Mapping { 2 } else { 1 };
        let items = tree.items(id);
        out.extend(items.iter().skip(step - 1).step_by(step));
        stack.extend(items);
    }
    out
}

/// Number of kinds of edits.
pub(super) const EDITS: usize = 13;

/// Edits a tree at one place, or moves that node to the path `to`. Returns whether the edit succeeded.
pub(super) fn edit(tree: &mut Tree, place: NodeId, what: usize, from: (&Tree, NodeId), to: &str) -> bool {
    let root = tree.root();
    let path = tree.path(place);
    match what {
        6 => tree.insert_item(root, &path, Some(from.1.number() as usize % 3)).is_ok(),
        7 => tree.insert_key(root, &path, "inserted", KeyPosition::First).is_ok(),
        8 => tree.insert_key(root, &path, "inserted too", KeyPosition::Last).is_ok(),
        9 => tree.rename_key(root, &path, "renamed").is_ok(),
        10 | 11 => tree.move_node(root, &path, to).is_ok(),
        12 => tree.move_node(root, &path, &format!("{to}/moved")).is_ok(),
        0 => tree.remove(place).is_ok(),
        1 => tree.copy_from(place, from.0, from.1).is_ok(),
        2 if tree.kind(place) == Kind::Sequence => {
            tree.append_item(place, Content::Scalar("7", Style::Plain));
            true
        }
        3 => tree.place(place, "new").is_ok(),
        _ => {
            tree.replace(place, Content::Scalar("changed", Style::Automatic));
            true
        }
    }
}

fn written(tree: &Tree) -> Option<String> {
    let mut out = String::new();
    emit(tree, &mut out, &EmitOptions::default()).is_ok().then_some(out)
}

/// Reads a text. Even short lists become plain items.
fn by_runs(text: &str) -> Result<Parsed> {
    parse_with_plain_items(text.to_owned(), 2, &Limits::default())
}

/// Reads a text without plain items.
fn by_nodes(text: &str) -> Result<Parsed> {
    parse_with_plain_items(text.to_owned(), usize::MAX, &Limits::default())
}

#[test]
fn lists_change_as_if_their_items_had_been_nodes_from_the_start() {
    let mut random = Random(2);
    let mut changed = 0;
    for _ in 0..3000 {
        let text = document(&random_content(&mut random));
        let Ok(mut whole) = by_nodes(&text) else { continue };
        let mut runs = by_runs(&text).unwrap();
        let (from_runs, from_whole) = (by_runs(&text).unwrap(), by_nodes(&text).unwrap());
        let origins = places(&from_whole.tree);
        for _ in 0..1 + random.below(6) {
            let places = places(&whole.tree);
            if places.is_empty() {
                break;
            }
            let (place, origin) = (places[random.below(places.len())], origins[random.below(origins.len())]);
            let what = random.below(EDITS);
            let to = whole.tree.path(places[random.below(places.len())]);
            if random.below(4) == 0 {
                // Programs may ask for these before an edit.
                let _ = (runs.tree.path(place), runs.tree.items(runs.tree.parent(place).unwrap_or(place)));
            }
            let done = edit(&mut runs.tree, place, what, (&from_runs.tree, origin), &to);
            assert_eq!(done, edit(&mut whole.tree, place, what, (&from_whole.tree, origin), &to), "{text}");
            changed += 1;
            assert_eq!(dump(&runs.tree), dump(&whole.tree), "{text}");
        }
        assert_eq!(written(&runs.tree), written(&whole.tree), "{text}");
    }
    assert!(changed > 2000, "{changed}");
}

#[test]
fn edited_texts_hold_what_the_trees_hold() {
    let mut random = Random(3);
    let limits = Limits::default();
    let (mut patched, mut anew) = (0, 0);
    for _ in 0..3000 {
        let text = document(&random_content(&mut random));
        let Ok(Parsed { mut tree, .. }) = parse(text.clone(), 0, 1, &limits) else { continue };
        let from = parse(text.clone(), 0, 1, &limits).unwrap().tree;
        let origins = places(&from);
        tree.remember_original();
        for _ in 0..1 + random.below(4) {
            let places = places(&tree);
            if places.is_empty() {
                break;
            }
            let (place, origin) = (places[random.below(places.len())], origins[random.below(origins.len())]);
            let to = tree.path(places[random.below(places.len())]);
            edit(&mut tree, place, random.below(EDITS), (&from, origin), &to);
        }
        // Some trees cannot be written, because ASDF forbids their keys.
        let Ok(spliced) = splice(&tree, &limits) else { continue };
        let read = parse(spliced.clone(), 0, 1, &limits).unwrap_or_else(|error| panic!("{error}\n{text:?}"));
        assert!(same(&tree, &read.tree).unwrap(), "{text}\n{spliced}");
        *(if by_patches(&tree, &limits).unwrap().is_some() { &mut patched } else { &mut anew }) += 1;
    }
    println!("{patched} texts were patched, {anew} written anew");
    assert!(patched > 4 * anew && patched > 1000, "{patched} texts were patched, {anew} written anew");
}
