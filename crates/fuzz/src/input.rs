//! The input of a target as choices and parts. A choice takes bytes from the end, so that parts stay where they are.

/// Separates the parts of an input.
pub const CUT: &[u8] = b"\xFF~";

/// Splits an input at each [`CUT`].
pub fn parts(input: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = input;
    while let Some(at) = rest.windows(CUT.len()).position(|window| window == CUT) {
        parts.push(&rest[..at]);
        rest = &rest[at + CUT.len()..];
    }
    parts.push(rest);
    parts
}

/// Splits an input at the first [`CUT`].
pub fn first_part(input: &[u8]) -> (&[u8], &[u8]) {
    let parts = parts(input);
    let first = parts.first().copied().unwrap_or_default();
    (first, input.get(first.len() + CUT.len()..).unwrap_or_default())
}

/// Choices that bytes of the input make. At their end each choice is the first one.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    pub fn byte(&mut self) -> u8 {
        let (&byte, rest) = self.0.split_last().unwrap_or((&0, &[]));
        self.0 = rest;
        byte
    }

    /// Returns a number below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = if bound > 256 { usize::from(self.byte()) << 8 } else { 0 };
        (wide | usize::from(self.byte())) % bound.max(1)
    }

    pub fn is_true(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub fn of<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.below(values.len())]
    }

    /// Returns a number of any size; small ones are frequent.
    pub fn number(&mut self) -> i64 {
        match self.byte() {
            small @ 0..=199 => i64::from(small) - 8,
            200..=229 => i64::from(i16::from_le_bytes([self.byte(), self.byte()])),
            230..=249 => i64::from_le_bytes([(); 8].map(|()| self.byte())),
            250..=251 => i64::MAX,
            252..=253 => i64::MIN,
            _ => 1 << 32,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
