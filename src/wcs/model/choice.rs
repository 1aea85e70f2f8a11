//! Choice of one of several transforms for each point: by a number, by the nearness to a number, by a range.

/// Rule that assigns an alternative to a key.
#[derive(Clone, Debug)]
pub(in crate::wcs) enum Rule {
    /// The key equals the number of the alternative.
    Equal(Vec<f64>),
    /// The key is within an absolute tolerance, and 1e-5 relative, of the number of the alternative. The last
    /// alternative wins.
    Near(Vec<f64>, f64),
    /// The key is inside the range of the alternative, and not at its ends. The last alternative wins.
    Within(Vec<[f64; 2]>),
}

impl Rule {
    /// Returns the alternative for a key.
    pub(super) fn alternative(&self, key: f64) -> Option<usize> {
        match self {
            Rule::Equal(labels) => labels.iter().position(|label| *label == key),
            Rule::Near(labels, tolerance) => {
                labels.iter().rposition(|label| (label - key).abs() <= tolerance + 1e-5 * key.abs())
            }
            Rule::Within(ranges) => ranges.iter().rposition(|[low, high]| *low < key && key < *high),
        }
    }
}

/// A choice among parts.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Choice {
    /// Part that computes the key from all inputs. Without one the key is the first input; alternatives do not get it,
    /// and it is also the first output.
    pub(in crate::wcs) key: Option<usize>,
    pub(in crate::wcs) rule: Rule,
    pub(in crate::wcs) parts: Vec<usize>,
    /// Value of all outputs where no alternative is chosen.
    pub(in crate::wcs) undefined: f64,
}

impl Choice {
    /// Returns the choice with indices of parts increased.
    pub(super) fn moved(mut self, base: usize) -> Choice {
        self.key = self.key.map(|key| key + base);
        self.parts.iter_mut().for_each(|part| *part += base);
        self
    }
}
