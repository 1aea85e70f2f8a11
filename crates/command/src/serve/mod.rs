//! A folder as a web site for this computer alone. Nothing is written, and nothing outside of the folder is read.

mod answer;
mod files;
mod index;
mod range;
mod request;
mod server;
mod viewer;

pub(crate) use server::{Serve, run};
