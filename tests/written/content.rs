//! The content of a file as one text: it differs if anything differs that a reader can get.

use asdfkit::array::ReadOptions;
use asdfkit::file::{File, Node, NodeKey, NodeType};
use asdfkit::{Result, Status};
use std::fmt::Write;

/// Returns the content of a file without the name of the library that wrote it.
pub(crate) fn of_file(file: &File) -> Result<String> {
    let mut out = String::new();
    add(&mut out, &file.root()?, true)?;
    Ok(out)
}

/// Returns the content of a node and of what is below it.
pub(crate) fn of_node(node: &Node) -> Result<String> {
    let mut out = String::new();
    add(&mut out, node, false)?;
    Ok(out)
}

fn add(out: &mut String, node: &Node, is_root: bool) -> Result<()> {
    // References may form a circle.
    if let Some(reference) = node.reference("")? {
        writeln!(out, "-> {reference}").unwrap();
        return Ok(());
    }
    if let Some(tag) = node.tag("")? {
        write!(out, "!{tag} ").unwrap();
    }
    if node.is_array("")? {
        return add_array(out, node);
    }
    match node.node_type("")? {
        NodeType::Mapping => {
            out.push_str("{\n");
            for index in 0..node.count("")? {
                let key = node.key("", index)?;
                if is_root && key == NodeKey::String("asdf_library".to_owned()) {
                    continue;
                }
                write!(out, "{key:?}: ").unwrap();
                add(out, &node.item("", index)?, false)?;
            }
            out.push_str("}\n");
        }
        NodeType::Sequence => {
            out.push_str("[\n");
            for index in 0..node.count("")? {
                add(out, &node.item("", index)?, false)?;
            }
            out.push_str("]\n");
        }
        NodeType::String => writeln!(out, "{:?}", node.string("")?).unwrap(),
        NodeType::Float => writeln!(out, "{:x}", node.f64("")?.to_bits()).unwrap(),
        NodeType::Binary => writeln!(out, "{:?}", node.binary("")?).unwrap(),
        // The spelling of null may change.
        NodeType::Null => out.push_str("null\n"),
        other => writeln!(out, "{other:?} {:?}", node.text("")?).unwrap(),
    }
    Ok(())
}

fn add_array(out: &mut String, node: &Node) -> Result<()> {
    let array = node.array("")?;
    write!(out, "{:?} {:?} ", array.shape(), array.datatype()).unwrap();
    let datatype = array.datatype().clone();
    let size = array.byte_size(&datatype)?;
    let mut bytes = vec![0; size as usize];
    array.without_mask().read(&datatype, &mut bytes, &ReadOptions::default())?;
    let mut mask = vec![0; array.element_count() as usize];
    match array.read_mask(None, &mut mask, &ReadOptions::default()) {
        Ok(()) => writeln!(out, "{bytes:02x?} {mask:?}").unwrap(),
        Err(error) if error.status() == Status::Unsupported => writeln!(out, "{bytes:02x?}").unwrap(),
        Err(error) => return Err(error),
    }
    Ok(())
}
