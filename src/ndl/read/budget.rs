//! How much may become of a short text: an alias stands for as much as it names, and a path name is repeated in all that
//! is in a group. Memory and time grow with the text, not with its square.

/// What any text may become, whatever its length.
const FREE: u64 = 64 << 20;
/// What becomes of each byte beyond that.
const FACTOR: u64 = 16;
/// As many times as much may be looked at as may be kept.
const SEARCHED: u64 = 16;

/// Bytes that are left.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    kept: u64,
    searched: u64,
}

impl Budget {
    /// What a text of this length may become.
    pub(super) fn for_text(length: u64) -> Budget {
        let kept = length.saturating_mul(FACTOR).saturating_add(FREE);
        Budget { kept, searched: kept.saturating_mul(SEARCHED) }
    }

    /// How many bytes may yet be kept.
    pub(super) fn left(&self) -> u64 {
        self.kept
    }

    /// Whether so many bytes more may be kept.
    pub(super) fn keep(&mut self, bytes: usize) -> bool {
        spend(&mut self.kept, bytes)
    }

    /// Whether so many bytes more may be looked at.
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
    fn what_is_spent_is_spent() {
        let mut budget = Budget::for_text(1 << 20);
        assert!(budget.keep(40 << 20) && budget.keep(40 << 20) && !budget.keep(1));
        assert!(budget.search(1280 << 20) && !budget.search(1));
        assert!(Budget::for_text(u64::MAX).keep(usize::MAX));
    }
}
