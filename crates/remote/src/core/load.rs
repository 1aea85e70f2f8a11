//! Finding the core in the process, or loading it.

use std::cell::RefCell;
use std::path::Path;

use asdfkit_loader::Core;
use once_cell::race::OnceBox;

use super::functions::Functions;
use crate::failure::{Failure, Result, status};

static CORE: OnceBox<Core<Functions>> = OnceBox::new();

thread_local! {
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the functions of the core. The first call finds it.
pub(crate) fn core() -> Result<&'static Functions> {
    load(None)
}

/// Finds the core: the one that is loaded already, the one at the path, or one by its usual name. A core that was found
/// before stays.
pub(crate) fn load(path: Option<&Path>) -> Result<&'static Functions> {
    let loaded = CORE.get_or_try_init(|| Core::find("libasdfkit_remote", &CORE, path).map(Box::new));
    match loaded {
        Ok(loaded) => {
            MESSAGE.with(|text| text.borrow_mut().clear());
            Ok(loaded.functions())
        }
        Err(message) => {
            MESSAGE.with(|text| text.replace(message.clone()));
            Err(Failure::new(status::NOT_FOUND, message))
        }
    }
}

/// Returns why the core could not be loaded on this thread; empty if it was.
pub(crate) fn load_message() -> String {
    MESSAGE.with(|text| text.borrow().clone())
}
