//! Description of an ASDF file.

use crate::verdict::Findings;
use asdfkit::file::File;
use asdfkit::ndl::asdf::{DescribeOptions, describe};
use asdfkit::ndl::{Description, ReadOptions, Severity, TextOptions, parse};

/// Checks that the file can be described, and that the description is valid and reads back unchanged.
pub(crate) fn can_be_described(file: &File, findings: &mut Findings) {
    let options = DescribeOptions { annotate: true, ..DescribeOptions::default() };
    let text = |description: &Description| description.to_text(&TextOptions::default());
    match describe(file, &options).and_then(|described| Ok((text(&described.description)?, described))) {
        Ok((text, described)) => {
            let again = parse(text.as_bytes(), &ReadOptions::default());
            for diagnostic in again.diagnostics.iter().filter(|found| found.severity == Severity::Error) {
                findings.differ("as a description", diagnostic);
            }
            let is_same = described.description.means_the_same(&again.description);
            findings.same("as a description", "whether its text means the same", is_same.ok(), Some(true));
        }
        Err(error) => findings.error("as a description", &error),
    }
}
