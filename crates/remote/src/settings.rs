//! Settings: lines of `key=value` from the caller. Everything else, such as `aws_access_key_id`, goes to the store.

use std::path::PathBuf;
use std::time::Duration;

use crate::failure::{Failure, Result, status};

/// Settings of a source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Settings {
    /// Cost of a request in bytes, for the core.
    pub(crate) request_cost: u64,
    /// Budget of the cache of blocks; 0 for no cache.
    pub(crate) cache_bytes: u64,
    /// Folder of blocks that outlive the program; `None` for no such cache.
    pub(crate) cache_directory: Option<PathBuf>,
    /// Budget of that folder.
    pub(crate) cache_disk_bytes: u64,
    /// Requests under way at once for one call.
    pub(crate) parallel: usize,
    /// Further attempts after a failure that may pass.
    pub(crate) retries: usize,
    /// Time without any bytes after which a request fails.
    pub(crate) stall: Duration,
    pub(crate) connect: Duration,
    /// Time for one call with all its attempts; `None` for no limit.
    pub(crate) call: Option<Duration>,
    /// Largest object that is fetched as a whole if the server knows no ranges.
    pub(crate) whole_bytes: u64,
    /// Headers of each request.
    pub(crate) headers: Vec<(String, String)>,
    /// Settings of the store, in lower case.
    pub(crate) store: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            request_cost: 1 << 20,
            cache_bytes: 0,
            cache_directory: None,
            cache_disk_bytes: 1 << 30,
            parallel: 8,
            retries: 5,
            stall: Duration::from_secs(30),
            connect: Duration::from_secs(10),
            call: Some(Duration::from_secs(600)),
            whole_bytes: 8 << 20,
            headers: Vec::new(),
            store: Vec::new(),
        }
    }
}

impl Settings {
    /// Reads the lines of a text.
    pub(crate) fn parse(text: &str) -> Result<Settings> {
        let mut settings = Settings::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            // The value may be a secret, so no message has it.
            let bad = |what: &str| {
                let message = format!("line {} of the settings of remote files: {what}", number + 1);
                Failure::new(status::INVALID_ARGUMENT, message)
            };
            let (key, value) = line.split_once('=').ok_or_else(|| bad("it has no '='"))?;
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            let whole = || value.parse::<u64>().map_err(|_| bad(&format!("'{key}' must be an integer of 0 or more")));
            let seconds = || {
                let seconds = value.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                seconds.ok_or_else(|| bad(&format!("'{key}' must be a number of seconds")))
            };
            match key.as_str() {
                "request_cost" => settings.request_cost = whole()?.min(1 << 30),
                "cache_bytes" => settings.cache_bytes = whole()?,
                "cache_directory" if value.is_empty() => return Err(bad("'cache_directory' must name a folder")),
                "cache_directory" => settings.cache_directory = Some(value.into()),
                "cache_disk_bytes" => settings.cache_disk_bytes = whole()?,
                "parallel" => settings.parallel = whole()?.clamp(1, 64) as usize,
                "retries" => settings.retries = whole()?.min(100) as usize,
                "stall_seconds" => settings.stall = seconds()?.max(Duration::from_millis(1)),
                "connect_seconds" => settings.connect = seconds()?.max(Duration::from_millis(1)),
                "call_seconds" => settings.call = Some(seconds()?).filter(|limit| !limit.is_zero()),
                "whole_bytes" => settings.whole_bytes = whole()?,
                _ => match key.strip_prefix("header.") {
                    Some(name) => settings.headers.push((name.to_owned(), value.to_owned())),
                    None => settings.store.push((key, value.to_owned())),
                },
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_settings() {
        assert_eq!(Settings::parse("\n").unwrap(), Settings::default());
        let text = "cache_bytes=5\nHeader.Authorization=Bearer a=b\n call_seconds = 0\nAWS_REGION=x\nparallel=0";
        let found = Settings::parse(text).unwrap();
        assert_eq!((found.cache_bytes, found.call, found.parallel), (5, None, 1));
        assert_eq!(found.headers, [("authorization".to_owned(), "Bearer a=b".to_owned())]);
        assert_eq!(found.store, [("aws_region".to_owned(), "x".to_owned())]);
        for bad in
            ["retries=-1", "stall_seconds=-1", "secret", "cache_bytes=1e400", "cache_directory=", "cache_disk_bytes=x"]
        {
            let failure = Settings::parse(&format!("a=b\n{bad}")).unwrap_err();
            assert_eq!(failure.status, status::INVALID_ARGUMENT);
            assert!(failure.message.contains("line 2") && !failure.message.contains("secret"));
        }
    }
}
