//! The core: the library `libasdfkit` that the process has loaded, called through its public C interface.
//!
//! This library holds no part of the core, and links to none: `asdfkit-loader` finds it.

mod functions;
mod handles;
mod load;

pub(crate) use handles::{
    Array, Elements, File, Node, Options, SPELLING_FITS, SPELLING_VOUNIT, flag_option, respell_unit, set_decoder,
    set_error,
};
pub(crate) use load::load;
