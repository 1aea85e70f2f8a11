//! The threads that wait for servers. They start when the first object is opened, once for each process.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::runtime::{Builder, Handle, Runtime};

use crate::failure::{Failure, Result, status};

/// The runtime of a process, by the number of the process.
static RUNTIME: Mutex<Option<(u32, Arc<Runtime>)>> = Mutex::new(None);

/// Waits for a future on the calling thread.
pub(crate) fn run<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    if Handle::try_current().is_ok() {
        let message = "remote files cannot be read on a thread of an asynchronous runtime; use a thread that may wait";
        return Err(Failure::new(status::UNSUPPORTED, message));
    }
    runtime()?.block_on(future)
}

/// Starts what reading needs, unless this process has it already.
pub(crate) fn start() -> Result<()> {
    runtime().map(drop)
}

fn runtime() -> Result<Arc<Runtime>> {
    let process = std::process::id();
    let mut current = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, runtime)) = current.as_ref()
        && *owner == process
    {
        return Ok(runtime.clone());
    }
    // This library has a standard library of its own, so other panics of the program are still shown.
    std::panic::set_hook(Box::new(|_| {}));
    // The provider of another caller in this process is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let made = Builder::new_multi_thread().worker_threads(1).thread_name("asdfkit-remote").enable_all().build();
    let made = made.map_err(|error| Failure::new(status::IO, format!("cannot start a thread: {error}")))?;
    let made = Arc::new(made);
    if let Some((_, of_parent)) = current.replace((process, made.clone())) {
        // Its threads do not exist in this process, and waiting for them would never end.
        std::mem::forget(of_parent);
    }
    Ok(made)
}
