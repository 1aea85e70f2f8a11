//! Options of building and evaluating transforms.

/// Options of building a transform.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Makes evaluation fail outside of arrays of labels. Otherwise points there have no label.
    pub strict_labels: bool,
}

/// Options of reading a WCS from cards of a FITS header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CardOptions {
    /// Letter of an alternate WCS, such as `A` for the keywords `CTYPE1A`, …; a blank for the primary one.
    pub alternate: char,
}

impl Default for CardOptions {
    fn default() -> CardOptions {
        CardOptions { alternate: ' ' }
    }
}

/// Options of approximating a WCS by cards of a FITS header.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SipOptions {
    /// Largest error of the way to the sky, in pixels.
    pub max_error: f64,
    /// Largest error of the way to pixels, in pixels.
    pub max_inverse_error: f64,
    /// Degree of the polynomials to the sky, from 1 to 9; `None` for the smallest one that reaches the error.
    pub degree: Option<usize>,
    /// Degree of the polynomials to pixels, from 1 to 9; `None` for the smallest one that reaches the error.
    pub inverse_degree: Option<usize>,
    /// Number of points of the fit along each axis.
    pub points: usize,
}

impl Default for SipOptions {
    fn default() -> SipOptions {
        SipOptions { max_error: 0.01, max_inverse_error: 0.01, degree: None, inverse_degree: None, points: 33 }
    }
}

/// Options of evaluating transforms.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EvaluateOptions {
    /// True if points outside the bounding box get the fill value. By default this is so for a [`Wcs`](super::Wcs),
    /// and not for a [`Transform`](super::Transform).
    pub with_bounding_box: Option<bool>,
    /// Value of all outputs of points outside of the bounding box.
    pub fill: f64,
    /// Fails where a compound bounding box has no box for a point. Otherwise such a point has the fill value.
    pub strict_boxes: bool,
    /// Largest number of threads, including the caller's; 0 means 1.
    pub threads: usize,
    /// Largest distance in pixels of the last step of an iteration that counts as converged.
    pub tolerance: f64,
    /// Largest number of steps of an iteration.
    pub iterations: usize,
    /// Fails where an iteration does not converge. Otherwise such a point is NaN, and is counted.
    pub strict_convergence: bool,
}

impl Default for EvaluateOptions {
    fn default() -> EvaluateOptions {
        EvaluateOptions {
            with_bounding_box: None,
            fill: f64::NAN,
            strict_boxes: false,
            threads: 1,
            tolerance: 1e-5,
            iterations: 30,
            strict_convergence: false,
        }
    }
}
