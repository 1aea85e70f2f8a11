//! Sub-commands that check files and compare them.
