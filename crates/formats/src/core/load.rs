//! Finding the core in the process, or loading it.

use std::path::Path;

use asdfkit_loader::Core;
use once_cell::race::OnceBox;

use super::functions::Functions;
use crate::failure::{Failure, Result, status};

static CORE: OnceBox<Core<Functions>> = OnceBox::new();

/// Returns the functions of the core. The first call finds it.
pub(crate) fn core() -> Result<&'static Functions> {
    load(None)
}

/// Finds the core: the one that is loaded already, the one at the path, or one by its usual name. A core that was found
/// before stays.
pub(crate) fn load(path: Option<&Path>) -> Result<&'static Functions> {
    let loaded = CORE.get_or_try_init(|| Core::find("libasdfkit_formats", &CORE, path).map(Box::new));
    loaded.map(|loaded| loaded.functions()).map_err(|message| Failure::new(status::NOT_FOUND, message))
}
