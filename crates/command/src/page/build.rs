//! The page as a whole.

use super::arguments::{Content, Page};
use super::html::{SCRIPT, SCRIPT_SUM, STYLE, escaped, escaped_lines};
use super::{layout, rows, tree};
use crate::check::verify;
use crate::core::arguments::TableText;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Format, Input, is_standard};
use crate::core::output::Output;
use crate::core::size::of_bytes;
use crate::look::info::history;
use asdfkit::Error;
use asdfkit::file::File;
use asdfkit::ndl;
use asdfkit::schema::Schemas;
use serde_json::Value;
use std::path::Path;

/// Longest description in NDL, in bytes.
const LONGEST: usize = 200_000;

/// Writes the page of a file.
pub(crate) fn run(input: &Input, arguments: &Page, output: &mut Output) -> Result<Outcome> {
    input.check_differs(&arguments.output)?;
    let page = document(input, &arguments.content, &arguments.text, arguments.threads.number())?;
    match is_standard(&arguments.output) {
        true => output.stream().write_all(page.as_bytes())?,
        false => {
            crate::core::new_file::write(
                &arguments.output,
                arguments.force,
                |out| Ok(out.write_all(page.as_bytes())?),
            )?;
        }
    }
    Ok(Outcome::Yes)
}

/// A part of the page with a heading.
struct Section {
    name: &'static str,
    title: &'static str,
    content: String,
}

/// Returns the page of a file.
pub(crate) fn document(input: &Input, content: &Content, text: &TableText, threads: usize) -> Result<String> {
    let mut sections = Vec::new();
    let mut add = |name, title, content: String| {
        if !content.is_empty() {
            sections.push(Section { name, title, content });
        }
    };
    let facts = match input.format_of_table(text)? {
        Format::Asdf => {
            let file = input.asdf_in_pieces()?;
            let schemas = schemas(content)?;
            add("tree", "Tree", tree::section(&file, content, schemas.as_ref(), threads)?);
            add("layout", "Layout", layout::section(input, &file)?);
            add("history", "History", history_section(&file)?);
            add("checks", "Checks", checks(&verify::summary(input)?));
            add("ndl", "Description in NDL", description(&file));
            facts_of(input, &file)?
        }
        Format::Ecsv => {
            add("rows", "Rows", rows::of_text_table(input, text, content.rows, threads)?);
            add("checks", "Checks", checks(&verify::summary(input)?));
            vec!["ECSV table".to_owned()]
        }
        Format::Ndl => {
            let parsed = input.description(&ndl::ReadOptions::default())?;
            let text = parsed.description.to_text(&ndl::TextOptions::default())?;
            add("ndl", "Description", format!("<pre tabindex=\"0\">{}</pre>", escaped_lines(&text)));
            add("checks", "Checks", checks(&verify::summary(input)?));
            vec!["NDL description".to_owned()]
        }
    };
    let size = input.size().map(of_bytes);
    let facts: Vec<String> = facts.into_iter().chain(size).collect();
    Ok(assembled(&input.name(), &facts, &sections))
}

fn assembled(name: &str, facts: &[String], sections: &[Section]) -> String {
    let title = escaped(Path::new(name).file_name().map_or(name.into(), |name| name.to_string_lossy()).as_ref());
    let link = |section: &Section| format!("<a href=\"#{}\">{}</a>", section.name, section.title);
    let links: Vec<String> = sections.iter().map(link).collect();
    let body = |section: &Section| {
        let Section { name, title, content } = section;
        format!(
            "<section aria-labelledby=\"{name}\">\n<h2 id=\"{name}\" tabindex=\"-1\">{title}</h2>\n{content}</section>\n"
        )
    };
    let bodies: String = sections.iter().map(body).collect();
    let facts: Vec<String> = facts.iter().map(|fact| escaped(fact)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src \
         'unsafe-inline'; script-src '{SCRIPT_SUM}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"asdfkit {version}\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n<h1>{title}</h1>\n<p>{facts}</p>\n\
         <nav aria-label=\"Sections\">{links}</nav>\n</header>\n<main id=\"main\" tabindex=\"-1\">\n{bodies}</main>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
        version = env!("CARGO_PKG_VERSION"),
        facts = facts.join(" · "),
        links = links.join(" "),
    )
}

/// Loads the schemas that tell meanings. Without an argument, a search path without schemas is no failure.
fn schemas(content: &Content) -> Result<Option<Schemas>> {
    match &content.describe {
        Some(packages) => Ok(Some(Schemas::load(packages)?)),
        None => Ok(Schemas::load::<&str>(&[]).ok()),
    }
}

fn facts_of(input: &Input, file: &File) -> Result<Vec<String>> {
    let standard = file.standard();
    let standard = standard.declared.clone().unwrap_or_else(|| standard.effective.as_str().to_owned());
    let mut facts = vec![format!("ASDF {}", file.format_version()), format!("standard {standard}")];
    let root = file.root()?;
    let text = |path: &str| Error::readable(root.text(path));
    if let Some(name) = text("asdf_library/name")? {
        facts.push(format!("written by {name} {}", text("asdf_library/version")?.unwrap_or_default()));
    }
    if input.is_stream() {
        facts.push("from standard input".to_owned());
    }
    Ok(facts)
}

fn history_section(file: &File) -> Result<String> {
    let mut out = String::new();
    for (time, text) in history(file)? {
        let time = time.map_or(String::new(), |time| format!("<time>{}</time> ", escaped(&time)));
        out.push_str(&format!("<li>{time}{}</li>\n", escaped(&text)));
    }
    Ok(if out.is_empty() { out } else { format!("<ol>\n{out}</ol>\n") })
}

/// Returns what a check found.
fn checks(found: &Value) -> String {
    let list = |key: &str| found[key].as_array().cloned().unwrap_or_default();
    let mut out = String::new();
    for (key, label, class) in [
        ("problems", "damage", "bad"),
        ("unchecked", "cannot be checked", "warning"),
        ("warnings", "warning", "warning"),
        ("notes", "note", "note"),
    ] {
        for message in list(key) {
            let message = escaped(message.as_str().unwrap_or_default());
            out.push_str(&format!("<li class=\"{class}\"><strong>{label}:</strong> {message}</li>\n"));
        }
    }
    let verdict = match list("problems").is_empty() {
        true => "<p class=\"good\">No damage was found in the structure and the checksums.</p>\n",
        false => "<p class=\"bad\">The file is damaged.</p>\n",
    };
    match out.is_empty() {
        true => verdict.to_owned(),
        false => format!("{verdict}<ul class=\"plain\">\n{out}</ul>\n"),
    }
}

/// Returns the description in NDL, or the reason why there is none.
fn description(file: &File) -> String {
    let made = || -> Result<String> {
        let options = ndl::asdf::DescribeOptions { values: ndl::asdf::Values::None, ..Default::default() };
        let described = ndl::asdf::describe(file, &options)?;
        Ok(described.description.to_text(&ndl::TextOptions::default())?)
    };
    match made() {
        Ok(text) if text.len() <= LONGEST => format!(
            "<details><summary>Show the text</summary><pre tabindex=\"0\">{}</pre></details>\n",
            escaped_lines(&text)
        ),
        Ok(text) => format!(
            "<p>The text has {}; <code>asdfkit ndl describe</code> writes it.</p>\n",
            of_bytes(text.len() as u64)
        ),
        Err(Failure::BrokenPipe) => String::new(),
        Err(failure) => format!("<p class=\"warning\">There is none: {}</p>\n", escaped(&failure.to_string())),
    }
}
