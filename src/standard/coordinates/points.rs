//! Coordinates that were read from a node: components, read on demand, and attributes.

use super::kind::CoordinatesKind;
use super::names;
use crate::array::{Array, ReadOptions};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::standard::units::{Conversion, Spelling, Unit};

/// Coordinates of a file: points on the sky or in space, a frame, or angles.
///
/// A component, such as `ra`, has a name in the frame and a general name: `lon`, `lat`, `distance`, `x`, `pm_lon_coslat`
/// and so on. It is found under both. Its numbers are read on demand, so coordinates keep their file open.
#[derive(Clone, Debug)]
pub struct Coordinates {
    pub(super) kind: CoordinatesKind,
    pub(super) frame: String,
    pub(super) representation: String,
    pub(super) differential: String,
    pub(super) components: Vec<Component>,
    pub(super) attributes: Vec<(String, Node)>,
    pub(super) node: Node,
}

/// A component of coordinates.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// Name in the frame.
    pub(super) name: String,
    /// Number or array.
    pub(super) value: Node,
    pub(super) unit: String,
}

impl Coordinates {
    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> CoordinatesKind {
        self.kind
    }

    /// Returns the name of the frame as astropy has it: `icrs`, `fk5`, `galactic`. Empty without a frame.
    #[must_use]
    pub fn frame(&self) -> &str {
        &self.frame
    }

    /// Returns the name of the representation of positions as astropy has it: `spherical`, `unitspherical`,
    /// `cartesian`. Empty without positions.
    #[must_use]
    pub fn representation(&self) -> &str {
        &self.representation
    }

    /// Returns the name of the representation of velocities as astropy has it: `sphericalcoslat`, `cartesian`. Empty
    /// without velocities.
    #[must_use]
    pub fn differential(&self) -> &str {
        &self.differential
    }

    /// Returns the node that the coordinates were read from.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// Returns the names of the components: angles or Cartesian coordinates first, then the distance, then velocities.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.components.iter().map(|component| &*component.name)
    }

    /// Returns whether there is a component of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.component(name).is_ok()
    }

    /// Returns the unit of a component, as the file has it. Fails with [`Status::NotFound`] if there is no such
    /// component.
    pub fn unit(&self, name: &str) -> Result<&str> {
        Ok(&self.component(name)?.unit)
    }

    /// Returns the array of a component. Fails with [`Status::WrongType`] if it is a single number.
    pub fn array(&self, name: &str) -> Result<Array> {
        self.component(name)?.value.array("")
    }

    /// Reads the numbers of a component, in C order; NaN for missing ones. They are converted to `unit`, or stay in the
    /// unit of the component if it is `None`. A single number stands for all points.
    ///
    /// Fails with [`Status::NotFound`] if there is no such component, with [`Status::Units`] if its unit cannot be
    /// converted, and with the errors of reading arrays.
    pub fn numbers(&self, name: &str, unit: Option<&str>, options: &ReadOptions) -> Result<Vec<f64>> {
        let component = self.component(name)?;
        let conversion = component.conversion(unit)?;
        let mut numbers = match component.array()? {
            Some(array) => {
                let (mut numbers, mask) = array.read_masked_vec::<f64>(None, options)?;
                for (number, _) in numbers.iter_mut().zip(&mask).filter(|(_, is_missing)| **is_missing) {
                    *number = f64::NAN;
                }
                numbers
            }
            None => vec![component.value.f64("")?],
        };
        if conversion != Conversion::IDENTITY {
            numbers.iter_mut().for_each(|number| *number = conversion.apply(*number));
        }
        if let [number] = numbers[..] {
            let count = self.count()?;
            if count > 1 {
                numbers.try_reserve_exact(count).map_err(|_| Error::out_of_memory(count as u64))?;
                numbers.resize(count, number);
            }
        }
        Ok(numbers)
    }

    /// Returns the shape of the points, which all components have unless they are single numbers. Empty for a single
    /// point.
    ///
    /// Fails with [`Status::TagContent`] if components differ in their shape.
    pub fn shape(&self) -> Result<Vec<i64>> {
        let mut shape: Vec<i64> = Vec::new();
        for component in &self.components {
            let Some(array) = component.array()? else { continue };
            if array.element_count() == 1 && !shape.is_empty() {
                continue;
            }
            if !shape.is_empty() && shape.iter().product::<i64>() != 1 && shape != array.shape() {
                let message = "the components of coordinates differ in their shape";
                return Err(component.value.locate(Error::new(Status::TagContent, message)));
            }
            shape = array.shape().to_vec();
        }
        Ok(shape)
    }

    /// Returns the number of points, the product of the extents. 0 for a frame without points.
    pub fn count(&self) -> Result<usize> {
        if self.components.is_empty() {
            return Ok(0);
        }
        let shape = self.shape()?;
        let count = shape.iter().try_fold(1_usize, |count, &extent| count.checked_mul(usize::try_from(extent).ok()?));
        count.ok_or_else(|| self.node.locate(Error::out_of_memory(u64::MAX)))
    }

    /// Returns the attributes of the frame, such as `equinox`, `obstime` and `location`, of a place (`ellipsoid`), of a
    /// longitude (`wrap_angle`) and of spectral coordinates (`observer`, `target`): names and nodes.
    #[must_use]
    pub fn attributes(&self) -> &[(String, Node)] {
        &self.attributes
    }

    /// Returns the node of an attribute. Fails with [`Status::NotFound`] if there is none.
    pub fn attribute(&self, name: &str) -> Result<&Node> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, node)| node).ok_or_else(|| {
            let message = format!("the coordinates have no attribute '{}'", name.escape_debug());
            self.node.locate(Error::new(Status::NotFound, message))
        })
    }

    fn component(&self, name: &str) -> Result<&Component> {
        let own = names::in_frame(&self.frame, name);
        let named = |wanted: &str| self.components.iter().find(|component| component.name == wanted);
        named(name).or_else(|| named(&own)).ok_or_else(|| {
            let known: Vec<&str> = self.names().collect();
            let message =
                format!("the coordinates have no component '{}', but: {}", name.escape_debug(), known.join(", "));
            self.node.locate(Error::new(Status::NotFound, message))
        })
    }
}

impl Component {
    /// Returns the array of the component; `None` for a single number.
    fn array(&self) -> Result<Option<Array>> {
        match self.value.node_type("")? {
            NodeType::Mapping | NodeType::Sequence => self.value.array("").map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the conversion to a unit, which can have any spelling.
    fn conversion(&self, unit: Option<&str>) -> Result<Conversion> {
        let Some(unit) = unit else { return Ok(Conversion::IDENTITY) };
        let [own, wanted] = [&*self.unit, unit].map(|text| Unit::read(text, Spelling::VoUnit));
        own.conversion_to(&wanted, &[]).map_err(|error| self.value.locate(error))
    }
}
