//! Sub-commands that change files.
