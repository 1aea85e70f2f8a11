//! WCS of FITS headers: cards are read and become transforms or trees of gwcs.
//!
//! `card` and `description` read headers, `celestial` and `chain` find the transforms, `model` builds them for
//! evaluation and `tree` writes them. `approximation` makes cards for a WCS of any kind, `cutout` the WCS of a part of
//! an image.

mod approximation;
mod card;
mod cards;
mod celestial;
mod chain;
mod cut;
mod cut_cards;
mod cut_limits;
mod cutout;
mod description;
mod frames;
mod least_squares;
mod linear;
mod model;
mod node;
mod series;
mod sip;
mod slices;
mod tree;
mod undistort;

pub use approximation::SipCards;
pub(super) use node::read;
pub(super) use slices::Slices;
