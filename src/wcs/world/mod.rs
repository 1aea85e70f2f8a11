//! World coordinates: frames, the steps between them, and the numerical inverse.

mod footprint;
mod frame;
mod newton;
mod read;
mod sky;
mod wcs;

pub use frame::{Frame, FrameAxis, FrameKind, ReferenceFrame};
pub use sky::SkyGeometry;
pub use wcs::Wcs;
