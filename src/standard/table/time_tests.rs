//! Columns of times: every format through tables in memory, ASDF files and ECSV text, and refused ones.

use crate::error::Status;
use crate::file::{File, NewOptions, Node};
use crate::standard::time::{JulianDate, Time, TimeDelta, TimeFormat, TimeOptions, TimeScale};
use crate::standard::{TableReadOptions, TableWriteOptions};
use crate::table::ecsv::{self, ReadOptions, TableReader, WriteOptions};
use crate::table::{ElementType, Table, logical_columns};
use std::sync::Arc;

fn of_texts(texts: &[&str], format: TimeFormat, scale: TimeScale) -> Time {
    let options = TimeOptions { format: Some(format), scale: Some(scale), ..TimeOptions::default() };
    Time::from_texts(texts.iter().copied(), &[texts.len() as i64], &options).unwrap()
}

fn through_asdf(table: &Table) -> Table {
    let root = File::new(&NewOptions::default()).root().unwrap();
    root.set_table("t", table, &TableWriteOptions::default()).unwrap();
    root.table("t", &TableReadOptions::default()).unwrap()
}

fn through_ecsv(table: &Table) -> Table {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.ecsv");
    ecsv::write(&path, table, &WriteOptions::default()).unwrap();
    ecsv::read(&path, &ReadOptions::default()).unwrap()
}

fn of_ecsv(text: &str) -> Table {
    TableReader::of_memory(Arc::new(text.as_bytes().to_vec()), &ReadOptions::default()).unwrap().read_all().unwrap()
}

fn read(table: &Table) -> Time {
    table.time("t", &TimeOptions::default()).unwrap()
}

#[test]
fn every_format_comes_back_from_tables() {
    let texts = ["2020-01-01T01:02:03.123456789", "1999-12-31T23:59:59.5", "2016-12-31T23:59:58"];
    for &format in TimeFormat::ALL {
        for (scale, is_masked) in [(TimeScale::Utc, false), (TimeScale::Tt, true), (TimeScale::Tai, true)] {
            let mask = vec![false, is_masked, false];
            let time = of_texts(&texts, TimeFormat::Isot, scale).with_format(format).with_missing(mask).unwrap();
            let time = time.with_location(vec![[1.5, 2.0, 6e6]]).unwrap();
            let mut table = Table::of_rows(3);
            table.add_time("t", &time).unwrap();
            let of = format!("{} {scale:?}", format.name());
            let exact = read(&through_ecsv(&table));
            assert_eq!((exact.dates()[0], exact.dates()[2]), (time.dates()[0], time.dates()[2]), "{of}");
            for table in [&table, &through_ecsv(&table), &through_asdf(&table), &through_ecsv(&through_asdf(&table))] {
                let back = read(table);
                assert_eq!((back.format(), back.scale(), back.missing()), (format, scale, time.missing()), "{of}");
                assert_eq!((back.location(), back.shape()), (time.location(), &[3][..]), "{of}");
                for index in [0, 2] {
                    let difference = back.dates()[index].minus(time.dates()[index]);
                    assert!((difference.jd1() + difference.jd2()).abs() < 6e-16, "{of} {difference:?}");
                }
                assert_eq!(logical_columns(table.header()).len(), 1, "{of}");
            }
        }
    }
}

#[test]
fn values_are_readable_where_they_are_exact() {
    let columns = |time: &Time| {
        let mut table = Table::of_rows(2);
        table.add_time("t", time).unwrap();
        table.header().columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(" ")
    };
    let days = of_texts(&["2020-01-01", "2020-01-02"], TimeFormat::Iso, TimeScale::Utc);
    let nanoseconds = of_texts(&["2020-01-01T00:00:00.123456789", "2020-01-02"], TimeFormat::Isot, TimeScale::Utc);
    for (time, expected) in [
        (days.clone(), "t"),
        (days.clone().with_format(TimeFormat::Mjd), "t"),
        (days.clone().with_format(TimeFormat::Unix), "t"),
        (days.clone().with_format(TimeFormat::Ymdhms), "t.jd1 t.jd2"),
        (nanoseconds.clone(), "t"),
        (nanoseconds.clone().with_format(TimeFormat::Mjd), "t.jd1 t.jd2"),
        (nanoseconds.clone().with_format(TimeFormat::Datetime64), "t"),
        (nanoseconds.clone().with_format(TimeFormat::Datetime), "t.jd1 t.jd2"),
        (days.clone().with_location(vec![[1.0, 2.0, 3.0]; 2]).unwrap(), "t t.location.x t.location.y t.location.z"),
    ] {
        assert_eq!(columns(&time), expected, "{time:?}");
    }
    let mut table = Table::of_rows(2);
    table.add_time("t", &days.with_dates_only().unwrap()).unwrap();
    assert_eq!(table.column("t").unwrap().values().text().map(|text| text.get(0)), Some("2020-01-01"));
    assert!(read(&through_asdf(&through_ecsv(&table))).is_dates_only());
}

#[test]
fn columns_without_a_time_have_the_type_of_others() {
    for texts in [&[][..], &["2020-01-01", "2020-01-01"]] {
        let time = of_texts(texts, TimeFormat::Isot, TimeScale::Utc).with_missing(vec![true; texts.len()]).unwrap();
        let mut table = Table::of_rows(texts.len());
        table.add_time("t", &time).unwrap();
        assert_eq!(table.column("t").unwrap().element_type(), ElementType::String);
    }
}

#[test]
fn cells_can_be_arrays_of_times() {
    let texts = ["2020-01-01T00:00:00", "2020-01-02T00:00:00.5", "2020-01-03T00:00:00", "2020-01-04T00:00:00"];
    let options = TimeOptions::default();
    for format in [TimeFormat::Isot, TimeFormat::Mjd, TimeFormat::Jyear] {
        let time = Time::from_texts(texts.iter().copied(), &[2, 2], &options).unwrap().with_format(format);
        let time = time.with_missing(vec![false, true, false, false]).unwrap();
        let mut table = Table::of_rows(2);
        table.add_time("t", &time).unwrap();
        for table in [&table, &through_ecsv(&table), &through_asdf(&table)] {
            let back = read(table);
            assert_eq!((back.shape(), back.missing()), (&[2, 2][..], time.missing()), "{}", format.name());
        }
    }
}

#[test]
fn spans_come_back_from_tables() {
    let days = [(1.0, 0.0), (0.0, 1e-17), (2.0, 0.25)].map(|(jd1, jd2)| JulianDate::new(jd1, jd2).unwrap());
    for (format, scale, days) in [
        ("jd", None, days),
        ("sec", Some(TimeScale::Tai), days),
        ("quantity_str", Some(TimeScale::Tdb), days),
        ("sec", None, [days[0], days[2], days[0]]),
    ] {
        let spans = TimeDelta::new(days.to_vec(), &[3], scale, format).unwrap();
        for spans in [spans.clone(), spans.with_missing(vec![true, false, false]).unwrap()] {
            let mut table = Table::of_rows(3);
            table.add_time_delta("t", &spans).unwrap();
            for table in [&table, &through_ecsv(&table), &through_asdf(&table), &through_asdf(&through_ecsv(&table))] {
                let back = table.time_delta("t").unwrap();
                assert_eq!((back.format(), back.scale(), back.missing()), (format, scale, spans.missing()));
                assert_eq!(back.days()[1..], spans.days()[1..], "{format}");
            }
        }
    }
}

/// Tables as astropy writes them.
#[test]
fn columns_of_astropy_are_read() {
    let column = "!astropy.table.SerializedColumn";
    let head = |columns: &str, attributes: &str| {
        format!(
            "# %ECSV 1.0\n# ---\n# datatype:\n{columns}# meta: !!omap\n# - __serialized_columns__:\n#     t:\n{attributes}"
        )
    };
    let plain = |datatype: &str, attributes: &str, values: &str| {
        let columns = format!("# - {{name: t, datatype: {datatype}}}\n");
        let value = format!("#       value: {column} {{name: t}}\n");
        of_ecsv(&format!("{}{value}t\n{values}\n", head(&columns, attributes)))
    };
    let time = |format: &str| format!("#       __class__: astropy.time.core.Time\n#       format: {format}\n");
    let expected = of_texts(&["2020-01-01T12:00:00"], TimeFormat::Isot, TimeScale::Utc).dates()[0];
    for (format, datatype, value) in [
        ("jd", "float64", "2458850.0"),
        ("jd", "string", "2458850.0"),
        ("mjd", "float128", "58849.5"),
        ("unix", "int64", "1577880000"),
        ("datetime64", "string", "2020-01-01T12:00:00.000000000"),
        ("datetime", "string", "2020-01-01T12:00:00"),
        ("iso", "string", "\"2020-01-01 12:00\""),
        ("yday", "string", "2020:001:12:00:00.000"),
        ("plot_date", "float64", "737425.5"),
    ] {
        let back = read(&plain(datatype, &time(format), value));
        assert_eq!((back.dates()[0], back.format().name()), (expected, format), "{format}");
    }
    let names = ["year", "month", "day", "hour", "minute", "second"];
    let columns: String = names.map(|name| format!("# - {{name: t.{name}, datatype: int32}}\n")).concat();
    let of_fields = |value: &str| {
        let fields = names.map(|name| format!("#             {name}: {column} {{name: t.{name}}}\n")).concat();
        let names = names.map(|name| format!("t.{name}")).join(" ");
        let text = format!(
            "{}{value}{fields}{names}\n2020 1 1 12 0 0\n\"\" \"\" \"\" \"\" \"\" \"\"\n",
            head(&columns, &time("ymdhms"))
        );
        read(&of_ecsv(&text))
    };
    let inner = format!("#         __class__: astropy.table.column.MaskedColumn\n#         data: {column}\n");
    let outer = format!("#       value: {column}\n");
    let masked = format!(
        "{outer}#         __class__: astropy.utils.masked.core.MaskedRecarray\n#         data: {column}\n{}",
        inner.replace("#         ", "#           ")
    );
    for value in [format!("{outer}{inner}"), masked] {
        let back = of_fields(&value);
        assert_eq!((back.dates()[0], back.missing()), (expected, Some(&[false, true][..])));
    }
    let delta = "#       __class__: astropy.time.core.TimeDelta\n";
    for (format, datatype, value) in [
        ("sec", "float64", "129600.0"),
        ("jd", "float32", "1.5"),
        ("quantity_str", "string, subtype: json", "\"\"\"1d 12hr\"\"\""),
    ] {
        let table = plain(datatype, &format!("{delta}#       format: {format}\n"), value);
        assert_eq!(table.time_delta("t").unwrap().days(), [JulianDate::new(1.0, 0.5).unwrap()], "{format}");
    }
    let away = plain("float64", &format!("{}#       _delta_ut1_utc: 0.25\n", time("jd")), "1.0");
    assert_eq!(away.time("t", &TimeOptions::default()).unwrap_err().status(), Status::Unsupported);
    for (attributes, value, status) in [
        (time("isot"), "now", Status::TagContent),
        (time("nonsense"), "2020-01-01", Status::Unsupported),
        ("#       __class__: astropy.time.core.TimeDelta\n#       format: jd\n".to_owned(), "1", Status::WrongType),
        ("#       __class__: some.other.Class\n".to_owned(), "1", Status::WrongType),
    ] {
        let table = plain("string", &attributes, value);
        assert_eq!(table.time("t", &TimeOptions::default()).unwrap_err().status(), status, "{value}");
    }
}

/// Returns the metadata of a table in this text of an ECSV header.
fn metadata(text: &str) -> Node {
    of_ecsv(&format!("# %ECSV 1.0\n# ---\n# datatype:\n# - {{name: n, datatype: int64}}\n# meta: {text}\nn\n1\n"))
        .header()
        .meta
        .clone()
        .unwrap()
}

#[test]
fn other_metadata_leave_times_what_they_are() {
    let time = of_texts(&["2020-01-01T00:00:00", "2020-01-02T00:00:00"], TimeFormat::Isot, TimeScale::Utc);
    let stale = "{a: 1, __serialized_columns__: {t: {__class__: astropy.time.core.Time, format: isot, scale: tai}, \
                 'a/b': {__class__: some.Class}}}";
    for text in [None, Some("{a: 1}"), Some("!!omap\n# - a: 1"), Some(stale)] {
        let mut table = Table::of_rows(2);
        for name in ["t", "a/b"] {
            table.add_time(name, &time).unwrap();
        }
        table.set_meta(text.map(metadata).as_ref()).unwrap();
        let entries = table.header().meta.as_ref().unwrap().at("__serialized_columns__").unwrap();
        assert_eq!(entries.count("").unwrap(), 2, "{text:?}");
        for table in [&table, &through_ecsv(&table), &through_asdf(&table)] {
            for name in ["t", "a/b"] {
                let back = table.time(name, &TimeOptions::default()).unwrap();
                assert_eq!((back.scale(), back.dates()), (TimeScale::Utc, time.dates()), "{text:?}");
            }
            let number = table.header().meta.as_ref().unwrap().i64("a");
            assert_eq!(number.ok(), text.map(|_| 1));
        }
    }
    let mut table = Table::of_rows(2);
    table.add_time("t", &time).unwrap();
    let list = metadata("{l: [1]}").at("l").unwrap();
    assert_eq!(table.set_meta(Some(&list)).unwrap_err().status(), Status::InvalidArgument);
}

#[test]
fn plain_columns_and_refused_times() {
    let table = of_ecsv(
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: t, datatype: string}\n# - {name: n, datatype: float64}\nt n\n2020-01-01 1.0\n",
    );
    assert_eq!(read(&table).dates(), of_texts(&["2020-01-01"], TimeFormat::Iso, TimeScale::Utc).dates());
    let status = |name: &str| table.time(name, &TimeOptions::default()).unwrap_err().status();
    assert_eq!((status("n"), status("x")), (Status::WrongType, Status::NotFound));
    assert_eq!(table.time_delta("n").unwrap_err().status(), Status::WrongType);
    assert_eq!(table.time_delta("x").unwrap_err().status(), Status::NotFound);
    let mut table = table.clone();
    let one = of_texts(&["2020-01-01"], TimeFormat::Iso, TimeScale::Utc);
    table.add_time("u", &one).unwrap();
    table.add_time("v", &one.clone().with_format(TimeFormat::Ymdhms)).unwrap();
    assert_eq!(read(&table).dates(), one.dates());
    let two = of_texts(&["2020-01-01", "2020-01-02"], TimeFormat::Iso, TimeScale::Utc);
    for (name, time) in [("u", &one), ("v", &one), ("t", &one), ("w", &two)] {
        assert_eq!(table.add_time(name, time).unwrap_err().status(), Status::InvalidArgument, "{name}");
    }
    let single = Time::new(one.dates().to_vec(), &[], &TimeOptions::default()).unwrap();
    assert_eq!(table.add_time("w", &single).unwrap_err().status(), Status::InvalidArgument);
    assert_eq!(table.columns().len(), 5);
    let spans = TimeDelta::from_nanoseconds(&[1, 2], &[2], None, "jd").unwrap();
    assert_eq!(table.add_time_delta("w", &spans).unwrap_err().status(), Status::InvalidArgument);
}
