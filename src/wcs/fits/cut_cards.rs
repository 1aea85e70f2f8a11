//! Cut-outs of a WCS of `astropy.wcs`: its cards and attributes are changed where they are.

use super::cut::Cut;
use super::description::{Description, MAX_AXES};
use super::node::{header, header_node, letter, parts};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::wcs::build::fields::{Fields, content, items, refused};

/// Changes the reference pixel, the matrix and distortions, and the shape and bounds of the pixels.
pub(super) fn cut_cards(node: &Node, cuts: &[Cut]) -> Result<()> {
    let fields = Fields::new(node)?;
    let attributes = Fields::new(&fields.required("attrs")?.resolved()?)?;
    let cards = Cards { node: header_node(&fields)?, letter: letter(&attributes)?.to_string().trim().to_owned() };
    // A stack of images has more axes than its WCS.
    let axes = axes(&attributes, &cards)?.unwrap_or(cuts.len());
    let cuts = &cuts[..cuts.len().min(axes)];
    cards.refuse_tables(cuts)?;
    for (axis, cut) in cuts.iter().enumerate() {
        let keyword = format!("CRPIX{}", axis + 1);
        let pixel = cards.number(&keyword)?.unwrap_or(0.0) - 1.0;
        cards.set(&keyword, cut.moved(pixel) + 1.0)?;
        if !cut.is_shift() {
            cards.scale_matrix(axis, cut.step as f64)?;
        }
    }
    if cuts.iter().any(|cut| !cut.is_shift()) {
        cards.scale_distortions(cuts)?;
    }
    set_shape(&attributes, cuts, axes)
}

/// Returns the number of axes, if it is known.
fn axes(attributes: &Fields, cards: &Cards) -> Result<Option<usize>> {
    if let Some(count) = attributes.get("naxis")? {
        return Ok(usize::try_from(content(count.i64(""))?).ok().filter(|count| *count <= MAX_AXES));
    }
    let letter = cards.letter.chars().next().unwrap_or(' ');
    Ok(Description::read(&header(&cards.node)?, letter).ok().map(|description| description.axes.len()))
}

/// Cards of a header.
struct Cards {
    node: Node,
    /// Letter of an alternate WCS, or an empty text.
    letter: String,
}

impl Cards {
    /// Returns the node of the value of a keyword.
    fn place(&self, keyword: &str) -> Result<Option<Node>> {
        let mut found = None;
        for card in items(&self.node)? {
            match parts(&card)? {
                Some((name, value)) if name == keyword => found = Some(value),
                _ => {}
            }
        }
        Ok(found)
    }

    fn number(&self, keyword: &str) -> Result<Option<f64>> {
        let place = self.place(&format!("{keyword}{}", self.letter))?;
        place.map(|place| content(place.f64(""))).transpose()
    }

    /// Sets a number; a new card comes before the end.
    fn set(&self, keyword: &str, value: f64) -> Result<()> {
        let keyword = format!("{keyword}{}", self.letter);
        if let Some(place) = self.place(&keyword)? {
            return place.set_f64("", value);
        }
        let index = self.node.count("")?;
        self.node.set_sequence("-", true)?;
        self.node.set_string(&format!("{index}/-"), &keyword)?;
        self.node.set_f64(&format!("{index}/-"), value)?;
        self.node.set_string(&format!("{index}/-"), "")
    }

    /// Fails for distortions in tables, which depend on the pixels of the whole image.
    fn refuse_tables(&self, cuts: &[Cut]) -> Result<()> {
        for axis in 1..=cuts.len().max(2) {
            for keyword in ["CPDIS", "CQDIS", "D2IMDIS"] {
                if let Some(place) = self.place(&format!("{keyword}{axis}"))? {
                    let message = "a WCS with distortions in tables cannot be cut";
                    return refused(&place, Status::Unsupported, message);
                }
            }
        }
        Ok(())
    }

    /// Multiplies the column of a pixel axis in the matrix.
    fn scale_matrix(&self, axis: usize, factor: f64) -> Result<()> {
        let header = header(&self.node)?;
        let names: Vec<&str> = header.keywords().collect();
        let has = |stem: &str| {
            names.iter().any(|name| {
                let rest = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(self.letter.as_str()));
                rest.and_then(|rest| rest.split_once('_')).is_some_and(|(row, _)| row.parse::<usize>().is_ok())
            })
        };
        let is_rotated = names.iter().any(|name| name.starts_with("CROTA"));
        let (has_pc, has_cd) = (has("PC"), has("CD"));
        if is_rotated && !has_pc && !has_cd {
            return refused(&self.node, Status::Unsupported, "a WCS with CROTA cannot be cut with a step");
        }
        let stem = if has_cd && !has_pc { "CD" } else { "PC" };
        for row in 1..=MAX_AXES {
            let keyword = format!("{stem}{row}_{}", axis + 1);
            // Elements of the diagonal are 1 if they have no card.
            let default = (stem == "PC" && row == axis + 1).then_some(1.0);
            if let Some(element) = self.number(&keyword)?.or(default) {
                self.set(&keyword, element * factor)?;
            }
        }
        Ok(())
    }

    /// Changes the coefficients of SIP to those for other pixels.
    fn scale_distortions(&self, cuts: &[Cut]) -> Result<()> {
        let step = |axis: usize| cuts.get(axis).map_or(1.0, |cut| cut.step as f64);
        for card in items(&self.node)? {
            let Some((name, place)) = parts(&card)? else { continue };
            let Some((stem, i, j)) = sip_term(&name) else { continue };
            if !matches!(place.node_type("")?, NodeType::Integer | NodeType::Float) {
                continue;
            }
            // The corrections are pixels, too: along x of A and AP, along y of B and BP.
            let own = if stem.starts_with('A') { step(0) } else { step(1) };
            let factor = step(0).powi(i) * step(1).powi(j) / own;
            place.set_f64("", content(place.f64(""))? * factor)?;
        }
        Ok(())
    }
}

/// Returns the name of a polynomial of SIP and the exponents of a term.
fn sip_term(name: &str) -> Option<(&str, i32, i32)> {
    let mut pieces = name.split('_');
    let stem = pieces.next().filter(|stem| ["A", "B", "AP", "BP"].contains(stem))?;
    let (i, j) = (pieces.next()?.parse().ok()?, pieces.next()?.parse().ok()?);
    (pieces.next().is_none() && (0..=9).contains(&i) && (0..=9).contains(&j)).then_some((stem, i, j))
}

/// Changes the shape and the bounds of the pixels.
fn set_shape(attributes: &Fields, cuts: &[Cut], axes: usize) -> Result<()> {
    let node = &attributes.node;
    let known = attributes.list("pixel_shape")?;
    if known.is_some() || axes <= cuts.len() {
        let mut shape = Vec::with_capacity(axes);
        for axis in 0..axes {
            shape.push(match (cuts.get(axis), known.as_ref().and_then(|known| known.get(axis))) {
                (Some(cut), _) => Some(cut.count),
                (None, Some(length)) if length.node_type("")? == NodeType::Integer => Some(length.i64("")?),
                _ => None,
            });
        }
        node.set_sequence("pixel_shape", true)?;
        for length in shape {
            match length {
                Some(length) => node.set_i64("pixel_shape/-", length)?,
                None => node.set_null("pixel_shape/-")?,
            }
        }
    }
    let Some(bounds) = attributes.list("pixel_bounds")? else { return Ok(()) };
    for (bound, cut) in bounds.iter().zip(cuts) {
        if bound.node_type("")? == NodeType::Sequence {
            let ends = items(bound)?;
            let [low, high] = &ends[..] else {
                return Err(bound.locate(Error::new(Status::TagContent, "expected the two ends of an interval")));
            };
            let moved = cut.moved_interval([content(low.f64(""))?, content(high.f64(""))?]);
            low.set_f64("", moved[0])?;
            high.set_f64("", moved[1])?;
        }
    }
    Ok(())
}
