//! Packages of schemas: folders, archives, and where they are searched for.

pub(super) mod archive;
pub(super) mod collect;
pub(super) mod folder;
pub(super) mod place;
pub(super) mod python;
