//! The text of `include/asdf.h`: for each file of the module `ffi`, the part of its opening comment from the heading
//! on, then the declarations that cbindgen extracts.

use asdfkit::Status;
use asdfkit::codec::Codec;
use asdfkit::ffi::defaults::default_of;
use asdfkit::ffi::options::table::{CALLS, COMMON, option_of};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The parts of the header and the files that form their groups, in reading order. Declarations come before their uses.
pub(crate) const PARTS: &[(&str, &[&str])] = &[
    (
        "Basics",
        &[
            "basics/version",
            "boundary/status",
            "basics/error",
            "boundary/types",
            "basics/report",
            "boundary/lent",
            "basics/buffer",
        ],
    ),
    ("Files", &["file/callbacks", "file/open"]),
    ("Nodes and values", &["node/look", "node/find", "node/read"]),
    ("Arrays", &["array/datatype", "array/options", "array/read", "array/load", "array/mask", "array/view"]),
    (
        "Writing and changing",
        &[
            "node/write",
            "node/comment",
            "file/write",
            "node/edit",
            "node/large_array",
            "node/stream",
            "file/history",
            "node/software",
            "file/references",
        ],
    ),
    ("Options", &["options/handle", "options/keys"]),
    ("Schemas", &["schema/schemas", "schema/validate"]),
    ("Units", &["unit"]),
    (
        "Tables",
        &[
            "table/look",
            "table/read",
            "table/load",
            "table/build",
            "table/cells",
            "table/rows",
            "table/ecsv_read",
            "table/ecsv_write",
            "table/asdf",
            "table/logical",
            "table/arrow",
        ],
    ),
    ("Times", &["time/read", "time/make", "time/columns"]),
    ("World coordinates", &["wcs/world", "wcs/frame", "wcs/transform", "wcs/fits"]),
    ("Coordinates", &["coordinates/read", "coordinates/make"]),
    (
        "Descriptions",
        &[
            "ndl/read",
            "ndl/walk",
            "ndl/datatype",
            "ndl/storage",
            "ndl/values",
            "ndl/build",
            "ndl/write",
            "ndl/compare",
            "ndl/asdf",
        ],
    ),
    (
        "Advanced",
        &[
            "file/progress",
            "file/access",
            "file/codec",
            "file/image_decoder",
            "file/blocks",
            "array/chunk_map",
            "file/recover",
        ],
    ),
];

/// A group of the header: the content of one file.
pub(crate) struct Group {
    pub(crate) chapter: &'static str,
    name: &'static str,
    pub(crate) title: String,
    /// Introduction in Markdown.
    pub(crate) text: String,
    pub(crate) declarations: String,
}

/// Returns the groups in reading order.
pub(crate) fn groups() -> Vec<Group> {
    let of = |&(chapter, names): &(&'static str, &'static [&'static str])| {
        names.iter().map(move |&name| {
            let (title, text) = heading(name);
            Group { chapter, name, title, text, declarations: declarations(name) }
        })
    };
    PARTS.iter().flat_map(of).collect()
}

/// Returns the list of contents below the overview.
fn contents() -> String {
    let mut text = String::from("Contents:\n");
    for (number, (part, groups)) in PARTS.iter().enumerate() {
        let titles: Vec<String> = groups.iter().map(|name| heading(name).0).collect();
        let mut line = format!("  {}. {part}:", number + 1);
        for (position, title) in titles.iter().enumerate() {
            let end = if position + 1 < titles.len() { "," } else { "" };
            if line.chars().count() + title.len() + 2 > 110 {
                writeln!(text, "{line}").unwrap();
                line = "    ".to_owned();
            }
            let (first, rest) = title.split_at(1);
            let is_name = rest.starts_with(char::is_uppercase) || title == "Arrow";
            let first = if is_name { first.to_owned() } else { first.to_lowercase() };
            write!(line, " {first}{rest}{end}").unwrap();
        }
        writeln!(text, "{line}").unwrap();
    }
    text
}

pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/ffi/{name}.rs"))
}

/// Returns title and text, in Markdown, of the opening comment of a file, from its heading on.
fn heading(name: &str) -> (String, String) {
    let code = std::fs::read_to_string(source(name)).unwrap();
    let comment = code.lines().map_while(|line| line.strip_prefix("//!"));
    let mut lines =
        comment.map(|line| line.strip_prefix(' ').unwrap_or(line)).skip_while(|line| !line.starts_with("# "));
    let title = lines.next().unwrap_or_else(|| panic!("src/ffi/{name}.rs has no heading"));
    (title[2..].to_owned(), lines.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned())
}

/// Returns Markdown as it stands in the header: code is indented.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    let mut is_code = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else {
            let indent = if is_code && !line.is_empty() { "    " } else { "" };
            writeln!(text, "{indent}{line}").unwrap();
        }
    }
    text
}

fn comment(out: &mut String, text: &str) {
    out.push_str("/*\n");
    for line in text.lines() {
        writeln!(out, "{}", format!(" * {line}").trim_end()).unwrap();
    }
    out.push_str(" */\n");
}

fn declarations(name: &str) -> String {
    let config = cbindgen::Config::from_file(concat!(env!("CARGO_MANIFEST_DIR"), "/cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new().with_config(config).with_src(source(name)).generate().unwrap();
    let mut out = Vec::new();
    bindings.write(&mut out);
    let mut out = String::from_utf8(out).unwrap();
    if name == "boundary/status" {
        let end = out.find("\n\n/**\n * Returns").unwrap();
        out.insert_str(end, &status_constants());
    }
    let code = compact_constants(out.trim());
    let code = if name == "boundary/types" { in_order_of_source(&code, name) } else { code };
    // A file with the extension `.h` beside the source contains declarations that cbindgen cannot write.
    let beside = std::fs::read_to_string(source(name).with_extension("h")).unwrap_or_default();
    format!("{beside}\n{code}\n")
}

/// Returns the constants of all statuses, as cbindgen writes constants.
fn status_constants() -> String {
    let constant = |status: &Status| {
        format!("\n\n/**\n * {}\n */\n#define ASDF_ERR_{} {}", status.meaning(), status.name(), status.code())
    };
    Status::ALL.iter().map(constant).collect()
}

/// Moves the comments of constants behind them, in columns.
fn compact_constants(declarations: &str) -> String {
    let mut out = String::new();
    let mut constants: Vec<(&str, &str)> = Vec::new();
    let parts = declarations.split("\n\n").map(|part| {
        let constant = part.strip_prefix("/**\n * ").and_then(|part| part.split_once("\n */\n#define "));
        (part, constant.filter(|(comment, code)| !comment.contains('\n') && comment.len() + code.len() < 80))
    });
    for (part, constant) in parts.chain([("", None)]) {
        if let Some((comment, code)) = constant {
            constants.push((code, comment));
            continue;
        }
        let width = constants.iter().map(|(code, _)| code.len()).max().unwrap_or(0);
        for (code, comment) in &constants {
            writeln!(out, "#define {code:<width$} /**< {comment} */").unwrap();
        }
        if !constants.is_empty() {
            out.push('\n');
            constants.clear();
        }
        write!(out, "{part}\n\n").unwrap();
    }
    out.trim_end().to_owned()
}

/// Restores the order of opaque types in the source file; cbindgen sorts them by name.
fn in_order_of_source(declarations: &str, name: &str) -> String {
    let code = std::fs::read_to_string(source(name)).unwrap();
    let mut parts: Vec<&str> = declarations.split("\n\n").collect();
    parts.sort_by_key(|part| code.find(&format!("pub enum {} {{}}", part.rsplit([' ', ';']).nth(1).unwrap())));
    parts.join("\n\n")
}

/// Appends the tables of the options that each call accepts.
fn option_tables(out: &mut String) {
    let mut text = String::from(
        "Options of calls. Each table lists the functions, then the options that they know, with type and\n",
    );
    text.push_str("default. If the default is missing here, the description of the option above has it.\n");
    let table = |text: &mut String, keys: &[i32]| {
        for &key in keys {
            let option = option_of(key).unwrap();
            let row = format!("  {:<34} {:<28} {}", option.name, option.kind.in_words(), default_of(option));
            writeln!(text, "{}", row.trim_end()).unwrap();
        }
    };
    text.push_str("\nAll calls with options\n");
    table(&mut text, COMMON);
    for calls in CALLS {
        let lasts = if calls.lasts { " (the options apply as long as the handle that the call returns)" } else { "" };
        write!(text, "\n{}{lasts}\n ", calls.title).unwrap();
        let mut width = 1;
        for function in calls.functions {
            if width + function.len() > 110 {
                text.push_str("\n ");
                width = 1;
            }
            write!(text, " {function}").unwrap();
            width += function.len() + 1;
        }
        text.push('\n');
        table(&mut text, &calls.keys.concat());
    }
    out.push('\n');
    comment(out, &text);
}

/// Appends the table of the options that each codec takes.
fn codec_table(out: &mut String) {
    let mut text =
        String::from("Options of codecs. A codec refuses other levels, and options that are not in its row.\n\n");
    writeln!(text, "  {:<6} {:<22} other options", "codec", "levels").unwrap();
    let more = "ASDF_OPTION_BLOSC_CODEC, ASDF_OPTION_SHUFFLE, ASDF_OPTION_TYPE_SIZE";
    for codec in Codec::ALL {
        let levels = codec.levels().map_or("none".to_owned(), |(range, default)| {
            format!("{} .. {}, default {default}", range.start(), range.end())
        });
        let row = format!("  {:<6} {levels:<22} {}", codec.name(), if codec.takes_blosc_options() { more } else { "" });
        writeln!(text, "{}", row.trim_end()).unwrap();
    }
    out.push('\n');
    comment(out, &text);
}

/// Appends a heading with the declarations of a group.
fn append(out: &mut String, Group { name, title, text, declarations, .. }: &Group) {
    let rule = "-".repeat(116 - title.len());
    out.push('\n');
    comment(out, format!("{title} {rule}\n\n{}", plain(text)).trim_end());
    out.push_str(declarations);
    if *name == "options/keys" {
        option_tables(out);
        codec_table(out);
    }
}

pub(crate) fn header() -> String {
    let (title, overview) = heading("mod");
    let mut out = String::new();
    comment(
        &mut out,
        &format!("{title}\n\n{}\n{}\nSPDX-License-Identifier: MIT OR Apache-2.0", plain(&overview), contents()),
    );
    out.push_str("\n#ifndef ASDFKIT_ASDF_H\n#define ASDFKIT_ASDF_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n");
    out.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    let groups = groups();
    for (number, chapter) in groups.chunk_by(|one, next| one.chapter == next.chapter).enumerate() {
        let title = format!("{}. {}", number + 1, chapter[0].chapter);
        write!(out, "\n/* {} {} */\n", title, "=".repeat(113 - title.len())).unwrap();
        chapter.iter().for_each(|group| append(&mut out, group));
    }
    out.push_str("\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif /* ASDFKIT_ASDF_H */\n");
    out
}
