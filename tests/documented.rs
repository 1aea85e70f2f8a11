//! Tables of the manual agree with the code: every status with its number and meaning, every limit with its default.

use asdfkit::Status;
use asdfkit::ffi::options::table::{COMMON, option_of};

#[test]
fn each_status_is_documented() {
    let page = include_str!("../docs/guide/errors.md");
    for status in Status::ALL {
        let meaning = status.meaning().trim_end_matches('.');
        let row = format!("| {} | `ASDF_ERR_{}` | {meaning}", status.code(), status.name());
        assert!(page.contains(&row), "docs/guide/errors.md lacks {row}");
    }
    let rows = page.lines().filter(|line| line.contains("| `ASDF_ERR_")).count();
    assert_eq!(rows, Status::ALL.len());
}

#[test]
fn each_limit_is_documented() {
    let page = include_str!("../docs/guide/limits.md");
    let limits = COMMON.iter().filter_map(|&key| option_of(key)).filter(|option| option.name.contains("_LIMIT_"));
    for option in limits {
        let row = format!("| `{}` | {}", option.name, (option.default)());
        assert!(page.contains(&row), "docs/guide/limits.md lacks {row}");
    }
}
