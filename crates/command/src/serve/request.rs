//! Requests of HTTP/1.1, as far as a server of files needs them.

use std::io::{self, Read};

/// Longest request in bytes.
const LONGEST: usize = 16 << 10;
/// Most header fields.
const FIELDS: usize = 64;

/// A request without a body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    /// True if the answer has no body.
    pub(super) is_head: bool,
    /// Path without the part from `?` on, still with `%`.
    pub(super) target: String,
    pub(super) range: Option<String>,
    pub(super) if_range: Option<String>,
    pub(super) if_none_match: Option<String>,
    /// True if the client keeps the connection.
    pub(super) keeps: bool,
}

/// Result of reading a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Received {
    Request(Request),
    /// The connection ended between two requests.
    End,
    /// Status and reason of an answer after which the connection ends.
    Refused(u16, &'static str),
}

/// Reads requests from a connection.
pub(super) struct Requests<R> {
    stream: R,
    buffer: Vec<u8>,
    /// Values of the field `Host` that name this server.
    hosts: Vec<String>,
}

impl<R: Read> Requests<R> {
    /// Makes a reader. Requests must name one of the hosts, so that no other site, whose name leads to this computer, can
    /// read from here.
    pub(super) fn new(stream: R, hosts: Vec<String>) -> Requests<R> {
        Requests { stream, buffer: Vec::new(), hosts }
    }

    /// Reads the next request.
    pub(super) fn next(&mut self) -> io::Result<Received> {
        loop {
            if let Some((received, length)) = parsed(&self.buffer, &self.hosts) {
                self.buffer.drain(..length);
                return Ok(received);
            }
            if self.buffer.len() >= LONGEST {
                return Ok(Received::Refused(431, "the request is too long"));
            }
            let mut part = [0; 4096];
            match self.stream.read(&mut part)? {
                0 if self.buffer.is_empty() => return Ok(Received::End),
                0 => return Ok(Received::Refused(400, "the request is incomplete")),
                count => self.buffer.extend_from_slice(&part[..count]),
            }
        }
    }
}

/// Returns a request and its length; `None` if more bytes are needed.
fn parsed(buffer: &[u8], hosts: &[String]) -> Option<(Received, usize)> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut request = httparse::Request::new(&mut fields);
    let length = match request.parse(buffer) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return None,
        Err(httparse::Error::TooManyHeaders) => return Some((refused(431, "too many header fields"), buffer.len())),
        Err(_) => return Some((refused(400, "this is no request of HTTP/1.1"), buffer.len())),
    };
    Some((checked(&request, hosts), length))
}

fn refused(status: u16, reason: &'static str) -> Received {
    Received::Refused(status, reason)
}

fn checked(request: &httparse::Request, hosts: &[String]) -> Received {
    let all = |name: &str| {
        let named: Vec<_> = request.headers.iter().filter(|field| field.name.eq_ignore_ascii_case(name)).collect();
        named.iter().map(|field| String::from_utf8_lossy(field.value).trim().to_owned()).collect::<Vec<_>>()
    };
    let first = |name: &str| all(name).into_iter().next();
    match &all("host")[..] {
        [host] if hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) => {}
        [_] => return refused(421, "this server answers for 127.0.0.1 and localhost only"),
        _ => return refused(400, "a request has one field Host"),
    }
    let is_head = match request.method {
        Some("GET") => false,
        Some("HEAD") => true,
        _ => return refused(405, "only GET and HEAD are answered"),
    };
    if !all("transfer-encoding").is_empty() || all("content-length").iter().any(|length| length != "0") {
        return refused(400, "a request has no body here");
    }
    // Pages of other sites may not even learn which files there are.
    if first("sec-fetch-site").is_some_and(|site| matches!(site.as_str(), "cross-site" | "same-site")) {
        return refused(403, "another site asked for this");
    }
    let target = request.path.unwrap_or_default();
    if !target.starts_with('/') {
        return refused(400, "the target is no path");
    }
    let target = target.split(['?', '#']).next().unwrap_or_default().to_owned();
    let closes = first("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    Received::Request(Request {
        is_head,
        target,
        range: first("range"),
        if_range: first("if-range"),
        if_none_match: first("if-none-match"),
        keeps: request.version == Some(1) && !closes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(text: &str) -> Received {
        Requests::new(text.as_bytes(), vec!["127.0.0.1:80".to_owned()]).next().unwrap()
    }

    #[test]
    fn requests_are_read() {
        let found = received("GET /a%20b?x HTTP/1.1\r\nHost: 127.0.0.1:80\r\nRange: bytes=0-1\r\n\r\n");
        let Received::Request(request) = found else { panic!("{found:?}") };
        assert_eq!(
            (request.target.as_str(), request.range.as_deref(), request.keeps),
            ("/a%20b", Some("bytes=0-1"), true)
        );
        assert_eq!(received(""), Received::End);
    }

    #[test]
    fn hostile_requests_are_refused() {
        let host = "Host: 127.0.0.1:80\r\n";
        let long = format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(20_000));
        let fields = format!("GET / HTTP/1.1\r\n{host}{}\r\n", "A: b\r\n".repeat(100));
        for (text, status) in [
            ("GET / HTTP/1.1\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_owned(), 421),
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1:81\r\n\r\n".to_owned(), 421),
            (format!("GET / HTTP/1.1\r\n{host}{host}\r\n"), 400),
            (format!("POST / HTTP/1.1\r\n{host}\r\n"), 405),
            (format!("GET / HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\n"), 400),
            (format!("GET / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n"), 400),
            (format!("GET / HTTP/1.1\r\n{host}Sec-Fetch-Site: cross-site\r\n\r\n"), 403),
            (format!("GET http://other/ HTTP/1.1\r\n{host}\r\n"), 400),
            (format!("GET / HTTP/1.1\r\n{host}"), 400),
            ("\u{16}\u{3}\u{1}".to_owned(), 400),
            (long, 431),
            (fields, 431),
        ] {
            assert!(matches!(received(&text), Received::Refused(found, _) if found == status), "{text:.80}");
        }
    }
}
