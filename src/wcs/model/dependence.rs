//! Dependence of the outputs of a model on its inputs.

use super::part::{Model, Operation};

/// For each output, whether it depends on each input.
type Matrix = Vec<Vec<bool>>;

impl Model {
    /// Returns for each output and each input whether the output depends on the input. What is not known counts as
    /// dependent.
    pub(in crate::wcs) fn dependence(&self) -> Matrix {
        let mut matrices: Vec<Matrix> = Vec::with_capacity(self.parts.len());
        for part in &self.parts[..=self.root] {
            let (inputs, outputs) = (part.inputs.len(), part.outputs.len());
            let matrix = match &part.operation {
                Operation::Kernel(kernel) => kernel.dependence(),
                Operation::Remap(mapping) => {
                    mapping.iter().map(|from| (0..inputs).map(|input| input == *from).collect()).collect()
                }
                Operation::Compose(first, second) => product(&matrices[*second], &matrices[*first], inputs),
                Operation::Concatenate(left, right) => diagonal(&matrices[*left], &matrices[*right], inputs),
                Operation::Arithmetic(_, left, right) => {
                    let rows = matrices[*left].iter().zip(&matrices[*right]);
                    rows.map(|(one, other)| one.iter().zip(other).map(|(a, b)| *a || *b).collect()).collect()
                }
                Operation::Fix(..) | Operation::Choose(_) => vec![vec![true; inputs]; outputs],
            };
            matrices.push(matrix);
        }
        matrices.pop().unwrap_or_default()
    }
}

fn product(second: &Matrix, first: &Matrix, inputs: usize) -> Matrix {
    let depends = |row: &Vec<bool>, input: usize| {
        row.iter().zip(first).any(|(used, before)| *used && before.get(input).copied().unwrap_or(true))
    };
    second.iter().map(|row| (0..inputs).map(|input| depends(row, input)).collect()).collect()
}

fn diagonal(left: &Matrix, right: &Matrix, inputs: usize) -> Matrix {
    let padded = |row: &Vec<bool>, before: usize| {
        let mut all = vec![false; before];
        all.extend(row);
        all.resize(inputs, false);
        all
    };
    let split = inputs - right.first().map_or(0, Vec::len).min(inputs);
    left.iter().map(|row| padded(row, 0)).chain(right.iter().map(|row| padded(row, split))).collect()
}
