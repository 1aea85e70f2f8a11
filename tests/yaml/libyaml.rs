//! Two safe functions around libyaml, which the reference implementation uses to read and write.
#![allow(unsafe_code)]

use super::Step;
use asdfkit::internals::Style;
use libyaml_rs::*;
use std::collections::HashMap;
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr;

/// Content of a document as libyaml reads it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Document {
    pub(super) steps: Vec<Step>,
    /// Names of anchors, and the numbers of their nodes in document order.
    pub(super) anchors: Vec<(usize, String)>,
    /// True if an alias names no anchor before it. libyaml finds this only when it composes nodes.
    pub(super) has_unknown_alias: bool,
}

/// Returns the steps of the only document in `text`, or `None` if libyaml refuses it.
pub(super) fn parse(text: &str) -> Option<Vec<Step>> {
    match documents(text)?.as_mut_slice() {
        [document] if !document.has_unknown_alias => Some(std::mem::take(&mut document.steps)),
        _ => None,
    }
}

/// Returns the documents in `text`, or `None` if libyaml refuses it.
pub(super) fn documents(text: &str) -> Option<Vec<Document>> {
    let mut parser = MaybeUninit::<yaml_parser_t>::uninit();
    let parser = parser.as_mut_ptr();
    // SAFETY: initialize fills the parser before any other use; the input outlives the parser; delete is called last.
    unsafe {
        assert!(yaml_parser_initialize(parser).ok);
        yaml_parser_set_input_string(parser, text.as_ptr(), text.len() as u64);
        let documents = read(parser);
        yaml_parser_delete(parser);
        documents
    }
}

/// # Safety
///
/// The parser is initialized and its input is alive.
unsafe fn read(parser: *mut yaml_parser_t) -> Option<Vec<Document>> {
    let mut documents: Vec<Document> = Vec::new();
    let mut names = HashMap::new();
    let mut nodes = 0;
    loop {
        let mut event = MaybeUninit::<yaml_event_t>::uninit();
        let event = event.as_mut_ptr();
        // SAFETY: parse fills the event if it succeeds. Only the union member given by the type is read, and its
        // strings live until the event is deleted.
        unsafe {
            if yaml_parser_parse(parser, event).fail {
                return None;
            }
            let data = &(*event).data;
            let kind = (*event).type_;
            if kind == YAML_DOCUMENT_START_EVENT {
                documents.push(Document::default());
                names.clear();
                nodes = 0;
            }
            let anchor = match kind {
                YAML_SCALAR_EVENT => Some(data.scalar.anchor),
                YAML_SEQUENCE_START_EVENT => Some(data.sequence_start.anchor),
                YAML_MAPPING_START_EVENT => Some(data.mapping_start.anchor),
                _ => None,
            };
            if let (Some(anchor), Some(document)) = (anchor, documents.last_mut()) {
                if let Some(name) = text_of(anchor) {
                    document.anchors.push((nodes, name.clone()));
                    names.insert(name, nodes);
                }
                nodes += 1;
            }
            let step = match kind {
                YAML_SCALAR_EVENT => {
                    let scalar = data.scalar;
                    let style = match scalar.style {
                        YAML_PLAIN_SCALAR_STYLE => Style::Plain,
                        YAML_SINGLE_QUOTED_SCALAR_STYLE => Style::SingleQuoted,
                        YAML_DOUBLE_QUOTED_SCALAR_STYLE => Style::DoubleQuoted,
                        YAML_LITERAL_SCALAR_STYLE => Style::Literal,
                        _ => Style::Folded,
                    };
                    let bytes = std::slice::from_raw_parts(scalar.value, scalar.length as usize);
                    let value = String::from_utf8(bytes.to_vec()).expect("libyaml gives UTF-8");
                    Some(Step::Scalar { value, tag: text_of(scalar.tag), style })
                }
                YAML_SEQUENCE_START_EVENT => {
                    let start = data.sequence_start;
                    let flow = start.style == YAML_FLOW_SEQUENCE_STYLE;
                    let style = if flow { Style::Flow } else { Style::Block };
                    Some(Step::Sequence { tag: text_of(start.tag), style })
                }
                YAML_MAPPING_START_EVENT => {
                    let start = data.mapping_start;
                    let flow = start.style == YAML_FLOW_MAPPING_STYLE;
                    let style = if flow { Style::Flow } else { Style::Block };
                    Some(Step::Mapping { tag: text_of(start.tag), style })
                }
                YAML_SEQUENCE_END_EVENT | YAML_MAPPING_END_EVENT => Some(Step::End),
                YAML_ALIAS_EVENT => {
                    let target = text_of(data.alias.anchor).and_then(|name| names.get(&name).copied());
                    Some(Step::Alias(target.unwrap_or(usize::MAX)))
                }
                _ => None,
            };
            if let (Some(step), Some(document)) = (step, documents.last_mut()) {
                document.has_unknown_alias |= step == Step::Alias(usize::MAX);
                document.steps.push(step);
            }
            yaml_event_delete(event);
            if kind == YAML_STREAM_END_EVENT {
                return Some(documents);
            }
        }
    }
}

/// # Safety
///
/// The pointer is null or points to a C string. Escapes in tags may make bytes that are not UTF-8.
unsafe fn text_of(text: *const u8) -> Option<String> {
    // SAFETY: guaranteed by the caller.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text.cast()) }.to_string_lossy().into_owned())
}

/// Returns the document that libyaml writes for these steps, with the directives of an ASDF tree, or `None` if it
/// refuses.
pub(super) fn emit(steps: &[Step], width: i32, indent: i32, unicode: bool) -> Option<String> {
    let mut emitter = MaybeUninit::<yaml_emitter_t>::uninit();
    let emitter = emitter.as_mut_ptr();
    let mut out = vec![0u8; 1 << 20];
    let mut written = 0u64;
    let shared: Vec<usize> =
        steps.iter().filter_map(|step| if let Step::Alias(target) = step { Some(*target) } else { None }).collect();
    // SAFETY: initialize fills the emitter before any other use; buffer and counter outlive it; each event is
    // initialized before the call of emit, which takes ownership of it.
    unsafe {
        assert!(yaml_emitter_initialize(emitter).ok);
        yaml_emitter_set_output_string(emitter, out.as_mut_ptr(), out.len() as u64, &mut written);
        yaml_emitter_set_width(emitter, width);
        yaml_emitter_set_indent(emitter, indent);
        yaml_emitter_set_unicode(emitter, unicode);
        let mut event = MaybeUninit::<yaml_event_t>::uninit();
        let event = event.as_mut_ptr();
        assert!(yaml_stream_start_event_initialize(event, YAML_UTF8_ENCODING).ok);
        let mut fine = yaml_emitter_emit(emitter, event).ok;
        let (mut handle, mut prefix) = (*b"!\0", *b"tag:stsci.edu:asdf/\0");
        let mut version = MaybeUninit::<yaml_version_directive_t>::zeroed().assume_init();
        (version.major, version.minor) = (1, 1);
        let mut directive = MaybeUninit::<yaml_tag_directive_t>::zeroed().assume_init();
        (directive.handle, directive.prefix) = (handle.as_mut_ptr(), prefix.as_mut_ptr());
        let start: *mut yaml_tag_directive_t = &mut directive;
        assert!(yaml_document_start_event_initialize(event, &mut version, start, start.add(1), false).ok);
        fine = fine && yaml_emitter_emit(emitter, event).ok;
        let mut open = Vec::new();
        let mut nodes = 0;
        for step in steps {
            let mut anchor = format!("a{nodes}\0");
            let is_shared = shared.contains(&nodes);
            let anchor = if is_shared { anchor.as_mut_ptr() } else { ptr::null_mut() };
            let tag = |tag: &Option<String>| tag.as_ref().map(|tag| format!("{tag}\0"));
            let pointer = |tag: &Option<String>| tag.as_ref().map_or(ptr::null(), |tag| tag.as_ptr());
            nodes += usize::from(!matches!(step, Step::End | Step::Alias(_)));
            let made = match step {
                Step::Scalar { value, tag: full, style } => {
                    let full = tag(full);
                    let plain = *style == Style::Plain;
                    let style = match style {
                        Style::SingleQuoted => YAML_SINGLE_QUOTED_SCALAR_STYLE,
                        Style::DoubleQuoted => YAML_DOUBLE_QUOTED_SCALAR_STYLE,
                        Style::Literal => YAML_LITERAL_SCALAR_STYLE,
                        Style::Folded => YAML_FOLDED_SCALAR_STYLE,
                        _ => YAML_PLAIN_SCALAR_STYLE,
                    };
                    let untagged = full.is_none();
                    let length = value.len() as i32;
                    let (value, tag) = (value.as_ptr(), pointer(&full));
                    yaml_scalar_event_initialize(event, anchor, tag, value, length, untagged && plain, untagged, style)
                }
                Step::Sequence { tag: full, style } => {
                    open.push(false);
                    let full = tag(full);
                    let flow = *style == Style::Flow;
                    let style = if flow { YAML_FLOW_SEQUENCE_STYLE } else { YAML_BLOCK_SEQUENCE_STYLE };
                    yaml_sequence_start_event_initialize(event, anchor, pointer(&full), full.is_none(), style)
                }
                Step::Mapping { tag: full, style } => {
                    open.push(true);
                    let full = tag(full);
                    let flow = *style == Style::Flow;
                    let style = if flow { YAML_FLOW_MAPPING_STYLE } else { YAML_BLOCK_MAPPING_STYLE };
                    yaml_mapping_start_event_initialize(event, anchor, pointer(&full), full.is_none(), style)
                }
                Step::End if open.pop() == Some(true) => yaml_mapping_end_event_initialize(event),
                Step::End => yaml_sequence_end_event_initialize(event),
                Step::Alias(target) => yaml_alias_event_initialize(event, format!("a{target}\0").as_ptr()),
            };
            assert!(made.ok, "{step:?}");
            fine = fine && yaml_emitter_emit(emitter, event).ok;
        }
        assert!(yaml_document_end_event_initialize(event, false).ok);
        fine = fine && yaml_emitter_emit(emitter, event).ok;
        assert!(yaml_stream_end_event_initialize(event).ok);
        fine = fine && yaml_emitter_emit(emitter, event).ok && yaml_emitter_flush(emitter).ok;
        yaml_emitter_delete(emitter);
        out.truncate(written as usize);
        fine.then(|| String::from_utf8(out).expect("libyaml writes UTF-8"))
    }
}
