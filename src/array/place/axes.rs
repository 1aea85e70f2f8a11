//! Nested loops over elements, with byte distances in the payload and in memory.

use crate::error::Result;

/// One loop: its number of iterations, and the bytes per iteration in the payload and in the caller's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) count: usize,
    /// Bytes per iteration in the payload.
    pub(crate) source: u64,
    /// Bytes per iteration in memory; may be negative.
    pub(crate) target: isize,
}

/// Calls `visit` with the payload position and the memory position of each iteration; the last loop varies fastest.
pub(crate) fn for_each(
    axes: &[Axis],
    source: u64,
    target: isize,
    visit: &mut dyn FnMut(u64, isize) -> Result<()>,
) -> Result<()> {
    let mut indices = vec![0; axes.len()];
    let (mut source, mut target) = (source, target);
    loop {
        visit(source, target)?;
        let mut level = axes.len();
        loop {
            if level == 0 {
                return Ok(());
            }
            level -= 1;
            let axis = &axes[level];
            indices[level] += 1;
            if indices[level] < axis.count {
                source += axis.source;
                target += axis.target;
                break;
            }
            let back = axis.count - 1;
            source -= axis.source * back as u64;
            target -= axis.target * back as isize;
            indices[level] = 0;
        }
    }
}
