//! Pixel axes of cut-outs.

/// A pixel axis of a cut-out: its pixel p is the pixel `start + step · p` of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) start: i64,
    pub(super) step: i64,
    pub(super) count: i64,
}

impl Cut {
    /// Returns the pixel of the cut-out for a pixel of the whole.
    pub(super) fn moved(self, pixel: f64) -> f64 {
        (pixel - self.start as f64) / self.step as f64
    }

    /// Returns an interval in pixels of the cut-out, limited to its pixels if it has some of them.
    pub(super) fn moved_interval(self, [low, high]: [f64; 2]) -> [f64; 2] {
        let [one, other] = [self.moved(low), self.moved(high)];
        let [low, high] = if self.step < 0 { [other, one] } else { [one, other] };
        let [first, last] = [-0.5, self.count as f64 - 0.5];
        if low > last || high < first { [low, high] } else { [low.max(first), high.min(last)] }
    }

    pub(super) fn is_shift(self) -> bool {
        self.step == 1
    }
}
