//! Lines of `asdfkit info` about a WCS: center, scale, orientation, footprint.

use crate::core::output::{Style, printable};
use crate::core::worlds::World;
use asdfkit::wcs::{BuildOptions, SkyGeometry, Wcs};
use asdfkit::{Error, file::Node};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Facts about a WCS.
pub(super) struct Outline {
    path: String,
    frames: Vec<String>,
    reference: Option<String>,
    /// Names and units of the world coordinates.
    axes: Vec<(String, String)>,
    image: Result<Image, Error>,
}

/// Place of the pixels in the world.
struct Image {
    center: Vec<f64>,
    world: Vec<f64>,
    footprint: Vec<Vec<f64>>,
    /// `None` for anything but an image of the sky.
    geometry: Option<SkyGeometry>,
}

impl Image {
    fn of(wcs: &Wcs) -> Result<Image, Error> {
        let center = wcs.center()?;
        let world = wcs.world(&center)?;
        let geometry = match center.as_slice() {
            [x, y] => wcs.sky_geometry(*x, *y).ok(),
            _ => None,
        };
        Ok(Image { world, footprint: wcs.footprint(false)?, geometry, center })
    }
}

impl Outline {
    /// Returns the facts about the WCS at a node. If a transform cannot be evaluated, the facts about the image are its
    /// error.
    pub(super) fn of(path: &str, node: &Node) -> Outline {
        let wcs = match Wcs::from_node(node, &BuildOptions::default()) {
            Ok(wcs) => wcs,
            Err(error) => {
                let (frames, axes) = (Vec::new(), Vec::new());
                return Outline { path: path.to_owned(), frames, reference: None, axes, image: Err(error) };
            }
        };
        let image = Image::of(&wcs);
        let world = World { path: path.to_owned(), wcs };
        let axes = world.frame().map_or(&[][..], |frame| &frame.axes);
        Outline {
            frames: world.wcs.frames().map(|frame| frame.name.clone()).collect(),
            reference: world.reference().map(str::to_owned),
            axes: axes.iter().map(|axis| (axis.name.clone(), axis.unit.clone())).collect(),
            image,
            path: world.path,
        }
    }

    pub(super) fn json(&self) -> Value {
        let axes = self.axes.iter().map(|(name, unit)| json!({"name": name, "unit": unit}));
        let mut facts = json!({
            "path": self.path,
            "frames": self.frames,
            "reference_frame": self.reference,
            "axes": axes.collect::<Vec<_>>(),
        });
        match &self.image {
            Err(error) => facts["error"] = json!(error.to_string()),
            Ok(image) => {
                facts["center"] = json!({"pixel": image.center, "world": image.world});
                facts["footprint"] = json!(image.footprint);
                if let Some(geometry) = &image.geometry {
                    facts["pixel_scale"] = json!(geometry.area.sqrt());
                    facts["position_angle"] = json!(geometry.position_angle);
                    facts["mirrored"] = json!(geometry.is_mirrored);
                }
            }
        }
        facts
    }

    pub(super) fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let frames: Vec<String> = self.frames.iter().map(|frame| printable(frame)).collect();
        write!(out, "WCS {}: {}", style.name(printable(&self.path)), frames.join(" → "))?;
        if let Some(reference) = &self.reference {
            write!(out, " ({})", printable(reference))?;
        }
        writeln!(out)?;
        let image = match &self.image {
            Err(error) => return writeln!(out, "  {} {}", style.bad("not evaluated:"), printable(error.message())),
            Ok(image) => image,
        };
        let named = |(value, (name, unit)): (&f64, &(String, String))| {
            format!("{} {value:.7} {}", printable(name), printable(unit)).trim().to_owned()
        };
        let center: Vec<String> = image.world.iter().zip(&self.axes).map(named).collect();
        writeln!(out, "  center: {}", center.join(", "))?;
        if let Some(geometry) = &image.geometry {
            let mirrored = if geometry.is_mirrored { ", mirrored" } else { "" };
            let scale = geometry.area.sqrt() * 3600.0;
            let angle = angle_text(geometry.position_angle);
            writeln!(out, "  scale: {scale:.6} arcsec/pixel; y axis {angle}° from north through east{mirrored}")?;
        }
        let corner = |corner: &Vec<f64>| corner.iter().map(|value| format!("{value:.7}")).collect::<Vec<_>>().join(" ");
        let corners: Vec<String> = image.footprint.iter().map(corner).collect();
        writeln!(out, "  footprint: {}", corners.join(", "))
    }
}

/// Returns an angle from 0 to 360 degrees with three decimals. Almost a whole turn is rounded to 0, which has no sign.
fn angle_text(degrees: f64) -> String {
    format!("{:.3}", (degrees * 1000.0).round().rem_euclid(360_000.0) / 1000.0 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::angle_text;

    #[test]
    fn a_whole_turn_is_no_angle() {
        for (degrees, text) in [(0.0, "0.000"), (359.9994, "359.999"), (359.9996, "0.000"), (-0.0001, "0.000")] {
            assert_eq!(angle_text(degrees), text);
        }
    }
}
