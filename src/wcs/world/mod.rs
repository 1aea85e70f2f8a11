//! World coordinates: frames, the steps between them, and the numerical inverse.

mod fit;
mod footprint;
mod frame;
mod latitude;
mod newton;
mod position;
mod read;
mod sky;
mod solver;
mod wcs;

pub use frame::{Frame, FrameAxis, FrameKind, ReferenceFrame};
pub use sky::SkyGeometry;
pub use wcs::Wcs;
