//! Points in time and spans of time in files: every shape of the node, every version of the tag.

use super::*;
use crate::error::Status;
use crate::file::{ArrayOptions, File, NewOptions, Node, OpenOptions, StandardVersion};
use std::sync::Arc;

fn opened(tree: &str) -> Node {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{tree}\n...\n"
    );
    File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap().root().unwrap()
}

fn new(standard: StandardVersion) -> Node {
    File::new(&NewOptions { standard, ..NewOptions::default() }).root().unwrap()
}

fn time(tree: &str) -> crate::Result<Time> {
    opened(tree).time("t", &TimeOptions::default())
}

fn iso(time: &Time) -> Vec<String> {
    (0..time.dates().len()).map(|index| time.text(index, TimeFormat::Isot, None).unwrap()).collect()
}

#[test]
fn every_shape_of_the_node_is_read() {
    for (tree, scale, format, shape, expected) in [
        (
            "t: !time/time-1.4.0 2000-12-31T13:05:27",
            TimeScale::Utc,
            TimeFormat::Isot,
            &[][..],
            "2000-12-31T13:05:27.000",
        ),
        ("t: 2000-12-31 13:05:27", TimeScale::Utc, TimeFormat::Iso, &[], "2000-12-31T13:05:27.000"),
        ("t: !time/time-1.0.0 J2000.0", TimeScale::Tt, TimeFormat::JyearStr, &[], "2000-01-01T12:00:00.000"),
        ("t: !time/time-1.1.0 '2001:365:00:00:01'", TimeScale::Utc, TimeFormat::Yday, &[], "2001-12-31T00:00:01.000"),
        (
            "t: !time/time-1.4.0 [2000-01-01, '2000-01-02']",
            TimeScale::Utc,
            TimeFormat::Iso,
            &[2],
            "2000-01-01T00:00:00.000",
        ),
        (
            "t: !time/time-1.4.0\n  value: [['2000-01-01', ~], ['2000-01-02', '2000-01-03']]\n  scale: tai",
            TimeScale::Tai,
            TimeFormat::Iso,
            &[2, 2],
            "2000-01-01T00:00:00.000",
        ),
        (
            "t: !time/time-1.4.0 {value: 51544.5, format: mjd, scale: tdb}",
            TimeScale::Tdb,
            TimeFormat::Mjd,
            &[],
            "2000-01-01T12:00:00.000",
        ),
        (
            "t: !time/time-1.4.0 {value: '2451545.000000000011574074', format: jd}",
            TimeScale::Utc,
            TimeFormat::Jd,
            &[],
            "2000-01-01T12:00:00.000001",
        ),
        (
            "t: !time/time-1.4.0 {value: [1.0, 2.0], format: gps}",
            TimeScale::Tai,
            TimeFormat::Gps,
            &[2],
            "1980-01-06T00:00:20.000",
        ),
        (
            "t: !time/time-1.4.0 {value: !core/ndarray-1.1.0 {data: [[1.0, 2.0]]}, format: cxcsec}",
            TimeScale::Tt,
            TimeFormat::CxcSec,
            &[1, 2],
            "1998-01-01T00:00:01.000",
        ),
        (
            "t: !time/time-1.4.0 {value: !unit/quantity-1.3.0 {value: 2.0, unit: !unit/unit-1.0.0 min}, format: unix}",
            TimeScale::Utc,
            TimeFormat::Unix,
            &[],
            "1970-01-01T00:02:00.000",
        ),
        (
            "t: !time/time-1.4.0 {value: !unit/quantity-1.3.0 {value: 3.0, unit: !unit/unit-1.0.0 Ms}, format: unix}",
            TimeScale::Utc,
            TimeFormat::Unix,
            &[],
            "1970-02-04T17:20:00.000",
        ),
        (
            "t: !time/time-1.4.0 {value: !unit/quantity-1.3.0 {value: 2.0, unit: !<tag:astropy.org:astropy/units/unit-1.0.0> sday}, format: mjd}",
            TimeScale::Utc,
            TimeFormat::Mjd,
            &[],
            "1858-11-18T23:52:08.1810",
        ),
        (
            "t: !time/time-1.4.0 {value: '2000-01-01T00:00:00.5', base_format: datetime}",
            TimeScale::Utc,
            TimeFormat::Datetime,
            &[],
            "2000-01-01T00:00:00.500",
        ),
        (
            "t: !time/time-1.4.0 {value: B1950.0, format: byear}",
            TimeScale::Tt,
            TimeFormat::Byear,
            &[],
            "1949-12-31T22:09:46.861900",
        ),
    ] {
        let time = time(tree).unwrap();
        assert_eq!((time.scale(), time.format(), time.shape()), (scale, format, shape), "{tree}");
        let texts = iso(&time);
        assert_eq!(texts[0][..22], expected[..22], "{tree}");
        assert_eq!(time.is_missing(1), tree.contains('~'), "{tree}");
    }
}

#[test]
fn what_is_no_time_is_refused() {
    for (tree, status) in [
        ("t: !time/time-1.4.0 now", Status::TagContent),
        ("t: !core/complex-1.0.0 1+2j", Status::WrongType),
        ("t: {a: 1}", Status::WrongType),
        ("t: [['2000-01-01'], '2000-01-02']", Status::TagContent),
        ("t: [['2000-01-01'], ['2000-01-02', '2000-01-03']]", Status::TagContent),
        ("t: !time/time-1.4.0 {value: 1.0}", Status::TagContent),
        ("t: !time/time-1.4.0 {value: 1.0, format: fortnights}", Status::Unsupported),
        ("t: !time/time-1.4.0 {value: '2000-01-01', scale: lst}", Status::Unsupported),
        ("t: !time/time-1.4.0 {value: {value: 1.0, unit: m}, format: unix}", Status::Units),
        ("t: !time/time-1.4.0 {value: {value: 1.0, unit: s}, format: byear}", Status::Unsupported),
        ("t: !time/time-1.4.0 {value: .inf, format: jd}", Status::TagContent),
        ("t: !time/time-1.4.0 {value: '2000-01-01', location: {x: 1.0, y: 2.0}}", Status::TagContent),
        ("t: !time/time-1.4.0 {value: '2000-01-01', location: {x: 1.0, y: 2.0, z: 3.0, unit: furlong}}", Status::Units),
        ("t: !time/time-1.4.0 {value: '2000-01-01', location: {x: [1.0, 2.0], y: 2.0, z: 3.0}}", Status::TagContent),
        ("s: 1", Status::NotFound),
    ] {
        let error = time(tree).unwrap_err();
        assert_eq!(error.status(), status, "{tree}: {error}");
        assert!(error.location().line.is_some() || status == Status::NotFound, "{tree}");
    }
    let lists = (0..20).fold("a0: &a0 [x, x]".to_owned(), |text, depth| {
        let of = format!("[*a{depth}, *a{depth}, *a{depth}, *a{depth}]");
        format!("{text}\na{}: &a{} {of}", depth + 1, depth + 1)
    });
    assert_eq!(time(&format!("{lists}\nt: *a20")).unwrap_err().status(), Status::Limit);
}

#[test]
fn places_are_read_in_both_forms() {
    let metres = "t: !time/time-1.1.0 {value: '2000-01-01', location: {x: {value: 1.0, unit: km}, y: {value: 2.0, unit: m}, z: 3.0}}";
    assert_eq!(time(metres).unwrap().location(), [[1000.0, 2.0, 3.0]]);
    let others = "t: !time/time-1.1.0 {value: '2000-01-01', location: {x: {value: 1.0, unit: earthRad}, y: {value: 2.0, unit: !unit/unit-1.0.0 Mm}, z: 3.0, unit: dm}}";
    assert_eq!(time(others).unwrap().location(), [[6_378_100.0, 2e6, 3.0 * 0.1]]);
    let radians = "t: !time/time-1.0.0 {value: '2000-01-01', location: {long: {value: 3.141592653589793, unit: rad}, lat: 0, h: 0}}";
    assert!((time(radians).unwrap().location()[0][0] + 6_378_137.0).abs() < 1e-6);
    let geodetic = "t: !time/time-1.0.0 {value: '2000-01-01', location: {long: 10, lat: 20, h: 0.03, unit: km}}";
    let place = time(geodetic).unwrap().location()[0];
    // astropy.coordinates.EarthLocation.from_geodetic(10, 20, 30).
    for (found, expected) in place.iter().zip([5_904_773.919_151_155, 1_041_170.956_930_012_8, 2_167_707.048_433_057]) {
        assert!((found - expected).abs() < 1e-6, "{place:?}");
    }
}

#[test]
fn every_format_comes_back_in_every_standard() {
    let text = "2016-12-31T23:59:58.123456";
    for standard in StandardVersion::ALL {
        let root = new(standard);
        for &format in TimeFormat::ALL {
            for (shape, scale) in [(&[][..], format.default_scale()), (&[2][..], TimeScale::Tt), (&[], TimeScale::Utc)]
            {
                let options = TimeOptions { scale: Some(scale), format: Some(format), ..TimeOptions::default() };
                let texts = vec![text; if shape.is_empty() { 1 } else { 2 }];
                let time = Time::from_texts(texts.into_iter(), shape, &options).unwrap();
                root.set_times("t", &time, &ArrayOptions::default()).unwrap();
                let back = root.time("t", &TimeOptions::default()).unwrap();
                assert_eq!((back.scale(), back.shape()), (scale, shape), "{standard:?} {}", format.name());
                let difference = back.dates()[0].minus(time.dates()[0]).days().abs();
                assert!(difference < 1e-8, "{standard:?} {} {difference}", format.name());
                if standard >= StandardVersion::V1_6_0 && format != TimeFormat::Stardate {
                    assert_eq!(back.format(), format, "{standard:?}");
                }
            }
        }
    }
}

#[test]
fn times_are_stored_as_asdf_astropy_stores_them() {
    let root = new(StandardVersion::V1_6_0);
    let set = |time: Time| {
        root.set_times("t", &time, &ArrayOptions::default()).unwrap();
        root.to_yaml("t").unwrap()
    };
    let of = |text: &str, format, scale| {
        let options = TimeOptions { format, scale, ..TimeOptions::default() };
        Time::from_texts([text].into_iter(), &[], &options).unwrap()
    };
    let yaml = set(of("2020-01-01", None, None));
    assert!(yaml.contains("--- !time/time-1.4.0 2020-01-01 00:00:00.000\n"), "{yaml}");
    let yaml = set(of("2020-01-01T00:00:00.0000005", Some(TimeFormat::Datetime64), Some(TimeScale::Tai)));
    for line in ["value: '2020-01-01T00:00:00.000000500'", "base_format: datetime64", "scale: tai"] {
        assert!(yaml.replace(['"', '\''], "").contains(&line.replace('\'', "")), "{yaml}");
    }
    let yaml = set(of("2020-01-01", Some(TimeFormat::Unix), None));
    assert!(yaml.contains("format: unix") && yaml.contains("value: 1577836800.0") && !yaml.contains("scale"), "{yaml}");
    let places = of("2020-01-01", None, None).with_location(vec![[1.0, 2.0, 3.0]]).unwrap();
    let yaml = set(places.clone());
    assert!(yaml.contains("unit/quantity-1.3.0"), "{yaml}");
    assert_eq!(root.time("t", &TimeOptions::default()).unwrap().location(), places.location());
    let old = new(StandardVersion::V1_0_0);
    old.set_times("t", &places, &ArrayOptions::default()).unwrap();
    assert_eq!(old.string("t/location/unit").unwrap(), "m");
    assert_eq!(old.time("t", &TimeOptions::default()).unwrap().location(), places.location());
}

#[test]
fn missing_times_come_back() {
    let root = new(StandardVersion::V1_6_0);
    for format in [TimeFormat::Isot, TimeFormat::Mjd] {
        let options = TimeOptions { format: Some(format), ..TimeOptions::default() };
        let time = Time::from_texts(["2000-01-01", "2000-01-02"].into_iter(), &[2], &options).unwrap();
        let time = time.with_missing(vec![false, true]).unwrap();
        root.set_times("t", &time, &ArrayOptions::default()).unwrap();
        let back = root.time("t", &TimeOptions::default()).unwrap();
        assert_eq!((back.missing(), back.dates()[0]), (time.missing(), time.dates()[0]));
    }
    let single = Time::from_numbers(&[f64::NAN], None, &[], &TimeOptions::default()).unwrap();
    let error = root.set_times("t", &single, &ArrayOptions::default()).unwrap_err();
    assert_eq!((error.status(), root.count("t/value").is_ok()), (Status::Unsupported, true));
    let local = TimeOptions { scale: Some(TimeScale::Local), ..TimeOptions::default() };
    let local = Time::from_numbers(&[1.0], None, &[], &local).unwrap();
    assert_eq!(root.set_times("t", &local, &ArrayOptions::default()).unwrap_err().status(), Status::Unsupported);
}

#[test]
fn spans_of_time_come_back() {
    for (standard, version) in [(StandardVersion::V1_0_0, "1.0.0"), (StandardVersion::V1_6_0, "1.2.0")] {
        let root = new(standard);
        for (shape, scale) in [(&[][..], None), (&[2, 1][..], Some(TimeScale::Tai))] {
            let days = vec![JulianDate::new(1.0, 1e-17).unwrap(); if shape.is_empty() { 1 } else { 2 }];
            let delta = TimeDelta::new(days, shape, scale, "sec").unwrap();
            root.set_time_delta("d", &delta, &ArrayOptions::default()).unwrap();
            assert_eq!(root.time_delta("d").unwrap(), delta);
            assert_eq!((delta.seconds()[0], delta.format(), delta.shape()), (86_400.0, "sec", shape));
        }
        let tag = format!("tag:astropy.org:astropy/time/timedelta-{version}");
        assert_eq!(root.tag("d").unwrap(), Some(tag));
    }
    let delta = "!<tag:astropy.org:astropy/time/timedelta-1.2.0>";
    for (tree, status) in [
        ("d: 1.5".to_owned(), Status::WrongType),
        (format!("d: {delta} {{jd1: 1.0, format: sec}}"), Status::TagContent),
        (format!("d: {delta} {{jd1: 1.0, jd2: [0.0], format: sec}}"), Status::TagContent),
        (format!("d: {delta} {{jd1: .nan, jd2: 0.0, format: sec}}"), Status::OutOfRange),
        (format!("d: {delta} {{jd1: 1.0, jd2: 0.0, format: sec, scale: x}}"), Status::Unsupported),
    ] {
        assert_eq!(opened(&tree).time_delta("d").unwrap_err().status(), status, "{tree}");
    }
    assert_eq!(TimeDelta::new(Vec::new(), &[], None, "sec").unwrap_err().status(), Status::InvalidArgument);
}
