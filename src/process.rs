//! The process that something belongs to, and locks that a child of that process never waits for in vain.
//!
//! `fork` copies only the thread that calls it. A lock that another thread holds stays held in the child for good. And
//! files, names and locks of the system that a value gives up at its end still belong to the parent.

use crate::error::{Error, Result, Status};
use crate::progress;
use once_cell::race::OnceBox;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::{
    Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError, TryLockResult,
};

/// A process, told apart from its parent and its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process(u32);

impl Process {
    /// The one that runs.
    pub(crate) fn current() -> Process {
        Process(system::number())
    }

    /// Whether it is the one that runs; else that is a child of it.
    pub(crate) fn is_current(self) -> bool {
        self == Process::current()
    }

    /// Fails with [`Status::Forked`] in a child: it may not change what it inherited.
    pub(crate) fn check(self) -> Result<()> {
        if self.is_current() {
            return Ok(());
        }
        let message = "a parent of this process made the handle; a child can only read by it, close it and free it";
        Err(Error::new(Status::Forked, message))
    }

    /// A parent of the one that runs, for tests.
    #[cfg(test)]
    pub(crate) fn parent() -> Process {
        Process(system::number().wrapping_sub(1))
    }
}

fn is_held() -> Error {
    Error::new(Status::Forked, "another thread of the parent process was using this when the process was forked")
}

/// What `lock` holds, unless somebody has locked it. Never waits.
fn taken<G>(lock: TryLockResult<G>) -> Result<G> {
    match lock {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => Err(is_held()),
    }
}

/// What `lock` holds, for a callback that reports progress: the call that it reports of may hold the lock itself. Never
/// waits.
fn taken_in_callback<G>(lock: TryLockResult<G>) -> Result<G> {
    match lock {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => Err(progress::in_use()),
    }
}

/// A lock that somebody may hold.
pub(crate) trait Lock {
    /// Whether somebody may be changing the content.
    fn is_held(&self) -> bool;
}

impl<T> Lock for Mutex<T> {
    fn is_held(&self) -> bool {
        matches!(self.try_lock(), Err(TryLockError::WouldBlock))
    }
}

impl<T> Lock for RwLock<T> {
    fn is_held(&self) -> bool {
        matches!(self.try_read(), Err(TryLockError::WouldBlock))
    }
}

/// A lock whose content a child does not free if another thread of its parent was changing it at the fork: it may be half
/// changed.
pub(crate) struct Kept<L: Lock> {
    lock: ManuallyDrop<L>,
    process: Process,
}

impl<L: Lock> Kept<L> {
    pub(crate) fn new(lock: L) -> Kept<L> {
        Kept { lock: ManuallyDrop::new(lock), process: Process::current() }
    }
}

impl<L: Lock> Deref for Kept<L> {
    type Target = L;

    fn deref(&self) -> &L {
        &self.lock
    }
}

impl<L: Lock> Drop for Kept<L> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.process.is_current() || !self.lock.is_held() {
            // SAFETY: nobody uses the lock after this, as its owner is being dropped.
            unsafe { ManuallyDrop::drop(&mut self.lock) }
        }
    }
}

/// A locked value of which each process has its own.
pub(crate) struct PerProcess<T> {
    value: Kept<Mutex<T>>,
    /// That of a child, which no lock guards.
    later: OnceBox<PerProcess<T>>,
}

impl<T> PerProcess<T> {
    /// The value of the process that runs.
    pub(crate) fn new(value: T) -> PerProcess<T> {
        PerProcess { value: Kept::new(Mutex::new(value)), later: OnceBox::new() }
    }

    fn is_own(&self) -> bool {
        self.value.process.is_current()
    }

    /// Locks the value of the process that runs. In a child that is at first what `begin` makes of the value of the parent,
    /// or of nothing if another thread of that had locked it at the fork.
    pub(crate) fn lock(&self, begin: impl Fn(Option<&T>) -> T) -> MutexGuard<'_, T> {
        let mut place = self;
        while !place.is_own() {
            place = place.later.get_or_init(|| {
                let value = begin(taken(place.value.try_lock()).ok().as_deref());
                Box::new(PerProcess::new(value))
            });
        }
        place.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default> PerProcess<T> {
    /// The same for a value that begins with the default in a child.
    pub(crate) fn lock_anew(&self) -> MutexGuard<'_, T> {
        self.lock(|_| T::default())
    }
}

impl<T: Default> Default for PerProcess<T> {
    fn default() -> PerProcess<T> {
        PerProcess::new(T::default())
    }
}

/// A mutex that a child can lock unless another thread of its parent held it at the fork.
pub(crate) struct ForkMutex<T> {
    mutex: Kept<Mutex<T>>,
    /// Locked first in a child, so that none of its own threads holds the mutex then.
    gate: PerProcess<()>,
}

impl<T> ForkMutex<T> {
    pub(crate) fn new(value: T) -> ForkMutex<T> {
        ForkMutex { mutex: Kept::new(Mutex::new(value)), gate: PerProcess::default() }
    }

    /// Waits for threads of the process that runs. Fails with [`Status::Forked`] if one of its parent held the mutex at
    /// the fork.
    pub(crate) fn lock(&self) -> Result<ForkGuard<'_, T>> {
        // A thread that panicked left data that are still whole: nothing is changed in steps that a panic could separate.
        if self.gate.is_own() {
            if progress::is_reporting() {
                return Ok(ForkGuard { value: taken_in_callback(self.mutex.try_lock())?, _gate: None });
            }
            let value = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(ForkGuard { value, _gate: None });
        }
        let gate = self.gate.lock_anew();
        Ok(ForkGuard { value: taken(self.mutex.try_lock())?, _gate: Some(gate) })
    }
}

impl<T: Default> Default for ForkMutex<T> {
    fn default() -> ForkMutex<T> {
        ForkMutex::new(T::default())
    }
}

/// The content of a mutex for as long as it is locked.
pub(crate) struct ForkGuard<'a, T> {
    value: MutexGuard<'a, T>,
    /// Given up after the mutex.
    _gate: Option<MutexGuard<'a, ()>>,
}

impl<T> Deref for ForkGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for ForkGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// A lock for many readers or one writer, which a child can take unless another thread of its parent is in the way.
/// Readers of the parent never keep a child from reading.
pub(crate) struct ForkRwLock<T> {
    lock: Kept<RwLock<T>>,
}

impl<T> ForkRwLock<T> {
    pub(crate) fn new(value: T) -> ForkRwLock<T> {
        ForkRwLock { lock: Kept::new(RwLock::new(value)) }
    }

    /// Fails with [`Status::Forked`] if a thread of the parent was writing at the fork. In a child it also fails while
    /// another thread writes, which the caller has to prevent.
    pub(crate) fn read(&self) -> Result<RwLockReadGuard<'_, T>> {
        if self.lock.process.is_current() {
            if progress::is_reporting() {
                return taken_in_callback(self.lock.try_read());
            }
            return Ok(self.lock.read().unwrap_or_else(PoisonError::into_inner));
        }
        taken(self.lock.try_read())
    }

    /// Fails with [`Status::Forked`] if a thread of the parent was reading or writing at the fork. In a child it also
    /// fails while another thread does so, which the caller has to prevent.
    pub(crate) fn write(&self) -> Result<RwLockWriteGuard<'_, T>> {
        if self.lock.process.is_current() {
            if progress::is_reporting() {
                return taken_in_callback(self.lock.try_write());
            }
            return Ok(self.lock.write().unwrap_or_else(PoisonError::into_inner));
        }
        taken(self.lock.try_write())
    }
}

impl<T: Default> Default for ForkRwLock<T> {
    fn default() -> ForkRwLock<T> {
        ForkRwLock::new(T::default())
    }
}

#[cfg(unix)]
#[allow(unsafe_code)]
mod system {
    use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

    /// How many forks lie between the first process and this one, since they are counted.
    static FORKS: AtomicU32 = AtomicU32::new(0);
    static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);

    const UNKNOWN: u8 = 0;
    const COUNTING: u8 = 1;
    /// The system has no memory to count; it is asked each time.
    const ASKING: u8 = 2;

    /// A number that a process shares neither with its parents nor with its children. It costs no system call.
    pub(super) fn number() -> u32 {
        match STATE.load(Ordering::Acquire) {
            COUNTING => FORKS.load(Ordering::Relaxed),
            ASKING => std::process::id(),
            _ => begin(),
        }
    }

    #[cold]
    fn begin() -> u32 {
        // Threads that begin at once have the forks counted more than once, which does no harm. A lock here could be one
        // that a child waits for.
        // SAFETY: the handler may run in the child of a process with several threads, as it does nothing but add to an
        // atomic number. The system forgets it when the library is unloaded.
        let counts = unsafe { libc::pthread_atfork(None, None, Some(count)) } == 0;
        let state = if counts { COUNTING } else { ASKING };
        let _ = STATE.compare_exchange(UNKNOWN, state, Ordering::AcqRel, Ordering::Acquire);
        number()
    }

    extern "C" fn count() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(not(unix))]
mod system {
    /// There is no fork.
    pub(super) fn number() -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn kept<L: Lock>(lock: L) -> Kept<L> {
        Kept { lock: ManuallyDrop::new(lock), process: Process::parent() }
    }

    fn in_child<T>(value: T) -> PerProcess<T> {
        PerProcess { value: kept(Mutex::new(value)), later: OnceBox::new() }
    }

    #[test]
    fn a_child_has_a_value_of_its_own() {
        let begin = |parent: Option<&Vec<i32>>| parent.cloned().unwrap_or_default();
        let value = in_child(vec![1]);
        let held = value.value.lock().unwrap();
        value.lock(begin).push(2);
        value.lock(begin).push(3);
        assert_eq!((&*held, &*value.lock(begin)), (&vec![1], &vec![2, 3]));
        drop(held);
        let copied = in_child(vec![1]);
        copied.lock(begin).push(2);
        assert_eq!(*copied.lock(begin), vec![1, 2]);
        assert!(in_child(vec![1]).lock_anew().is_empty());
    }

    #[test]
    fn a_child_does_not_free_what_may_be_half_changed() {
        let witness = Arc::new(());
        for is_held in [false, true] {
            let (first, second) = (kept(Mutex::new(witness.clone())), kept(RwLock::new(witness.clone())));
            if is_held {
                std::mem::forget((first.lock().unwrap(), second.write().unwrap()));
            } else {
                // Who reads changes nothing.
                std::mem::forget(second.read().unwrap());
            }
            drop((first, second));
            assert_eq!(Arc::strong_count(&witness), if is_held { 3 } else { 1 });
        }
        let own = Kept::new(Mutex::new(witness.clone()));
        std::mem::forget(own.lock().unwrap());
        drop(own);
        assert_eq!(Arc::strong_count(&witness), 3);
    }

    #[test]
    fn a_mutex_that_a_thread_of_the_parent_held_is_not_waited_for() {
        let mutex = ForkMutex { mutex: kept(Mutex::new(7)), gate: in_child(()) };
        // The gate of the parent is of no importance.
        let gate = mutex.gate.value.lock().unwrap();
        let held = mutex.mutex.lock().unwrap();
        for _ in 0..2 {
            assert_eq!(mutex.lock().err().unwrap().status(), Status::Forked);
        }
        drop(held);
        assert_eq!(*mutex.lock().unwrap(), 7);
        drop(gate);
    }

    #[test]
    fn threads_of_a_child_wait_for_one_another() {
        let mutex = ForkMutex { mutex: kept(Mutex::new(0)), gate: in_child(()) };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| *mutex.lock().unwrap() += 1));
            }
        });
        assert_eq!(*mutex.lock().unwrap(), 4000);
    }

    #[test]
    fn readers_of_the_parent_keep_no_child_from_reading() {
        let lock = ForkRwLock { lock: kept(RwLock::new(7)) };
        let reader = lock.lock.read().unwrap();
        assert_eq!(*lock.read().unwrap(), 7);
        assert_eq!(lock.write().err().unwrap().status(), Status::Forked);
        drop(reader);
        let writer = lock.lock.write().unwrap();
        assert_eq!(lock.read().err().unwrap().status(), Status::Forked);
        drop(writer);
        *lock.write().unwrap() = 8;
        assert_eq!(*lock.read().unwrap(), 8);
    }

    #[test]
    fn a_child_may_not_change() {
        assert!(Process::current().check().is_ok());
        assert_eq!(Process::parent().check().unwrap_err().status(), Status::Forked);
    }

    #[test]
    fn a_callback_that_reports_waits_for_no_lock() {
        let locks = Arc::new((ForkMutex::new(1), ForkRwLock::new(2)));
        let seen = locks.clone();
        let progress = progress::Progress::new(move |done, _| {
            let (mutex, lock) = &*seen;
            // At the last report they are free again.
            let refused = (done == 0).then_some(Status::InvalidArgument);
            assert_eq!(mutex.lock().err().map(|error| error.status()), refused);
            assert_eq!(lock.write().err().map(|error| error.status()), refused);
            assert_eq!(*lock.read().unwrap(), 2);
            std::ops::ControlFlow::Continue(())
        });
        let work = || {
            let _held = (locks.0.lock()?, locks.1.read()?);
            progress::expect(progress::Counted::Text, Some(1)).map(drop)
        };
        progress::scope(&progress, work).unwrap();
        assert_eq!(*locks.0.lock().unwrap(), 1);
    }
}
