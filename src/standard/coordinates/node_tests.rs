//! Coordinates in trees, as asdf-astropy writes them.

use super::{CoordinatesKind, SkyPoints};
use crate::array::ReadOptions;
use crate::error::{Result, Status};
use crate::file::{ArrayOptions, File, NewOptions, Node, OpenOptions, StandardVersion};
use crate::standard::{Coordinates, NodeKind, TimeOptions};
use std::sync::Arc;

const A: &str = "!<tag:astropy.org:astropy/coordinates";

fn open(content: &str) -> Node {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\nx: {content}\n...\n"
    );
    File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap().root().unwrap()
}

fn read(content: &str) -> Result<Coordinates> {
    Coordinates::read(&open(content), "x")
}

fn numbers(coordinates: &Coordinates, name: &str, unit: &str) -> Vec<f64> {
    coordinates.numbers(name, Some(unit), &ReadOptions::default()).unwrap()
}

fn names(coordinates: &Coordinates) -> Vec<&str> {
    coordinates.names().collect()
}

fn quantity(value: &str, unit: &str) -> String {
    format!("!unit/quantity-1.3.0 {{value: {value}, unit: !unit/unit-1.0.0 {unit}}}")
}

fn angle(kind: &str, value: &str) -> String {
    format!("{A}/{kind}-1.2.0> {{value: {value}, unit: !unit/unit-1.0.0 deg}}")
}

#[test]
fn a_sky_coordinate_has_components_and_attributes() {
    let content = format!(
        "{A}/skycoord-1.0.0> {{dec: {}, differential_type: sphericalcoslat, distance: {}, equinox: !time/time-1.4.0 \
         {{scale: tt, value: J1975.000}}, frame: fk5, pm_dec: {}, pm_ra_cosdec: {}, ra: {}, representation_type: spherical, \
         obstime: null}}",
        angle("latitude", "[3.0, 4.0]"),
        quantity("5.0", "kpc"),
        quantity("[1.0, 2.0]", "mas.yr**-1"),
        quantity("[3.0, 4.0]", "mas.yr**-1"),
        angle("longitude", "[1.0, 180.0]"),
    );
    let root = open(&content);
    assert_eq!(root.kind("x").unwrap(), NodeKind::Coordinates);
    let sky = Coordinates::read(&root, "x").unwrap();
    assert_eq!((sky.kind(), sky.frame()), (CoordinatesKind::SkyCoord, "fk5"));
    assert_eq!((sky.representation(), sky.differential()), ("spherical", "sphericalcoslat"));
    assert_eq!(names(&sky), ["ra", "dec", "distance", "pm_ra_cosdec", "pm_dec"]);
    assert_eq!((sky.shape().unwrap(), sky.count().unwrap()), (vec![2], 2));
    assert_eq!(numbers(&sky, "ra", "rad")[1], std::f64::consts::PI);
    assert_eq!(numbers(&sky, "lat", "deg"), [3.0, 4.0]);
    assert_eq!(numbers(&sky, "distance", "pc"), [5000.0, 5000.0]);
    assert_eq!(numbers(&sky, "pm_lon_coslat", "arcsec / yr"), [0.003, 0.004]);
    assert_eq!((sky.unit("pm_lat").unwrap(), sky.unit("lon").unwrap()), ("mas.yr**-1", "deg"));
    assert_eq!(sky.array("ra").unwrap().read_vec::<f64>().unwrap(), [1.0, 180.0]);
    let [(name, equinox)] = sky.attributes() else { panic!("one attribute: {:?}", sky.attributes()) };
    assert_eq!((&**name, equinox.time("", &TimeOptions::default()).unwrap().scale().name()), ("equinox", "tt"));
    for (name, unit, status) in [
        ("x", None, Status::NotFound),
        ("", None, Status::NotFound),
        ("ra", Some("m"), Status::Units),
        ("ra", Some("no unit"), Status::Units),
    ] {
        assert_eq!(sky.numbers(name, unit, &ReadOptions::default()).unwrap_err().status(), status);
    }
    assert_eq!(sky.array("distance").unwrap_err().status(), Status::WrongType);
    assert_eq!(sky.attribute("obstime").unwrap_err().status(), Status::NotFound);
}

#[test]
fn frames_of_all_versions_are_read() {
    let data = format!(
        "{A}/representation-1.2.0> {{type: SphericalRepresentation, components: {{lon: {}, lat: {}, distance: {}}}}}",
        angle("longitude", "10.0"),
        angle("latitude", "20.0"),
        quantity("3.0", "pc"),
    );
    for version in ["1.0.0", "1.2.0"] {
        let frame =
            read(&format!("{A}/frames/galactic-{version}> {{data: {data}, frame_attributes: {{a: 1}}}}")).unwrap();
        assert_eq!((frame.kind(), frame.frame()), (CoordinatesKind::Frame, "galactic"));
        assert_eq!((names(&frame), frame.representation()), (vec!["l", "b", "distance"], "spherical"));
        assert_eq!((numbers(&frame, "l", "deg"), numbers(&frame, "lat", "deg")), (vec![10.0], vec![20.0]));
        assert_eq!((frame.shape().unwrap(), frame.count().unwrap()), (vec![], 1));
        assert_eq!(frame.attribute("a").unwrap().i64("").unwrap(), 1);
    }
    for tag in ["<tag:astropy.org:astropy/coordinates/frames/icrs-1.0.0>", "wcs/icrs_coord-1.1.0"] {
        let old =
            read(&format!("!{tag} {{ra: {{value: 5.0, wrap_angle: 1}}, dec: {{value: 0.5, unit: rad}}}}")).unwrap();
        assert_eq!((old.frame(), numbers(&old, "lon", "deg")), ("icrs", vec![5.0]));
        assert_eq!(numbers(&old, "dec", "rad"), [0.5]);
    }
    let empty = read(&format!("{A}/frames/icrs-1.1.0> {{frame_attributes: {{}}}}")).unwrap();
    assert_eq!((empty.count().unwrap(), empty.representation(), empty.attributes().len()), (0, "", 0));
}

#[test]
fn other_coordinates_are_read() {
    let place =
        format!("{A}/earthlocation-1.2.0> {{ellipsoid: WGS84, x: {0}, y: {0}, z: {0}}}", quantity("[1.0, 2.0]", "km"));
    let place = read(&place).unwrap();
    assert_eq!((place.kind(), place.representation()), (CoordinatesKind::EarthLocation, "cartesian"));
    assert_eq!((numbers(&place, "z", "m"), place.attributes().len()), (vec![1000.0, 2000.0], 1));

    let root = open(&angle("latitude", "45.0"));
    let latitude = Coordinates::read(&root, "x").unwrap();
    assert_eq!((latitude.kind(), names(&latitude)), (CoordinatesKind::Latitude, vec!["value"]));
    // An angle is read like a quantity, too.
    assert_eq!((root.f64("x").unwrap(), root.unit("x").unwrap()), (45.0, "deg".to_owned()));
    assert_eq!(open(&angle("angle", "[1.0, 2.0]")).array("x").unwrap().read_vec::<f64>().unwrap(), [1.0, 2.0]);

    let masked =
        "!core/ndarray-1.1.0 {data: [1.0, 2.0], mask: !core/ndarray-1.1.0 {data: [false, true], datatype: bool8}}";
    let light = read(&format!("{A}/spectralcoord-1.2.0> {{unit: !unit/unit-1.0.0 nm, value: {masked}}}")).unwrap();
    assert_eq!(light.kind(), CoordinatesKind::Spectral);
    let values = numbers(&light, "value", "Angstrom");
    assert!((values[0] - 10.0).abs() < 1e-12 && values[1].is_nan());

    let velocity = quantity("1.0", "km.s**-1");
    let moving = format!(
        "{A}/representation-1.2.0> {{type: CartesianRepresentation, components: {{x: {0}, y: {0}, z: {0}}}, differentials: \
         {{s: {A}/representation-1.2.0> {{type: CartesianDifferential, components: {{d_x: {velocity}}}}}}}}}",
        quantity("1.0", "m"),
    );
    let moving = read(&moving).unwrap();
    assert_eq!((moving.representation(), moving.differential()), ("cartesian", "cartesian"));
    assert_eq!((names(&moving), numbers(&moving, "d_x", "m/s")), (vec!["x", "y", "z", "d_x"], vec![1000.0]));
}

#[test]
fn damaged_coordinates_are_refused() {
    for (content, status) in [
        ("5".to_owned(), Status::WrongType),
        ("!unit/quantity-1.3.0 {value: 1, unit: m}".to_owned(), Status::WrongType),
        (format!("{A}/skycoord-1.0.0> 5"), Status::TagContent),
        (format!("{A}/skycoord-1.0.0> {{ra: 5}}"), Status::TagContent),
        (format!("{A}/frames/icrs-1.1.0> {{data: 5}}"), Status::TagContent),
        (format!("{A}/frames/icrs-1.1.0> {{data: {{type: X, components: 5}}}}"), Status::TagContent),
        (format!("{A}/representation-1.1.0> {{type: X}}"), Status::TagContent),
        (format!("{A}/angle-1.2.0> {{value: 1.0, unit: !unit/other-1.0.0 deg}}"), Status::Unsupported),
    ] {
        assert_eq!(read(&content).unwrap_err().status(), status, "{content}");
    }
    let differing = format!(
        "{A}/skycoord-1.0.0> {{frame: icrs, ra: {}, dec: {}}}",
        angle("longitude", "[1.0, 2.0]"),
        angle("latitude", "[1.0, 2.0, 3.0]")
    );
    let differing = read(&differing).unwrap();
    assert_eq!(differing.shape().unwrap_err().status(), Status::TagContent);
    assert_eq!(differing.count().unwrap_err().status(), Status::TagContent);
    let cycle = open(&format!("&a {A}/skycoord-1.0.0> {{frame: icrs, obsgeoloc: *a, ra: *a}}"));
    assert!(Coordinates::read(&cycle, "x").is_ok_and(|sky| sky.numbers("ra", None, &ReadOptions::default()).is_err()));
}

#[test]
fn positions_are_stored() {
    let root = File::new(&NewOptions::default()).root().unwrap();
    let points = SkyPoints {
        frame: "galactic",
        shape: &[2],
        longitudes: &[10.0, 20.0],
        latitudes: &[-5.0, 90.0],
        unit: "deg",
        distances: Some((&[1.0, 2.0], "kpc")),
    };
    root.set_string("sky", "before").unwrap();
    points.set(&root, "sky", &ArrayOptions::default()).unwrap();
    let sky = Coordinates::read(&root, "sky").unwrap();
    assert_eq!((sky.frame(), names(&sky)), ("galactic", vec!["l", "b", "distance"]));
    assert_eq!(numbers(&sky, "lat", "deg"), [-5.0, 90.0]);
    assert_eq!(numbers(&sky, "distance", "pc"), [1000.0, 2000.0]);
    assert_eq!(root.tag("sky").unwrap().as_deref(), Some("tag:astropy.org:astropy/coordinates/skycoord-1.0.0"));
    assert_eq!(root.f64("sky/l/wrap_angle").unwrap(), 360.0);

    let one = SkyPoints { shape: &[], longitudes: &[1.0], latitudes: &[2.0], distances: None, ..points };
    one.set(&root, "sky", &ArrayOptions::default()).unwrap();
    assert_eq!((root.f64("sky/b").unwrap(), root.exists("sky/distance").unwrap()), (2.0, false));
    for (wrong, status) in [
        (SkyPoints { frame: "ICRS", ..one }, Status::InvalidArgument),
        (SkyPoints { shape: &[2], ..one }, Status::InvalidArgument),
        (SkyPoints { unit: "m", ..one }, Status::Units),
        (SkyPoints { latitudes: &[91.0], ..one }, Status::OutOfRange),
        (SkyPoints { distances: Some((&[-1.0], "m")), ..one }, Status::OutOfRange),
        (SkyPoints { distances: Some((&[1.0], "s")), ..one }, Status::Units),
    ] {
        assert_eq!(wrong.set(&root, "new", &ArrayOptions::default()).unwrap_err().status(), status);
    }
    assert!(!root.exists("new").unwrap());
    let old = File::new(&NewOptions { standard: StandardVersion::V1_0_0, ..NewOptions::default() }).root().unwrap();
    let error = one.set(&old, "sky", &ArrayOptions::default()).unwrap_err();
    assert_eq!((error.status(), old.exists("sky").unwrap()), (Status::Unsupported, false));
}
