//! Tags that the bindings of other languages need to know. The data of the interface list them.

use crate::tags;

/// Name, value and description of each.
pub const TAGS: &[(&str, &str, &str)] = &[
    ("YAML_TAG_PREFIX", tags::YAML, "Prefix of the tags that YAML itself defines."),
    (
        "ASTROPY_UNIT_TAG",
        tags::FULL_ASTROPY_UNIT,
        "Tag under which asdf-astropy writes units that the notation of the standard (VOUnit) does not have.",
    ),
];
