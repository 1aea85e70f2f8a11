//! A header for a table in text that has none, such as a CSV file.

use super::failure::{Failure, Result};
use std::collections::HashSet;

/// Returns the names in a line. Blanks as delimiters may be repeated.
pub(crate) fn names(line: &str, delimiter: char) -> Result<Vec<String>> {
    let mut names = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']).chars().peekable();
    while let Some(character) = characters.next() {
        let mut push = |character| names.last_mut().into_iter().for_each(|name: &mut String| name.push(character));
        match (character, quoted) {
            ('"', true) if characters.peek() == Some(&'"') => {
                characters.next();
                push('"');
            }
            ('"', _) => quoted = !quoted,
            (other, false) if other == delimiter => names.push(String::new()),
            (other, _) => push(other),
        }
    }
    let mut names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
    if delimiter == ' ' {
        names.retain(|name| !name.is_empty());
    }
    if let Some(index) = names.iter().position(String::is_empty) {
        return Err(Failure::usage(format!("the line of names has no name for column {}", index + 1)));
    }
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(name) => Err(Failure::usage(format!("the line of names has the name '{name}' twice"))),
        None => Ok(names),
    }
}

/// Returns the header of an ECSV table with these columns.
pub(crate) fn made(names: &[String], types: &[&str], delimiter: char) -> String {
    let mut text = format!("# %ECSV 1.0\n# ---\n# delimiter: '{delimiter}'\n# datatype:\n");
    for (name, datatype) in names.iter().zip(types) {
        // A JSON string is a quoted scalar of YAML.
        text.push_str(&format!("# - {{name: {}, datatype: {datatype}}}\n", serde_json::Value::from(name.as_str())));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_quoted() {
        assert_eq!(names("a,\"b, \"\"c\"\"\" , d\r\n", ',').unwrap(), ["a", "b, \"c\"", "d"]);
        assert_eq!(names("a  \"b c\" d", ' ').unwrap(), ["a", "b c", "d"]);
        assert!(names("a,,b", ',').is_err() && names("a,b,a", ',').is_err());
    }
}
