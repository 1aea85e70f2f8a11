//! `asdfkit serve`: connections and what they ask for.

use super::answer;
use super::files::{Entry, Folder};
use super::index;
use super::request::{Received, Request, Requests};
use super::viewer::Viewer;
use crate::core::arguments::TableText;
use crate::core::call::check_interrupt;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::output::Output;
use crate::page;
use clap::Args;
use std::io::{self, BufWriter, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Connections at one time.
const MOST: usize = 64;
/// Time after which a silent connection ends.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time between two looks for connections and for Ctrl-C.
const PAUSE: Duration = Duration::from_millis(20);

/// Show the files of a folder in a browser on this computer, until Ctrl-C
///
/// The first line of the output is the address. Only programs on this computer can connect. Files are read, never written.
/// Nothing outside of the folder is shown, also where a link leads there, and nothing whose name begins with a dot.
///
/// Where the viewer is installed, each file also has a link to it: a page that reads the file in the browser, part by part.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// Folder to show
    folder: PathBuf,
    /// Port; 0 for any that is free
    #[arg(short, long, default_value_t = 0, value_name = "NUMBER")]
    port: u16,
    /// Folder with the viewer; that of the installation if absent
    #[arg(long, value_name = "FOLDER")]
    viewer: Option<PathBuf>,
}

/// Data that all connections share.
struct Server {
    folder: Folder,
    viewer: Option<Viewer>,
    hosts: Vec<String>,
    connections: AtomicUsize,
    /// Pages are made one after the other, so that many requests do not take all memory.
    maker: Mutex<()>,
}

/// Answers requests until Ctrl-C.
pub(crate) fn run(arguments: &Serve, output: &mut Output) -> Result<Outcome> {
    let name = arguments.folder.display();
    let folder = Folder::open(&arguments.folder);
    let folder = folder.map_err(|error| Failure::System(format!("cannot serve {name}"), error))?;
    let viewer = Viewer::find(arguments.viewer.as_deref());
    let viewer = viewer.map_err(|error| Failure::System("cannot serve the viewer".to_owned(), error))?;
    let failed =
        |error| Failure::System(format!("cannot listen on port {}; --port 0 takes any", arguments.port), error);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port)).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let mut hosts = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if port == 80 {
        hosts.extend(["127.0.0.1".to_owned(), "localhost".to_owned()]);
    }
    let server = Arc::new(Server { folder, viewer, hosts, connections: AtomicUsize::new(0), maker: Mutex::new(()) });
    match output.json {
        true => output.document(&serde_json::json!({"address": format!("http://127.0.0.1:{port}/")}))?,
        false => output.line(&format!("http://127.0.0.1:{port}/"))?,
    }
    output.flush()?;
    while check_interrupt().is_ok() {
        match listener.accept() {
            Ok((stream, _)) => begin(&server, stream),
            // There is no connection, or one that ended before it was accepted.
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
    Ok(Outcome::Yes)
}

/// Answers a connection on a thread of its own.
fn begin(server: &Arc<Server>, stream: TcpStream) {
    if server.connections.fetch_add(1, Ordering::AcqRel) >= MOST {
        server.connections.fetch_sub(1, Ordering::AcqRel);
        let _ = answer::refusal(&mut &stream, 503, "too many connections", false, false);
        return;
    }
    let shared = server.clone();
    let started = std::thread::Builder::new().spawn(move || {
        // A failure is one of the connection: the client is gone or too slow.
        let _ = shared.answer_all(&stream);
        shared.connections.fetch_sub(1, Ordering::AcqRel);
    });
    if started.is_err() {
        server.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Server {
    fn answer_all(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let mut requests = Requests::new(stream, self.hosts.clone());
        let mut out = BufWriter::with_capacity(1 << 16, stream);
        loop {
            match requests.next()? {
                Received::End => return Ok(()),
                Received::Refused(status, reason) => return answer::refusal(&mut out, status, reason, false, false),
                Received::Request(request) => {
                    self.answer(&request, &mut out)?;
                    if !request.keeps {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn answer(&self, request: &Request, out: &mut impl Write) -> io::Result<()> {
        let missing = |out: &mut _| answer::refusal(out, 404, "there is nothing here", request.is_head, request.keeps);
        let target = request.target.as_str();
        if target == "/" {
            return self.list("", request, out);
        }
        if let Some(path) = target.strip_prefix("/folder/") {
            return self.list(path, request, out);
        }
        if let Some(path) = target.strip_prefix("/viewer/") {
            return match self.viewer.as_ref().and_then(|viewer| viewer.file(path)) {
                Some((kind, bytes)) => answer::document(out, request, kind, &bytes),
                None => missing(out),
            };
        }
        let (path, as_page) = match (target.strip_prefix("/page/"), target.strip_prefix("/files/")) {
            (Some(path), _) => (path, true),
            (_, Some(path)) => (path, false),
            _ => return missing(out),
        };
        match self.folder.find(path) {
            Some(Entry::File(path, _)) if as_page => match self.page(&path) {
                Ok(text) => answer::page(out, request, &text),
                Err(failure) => answer::refusal(out, 500, &failure.to_string(), request.is_head, request.keeps),
            },
            Some(Entry::File(path, _)) => match self.folder.open_file(&path) {
                Ok((mut file, metadata)) => answer::file(out, request, &mut file, &metadata),
                Err(_) => answer::refusal(out, 403, "the file cannot be read", request.is_head, request.keeps),
            },
            _ => missing(out),
        }
    }

    fn list(&self, path: &str, request: &Request, out: &mut impl Write) -> io::Result<()> {
        let names = match self.folder.find(path) {
            Some(Entry::Folder(folder)) => self.folder.names(&folder).ok(),
            _ => None,
        };
        match names {
            Some(names) => answer::page(out, request, &index::page(&format!("/{path}"), &names, self.viewer.is_some())),
            None => answer::refusal(out, 404, "there is no such folder", request.is_head, request.keeps),
        }
    }

    fn page(&self, path: &Path) -> Result<String> {
        let _one = self.maker.lock().unwrap_or_else(PoisonError::into_inner);
        let input = self.folder.input(path)?;
        page::document(&input, &page::Content::default(), &TableText::default(), 1)
    }
}
