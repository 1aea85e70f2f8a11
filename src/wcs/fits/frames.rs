//! Coordinate frames of a FITS WCS.

use super::description::{Axis, Description, Meaning, System};
use crate::float::{DotZero, Notation};
use crate::wcs::world::{Frame, FrameAxis, FrameKind, ReferenceFrame};

/// Names of pixel axes.
const PIXEL_AXES: [&str; 3] = ["x", "y", "z"];

fn frame(name: &str, kind: FrameKind, axes: Vec<FrameAxis>, axes_order: Vec<usize>) -> Frame {
    Frame { name: name.to_owned(), kind, axes, axes_order, reference: None, frames: Vec::new() }
}

/// Returns the frame of the pixels.
pub(super) fn pixels(description: &Description) -> Frame {
    let count = description.axes.len();
    let (kind, axis_type) = if count == 2 { (FrameKind::Frame2d, "SPATIAL") } else { (FrameKind::Generic, "PIXEL") };
    let axis = |index: usize| {
        let name = PIXEL_AXES.get(index).map_or_else(|| format!("x{index}"), |name| (*name).to_owned());
        FrameAxis {
            physical_type: format!("custom:{name}"),
            name,
            unit: "pixel".to_owned(),
            axis_type: axis_type.to_owned(),
        }
    };
    frame("detector", kind, (0..count).map(axis).collect(), (0..count).collect())
}

/// Returns the frame of the world coordinates.
pub(super) fn world(description: &Description) -> Frame {
    let mut frames = Vec::new();
    if let Some((pair, _, system)) = &description.celestial {
        frames.push(celestial(*pair, system));
    }
    for (index, axis) in description.axes.iter().enumerate() {
        if !matches!(axis.meaning, Meaning::Longitude | Meaning::Latitude) {
            frames.push(other(index, axis));
        }
    }
    if let [only] = &mut frames[..] {
        return only.clone();
    }
    let mut axes = vec![FrameAxis::default(); description.axes.len()];
    let mut order = Vec::new();
    for frame in &frames {
        let mut sorted = frame.axes_order.clone();
        sorted.sort_unstable();
        for (place, axis) in sorted.iter().zip(&frame.axes) {
            axes[*place].clone_from(axis);
        }
        order.extend_from_slice(&frame.axes_order);
    }
    Frame { frames, ..frame("world", FrameKind::Composite, axes, order) }
}

/// Returns the text of an epoch.
fn epoch(letter: char, year: f64) -> String {
    let mut text = letter.to_string();
    Notation { dot_zero: DotZero::WithoutExponent, ..Notation::PYTHON }.write(&mut text, year);
    text
}

fn celestial([longitude, latitude]: [usize; 2], system: &System) -> Frame {
    let axis = |name: &str, physical_type: String| FrameAxis {
        name: name.to_owned(),
        unit: "deg".to_owned(),
        axis_type: "SPATIAL".to_owned(),
        physical_type,
    };
    let (name, stem, attributes) = match system {
        System::Equatorial(name, equinox) => {
            let mut attributes = Vec::new();
            let letter = if name.starts_with("fk4") { 'B' } else { 'J' };
            if name != "icrs"
                && let Some(year) = equinox
            {
                attributes.push(("equinox".to_owned(), epoch(letter, *year)));
            }
            (name.as_str(), "pos.eq", attributes)
        }
        System::Galactic => ("galactic", "pos.galactic", Vec::new()),
        System::Ecliptic => ("ecliptic", "pos.ecliptic", Vec::new()),
        System::Supergalactic => ("supergalactic", "pos.supergalactic", Vec::new()),
        System::Other(name) => (name.as_str(), "custom:pos", Vec::new()),
    };
    let ends = if stem == "pos.eq" { ["ra", "dec"] } else { ["lon", "lat"] };
    let mut axes = vec![
        (longitude, axis("lon", format!("{stem}.{}", ends[0]))),
        (latitude, axis("lat", format!("{stem}.{}", ends[1]))),
    ];
    axes.sort_by_key(|(place, _)| *place);
    let axes = axes.into_iter().map(|(_, axis)| axis).collect();
    let reference = Some(ReferenceFrame { name: name.to_owned(), attributes });
    Frame { reference, ..frame(name, FrameKind::Celestial, axes, vec![longitude, latitude]) }
}

/// Returns the frame of an axis that is not on the sky.
fn other(index: usize, axis: &Axis) -> Frame {
    let (kind, name, axis_type, physical_type) = match &axis.meaning {
        Meaning::Spectral(coordinate, _) => {
            let physical_type = match coordinate.as_str() {
                "FREQ" => "em.freq",
                "ENER" => "em.energy",
                "WAVN" => "em.wavenumber",
                "WAVE" | "AWAV" => "em.wl",
                "VRAD" => "spect.dopplerVeloc.radio",
                "VOPT" => "spect.dopplerVeloc.opt",
                "VELO" | "BETA" => "spect.dopplerVeloc",
                "ZOPT" => "src.redshift",
                _ => "custom:em.freq.angular",
            };
            (FrameKind::Spectral, "spectral".to_owned(), "SPECTRAL", physical_type)
        }
        Meaning::Stokes => (FrameKind::Stokes, "stokes".to_owned(), "STOKES", "phys.polarization.stokes"),
        Meaning::Time => (FrameKind::Generic, format!("time{}", index + 1), "TIME", "time"),
        _ => (FrameKind::Generic, format!("axis{}", index + 1), "LINEAR", "custom:LINEAR"),
    };
    let axis = FrameAxis {
        name: if kind == FrameKind::Stokes { "stokes".to_owned() } else { axis.name.clone() },
        unit: axis.unit.clone(),
        axis_type: axis_type.to_owned(),
        physical_type: physical_type.to_owned(),
    };
    frame(&name, kind, vec![axis], vec![index])
}
