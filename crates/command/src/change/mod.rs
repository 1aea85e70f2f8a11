//! Sub-commands that change files or write changed copies.

pub(crate) mod copy;
mod cut;
pub(crate) mod edit;
pub(crate) mod history;
pub(crate) mod layout;
pub(crate) mod repair;
mod session;
