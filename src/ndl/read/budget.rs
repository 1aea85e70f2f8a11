//! Budget for the expansion of a text: an alias repeats its target, and a path name repeats those of its parent groups.
//! The budget makes memory and time grow linearly with the length of the text, not with its square.

/// Bytes that any text may expand to.
const FREE: u64 = 64 << 20;
/// Additional bytes for each byte of the text.
const FACTOR: u64 = 16;
/// Ratio of the bytes that may be searched to the bytes that may be kept.
const SEARCHED: u64 = 16;

/// Remaining bytes.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    kept: u64,
    searched: u64,
}

impl Budget {
    /// Returns the budget for a text of this length in bytes.
    pub(super) fn for_text(length: u64) -> Budget {
        let kept = length.saturating_mul(FACTOR).saturating_add(FREE);
        Budget { kept, searched: kept.saturating_mul(SEARCHED) }
    }

    /// Returns the bytes that may still be kept.
    pub(super) fn left(&self) -> u64 {
        self.kept
    }

    /// Takes bytes to keep from the budget. Returns false if it is exceeded.
    pub(super) fn keep(&mut self, bytes: usize) -> bool {
        spend(&mut self.kept, bytes)
    }

    /// Takes bytes to search from the budget. Returns false if it is exceeded.
    pub(super) fn search(&mut self, bytes: usize) -> bool {
        spend(&mut self.searched, bytes)
    }
}

fn spend(left: &mut u64, bytes: usize) -> bool {
    let rest = left.checked_sub(bytes as u64);
    *left = rest.unwrap_or(0);
    rest.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exceeded_budget_stays_empty() {
        let mut budget = Budget::for_text(1 << 20);
        assert!(budget.keep(40 << 20) && budget.keep(40 << 20) && !budget.keep(1));
        assert!(budget.search(1280 << 20) && !budget.search(1));
        assert!(Budget::for_text(u64::MAX).keep(usize::MAX));
    }
}
