//! YAML and trees, compared with libyaml and PyYAML.

mod corpus;
mod differences;
mod differential;
mod judge;
mod libyaml;
mod messages;
mod pyyaml;
mod reading;
mod steps;
mod texts;
mod typing;
mod writing;

use steps::{Step, anchors_of, steps_of};

/// Pseudorandom numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}
