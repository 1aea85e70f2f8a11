//! The first line of a file and the comment lines below it.
//!
//! The header ends where the tree, a block or the end of the file begins; these are not read here.

use super::block::MAGIC;
use super::index;
use super::standard::{SemanticVersion, Standard};
use crate::error::{Error, Result, Status, Warning};
use crate::hint;
use crate::source::{Source, read_vec_at};
use crate::tags::StandardVersion;

/// Maximum length of the header in bytes. Real comment sections are a few lines long.
const MAX_HEADER_BYTES: u64 = 1 << 20;
/// Number of bytes that are read first from a file.
const FIRST_PIECE_OF_FILE: u64 = 4 << 10;
/// The same number for other sources. Each of their reads can take long, for example over a network.
const FIRST_PIECE: u64 = 16 << 10;

/// Content after the comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    Tree,
    Block,
    /// The end of the file, or a block index without blocks before it.
    Nothing,
}

pub(super) struct Header {
    pub(super) format_version: String,
    pub(super) standard: Standard,
    pub(super) comments: Vec<String>,
    /// Number of bytes before the tree, the block or the end of the file.
    pub(super) length: u64,
    /// Number of lines in those bytes.
    pub(super) lines: u64,
    /// True if the first line ends in CR LF.
    pub(super) crlf: bool,
    pub(super) follows: Follows,
}

/// Reads the header. Also returns the bytes read from the start of the file, so that the caller need not read them
/// again.
pub(super) fn read(source: &dyn Source, length: u64, warnings: &mut Vec<Warning>) -> Result<(Header, Vec<u8>)> {
    let mut piece = if source.file().is_some() { FIRST_PIECE_OF_FILE } else { FIRST_PIECE };
    loop {
        let bytes = read_vec_at(source, 0, piece.min(length))?;
        let mut found = Vec::new();
        if let Some(header) = parse(&bytes, bytes.len() as u64 == length, &mut found)? {
            warnings.append(&mut found);
            return Ok((header, bytes));
        }
        if piece >= MAX_HEADER_BYTES {
            return Err(Error::limit("the bytes of the header line and the comments", MAX_HEADER_BYTES).at_offset(0));
        }
        piece *= 4;
    }
}

/// Parses the start of a file. Returns `None` if more bytes are needed.
fn parse(bytes: &[u8], at_end: bool, warnings: &mut Vec<Warning>) -> Result<Option<Header>> {
    if !bytes.starts_with(b"#ASDF") {
        return if !at_end && bytes.len() < 5 { Ok(None) } else { Err(not_asdf(bytes)) };
    }
    let Some(first) = Line::at(bytes, 0, at_end) else { return Ok(None) };
    let mut header = Header {
        format_version: format_version(first.text, warnings)?,
        standard: Standard::undeclared(),
        comments: Vec::new(),
        length: first.end as u64,
        lines: 1,
        crlf: first.text.len() + 2 == first.end,
        follows: Follows::Nothing,
    };
    if !first.terminated {
        warnings.push(no_newline(1, bytes.len()));
    }
    let mut blank_line = None;
    let mut declared = None;
    let mut at = first.end;
    header.follows = loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let line_number = header.lines + 1;
        if !at_end && rest.len() < index::TITLE.len() + 2 {
            return Ok(None);
        }
        match rest.first() {
            None => break Follows::Nothing,
            Some(b'%') if rest.starts_with(b"%YAML") => break Follows::Tree,
            Some(_) if rest.starts_with(&MAGIC) => break Follows::Block,
            Some(_) if index::starts_here(rest) => break Follows::Nothing,
            Some(b'#') => {
                let Some(line) = Line::at(bytes, at, at_end) else { return Ok(None) };
                let text = String::from_utf8_lossy(line.text.get(1..).unwrap_or_default());
                if let std::borrow::Cow::Owned(_) = text {
                    warnings.push(
                        Warning::new("the comment is not valid UTF-8").at_offset(at as u64).at_line(line_number, 1),
                    );
                }
                if !line.terminated {
                    warnings.push(no_newline(line_number, bytes.len()));
                }
                let text = text.trim();
                if declared.is_none() {
                    declared = Standard::from_comment(text).inspect(|standard| {
                        warnings.extend(questionable(standard).map(|w| w.at_offset(at as u64).at_line(line_number, 1)));
                    });
                }
                header.comments.push(text.to_owned());
                at = line.end;
            }
            Some(_) => {
                let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
                match rest.get(blanks) {
                    Some(b'\n') => at += blanks + 1,
                    None if at_end => at += blanks,
                    None => return Ok(None),
                    Some(_) => return Err(stray(rest).at_offset(at as u64).at_line(line_number, 1)),
                }
                blank_line.get_or_insert((line_number, at as u64));
            }
        }
        header.lines += 1;
        header.length = at as u64;
    };
    if let Some((line, offset)) = blank_line {
        if header.follows == Follows::Block {
            return Err(padding_without_tree().at_offset(offset).at_line(line, 1));
        }
        warnings.push(Warning::new("there is a blank line among the header lines").at_offset(offset).at_line(line, 1));
    }
    header.standard = declared.unwrap_or_else(Standard::undeclared);
    Ok(Some(header))
}

/// A line without its line end.
struct Line<'a> {
    text: &'a [u8],
    /// Offset of the next line.
    end: usize,
    terminated: bool,
}

impl<'a> Line<'a> {
    /// Returns the line that starts at `at`, or `None` if its end is not among the bytes and the file goes on.
    fn at(bytes: &'a [u8], at: usize, at_end: bool) -> Option<Line<'a>> {
        let rest = bytes.get(at..)?;
        let Some(length) = memchr::memchr(b'\n', rest) else {
            return at_end.then_some(Line { text: rest, end: bytes.len(), terminated: false });
        };
        let text = &rest[..length];
        Some(Line { text: text.strip_suffix(b"\r").unwrap_or(text), end: at + length + 1, terminated: true })
    }
}

fn format_version(line: &[u8], warnings: &mut Vec<Warning>) -> Result<String> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split_ascii_whitespace();
    let (Some("#ASDF"), Some(version), None) = (words.next(), words.next(), words.next()) else {
        let hint = if line.contains(&b'\r') { "; its lines seem to end in CR only" } else { "" };
        return Err(Error::new(Status::NotAsdf, format!("the first line must be '#ASDF' and a version{hint}"))
            .at_offset(0)
            .at_line(1, 1));
    };
    let place = |error: Error| error.at_offset(0).at_line(1, 1);
    let Some(parsed) = SemanticVersion::parse(version) else {
        return Err(place(Error::new(
            Status::Version,
            format!("'{version}' is not a valid version of the file format: it must be three numbers, such as 1.0.0"),
        )));
    };
    match parsed.numbers {
        [1, 0, 0] if !parsed.suffixed => {}
        [1, 0, _] if !parsed.suffixed => warnings.push(
            Warning::new(format!("version {version} of the file format is newer than the supported version 1.0.0"))
                .at_offset(0)
                .at_line(1, 1),
        ),
        _ => {
            return Err(place(Error::new(
                Status::Version,
                format!("version {version} of the file format is not supported; only 1.0.0 is"),
            )));
        }
    }
    if text.len() != "#ASDF ".len() + version.len() || !text.starts_with("#ASDF ") {
        warnings.push(
            Warning::new("the first line has blanks other than the single space between '#ASDF' and the version")
                .at_offset(0)
                .at_line(1, 1),
        );
    }
    Ok(version.to_owned())
}

fn questionable(standard: &Standard) -> Option<Warning> {
    let declared = standard.declared.as_deref()?;
    if !standard.is_known() {
        let effective = standard.effective.as_str();
        return Some(Warning::new(format!(
            "version {declared} of the ASDF standard is unknown; the file is read as version {effective}"
        )));
    }
    (standard.effective > StandardVersion::NEWEST_STABLE)
        .then(|| Warning::new(format!("version {declared} of the ASDF standard is not yet stable")))
}

fn no_newline(line: u64, length: usize) -> Warning {
    Warning::new("the file ends inside a header line; it may be truncated").at_offset(length as u64).at_line(line, 1)
}

fn padding_without_tree() -> Error {
    Error::new(Status::Layout, "in a file without a tree, the first block must follow the header lines directly")
}

/// Returns the error for bytes after the header that are not a comment, a tree or a block.
fn stray(rest: &[u8]) -> Error {
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | 0)).count();
    let content = rest.get(blanks..).unwrap_or_default();
    if content.starts_with(&MAGIC) {
        return padding_without_tree();
    }
    if MAGIC.starts_with(rest) {
        return Error::new(Status::Truncated, "the file ends inside a block header");
    }
    let hint = if content.starts_with(b"%YAML") {
        ": '%YAML' must be at the start of its line"
    } else if content.starts_with(b"---") {
        ": a tree must begin with a '%YAML' line"
    } else {
        ""
    };
    Error::new(Status::Layout, format!("expected a comment, a tree or a block after the header lines{hint}"))
}

/// Returns the error for bytes that do not begin with `#ASDF`. The message contains the probable file type.
fn not_asdf(bytes: &[u8]) -> Error {
    let starts: [(&[u8], &str); 3] = [
        (b"\xEF\xBB\xBF#ASDF", "there is a byte-order mark before '#ASDF'; save the file without it"),
        (b"\xFF\xFE", "it seems to be UTF-16 text; ASDF files are UTF-8"),
        (b"\xFE\xFF", "it seems to be UTF-16 text; ASDF files are UTF-8"),
    ];
    let reason = if bytes.is_empty() {
        "it is empty".to_owned()
    } else if let Some((_, reason)) = starts.iter().find(|(start, _)| bytes.starts_with(start)) {
        (*reason).to_owned()
    } else if let Some(format) = hint::file_format(bytes) {
        format!("it seems to be {format}")
    } else {
        "it does not begin with '#ASDF'".to_owned()
    };
    Error::new(Status::NotAsdf, format!("not an ASDF file: {reason}")).at_offset(0).at_line(1, 1)
}

/// Encodes the lines of a new file before the tree: header line, standard and comments.
///
/// `comments` have no `#`. Comments that declare a standard are omitted, since the file has one declaration. Fails with
/// [`Status::InvalidArgument`] if a comment contains a line break.
pub(crate) fn encode_header_lines(standard: StandardVersion, comments: &[String]) -> Result<Vec<u8>> {
    let mut out = format!("#ASDF 1.0.0\n#ASDF_STANDARD {}\n", standard.as_str());
    for comment in comments.iter().filter(|comment| Standard::from_comment(comment).is_none()) {
        if comment.contains(['\n', '\r']) {
            return Err(Error::new(Status::InvalidArgument, "a comment must not contain a line break"));
        }
        out.push('#');
        if !comment.is_empty() {
            out.push(' ');
            out.push_str(comment);
        }
        out.push('\n');
    }
    Ok(out.into_bytes())
}

/// Returns the lines of a header with another version of the standard.
pub(crate) fn header_in_standard(header: &[u8], standard: StandardVersion) -> Vec<u8> {
    let declaration = format!("#ASDF_STANDARD {}\n", standard.as_str());
    let is_declaration = |line: &[u8]| {
        let comment = line.strip_prefix(b"#").and_then(|comment| std::str::from_utf8(comment).ok());
        comment.is_some_and(|comment| Standard::from_comment(comment).is_some())
    };
    let mut lines: Vec<&[u8]> = header.split_inclusive(|&byte| byte == b'\n').collect();
    lines.retain(|line| !is_declaration(line));
    lines.insert(1.min(lines.len()), declaration.as_bytes());
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemorySource;

    fn header(text: &[u8]) -> Result<(Header, Vec<Warning>)> {
        let mut warnings = Vec::new();
        let source = MemorySource::of_vec(text.to_vec());
        read(&source, source.len(), &mut warnings).map(|(header, _)| (header, warnings))
    }

    #[track_caller]
    fn silent(text: &[u8]) -> Header {
        let (header, warnings) = header(text).unwrap();
        assert_eq!(warnings, []);
        header
    }

    #[track_caller]
    fn warned(text: &[u8]) -> Header {
        let (header, warnings) = header(text).unwrap();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        header
    }

    #[track_caller]
    fn refused(text: &[u8]) -> Error {
        header(text).err().expect("an error")
    }

    #[test]
    fn first_line() {
        assert_eq!(silent(b"#ASDF 1.0.0\n").standard.effective, StandardVersion::V1_0_0);
        assert!(silent(b"#ASDF 1.0.0\r\n").crlf);
        warned(b"#ASDF 1.0.0");
        warned(b"#ASDF 1.0.1\n");
        warned(b"#ASDF  \t 1.0.0 \n");
        for text in
            [&b""[..], b"#ASDF1.0.0\n", b"#asdf 1.0.0\n", b"#ASDF 1.0.0 x\n", b"SIMPLE  =  T", b"#ASDF\n", b"#A"]
        {
            assert_eq!(refused(text).status(), Status::NotAsdf, "{text:?}");
        }
        for text in [&b"#ASDF 1.0\n"[..], b"#ASDF 2.0.0\n", b"#ASDF 1.1.0\n", b"#ASDF 1.0.0-dev\n", b"#ASDF 1.0.0+b\n"]
        {
            assert_eq!(refused(text).status(), Status::Version, "{text:?}");
        }
        assert!(refused(b"\xEF\xBB\xBF#ASDF 1.0.0\n").message().contains("byte-order mark"));
        assert!(refused(b"#ASDF 1.0.0\r#ASDF_STANDARD 1.6.0\r%YAML 1.1\r").message().contains("CR only"));
    }

    #[test]
    fn standard_line() {
        let effective = |header: Header| header.standard.effective;
        assert_eq!(effective(silent(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n")), StandardVersion::V1_6_0);
        assert_eq!(effective(silent(b"#ASDF 1.0.0\n# ASDF_STANDARD 1.5.0\n")), StandardVersion::V1_5_0);
        assert_eq!(effective(silent(b"#ASDF 1.0.0\n#x\n#ASDF_STANDARD 1.5.0\n")), StandardVersion::V1_5_0);
        assert_eq!(
            effective(silent(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.3.0\n#ASDF_STANDARD 1.6.0\n")),
            StandardVersion::V1_3_0
        );
        assert_eq!(effective(silent(b"#ASDF 1.0.0\n#ASDF_STANDARD banana\n")), StandardVersion::V1_0_0);
        assert_eq!(effective(warned(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.9.0\n")), StandardVersion::V1_6_0);
        assert_eq!(effective(warned(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.7.0\n")), StandardVersion::V1_7_0);
    }

    #[test]
    fn comments_and_what_follows() {
        let found = silent("#ASDF 1.0.0\r\n# é %YAML \r\n#\r\n%YAML 1.1\r\n".as_bytes());
        assert_eq!((found.comments, found.lines, found.length), (vec!["é %YAML".into(), String::new()], 3, 29));
        assert_eq!(found.follows, Follows::Tree);
        assert_eq!(silent(b"#ASDF 1.0.0\n\xD3BLK").follows, Follows::Block);
        assert_eq!(silent(b"#ASDF 1.0.0\n#ASDF BLOCK INDEX\n%YAML 1.1\n---\n[]\n...\n").follows, Follows::Nothing);
        assert_eq!(warned(b"#ASDF 1.0.0\n\n \n%YAML 1.1\n").follows, Follows::Tree);
        assert_eq!(warned(b"#ASDF 1.0.0\n#cut").length, 16);
        assert_eq!(warned(b"#ASDF 1.0.0\n   ").length, 15);
        warned(b"#ASDF 1.0.0\n#\xFF\n");
    }

    #[test]
    fn five_bytes_tell_another_format() {
        let parse = |bytes: &[u8]| parse(bytes, false, &mut Vec::new());
        assert!(parse(b"#ASD").unwrap().is_none());
        assert!(parse(b"#ASDX").is_err());
    }

    #[test]
    fn content_not_allowed_after_the_header() {
        for text in [
            &b"#ASDF 1.0.0\n---\na: 1\n...\n"[..],
            b"#ASDF 1.0.0\n  %YAML 1.1\n",
            b"#ASDF 1.0.0\n\n\xD3BLK",
            b"#ASDF 1.0.0\n  \xD3BLK",
            b"#ASDF 1.0.0\n\0\0\xD3BLK",
            b"#ASDF 1.0.0\n%YA",
        ] {
            let error = refused(text);
            assert_eq!((error.status(), error.location().line), (Status::Layout, Some(2)), "{text:?}");
        }
        let error = refused(b"#ASDF 1.0.0\n#\n\xD3B");
        assert_eq!((error.status(), error.location().offset), (Status::Truncated, Some(14)));
    }

    #[test]
    fn long_comments_are_read_and_endless_ones_refused() {
        let mut text = b"#ASDF 1.0.0\n#".to_vec();
        text.resize(100_000, b'x');
        text.extend(b"\n%YAML 1.1\n");
        assert_eq!(silent(&text).comments[0].len(), 100_000 - 13);
        text.truncate(90_000);
        text.resize(5 << 20, b'x');
        assert_eq!(refused(&text).status(), Status::Limit);
    }

    #[test]
    fn a_header_gets_another_standard() {
        let expected = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n# x\n";
        for lines in ["#ASDF_STANDARD 1.5.0\n# x\n", "# x\n# ASDF_STANDARD 1.0.0\n", "# x\n"] {
            let header = format!("#ASDF 1.0.0\n{lines}");
            assert_eq!(header_in_standard(header.as_bytes(), StandardVersion::V1_6_0), expected);
        }
    }

    #[test]
    fn written_lines_read_back() {
        let comments = ["ASDF_STANDARD 1.3.0".to_owned(), "é".into(), String::new()];
        let lines = encode_header_lines(StandardVersion::V1_5_0, &comments).unwrap();
        assert_eq!(lines, "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n# é\n#\n".as_bytes());
        assert_eq!(silent(&lines).comments, ["ASDF_STANDARD 1.5.0", "é", ""]);
        assert!(encode_header_lines(StandardVersion::V1_5_0, &["a\nb".into()]).is_err());
    }
}
