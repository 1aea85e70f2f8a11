//! Cache of blocks of one object in memory: the blocks that were used least recently go first.

use std::collections::HashMap;
use std::sync::Arc;

/// Size of a block in bytes; the last one of an object is shorter.
pub(crate) const BLOCK: u64 = 256 << 10;

/// Blocks by their numbers.
#[derive(Default)]
pub(crate) struct Cache {
    budget: u64,
    used: u64,
    clock: u64,
    blocks: HashMap<u64, (u64, Arc<[u8]>)>,
}

impl Cache {
    pub(crate) fn new(budget: u64) -> Cache {
        Cache { budget, ..Cache::default() }
    }

    /// Returns whether a block can be kept.
    pub(crate) fn is_on(&self) -> bool {
        self.budget >= BLOCK
    }

    pub(crate) fn get(&mut self, number: u64) -> Option<Arc<[u8]>> {
        self.clock += 1;
        let (used, bytes) = self.blocks.get_mut(&number)?;
        *used = self.clock;
        Some(bytes.clone())
    }

    pub(crate) fn put(&mut self, number: u64, bytes: Arc<[u8]>) {
        let size = bytes.len() as u64;
        if size > self.budget {
            return;
        }
        self.clock += 1;
        self.used += size;
        if let Some((_, old)) = self.blocks.insert(number, (self.clock, bytes)) {
            self.used -= old.len() as u64;
        }
        while self.used > self.budget {
            let oldest = self.blocks.iter().min_by_key(|(_, (used, _))| *used).map(|(number, _)| *number);
            let Some((_, bytes)) = oldest.and_then(|oldest| self.blocks.remove(&oldest)) else { return };
            self.used -= bytes.len() as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_blocks_go_first() {
        let mut cache = Cache::new(3 * BLOCK);
        let block = |byte| Arc::from(vec![byte; BLOCK as usize]);
        for number in 0..3 {
            cache.put(number, block(number as u8));
        }
        assert!(cache.get(0).is_some());
        cache.put(3, block(3));
        cache.put(3, block(4));
        let kept: Vec<_> = (0..4).map(|number| cache.get(number).map(|bytes| bytes[0])).collect();
        assert_eq!(kept, [Some(0), None, Some(2), Some(4)]);
        assert_eq!(cache.used, 3 * BLOCK);
        let mut none = Cache::new(10);
        none.put(0, block(1));
        assert!(!none.is_on() && none.get(0).is_none());
    }
}
