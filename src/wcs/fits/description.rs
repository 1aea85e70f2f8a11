//! A FITS WCS as its keywords describe it: axes, linear transformation, projection, distortion (Greisen & Calabretta
//! 2002, A&A 395, 1061, and its successors).

use super::card::{Header, Value, wrong};
use super::celestial::{Celestial, Given, Projection, Reference};
use super::series::Series2d;
use super::sip::{Distortion, Sip};
use crate::error::{Error, Result, Status};
use crate::wcs::unit::Unit;

/// Largest number of axes.
pub(super) const MAX_AXES: usize = 32;
/// Largest degree of a distortion.
const MAX_DEGREE: i64 = 9;

/// Meaning of a world axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Longitude,
    Latitude,
    /// The coordinate, such as `FREQ`, and whether it is sampled logarithmically.
    Spectral(String, bool),
    Stokes,
    Time,
    Other,
}

/// A world axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) meaning: Meaning,
    /// Name: `CNAMEi`, or the name of the coordinate in `CTYPEi`.
    pub(super) name: String,
    pub(super) unit: String,
    /// Value at the reference pixel.
    pub(super) value: f64,
}

/// System of celestial coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum System {
    /// Right ascension and declination: name of the frame, equinox.
    Equatorial(String, Option<f64>),
    Galactic,
    Ecliptic,
    Supergalactic,
    /// First letters of the type of the axes.
    Other(String),
}

/// A FITS WCS.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Description {
    pub(super) name: Option<String>,
    pub(super) axes: Vec<Axis>,
    /// Reference pixel, counted from 0.
    pub(super) pixel: Vec<f64>,
    /// Matrix from pixels to intermediate world coordinates, row by row.
    pub(super) matrix: Vec<Vec<f64>>,
    /// Indices of longitude and latitude, and the way to them.
    pub(super) celestial: Option<([usize; 2], Celestial, System)>,
    /// Distortion of the first two pixel axes.
    pub(super) sip: Option<Sip>,
    /// Numbers of pixels along the axes.
    pub(super) shape: Option<Vec<i64>>,
}

/// Keywords of one description in a header.
struct Keywords<'a> {
    header: &'a Header,
    /// Letter of an alternate description, or an empty text.
    letter: String,
}

impl Keywords<'_> {
    fn name(&self, keyword: &str) -> String {
        format!("{keyword}{}", self.letter)
    }

    fn number(&self, keyword: &str) -> Result<Option<f64>> {
        self.header.number(&self.name(keyword))
    }

    fn text(&self, keyword: &str) -> Result<Option<&str>> {
        Ok(self.header.text(&self.name(keyword))?.filter(|text| !text.trim().is_empty()))
    }

    /// Returns a number of an axis.
    fn of_axis(&self, keyword: &str, axis: usize) -> Result<Option<f64>> {
        self.number(&format!("{keyword}{}", axis + 1))
    }

    fn parameter(&self, axis: usize, number: usize) -> Result<Option<f64>> {
        self.number(&format!("PV{}_{number}", axis + 1))
    }

    /// Returns the number of axes: the largest one that is mentioned.
    fn axes(&self) -> Result<usize> {
        let maximum = MAX_AXES as i64;
        let given = self.header.integer(&self.name("WCSAXES"), 0..=maximum)?.unwrap_or(0);
        let naxis = self.header.integer("NAXIS", 0..=999)?.unwrap_or(0);
        let mut largest = usize::try_from(given).unwrap_or(0);
        if given == 0 {
            largest = usize::try_from(naxis.min(maximum)).unwrap_or(0);
        }
        for keyword in self.header.keywords() {
            let Some(keyword) = keyword.strip_suffix(self.letter.as_str()) else { continue };
            let digits = keyword.find(|letter: char| letter.is_ascii_digit()).unwrap_or(keyword.len());
            let (stem, rest) = keyword.split_at(digits);
            let numbers: Vec<&str> = rest.split('_').collect();
            let named = match (stem, &numbers[..]) {
                ("CRPIX" | "CRVAL" | "CTYPE" | "CDELT" | "CUNIT", [axis]) => axis.parse().ok(),
                ("PC" | "CD", [row, column]) => {
                    row.parse::<usize>().ok().zip(column.parse().ok()).map(|(row, column): (_, usize)| row.max(column))
                }
                _ => None,
            };
            largest = largest.max(named.unwrap_or(0));
        }
        match largest {
            0 => wrong("the header has no WCS"),
            _ if largest > MAX_AXES => Err(Error::limit("axes of a WCS", MAX_AXES as u64)),
            _ => Ok(largest),
        }
    }
}

impl Description {
    /// Reads the description with this letter; a blank is the primary one.
    ///
    /// Fails with [`Status::InvalidArgument`] for keywords that make no WCS, and with [`Status::Unsupported`] for
    /// projections, spectral algorithms and distortions that are not supported.
    pub(super) fn read(header: &Header, letter: char) -> Result<Description> {
        if letter != ' ' && !letter.is_ascii_uppercase() {
            return wrong("an alternate WCS has a letter from A to Z");
        }
        let letter = if letter == ' ' { String::new() } else { letter.to_string() };
        let keywords = Keywords { header, letter };
        if !keywords.letter.is_empty() && !(0..MAX_AXES).any(|axis| has_axis(&keywords, axis)) {
            return Err(Error::new(Status::NotFound, format!("the header has no WCS '{}'", keywords.letter)));
        }
        let count = keywords.axes()?;
        refuse_tables(header, count)?;
        let mut axes = Vec::with_capacity(count);
        let mut factors = vec![1.0; count];
        let mut codes = vec![String::new(); count];
        for index in 0..count {
            let kind = keywords.text(&format!("CTYPE{}", index + 1))?.unwrap_or_default();
            let (meaning, code) = meaning_of(kind)?;
            let (axis, factor) = axis(&keywords, index, kind, meaning)?;
            factors[index] = factor;
            codes[index] = code;
            axes.push(axis);
        }
        let pair = pair(&axes, &codes)?;
        let sip = sip(header, count)?;
        if let (Some([longitude, _]), None) = (pair, &sip) {
            refuse_polynomials(&keywords, longitude, &codes[longitude])?;
        }
        let matrix = matrix(&keywords, &factors, pair)?;
        let pixel = (0..count).map(|axis| Ok(keywords.of_axis("CRPIX", axis)?.unwrap_or(0.0) - 1.0));
        let celestial = match pair {
            None => None,
            Some(pair) => {
                let given = given(&keywords, pair, &codes[pair[1]], &axes)?;
                let kind = keywords.text(&format!("CTYPE{}", pair[0] + 1))?.unwrap_or_default();
                Some((pair, given.resolve()?, system(&keywords, kind)?))
            }
        };
        Ok(Description {
            name: keywords.text("WCSNAME")?.map(str::to_owned),
            pixel: pixel.collect::<Result<_>>()?,
            matrix,
            celestial,
            sip,
            shape: shape(header, count)?,
            axes,
        })
    }
}

fn has_axis(keywords: &Keywords, axis: usize) -> bool {
    let is_there = |keyword: &str| keywords.header.get(&keywords.name(&format!("{keyword}{}", axis + 1))).is_some();
    ["CTYPE", "CRVAL", "CRPIX"].into_iter().any(is_there)
}

/// Fails if distortions are tables of other extensions.
fn refuse_tables(header: &Header, count: usize) -> Result<()> {
    for axis in 1..=count {
        for keyword in ["CPDIS", "CQDIS", "D2IMDIS"] {
            let keyword = format!("{keyword}{axis}");
            if header.get(&keyword).is_some() {
                let message = format!("the distortion of {keyword} is not supported");
                return Err(Error::new(Status::Unsupported, message));
            }
        }
    }
    Ok(())
}

/// Fails if parameters of TAN are coefficients of a distortion, as SCAMP writes them. As in wcslib those of the longitude
/// axis from the fifth on tell, and coefficients of SIP replace them.
fn refuse_polynomials(keywords: &Keywords, longitude: usize, code: &str) -> Result<()> {
    for number in 5..40 {
        if code == "TAN" && keywords.parameter(longitude, number)?.is_some() {
            let message =
                format!("the distortion of PV{}_{number} (the projection TPV) is not supported", longitude + 1);
            return Err(Error::new(Status::Unsupported, message));
        }
    }
    Ok(())
}

/// Returns the meaning of a type of an axis, and the code of its projection.
fn meaning_of(kind: &str) -> Result<(Meaning, String)> {
    let (name, code) = match kind.split_at_checked(5) {
        Some((name, code)) if name.ends_with('-') => (name.trim_end_matches('-'), code.trim_end()),
        _ => (kind.trim_end(), ""),
    };
    let algorithm = code.split_once('-').map_or(code, |(code, _)| code).trim_end();
    const SPECTRAL: [&str; 11] =
        ["FREQ", "AFRQ", "ENER", "WAVN", "VRAD", "WAVE", "VOPT", "ZOPT", "AWAV", "VELO", "BETA"];
    if SPECTRAL.contains(&name) {
        return match algorithm {
            "" | "LOG" => Ok((Meaning::Spectral(name.to_owned(), algorithm == "LOG"), String::new())),
            _ => {
                let message = format!("the spectral algorithm '{algorithm}' of '{kind}' is not supported");
                Err(Error::new(Status::Unsupported, message))
            }
        };
    }
    let is_longitude = name == "RA" || (name.len() == 4 && (name.ends_with("LON") || name.ends_with("LN")));
    let is_latitude = name == "DEC" || (name.len() == 4 && (name.ends_with("LAT") || name.ends_with("LT")));
    if algorithm.is_empty() || !(is_longitude || is_latitude) {
        if algorithm == "TAB" {
            return Err(Error::new(Status::Unsupported, format!("coordinates in tables ('{kind}') are not supported")));
        }
        return Ok((
            match name {
                "STOKES" => Meaning::Stokes,
                "TIME" | "UTC" | "TAI" | "TT" | "TDB" | "TCB" | "TCG" | "UT1" => Meaning::Time,
                _ => Meaning::Other,
            },
            String::new(),
        ));
    }
    let meaning = if is_longitude { Meaning::Longitude } else { Meaning::Latitude };
    Ok((meaning, algorithm.to_owned()))
}

/// Reads an axis. Also returns the factor from the unit in the header to that of the axis.
fn axis(keywords: &Keywords, index: usize, kind: &str, meaning: Meaning) -> Result<(Axis, f64)> {
    let given = keywords.text(&format!("CUNIT{}", index + 1))?.unwrap_or_default().trim();
    let wanted = match &meaning {
        Meaning::Longitude | Meaning::Latitude => "deg",
        Meaning::Spectral(name, _) => match name.as_str() {
            "FREQ" => "Hz",
            "AFRQ" => "rad/s",
            "ENER" => "J",
            "WAVN" => "1/m",
            "WAVE" | "AWAV" => "m",
            "VRAD" | "VOPT" | "VELO" => "m/s",
            _ => "",
        },
        _ => given,
    };
    let spelled = match given {
        "DEG" | "DEGREE" | "DEGREES" | "degree" | "degrees" => "deg",
        other => other,
    };
    let factor = if spelled.is_empty() { Some(1.0) } else { Unit::read(spelled).factor_to(&Unit::read(wanted)) };
    let Some(factor) = factor else {
        let message = format!("the unit '{given}' of axis {} is not convertible to '{wanted}'", index + 1);
        return Err(Error::new(Status::Units, message));
    };
    let name = match keywords.text(&format!("CNAME{}", index + 1))? {
        Some(name) => name,
        None => kind.split('-').next().unwrap_or_default(),
    };
    let value = keywords.of_axis("CRVAL", index)?.unwrap_or(0.0) * factor;
    Ok((Axis { meaning, name: name.trim().to_owned(), unit: wanted.to_owned(), value }, factor))
}

/// Returns the longitude and latitude axes.
fn pair(axes: &[Axis], codes: &[String]) -> Result<Option<[usize; 2]>> {
    let of = |wanted: Meaning| -> Vec<usize> {
        axes.iter().enumerate().filter(|(_, axis)| axis.meaning == wanted).map(|(index, _)| index).collect()
    };
    match (&of(Meaning::Longitude)[..], &of(Meaning::Latitude)[..]) {
        ([], []) => Ok(None),
        ([longitude], [latitude]) if codes[*longitude] == codes[*latitude] => Ok(Some([*longitude, *latitude])),
        ([_], [_]) => wrong("longitude and latitude have different projections"),
        _ => wrong("a projection needs one longitude and one latitude axis"),
    }
}

/// Returns the matrix from pixels to intermediate world coordinates: PC and CDELT, or CD, or CDELT and CROTA. Rows are
/// multiplied by the factors of their units.
fn matrix(keywords: &Keywords, factors: &[f64], pair: Option<[usize; 2]>) -> Result<Vec<Vec<f64>>> {
    let count = factors.len();
    let read = |stem: &str| -> Result<Vec<Vec<Option<f64>>>> {
        let row = |i: usize| (0..count).map(|j| keywords.number(&format!("{stem}{}_{}", i + 1, j + 1))).collect();
        (0..count).map(row).collect()
    };
    let is_given = |matrix: &[Vec<Option<f64>>]| matrix.iter().flatten().any(Option::is_some);
    let (pc, cd) = (read("PC")?, read("CD")?);
    let mut scales = Vec::with_capacity(count);
    for axis in 0..count {
        scales.push(keywords.of_axis("CDELT", axis)?.unwrap_or(1.0) * factors[axis]);
    }
    let identity = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    if !is_given(&pc) && is_given(&cd) {
        let row = |(i, row): (usize, &Vec<Option<f64>>)| {
            let row: Vec<f64> = row.iter().map(|element| element.unwrap_or(0.0)).collect();
            // Old headers leave out the rows of axes that stand for themselves.
            let is_empty = row.iter().all(|element| *element == 0.0);
            let row = if is_empty { (0..count).map(|j| identity(i, j)).collect() } else { row };
            row.into_iter().map(|element| element * factors[i]).collect()
        };
        return Ok(cd.iter().enumerate().map(row).collect());
    }
    let element = |i: usize, j: usize| pc[i][j].unwrap_or_else(|| identity(i, j)) * scales[i];
    let mut matrix: Vec<Vec<f64>> = (0..count).map(|i| (0..count).map(|j| element(i, j)).collect()).collect();
    if let (false, Some([i, j])) = (is_given(&pc), pair)
        && let Some(angle) = keywords.of_axis("CROTA", j)?
    {
        let (sine, cosine) = angle.to_radians().sin_cos();
        (matrix[i][i], matrix[i][j]) = (scales[i] * cosine, -scales[j] * sine);
        (matrix[j][i], matrix[j][j]) = (scales[i] * sine, scales[j] * cosine);
    }
    Ok(matrix)
}

/// Reads the parameters of the celestial axes. Old projections are replaced by their successors.
fn given(keywords: &Keywords, [longitude, latitude]: [usize; 2], code: &str, axes: &[Axis]) -> Result<Given> {
    let point = [axes[longitude].value, axes[latitude].value];
    let mut reference = Reference {
        longitude: keywords.parameter(longitude, 1)?,
        latitude: keywords.parameter(longitude, 2)?,
        is_origin: keywords.parameter(longitude, 0)?.is_some_and(|flag| flag != 0.0),
    };
    let projection = match code {
        // The projection of the north celestial pole of old radio telescopes.
        "NCP" => {
            let cotangent = 1.0 / point[1].to_radians().tan();
            Projection::of("SIN", |number| Ok((number == 2).then_some(cotangent)))?
        }
        // As SFL, but the reference point moves the map, which is not oblique.
        "GLS" => {
            if point != [0.0; 2] {
                reference = Reference { longitude: Some(0.0), latitude: Some(point[1]), is_origin: true };
            }
            Projection::of("SFL", |_| Ok(None))?
        }
        _ => Projection::of(code, |number| keywords.parameter(latitude, number))?,
    };
    let longitude_of_pole = match keywords.parameter(longitude, 3)? {
        Some(angle) => Some(angle),
        None => keywords.number("LONPOLE")?,
    };
    let latitude_of_pole = match keywords.parameter(longitude, 4)? {
        Some(angle) => Some(angle),
        None => keywords.number("LATPOLE")?,
    };
    let latitude_of_pole = latitude_of_pole.filter(|angle| *angle != 999.0).unwrap_or(90.0);
    Ok(Given { projection, reference, point, longitude_of_pole, latitude_of_pole })
}

/// Returns the system of celestial coordinates.
fn system(keywords: &Keywords, kind: &str) -> Result<System> {
    let name = kind.split('-').next().unwrap_or_default();
    Ok(match name {
        "RA" => {
            // Headers before RADESYS had the keyword RADECSYS, and EPOCH for the equinox.
            let frame = match keywords.text("RADESYS")? {
                Some(frame) => Some(frame),
                None => keywords.header.text("RADECSYS")?.filter(|text| !text.is_empty()),
            };
            let equinox = match keywords.header.get(&keywords.name("EQUINOX")) {
                Some(Value::Number(equinox)) => Some(*equinox),
                Some(Value::Damaged(reason)) => return wrong(reason),
                _ => match keywords.header.get("EPOCH") {
                    Some(Value::Number(epoch)) => Some(*epoch),
                    _ => None,
                },
            };
            let frame = match (frame.map(|frame| frame.trim().to_ascii_uppercase()).as_deref(), equinox) {
                (Some("ICRS"), _) | (None, None) => "icrs",
                (Some("FK5"), _) => "fk5",
                (Some("FK4"), _) => "fk4",
                (Some("FK4-NO-E"), _) => "fk4noeterms",
                (None, Some(equinox)) => {
                    if equinox < 1984.0 {
                        "fk4"
                    } else {
                        "fk5"
                    }
                }
                (Some(other), _) => return Ok(System::Other(other.to_ascii_lowercase())),
            };
            System::Equatorial(frame.to_owned(), equinox)
        }
        "GLON" => System::Galactic,
        "ELON" => System::Ecliptic,
        "SLON" => System::Supergalactic,
        other => System::Other(other.chars().take(2).collect::<String>().to_ascii_lowercase()),
    })
}

/// Reads the polynomials of SIP.
fn sip(header: &Header, count: usize) -> Result<Option<Sip>> {
    let forward = distortion(header, ["A", "B"])?;
    let backward = distortion(header, ["AP", "BP"])?;
    match forward {
        None => Ok(None),
        Some(_) if count < 2 => wrong("a distortion needs two axes"),
        Some(forward) => Ok(Some(Sip { forward, backward })),
    }
}

/// Reads a pair of polynomials. As in astropy, polynomials of degree 1 do not count.
fn distortion(header: &Header, names: [&str; 2]) -> Result<Option<Distortion>> {
    let order = |name: &str| header.integer(&format!("{name}_ORDER"), 0..=MAX_DEGREE);
    let [f, g] = match [order(names[0])?, order(names[1])?] {
        [None, None] => return Ok(None),
        [Some(f), Some(g)] => [f, g],
        _ => {
            let [f, g] = names;
            return wrong(format!("{f}_ORDER and {g}_ORDER need each other"));
        }
    };
    if f <= 1 && g <= 1 {
        return Ok(None);
    }
    let series = |name: &str, order: i64| -> Result<Series2d> {
        let degree = usize::try_from(order).unwrap_or(0);
        let mut series = Series2d::zero(degree);
        if degree > 1 {
            for (i, j) in Series2d::terms(degree) {
                series.set(i, j, header.number(&format!("{name}_{i}_{j}"))?.unwrap_or(0.0));
            }
        }
        Ok(series)
    };
    Ok(Some(Distortion { f: series(names[0], f)?, g: series(names[1], g)? }))
}

/// Reads the numbers of pixels.
fn shape(header: &Header, count: usize) -> Result<Option<Vec<i64>>> {
    let mut shape = Vec::with_capacity(count);
    for axis in 1..=count {
        match header.integer(&format!("NAXIS{axis}"), 0..=i64::from(i32::MAX))? {
            Some(length) if length > 0 => shape.push(length),
            _ => return Ok(None),
        }
    }
    Ok(Some(shape))
}
