//! Family: a file that the caller opened, and the other files that it refers to, directly or through others. Each of
//! them is opened once, on first use. All are closed together.

use super::decompressed::{compression_of, decompress};
use super::shared::{Origin, SharedFile};
use crate::array::{Cache, CacheLimits, PayloadCache};
use crate::error::{Error, Result, Status};
use crate::file::OpenOptions;
use crate::file::disk::interrupted::{self, Found};
use crate::file::options::access::{Base, Policy};
use crate::file::options::uri::Uri;
use crate::fits::FitsFile;
use crate::limits::Limit;
use crate::process::ForkMutex;
use crate::source::{RequestSource, Source, TransferCounts, Transfers};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The file that the caller opened, and the files that were opened because a member of the family refers to them.
pub(crate) struct Family {
    policy: Policy,
    options: OpenOptions,
    /// Cache for decoded bytes, shared by all members.
    cache: Cache,
    /// Requests to the sources of the program for this file and the members.
    transfers: Arc<TransferCounts>,
    members: ForkMutex<Members>,
    /// FITS files with external arrays.
    fits_files: ForkMutex<HashMap<Uri, Arc<FitsFile>>>,
    /// Last number given to a member.
    numbers: AtomicU32,
}

/// Slot of one member. Its lock is held while the file is opened, so other threads that need the same file wait for it.
type Slot = ForkMutex<Option<Arc<SharedFile>>>;

/// Reads a member from its source. The journal beside the file can mean a warning.
type ReadMember<'a> = dyn Fn(Arc<dyn Source>, Origin, Option<Found>) -> Result<Arc<SharedFile>> + 'a;

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
    /// Creates the family of a file that is about to be opened.
    pub(crate) fn new(options: &OpenOptions, base: Base) -> Result<Arc<Family>> {
        let policy = Policy::new(&options.access, &options.remote, base)?;
        let cache = Cache::new(CacheLimits {
            memory: options.cache_bytes.unwrap_or(u64::MAX).min(options.limits.decoded_bytes),
            disk: options.limits.temporary_bytes,
            files: options.temporary_files.clone(),
        });
        let (options, transfers) = (options.clone(), Arc::default());
        let (members, fits_files, numbers) = (ForkMutex::default(), ForkMutex::default(), AtomicU32::new(0));
        Ok(Arc::new(Family { policy, options, cache, transfers, members, fits_files, numbers }))
    }

    /// Creates the family of a file that refers to no other file.
    pub(super) fn of_one() -> Arc<Family> {
        Arc::new(Family {
            policy: Policy::default(),
            options: OpenOptions::default(),
            cache: Cache::default(),
            transfers: Arc::default(),
            members: ForkMutex::default(),
            fits_files: ForkMutex::default(),
            numbers: AtomicU32::new(0),
        })
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn options(&self) -> &OpenOptions {
        &self.options
    }

    /// Counts the requests to a source of the program, and makes few if they take long.
    pub(super) fn counted(&self, source: Arc<dyn Source>) -> Arc<dyn Source> {
        RequestSource::wrap(source, &self.transfers)
    }

    /// Returns the requests so far.
    pub(super) fn transfers(&self) -> Transfers {
        self.transfers.now()
    }

    /// Registers the first file, so that references from other members can lead back to it.
    pub(super) fn adopt(&self, file: &Arc<SharedFile>) {
        if let (Some(uri), false, Ok(mut members)) = (&file.origin.uri, self.policy.denies_all(), self.members.lock()) {
            let slot = Arc::new(ForkMutex::new(Some(file.clone())));
            members.slots.insert(uri.clone(), slot);
        }
    }

    /// Returns the members that are open.
    pub(super) fn files(&self) -> Vec<Arc<SharedFile>> {
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
        if let Ok(mut files) = self.fits_files.lock() {
            files.drain().for_each(|(_, file)| file.source().close());
        }
        self.cache.clear();
    }

    /// Returns the FITS file of this URI, with external arrays. Opens it first if necessary.
    pub(super) fn fits_file(&self, uri: &Uri) -> Result<Arc<FitsFile>> {
        let mut files = self.fits_files.lock()?;
        if let Some(file) = files.get(uri) {
            return Ok(file.clone());
        }
        self.reserve()?;
        let opened = self.open_fits(uri).map(Arc::new).map_err(|error| {
            if let Ok(mut members) = self.members.lock() {
                members.open -= 1;
            }
            Error::because_of(&format!("cannot open '{uri}'"), &error)
        })?;
        files.insert(uri.clone(), opened.clone());
        Ok(opened)
    }

    fn open_fits(&self, uri: &Uri) -> Result<FitsFile> {
        let opened = self.policy.open(uri)?;
        let read = || {
            let mut source = self.counted(opened.source);
            if let Some(compression) = compression_of(&*source)? {
                source = decompress(compression, source, &self.options)?;
            }
            FitsFile::read_all_hdus(source, &self.options.limits)
        };
        read().map_err(|error| error.in_file(&opened.name))
    }

    /// Returns the member of this URI. Opens it first if necessary, and reads it with `read`.
    pub(super) fn member(&self, uri: &Uri, read: &ReadMember) -> Result<Arc<SharedFile>> {
        let slot = self.members.lock()?.slots.entry(uri.clone()).or_default().clone();
        match slot.lock() {
            Ok(mut file) => self.open_member(uri, read, &mut file),
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
                self.open_member(uri, read, &mut *slot.lock()?)
            }
        }
    }

    /// Returns the file of a slot. Opens it first if necessary.
    fn open_member(&self, uri: &Uri, read: &ReadMember, slot: &mut Option<Arc<SharedFile>>) -> Result<Arc<SharedFile>> {
        if let Some(file) = slot {
            return Ok(file.clone());
        }
        let number = self.reserve()?;
        let opened = self.open(uri, number, read).map_err(|error| {
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

    fn open(&self, uri: &Uri, number: u32, read: &ReadMember) -> Result<Arc<SharedFile>> {
        let opened = self.policy.open(uri)?;
        let origin = Origin { name: Some(opened.name.clone()), uri: Some(uri.clone()), number, ..Origin::default() };
        let read = |source, found| read(source, origin.clone(), found);
        let file = match &opened.path {
            None => read(self.counted(opened.source), None),
            Some(path) => {
                let first = RefCell::new(Some(opened.source));
                let open = || first.take().map_or_else(|| Ok(self.policy.open(uri)?.source), Ok);
                interrupted::read_settled(path, open, read)
            }
        };
        file.map_err(|error| error.in_file(&opened.name))
    }

    /// Returns the cache key for the decoded bytes of the payload at this offset of a file.
    pub(super) fn payload_cache(&self, file: u32, offset: u64) -> PayloadCache {
        PayloadCache::new(self.cache.clone(), file, offset)
    }
}
