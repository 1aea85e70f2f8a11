//! Process identity, and locks that work in the child of a fork.
//!
//! `fork` copies only the calling thread. A lock that another thread holds stays held in the child forever. Files, file
//! names and system locks that a value releases when it is dropped still belong to the parent.

use crate::error::{Error, Result, Status};
use crate::progress;
use once_cell::race::OnceBox;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::{
    Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError, TryLockResult,
};

/// A process, distinguished from its parents and its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process(u32);

impl Process {
    /// Returns the current process.
    pub(crate) fn current() -> Process {
        Process(fork_count::process_number())
    }

    /// Returns whether this is the current process. Otherwise the current process is a child of it.
    pub(crate) fn is_current(self) -> bool {
        self == Process::current()
    }

    /// Fails with [`Status::Forked`] in a child process, which must not change what it inherited.
    pub(crate) fn check(self) -> Result<()> {
        if self.is_current() {
            return Ok(());
        }
        let message =
            "the handle belongs to a parent of this process; a child process can only read, close and free it";
        Err(Error::new(Status::Forked, message))
    }

    /// Returns a process that appears as the parent of the current one, for tests.
    #[cfg(test)]
    pub(crate) fn parent() -> Process {
        Process(fork_count::process_number().wrapping_sub(1))
    }
}

fn held_during_fork_error() -> Error {
    Error::new(Status::Forked, "another thread of the parent process was using this object during the fork")
}

/// Returns the guard of a lock that is not held. Never waits.
fn try_guard<G>(lock: TryLockResult<G>) -> Result<G> {
    match lock {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => Err(held_during_fork_error()),
    }
}

/// Returns the guard without waiting. For calls from a progress callback: the call whose progress it reports may hold
/// the lock.
fn try_guard_in_callback<G>(lock: TryLockResult<G>) -> Result<G> {
    match lock {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => Err(progress::in_use_error()),
    }
}

/// A lock that another thread may hold.
trait Lock {
    /// Returns whether another thread may be changing the content.
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

/// A lock whose content is not freed in a child process if another thread of the parent held it during the fork: the
/// content may be incomplete.
struct LeakIfHeld<L: Lock> {
    lock: ManuallyDrop<L>,
    process: Process,
}

impl<L: Lock> LeakIfHeld<L> {
    fn new(lock: L) -> LeakIfHeld<L> {
        LeakIfHeld { lock: ManuallyDrop::new(lock), process: Process::current() }
    }
}

impl<L: Lock> Deref for LeakIfHeld<L> {
    type Target = L;

    fn deref(&self) -> &L {
        &self.lock
    }
}

impl<L: Lock> Drop for LeakIfHeld<L> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.process.is_current() || !self.lock.is_held() {
            // SAFETY: nobody uses the lock after this, because its owner is being dropped.
            unsafe { ManuallyDrop::drop(&mut self.lock) }
        }
    }
}

/// A locked value, separate for each process.
pub(crate) struct PerProcess<T> {
    value: LeakIfHeld<Mutex<T>>,
    /// The value of a child process. It needs no lock of its own.
    of_child: OnceBox<PerProcess<T>>,
}

impl<T> PerProcess<T> {
    /// Creates the value of the current process.
    pub(crate) fn new(value: T) -> PerProcess<T> {
        PerProcess { value: LeakIfHeld::new(Mutex::new(value)), of_child: OnceBox::new() }
    }

    fn is_own(&self) -> bool {
        self.value.process.is_current()
    }

    /// Locks the value of the current process. In a child, `initial` creates the first value. It gets the parent's value,
    /// or `None` if another thread of the parent held the lock during the fork.
    pub(crate) fn lock(&self, initial: impl Fn(Option<&T>) -> T) -> MutexGuard<'_, T> {
        let mut own = self;
        while !own.is_own() {
            own = own.of_child.get_or_init(|| {
                let value = initial(try_guard(own.value.try_lock()).ok().as_deref());
                Box::new(PerProcess::new(value))
            });
        }
        own.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default> PerProcess<T> {
    /// Same as [`PerProcess::lock`], but a child starts with the default value.
    pub(crate) fn lock_or_default(&self) -> MutexGuard<'_, T> {
        self.lock(|_| T::default())
    }
}

impl<T: Default> Default for PerProcess<T> {
    fn default() -> PerProcess<T> {
        PerProcess::new(T::default())
    }
}

/// A mutex that a child process can lock unless another thread of its parent held it during the fork.
pub(crate) struct ForkMutex<T> {
    mutex: LeakIfHeld<Mutex<T>>,
    /// In a child this is locked first, so that other threads of the child cannot hold the mutex then.
    gate: PerProcess<()>,
}

impl<T> ForkMutex<T> {
    pub(crate) fn new(value: T) -> ForkMutex<T> {
        ForkMutex { mutex: LeakIfHeld::new(Mutex::new(value)), gate: PerProcess::default() }
    }

    /// Waits for other threads of the current process. Fails with [`Status::Forked`] if a thread of the parent held the
    /// mutex during the fork.
    pub(crate) fn lock(&self) -> Result<ForkGuard<'_, T>> {
        // After a panic in another thread the data are still consistent: no change consists of steps that a panic could
        // separate.
        if self.gate.is_own() {
            if progress::is_reporting() {
                return Ok(ForkGuard { value: try_guard_in_callback(self.mutex.try_lock())?, _gate: None });
            }
            let value = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(ForkGuard { value, _gate: None });
        }
        let gate = self.gate.lock_or_default();
        Ok(ForkGuard { value: try_guard(self.mutex.try_lock())?, _gate: Some(gate) })
    }
}

impl<T: Default> Default for ForkMutex<T> {
    fn default() -> ForkMutex<T> {
        ForkMutex::new(T::default())
    }
}

/// Access to the content of a locked mutex.
pub(crate) struct ForkGuard<'a, T> {
    value: MutexGuard<'a, T>,
    /// Released after the mutex.
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

/// A lock for many readers or one writer that works in a child process unless a thread of its parent held it during the
/// fork. Readers in the parent never prevent a child from reading.
pub(crate) struct ForkRwLock<T> {
    lock: LeakIfHeld<RwLock<T>>,
}

impl<T> ForkRwLock<T> {
    pub(crate) fn new(value: T) -> ForkRwLock<T> {
        ForkRwLock { lock: LeakIfHeld::new(RwLock::new(value)) }
    }

    /// Locks for reading. Fails with [`Status::Forked`] if a thread of the parent was writing during the fork. In a
    /// child it also fails while another thread writes, which the caller must prevent.
    pub(crate) fn read(&self) -> Result<RwLockReadGuard<'_, T>> {
        if self.lock.process.is_current() {
            if progress::is_reporting() {
                return try_guard_in_callback(self.lock.try_read());
            }
            return Ok(self.lock.read().unwrap_or_else(PoisonError::into_inner));
        }
        try_guard(self.lock.try_read())
    }

    /// Locks for writing. Fails with [`Status::Forked`] if a thread of the parent was reading or writing during the
    /// fork. In a child it also fails while another thread reads or writes, which the caller must prevent.
    pub(crate) fn write(&self) -> Result<RwLockWriteGuard<'_, T>> {
        if self.lock.process.is_current() {
            if progress::is_reporting() {
                return try_guard_in_callback(self.lock.try_write());
            }
            return Ok(self.lock.write().unwrap_or_else(PoisonError::into_inner));
        }
        try_guard(self.lock.try_write())
    }
}

impl<T: Default> Default for ForkRwLock<T> {
    fn default() -> ForkRwLock<T> {
        ForkRwLock::new(T::default())
    }
}

#[cfg(unix)]
#[allow(unsafe_code)]
mod fork_count {
    use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

    /// Number of forks between the first process and this one, since counting began.
    static FORKS: AtomicU32 = AtomicU32::new(0);
    static MODE: AtomicU8 = AtomicU8::new(UNKNOWN);

    const UNKNOWN: u8 = 0;
    const COUNTING: u8 = 1;
    /// The fork handler could not be registered (no memory), so the system is asked for the process ID on each call.
    const ASKING: u8 = 2;

    /// Returns a number that differs between a process and its parents and children. Needs no system call.
    pub(super) fn process_number() -> u32 {
        match MODE.load(Ordering::Acquire) {
            COUNTING => FORKS.load(Ordering::Relaxed),
            ASKING => std::process::id(),
            _ => register_handler(),
        }
    }

    #[cold]
    fn register_handler() -> u32 {
        // Threads that start at the same time may register the handler more than once. Forks are then counted more than
        // once, which is harmless. A lock here could block a child.
        // SAFETY: the handler may run in the child of a process with several threads, because it only adds to an atomic
        // number. The system removes it when the library is unloaded.
        let counts = unsafe { libc::pthread_atfork(None, None, Some(count_fork)) } == 0;
        let mode = if counts { COUNTING } else { ASKING };
        let _ = MODE.compare_exchange(UNKNOWN, mode, Ordering::AcqRel, Ordering::Acquire);
        process_number()
    }

    extern "C" fn count_fork() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(not(unix))]
mod fork_count {
    /// This platform has no fork.
    pub(super) fn process_number() -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn leak_if_held<L: Lock>(lock: L) -> LeakIfHeld<L> {
        LeakIfHeld { lock: ManuallyDrop::new(lock), process: Process::parent() }
    }

    fn in_child<T>(value: T) -> PerProcess<T> {
        PerProcess { value: leak_if_held(Mutex::new(value)), of_child: OnceBox::new() }
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
        assert!(in_child(vec![1]).lock_or_default().is_empty());
    }

    #[test]
    fn a_child_does_not_free_what_may_be_half_changed() {
        let witness = Arc::new(());
        for is_held in [false, true] {
            let (first, second) =
                (leak_if_held(Mutex::new(witness.clone())), leak_if_held(RwLock::new(witness.clone())));
            if is_held {
                std::mem::forget((first.lock().unwrap(), second.write().unwrap()));
            } else {
                // A reader changes nothing.
                std::mem::forget(second.read().unwrap());
            }
            drop((first, second));
            assert_eq!(Arc::strong_count(&witness), if is_held { 3 } else { 1 });
        }
        let own = LeakIfHeld::new(Mutex::new(witness.clone()));
        std::mem::forget(own.lock().unwrap());
        drop(own);
        assert_eq!(Arc::strong_count(&witness), 3);
    }

    #[test]
    fn a_mutex_that_a_thread_of_the_parent_held_is_not_waited_for() {
        let mutex = ForkMutex { mutex: leak_if_held(Mutex::new(7)), gate: in_child(()) };
        // The parent's gate has no effect.
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
        let mutex = ForkMutex { mutex: leak_if_held(Mutex::new(0)), gate: in_child(()) };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| *mutex.lock().unwrap() += 1));
            }
        });
        assert_eq!(*mutex.lock().unwrap(), 4000);
    }

    #[test]
    fn readers_of_the_parent_keep_no_child_from_reading() {
        let lock = ForkRwLock { lock: leak_if_held(RwLock::new(7)) };
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
