//! Kernels: functions of several real numbers, evaluated for a block of points. A kernel knows its parameters, but
//! neither the tree that they come from nor the units around it.

pub(super) mod elementary;
pub(super) mod functional;
pub(super) mod gnomonic;
pub(super) mod jwst;
pub(super) mod labels;
pub(super) mod polynomial;
pub(super) mod rotation;
mod special;
pub(super) mod spectroscopy;
pub(super) mod spline;
pub(super) mod tabular;
pub(super) mod ufunc;
mod vector;

use std::fmt;
use std::sync::Arc;

/// Largest number of points of a block.
pub(super) const BLOCK: usize = 256;

/// Columns of numbers, one for each value that the points of a block have somewhere in a chain.
pub(super) type Registers = Vec<Vec<f64>>;

/// Inputs of a kernel: columns of equal length.
pub(super) struct Inputs<'a> {
    pub(super) registers: &'a [Vec<f64>],
    /// Register of each input.
    pub(super) places: &'a [usize],
    /// Number of points.
    pub(super) count: usize,
}

impl<'a> Inputs<'a> {
    /// Returns the values of an input.
    pub(super) fn get(&self, input: usize) -> &'a [f64] {
        self.places.get(input).and_then(|&place| self.registers.get(place)?.get(..self.count)).unwrap_or_default()
    }
}

/// Failure of a kernel for a point: the point lies outside the domain, and the transform asks for an error there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfDomain {
    /// Index of the point in the block.
    pub(super) point: usize,
}

/// Analytic inverse of a kernel.
pub(super) enum Inverse {
    /// The kernel has none.
    None,
    /// The kernel has one for other values of its parameters; the field that makes it singular.
    Singular(&'static str),
    Kernel(Arc<dyn Kernel>),
}

impl Inverse {
    pub(super) fn of(kernel: impl Kernel + 'static) -> Inverse {
        Inverse::Kernel(Arc::new(kernel))
    }
}

/// A function of real numbers.
pub(super) trait Kernel: fmt::Debug + Send + Sync {
    /// Numbers of inputs and outputs.
    fn arity(&self) -> (usize, usize);

    /// Writes the first `inputs.count` values of each output.
    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain>;

    fn inverse(&self) -> Inverse {
        Inverse::None
    }

    /// Returns for each output and each input whether the output depends on the input.
    fn dependence(&self) -> Vec<Vec<bool>> {
        let (inputs, outputs) = self.arity();
        vec![vec![true; inputs]; outputs]
    }

    /// Returns the matrix of a rotation of the sphere, and whether longitudes are made positive.
    fn rotation(&self) -> Option<(&rotation::Matrix, bool)> {
        None
    }

    /// Returns whether the gnomonic projection leads to the sky; `None` for any other function.
    fn is_gnomonic(&self) -> Option<bool> {
        None
    }

    /// Returns the interval of each input outside of which the model is not meant to be used, for types that bring
    /// such intervals without the file saying so.
    fn default_box(&self) -> Option<Vec<[f64; 2]>> {
        None
    }
}

/// A function that treats each point alone.
pub(super) trait Point<const N: usize, const M: usize>: fmt::Debug + Send + Sync {
    fn at(&self, point: [f64; N]) -> [f64; M];

    fn inverse(&self) -> Inverse {
        Inverse::None
    }

    /// True if the gnomonic projection leads to the sky; `None` for any other function.
    fn is_gnomonic(&self) -> Option<bool> {
        None
    }

    /// True if output i depends on input i alone.
    fn is_diagonal(&self) -> bool {
        N == 1 && M == 1
    }
}

/// A kernel made from a function of a point.
#[derive(Debug)]
pub(super) struct Each<P, const N: usize, const M: usize>(pub(super) P);

impl<P: Point<N, M>, const N: usize, const M: usize> Kernel for Each<P, N, M> {
    fn arity(&self) -> (usize, usize) {
        (N, M)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        let columns: [&[f64]; N] = std::array::from_fn(|input| inputs.get(input));
        if let ([column], [output]) = (columns.as_slice(), &mut *outputs) {
            for (value, result) in column.iter().zip(output) {
                *result = self.0.at([*value; N])[0];
            }
            return Ok(());
        }
        for point in 0..inputs.count {
            let results = self.0.at(std::array::from_fn(|input| columns[input][point]));
            for (output, result) in outputs.iter_mut().zip(results) {
                output[point] = result;
            }
        }
        Ok(())
    }

    fn inverse(&self) -> Inverse {
        self.0.inverse()
    }

    fn is_gnomonic(&self) -> Option<bool> {
        self.0.is_gnomonic()
    }

    fn dependence(&self) -> Vec<Vec<bool>> {
        let diagonal = self.0.is_diagonal();
        (0..M).map(|output| (0..N).map(|input| !diagonal || input == output).collect()).collect()
    }
}

/// Makes a kernel from a function of a point.
pub(super) fn each<P: Point<N, M> + 'static, const N: usize, const M: usize>(point: P) -> Arc<dyn Kernel> {
    Arc::new(Each(point))
}
