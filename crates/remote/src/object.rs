//! An object on a server: its size, the mark of its version, and reads of ranges.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use object_store::{Error, GetOptions, GetRange, GetResult, ObjectMeta, ObjectStoreExt};
use tokio::time::{sleep, timeout};

use crate::cache::{BLOCK, Cache};
use crate::disk::Disk;
use crate::failure::{Failure, Result, status};
use crate::runtime::{run, start};
use crate::settings::Settings;
use crate::statistics::{BYTES, CACHED, count};
use crate::store::{FIRST_WAIT, LONGEST_WAIT, Place, place};

/// Bytes that the first request asks for: as many as the core asks for first.
const FIRST: u64 = 1 << 20;
/// Most bytes of one request; larger ranges are fetched by several at once.
const PART: usize = 8 << 20;

/// Most bytes of blocks that are held for ranges which are read together.
const GROUP: u64 = 8 << 20;

/// An object that is open.
pub(crate) struct Object {
    url: String,
    name: String,
    /// The store, by the process whose connections it has.
    place: Mutex<(u32, Arc<Place>)>,
    settings: Settings,
    /// Size and version, as the first answer had them.
    meta: ObjectMeta,
    /// Bytes of the first answer, until the core has asked for them; all bytes if the server knows no ranges.
    first: Mutex<Option<Arc<Vec<u8>>>>,
    is_whole: bool,
    cache: Mutex<Cache>,
    disk: Option<Disk>,
}

/// A range of bytes and the memory for them.
pub(crate) type Wanted<'a> = (u64, &'a mut [u8]);

impl Object {
    /// Opens an object with one request.
    pub(crate) fn open(url: &str, settings: Settings) -> Result<Object> {
        // The store needs what the runtime sets up.
        start()?;
        let place = place(url, &settings)?;
        let (meta, first, is_whole) = run(within(&settings, &place.name, begin(&place, &settings)))?;
        let cache = Mutex::new(Cache::new(settings.cache_bytes));
        let disk = match &settings.cache_directory {
            Some(folder) if !is_whole => Disk::open(folder, settings.cache_disk_bytes, &place.key, &meta)?,
            _ => None,
        };
        let (url, name) = (url.to_owned(), place.name.clone());
        let place = Mutex::new((std::process::id(), Arc::new(place)));
        Ok(Object { url, name, place, settings, meta, first: Mutex::new(Some(Arc::new(first))), is_whole, cache, disk })
    }

    /// Returns the store. In the child of a fork it is made anew: nothing answers on the connections of the parent.
    fn place(&self) -> Result<Arc<Place>> {
        let mut current = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if current.0 != process {
            start()?;
            let made = Arc::new(place(&self.url, &self.settings)?);
            let (_, of_parent) = std::mem::replace(&mut *current, (process, made));
            std::mem::forget(of_parent);
        }
        Ok(current.1.clone())
    }

    pub(crate) fn size(&self) -> u64 {
        self.meta.size
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn request_cost(&self) -> u64 {
        self.settings.request_cost
    }

    /// Fills all memory.
    pub(crate) fn read(&self, wanted: Vec<Wanted>) -> Result<()> {
        let ends = wanted.iter().map(|(offset, buffer)| offset.checked_add(buffer.len() as u64));
        if !ends.into_iter().all(|end| end.is_some_and(|end| end <= self.size())) {
            return Err(Failure::new(status::TRUNCATED, format!("{} ends early", self.name)));
        }
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut missing = Vec::with_capacity(wanted.len());
        let mut used_up = false;
        for (offset, buffer) in wanted {
            let known = first.as_deref().and_then(|first| first.get(usize::try_from(offset).ok()?..));
            let known = known.unwrap_or_default();
            let done = known.len().min(buffer.len());
            let (start, rest) = buffer.split_at_mut(done);
            start.copy_from_slice(&known[..done]);
            used_up |= done > 0 && done == known.len();
            if !rest.is_empty() {
                missing.push((offset + done as u64, rest));
            }
        }
        if used_up && !self.is_whole {
            // The core keeps these bytes, so it does not ask again.
            self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        if missing.is_empty() {
            return Ok(());
        }
        run(within(&self.settings, &self.name, self.read_cached(missing)))
    }

    /// Reads small ranges by blocks of the cache, if there is one.
    async fn read_cached(&self, wanted: Vec<Wanted<'_>>) -> Result<()> {
        let most = (self.settings.cache_bytes / 4).max(BLOCK);
        let is_on = self.lock_cache().is_on() || self.disk.is_some();
        let (mut small, large): (Vec<_>, Vec<_>) =
            wanted.into_iter().partition(|(_, buffer)| is_on && buffer.len() as u64 <= most);
        match &self.disk {
            Some(disk) => {
                for (offset, buffer) in large {
                    small.extend(self.read_large(disk, offset, buffer).await?);
                }
            }
            None if large.is_empty() => {}
            None => self.fetch(large).await?,
        }
        let mut rest = small.as_mut_slice();
        while !rest.is_empty() {
            let (group, after) = rest.split_at_mut(first_group(rest));
            self.read_blocks(group).await?;
            rest = after;
        }
        Ok(())
    }

    /// Reads the whole blocks of a large range from the folder and the server, directly into its memory. Returns the
    /// parts before and after them.
    async fn read_large<'a>(&self, disk: &Disk, offset: u64, buffer: &'a mut [u8]) -> Result<[Wanted<'a>; 2]> {
        let end = offset + buffer.len() as u64;
        let start = offset.next_multiple_of(BLOCK).min(end);
        // The last block of the object is whole, too.
        let stop = if end == self.size() { end } else { (end / BLOCK * BLOCK).max(start) };
        let (before, rest) = buffer.split_at_mut((start - offset) as usize);
        let (whole, after) = rest.split_at_mut((stop - start) as usize);
        // Neighbours that are missing are fetched together.
        let mut missing: Vec<Wanted> = Vec::new();
        let (mut left, mut at) = (whole, start);
        while !left.is_empty() {
            let mut run = 0;
            let mut found = 0;
            while run < left.len() {
                let size = (left.len() - run).min(BLOCK as usize);
                let block = &mut left[run..run + size];
                if disk.get((at + run as u64) / BLOCK, block) {
                    found = size;
                    break;
                }
                run += size;
            }
            count(&CACHED, usize::from(found > 0));
            let (now, later) = left.split_at_mut(run);
            if !now.is_empty() {
                missing.push((at, now));
            }
            at += (run + found) as u64;
            left = &mut later[found..];
        }
        self.fetch(missing.iter_mut().map(|(at, part)| (*at, &mut **part)).collect()).await?;
        for (at, part) in &missing {
            for (number, block) in (at / BLOCK..).zip(part.chunks(BLOCK as usize)) {
                disk.put(number, block);
            }
        }
        Ok([(offset, before), (stop, after)])
    }

    /// Returns a block from memory or from the folder.
    fn cached(&self, number: u64) -> Result<Option<Arc<[u8]>>> {
        if let Some(block) = self.lock_cache().get(number) {
            return Ok(Some(block));
        }
        let Some(disk) = &self.disk else { return Ok(None) };
        let mut block = zeros(BLOCK.min(self.size() - number * BLOCK))?;
        Ok(disk.get(number, &mut block).then(|| Arc::from(block)))
    }

    /// Reads ranges by their blocks. Missing blocks are fetched at once, neighbours together.
    async fn read_blocks(&self, wanted: &mut [Wanted<'_>]) -> Result<()> {
        let numbers: BTreeSet<u64> = wanted.iter().flat_map(blocks_of).collect();
        let mut blocks: BTreeMap<u64, Arc<[u8]>> = BTreeMap::new();
        let mut runs: Vec<(u64, Vec<u8>)> = Vec::new();
        for number in numbers {
            if let Some(block) = self.cached(number)? {
                blocks.insert(number, block);
                continue;
            }
            let start = number * BLOCK;
            let size = BLOCK.min(self.size() - start);
            match runs.last_mut() {
                Some((first, bytes)) if *first + bytes.len() as u64 == start => extend_zeros(bytes, size)?,
                _ => runs.push((start, zeros(size)?)),
            }
        }
        count(&CACHED, blocks.len());
        self.fetch(runs.iter_mut().map(|(start, bytes)| (*start, &mut bytes[..])).collect()).await?;
        for (start, bytes) in runs {
            for (number, block) in (start / BLOCK..).zip(bytes.chunks(BLOCK as usize)) {
                self.disk.iter().for_each(|disk| disk.put(number, block));
                blocks.insert(number, Arc::from(block));
            }
        }
        for range in wanted {
            let numbers = blocks_of(range);
            let (offset, buffer) = (range.0, &mut *range.1);
            let end = offset + buffer.len() as u64;
            for (start, block) in numbers.filter_map(|number| Some((number * BLOCK, blocks.get(&number)?))) {
                let (from, to) = (offset.max(start), end.min(start + block.len() as u64));
                buffer[(from - offset) as usize..(to - offset) as usize]
                    .copy_from_slice(&block[(from - start) as usize..(to - start) as usize]);
            }
        }
        let mut cache = self.lock_cache();
        blocks.into_iter().for_each(|(number, block)| cache.put(number, block));
        Ok(())
    }

    fn lock_cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches ranges, several at once. Large ones are divided.
    async fn fetch(&self, wanted: Vec<Wanted<'_>>) -> Result<()> {
        let parts = wanted.into_iter().flat_map(|(offset, buffer)| {
            buffer.chunks_mut(PART).enumerate().map(move |(number, part)| (offset + (number * PART) as u64, part))
        });
        stream::iter(parts.map(|(offset, part)| self.fetch_part(offset, part)))
            .buffer_unordered(self.settings.parallel)
            .try_collect::<Vec<()>>()
            .await
            .map(drop)
    }

    async fn fetch_part(&self, offset: u64, part: &mut [u8]) -> Result<()> {
        let mut attempt = Attempts::new(&self.settings);
        loop {
            match self.try_part(offset, part).await {
                Ok(()) => return Ok(()),
                Err(error) if error.may_pass && attempt.again().await => {}
                Err(error) => return Err(error.failure),
            }
        }
    }

    async fn try_part(&self, offset: u64, part: &mut [u8]) -> std::result::Result<(), Trouble> {
        let range = offset..offset + part.len() as u64;
        // A weak mark never matches, by the rules of HTTP; it is compared below.
        let if_match = self.meta.e_tag.clone().filter(|mark| !mark.starts_with("W/"));
        let options = GetOptions { range: Some(GetRange::Bounded(range.clone())), if_match, ..GetOptions::default() };
        let (name, place) = (&self.name, self.place()?);
        let got = place.store.get_opts(&place.path, options).await.map_err(|error| trouble(name, error))?;
        let is_same = got.meta.size == self.meta.size
            && got.meta.e_tag == self.meta.e_tag
            && (self.meta.e_tag.is_some() || got.meta.last_modified == self.meta.last_modified);
        if !is_same {
            return Err(changed(name).into());
        }
        if got.range != range {
            return Err(Trouble::passing(format!("{name}: the server sent other bytes than it was asked for")));
        }
        fill(name, got, part).await
    }
}

/// Returns the numbers of the blocks that contain a range.
fn blocks_of((offset, buffer): &Wanted) -> Range<u64> {
    *offset / BLOCK..(*offset + buffer.len() as u64).div_ceil(BLOCK)
}

/// Returns how many of the ranges are read together: one, or as many as memory for their blocks is set aside for.
fn first_group(wanted: &[Wanted]) -> usize {
    let mut total = 0;
    let fits = |range: &&Wanted| {
        let blocks = blocks_of(range);
        total += (blocks.end - blocks.start) * BLOCK;
        total <= GROUP
    };
    wanted.iter().take_while(fits).count().max(1)
}

/// A failure, and whether another attempt may succeed.
struct Trouble {
    failure: Failure,
    may_pass: bool,
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble { failure, may_pass: false }
    }
}

impl Trouble {
    fn passing(message: String) -> Trouble {
        Trouble { failure: Failure::new(status::IO, message), may_pass: true }
    }
}

/// Attempts after failures, with growing waits.
struct Attempts {
    left: usize,
    wait: Duration,
}

impl Attempts {
    fn new(settings: &Settings) -> Attempts {
        Attempts { left: settings.retries, wait: FIRST_WAIT }
    }

    /// Waits before another attempt; false if there is none.
    async fn again(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        sleep(self.wait).await;
        self.wait = (self.wait * 2).min(LONGEST_WAIT);
        true
    }
}

fn changed(name: &str) -> Failure {
    Failure::new(status::FILE_CHANGED, format!("{name}: the object was replaced while it was open"))
}

/// Copies the bytes of an answer, which must be as many as the memory holds.
async fn fill(name: &str, got: GetResult, memory: &mut [u8]) -> std::result::Result<(), Trouble> {
    let (mut stream, mut done) = (got.into_stream(), 0);
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|error| trouble(name, error))?;
        count(&BYTES, piece.len());
        let Some(place) = memory.get_mut(done..done + piece.len()) else {
            return Err(Trouble::passing(format!("{name}: the server sent more bytes than it was asked for")));
        };
        place.copy_from_slice(&piece);
        done += piece.len();
    }
    match memory.len() - done {
        0 => Ok(()),
        missing => Err(Trouble::passing(format!("{name}: the answer of the server ended {missing} bytes early"))),
    }
}

/// Converts an error of a store.
fn trouble(name: &str, error: Error) -> Trouble {
    let text = whole_text(&error);
    let failure = |status, what: &str| Failure::new(status, format!("{name}: {what}: {text}"));
    match &error {
        Error::NotFound { .. } => failure(status::FILE_NOT_FOUND, "no such object").into(),
        Error::Precondition { .. } => changed(name).into(),
        Error::PermissionDenied { .. } => failure(status::PERMISSION_DENIED, "the server denies the access").into(),
        Error::Unauthenticated { .. } => failure(status::PERMISSION_DENIED, "the server asks for credentials").into(),
        Error::NotSupported { .. } | Error::NotImplemented { .. } => {
            failure(status::UNSUPPORTED, "the server does not support this").into()
        }
        Error::InvalidPath { .. } => failure(status::INVALID_ARGUMENT, "the path of the object is not valid").into(),
        _ if text.contains("non-partial response") => {
            failure(status::UNSUPPORTED, "the server ignores ranges of bytes").into()
        }
        // Requests that failed by a status were repeated by the store.
        _ => Trouble { failure: failure(status::IO, "reading failed"), may_pass: !text.contains("Error performing") },
    }
}

/// Returns an error with its causes.
fn whole_text(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}

/// Gets size, version and first bytes of an object. The flag is true if these are all bytes, because the server knows
/// no ranges.
async fn begin(place: &Place, settings: &Settings) -> Result<(ObjectMeta, Vec<u8>, bool)> {
    let mut attempt = Attempts::new(settings);
    loop {
        let error = match try_begin(place).await {
            Ok((meta, bytes)) => return Ok((meta, bytes, false)),
            Err(error) => error,
        };
        if error.failure.status == status::UNSUPPORTED {
            return whole(place, settings).await.map(|(meta, bytes)| (meta, bytes, true));
        }
        // An empty object has no first byte.
        if error.failure.message.contains("416")
            && let Ok(meta) = place.store.head(&place.path).await
            && meta.size == 0
        {
            return Ok((meta, Vec::new(), false));
        }
        if !(error.may_pass && attempt.again().await) {
            return Err(error.failure);
        }
    }
}

async fn try_begin(place: &Place) -> std::result::Result<(ObjectMeta, Vec<u8>), Trouble> {
    let options = GetOptions { range: Some(GetRange::Bounded(0..FIRST)), ..GetOptions::default() };
    let name = &place.name;
    let got = place.store.get_opts(&place.path, options).await.map_err(|error| trouble(name, error))?;
    let (meta, expected): (_, Range<u64>) = (got.meta.clone(), 0..got.meta.size.min(FIRST));
    if got.range != expected {
        return Err(Trouble::passing(format!("{name}: the server sent other bytes than it was asked for")));
    }
    let mut bytes = zeros(expected.end)?;
    fill(name, got, &mut bytes).await?;
    Ok((meta, bytes))
}

/// Fetches an object as a whole, if it is small.
async fn whole(place: &Place, settings: &Settings) -> Result<(ObjectMeta, Vec<u8>)> {
    let name = &place.name;
    let got = place.store.get_opts(&place.path, GetOptions::default()).await;
    let got = got.map_err(|error| trouble(name, error).failure)?;
    let meta = got.meta.clone();
    if meta.size > settings.whole_bytes {
        let message = format!(
            "{name}: the server ignores ranges of bytes, and the object has {} bytes; the setting whole_bytes allows {}",
            meta.size, settings.whole_bytes
        );
        return Err(Failure::new(status::UNSUPPORTED, message));
    }
    let mut bytes = zeros(meta.size)?;
    fill(name, got, &mut bytes).await.map_err(|trouble| trouble.failure)?;
    Ok((meta, bytes))
}

/// Fails if a call takes longer than the settings allow.
async fn within<T>(settings: &Settings, name: &str, call: impl Future<Output = Result<T>>) -> Result<T> {
    let Some(limit) = settings.call else { return call.await };
    timeout(limit, call).await.unwrap_or_else(|_| {
        let message = format!("{name}: the time limit of {} seconds for a call was exceeded", limit.as_secs_f64());
        Err(Failure::new(status::IO, message))
    })
}

/// Returns memory for bytes, filled with zeros.
fn zeros(size: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    extend_zeros(&mut bytes, size)?;
    Ok(bytes)
}

/// Appends zeros.
fn extend_zeros(bytes: &mut Vec<u8>, size: u64) -> Result<()> {
    let no_memory = || Failure::new(status::OUT_OF_MEMORY, format!("no memory for {size} bytes"));
    let count = usize::try_from(size).map_err(|_| no_memory())?;
    bytes.try_reserve_exact(count).map_err(|_| no_memory())?;
    bytes.resize(bytes.len() + count, 0);
    Ok(())
}
