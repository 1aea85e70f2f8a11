//! The calls by name.

use crate::answer::{Answer, refused};
use crate::opened::Files;
use crate::request::Request;
use crate::{picture, region, rows, search, sky, tree};
use asdfkit::Result;
use std::cell::RefCell;

thread_local! {
    static FILES: RefCell<Files> = RefCell::default();
}

/// Answers a request. A failure is an answer, too.
pub(crate) fn answer(request: &[u8]) -> Answer {
    let made = FILES.with_borrow_mut(|files| Request::parse(request).and_then(|request| called(files, &request)));
    made.unwrap_or_else(Answer::from)
}

fn called(files: &mut Files, request: &Request) -> Result<Answer> {
    match request.text("call")? {
        "open" => files.open(request),
        "close" => files.close(request),
        "node" => tree::node(files.get(request)?, request),
        "region" => region::read(files.get(request)?, request),
        "table" => rows::read(files.get(request)?, request),
        "search" => search::find(files.get(request)?, request),
        "picture" => picture::paint(files.get(request)?, request),
        "colours" => picture::colours(request),
        "sky" => sky::at(files.get(request)?, request),
        other => Err(refused(format!("there is no call '{other}'"))),
    }
}
