//! Parallel work with the same result as sequential work.
//!
//! The calling thread takes part. All threads have ended when a call returns. If several parts fail, the error of the
//! first of them in order is returned.

use crate::error::{Error, Result};
use crate::progress;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Number of stored bytes held in memory at a time, unless one part has more.
pub(crate) const HELD: u64 = 16 << 20;

/// Calls `work` for each part on up to `threads` threads. Each thread has its own value of type `O`. After a failure no
/// further parts are started.
pub(crate) fn for_each<P: Send, O: Default>(
    parts: impl ExactSizeIterator<Item = P> + Send,
    threads: usize,
    work: impl Fn(&mut O, P) -> Result<()> + Sync,
) -> Result<()> {
    let threads = threads.min(parts.len());
    let parts = Mutex::new(parts.enumerate());
    let failure: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    // Parts are started in order. If an earlier part also fails, it was started before and its error is recorded.
    on_threads(threads, || {
        let mut own = O::default();
        while lock(&failure).is_none() {
            let next = lock(&parts).next();
            let Some((index, part)) = next else { break };
            if let Err(error) = progress::check().and_then(|()| work(&mut own, part)) {
                let mut failure = lock(&failure);
                if failure.as_ref().is_none_or(|(earlier, _)| index < *earlier) {
                    *failure = Some((index, error));
                }
            }
        }
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// Calls `make` for each number below `count` on up to `threads` threads and passes the results to `take` in order. At
/// most `threads` results exist at a time.
pub(crate) fn in_order<T>(
    count: usize,
    threads: usize,
    make: impl Fn(usize) -> Result<T> + Sync,
    take: impl FnMut(T) -> Result<()> + Send,
) -> Result<()> {
    struct Turns<F> {
        begun: usize,
        taken: usize,
        take: F,
        failure: Option<Error>,
    }
    let turns = Mutex::new(Turns { begun: 0, taken: 0, take, failure: None });
    let changed = Condvar::new();
    on_threads(threads.min(count), || {
        loop {
            let index = {
                let mut turns = lock(&turns);
                if turns.failure.is_some() || turns.begun == count {
                    return;
                }
                turns.begun += 1;
                turns.begun - 1
            };
            let made = progress::check().and_then(|()| make(index));
            let mut turns = lock(&turns);
            while turns.taken != index && turns.failure.is_none() {
                turns = changed.wait(turns).unwrap_or_else(PoisonError::into_inner);
            }
            if turns.failure.is_some() {
                return;
            }
            match made.and_then(|made| (turns.take)(made)) {
                Ok(()) => turns.taken += 1,
                Err(error) => turns.failure = Some(error),
            }
            changed.notify_all();
        }
    });
    match turns.into_inner().unwrap_or_else(PoisonError::into_inner).failure {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Runs `work` on `threads` threads, or on as many as the system can start. The calling thread always runs it.
fn on_threads(threads: usize, work: impl Fn() + Sync) {
    beside_threads(threads, &work, &work);
}

/// Runs `work` on the calling thread and `other_work` on `threads - 1` further threads, or on as many as the system can
/// start.
pub(crate) fn beside_threads(threads: usize, other_work: impl Fn() + Sync, work: impl FnOnce()) {
    if threads <= 1 {
        return work();
    }
    let (call, other_work) = (progress::share(), &other_work);
    std::thread::scope(|scope| {
        let mut others = Vec::new();
        for _ in 1..threads {
            let call = call.clone();
            match std::thread::Builder::new().spawn_scoped(scope, move || call.run(other_work)) {
                Ok(other) => others.push(other),
                Err(_) => break,
            }
        }
        work();
        // Join the threads: the end of the scope waits only for the closures, and a thread could still be ending when
        // the process exits.
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Buffers that threads use again. New memory for each part would cost a tenth of the time of fast work.
#[derive(Default)]
pub(crate) struct Spare<T>(Mutex<Vec<T>>);

impl<T: Default> Spare<T> {
    /// Returns a used value, or a new one.
    pub(crate) fn take(&self) -> T {
        lock(&self.0).pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&self, used: T) {
        lock(&self.0).push(used);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;

    fn failing(index: usize, bad: &[usize]) -> Result<usize> {
        std::thread::sleep(std::time::Duration::from_micros((index * 7919 % 13) as u64 * 20));
        if bad.contains(&index) { Err(Error::new(Status::Corrupt, index.to_string())) } else { Ok(index) }
    }

    #[test]
    fn every_part_is_done_once_and_the_first_failure_counts() {
        for threads in 0..5 {
            let done: Vec<Mutex<u32>> = (0..40).map(|_| Mutex::new(0)).collect();
            for_each(0..40, threads, |_: &mut (), part| failing(part, &[]).map(|index| *lock(&done[index]) += 1))
                .unwrap();
            assert!(done.iter().all(|count| *lock(count) == 1));
            let error =
                for_each(0..40, threads, |_: &mut (), part| failing(part, &[17, 18, 21]).map(drop)).unwrap_err();
            assert_eq!(error.message(), "17");
            for_each(0..0, threads, |_: &mut (), part| failing(part, &[0]).map(drop)).unwrap();
        }
    }

    #[test]
    fn work_runs_on_the_calling_thread_and_beside_it() {
        for threads in 0..4 {
            let (own, others) = (Mutex::new(0), Mutex::new(0));
            let caller = std::thread::current().id();
            let beside = || {
                assert_ne!(std::thread::current().id(), caller);
                *lock(&others) += 1;
            };
            beside_threads(threads, beside, || {
                assert_eq!(std::thread::current().id(), caller);
                *lock(&own) += 1;
            });
            assert_eq!((*lock(&own), *lock(&others)), (1, threads.saturating_sub(1)));
        }
    }

    #[test]
    fn buffers_are_used_again() {
        let spare = Spare::<Vec<u8>>::default();
        spare.give_back(vec![7]);
        assert_eq!((spare.take(), spare.take()), (vec![7], vec![]));
    }

    #[test]
    fn results_are_taken_in_order() {
        for threads in 0..5 {
            let mut taken = Vec::new();
            in_order(
                40,
                threads,
                |index| failing(index, &[]),
                |index| {
                    taken.push(index);
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(taken, (0..40).collect::<Vec<_>>());
            taken.clear();
            let result = in_order(
                40,
                threads,
                |index| failing(index, &[19, 20]),
                |index| {
                    taken.push(index);
                    Ok(())
                },
            );
            assert_eq!((result.unwrap_err().message(), taken.len()), ("19", 19));
            let result = in_order(40, threads, |index| failing(index, &[]), |index| failing(index, &[7]).map(drop));
            assert_eq!(result.unwrap_err().message(), "7");
            in_order(0, threads, |index| failing(index, &[0]), |_| Ok(())).unwrap();
        }
    }
}
