//! Limits on the cost of files, which `--limit` sets for every sub-command.

use super::size::bytes_of;
use asdfkit::ndl::ReadLimits;
use asdfkit::ndl::asdf::CreateOptions;
use asdfkit::{Limit, Limits};
use std::str::FromStr;
use std::sync::OnceLock;

/// Name of the limit on the arrays of a file that is made from a description.
const CREATED_BYTES: &str = "created-bytes";

/// Limits of this process, which runs one sub-command.
static CHOSEN: OnceLock<Chosen> = OnceLock::new();

struct Chosen {
    limits: Limits,
    settings: Vec<Setting>,
}

/// One value of `--limit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// `None` for the limit on created arrays.
    limit: Option<Limit>,
    value: u64,
}

impl FromStr for Setting {
    type Err = String;

    /// Parses `NAME=NUMBER`. The number may end with a unit of bytes, such as GiB.
    fn from_str(text: &str) -> Result<Setting, String> {
        let (name, number) = text.split_once('=').ok_or("write NAME=NUMBER, such as nodes=1000000")?;
        let name = name.trim().replace('_', "-");
        let limit = match Limit::ALL.into_iter().find(|limit| name_of(*limit) == name) {
            None if name != CREATED_BYTES => return Err(format!("'{name}' is no limit; the limits are {}", names())),
            limit => limit,
        };
        let value = bytes_of(number).filter(|&number| number > 0);
        let value = value.ok_or_else(|| format!("'{number}' is no number from 1, such as 5000 or 2GiB"))?;
        let highest = limit.map_or(i64::MAX as u64, Limit::highest);
        match value <= highest {
            true => Ok(Setting { limit, value }),
            false => Err(format!("{name} is at most {highest}")),
        }
    }
}

/// Returns the name of a limit in arguments, such as `tree-bytes`.
fn name_of(limit: Limit) -> String {
    argument_of(limit.option())
}

/// Returns the name in arguments of a limit whose option the library names.
pub(crate) fn argument_of(option: &str) -> String {
    option.trim_start_matches("limit_").replace('_', "-")
}

/// Returns a message of a report with the names of limits in arguments.
pub(crate) fn in_arguments(message: &str) -> String {
    for limit in Limit::ALL {
        let option = limit.option();
        let clause = format!("the option '{option}' (ASDF_OPTION_{}) raises it", option.to_ascii_uppercase());
        if message.contains(&clause) {
            return message.replace(&clause, &format!("--limit {}=NUMBER raises it", argument_of(option)));
        }
    }
    message.to_owned()
}

/// Returns the names of all limits.
pub(crate) fn names() -> String {
    let mut names: Vec<String> = Limit::ALL.into_iter().map(name_of).collect();
    names.push(CREATED_BYTES.to_owned());
    names.join(", ")
}

/// Sets the limits of the process.
pub(crate) fn choose(settings: &[Setting]) {
    let mut limits = Limits::default();
    for setting in settings {
        if let Some(limit) = setting.limit {
            limits.set(limit, setting.value);
        }
    }
    let _ = CHOSEN.set(Chosen { limits, settings: settings.to_vec() });
}

/// Returns the limits for reading files.
pub(crate) fn chosen() -> Limits {
    CHOSEN.get().map_or_else(Limits::default, |chosen| chosen.limits.clone())
}

fn settings() -> &'static [Setting] {
    CHOSEN.get().map_or(&[], |chosen| &chosen.settings)
}

/// Returns the limits for reading descriptions, which have defaults of their own.
pub(crate) fn of_descriptions() -> ReadLimits {
    let mut limits = ReadLimits::default();
    for &Setting { limit, value } in settings() {
        if let Some(limit) = limit {
            limits.set(limit, value);
        }
    }
    limits
}

/// Returns the maximum size of all arrays of a file that is made from a description.
pub(crate) fn created_bytes() -> u64 {
    let chosen = settings().iter().rev().find(|setting| setting.limit.is_none());
    chosen.map_or_else(|| CreateOptions::default().max_bytes, |setting| setting.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_a_name_and_a_number() {
        for (text, limit, value) in [
            ("nodes=5", Some(Limit::Nodes), 5),
            ("decoded_bytes=2GiB", Some(Limit::DecodedBytes), 2 << 30),
            ("external-files=10_000", Some(Limit::ExternalFiles), 10_000),
            ("created-bytes=1 TiB", None, 1 << 40),
        ] {
            assert_eq!(text.parse(), Ok(Setting { limit, value }), "{text}");
        }
        for text in
            ["nodes", "nodes=", "nodes=0", "nodes=-1", "nodes=5x", "node=5", "rank=33", "nodes=99999999TiB", "="]
        {
            assert!(text.parse::<Setting>().is_err(), "{text}");
        }
    }
}
