//! The page that lists a folder.

use super::files::encoded;
use crate::core::size::of_bytes;
use crate::page::{STYLE, escaped};

/// Suffixes of files that have a page.
const WITH_PAGE: [&str; 6] = [".asdf", ".ecsv", ".fits", ".asdf.gz", ".ecsv.gz", ".ndl"];

/// Suffixes of files that the viewer opens.
const WITH_VIEWER: [&str; 3] = [".asdf", ".ecsv", ".fits"];

/// Returns the list of a folder. `path` is its place below the served folder, with slashes at both ends.
pub(super) fn page(path: &str, names: &[(String, u64)], has_viewer: bool) -> String {
    let shown: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let above: String = shown.iter().map(|part| format!("{part}/")).collect();
    let title = if above.is_empty() { "Files".to_owned() } else { format!("Files in {}", escaped(&readable(&above))) };
    let mut rows = String::new();
    if let Some((_, before)) = shown.split_last() {
        let parent: String = before.iter().map(|part| format!("{part}/")).collect();
        rows.push_str(&format!(
            "<tr><th scope=\"row\"><a href=\"/folder/{parent}\">..</a></th><td></td><td></td></tr>\n"
        ));
    }
    for (name, size) in names {
        let label = escaped(name);
        match name.strip_suffix('/') {
            Some(folder) => {
                let target = format!("/folder/{above}{}/", encoded(folder));
                rows.push_str(&format!(
                    "<tr><th scope=\"row\"><a href=\"{target}\">{label}</a></th><td></td><td></td></tr>\n"
                ));
            }
            None => {
                let target = format!("{above}{}", encoded(name));
                let lower = name.to_ascii_lowercase();
                let link = match WITH_PAGE.iter().any(|suffix| lower.ends_with(suffix)) {
                    true => format!("<a href=\"/page/{target}\">{label}</a>"),
                    false => label,
                };
                let view = match has_viewer && WITH_VIEWER.iter().any(|suffix| lower.ends_with(suffix)) {
                    true => format!(
                        " <a href=\"/viewer/viewer/index.html?url={}\">view</a>",
                        encoded(&format!("/files/{target}"))
                    ),
                    false => String::new(),
                };
                rows.push_str(&format!(
                    "<tr><th scope=\"row\">{link}</th><td class=\"number\">{}</td>\
                     <td><a href=\"/files/{target}\" download>download</a>{view}</td></tr>\n",
                    of_bytes(*size)
                ));
            }
        }
    }
    let empty = if rows.is_empty() { "<p>There are no files here.</p>\n" } else { "" };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<header><h1>{title}</h1></header>\n<main>\n{empty}<table>\n<thead><tr><th scope=\"col\">Name</th>\
         <th scope=\"col\">Size</th><th scope=\"col\">File</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</main>\n\
         </body>\n</html>\n"
    )
}

/// Returns a path without `%`, for people.
fn readable(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text() {
        let names = [("<b>\"x\".asdf".to_owned(), 5), ("sub dir/".to_owned(), 0), ("a.txt".to_owned(), 2048)];
        let text = page("/%3Ci%3E/", &names, true);
        assert!(text.contains("&lt;b&gt;&quot;x&quot;.asdf") && !text.contains("<b>") && !text.contains("<i>"));
        assert!(text.contains("href=\"/page/%3Ci%3E/%3Cb%3E%22x%22.asdf\""));
        assert!(text.contains("href=\"/folder/%3Ci%3E/sub%20dir/\"") && text.contains("href=\"/folder/\""));
        assert!(text.contains("2.0 KiB") && !text.contains("/page/%3Ci%3E/a.txt"));
        assert!(text.contains("?url=%2Ffiles%2F%253Ci%253E%2F%253Cb%253E%2522x%2522.asdf\""));
        assert!(page("/", &[], false).contains("no files") && !page("/", &names, false).contains("viewer"));
    }
}
