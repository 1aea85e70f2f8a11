//! Versions of the ASDF standard, and the versions of tags that belong to each.

use super::{ASTROPY, GWCS, STANDARD};
use crate::error::{Error, Result, Status};

use StandardVersion::{V1_0_0, V1_1_0, V1_2_0, V1_3_0, V1_4_0, V1_5_0, V1_6_0, V1_7_0};

macro_rules! standard_versions {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// The versions of the ASDF standard that the library knows, oldest first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[allow(missing_docs)]
        pub enum StandardVersion {
            $($(#[$doc])* $name,)*
        }

        impl StandardVersion {
            /// All known versions, oldest first.
            pub const ALL: [StandardVersion; [$($text),*].len()] = [$(StandardVersion::$name),*];

            /// Returns the version as text, such as `1.6.0`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(StandardVersion::$name => $text,)*
                }
            }
        }
    };
}

standard_versions! {
    V1_0_0 = "1.0.0";
    V1_1_0 = "1.1.0";
    V1_2_0 = "1.2.0";
    V1_3_0 = "1.3.0";
    V1_4_0 = "1.4.0";
    V1_5_0 = "1.5.0";
    V1_6_0 = "1.6.0";
    /// Not yet stable: other readers may refuse it.
    V1_7_0 = "1.7.0";
}

impl StandardVersion {
    /// The newest stable version, which new files declare.
    pub(crate) const NEWEST_STABLE: StandardVersion = StandardVersion::V1_6_0;

    /// Returns the version with this exact text, such as `1.6.0`.
    pub fn from_text(text: &str) -> Option<StandardVersion> {
        StandardVersion::ALL.into_iter().find(|version| version.as_str() == text)
    }
}

/// Returns the full tag of this name, such as `unit/quantity`, in the newest version that belongs to the standard. Tables
/// and columns get the tag of the name that the standard has for them.
///
/// Fails with [`Status::Unsupported`] if the standard has no such tag.
pub(crate) fn standard_tag(name: &str, standard: StandardVersion) -> Result<String> {
    let newest = |name| newest(STANDARD, STANDARD_TAGS, name, standard);
    newest(name).or_else(|| newest(renamed(name)?)).ok_or_else(|| {
        let message = format!("{name} is not part of standard {}", standard.as_str());
        Error::new(Status::Unsupported, message)
    })
}

/// Returns the full tag of an object of astropy in the newest version that belongs to the standard. Astropy has tags
/// since standard 1.1.0; earlier files get those of 1.1.0.
pub(crate) fn astropy_tag(name: &str, standard: StandardVersion) -> String {
    newest(ASTROPY, ASTROPY_TAGS, name, standard.max(V1_1_0)).unwrap_or_default()
}

fn newest(prefix: &str, table: Table, name: &str, standard: StandardVersion) -> Option<String> {
    let version = versions(table, name)?.of(standard).last()?;
    Some([prefix, name, "-", version].concat())
}

/// Versions of a tag, oldest first, that belong to this version of the standard and to later ones up to the next span.
/// An empty list means that the tag is not part of the standard.
type Span = (StandardVersion, &'static [&'static str]);

/// Versions of a tag by version of the standard, oldest first. Before the first span, the tag is not part of the
/// standard.
#[derive(Clone, Copy)]
pub(crate) struct Spans(&'static [Span]);

impl Spans {
    /// Returns the versions of the tag that belong to a version of the standard, oldest first.
    pub(crate) fn of(self, standard: StandardVersion) -> &'static [&'static str] {
        self.0.iter().rfind(|(first, _)| *first <= standard).map_or(&[], |(_, versions)| versions)
    }

    /// Returns all versions of the tag, in the order of the versions of the standard.
    pub(crate) fn all(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().flat_map(|(_, versions)| versions.iter().copied())
    }

    /// Returns true if any version of the standard has this version of the tag.
    pub(crate) fn has(self, version: &str) -> bool {
        self.0.iter().any(|(_, versions)| versions.contains(&version))
    }
}

/// Returns the versions of the tag of this name, if the table has it.
pub(crate) fn versions(table: Table, name: &str) -> Option<Spans> {
    table.iter().find(|(known, _)| *known == name).map(|(_, spans)| Spans(spans))
}

/// Returns whether readers of a standard know this version of a tag. They know all versions of tags that are in no
/// table.
pub(crate) fn belongs(tag: &str, version: &str, standard: StandardVersion) -> bool {
    let tables = [(STANDARD, STANDARD_TAGS), (ASTROPY, ASTROPY_TAGS), (GWCS, GWCS_TAGS)];
    let of_table = |(prefix, table)| versions(table, tag.strip_prefix(prefix)?);
    tables.into_iter().find_map(of_table).is_none_or(|spans| spans.of(standard).contains(&version))
}

/// Tags with a common prefix: name and versions of each.
pub(crate) type Table = &'static [(&'static str, &'static [Span])];

/// Tags of the standard, according to its manifests. From 1.6.0 on, tables, times, units and FITS files have separate
/// manifests. A file can use any of their versions.
#[rustfmt::skip]
pub(crate) const STANDARD_TAGS: Table = &[
    ("core/asdf", &[(V1_0_0, &["1.0.0"]), (V1_2_0, &["1.1.0"])]),
    ("core/column", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &[])]),
    ("core/complex", &[(V1_0_0, &["1.0.0"])]),
    ("core/constant", &[(V1_0_0, &["1.0.0"])]),
    ("core/extension_metadata", &[(V1_2_0, &["1.0.0"])]),
    ("core/externalarray", &[(V1_3_0, &["1.0.0"])]),
    ("core/history_entry", &[(V1_0_0, &["1.0.0"])]),
    ("core/integer", &[(V1_3_0, &["1.0.0"]), (V1_6_0, &["1.1.0"]), (V1_7_0, &["1.2.0"])]),
    ("core/ndarray", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &["1.1.0"]), (V1_7_0, &["1.2.0"])]),
    ("core/software", &[(V1_0_0, &["1.0.0"])]),
    ("core/subclass_metadata", &[(V1_4_0, &["1.0.0"]), (V1_6_0, &[])]),
    ("core/table", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &[])]),
    ("fits/fits", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &["1.1.0", "1.2.0"])]),
    ("table/column", &[(V1_6_0, &["1.1.0", "1.2.0"])]),
    ("table/table", &[(V1_6_0, &["1.1.0", "1.2.0"])]),
    ("time/time", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_6_0, &["1.2.0", "1.3.0", "1.4.0"])]),
    ("unit/defunit", &[(V1_0_0, &["1.0.0"])]),
    ("unit/quantity", &[(V1_1_0, &["1.1.0"]), (V1_6_0, &["1.2.0", "1.3.0"])]),
    ("unit/unit", &[(V1_0_0, &["1.0.0"])]),
    ("wcs/celestial_frame", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_5_0, &[])]),
    ("wcs/composite_frame", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_5_0, &[])]),
    ("wcs/icrs_coord", &[(V1_1_0, &["1.1.0"]), (V1_5_0, &[])]),
    ("wcs/spectral_frame", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_5_0, &[])]),
    ("wcs/step", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_4_0, &["1.2.0"]), (V1_5_0, &[])]),
    ("wcs/wcs", &[(V1_0_0, &["1.0.0"]), (V1_2_0, &["1.1.0"]), (V1_4_0, &["1.2.0"]), (V1_5_0, &[])]),
];

/// Tags of astropy whose versions depend on the standard. Other tags of astropy are valid in every standard.
pub(crate) const ASTROPY_TAGS: Table = &[
    ("fits/fits", &[(V1_1_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("nddata/uncertainty", &[(V1_1_0, &["1.0.0"])]),
    ("table/ndarraymixin", &[(V1_1_0, &["1.0.0"])]),
    ("table/table", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("time/timedelta", &[(V1_1_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("transform/units_mapping", &[(V1_1_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("units/equivalency", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("units/magunit", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0"])]),
    ("wcs/highlevelwcswrapper", &[(V1_6_0, &["1.0.0"])]),
    ("wcs/slicedwcs", &[(V1_1_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0"])]),
    ("wcs/wcs", &[(V1_1_0, &["1.0.0"])]),
];

/// Tags of gwcs, according to its manifests. Its writer gives all versions of a tag the same content.
#[rustfmt::skip]
pub(crate) const GWCS_TAGS: Table = &[
    ("celestial_frame", &[(V1_1_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("composite_frame", &[(V1_1_0, &["1.0.0"])]),
    ("direction_cosines", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("fitswcs_imaging", &[(V1_6_0, &["1.0.0"])]),
    ("frame", &[(V1_1_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("frame2d", &[(V1_1_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("grating_equation", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("label_mapper", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("regions_selector", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("sellmeier_glass", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("sellmeier_zemax", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("snell3d", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("spectral_frame", &[(V1_1_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("spherical_cartesian", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("step", &[(V1_1_0, &["1.0.0", "1.1.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"])]),
    ("stokes_frame", &[(V1_1_0, &["1.0.0"])]),
    ("temporal_frame", &[(V1_1_0, &["1.0.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("wcs", &[(V1_1_0, &["1.0.0", "1.1.0", "1.2.0"]), (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0"])]),
];

/// Extensions that a file was written with, whose versions depend on the standard: the URI without its version. Readers
/// warn of a version that does not belong to the standard of the file. They know other extensions in every standard.
#[rustfmt::skip]
pub(crate) const EXTENSIONS: Table = &[
    ("asdf://asdf-format.org/core/extensions/core", &[
        (V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_2_0, &["1.2.0"]), (V1_3_0, &["1.3.0"]),
        (V1_4_0, &["1.4.0"]), (V1_5_0, &["1.5.0"]), (V1_6_0, &["1.6.0"]), (V1_7_0, &["1.7.0"]),
    ]),
    // Up to standard 1.5.0 the core extension has these tags.
    ("asdf://asdf-format.org/astronomy/extensions/astronomy", &[(V1_6_0, &["1.0.0", "1.1.0", "1.2.0"])]),
    ("asdf://asdf-format.org/astronomy/gwcs/extensions/gwcs", &[
        (V1_0_0, &["1.0.0"]),
        (V1_1_0, &["1.0.0", "1.0.1", "1.1.0", "1.2.0"]),
        (V1_6_0, &["1.0.0", "1.0.1", "1.1.0", "1.2.0", "1.3.0", "1.4.0"]),
    ]),
    ("asdf://asdf-format.org/transform/extensions/transform", &[
        (V1_0_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0"]),
        (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0"]),
    ]),
    ("asdf://astropy.org/astropy/extensions/astropy", &[
        (V1_1_0, &["1.0.0", "1.1.0", "1.2.0"]),
        (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0"]),
    ]),
    ("asdf://astropy.org/astropy/extensions/units", &[
        (V1_0_0, &["1.0.0"]),
        (V1_6_0, &["1.0.0", "1.1.0", "1.2.0", "1.3.0"]),
    ]),
];

/// Tags with one name up to standard 1.5.0 and another name from 1.6.0 on.
const RENAMED: [(&str, &str); 2] = [("core/column", "table/column"), ("core/table", "table/table")];

/// Returns the other name of a tag that has one name up to standard 1.5.0 and another name from 1.6.0 on.
pub(crate) fn renamed(name: &str) -> Option<&'static str> {
    RENAMED.iter().find_map(|&(old, new)| match name {
        _ if name == old => Some(new),
        _ if name == new => Some(old),
        _ => None,
    })
}
