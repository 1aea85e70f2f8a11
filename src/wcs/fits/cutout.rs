//! WCS of a cut-out: the WCS of an image, for the pixels of a region of it.

use super::cards::made_file;
use super::cut::Cut;
use super::cut_cards::cut_cards;
use super::cut_limits::move_limits;
use crate::array::Region;
use crate::error::{Error, Result, Status};
use crate::file::{File, NewOptions, Node, NodeType};
use crate::tags::{self, standard_tag};
use crate::wcs::build::fields::{Fields, content, items, place_of, refused};
use crate::wcs::kind::{Kind, kind_of};
use crate::wcs::options::BuildOptions;
use crate::wcs::world::Wcs;

/// Largest number of wrappers around a WCS.
const MAX_WRAPPERS: usize = 32;

/// Returns the cuts of pixel axes, the first pixel axis first.
fn cuts(region: &Region) -> Result<Vec<Cut>> {
    let rank = region.start.len();
    let wrong = |message: &str| Err(Error::new(Status::InvalidArgument, message));
    if region.count.len() != rank || region.step.is_some_and(|step| step.len() != rank) {
        return wrong("start, count and step of a region must have one length");
    }
    let mut cuts = Vec::with_capacity(rank);
    for axis in (0..rank).rev() {
        let cut = Cut {
            start: region.start[axis],
            step: region.step.map_or(1, |step| step[axis]),
            count: region.count[axis],
        };
        if cut.step == 0 {
            return wrong("the step of a region is not 0");
        }
        if cut.count < 1 {
            return wrong("an empty region has no WCS");
        }
        cuts.push(cut);
    }
    Ok(cuts)
}

impl Wcs {
    /// Writes the WCS of a part of an image to a path below a node. Pixel p of the part has the world coordinates that
    /// the WCS at `source` gives pixel `start + step · p` of the whole. The region is one of the image's array.
    ///
    /// The last axis of the region is the first pixel axis. A region with more axes than the WCS has pixel axes is
    /// allowed, as for a stack of images with one WCS; pixel axes without one in the region stay whole.
    ///
    /// In a tree of gwcs, shifts (and scales, for steps) come before the first transform; the bounding box is moved and
    /// limited to the part, and the pixel shape is that of the part. In a WCS of astropy, cards and attributes are
    /// changed. A WCS with an unknown transform can be cut, too.
    ///
    /// Fails with [`Status::InvalidArgument`] for an empty region or a step of 0, with [`Status::NotTransform`] if
    /// there is no WCS at `source`, and with [`Status::Unsupported`] for FITS distortions in tables. Nothing is
    /// written then.
    pub fn write_cutout(node: &Node, path: &str, source: &Node, region: &Region) -> Result<()> {
        node.setting(path, || {
            let cuts = cuts(region)?;
            let standard = node.file().standard_version();
            let made = File::new(&NewOptions { standard, ..NewOptions::default() });
            let root = made.root()?;
            root.copy_from("wcs", source, None)?;
            cut(source, &root.at("wcs")?, &cuts)?;
            node.copy_from(path, &root.at("wcs")?, None)
        })
    }
}

/// Changes the copy of a WCS.
fn cut(source: &Node, copy: &Node, cuts: &[Cut]) -> Result<()> {
    let (mut source, mut copy) = (source.resolved()?, copy.resolved()?);
    for _ in 0..MAX_WRAPPERS {
        let tag = copy.tag("")?.unwrap_or_default();
        match kind_of(&tag) {
            Some(Kind::Gwcs) => return cut_gwcs(&source, &copy, cuts),
            Some(Kind::Fits) => return cut_cards(&copy, cuts),
            Some(Kind::Sliced) => return cut_slices(&copy, cuts),
            Some(Kind::Wrapped) => {}
            None => return refused(&source, Status::NotTransform, "the node is not a WCS"),
        }
        (source, copy) = (source.at("wcs")?.resolved()?, copy.at("wcs")?.resolved()?);
    }
    Err(source.locate(Error::limit("wrappers of a WCS", MAX_WRAPPERS as u64)))
}

/// Changes slices of a WCS, which itself stays whole.
fn cut_slices(copy: &Node, cuts: &[Cut]) -> Result<()> {
    let mut cuts = cuts.iter();
    for slice in items(&Fields::new(copy)?.required("slices_array")?)?.iter().rev() {
        if slice.node_type("")? == NodeType::Integer {
            continue;
        }
        let Some(cut) = cuts.next() else { break };
        if !cut.is_shift() {
            return refused(slice, Status::Unsupported, "a sliced WCS cannot be cut with a step");
        }
        let first = match Fields::new(slice)?.get("start")? {
            Some(start) => content(start.i64(""))?.saturating_add(cut.start),
            None => cut.start,
        };
        slice.set_i64("start", first)?;
        slice.set_i64("stop", first.saturating_add(cut.count))?;
    }
    Ok(())
}

/// Changes a WCS of gwcs.
fn cut_gwcs(source: &Node, copy: &Node, cuts: &[Cut]) -> Result<()> {
    let fields = Fields::new(copy)?;
    let steps = items(&fields.required("steps")?)?;
    let first = steps.first().map(Node::resolved).transpose()?;
    let Some(transform) = first.as_ref().map(|step| Fields::new(step)?.get("transform")).transpose()?.flatten() else {
        return Err(place_of(source).error(Status::NoTransform, "the WCS has no transform"));
    };
    let transform = transform.resolved()?;
    // A transform that cannot be built has no default box, and its names must be in the file.
    let built = Wcs::from_node(source, &BuildOptions::default());
    let names = match (&built.as_ref().map(Wcs::first_inputs), Fields::new(&transform)?.texts("inputs")?) {
        (Ok(Some(names)), _) => names.to_vec(),
        (_, Some(names)) => names,
        _ => return refused(source, Status::UnknownTransform, "the number of pixel axes is not known"),
    };
    let cuts = &cuts[..cuts.len().min(names.len())];
    let has_box = transform.exists("bounding_box")?;
    if has_box {
        move_limits(&transform.at("bounding_box")?, &names, cuts)?;
    } else if let Some(limits) = built.as_ref().ok().and_then(|wcs| wcs.bounding_box().ok())
        && let Some(limits) = limits.into_iter().collect::<Option<Vec<_>>>()
    {
        set_limits(&transform, &limits, cuts)?;
    }
    let has_box = transform.exists("bounding_box")?;
    if cuts.iter().any(|cut| cut.start != 0 || cut.step != 1) {
        let quantity = match built.as_ref().is_ok_and(Wcs::has_units) {
            true => Some(standard_tag(tags::QUANTITY, copy.file().standard_version())?),
            false => None,
        };
        let made = made_file(&format!("shift: {}", shifts(names.len(), cuts, quantity.as_deref())), copy)?;
        prepend(&steps[0].resolved()?, &made.root()?.at("shift")?, &names, has_box)?;
    }
    set_shape(copy, &names, cuts)
}

/// Writes the box that the type of a transform brings, moved.
fn set_limits(transform: &Node, limits: &[[f64; 2]], cuts: &[Cut]) -> Result<()> {
    let moved = |input: usize| cuts.get(input).map_or(limits[input], |cut| cut.moved_interval(limits[input]));
    transform.set_sequence("bounding_box", true)?;
    if limits.len() == 1 {
        return moved(0).into_iter().try_for_each(|end| transform.set_f64("bounding_box/-", end));
    }
    // The last input comes first.
    for (place, input) in (0..limits.len()).rev().enumerate() {
        transform.set_sequence("bounding_box/-", true)?;
        let item = format!("bounding_box/{place}/-");
        moved(input).into_iter().try_for_each(|end| transform.set_f64(&item, end))?;
    }
    Ok(())
}

/// Puts a transform before that of a step.
fn prepend(step: &Node, shift: &Node, names: &[String], has_box: bool) -> Result<()> {
    let path = step.path()?;
    let root = step.file().root()?;
    let transform = format!("{path}/transform");
    root.move_to(&transform, "/old")?;
    root.copy_from(&transform, shift, None)?;
    root.move_to("/old", &format!("{transform}/forward/-"))?;
    let old = root.at(&format!("{transform}/forward/1"))?;
    if old.exists("outputs")? {
        root.copy_from(&format!("{transform}/outputs"), &old.at("outputs")?, None)?;
    }
    root.set_sequence(&format!("{transform}/inputs"), true)?;
    names.iter().try_for_each(|name| root.set_string(&format!("{transform}/inputs/-"), name))?;
    if has_box {
        // Boxes of parts have no effect, but readers would take this one for that of the part.
        root.copy_from(&format!("{transform}/bounding_box"), &old.at("bounding_box")?, None)?;
        old.remove("bounding_box")?;
    }
    Ok(())
}

/// Returns the text of the composition with shifts of the inputs; its second transform is missing. With the tag of
/// quantities, inputs have the unit of pixels.
fn shifts(inputs: usize, cuts: &[Cut], quantity: Option<&str>) -> String {
    let ends = "inputs: [x], outputs: [y]";
    let mut all: Option<String> = None;
    for input in 0..inputs {
        let Cut { start, step, .. } = cuts.get(input).copied().unwrap_or(Cut { start: 0, step: 1, count: 0 });
        let offset = match quantity {
            Some(tag) => format!("!<{tag}> {{unit: !unit/unit-1.0.0 pixel, value: {start}.0}}"),
            None => format!("{start}.0"),
        };
        let mut one = format!("!transform/shift-1.2.0 {{{ends}, offset: {offset}}}");
        if step != 1 {
            // Python cannot invert a scale of quantities.
            let name = if quantity.is_some() { "multiplyscale-1.0.0" } else { "scale-1.2.0" };
            let scale = format!("!transform/{name} {{{ends}, factor: {step}.0}}");
            one = format!("!transform/compose-1.2.0 {{{ends}, forward: [{scale}, {one}]}}");
        }
        all = Some(match all {
            None => one,
            Some(before) => format!("!transform/concatenate-1.2.0 {{forward: [{before}, {one}]}}"),
        });
    }
    format!("!transform/compose-1.2.0\n  forward:\n  - {}", all.unwrap_or_default())
}

/// Sets the shape of the pixels.
fn set_shape(copy: &Node, names: &[String], cuts: &[Cut]) -> Result<()> {
    let known = match Fields::new(copy)?.get("pixel_shape")? {
        None => Vec::new(),
        Some(node) => items(&node)?,
    };
    let mut shape = Vec::with_capacity(names.len());
    for axis in 0..names.len() {
        match (cuts.get(axis), known.get(axis)) {
            (Some(cut), _) => shape.push(cut.count),
            (None, Some(length)) if length.node_type("")? == NodeType::Integer => shape.push(length.i64("")?),
            // The lengths of the other axes are not known.
            _ => return Ok(()),
        }
    }
    if known.is_empty() && copy.resolved()?.at("steps/0/frame")?.node_type("")? == NodeType::String {
        return Ok(());
    }
    copy.set_sequence("pixel_shape", true)?;
    shape.iter().try_for_each(|length| copy.set_i64("pixel_shape/-", *length))
}
