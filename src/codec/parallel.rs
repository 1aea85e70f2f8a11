//! Work on several threads whose outcome is that of doing it in order on one.
//!
//! The caller's thread is one of them, all have ended when a call returns, and of several failures the one that comes
//! first in order counts.

use crate::error::{Error, Result};
use crate::progress;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Stored bytes of parts that are held at a time, unless one part has more.
pub(crate) const HELD: u64 = 16 << 20;

/// Calls `work` for each part, on up to `threads` threads, with something that each thread has for itself. After a
/// failure no further parts are begun.
pub(crate) fn for_each<P: Send, O: Default>(
    parts: impl ExactSizeIterator<Item = P> + Send,
    threads: usize,
    work: impl Fn(&mut O, P) -> Result<()> + Sync,
) -> Result<()> {
    let threads = threads.min(parts.len());
    let parts = Mutex::new(parts.enumerate());
    let failure: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    // Parts are begun in their order, so whatever fails before another part does was begun before it, and is recorded.
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

/// Makes something of each number below `count` by `make`, on up to `threads` threads, and gives it to `take` in order.
/// At most `threads` of them exist at a time.
pub(super) fn in_order<T>(
    count: usize,
    threads: usize,
    make: impl Fn(usize) -> Result<T> + Sync,
    take: impl FnMut(T) -> Result<()> + Send,
) -> Result<()> {
    struct State<F> {
        begun: usize,
        taken: usize,
        take: F,
        failure: Option<Error>,
    }
    let state = Mutex::new(State { begun: 0, taken: 0, take, failure: None });
    let turn = Condvar::new();
    on_threads(threads.min(count), || {
        loop {
            let index = {
                let mut state = lock(&state);
                if state.failure.is_some() || state.begun == count {
                    return;
                }
                state.begun += 1;
                state.begun - 1
            };
            let made = progress::check().and_then(|()| make(index));
            let mut state = lock(&state);
            while state.taken != index && state.failure.is_none() {
                state = turn.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.failure.is_some() {
                return;
            }
            match made.and_then(|made| (state.take)(made)) {
                Ok(()) => state.taken += 1,
                Err(error) => state.failure = Some(error),
            }
            turn.notify_all();
        }
    });
    match state.into_inner().unwrap_or_else(PoisonError::into_inner).failure {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Runs the same work on so many threads, or on as many as the system lets start, but on that of the caller always.
pub(crate) fn on_threads(threads: usize, work: impl Fn() + Sync) {
    if threads <= 1 {
        return work();
    }
    let (call, work) = (progress::share(), &work);
    std::thread::scope(|scope| {
        let mut others = Vec::new();
        for _ in 1..threads {
            let call = call.clone();
            match std::thread::Builder::new().spawn_scoped(scope, move || call.help(work)) {
                Ok(other) => others.push(other),
                Err(_) => break,
            }
        }
        work();
        // The end of the scope waits for the work alone: a thread could still be ending when the process does.
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
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
    fn what_is_made_is_taken_in_order() {
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
