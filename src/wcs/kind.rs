//! Kinds of nodes with a WCS, by their tags.

/// Kind of a node with a WCS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Of the package gwcs.
    Gwcs,
    /// `astropy.wcs.WCS`, a FITS header.
    Fits,
    /// A WCS with slices of its pixel axes.
    Sliced,
    /// Another WCS as it is.
    Wrapped,
}

/// Returns the kind of a WCS with this tag.
pub(super) fn kind_of(tag: &str) -> Option<Kind> {
    const KINDS: [(&str, Kind); 4] = [
        ("tag:stsci.edu:gwcs/wcs-", Kind::Gwcs),
        ("tag:astropy.org:astropy/wcs/wcs-", Kind::Fits),
        ("tag:astropy.org:astropy/wcs/slicedwcs-", Kind::Sliced),
        ("tag:astropy.org:astropy/wcs/highlevelwcswrapper-", Kind::Wrapped),
    ];
    KINDS.iter().find(|(start, _)| tag.starts_with(start)).map(|(_, kind)| *kind)
}
