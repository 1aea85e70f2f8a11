//! The reader for browsers: `npm/core.js` sends requests as JSON, and gets answers of JSON and bytes.
//!
//! The program outside provides the bytes of files by one function, `asdfkit.read_at`.

mod answer;
mod boundary;
mod call;
mod kept_rows;
mod limits;
mod opened;
mod picture;
mod region;
mod request;
mod rows;
mod search;
mod sky;
mod sorted_rows;
mod source;
mod text_rows;
mod tree;
