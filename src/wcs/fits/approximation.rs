//! Approximation of an image's WCS by a tangent plane with SIP polynomials, as header cards for readers of FITS.

use super::card::CardWriter;
use super::least_squares::{Square, fit, grid};
use super::series::Series2d;
use crate::error::{Error, Result, Status};
use crate::reserve;
use crate::wcs::model::Layout;
use crate::wcs::options::{EvaluateOptions, SipOptions};
use crate::wcs::world::{Frame, ReferenceFrame, Wcs};

/// Largest degree that SIP allows.
const MAX_DEGREE: usize = 9;
/// Points along each axis at which the error is measured; they lie between those of the fit.
const CHECKS: usize = 65;
/// Largest number of points of the fit along each axis.
const MAX_POINTS: usize = 1024;

/// Header cards of an approximation, with its errors.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SipCards {
    /// Cards of 80 characters in a row, with the card `END`.
    pub cards: String,
    /// Degree of the polynomials from pixels to the sky; 1 if the plane alone suffices.
    pub degree: usize,
    /// Degree of the polynomials from the sky to pixels; 0 without any.
    pub inverse_degree: usize,
    /// Largest distance in pixels between the place of a pixel by the cards and by the WCS.
    pub error: f64,
    /// Largest distance in pixels between the pixel of a place by the cards and by the WCS.
    pub inverse_error: f64,
}

/// Points of the image: relative to the reference pixel, and in the tangent plane in degrees.
struct Points {
    pixels: Vec<[f64; 2]>,
    plane: Vec<[f64; 2]>,
}

/// Image whose WCS is approximated.
struct Image<'a> {
    wcs: &'a Wcs,
    /// Indices of longitude and latitude.
    celestial: [usize; 2],
    center: [f64; 2],
    half: [f64; 2],
    /// Longitude and latitude of the center.
    sky: [f64; 2],
}

/// Matrix and polynomials to the sky.
struct Forward {
    matrix: [f64; 4],
    inverse: [f64; 4],
    /// The polynomials f and g without constant and linear terms.
    polynomials: [Series2d; 2],
    degree: usize,
    error: f64,
}

fn product([a, b, c, d]: [f64; 4], [x, y]: [f64; 2]) -> [f64; 2] {
    [a * x + b * y, c * x + d * y]
}

/// Returns where a direction is in the plane that touches the sphere at another one, in degrees; `None` on the other
/// half of the sphere.
fn tangent([longitude, latitude]: [f64; 2], [center_longitude, center_latitude]: [f64; 2]) -> Option<[f64; 2]> {
    let (sine, cosine) = latitude.to_radians().sin_cos();
    let (center_sine, center_cosine) = center_latitude.to_radians().sin_cos();
    let (along_sine, along_cosine) = (longitude - center_longitude).to_radians().sin_cos();
    let height = sine * center_sine + cosine * center_cosine * along_cosine;
    let x = cosine * along_sine / height;
    let y = (sine * center_cosine - cosine * center_sine * along_cosine) / height;
    (height > 0.0).then_some([x.to_degrees(), y.to_degrees()])
}

impl Wcs {
    /// Returns header cards of a tangent plane with SIP polynomials that approximates the WCS of an image within the
    /// bounding box, or within the whole image without a box.
    ///
    /// The polynomials have the smallest degree, up to 9, whose error at a grid of points is at most the one in the
    /// options, also at points that were not used for the fit. The reference pixel is the center. The cards
    /// `SIPMXERR` and `SIPIVERR` hold the errors.
    ///
    /// Fails with [`Status::NoConvergence`] if no degree reaches the error, with [`Status::NotFound`] without box and
    /// shape, with [`Status::Unsupported`] for anything but two pixel axes to longitude and latitude, and with
    /// [`Status::OutOfDomain`] if the image is larger than half of the sky, or if its center is not on the sky.
    pub fn sip_cards(&self, options: &SipOptions) -> Result<SipCards> {
        let image = Image::of(self)?;
        let points = image.points(&grid_of(image.half, options.points)?)?;
        let checks = image.points(&uniform(image.half)?)?;
        let forward = forward(&image, &points, &checks, options)?;
        let inverse = match forward.degree {
            1 => None,
            _ => Some(backward(&forward, &points, &checks, options)?),
        };
        let inverse_error = inverse.as_ref().map_or(forward.error, |(.., error)| *error);
        Ok(SipCards {
            cards: image.cards(&forward, inverse.as_ref().map(|(series, error)| (series, *error)))?,
            degree: forward.degree,
            inverse_degree: inverse.as_ref().map_or(0, |([f, _], _)| f.degree()),
            error: forward.error,
            inverse_error,
        })
    }
}

fn grid_of(half: [f64; 2], points: usize) -> Result<Vec<[f64; 2]>> {
    if !(2 * MAX_DEGREE..=MAX_POINTS).contains(&points) {
        let message = format!("the number of points along an axis must be from {} to {MAX_POINTS}", 2 * MAX_DEGREE);
        return Err(Error::new(Status::InvalidArgument, message));
    }
    grid(half.map(|half| -half), half, points)
}

/// Returns points of equal distances.
fn uniform(half: [f64; 2]) -> Result<Vec<[f64; 2]>> {
    let along = |axis: usize, index: usize| half[axis] * (2.0 * index as f64 / (CHECKS - 1) as f64 - 1.0);
    let points = (0..CHECKS).flat_map(|row| (0..CHECKS).map(move |column| [along(0, column), along(1, row)]));
    reserve::collected(points.map(Ok))
}

impl<'a> Image<'a> {
    fn of(wcs: &'a Wcs) -> Result<Image<'a>> {
        let celestial = wcs.frames().last().and_then(Frame::celestial);
        let (Some(celestial), (2, 2)) = (celestial, wcs.forward()?.arity()) else {
            let message = "only two pixel axes to longitude and latitude can be approximated by a tangent plane";
            return Err(Error::new(Status::Unsupported, message));
        };
        let limits = wcs.pixel_limits()?;
        let [[left, right], [bottom, top]] = [limits[0], limits[1]];
        let (center, half) =
            ([(left + right) / 2.0, (bottom + top) / 2.0], [(right - left) / 2.0, (top - bottom) / 2.0]);
        if half.iter().any(|half| !half.is_finite() || *half <= 0.0) {
            return Err(Error::new(Status::OutOfDomain, "the bounding box has no finite size"));
        }
        let world = wcs.world(&center)?;
        let sky = celestial.map(|axis| world[axis]);
        if sky.iter().any(|angle| !angle.is_finite()) {
            return Err(Error::new(Status::OutOfDomain, "the center of the image is not on the sky"));
        }
        Ok(Image { wcs, celestial, center, half, sky })
    }

    /// Evaluates the WCS at points relative to the center. Points that are not on the sky are left out.
    fn points(&self, offsets: &[[f64; 2]]) -> Result<Points> {
        let count = offsets.len();
        let data = offsets.iter().flat_map(|[u, v]| [u + self.center[0], v + self.center[1]]);
        let mut data = reserve::collected(data.map(Ok))?;
        let options = EvaluateOptions { with_bounding_box: Some(false), ..EvaluateOptions::default() };
        self.wcs.pixel_to_world_in_place(count, &mut data, Layout::points(2), &options)?;
        let (mut pixels, mut plane) = (reserve::list_for(count)?, reserve::list_for(count)?);
        for (offset, world) in offsets.iter().zip(data.chunks_exact(2)) {
            let sky = self.celestial.map(|axis| world[axis]);
            if sky.iter().any(|angle| !angle.is_finite()) {
                continue;
            }
            let Some(place) = tangent(sky, self.sky) else {
                return Err(Error::new(Status::OutOfDomain, "the image is too large for a tangent plane"));
            };
            pixels.push(*offset);
            plane.push(place);
        }
        Ok(Points { pixels, plane })
    }

    /// Writes the cards.
    fn cards(&self, forward: &Forward, inverse: Option<(&[Series2d; 2], f64)>) -> Result<String> {
        let frame = self.wcs.frames().last().and_then(reference);
        let system = System::of(frame)?;
        let mut cards = CardWriter::default();
        cards.integer("WCSAXES", 2, "number of axes");
        let suffix = if inverse.is_some() { "-SIP" } else { "" };
        for (number, name) in system.axes.iter().enumerate() {
            let kind = format!("{name:-<5}TAN{suffix}");
            cards.text(&format!("CTYPE{}", number + 1), &kind, "tangent plane");
        }
        for number in 0..2 {
            cards.number(&format!("CRPIX{}", number + 1), self.center[number] + 1.0, "reference pixel");
        }
        for number in 0..2 {
            cards.number(&format!("CRVAL{}", number + 1), self.sky[number], "[deg] reference point");
            cards.text(&format!("CUNIT{}", number + 1), "deg", "unit");
        }
        for (index, element) in forward.matrix.iter().enumerate() {
            cards.number(&format!("CD{}_{}", index / 2 + 1, index % 2 + 1), *element, "[deg/pixel]");
        }
        cards.number("LONPOLE", 180.0, "[deg] native longitude of the pole");
        cards.number("LATPOLE", self.sky[1], "[deg] latitude of the native pole");
        if let Some(name) = system.radesys {
            cards.text("RADESYS", name, "reference frame");
        }
        if let Some(equinox) = system.equinox {
            cards.number("EQUINOX", equinox, "[yr] equinox");
        }
        if let Some((inverse, error)) = inverse {
            polynomials(&mut cards, ["A", "B"], &forward.polynomials, 2, self.half);
            polynomials(&mut cards, ["AP", "BP"], inverse, 0, self.half);
            cards.number("SIPMXERR", forward.error, "[pixel] largest error to the sky");
            cards.number("SIPIVERR", error, "[pixel] largest error to pixels");
        }
        Ok(cards.finish())
    }
}

/// Writes a pair of polynomials.
fn polynomials(cards: &mut CardWriter, names: [&str; 2], series: &[Series2d; 2], least: usize, half: [f64; 2]) {
    for (name, series) in names.iter().zip(series) {
        let degree = series.degree();
        cards.integer(&format!("{name}_ORDER"), degree as i64, "degree of the polynomial");
        let mut largest: f64 = 0.0;
        for (i, j) in Series2d::terms(degree) {
            let coefficient = series.get(i, j);
            largest += (coefficient * half[0].powi(i as i32) * half[1].powi(j as i32)).abs();
            if i + j >= least && coefficient != 0.0 {
                cards.number(&format!("{name}_{i}_{j}"), coefficient, "");
            }
        }
        if least > 1 {
            cards.number(&format!("{name}_DMAX"), largest, "[pixel] limit of the correction");
        }
    }
}

/// Returns the reference frame of the coordinates on the sky.
fn reference(frame: &Frame) -> Option<&ReferenceFrame> {
    frame.reference.as_ref().or_else(|| frame.frames.iter().find_map(|frame| frame.reference.as_ref()))
}

/// Names of the axes and of the reference frame in FITS.
struct System {
    axes: [&'static str; 2],
    radesys: Option<&'static str>,
    equinox: Option<f64>,
}

impl System {
    fn of(reference: Option<&ReferenceFrame>) -> Result<System> {
        let equatorial = ["RA", "DEC"];
        let name = reference.map_or("icrs", |reference| reference.name.as_str());
        let equinox = reference.and_then(|reference| {
            let (_, text) = reference.attributes.iter().find(|(key, _)| key == "equinox")?;
            epoch(text)
        });
        let (axes, radesys, equinox) = match name {
            "icrs" => (equatorial, Some("ICRS"), None),
            "fk5" => (equatorial, Some("FK5"), Some(equinox.unwrap_or(2000.0))),
            "fk4" => (equatorial, Some("FK4"), Some(equinox.unwrap_or(1950.0))),
            "fk4noeterms" => (equatorial, Some("FK4-NO-E"), Some(equinox.unwrap_or(1950.0))),
            "galactic" => (["GLON", "GLAT"], None, None),
            "supergalactic" => (["SLON", "SLAT"], None, None),
            other if other.contains("ecliptic") => (["ELON", "ELAT"], None, equinox),
            other => {
                let message = format!("FITS has no name for the reference frame '{other}'");
                return Err(Error::new(Status::Unsupported, message));
            }
        };
        Ok(System { axes, radesys, equinox })
    }
}

/// Returns the year of an epoch such as `J2000.0` in a text.
fn epoch(text: &str) -> Option<f64> {
    text.split(['J', 'B']).skip(1).find_map(|rest| {
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        rest[..end].parse().ok()
    })
}

/// Returns the degrees to try: the one that the caller wants, or all.
fn degrees(wanted: Option<usize>, least: usize) -> Result<std::ops::RangeInclusive<usize>> {
    match wanted {
        None => Ok(least..=MAX_DEGREE),
        Some(degree) if (least..=MAX_DEGREE).contains(&degree) => Ok(degree..=degree),
        Some(_) => {
            let message = format!("the degree of a polynomial must be from {least} to {MAX_DEGREE}");
            Err(Error::new(Status::InvalidArgument, message))
        }
    }
}

fn not_reached(what: &str, best: f64, wanted: f64) -> Error {
    let message = format!("the error of the polynomials to {what} is {best:.3e} pixels, which is more than {wanted}");
    Error::new(Status::NoConvergence, message)
}

/// Fits the way to the sky.
fn forward(image: &Image, points: &Points, checks: &Points, options: &SipOptions) -> Result<Forward> {
    let mut best = f64::INFINITY;
    for degree in degrees(options.degree, 1)? {
        let Some(found) = forward_of_degree(image.half, points, checks, degree) else { continue };
        if found.error <= options.max_error {
            return Ok(found);
        }
        best = best.min(found.error);
    }
    Err(not_reached("the sky", best, options.max_error))
}

/// Fits polynomials without a constant term. `None` if the points do not determine them.
fn forward_of_degree(half: [f64; 2], points: &Points, checks: &Points, degree: usize) -> Option<Forward> {
    let square = Square { domain: half.map(|half| [-half, half]) };
    let places: Vec<[f64; 2]> = points.pixels.iter().map(|pixel| square.to(*pixel)).collect();
    let terms: Vec<(usize, usize)> = Series2d::terms(degree).filter(|(i, j)| i + j > 0).collect();
    if places.len() < 2 * terms.len() {
        return None;
    }
    let column = |axis: usize| -> Vec<f64> { points.plane.iter().map(|place| place[axis]).collect() };
    let fitted = fit(degree, &terms, &places, [&column(0), &column(1)])?;
    // From the square to pixels.
    let value =
        |axis: usize, i: usize, j: usize| fitted[axis].get(i, j) / (half[0].powi(i as i32) * half[1].powi(j as i32));
    let matrix = [value(0, 1, 0), value(0, 0, 1), value(1, 1, 0), value(1, 0, 1)];
    let [a, b, c, d] = matrix;
    let determinant = a * d - b * c;
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    let inverse = [d / determinant, -b / determinant, -c / determinant, a / determinant];
    let mut polynomials = [Series2d::zero(degree), Series2d::zero(degree)];
    for (i, j) in terms.iter().filter(|(i, j)| i + j > 1) {
        let corrections = product(inverse, [value(0, *i, *j), value(1, *i, *j)]);
        polynomials.iter_mut().zip(corrections).for_each(|(series, correction)| series.set(*i, *j, correction));
    }
    let mut found = Forward { matrix, inverse, polynomials, degree, error: 0.0 };
    let error = |set: &Points| {
        let distance = |(pixel, place): (&[f64; 2], &[f64; 2])| {
            let exact = product(inverse, *place);
            let [f, g] =
                [0, 1].map(|axis| pixel[axis] + found.polynomials[axis].value(pixel[0], pixel[1]) - exact[axis]);
            f.hypot(g)
        };
        set.pixels.iter().zip(&set.plane).map(distance).fold(0.0, f64::max)
    };
    found.error = error(points).max(error(checks));
    Some(found)
}

/// Fits the way to pixels: the polynomials, and their error.
fn backward(forward: &Forward, points: &Points, checks: &Points, options: &SipOptions) -> Result<([Series2d; 2], f64)> {
    let mut best = f64::INFINITY;
    for degree in degrees(options.inverse_degree, 1)? {
        let Some((found, error)) = backward_of_degree(forward, points, checks, degree)? else { continue };
        if error <= options.max_inverse_error {
            return Ok((found, error));
        }
        best = best.min(error);
    }
    Err(not_reached("pixels", best, options.max_inverse_error))
}

fn backward_of_degree(
    forward: &Forward,
    points: &Points,
    checks: &Points,
    degree: usize,
) -> Result<Option<([Series2d; 2], f64)>> {
    let in_pixels =
        |set: &Points| reserve::collected(set.plane.iter().map(|place| Ok(product(forward.inverse, *place))));
    let places = in_pixels(points)?;
    // A square around the reference pixel keeps the powers of the coordinates apart.
    let Some(around) = Square::around(&places) else { return Ok(None) };
    let half = around.domain.map(|[low, high]| low.abs().max(high.abs()));
    let square = Square { domain: half.map(|half| [-half, half]) };
    let scaled = reserve::collected(places.iter().map(|place| Ok(square.to(*place))))?;
    let terms: Vec<(usize, usize)> = Series2d::terms(degree).collect();
    if places.len() < 2 * terms.len() {
        return Ok(None);
    }
    let column = |axis: usize| {
        let differences = points.pixels.iter().zip(&places).map(|(pixel, place)| Ok(pixel[axis] - place[axis]));
        reserve::collected(differences)
    };
    let Some(fitted) = fit(degree, &terms, &scaled, [&column(0)?, &column(1)?]) else { return Ok(None) };
    let mut polynomials = [Series2d::zero(degree), Series2d::zero(degree)];
    for (series, fitted) in polynomials.iter_mut().zip(&fitted) {
        for (i, j) in &terms {
            series.set(*i, *j, fitted.get(*i, *j) / (half[0].powi(*i as i32) * half[1].powi(*j as i32)));
        }
    }
    let error = |set: &Points, places: &[[f64; 2]]| {
        let distance = |(pixel, [x, y]): (&[f64; 2], &[f64; 2])| {
            let u = x + polynomials[0].value(*x, *y) - pixel[0];
            let v = y + polynomials[1].value(*x, *y) - pixel[1];
            u.hypot(v)
        };
        set.pixels.iter().zip(places).map(distance).fold(0.0, f64::max)
    };
    let error = error(points, &places).max(error(checks, &in_pixels(checks)?));
    Ok(Some((polynomials, error)))
}
