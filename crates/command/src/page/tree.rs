//! The tree of a file as nested lists.

use super::arguments::{Content, Context};
use super::html::escaped;
use super::{arrays, rows};
use crate::core::failure::Result;
use crate::core::size::{self, of_bytes};
use crate::core::value;
use crate::core::walk::Walk;
use crate::look::tree_line::Line;
use asdfkit::Error;
use asdfkit::NodeKind;
use asdfkit::file::{File, Node, NodeType, short_tag};
use asdfkit::schema::Schemas;
use serde_json::Value;

/// Most numbers of a list that are shown in its line.
const LIST: u64 = 20;
/// Previews that are open at first.
const SHOWN_AT_ONCE: usize = 4;
/// Children of a sequence that are shown.
const ITEMS: usize = 100;
/// Depth from which on children are left out: browsers nest only so many elements.
const DEEPEST: usize = 120;
/// Depth up to which nodes are open at first.
const OPEN: usize = 2;
/// Characters of a value that are shown.
const SHOWN: usize = 2000;

/// Returns the search field and the tree.
pub(super) fn section(file: &File, content: &Content, schemas: Option<&Schemas>, threads: usize) -> Result<String> {
    let root = file.root()?;
    let mut context = Context { content, threads, previews: content.previews };
    let mut out = String::from(
        "<div class=\"tools\"><label for=\"search\">Search keys, values and units</label>\n\
         <input type=\"search\" id=\"search\" autocomplete=\"off\" spellcheck=\"false\">\n\
         <button type=\"button\" id=\"open\">Open all</button> <button type=\"button\" id=\"close\">Close all</button>\n\
         <output id=\"found\" for=\"search\" aria-live=\"polite\"></output></div>\n<ul class=\"tree\" id=\"nodes\">\n",
    );
    let mut walk = Walk::new(root.clone(), String::new());
    // Depths of the nodes whose lists are not closed yet.
    let mut open: Vec<usize> = Vec::new();
    let mut nodes = 0;
    while let Some(visit) = walk.next()? {
        while open.last().is_some_and(|depth| *depth >= visit.depth) {
            open.pop();
            out.push_str("</ul></details></li>\n");
        }
        if nodes >= content.nodes || visit.index.is_some_and(|index| index >= ITEMS) {
            let left_out = walk.skip_siblings() + 1;
            out.push_str(&format!("<li class=\"more\">… {left_out} more</li>\n"));
            continue;
        }
        nodes += 1;
        // The line of its mapping shows a note.
        if visit.path.ends_with("/~1~1") && visit.node_type == Some(NodeType::String) {
            continue;
        }
        let mut line = Line::of(&visit)?;
        if let Some(schemas) = schemas {
            // A schema that cannot be understood describes nothing.
            let _ = line.describe(&root, schemas);
        }
        let facts = line.json();
        let has_children = !line.is_closed() && visit.alias_of.is_none() && count(&visit.node, visit.node_type) > 0;
        let is_entered = has_children && visit.depth < DEEPEST;
        let list = match visit.node_type {
            Some(NodeType::Sequence)
                if line.is_closed() && facts["children"].as_u64().is_some_and(|count| count <= LIST) =>
            {
                value::of_node(&visit.node)?.to_string()
            }
            _ => String::new(),
        };
        let key = if visit.depth == 0 { "/" } else { line.key() };
        let label = label(key, &facts, &list);
        let preview = match visit.node_type {
            Some(_) if visit.alias_of.is_none() => preview(&visit.node, &visit.path, &mut context)?,
            _ => String::new(),
        };
        let path = escaped(visit.path.as_str());
        let state = if visit.depth < OPEN { " open" } else { "" };
        match is_entered {
            true => {
                out.push_str(&format!(
                    "<li><details{state}><summary data-path=\"{path}\">{label}</summary>{preview}<ul>\n"
                ));
                open.push(visit.depth);
                walk.enter(&visit)?;
            }
            false if !preview.is_empty() => {
                let is_first = content.previews - context.previews <= SHOWN_AT_ONCE;
                let state = if is_first { " open" } else { "" };
                out.push_str(&format!(
                    "<li><details{state}><summary data-path=\"{path}\">{label}</summary>{preview}</details></li>\n"
                ));
            }
            false => out.push_str(&format!(
                "<li><div class=\"leaf\" tabindex=\"-1\" data-path=\"{path}\">{label}</div></li>\n"
            )),
        }
    }
    open.iter().for_each(|_| out.push_str("</ul></details></li>\n"));
    out.push_str("</ul>\n");
    Ok(out)
}

fn count(node: &Node, node_type: Option<NodeType>) -> usize {
    match node_type {
        Some(NodeType::Mapping | NodeType::Sequence) => node.count("").unwrap_or(0),
        _ => 0,
    }
}

/// Returns the line of a node: key, value or type, unit, tag, meaning.
fn label(key: &str, facts: &Value, list: &str) -> String {
    let text = |key: &str| facts[key].as_str();
    let kind = text("kind").unwrap_or("node");
    let mut out = format!("<span class=\"key\">{}</span> ", escaped(key));
    let mut kinds = vec![kind.to_owned()];
    if let Some(value) = facts.get("value") {
        let shown = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        // An empty text would be invisible.
        let shown = if shown.is_empty() { "\"\"".to_owned() } else { shown };
        let cut: String = shown.chars().take(SHOWN).collect();
        let dots = if cut.len() < shown.len() { "…" } else { "" };
        out.push_str(&format!("<span class=\"value\">{}{dots}</span> ", escaped(&cut)));
    }
    if !list.is_empty() {
        out.push_str(&format!("<span class=\"value\">{}</span> ", escaped(list)));
    }
    if let Some(children) = facts["children"].as_u64() {
        kinds.push(size::count(children, if kind == "sequence" { "item" } else { "key" }));
    }
    if let Some(datatype) = text("datatype") {
        let extents: Vec<String> = facts["shape"].as_array().into_iter().flatten().map(Value::to_string).collect();
        kinds.push(format!("{datatype} [{}]", extents.join(", ")));
        kinds.extend(facts["bytes"].as_u64().map(of_bytes));
        kinds.extend(text("storage").map(str::to_owned));
        kinds.extend(text("compression").filter(|label| !label.is_empty()).map(str::to_owned));
        kinds.extend((facts["masked"] == true).then(|| "masked".to_owned()));
    }
    kinds.extend(text("alias_of").map(|path| format!("the same as {}", if path.is_empty() { "/" } else { path })));
    kinds.extend(text("reference").map(|uri| format!("to {uri}")));
    out.push_str(&format!("<span class=\"type\">{}</span>", escaped(&kinds.join(", "))));
    if let Some(unit) = text("unit") {
        out.push_str(&format!(" <span class=\"unit\" title=\"unit\">{}</span>", escaped(unit)));
    }
    if let Some(error) = text("error") {
        out.push_str(&format!(" <span class=\"bad\">unreadable: {}</span>", escaped(error)));
    }
    let is_obvious = |tag: &str| tag.starts_with("!!") || tag.starts_with("!core/ndarray-");
    if let Some(tag) = text("tag").map(short_tag).filter(|tag| !is_obvious(tag)) {
        out.push_str(&format!(" <span class=\"tag\">!{}</span>", escaped(tag.trim_start_matches('!'))));
    }
    let described = |key: &str| facts["description"][key].as_str();
    if let Some(title) = described("title") {
        let more = described("description").unwrap_or(title);
        out.push_str(&format!(" <span class=\"meaning\" title=\"{}\">{}</span>", escaped(more), escaped(title)));
    }
    if let Some(note) = text("note") {
        out.push_str(&format!(" <span class=\"meaning\">{}</span>", escaped(note)));
    }
    out
}

/// Returns the picture of an array or the first rows of a table. What cannot be shown has a sentence about the reason.
fn preview(node: &Node, path: &str, context: &mut Context) -> Result<String> {
    let Some(kind) = Error::readable(node.kind(""))? else { return Ok(String::new()) };
    let is_shown = matches!(kind, NodeKind::Array | NodeKind::Table | NodeKind::Column | NodeKind::Quantity);
    if !is_shown || context.previews == 0 {
        return Ok(String::new());
    }
    let made = match kind {
        NodeKind::Table => rows::of_node(node, context),
        _ => arrays::preview(node, path, context),
    };
    match made {
        Ok(preview) => {
            context.previews -= usize::from(!preview.is_empty());
            Ok(preview)
        }
        Err(crate::core::failure::Failure::Library(error)) if error.is_of_machine() => Err(error.into()),
        Err(failure) => Ok(format!("<p class=\"bad\">It cannot be shown: {}</p>", escaped(&failure.to_string()))),
    }
}
