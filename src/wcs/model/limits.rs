//! Bounding boxes: intervals of inputs. A transform is not evaluated outside of them.

/// Closed interval; NaN counts as inside.
pub(in crate::wcs) type Interval = [f64; 2];

/// A box: the interval of each input, `None` for one without limits.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wcs) struct Box(pub(in crate::wcs) Vec<Option<Interval>>);

impl Box {
    /// Returns whether a point is outside.
    pub(in crate::wcs) fn excludes(&self, value: impl Fn(usize) -> f64) -> bool {
        self.0.iter().enumerate().any(|(input, interval)| {
            interval.is_some_and(|[low, high]| {
                let value = value(input);
                value < low || value > high || (low > high && !value.is_nan())
            })
        })
    }
}

/// Boxes for values of some inputs.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wcs) struct CompoundBox {
    /// Inputs whose values select the box.
    pub(in crate::wcs) selectors: Vec<usize>,
    /// Values of the selecting inputs, and the box for them.
    pub(in crate::wcs) boxes: Vec<(Vec<f64>, Box)>,
}

/// Limits of the inputs of a transform.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wcs) enum Limits {
    Box(Box),
    Compound(CompoundBox),
}

/// Position of a point relative to limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wcs) enum Inside {
    Yes,
    No,
    /// No box belongs to the values of the selecting inputs.
    NoBox,
}

impl Limits {
    /// Returns whether all points of columns are inside of a box that is the same for all.
    pub(in crate::wcs) fn contain<'a>(&self, column: impl Fn(usize) -> &'a [f64]) -> bool {
        let Limits::Box(limits) = self else { return false };
        // Without a branch for each point.
        let holds = |[low, high]: Interval, column: &[f64]| {
            !column.iter().fold(false, |outside, value| outside | (*value < low) | (*value > high))
        };
        limits.0.iter().enumerate().all(|(input, interval)| interval.is_none_or(|ends| holds(ends, column(input))))
    }

    /// Returns where a point is.
    pub(in crate::wcs) fn locate(&self, value: impl Fn(usize) -> f64) -> Inside {
        let limits = match self {
            Limits::Box(limits) => limits,
            Limits::Compound(compound) => {
                let is_key = |key: &[f64]| compound.selectors.iter().zip(key).all(|(input, key)| value(*input) == *key);
                match compound.boxes.iter().find(|(key, _)| is_key(key)) {
                    Some((_, limits)) => limits,
                    None => return Inside::NoBox,
                }
            }
        };
        if limits.excludes(value) { Inside::No } else { Inside::Yes }
    }

    /// Returns the limits of the remaining inputs after some were fixed.
    pub(in crate::wcs) fn fixed(&self, values: &[(usize, f64)]) -> Option<Limits> {
        let fixed = |input: usize| values.iter().find(|(fixed, _)| *fixed == input).map(|(_, value)| *value);
        let rest = |limits: &Box| {
            let kept = limits.0.iter().enumerate().filter(|(input, _)| fixed(*input).is_none());
            Box(kept.map(|(_, interval)| *interval).collect())
        };
        match self {
            Limits::Box(limits) => Some(Limits::Box(rest(limits))),
            Limits::Compound(compound) => {
                let matches = |key: &[f64]| {
                    compound
                        .selectors
                        .iter()
                        .zip(key)
                        .all(|(input, key)| fixed(*input).is_none_or(|value| value == *key))
                };
                let left: Vec<usize> =
                    (0..compound.selectors.len()).filter(|&index| fixed(compound.selectors[index]).is_none()).collect();
                let mut boxes = compound.boxes.iter().filter(|(key, _)| matches(key));
                if left.is_empty() {
                    return boxes.next().map(|(_, limits)| Limits::Box(rest(limits)));
                }
                let shifted = |input: usize| (0..input).filter(|before| fixed(*before).is_none()).count();
                let boxes =
                    boxes.map(|(key, limits)| (left.iter().map(|&index| key[index]).collect(), rest(limits))).collect();
                let selectors = left.iter().map(|&index| shifted(compound.selectors[index])).collect();
                Some(Limits::Compound(CompoundBox { selectors, boxes }))
            }
        }
    }

    /// Returns the box, unless it depends on the values of inputs.
    pub(in crate::wcs) fn as_box(&self) -> Option<&Box> {
        match self {
            Limits::Box(limits) => Some(limits),
            Limits::Compound(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_inside_and_so_is_nan() {
        let limits = Box(vec![Some([0.0, 1.0]), None]);
        let excludes = |point: [f64; 2]| limits.excludes(|input| point[input]);
        assert!(!excludes([0.0, 7.0]) && !excludes([1.0, -7.0]) && !excludes([f64::NAN, 0.0]));
        assert!(excludes([1.0 + f64::EPSILON, 0.0]));
    }

    #[test]
    fn a_fixed_selector_selects() {
        let compound = CompoundBox {
            selectors: vec![1],
            boxes: vec![(vec![1.0], Box(vec![Some([0.0, 1.0]), None])), (vec![2.0], Box(vec![Some([5.0, 6.0]), None]))],
        };
        let limits = Limits::Compound(compound);
        assert_eq!(limits.fixed(&[(1, 2.0)]), Some(Limits::Box(Box(vec![Some([5.0, 6.0])]))));
        assert_eq!(limits.fixed(&[(1, 3.0)]), None);
        assert_eq!(limits.locate(|_| 3.0), Inside::NoBox);
    }
}
