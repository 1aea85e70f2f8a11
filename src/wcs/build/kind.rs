//! Kinds of transforms by their tags, and the transforms that each contains.

use super::fields::{Fields, refused};
use super::labels::Labels;
use super::made::Made;
use super::{
    compound, elementary, functional, grism, jwst, polynomial, projection, rotation, selector, spectroscopy, tabular,
};
use crate::error::{Result, Status};
use crate::file::Node;
use crate::wcs::kernel::functional::definition;
use crate::wcs::model::Part;
use crate::wcs::options::BuildOptions;
use crate::wcs::projection::parameters_of;

/// Prefixes of the tags of transforms.
const PREFIXES: [(&str, Family); 4] = [
    ("tag:stsci.edu:asdf/transform/", Family::Standard),
    ("tag:stsci.edu:gwcs/", Family::Gwcs),
    ("tag:stsci.edu:jwst_pipeline/", Family::Jwst),
    ("tag:astropy.org:astropy/transform/", Family::Astropy),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Standard,
    Gwcs,
    Jwst,
    Astropy,
}

/// Kind of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Compound(&'static str),
    Elementary(&'static str),
    Polynomial,
    Orthogonal,
    Tabular,
    Spline,
    Rotation(&'static str),
    Projection(&'static str),
    Functional(&'static str),
    Spectroscopy(&'static str),
    LabelMapper,
    RegionsSelector,
    FitsImaging,
    Jwst(&'static str),
    Grism(&'static str),
}

/// Name of a transform, and the function that makes its kind.
type Named = (&'static str, fn(&'static str) -> Kind);

/// Names of the standard, with their kinds. Projections and functional models are found by their own tables.
const STANDARD: [Named; 29] = [
    ("compose", Kind::Compound),
    ("concatenate", Kind::Compound),
    ("add", Kind::Compound),
    ("subtract", Kind::Compound),
    ("multiply", Kind::Compound),
    ("divide", Kind::Compound),
    ("power", Kind::Compound),
    ("fix_inputs", Kind::Compound),
    ("shift", Kind::Elementary),
    ("scale", Kind::Elementary),
    ("multiplyscale", Kind::Elementary),
    ("identity", Kind::Elementary),
    ("constant", Kind::Elementary),
    ("remap_axes", Kind::Elementary),
    ("linear1d", Kind::Elementary),
    ("planar2d", Kind::Elementary),
    ("redshift_scale_factor", Kind::Elementary),
    ("rotate2d", Kind::Elementary),
    ("affine", Kind::Elementary),
    ("math_functions", Kind::Elementary),
    ("rotate3d", Kind::Rotation),
    ("rotate_sequence_3d", Kind::Rotation),
    ("polynomial", |_| Kind::Polynomial),
    ("ortho_polynomial", |_| Kind::Orthogonal),
    ("tabular", |_| Kind::Tabular),
    ("spline1d", |_| Kind::Spline),
    ("label_mapper", |_| Kind::LabelMapper),
    ("regions_selector", |_| Kind::RegionsSelector),
    ("fitswcs_imaging", |_| Kind::FitsImaging),
];

const GWCS: [Named; 9] = [
    ("spherical_cartesian", Kind::Rotation),
    ("direction_cosines", Kind::Rotation),
    ("grating_equation", Kind::Spectroscopy),
    ("snell3d", Kind::Spectroscopy),
    ("sellmeier_glass", Kind::Spectroscopy),
    ("sellmeier_zemax", Kind::Spectroscopy),
    ("label_mapper", |_| Kind::LabelMapper),
    ("regions_selector", |_| Kind::RegionsSelector),
    ("fitswcs_imaging", |_| Kind::FitsImaging),
];

const JWST: [Named; 15] = [
    ("miri_ab2slice", Kind::Jwst),
    ("refraction_index_from_prism", Kind::Jwst),
    ("logical", Kind::Jwst),
    ("grating_equation", Kind::Jwst),
    ("rotation_sequence", Kind::Jwst),
    ("snell", Kind::Jwst),
    ("gwa_to_slit", Kind::Jwst),
    ("slit_to_gwa", Kind::Jwst),
    ("slit_to_msa", Kind::Jwst),
    ("msa_to_slit", Kind::Jwst),
    ("niriss_soss", Kind::Jwst),
    ("coords", Kind::Jwst),
    ("nircam_grism_dispersion", Kind::Grism),
    ("niriss_grism_dispersion", Kind::Grism),
    ("miri_wfss_dispersion", Kind::Grism),
];

fn found(table: &'static [Named], name: &str) -> Option<Kind> {
    table.iter().find(|(known, _)| *known == name).map(|(known, kind)| kind(known))
}

fn standard(name: &str) -> Option<Kind> {
    found(&STANDARD, name)
        .or_else(|| definition(name).map(|definition| Kind::Functional(definition.name)))
        .or_else(|| parameters_of(name).map(|(known, _)| Kind::Projection(known)))
}

impl Kind {
    /// Returns the kind of a node. Fails if its tag does not belong to a known transform.
    pub(super) fn of(node: &Node) -> Result<Kind> {
        let Some(tag) = node.foreign_tag("")? else {
            let status = match node.node_type("")? {
                crate::file::NodeType::Mapping => Status::NotTransform,
                _ => Status::WrongType,
            };
            return refused(node, status, "expected a transform, found a node without a tag");
        };
        let unknown = || {
            let message = format!("the transform '{tag}' is not known: the file is readable, the transform is not");
            refused(node, Status::UnknownTransform, &message)
        };
        let Some((rest, family)) =
            PREFIXES.iter().find_map(|(prefix, family)| Some((tag.strip_prefix(prefix)?, family)))
        else {
            let is_other = ["tag:stsci.edu:asdf/", "tag:yaml.org,2002:"].iter().any(|prefix| tag.starts_with(prefix));
            if is_other {
                return refused(node, Status::NotTransform, &format!("'{tag}' is not the tag of a transform"));
            }
            return unknown();
        };
        let (name, version) = rest.rsplit_once('-').unwrap_or((rest, "1"));
        let kind = match family {
            Family::Standard => standard(name),
            Family::Gwcs => found(&GWCS, name),
            Family::Jwst => found(&JWST, name),
            Family::Astropy => (name == "units_mapping").then_some(Kind::Elementary("units_mapping")),
        };
        let Some(kind) = kind else {
            let frames = ["wcs", "step", "frame", "frame2d", "celestial_frame", "spectral_frame", "composite_frame"];
            if *family == Family::Gwcs && frames.contains(&name) {
                return refused(node, Status::NotTransform, &format!("'{tag}' is not the tag of a transform"));
            }
            return unknown();
        };
        if version.split('.').next() != Some("1") {
            let message = format!("the version of the transform '{tag}' is not known");
            return refused(node, Status::TransformVersion, &message);
        }
        Ok(kind)
    }

    /// Returns the transforms that a transform of this kind contains, apart from its inverse.
    pub(super) fn children(self, fields: &Fields) -> Result<Vec<Node>> {
        match self {
            Kind::Compound(name) => compound::children(name, fields),
            Kind::LabelMapper => selector::mapper_children(fields),
            Kind::RegionsSelector => selector::regions_children(fields),
            Kind::FitsImaging => Ok(vec![fields.required("projection")?]),
            Kind::Jwst(name) => jwst::children(name, fields),
            Kind::Grism(_) => grism::children(fields),
            _ => Ok(Vec::new()),
        }
    }

    /// Makes the part from its fields and the parts that it contains.
    pub(super) fn make(
        self,
        fields: &Fields,
        children: &[usize],
        parts: &mut Vec<Part>,
        labels: &mut Labels,
        options: &BuildOptions,
    ) -> Result<Made> {
        match self {
            Kind::Compound(name) => compound::make(name, fields, children, parts),
            Kind::Elementary(name) => elementary::make(name, fields),
            Kind::Polynomial => polynomial::power_series(fields),
            Kind::Orthogonal => polynomial::orthogonal(fields),
            Kind::Tabular => tabular::table(fields),
            Kind::Spline => tabular::spline(fields),
            Kind::Rotation(name) => rotation::make(name, fields),
            Kind::Projection(name) => projection::make(name, fields),
            Kind::FitsImaging => projection::fits_imaging(fields, children, parts),
            Kind::Functional(name) => functional::make(name, fields),
            Kind::Spectroscopy(name) => spectroscopy::make(name, fields),
            Kind::LabelMapper => selector::mapper(fields, children, parts, labels, options.strict_labels),
            Kind::RegionsSelector => selector::regions(fields, children, parts, labels),
            Kind::Jwst(name) => jwst::make(name, fields, children, parts),
            Kind::Grism(name) => grism::make(name, fields, children, parts),
        }
    }
}
