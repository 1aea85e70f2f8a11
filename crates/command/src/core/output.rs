//! Output of reports as text or JSON, with colours on terminals only.

use super::descriptors;
use super::failure::{Failure, Result};
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
    stdout: BufWriter<Standard>,
    style: Style,
    /// True after the reader of the output has gone. Reports are then left out: the exit code still tells the result.
    is_unread: bool,
    /// True if reports are written as JSON.
    pub(crate) json: bool,
}

impl Output {
    /// Opens standard output.
    pub(crate) fn new(json: bool) -> Output {
        let colours = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let stdout = BufWriter::with_capacity(1 << 16, Standard);
        Output { stdout, style: Style { colours }, is_unread: false, json }
    }

    /// Writes a report in the requested form.
    pub(crate) fn report(&mut self, report: &dyn Report) -> Result<()> {
        if self.json {
            return self.document(&report.json());
        }
        let written = if self.is_unread { Ok(()) } else { report.text(&mut self.stdout, self.style) };
        self.settle(written)
    }

    /// Writes text that belongs to a report.
    pub(crate) fn line(&mut self, text: &str) -> Result<()> {
        let written = if self.is_unread { Ok(()) } else { writeln!(self.stdout, "{text}") };
        self.settle(written)
    }

    /// Accepts that nobody reads the reports any more.
    fn settle(&mut self, written: io::Result<()>) -> Result<()> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.is_unread = true,
            other => other?,
        }
        Ok(())
    }

    /// Writes one JSON document and a line feed.
    pub(crate) fn document(&mut self, value: &Value) -> Result<()> {
        let written = match self.is_unread {
            true => Ok(()),
            false => serde_json::to_writer(&mut self.stdout, value)
                .map_err(io::Error::from)
                .and_then(|()| self.stdout.write_all(b"\n")),
        };
        self.settle(written)
    }

    /// Returns the stream for bytes that are no report, such as elements of an array.
    pub(crate) fn stream(&mut self) -> &mut (dyn Write + 'static) {
        &mut self.stdout
    }

    /// Returns the number of characters of a line: that of the variable COLUMNS, or of the terminal; `None` for a file.
    pub(crate) fn width(&self) -> Option<usize> {
        let given = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).filter(|width| *width > 0);
        given.or_else(|| terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0)))
    }

    /// Returns the colours of the output.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// Writes everything that is buffered.
    pub(crate) fn flush(&mut self) -> Result<()> {
        let written = if self.is_unread { Ok(()) } else { self.stdout.flush() };
        self.settle(written)
    }
}

/// Standard output. Writing fails if it was closed when the process began.
pub(crate) struct Standard;

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match descriptors::is_output_closed() {
            true => Err(io::Error::other("standard output is closed")),
            false => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Writes a line on standard error. Nothing is left to be done if that fails.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes text for the help or the version, as clap shows it.
pub(crate) fn show(help: &clap::Error) -> Result<()> {
    if descriptors::is_output_closed() {
        return Err(Failure::from(io::Error::other("standard output is closed")));
    }
    help.print()?;
    io::stdout().flush()?;
    Ok(())
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

/// Tells a warning about a file that was written. It changes neither the output nor the exit code.
pub(crate) fn warn(name: &str, warning: &impl Display) {
    eprintln!("note: {}: {}", printable(name), printable(&warning.to_string()));
}
