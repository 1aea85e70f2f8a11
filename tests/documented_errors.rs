//! docs/guide/errors.md lists every status with its number, and no others.

use asdfkit::Status;

#[test]
fn each_status_is_documented() {
    let page = include_str!("../docs/guide/errors.md");
    for status in Status::ALL {
        let row = format!("| {} | `ASDF_ERR_{}` |", status.code(), status.name());
        assert!(page.contains(&row), "docs/guide/errors.md lacks {row}");
    }
    let rows = page.lines().filter(|line| line.contains("| `ASDF_ERR_")).count();
    assert_eq!(rows, Status::ALL.len());
}
