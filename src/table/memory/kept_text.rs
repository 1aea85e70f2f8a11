//! Validation of JSON values and numbers that are kept as text.

use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::table::ElementType;
use crate::table::cell::json::Json;
use crate::table::cell::parse;

/// Fails with [`Status::ValueRange`] if the text is not a valid number or JSON value of the type.
pub(in crate::table) fn check(text: &str, element_type: ElementType) -> Result<()> {
    let is_right = match element_type {
        ElementType::Float128 => parse::float::<f64>(text).is_ok(),
        ElementType::Complex256 => parse::complex::<f64>(text).is_ok(),
        ElementType::Json => {
            let mut json = Json::new(text);
            json.value(Limits::default().depth).and_then(|_| json.end()).is_ok()
        }
        _ => true,
    };
    if is_right {
        return Ok(());
    }
    Err(Error::new(Status::ValueRange, format!("the text is not a valid {element_type} value")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_must_be_valid_for_its_type() {
        let is_right = |text: &str, element_type| check(text, element_type).is_ok();
        for text in ["1", "-1.5e-4000", "nan", "+inf", ".5"] {
            assert!(is_right(text, ElementType::Float128) && is_right(text, ElementType::Complex256), "{text}");
        }
        for text in ["(1+2j)", "1e-5-2E+7j", "-2j", "(nan-infj)"] {
            assert!(is_right(text, ElementType::Complex256) && !is_right(text, ElementType::Float128), "{text}");
        }
        for text in ["", "x", "1 ", "0x1", "(1", "1+2", "1_0"] {
            assert!(!is_right(text, ElementType::Complex256), "{text}");
        }
        for text in ["null", "{\"a\": [1, NaN, \"\\u00e9\"]}", " 5\n"] {
            assert!(is_right(text, ElementType::Json), "{text}");
        }
        for text in ["", "[1,]", "{a: 1}", "1 2", "'x'", &"[".repeat(300)] {
            assert!(!is_right(text, ElementType::Json), "{text}");
        }
        assert!(is_right("", ElementType::String));
    }
}
