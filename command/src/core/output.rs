//! Output of reports as text or JSON, with colours on terminals only.

use super::failure::Result;
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};

/// Content that a sub-command reports about one file.
pub(crate) trait Report {
    /// Returns the report as one JSON document.
    fn json(&self) -> Value;

    /// Writes the report as text.
    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()>;
}

/// Standard output, and the form of reports on it.
pub(crate) struct Output {
    stdout: BufWriter<io::Stdout>,
    style: Style,
    /// True if reports are written as JSON.
    pub(crate) json: bool,
}

impl Output {
    /// Opens standard output.
    pub(crate) fn new(json: bool) -> Output {
        let stdout = io::stdout();
        let colours = stdout.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Output { stdout: BufWriter::with_capacity(1 << 16, stdout), style: Style { colours }, json }
    }

    /// Writes a report in the requested form.
    pub(crate) fn report(&mut self, report: &dyn Report) -> Result<()> {
        if self.json {
            return self.document(&report.json());
        }
        report.text(&mut self.stdout, self.style)?;
        Ok(())
    }

    /// Writes one JSON document and a line feed.
    pub(crate) fn document(&mut self, value: &Value) -> Result<()> {
        serde_json::to_writer(&mut self.stdout, value).map_err(io::Error::from)?;
        self.stdout.write_all(b"\n")?;
        Ok(())
    }

    /// Returns the stream for bytes that are no report, such as elements of an array.
    pub(crate) fn stream(&mut self) -> &mut (dyn Write + 'static) {
        &mut self.stdout
    }

    /// Returns the colours of the output.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// Writes everything that is buffered.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.stdout.flush()?;
        Ok(())
    }
}

/// Colours of text.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    colours: bool,
}

impl Style {
    fn paint(self, code: &str, text: impl Display) -> String {
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Names: of files, keys, columns.
    pub(crate) fn name(self, text: impl Display) -> String {
        self.paint("1", text)
    }

    /// Types, tags and other facts of less interest.
    pub(crate) fn faint(self, text: impl Display) -> String {
        self.paint("2", text)
    }

    /// Good news, and added content.
    pub(crate) fn good(self, text: impl Display) -> String {
        self.paint("32", text)
    }

    /// Bad news, and removed content.
    pub(crate) fn bad(self, text: impl Display) -> String {
        self.paint("31", text)
    }
}

/// Returns text on one line without control characters, so that no file can send commands to a terminal.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}') {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}
