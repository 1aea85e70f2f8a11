//! Answers of HTTP/1.1.

use super::range::Part;
use super::request::Request;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::time::UNIX_EPOCH;

/// Header fields of all answers. No other site may read them or show them in a frame, and no browser guesses types.
const ALWAYS: &str = "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\nCache-Control: no-cache\r\n";

/// Returns the name of a status.
fn name(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        304 => "Not Modified",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        416 => "Range Not Satisfiable",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

fn head(out: &mut impl Write, status: u16, fields: &str, length: u64, keeps: bool) -> io::Result<()> {
    let connection = if keeps { "keep-alive" } else { "close" };
    let name = name(status);
    write!(
        out,
        "HTTP/1.1 {status} {name}\r\n{ALWAYS}{fields}Content-Length: {length}\r\nConnection: {connection}\r\n\r\n"
    )
}

/// Sends a page.
pub(super) fn page(out: &mut impl Write, request: &Request, text: &str) -> io::Result<()> {
    document(out, request, "text/html; charset=utf-8", text.as_bytes())
}

/// Sends something that a browser uses: a page, or a part of one.
pub(super) fn document(out: &mut impl Write, request: &Request, kind: &str, bytes: &[u8]) -> io::Result<()> {
    head(out, 200, &format!("Content-Type: {kind}\r\n"), bytes.len() as u64, request.keeps)?;
    if !request.is_head {
        out.write_all(bytes)?;
    }
    out.flush()
}

/// Sends a status with a reason as plain text.
pub(super) fn refusal(out: &mut impl Write, status: u16, reason: &str, is_head: bool, keeps: bool) -> io::Result<()> {
    let allowed = if status == 405 { "Allow: GET, HEAD\r\n" } else { "" };
    let text = format!("{reason}\n");
    head(out, status, &format!("{allowed}Content-Type: text/plain; charset=utf-8\r\n"), text.len() as u64, keeps)?;
    if !is_head {
        out.write_all(text.as_bytes())?;
    }
    out.flush()
}

/// Sends a file, or the part of it that the request asks for. It is never a page: a browser stores it.
pub(super) fn file(out: &mut impl Write, request: &Request, file: &mut File, metadata: &Metadata) -> io::Result<()> {
    let length = metadata.len();
    let mark = mark(metadata);
    let fields = format!(
        "Content-Type: application/octet-stream\r\nContent-Disposition: attachment\r\nAccept-Ranges: bytes\r\nETag: {mark}\r\n"
    );
    if request.if_none_match.as_deref().is_some_and(|known| known.split(',').any(|one| one.trim() == mark)) {
        head(out, 304, &format!("ETag: {mark}\r\n"), 0, request.keeps)?;
        return out.flush();
    }
    // A part of another version of the file would not fit to the parts that the client has.
    let is_same = request.if_range.as_deref().is_none_or(|known| known == mark);
    let (status, fields, bytes) = match Part::of(request.range.as_deref().filter(|_| is_same), length) {
        Part::Whole => (200, fields, 0..length),
        Part::Bytes(bytes) => {
            let place = format!("Content-Range: bytes {}-{}/{length}\r\n", bytes.start, bytes.end - 1);
            (206, fields + &place, bytes)
        }
        Part::Nothing => {
            head(out, 416, &format!("Content-Range: bytes */{length}\r\n"), 0, request.keeps)?;
            return out.flush();
        }
    };
    head(out, status, &fields, bytes.end - bytes.start, request.keeps)?;
    if !request.is_head {
        file.seek(SeekFrom::Start(bytes.start))?;
        let wanted = bytes.end - bytes.start;
        if io::copy(&mut file.take(wanted), out)? != wanted {
            // The client sees that bytes are missing when the connection ends.
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    out.flush()
}

/// Returns a text that changes with the content of a file.
fn mark(metadata: &Metadata) -> String {
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("\"{:x}-{:x}\"", metadata.len(), changed.unwrap_or_default().as_nanos())
}
