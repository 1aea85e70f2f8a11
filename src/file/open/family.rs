//! The files that one file leads to: each opened once, when it is needed, and closed together.

use super::file::{Inner, Origin};
use crate::array::{Cache, CacheLimits, CachePlace, Payload};
use crate::error::{Error, Result, Status};
use crate::file::disk::interrupted;
use crate::file::options::access::Policy;
use crate::file::options::uri::Uri;
use crate::file::{File, OpenOptions};
use crate::process::ForkMutex;
use crate::tree::{NodeId, Stop, Walk};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A file that was opened by the caller, and those that were opened because it or another of them names them.
pub(crate) struct Family {
    policy: Policy,
    options: OpenOptions,
    /// Decoded bytes of all of them.
    cache: Cache,
    members: ForkMutex<Members>,
    /// Numbers given to files.
    numbers: AtomicU32,
}

/// Held while the file is opened, so that others who want the same wait for it.
type Place = ForkMutex<Option<Arc<Inner>>>;

#[derive(Default)]
struct Members {
    places: HashMap<Uri, Arc<Place>>,
    /// Files that are open, or about to be, apart from the first.
    open: u32,
    closed: bool,
}

impl Family {
    /// The family of a file that is about to be opened, by name or otherwise.
    pub(crate) fn new(options: &OpenOptions, path: Option<&Path>) -> Result<Arc<Family>> {
        let policy = Policy::new(&options.access, path)?;
        let cache = Cache::new(CacheLimits {
            memory: options.cache_bytes.unwrap_or(u64::MAX).min(options.limits.decoded_bytes),
            disk: options.limits.temporary_bytes,
            files: options.temporary_files.clone(),
        });
        let (members, numbers) = (ForkMutex::default(), AtomicU32::new(0));
        Ok(Arc::new(Family { policy, options: options.clone(), cache, members, numbers }))
    }

    /// The family of a file that leads nowhere.
    pub(super) fn of_one() -> Arc<Family> {
        Arc::new(Family {
            policy: Policy::default(),
            options: OpenOptions::default(),
            cache: Cache::default(),
            members: ForkMutex::default(),
            numbers: AtomicU32::new(0),
        })
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn options(&self) -> &OpenOptions {
        &self.options
    }

    /// Takes up the first file, so that others may lead back to it.
    pub(super) fn adopt(&self, file: &Arc<Inner>) {
        if let (Some(uri), false, Ok(mut members)) = (&file.origin.uri, self.policy.denies_all(), self.members.lock()) {
            let place = Arc::new(ForkMutex::new(Some(file.clone())));
            members.places.insert(uri.clone(), place);
        }
    }

    /// The files that are open.
    pub(super) fn files(&self) -> Vec<Arc<Inner>> {
        // Whoever waits for the members may hold a place, so those are waited for without holding the members.
        let places: Vec<_> =
            self.members.lock().map_or_else(|_| Vec::new(), |all| all.places.values().cloned().collect());
        places.iter().filter_map(|place| place.lock().ok()?.clone()).collect()
    }

    /// No file is opened any more, and nothing is kept.
    pub(super) fn close(&self) {
        if let Ok(mut members) = self.members.lock() {
            members.closed = true;
        }
        self.cache.clear();
    }

    fn member(self: &Arc<Family>, uri: &Uri) -> Result<Arc<Inner>> {
        let place = self.members.lock()?.places.entry(uri.clone()).or_default().clone();
        match place.lock() {
            Ok(mut file) => self.open_member(uri, &mut file),
            // Another thread of the parent process was opening it at the fork. A child opens it itself.
            Err(_) => {
                let place = {
                    let mut members = self.members.lock()?;
                    let current = members.places.entry(uri.clone()).or_default();
                    if Arc::ptr_eq(current, &place) {
                        *current = Arc::default();
                    }
                    current.clone()
                };
                self.open_member(uri, &mut *place.lock()?)
            }
        }
    }

    /// The file of a place, which is opened unless it is open.
    fn open_member(self: &Arc<Family>, uri: &Uri, place: &mut Option<Arc<Inner>>) -> Result<Arc<Inner>> {
        if let Some(file) = place {
            return Ok(file.clone());
        }
        let number = self.reserve()?;
        let opened = self.open(uri, number).map_err(|error| {
            if let Ok(mut members) = self.members.lock() {
                members.open -= 1;
            }
            Error::because_of(&format!("cannot open '{uri}'"), &error)
        })?;
        *place = Some(opened.clone());
        Ok(opened)
    }

    /// Counts one more file, and gives the number that it shall have.
    fn reserve(&self) -> Result<u32> {
        let mut members = self.members.lock()?;
        if members.closed {
            return Err(Error::new(Status::Closed, "the file was closed"));
        }
        if members.open >= self.options.limits.external_files {
            return Err(Error::limit("external files", self.options.limits.external_files.into()));
        }
        members.open += 1;
        Ok(self.new_number())
    }

    /// A number that no file of the family had before.
    pub(crate) fn new_number(&self) -> u32 {
        self.numbers.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
    }

    fn open(self: &Arc<Family>, uri: &Uri, number: u32) -> Result<Arc<Inner>> {
        let opened = self.policy.open(uri)?;
        let origin = Origin { name: Some(opened.name.clone()), uri: Some(uri.clone()), number, ..Origin::default() };
        let read = |source, warning| File::read(source, origin.clone(), self.clone(), warning);
        let file = match &opened.path {
            None => read(opened.source, None),
            Some(path) => {
                let first = RefCell::new(Some(opened.source));
                let open = || first.take().map_or_else(|| Ok(self.policy.open(uri)?.source), Ok);
                interrupted::read_settled(path, open, read)
            }
        };
        Ok(file.map_err(|error| error.in_file(&opened.name))?.inner)
    }
}

impl File {
    /// The file that a URI in this one names, which may be this one itself.
    pub(crate) fn external(&self, reference: &str) -> Result<File> {
        if reference.is_empty() || reference.starts_with('#') {
            return Ok(self.clone());
        }
        let own = self.inner.origin.uri.as_ref();
        let uri = Uri::resolve(own, reference)?;
        if own == Some(&uri) {
            return Ok(self.clone());
        }
        if self.family.policy().denies_all() {
            let message =
                format!("the values are in another file ('{uri}'), and the open options allow no other files");
            return Err(Error::new(Status::ExternalReference, message));
        }
        Ok(File { inner: self.family.member(&uri)?, family: self.family.clone() })
    }

    /// Goes on with a look-up that leaves this file by a reference with this URI.
    pub(crate) fn follow_out(&self, reference: NodeId, uri: String, mut walk: Walk) -> Result<(File, NodeId)> {
        let (mut file, mut reference, mut uri) = (self.clone(), reference, uri);
        // References that were passed, with how much of the path was still to come then.
        let mut passed: Vec<(u32, NodeId, usize)> = Vec::new();
        loop {
            let number = file.inner.origin.number;
            let fail = |error| file.name_in(file.tree().locate(error, reference));
            if passed.iter().any(|&(n, node, left)| (n, node) == (number, reference) && walk.remaining() >= left) {
                return Err(fail(Error::new(Status::ReferenceCycle, "the reference leads back to itself")));
            }
            let depth = file.limits().external_depth;
            if passed.len() as u64 >= u64::from(depth) {
                return Err(fail(Error::limit("the depth of external files", depth.into())));
            }
            passed.push((number, reference, walk.remaining()));
            let next = file.external(&uri).map_err(fail)?;
            let stop = next.advance_from_root(&mut walk);
            match stop {
                Ok(Stop::At(id)) => return Ok((next, id)),
                Ok(Stop::Leaves { reference: node, uri: name }) => (file, reference, uri) = (next, node, name),
                Err(error) if error.location().path.is_none() => return Err(fail(error)),
                Err(error) => return Err(next.name_in(error)),
            }
        }
    }

    /// Where the decoded bytes of the payload at this offset are kept.
    pub(super) fn cache_place(&self, offset: u64) -> CachePlace {
        CachePlace::new(self.family.cache.clone(), self.inner.cache_number.load(Ordering::Acquire), offset)
    }

    fn advance_from_root(&self, walk: &mut Walk) -> Result<Stop> {
        self.check_open()?;
        let tree = self.tree();
        tree.advance(tree.root(), walk)
    }

    /// The bytes of an array whose source is a URI: the first block of what it names.
    ///
    /// If they cannot be had, the array can still be described.
    pub(crate) fn external_payload(&self, reference: &str) -> Payload {
        self.external(reference).and_then(|file| first_block(&file, reference)).unwrap_or_else(|error| {
            let status = error.status();
            Payload::absent(&Error::new(status, error.to_string()), None)
        })
    }
}

fn first_block(file: &File, reference: &str) -> Result<Payload> {
    file.payload(0).map_err(|error| {
        let status = error.status();
        Error::new(status, format!("the array's values are to be the first block of '{reference}': {error}"))
    })
}
