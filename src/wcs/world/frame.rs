//! Coordinate frames: names, units and meanings of the coordinates between the steps of a WCS.

use crate::error::{Result, Status};
use crate::file::{Node, NodeType};
use crate::tags;
use crate::wcs::build::fields::{Fields, content, items, refused};
use crate::wcs::unit::{Spectral, Unit};

/// Kind of a coordinate frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[non_exhaustive]
pub enum FrameKind {
    /// A name without further information.
    Named = 0,
    /// Axes of any kind.
    Generic = 1,
    /// Two axes of a plane, usually of a detector.
    Frame2d = 2,
    /// Longitude and latitude on the sky.
    Celestial = 3,
    /// A spectral coordinate.
    Spectral = 4,
    /// Time.
    Temporal = 5,
    /// Polarization.
    Stokes = 6,
    /// Several frames together.
    Composite = 7,
}

impl FrameKind {
    /// Returns the name that gwcs's tags have for it; `name-only` for a name.
    pub fn name(self) -> &'static str {
        match self {
            FrameKind::Named => "name-only",
            FrameKind::Generic => "frame",
            FrameKind::Frame2d => "frame2d",
            FrameKind::Celestial => "celestial_frame",
            FrameKind::Spectral => "spectral_frame",
            FrameKind::Temporal => "temporal_frame",
            FrameKind::Stokes => "stokes_frame",
            FrameKind::Composite => "composite_frame",
        }
    }

    fn of_tag(tag: &str) -> Option<FrameKind> {
        let name = tag.strip_prefix("tag:stsci.edu:gwcs/")?.rsplit_once('-')?.0;
        let all = [
            FrameKind::Generic,
            FrameKind::Frame2d,
            FrameKind::Celestial,
            FrameKind::Spectral,
            FrameKind::Temporal,
            FrameKind::Stokes,
            FrameKind::Composite,
        ];
        all.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the number of axes that a frame of this kind has unless its fields tell another.
    fn axes(self) -> usize {
        match self {
            FrameKind::Frame2d | FrameKind::Celestial => 2,
            _ => 1,
        }
    }
}

/// An axis of a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameAxis {
    /// Name; empty if there is none.
    pub name: String,
    /// Unit as in the file; empty for a number without dimension.
    pub unit: String,
    /// Type, such as `SPATIAL` or `SPECTRAL`.
    pub axis_type: String,
    /// Physical type, such as `pos.eq.ra`.
    pub physical_type: String,
}

/// Reference frame of coordinates on the sky, or zero point of times.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReferenceFrame {
    /// Name, such as `icrs` or `fk5`; `time` for a zero point.
    pub name: String,
    /// Attributes with the texts of their values.
    pub attributes: Vec<(String, String)>,
}

/// A coordinate frame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// Name, unique among the frames of a WCS.
    pub name: String,
    /// Kind.
    pub kind: FrameKind,
    /// Axes in the order of the coordinates of the transform; empty for a name without information.
    pub axes: Vec<FrameAxis>,
    /// Index of the coordinate that each axis is in the native order of the frame: longitude, latitude.
    pub axes_order: Vec<usize>,
    /// Reference frame, if the frame has one.
    pub reference: Option<ReferenceFrame>,
    /// Frames of a composite frame.
    pub frames: Vec<Frame>,
}

impl Frame {
    /// Returns the indices of the coordinates that are longitude and latitude on the sky.
    pub(in crate::wcs) fn celestial(&self) -> Option<[usize; 2]> {
        match self.kind {
            FrameKind::Celestial => Some([*self.axes_order.first()?, *self.axes_order.get(1)?]),
            FrameKind::Composite => self.frames.iter().find_map(Frame::celestial),
            _ => None,
        }
    }

    /// Returns the frame of some of the coordinates, in rising order.
    pub(in crate::wcs) fn with_axes(&self, kept: &[usize]) -> Frame {
        if kept.len() >= self.axes.len() {
            return self.clone();
        }
        let place = |axis: &usize| kept.iter().position(|other| other == axis);
        let mut frames: Vec<Frame> = Vec::new();
        for frame in &self.frames {
            let order: Vec<usize> = frame.axes_order.iter().filter_map(place).collect();
            if order.is_empty() {
                continue;
            }
            let mut own: Vec<usize> = frame.axes_order.clone();
            own.sort_unstable();
            let axes = own.iter().zip(&frame.axes).filter(|(axis, _)| kept.contains(axis));
            let is_whole = order.len() == frame.axes_order.len();
            frames.push(Frame {
                kind: if is_whole { frame.kind } else { FrameKind::Generic },
                axes: axes.map(|(_, axis)| axis.clone()).collect(),
                axes_order: order,
                ..frame.clone()
            });
        }
        if let [only] = &frames[..] {
            return Frame { name: self.name.clone(), ..only.clone() };
        }
        let kind = if frames.is_empty() && self.kind != FrameKind::Named { FrameKind::Generic } else { self.kind };
        let axes_order = match &frames[..] {
            [] => (0..kept.len()).collect(),
            frames => frames.iter().flat_map(|frame| frame.axes_order.iter().copied()).collect(),
        };
        Frame {
            kind,
            axes: kept.iter().filter_map(|axis| self.axes.get(*axis).cloned()).collect(),
            axes_order,
            frames,
            ..self.clone()
        }
    }

    /// Returns the units of the coordinates.
    pub(in crate::wcs) fn units(&self) -> Vec<Option<Unit>> {
        self.axes.iter().map(|axis| Some(Unit::read(&axis.unit))).collect()
    }

    /// Reads a frame.
    pub(super) fn read(node: &Node) -> Result<Frame> {
        let node = node.resolved()?;
        if node.node_type("")? == NodeType::String {
            let empty = (Vec::new(), Vec::new(), None, Vec::new());
            let (axes, axes_order, reference, frames) = empty;
            return Ok(Frame { name: node.string("")?, kind: FrameKind::Named, axes, axes_order, reference, frames });
        }
        let tag = node.tag("")?.unwrap_or_default();
        let Some(kind) = FrameKind::of_tag(&tag) else {
            return refused(&node, Status::TagContent, &format!("'{tag}' is not the tag of a frame"));
        };
        let fields = Fields::new(&node)?;
        if kind == FrameKind::Composite { Frame::composite(&fields) } else { Frame::simple(kind, &fields) }
    }

    fn simple(kind: FrameKind, fields: &Fields) -> Result<Frame> {
        let names = fields.texts("axes_names")?;
        let order = order(fields)?;
        let naxes = fields.get("naxes")?.map(|node| content(node.u64(""))).transpose()?;
        let mut count = order.as_ref().map_or(kind.axes(), Vec::len);
        if let (FrameKind::Celestial, Some(names)) = (kind, &names) {
            count = names.len();
        }
        if kind == FrameKind::Generic {
            count = naxes.and_then(|count| usize::try_from(count).ok()).unwrap_or(count);
        }
        if count == 0 || count > 64 || order.as_ref().is_some_and(|order| order.len() != count) {
            return fields.bad("axes_order", &format!("expected the coordinate of each of {count} axes"));
        }
        let order = order.unwrap_or_else(|| (0..count).collect());
        let reference = fields.get("reference_frame")?.map(|node| reference(&node)).transpose()?;
        let units = units(fields)?;
        let types = match fields.get("axes_type")? {
            Some(node) if node.node_type("")? == NodeType::String => Some(vec![node.string("")?; count]),
            Some(_) => fields.texts("axes_type")?,
            None => None,
        };
        let physical = fields.texts("axis_physical_types")?;
        let mut axes = Vec::with_capacity(count);
        for index in 0..count {
            let given = |list: &Option<Vec<String>>| list.as_ref().and_then(|list| list.get(index).cloned());
            let mut axis = kind.axis(index);
            axis.name = given(&names).unwrap_or(axis.name);
            axis.unit = given(&units).unwrap_or(axis.unit);
            axis.axis_type = given(&types).unwrap_or(axis.axis_type);
            axis.physical_type =
                given(&physical).unwrap_or_else(|| kind.physical_type(index, &axis, reference.as_ref()));
            axes.push((order[index], axis));
        }
        axes.sort_by_key(|(place, _)| *place);
        Ok(Frame {
            name: name(fields, kind)?,
            kind,
            axes: axes.into_iter().map(|(_, axis)| axis).collect(),
            axes_order: order,
            reference,
            frames: Vec::new(),
        })
    }

    fn composite(fields: &Fields) -> Result<Frame> {
        let nodes = items(&fields.required("frames")?)?;
        let mut frames = Vec::with_capacity(nodes.len());
        let mut places: Vec<(usize, FrameAxis)> = Vec::new();
        for node in &nodes {
            let node = node.resolved()?;
            let tag = node.tag("")?.unwrap_or_default();
            let kind = FrameKind::of_tag(&tag).filter(|kind| *kind != FrameKind::Composite);
            let Some(kind) = kind else {
                return refused(&node, Status::TagContent, "expected a frame that is not composite");
            };
            let fields = Fields::new(&node)?;
            let frame = Frame::simple(kind, &fields)?;
            let mut sorted = frame.axes_order.clone();
            sorted.sort_unstable();
            for (place, axis) in sorted.into_iter().zip(&frame.axes) {
                if places.iter().any(|(other, _)| *other == place) {
                    let message = format!("the coordinate {place} belongs to two axes");
                    return fields.bad("axes_order", &message);
                }
                places.push((place, axis.clone()));
            }
            frames.push(frame);
        }
        let axes_order = frames.iter().flat_map(|frame| frame.axes_order.iter().copied()).collect();
        places.sort_by_key(|(place, _)| *place);
        if places.iter().enumerate().any(|(index, (place, _))| index != *place) {
            return fields.bad("frames", "the coordinates of the axes are not all of 0, 1, 2, …");
        }
        let axes = places.into_iter().map(|(_, axis)| axis).collect();
        let name = name(fields, FrameKind::Composite)?;
        Ok(Frame { name, kind: FrameKind::Composite, axes, axes_order, reference: None, frames })
    }
}

fn name(fields: &Fields, kind: FrameKind) -> Result<String> {
    match fields.get("name")? {
        Some(name) => content(name.string("")),
        None if kind == FrameKind::Stokes => Ok("stokes".to_owned()),
        None => Ok(String::new()),
    }
}

fn order(fields: &Fields) -> Result<Option<Vec<usize>>> {
    let Some(nodes) = fields.list("axes_order")? else { return Ok(None) };
    let read = |node: &Node| match usize::try_from(content(node.i64(""))?) {
        Ok(place) if place < 1024 => Ok(place),
        _ => refused(node, Status::TagContent, "expected the index of a coordinate"),
    };
    nodes.iter().map(read).collect::<Result<_>>().map(Some)
}

fn units(fields: &Fields) -> Result<Option<Vec<String>>> {
    match fields.get("unit")? {
        None => Ok(None),
        Some(node) if node.node_type("")? == NodeType::Sequence => {
            let text = |node: Node| match node.node_type("")? {
                NodeType::Null => Ok(String::new()),
                _ => content(node.text("")),
            };
            items(&node)?.into_iter().map(text).collect::<Result<_>>().map(Some)
        }
        Some(node) => Ok(Some(vec![content(node.text(""))?])),
    }
}

/// Returns whether a node is a time whose text is under `value`.
fn is_time(node: &Node) -> Result<bool> {
    let is_time = node.tag("")?.is_some_and(|tag| tags::name_of(&tag) == Some(tags::TIME));
    Ok(is_time && node.exists("value")? && !matches!(node.node_type("value")?, NodeType::Mapping | NodeType::Sequence))
}

fn reference(node: &Node) -> Result<ReferenceFrame> {
    let node = node.resolved()?;
    let tag = node.tag("")?.unwrap_or_default();
    let name = tag.rsplit_once('/').map_or(&*tag, |(_, name)| name);
    let name = name.rsplit_once('-').map_or(name, |(name, _)| name).to_owned();
    let text = |node: &Node| match node.node_type("")? {
        // A time with its scale.
        NodeType::Mapping if is_time(node)? => node.text("value"),
        NodeType::Mapping | NodeType::Sequence => node.to_yaml(""),
        _ => node.text(""),
    };
    let mut attributes = Vec::new();
    if node.node_type("")? != NodeType::Mapping || is_time(&node)? {
        attributes.push(("value".to_owned(), text(&node)?));
    } else if let Some(given) = Fields::new(&node)?.get("frame_attributes")? {
        for (key, value) in given.pairs()? {
            if let crate::file::NodeKey::String(key) = key {
                attributes.push((key, text(&value)?));
            }
        }
    }
    Ok(ReferenceFrame { name, attributes })
}

impl FrameKind {
    /// Returns the axis that a frame of this kind has without further information.
    fn axis(self, index: usize) -> FrameAxis {
        let second = index == 1;
        let (name, unit, axis_type) = match self {
            FrameKind::Frame2d => (if second { "y" } else { "x" }, "pixel", "SPATIAL"),
            FrameKind::Celestial => (["lon", "lat", "distance"].get(index).copied().unwrap_or(""), "deg", "SPATIAL"),
            FrameKind::Spectral => ("", "", "SPECTRAL"),
            FrameKind::Temporal => ("", "s", "TIME"),
            FrameKind::Stokes => ("stokes", "", "STOKES"),
            _ => ("", "", ""),
        };
        FrameAxis {
            name: name.to_owned(),
            unit: unit.to_owned(),
            axis_type: axis_type.to_owned(),
            physical_type: String::new(),
        }
    }

    /// Returns the physical type of an axis without one.
    fn physical_type(self, index: usize, axis: &FrameAxis, reference: Option<&ReferenceFrame>) -> String {
        let custom = |text: &str| format!("custom:{text}");
        match self {
            FrameKind::Frame2d => custom(&axis.name),
            FrameKind::Celestial => {
                let reference = reference.map_or("icrs", |reference| reference.name.as_str());
                let pair = match reference {
                    "icrs" | "fk5" | "fk4" | "fk4noeterms" => ["pos.eq.ra", "pos.eq.dec"],
                    "galactic" => ["pos.galactic.lon", "pos.galactic.lat"],
                    "gcrs" | "precessedgeocentric" | "cirs" | "itrs" | "teme" | "tete" => {
                        ["pos.bodyrc.lon", "pos.bodyrc.lat"]
                    }
                    other if other.contains("ecliptic") => ["pos.ecliptic.lon", "pos.ecliptic.lat"],
                    _ => return custom(&axis.name),
                };
                pair.get(index).map_or_else(|| custom(&axis.name), |name| (*name).to_owned())
            }
            FrameKind::Spectral => match Unit::read(&axis.unit).spectral() {
                Some(Spectral::Frequency) => "em.freq".to_owned(),
                Some(Spectral::Wavelength) => "em.wl".to_owned(),
                Some(Spectral::Energy) => "em.energy".to_owned(),
                Some(Spectral::Speed) => "spect.dopplerVeloc".to_owned(),
                None => custom(&axis.unit),
            },
            FrameKind::Temporal => "time".to_owned(),
            FrameKind::Stokes => "phys.polarization.stokes".to_owned(),
            _ => custom(&axis.axis_type),
        }
    }
}
