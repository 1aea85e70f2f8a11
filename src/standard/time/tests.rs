//! Points in time of numbers, texts and nanoseconds, with scales, masks and places.

use super::*;
use crate::error::Status;

fn options(scale: Option<TimeScale>, format: Option<TimeFormat>) -> TimeOptions {
    TimeOptions { scale, format, ..TimeOptions::default() }
}

fn of_texts(texts: &[&str], options: &TimeOptions) -> crate::Result<Time> {
    Time::from_texts(texts.iter().copied(), &[texts.len() as i64], options)
}

fn utc(texts: &[&str]) -> Time {
    of_texts(texts, &TimeOptions::default()).unwrap()
}

#[test]
fn texts_become_dates_and_texts_again() {
    let texts = [
        "2016-12-31T23:59:60.123456789",
        "1999-12-31T23:59:59.999",
        "0001-01-01T00:00:00.000",
        "9999-12-31T23:59:59.000001",
    ];
    let time = utc(&texts);
    assert_eq!((time.scale(), time.format(), time.shape()), (TimeScale::Utc, TimeFormat::Isot, &[4][..]));
    for (index, text) in texts.iter().enumerate() {
        assert_eq!(time.text(index, TimeFormat::Isot, None).unwrap(), *text);
    }
    assert_eq!(time.text(1, TimeFormat::Yday, Some(0)).unwrap(), "2000:001:00:00:00");
    assert_eq!(time.text(0, TimeFormat::Iso, Some(99)).unwrap(), "2016-12-31 23:59:60.123456789");
    let epochs = of_texts(&["B1950.0", "B1900.5"], &TimeOptions::default()).unwrap();
    assert_eq!((epochs.scale(), epochs.format()), (TimeScale::Tt, TimeFormat::ByearStr));
    assert_eq!(epochs.text(1, TimeFormat::ByearStr, None).unwrap(), "B1900.5");
    let numbers = of_texts(&["2451545.000000000000001", "-0.5", "1e6"], &options(None, Some(TimeFormat::Jd))).unwrap();
    assert_eq!((numbers.dates()[0].jd2(), numbers.dates()[1].jd2(), numbers.dates()[2].jd1()), (1e-15, -0.5, 1e6));
}

#[test]
fn texts_that_are_no_times_are_refused() {
    for (texts, options) in [
        (&["now"][..], TimeOptions::default()),
        (&["2000-01-01", "J2000.0"], TimeOptions::default()),
        (&["2000-01-01T00:00:00Z"], options(Some(TimeScale::Tai), None)),
        (&["x"], options(None, Some(TimeFormat::Jd))),
    ] {
        assert_eq!(of_texts(texts, &options).unwrap_err().status(), Status::InvalidArgument, "{texts:?}");
    }
    let time = utc(&["2000-01-01"]);
    assert_eq!(time.text(1, TimeFormat::Iso, None).unwrap_err().status(), Status::OutOfRange);
    assert_eq!(time.text(0, TimeFormat::Jd, None).unwrap_err().status(), Status::InvalidArgument);
    let early = Time::from_numbers(&[0.0], None, &[], &TimeOptions::default()).unwrap();
    assert_eq!(early.text(0, TimeFormat::Iso, None).unwrap_err().status(), Status::OutOfRange);
    assert_eq!(early.text(0, TimeFormat::Fits, Some(0)).unwrap(), "-04713-11-24T12:00:00");
}

#[test]
fn nanoseconds_are_exact() {
    let time =
        utc(&["1970-01-01T00:00:00.000000001", "2016-12-31T23:59:59.999999999", "2262-04-11T23:47:16.854775807"]);
    let whole = |time: &Time, scale| -> Vec<i64> {
        time.nanoseconds(scale).unwrap().into_iter().map(|since| since.map_or(i64::MIN, |since| since.whole)).collect()
    };
    assert_eq!(whole(&time, TimeScale::Utc), [1, 1_483_228_799_999_999_999, i64::MAX]);
    assert_eq!(
        whole(&utc(&["2017-01-01", "2016-12-31"]), TimeScale::Tai),
        [1_483_228_837_000_000_000, 1_483_142_436_000_000_000]
    );
    let back =
        Time::from_nanoseconds(&[1, 1_483_228_799_999_999_999, i64::MIN], &[3], &TimeOptions::default()).unwrap();
    assert_eq!(back.text(1, TimeFormat::Isot, None).unwrap(), "2016-12-31T23:59:59.999999999");
    assert_eq!(whole(&back, TimeScale::Utc), [1, 1_483_228_799_999_999_999, i64::MIN]);
    for (texts, scale, status) in [
        (["2016-12-31T23:59:60"], TimeScale::Utc, Status::OutOfRange),
        (["9999-01-01"], TimeScale::Tai, Status::OutOfRange),
        (["2000-01-01"], TimeScale::Tdb, Status::Unsupported),
    ] {
        assert_eq!(utc(&texts).nanoseconds(scale).unwrap_err().status(), status, "{texts:?}");
    }
    let between = Time::from_numbers(&[0.25e-9], None, &[], &options(None, Some(TimeFormat::Unix))).unwrap();
    let since = between.nanoseconds(TimeScale::Utc).unwrap()[0].unwrap();
    assert!(since.whole == 0 && (since.rest - 0.25).abs() < 0.05, "{since:?}");
}

#[test]
fn scales_are_converted_and_others_kept() {
    let tt = utc(&["2017-01-01"]).to_scale(TimeScale::Tt).unwrap();
    assert_eq!(tt.text(0, TimeFormat::Isot, None).unwrap(), "2017-01-01T00:01:09.184");
    assert_eq!(
        tt.to_scale(TimeScale::Utc).unwrap().text(0, TimeFormat::Isot, None).unwrap(),
        "2017-01-01T00:00:00.000"
    );
    assert_eq!(tt.numbers(TimeFormat::Unix).unwrap(), [1_483_228_800.0]);
    assert_eq!(tt.to_scale(TimeScale::Tdb).unwrap_err().status(), Status::Unsupported);
    let tdb = of_texts(&["2017-01-01"], &options(Some(TimeScale::Tdb), None)).unwrap();
    assert_eq!(tdb.numbers(TimeFormat::Mjd).unwrap(), [57_754.0]);
    assert_eq!(tdb.numbers(TimeFormat::Unix).unwrap_err().status(), Status::Unsupported);
}

#[test]
fn missing_times_have_no_value() {
    let time = Time::from_numbers(&[f64::NAN, 51_544.0], None, &[2], &options(None, Some(TimeFormat::Mjd))).unwrap();
    assert_eq!(time.missing(), Some(&[true, false][..]));
    assert!(time.numbers(TimeFormat::Jd).unwrap()[0].is_nan());
    assert_eq!(time.nanoseconds(TimeScale::Tai).unwrap()[0], None);
    assert!(time.to_scale(TimeScale::Tai).unwrap().is_missing(0));
    assert_eq!(time.clone().with_missing(vec![false; 2]).unwrap().missing(), None);
    assert_eq!(time.with_missing(vec![true]).unwrap_err().status(), Status::InvalidArgument);
}

#[test]
fn shapes_and_places_fit_the_times() {
    let dates = vec![JulianDate::default(); 6];
    let default = TimeOptions::default();
    let time = Time::new(dates.clone(), &[2, 3], &default).unwrap();
    for shape in [&[][..], &[5], &[-2, -3], &[i64::MAX, 2]] {
        assert_eq!(Time::new(dates.clone(), shape, &default).unwrap_err().status(), Status::InvalidArgument);
    }
    let place = [1.0, 2.0, 3.0];
    assert_eq!(time.clone().with_location(vec![place]).unwrap().location(), [place]);
    assert_eq!(time.clone().with_location(vec![place; 6]).unwrap().location().len(), 6);
    assert_eq!(time.with_location(vec![place; 2]).unwrap_err().status(), Status::InvalidArgument);
    let rest = Time::from_numbers(&[1.0], Some(&[]), &[1], &default);
    assert_eq!(rest.unwrap_err().status(), Status::InvalidArgument);
}

#[test]
fn what_is_not_known_well_is_a_warning() {
    let warnings = |texts: &[&str], scale| of_texts(texts, &options(Some(scale), None)).unwrap().warnings().len();
    assert_eq!(warnings(&["2027-06-28", "1960-01-01"], TimeScale::Utc), 0);
    assert_eq!(warnings(&["2027-06-29", "2030-01-01"], TimeScale::Utc), 1);
    assert_eq!(warnings(&["2027-06-29", "1959-12-31"], TimeScale::Utc), 2);
    assert_eq!(warnings(&["1959-12-31"], TimeScale::Tai), 0);
    assert_eq!(warnings(&["2030-01-01"], TimeScale::Tdb), 0);
    let text = "2017-06-30T23:59:60.5";
    assert_eq!(utc(&[text]).text(0, TimeFormat::Isot, None).unwrap(), "2017-07-01T00:00:00.500");
    assert_eq!(warnings(&[text], TimeScale::Utc), 1);
    // A table of another time knows one leap second only.
    let table = LeapSeconds::parse("2272060800 10\n2287785600 11\n").unwrap();
    let options = TimeOptions { leap_seconds: table.into(), ..TimeOptions::default() };
    let tai = of_texts(&["2030-01-01"], &options).unwrap().to_scale(TimeScale::Tai).unwrap();
    assert_eq!(tai.text(0, TimeFormat::Isot, None).unwrap(), "2030-01-01T00:00:11.000");
}
