//! Positions on the sky, stored in files.
//!
//! # Storing coordinates
//!
//! Positions are stored as astropy's SkyCoord. Attributes of the frame and velocities are set like other nodes. Astropy
//! has a default for each attribute.
//!
//! ```c
//! double ra[2] = {10.5, 11.5}, dec[2] = {-5.0, 41.25};
//! int64_t shape[1] = {2};
//! asdf_node_set_coordinates(root, "target", "fk5", 1, shape, ra, dec, "deg", NULL, NULL, NULL);
//! asdf_node_set_time(root, "target/equinox", "J1975.0", 7);
//! asdf_node_set_f64(root, "target/pm_ra_cosdec/value", 1.5);
//! asdf_node_set_quantity(root, "target/pm_ra_cosdec", "mas / yr", 8);
//! ```

use crate::array::ReadOptions;
use crate::error::{Error, Status};
use crate::ffi::array::datatype::rank as checked_rank;
use crate::ffi::array::options::array_options;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_node, asdf_options};
use crate::ffi::node::write::set;
use crate::ffi::options::taken::{Taken, take};
use crate::standard::SkyPoints;
use std::ffi::c_char;

/// Returns the options for reading components.
pub(super) fn read_options(options: &Taken) -> ReadOptions {
    ReadOptions { threads: options.threads(), ..ReadOptions::default() }
}

/// Stores positions on the sky as astropy's coordinates/skycoord. Several become arrays. Velocities and attributes of
/// the frame are set afterwards, under their names: see Storing coordinates.
///
/// Errors:
///
/// - ASDF_ERR_INVALID_ARGUMENT for a frame that astropy does not have
/// - ASDF_ERR_UNITS for a unit that is not one of angles or lengths
/// - ASDF_ERR_OUT_OF_RANGE for a latitude beyond 90 degrees and a negative distance, which astropy does not read
/// - ASDF_ERR_UNSUPPORTED in files of standard 1.0.0, which has no quantities
///
/// @param node          node that the path starts from
/// @param path          the path
/// @param frame         name of the frame as astropy has it: "icrs", "fk5", "galactic", "altaz"
/// @param rank          number of axes, 0 for a single position
/// @param shape         extent along each axis, slowest first; may be NULL for rank 0
/// @param longitudes    right ascensions, galactic longitudes or azimuths, in C order; may be NULL if there are none
/// @param latitudes     declinations, galactic latitudes or altitudes; may be NULL if there are none
/// @param unit          unit of the angles, in any spelling: "deg", "rad"
/// @param distances     distances, in C order, or NULL for none
/// @param distance_unit unit of the distances, such as "pc"; NULL exactly if the distances are
/// @param options       options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_coordinates(
    node: *mut asdf_node,
    path: *const c_char,
    frame: *const c_char,
    rank: i32,
    shape: *const i64,
    longitudes: *const f64,
    latitudes: *const f64,
    unit: *const c_char,
    distances: *const f64,
    distance_unit: *const c_char,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let shape = caller.numbers(shape, checked_rank(rank)?, "shape")?;
        let count = shape.iter().try_fold(1_usize, |count, &extent| count.checked_mul(usize::try_from(extent).ok()?));
        let too_large = || Error::new(Status::InvalidArgument, "the shape has a negative or too large extent");
        let count = count.ok_or_else(too_large)?;
        let distances = match (distances.is_null(), caller.optional_text(distance_unit, "distance_unit")?) {
            (false, Some(unit)) => Some((caller.numbers(distances, count, "distances")?, unit)),
            (true, None) => None,
            _ => {
                let message = "distances need both 'distances' and 'distance_unit'; pass both or neither";
                return Err(Error::new(Status::InvalidArgument, message));
            }
        };
        let points = SkyPoints {
            frame: caller.text(frame, "frame")?,
            shape,
            longitudes: caller.numbers(longitudes, count, "longitudes")?,
            latitudes: caller.numbers(latitudes, count, "latitudes")?,
            unit: caller.text(unit, "unit")?,
            distances,
        };
        let options = take(caller, options, "asdf_node_set_coordinates")?;
        points.set(node, path, &array_options(&options)?)
    })
}
