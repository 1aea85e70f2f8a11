//! Kernels: functions of several real numbers, evaluated for a block of points. A kernel knows its parameters, but
//! neither the tree that they come from nor the units around it.
//!
//! Loops over simple functions are compiled twice: once for every machine, once for AVX2. Neither contracts products and
//! sums, so that results are the same on all machines.

pub(super) mod elementary;
pub(super) mod functional;
pub(super) mod gnomonic;
pub(super) mod jwst;
pub(super) mod labels;
pub(super) mod lanes;
pub(super) mod matrix;
pub(super) mod polynomial;
pub(super) mod rotation;
mod special;
pub(super) mod spectroscopy;
mod sphere;
pub(super) mod spline;
pub(super) mod tabular;
pub(super) mod ufunc;
mod vector;

use crate::array::{Loop, run_widest};
use std::fmt;
use std::sync::Arc;

/// Largest number of points of a block.
pub(super) const BLOCK: usize = 512;

/// Columns of numbers, one for each value that the points of a block have somewhere in a chain.
pub(super) type Registers = Vec<Vec<f64>>;

/// Inputs of a kernel, or results of a program: columns of equal length.
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

    /// Writes the derivatives of each output by each input; those of an output by all inputs stand together. Returns false
    /// if they are not known.
    fn slopes(&self, _inputs: &Inputs, _slopes: &mut [Vec<f64>]) -> bool {
        false
    }

    fn inverse(&self) -> Inverse {
        Inverse::None
    }

    /// Returns for each output and each input whether the output depends on the input.
    fn dependence(&self) -> Vec<Vec<bool>> {
        let (inputs, outputs) = self.arity();
        vec![vec![true; inputs]; outputs]
    }

    /// Returns whether values are found by iteration. A point with finite inputs whose values are NaN did not converge.
    fn is_iterative(&self) -> bool {
        false
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
    /// True if values are found by iteration; see [`Kernel::is_iterative`].
    const IS_ITERATIVE: bool = false;
    /// True for a function of a few operations, whose method `at` is `#[inline(always)]`. Its loop over points is compiled
    /// for the vector instructions of the machine.
    const IS_SHORT: bool = false;

    fn at(&self, point: [f64; N]) -> [f64; M];

    /// Returns the derivatives of each output by each input, if they are known.
    fn slopes(&self, _point: [f64; N]) -> Option<[[f64; N]; M]> {
        None
    }

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
        let work = AllPoints { function: &self.0, inputs, outputs };
        if P::IS_SHORT {
            run_widest(work)
        } else {
            work.run()
        }
        Ok(())
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        let columns: [&[f64]; N] = std::array::from_fn(|input| inputs.get(input));
        for point in 0..inputs.count {
            let Some(rows) = self.0.slopes(std::array::from_fn(|input| columns[input][point])) else { return false };
            for (column, value) in slopes.iter_mut().zip(rows.iter().flatten()) {
                column[point] = *value;
            }
        }
        true
    }

    fn inverse(&self) -> Inverse {
        self.0.inverse()
    }

    fn is_iterative(&self) -> bool {
        P::IS_ITERATIVE
    }

    fn is_gnomonic(&self) -> Option<bool> {
        self.0.is_gnomonic()
    }

    fn dependence(&self) -> Vec<Vec<bool>> {
        let diagonal = self.0.is_diagonal();
        (0..M).map(|output| (0..N).map(|input| !diagonal || input == output).collect()).collect()
    }
}

/// The loop of a function over all points of a block.
struct AllPoints<'a, 'b, P, const N: usize, const M: usize> {
    function: &'a P,
    inputs: &'a Inputs<'b>,
    outputs: &'a mut [Vec<f64>],
}

impl<P: Point<N, M>, const N: usize, const M: usize> Loop for AllPoints<'_, '_, P, N, M> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let AllPoints { function, inputs, outputs } = self;
        let count = inputs.count;
        // Slices whose length the compiler knows need no check for each point.
        match (N, outputs) {
            (1, [output]) => {
                for (value, result) in inputs.get(0).iter().zip(output) {
                    *result = function.at([*value; N])[0];
                }
            }
            (2, [output]) => {
                for ((x, y), result) in inputs.get(0).iter().zip(inputs.get(1)).zip(output) {
                    *result = function.at(pair([*x, *y]))[0];
                }
            }
            (2, [first, second]) => {
                let outputs = first[..count].iter_mut().zip(&mut second[..count]);
                for ((x, y), (one, other)) in inputs.get(0).iter().zip(inputs.get(1)).zip(outputs) {
                    let results = function.at(pair([*x, *y]));
                    (*one, *other) = (results[0], results[1 % M]);
                }
            }
            (_, outputs) => {
                for point in 0..count {
                    let results = function.at(std::array::from_fn(|input| inputs.get(input)[point]));
                    for (output, result) in outputs.iter_mut().zip(results) {
                        output[point] = result;
                    }
                }
            }
        }
    }
}

/// Returns two coordinates as an array of a length that is 2.
#[inline(always)]
fn pair<const N: usize>(point: [f64; 2]) -> [f64; N] {
    std::array::from_fn(|input| point[input % 2])
}

/// Makes a kernel from a function of a point.
pub(super) fn each<P: Point<N, M> + 'static, const N: usize, const M: usize>(point: P) -> Arc<dyn Kernel> {
    Arc::new(Each(point))
}
