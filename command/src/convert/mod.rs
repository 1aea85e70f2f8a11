//! Conversion between formats.
