//! Names of HDUs in trees: `fits:EXTNAME,EXTVER` and `fits:N`.

use crate::error::{Error, Result, Status};

/// Begin of the source of an array that is the data of an HDU.
const PREFIX: &str = "fits:";

/// Returns whether the source of an array names an HDU.
pub(crate) fn is_hdu_source(source: &str) -> bool {
    source.starts_with(PREFIX)
}

/// An HDU of another FITS file, as an external array names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HduTarget {
    /// Number of the HDU, from 0.
    Number(i64),
    /// `EXTNAME`, of any version.
    Name(String),
}

/// The name of an HDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HduName<'a> {
    /// `EXTNAME` and `EXTVER`.
    Name(&'a str, i64),
    /// Number of the HDU, from 0. Numbers beyond 64 bits name no HDU.
    Number(Option<usize>),
}

impl HduName<'_> {
    /// Parses the source of an array. The name ends at the last comma.
    pub(super) fn parse(source: &str) -> Result<HduName<'_>> {
        let bad = || {
            let message =
                format!("'{source}' is neither '{PREFIX}EXTNAME,EXTVER' nor '{PREFIX}' with the number of an HDU");
            Error::new(Status::BadArray, message)
        };
        let rest = source.strip_prefix(PREFIX).ok_or_else(bad)?;
        let (name, digits) = rest.rsplit_once(',').map_or((None, rest), |(name, digits)| (Some(name), digits));
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad());
        }
        match name {
            None => Ok(HduName::Number(digits.parse().ok())),
            Some(name) if !name.is_empty() && name.bytes().all(|byte| (0x20..0x7f).contains(&byte)) => {
                // No HDU has such a version.
                Ok(HduName::Name(name, digits.parse().unwrap_or(i64::MIN)))
            }
            Some(_) => Err(bad()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_at_the_last_comma() {
        let parse = |source| HduName::parse(source).ok();
        assert_eq!(parse("fits:SCI,1"), Some(HduName::Name("SCI", 1)));
        assert_eq!(parse("fits:A,B 7,12"), Some(HduName::Name("A,B 7", 12)));
        assert_eq!(parse("fits:3"), Some(HduName::Number(Some(3))));
        assert_eq!(parse("fits:99999999999999999999"), Some(HduName::Number(None)));
        for bad in ["fits:", "fits:SCI", "fits:SCI,", "fits:,1", "fits:SCI,1x", "fits:SCI,-1", "fits:Ä,1", "FITS:SCI,1"]
        {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
