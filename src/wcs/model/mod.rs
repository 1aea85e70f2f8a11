//! Models: transforms that contain transforms, as an arena of parts in post-order, and the programs that they are
//! evaluated by.

mod choice;
mod chooser;
mod compile;
mod dependence;
mod derive;
mod execute;
mod inverse;
mod limits;
mod part;
mod program;
mod run;
mod strided;

pub(super) use choice::{Choice, Rule};
pub(super) use derive::SlopeScratch;
pub(super) use execute::Scratch;
pub(super) use limits::{Box as BoundingBox, CompoundBox, Inside, Interval, Limits};
pub(super) use part::{Model, Operation, Part, PartUnits, Where, joined};
pub(super) use program::Program;
pub(super) use run::Run;
pub(super) use strided::{Blocks, Columns};
pub use strided::{Evaluation, Layout};
