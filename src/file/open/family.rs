//! Family: a file that the caller opened, and the other files that it refers to, directly or through others. Each of
//! them is opened once, on first use. All are closed together.

use super::file::{Inner, Origin};
use crate::array::{Cache, CacheLimits, CachePlace, Payload};
use crate::error::{Error, Result, Status};
use crate::file::disk::interrupted;
use crate::file::options::access::Policy;
use crate::file::options::uri::Uri;
use crate::file::{File, OpenOptions};
use crate::limits::Limit;
use crate::process::ForkMutex;
use crate::tree::{NodeId, Stop, Walk};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The file that the caller opened, and the files that were opened because a member of the family refers to them.
pub(crate) struct Family {
    policy: Policy,
    options: OpenOptions,
    /// Cache for decoded bytes, shared by all members.
    cache: Cache,
    members: ForkMutex<Members>,
    /// Last number given to a member.
    numbers: AtomicU32,
}

/// Slot of one member. Its lock is held while the file is opened, so other threads that need the same file wait for it.
type Slot = ForkMutex<Option<Arc<Inner>>>;

#[derive(Default)]
struct Members {
    slots: HashMap<Uri, Arc<Slot>>,
    /// Number of members that are open or being opened, without the first file.
    open: u32,
    /// Number of members that a call may open beyond the limit, because it was asked to include all of them.
    beyond: u32,
    closed: bool,
}

impl Family {
    /// Creates the family of a file that is about to be opened. `path` is `None` if it is not opened by name.
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

    /// Creates the family of a file that refers to no other file.
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

    /// Registers the first file, so that references from other members can lead back to it.
    pub(super) fn adopt(&self, file: &Arc<Inner>) {
        if let (Some(uri), false, Ok(mut members)) = (&file.origin.uri, self.policy.denies_all(), self.members.lock()) {
            let slot = Arc::new(ForkMutex::new(Some(file.clone())));
            members.slots.insert(uri.clone(), slot);
        }
    }

    /// Returns the members that are open.
    pub(super) fn files(&self) -> Vec<Arc<Inner>> {
        // A thread that waits for the lock on the members may hold the lock of a slot. To avoid a deadlock, the slots
        // are locked after the lock on the members is released.
        let slots: Vec<_> =
            self.members.lock().map_or_else(|_| Vec::new(), |all| all.slots.values().cloned().collect());
        slots.iter().filter_map(|slot| slot.lock().ok()?.clone()).collect()
    }

    /// Prevents further opening, and empties the cache.
    pub(super) fn close(&self) {
        if let Ok(mut members) = self.members.lock() {
            members.closed = true;
        }
        self.cache.clear();
    }

    fn member(self: &Arc<Family>, uri: &Uri) -> Result<Arc<Inner>> {
        let slot = self.members.lock()?.slots.entry(uri.clone()).or_default().clone();
        match slot.lock() {
            Ok(mut file) => self.open_member(uri, &mut file),
            // Another thread of the parent process was opening the file at the fork. The child opens it again.
            Err(_) => {
                let slot = {
                    let mut members = self.members.lock()?;
                    let current = members.slots.entry(uri.clone()).or_default();
                    if Arc::ptr_eq(current, &slot) {
                        *current = Arc::default();
                    }
                    current.clone()
                };
                self.open_member(uri, &mut *slot.lock()?)
            }
        }
    }

    /// Returns the file of a slot. Opens it first if necessary.
    fn open_member(self: &Arc<Family>, uri: &Uri, slot: &mut Option<Arc<Inner>>) -> Result<Arc<Inner>> {
        if let Some(file) = slot {
            return Ok(file.clone());
        }
        let number = self.reserve()?;
        let opened = self.open(uri, number).map_err(|error| {
            if let Ok(mut members) = self.members.lock() {
                members.open -= 1;
            }
            Error::because_of(&format!("cannot open '{uri}'"), &error)
        })?;
        *slot = Some(opened.clone());
        Ok(opened)
    }

    /// Counts one more member and returns its number.
    fn reserve(&self) -> Result<u32> {
        let mut members = self.members.lock()?;
        if members.closed {
            return Err(Error::new(Status::Closed, "the file was closed"));
        }
        if members.open >= self.options.limits.external_files.saturating_add(members.beyond) {
            return Err(Limit::ExternalFiles.exceeded("external files", self.options.limits.external_files.into()));
        }
        members.open += 1;
        Ok(self.new_number())
    }

    /// Allows as many further members beyond the limit.
    pub(crate) fn allow(&self, further: u32) -> Result<()> {
        let mut members = self.members.lock()?;
        members.beyond = members.beyond.max(further);
        Ok(())
    }

    /// Returns a number that no member of the family had before.
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
    /// Returns the file that a URI in this file names. It can be this file itself.
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
            let message = format!(
                "'{uri}' is another file; set the open option 'access' (ASDF_OPTION_ACCESS) to allow other files"
            );
            return Err(Error::new(Status::ExternalReference, message));
        }
        Ok(File { inner: self.family.member(&uri)?, family: self.family.clone() })
    }

    /// Continues a look-up that leaves this file through a reference with this URI.
    pub(crate) fn follow_out(&self, reference: NodeId, uri: String, mut walk: Walk) -> Result<(File, NodeId)> {
        let (mut file, mut reference, mut uri) = (self.clone(), reference, uri);
        // References passed so far: number of the file, node, and length of the remaining path.
        let mut passed: Vec<(u32, NodeId, usize)> = Vec::new();
        loop {
            let number = file.inner.origin.number;
            let fail = |error| file.name_in(file.tree().locate(error, reference));
            if passed.iter().any(|&(n, node, left)| (n, node) == (number, reference) && walk.remaining() >= left) {
                return Err(fail(Error::new(Status::ReferenceCycle, "the reference leads back to itself")));
            }
            let depth = file.limits().external_depth;
            if passed.len() as u64 >= u64::from(depth) {
                return Err(fail(
                    Limit::ExternalDepth.exceeded("external files in a chain of references", depth.into()),
                ));
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

    /// Returns the cache key for the decoded bytes of the payload at this offset.
    pub(super) fn cache_place(&self, offset: u64) -> CachePlace {
        CachePlace::new(self.family.cache.clone(), self.inner.cache_number.load(Ordering::Acquire), offset)
    }

    fn advance_from_root(&self, walk: &mut Walk) -> Result<Stop> {
        self.check_open()?;
        let tree = self.tree();
        tree.advance(tree.root(), walk)
    }

    /// Returns the bytes of an array whose source is a URI: the first block of that file.
    ///
    /// If they cannot be read, the result holds the error, and the array can still be described.
    pub(crate) fn external_payload(&self, reference: &str) -> Payload {
        self.external(reference)
            .and_then(|file| first_block(&file, reference))
            .unwrap_or_else(|error| Payload::absent(&error.without_place(), None))
    }
}

fn first_block(file: &File, reference: &str) -> Result<Payload> {
    file.payload(0).map_err(|error| {
        let what = format!("the elements of the array are in the first block of '{reference}', which cannot be read");
        Error::because_of(&what, &error)
    })
}
