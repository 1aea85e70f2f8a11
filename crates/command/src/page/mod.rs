//! A file as a page for a browser: one HTML file that needs no server.

mod arguments;
mod arrays;
mod build;
mod html;
mod layout;
mod rows;
mod tree;

pub(crate) use arguments::{Content, Page};
pub(crate) use build::{document, run};
pub(crate) use html::{STYLE, escaped};
