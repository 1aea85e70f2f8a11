//! The C interface as data, `include/asdfkit-api.json`, derived from the declarations of
//! the header and the tables of options. Descriptions are Markdown.
//!
//! The role of a pointer follows from its type, its name and its description:
//!
//! | rule | role |
//! |---|---|
//! | `asdf_x **` | output: a handle that the caller frees |
//! | `asdf_x *`, `const asdf_x *` | a handle; without `const` the call changes it and needs exclusive access |
//! | `const char *` without a length after it | input: text that ends with NUL |
//! | another `const` pointer | input: the number of elements is the integer after it, or `rank` before it |
//! | `char *`, `void *`, `uint8_t *`, `int64_t *` before a capacity | output: a buffer of the caller |
//! | any other pointer | output: one value |
//! | a description with "NULL" in it, other than "NULL on failure" | the pointer may be NULL |

use crate::generate::{Group, groups};
use asdfkit::ffi::defaults::default_of;
use asdfkit::ffi::options::table::{CALLS, COMMON, Kind, OPTIONS, OptionKey, option_of};
use asdfkit::ffi::tags::TAGS;
use serde_json::{Map, Value, json};

/// A function that the header declares.
pub(crate) struct Function {
    pub(crate) name: String,
    group: String,
    /// The comment, including its asterisks.
    pub(crate) comment: String,
    pub(crate) declaration: String,
}

/// A parameter in C spelling.
pub(crate) struct Parameter<'a> {
    pub(crate) kind: String,
    pub(crate) name: &'a str,
}

impl Function {
    pub(crate) fn parameters(&self) -> Vec<Parameter<'_>> {
        let declaration = &self.declaration;
        let inside = &declaration[declaration.find('(').unwrap() + 1..declaration.rfind(')').unwrap()];
        let parameters = inside.split(',').map(str::trim).filter(|parameter| *parameter != "void");
        let split = parameters.map(|parameter| {
            let name = parameter.rsplit([' ', '*', '\n']).next().unwrap();
            let kind = parameter[..parameter.len() - name.len()].split_whitespace().collect::<Vec<_>>().join(" ");
            Parameter { kind, name }
        });
        split.collect()
    }

    /// Returns the description of a parameter, or of the result ("return"), on one line.
    pub(crate) fn description(&self, parameter: &str) -> String {
        let text = plain(&self.comment).replace('\n', " ");
        let start = match parameter {
            "return" => "return ".to_owned(),
            name => format!("param {name} "),
        };
        let found = text.split(" @").find_map(|part| part.trim_start().trim_start_matches('@').strip_prefix(&start));
        found.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Returns a comment without its asterisks.
fn plain(comment: &str) -> String {
    let lines = comment.lines().map(|line| line.trim().trim_end_matches("*/"));
    let lines = lines.map(|line| line.trim_start_matches("/**").trim_start_matches('*'));
    let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Returns the documentation without the descriptions of parameters.
fn documentation(comment: &str) -> String {
    let text = plain(comment);
    let end = text.lines().position(|line| line.starts_with('@')).unwrap_or(usize::MAX);
    text.lines().take(end).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Returns the functions in the order of the header.
pub(crate) fn functions() -> Vec<Function> {
    functions_of(&groups())
}

fn functions_of(groups: &[Group]) -> Vec<Function> {
    let mut out = Vec::new();
    for group in groups {
        for part in group.declarations.split("/**\n").skip(1) {
            let (comment, code) = part.split_once("*/").unwrap();
            let declaration = code.split(';').next().unwrap().trim();
            if let Some((before, _)) = declaration.split_once('(')
                && !declaration.starts_with("typedef")
                && !declaration.starts_with('#')
            {
                let name = before.rsplit([' ', '*']).next().unwrap().to_owned();
                let (comment, declaration) = (comment.to_owned(), declaration.to_owned());
                out.push(Function { name, group: group.title.clone(), comment, declaration });
            }
        }
    }
    out
}

/// Integers that count the elements of the pointer before them.
fn is_length(name: &str) -> bool {
    ["length", "size", "capacity", "count", "mask_size", "mask_capacity"].contains(&name) || name.ends_with("_length")
}

/// Arrays with one number for each axis. The number of axes is `rank` or `row_rank` before them.
const PER_AXIS: [&str; 8] = ["shape", "row_shape", "start", "count", "step", "index", "extents", "coordinates"];

fn argument(function: &Function, parameters: &[Parameter], position: usize) -> Value {
    let Parameter { kind, name } = &parameters[position];
    let description = function.description(name);
    let mut out = Map::new();
    out.insert("name".into(), json!(name));
    out.insert("type".into(), json!(kind));
    let length_at =
        |place: usize| parameters.get(place).filter(|next| is_length(next.name) && !next.kind.contains('*'));
    // Two buffers of numbers can share a capacity.
    let is_numbers = |kind: &str| ["double *", "int64_t *"].contains(&kind);
    let shared = length_at(position + 2)
        .filter(|next| next.name == "capacity" && is_numbers(kind) && is_numbers(&parameters[position + 1].kind));
    let next = length_at(position + 1).or(shared);
    let handle = kind.trim_start_matches("const ").trim_end_matches([' ', '*']);
    let is_handle = handle.starts_with("asdf_") && kind.contains('*') && !handle.ends_with("_callback");
    let rank =
        parameters[..position].iter().rfind(|before| before.name.ends_with("rank") && !before.kind.contains('*'));
    let (direction, role) = if kind.ends_with("_callback") {
        ("in", "callback")
    } else if *name == "user" {
        ("in", "user")
    } else if is_handle && kind.ends_with("**") {
        out.insert("handle".into(), json!(handle));
        out.insert("ownership".into(), json!("the caller frees it"));
        ("out", "handle")
    } else if is_handle && !kind.contains("const *") {
        out.insert("handle".into(), json!(handle));
        out.insert("changes".into(), json!(!kind.starts_with("const ")));
        if function.name.ends_with("_free") {
            out.insert("ownership".into(), json!("the call takes it"));
        }
        ("in", "handle")
    } else if kind == "const char *" && next.is_none() {
        ("in", "text")
    } else if kind.starts_with("const ") && !kind.ends_with("**") {
        ("in", "elements")
    } else if kind.contains('*') && next.is_some_and(|next| next.name.ends_with("capacity")) {
        ("out", if kind == "char *" { "text buffer" } else { "buffer" })
    } else if kind.starts_with("struct ") {
        ("inout", "struct")
    } else if kind.contains('*') {
        ("out", "value")
    } else {
        ("in", "value")
    };
    out.insert("direction".into(), json!(direction));
    out.insert("role".into(), json!(role));
    if kind.contains('*') || role == "callback" {
        let nullable = description.replace("NULL on failure", "").contains("NULL") || role == "user";
        out.insert("nullable".into(), json!(nullable));
    }
    let counted = parameters[..position].iter().rfind(|before| before.name == "count" && !before.kind.contains('*'));
    if matches!(role, "elements" | "buffer" | "text buffer") || kind.ends_with("const *") {
        let length = next.map(|next| next.name.to_owned()).or_else(|| match (rank, counted) {
            (Some(rank), _) if PER_AXIS.contains(name) => Some(rank.name.to_owned()),
            (_, Some(_)) if *name == "extents" => Some("sum of ranks".to_owned()),
            (_, Some(count)) => Some(count.name.to_owned()),
            _ => None,
        });
        out.insert("length".into(), json!(length));
    }
    out.insert("doc".into(), json!(description));
    Value::Object(out)
}

fn function(function: &Function) -> Value {
    let parameters = function.parameters();
    let changes = parameters.iter().any(|parameter| {
        let kind = &parameter.kind;
        kind.starts_with("asdf_") && kind.ends_with('*') && !kind.ends_with("**")
    });
    let returns = function.declaration.split(&function.name).next().unwrap().trim().to_owned();
    let mut out = json!({
        "name": function.name,
        "group": function.group,
        "returns": returns,
        "arguments": (0..parameters.len()).map(|position| argument(function, &parameters, position)).collect::<Vec<_>>(),
        "threads": if changes { "one at a time" } else { "any" },
        "since": plain(&function.comment).split("@since ").nth(1).map(str::trim),
        "doc": documentation(&function.comment),
    });
    let result = function.description("return");
    if !result.is_empty() {
        out["returns_doc"] = json!(result);
    }
    out
}

/// Returns the constants with their values and comments, which stand before or after them.
fn constants(declarations: &str) -> Vec<Value> {
    let mut out = Vec::new();
    let mut add = |name: &str, value: &str, doc: String| {
        if let Ok(value) = value.parse::<i64>() {
            out.push(json!({ "name": name, "value": value, "doc": doc }));
        }
    };
    let mut comment = String::new();
    for line in declarations.lines() {
        if let Some(define) = line.strip_prefix("#define ") {
            let (code, behind) = define.split_once("/**<").unwrap_or((define, ""));
            let mut words = code.split_whitespace();
            if let (Some(name), Some(value)) = (words.next(), words.next()) {
                let behind = behind.trim().trim_end_matches("*/").trim();
                let doc = if behind.is_empty() { documentation(&comment) } else { behind.to_owned() };
                add(name, value, doc);
            }
            comment.clear();
        } else if line.trim_start().starts_with("/**") {
            comment = format!("{line}\n");
        } else {
            comment.push_str(line);
            comment.push('\n');
        }
    }
    out
}

fn handles(declarations: &str, functions: &[Function]) -> Vec<Value> {
    let mut out = Vec::new();
    for part in declarations.split("/**\n").skip(1) {
        let (comment, code) = part.split_once("*/").unwrap();
        let declared =
            code.trim_start().strip_prefix("typedef struct ").and_then(|rest| rest.split_whitespace().next());
        let Some(name) = declared.filter(|name| name.starts_with("asdf_")) else { continue };
        let has = |verb: &str| {
            let wanted = format!("{name}_{verb}");
            functions.iter().any(|function| function.name == wanted).then_some(wanted)
        };
        out.push(json!({
            "name": name,
            "free": has("free"),
            "retain": has("retain"),
            "doc": documentation(comment),
        }));
    }
    out
}

fn callbacks(declarations: &str) -> Vec<Value> {
    let mut out = Vec::new();
    for part in declarations.split("/**\n").skip(1) {
        let (comment, code) = part.split_once("*/").unwrap();
        let code = code.trim_start();
        let Some(declaration) = code.strip_prefix("typedef ").and_then(|code| code.split(';').next()) else { continue };
        let Some((returns, rest)) = declaration.split_once("(*") else { continue };
        let (name, parameters) = rest.split_once(')').unwrap();
        let as_function = Function {
            name: name.to_owned(),
            group: String::new(),
            comment: comment.to_owned(),
            declaration: format!("{returns} {name}{parameters}"),
        };
        let parameters = as_function.parameters();
        let parameters = parameters.iter().map(|parameter| {
            let doc = as_function.description(parameter.name);
            json!({ "name": parameter.name, "type": parameter.kind, "doc": doc })
        });
        out.push(json!({
            "name": name,
            "returns": returns.trim(),
            "parameters": parameters.collect::<Vec<_>>(),
            "doc": documentation(comment),
        }));
    }
    out
}

fn option(option: &OptionKey) -> Value {
    let (takes, range, constants) = match option.kind {
        Kind::Flag => ("flag", Some((0, 1)), None),
        Kind::Int(least, most) => ("int", Some((least, most)), None),
        Kind::Float => ("float", None, None),
        Kind::PowerOfTwo(most) => ("power of two", Some((1, most)), None),
        Kind::Choice(prefix, least, most) => ("constant", Some((least, most)), Some(prefix)),
        Kind::Text => ("text", None, None),
        Kind::FileName => ("file name", None, None),
        Kind::Texts => ("texts", None, None),
        Kind::FileNames => ("file names", None, None),
        Kind::Ints => ("ints", None, None),
        Kind::IntAt(least, most) => ("int, also at paths", Some((least, most)), None),
        Kind::Object(_) => ("object", None, None),
    };
    let mut out = json!({ "name": option.name, "key": option.key, "takes": takes, "default": default_of(option) });
    if let Some((least, most)) = range {
        out["least"] = json!(least);
        out["most"] = json!(most);
    }
    if let Some(prefix) = constants {
        out["constants"] = json!(prefix);
    }
    if let Kind::Object(setter) = option.kind {
        out["setter"] = json!(setter);
    }
    out
}

fn group(group: &Group) -> Value {
    json!({ "chapter": group.chapter, "title": group.title, "doc": group.text })
}

/// Returns the whole interface.
pub(crate) fn interface() -> String {
    let groups = groups();
    let functions = functions_of(&groups);
    let declarations = groups.iter().map(|group| &*group.declarations).collect::<Vec<_>>().concat();
    let names = |keys: &[i32]| keys.iter().map(|&key| option_of(key).unwrap().name).collect::<Vec<_>>();
    let calls = CALLS.iter().map(|calls| {
        json!({
            "title": calls.title,
            "lasts": calls.lasts,
            "functions": calls.functions,
            "options": names(&calls.keys.concat()),
        })
    });
    let data = json!({
        "tags": TAGS.iter().map(|(name, value, doc)| json!({ "name": name, "value": value, "doc": doc })).collect::<Vec<_>>(),
        "groups": groups.iter().map(group).collect::<Vec<_>>(),
        "handles": handles(&declarations, &functions),
        "callbacks": callbacks(&declarations),
        "constants": constants(&declarations),
        "options": OPTIONS.iter().map(option).collect::<Vec<_>>(),
        "options_of_every_call": names(COMMON),
        "calls": calls.collect::<Vec<_>>(),
        "functions": functions.iter().map(function).collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&data).unwrap() + "\n"
}
