//! Tests of tables with objects of astropy, stored in files and read again.

use crate::error::Status;
use crate::file::{File, NewOptions, Node, OpenOptions, StandardVersion};
use crate::standard::units::{Spelling, Unit};
use crate::standard::{TableForm, TableReadOptions, TableWriteOptions};
use crate::table::ecsv::{ReadOptions, TableReader};
use crate::table::{Column, ColumnHeader, Table};
use std::sync::Arc;

fn open(tree: &str) -> Node {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{tree}\n...\n"
    );
    File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap().root().unwrap()
}

fn get(root: &Node) -> Table {
    root.table("t", &TableReadOptions::default()).unwrap()
}

fn of_ecsv(text: &str) -> Table {
    TableReader::of_memory(Arc::new(text.as_bytes().to_vec()), &ReadOptions::default()).unwrap().read_all().unwrap()
}

fn set(table: &Table, form: TableForm) -> Node {
    let root = File::new(&NewOptions::default()).root().unwrap();
    root.set_table("t", table, &TableWriteOptions { form, ..TableWriteOptions::default() }).unwrap();
    root
}

/// Returns a table of astropy with these columns, named `a`, `b` and so on.
fn with_columns(columns: &[&str]) -> Node {
    let names: Vec<String> = ('a'..='z').take(columns.len()).map(String::from).collect();
    let columns: String = columns.iter().map(|column| format!("\n  - {column}")).collect();
    open(&format!(
        "t: !<tag:astropy.org:astropy/table/table-1.3.0>\n  colnames: [{}]\n  qtable: true\n  columns:{columns}",
        names.join(", ")
    ))
}

const ARRAY: &str = "!core/ndarray-1.1.0 {data: [1.0, 2.0], datatype: float64, shape: [2]}";
const TEXTS: &str =
    "!core/ndarray-1.1.0 {data: ['2001-01-01T00:00:00', '2002-01-01T00:00:00'], datatype: [ucs4, 19], shape: [2]}";
const A: &str = "!<tag:astropy.org:astropy";

/// Returns the content of a table that does not depend on its form in a file.
fn content(table: &Table) -> Vec<String> {
    let column = |(header, column): (&ColumnHeader, &Arc<Column>)| {
        let texts = [&header.unit, &header.description, &header.format];
        let key = header.meta.as_ref().map(|meta| meta.text("k").unwrap());
        format!("{} {texts:?} {key:?} {column:?}", header.name)
    };
    let mut content: Vec<String> = table.header().columns.iter().zip(table.columns()).map(column).collect();
    let mut open = vec![(String::new(), table.header().meta.clone().unwrap())];
    while let Some((path, node)) = open.pop() {
        let tag = node.tag("").unwrap();
        match node.count("") {
            Ok(count) => {
                for index in 0..count {
                    open.push((format!("{path}/{:?}", node.key("", index).ok()), node.item("", index).unwrap()));
                }
                content.push(format!("{path} {tag:?}"));
            }
            Err(_) => content.push(format!("{path} {tag:?} {:?}", node.text("").unwrap())),
        }
    }
    content.sort();
    content
}

#[test]
fn objects_are_stored_as_astropy_stores_them() {
    let quantity = format!("!unit/quantity-1.3.0 {{unit: !unit/unit-1.0.0 m, value: {ARRAY}}}");
    let angle = |name: &str, more: &str| {
        format!("{A}/coordinates/{name}-1.2.0> {{unit: !unit/unit-1.0.0 deg, value: {ARRAY}{more}}}")
    };
    let wrap = format!(
        ", wrap_angle: {A}/coordinates/angle-1.2.0> {{unit: !unit/unit-1.0.0 deg, value: 360.0, datatype: float64}}"
    );
    let place = format!("x: {quantity}, y: {quantity}, z: {quantity}");
    let one =
        |value: &str| format!("!unit/quantity-1.3.0 {{unit: !unit/unit-1.0.0 m, value: {value}, datatype: float64}}");
    let cartesian = format!(
        "{A}/coordinates/representation-1.2.0> {{type: CartesianRepresentation, components: {{x: {}, y: {}, z: {}}}}}",
        one("1.0"),
        one("2.0"),
        one("3.0")
    );
    let columns = [
        format!("!table/column-1.2.0 {{name: a, data: {ARRAY}, description: plain}}"),
        quantity.clone(),
        format!("!unit/quantity-1.3.0 {{unit: !unit/unit-1.0.0 deg, value: {ARRAY}, class: astropy.coordinates.angles.Longitude{wrap}, __ecsv__: {{description: east}}}}"),
        format!("!table/column-1.2.0 {{name: d, unit: mag(AB), data: {ARRAY}}}"),
        format!("!time/time-1.4.0 {{value: {ARRAY}, format: mjd, scale: tai, __ecsv__: {{format: '%.3f', meta: {{k: 1}}}}}}"),
        format!("!time/time-1.4.0 {{value: {TEXTS}, base_format: fits, out_subfmt: date, precision: 6}}"),
        format!("!time/time-1.4.0 {{value: {ARRAY}, format: cxcsec, scale: tt, location: {{x: {}, y: {}, z: {}}}}}", one("1.0"), one("2.0"), one("3.0")),
        format!("{A}/time/timedelta-1.2.0> {{format: sec, scale: tai, jd1: {ARRAY}, jd2: {ARRAY}}}"),
        format!("{A}/coordinates/earthlocation-1.2.0> {{ellipsoid: GRS80, {place}}}"),
        format!("{A}/coordinates/skycoord-1.0.0> {{ra: {}, dec: {}, frame: gcrs, obstime: !time/time-1.4.0 {{value: '2020-01-01 00:00:00', base_format: iso}}, obsgeoloc: {cartesian}}}",
            angle("longitude", &wrap), angle("latitude", "")),
        "!table/column-1.2.0 {name: k, data: !core/ndarray-1.1.0 {data: [[1, 2.0], [3, 4.0]], datatype: [{name: x, datatype: int32}, {name: y, datatype: float64}]}}".to_owned(),
    ];
    let table = get(&with_columns(&columns.each_ref().map(|column| &**column)));
    let root = set(&table, TableForm::Automatic);
    let expected = [
        "table/column",
        "unit/quantity",
        "unit/quantity",
        "table/column",
        "time/time",
        "time/time",
        "time/time",
        "time/timedelta",
        "coordinates/earthlocation",
        "coordinates/skycoord",
        "table/column",
    ];
    for (index, name) in expected.iter().enumerate() {
        let tag = root.tag(&format!("t/columns/{index}")).unwrap().unwrap();
        assert!(tag.contains(&format!("{name}-")), "{index}: {tag}");
    }
    assert_eq!(root.count("t/colnames").unwrap(), expected.len());
    assert!(root.bool("t/qtable").unwrap() && !root.exists("t/meta").unwrap());
    for (path, text) in [
        ("2/wrap_angle/value", "360.0"),
        ("4/scale", "tai"),
        ("4/__ecsv__/meta/k", "1"),
        ("5/base_format", "fits"),
        ("5/precision", "6"),
        ("6/location/x/datatype", "float64"),
        ("8/ellipsoid", "GRS80"),
        ("9/ra/wrap_angle/unit", "deg"),
        ("9/obsgeoloc/components/z/value", "3.0"),
        ("9/obstime/value", "2020-01-01 00:00:00"),
    ] {
        assert_eq!(root.text(&format!("t/columns/{path}")).unwrap(), text, "{path}");
    }
    assert_eq!(content(&get(&root)), content(&table));
    // The standard has no objects: their parts are columns.
    let plain = set(&table, TableForm::Standard);
    assert!(plain.exists("t/meta/__serialized_columns__/j").unwrap());
    assert_eq!(content(&get(&plain)), content(&table));
}

const ECSV: &str = "\
# %ECSV 1.0
# ---
# datatype:
# - {name: q, unit: km, datatype: float64, description: far}
# - {name: d, datatype: float64}
# - {name: m, datatype: string}
# - {name: m.mask, datatype: bool}
# - {name: s.ra, unit: deg, datatype: float64}
# - {name: s.dec, unit: deg, datatype: float64}
# - {name: o.x, datatype: float64}
# meta: !!omap
# - {kept: 5}
# - __serialized_columns__:
#     q: {__class__: astropy.units.quantity.Quantity, unit: !astropy.units.Unit {unit: km}, value: !astropy.table.SerializedColumn {name: q}}
#     d: {__class__: astropy.time.core.TimeDelta, format: sec, value: !astropy.table.SerializedColumn {name: d}}
#     m: {__class__: astropy.table.column.MaskedColumn, data: !astropy.table.SerializedColumn {name: m}, mask: !astropy.table.SerializedColumn {name: m.mask}}
#     o: {__class__: other.Class, x: !astropy.table.SerializedColumn {name: o.x}}
#     s:
#       __class__: astropy.coordinates.sky_coordinate.SkyCoord
#       __info__: {description: where}
#       frame: icrs
#       ra: !astropy.table.SerializedColumn {__class__: astropy.coordinates.angles.core.Longitude, unit: &u !astropy.units.Unit {unit: deg}, value: !astropy.table.SerializedColumn {name: s.ra}}
#       dec: !astropy.table.SerializedColumn {__class__: astropy.coordinates.angles.core.Latitude, unit: *u, value: !astropy.table.SerializedColumn {name: s.dec}}
# schema: astropy-2.0
q d m m.mask s.ra s.dec o.x
1.0 129600.0 a False 10.0 20.0 1.0
2.0 1.0 b True 11.0 21.0 2.0
";

#[test]
fn tables_of_ecsv_become_tables_of_astropy() {
    let table = of_ecsv(ECSV);
    let root = set(&table, TableForm::Automatic);
    let names: Vec<String> = (0..root.count("t/colnames").unwrap())
        .map(|index| root.string(&format!("t/colnames/{index}")).unwrap())
        .collect();
    assert_eq!(names, ["q", "d", "m", "s", "o.x"]);
    // A quantity with a description is a column of astropy's QTable.
    assert_eq!(root.string("t/columns/0/description").unwrap(), "far");
    assert_eq!(root.array("t/columns/1/jd1").unwrap().read_vec::<f64>().unwrap(), [2.0, 0.0]);
    assert_eq!(root.array("t/columns/1/jd2").unwrap().read_vec::<f64>().unwrap(), [-0.5, 1.0 / 86400.0]);
    assert!(root.exists("t/columns/2/data/mask").unwrap());
    assert_eq!(root.string("t/columns/3/ra/wrap_angle/unit").unwrap(), "deg");
    assert_eq!(root.string("t/meta/__ecsv__/info/s/description").unwrap(), "where");
    // The entry of an unknown class stays.
    assert_eq!(root.count("t/meta/__serialized_columns__").unwrap(), 1);
    assert!(root.exists("t/meta/__serialized_columns__/o").unwrap() && !root.exists("t/meta/__ecsv__/schema").unwrap());
    let again = get(&root);
    assert_eq!(again.header().schema.as_deref(), Some("astropy-2.0"));
    let meta = again.header().meta.as_ref().unwrap();
    assert_eq!(meta.string("__serialized_columns__/s/__info__/description").unwrap(), "where");
    assert_eq!((meta.i64("kept").unwrap(), meta.exists("__ecsv__").unwrap()), (5, false));
}

#[test]
fn objects_that_a_file_cannot_hold_stay_columns() {
    let time = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: t, datatype: float64}\n# meta: {__serialized_columns__: \
                {t: {__class__: astropy.time.core.Time, format: FORMAT, value: !astropy.table.SerializedColumn {name: NAME}}}}\n\
                t\n1.0\n";
    for (format, name) in [("nonsense", "t"), ("mjd", "missing")] {
        let text = time.replace("FORMAT", format).replace("NAME", name);
        let table = of_ecsv(&text);
        let root = set(&table, TableForm::Automatic);
        assert!(root.tag("t").unwrap().unwrap().contains(":asdf/table/table-"), "{format}");
        assert!(root.exists("t/meta/__serialized_columns__/t").unwrap());
    }
    let table = get(&with_columns(&[&format!("!unit/quantity-1.3.0 {{unit: m, value: {ARRAY}}}")]));
    let old = File::new(&NewOptions { standard: StandardVersion::V1_0_0, ..NewOptions::default() }).root().unwrap();
    let error = old.set_table("t", &table, &TableWriteOptions::default()).unwrap_err();
    assert_eq!((error.status(), old.exists("t").unwrap()), (Status::Unsupported, false));
}

#[test]
fn a_part_of_an_object_has_the_unit_of_its_column() {
    let angle = |name: &str, more: &str| {
        format!("{A}/coordinates/{name}-1.2.0> {{unit: !unit/unit-1.0.0 deg, value: {ARRAY}{more}}}")
    };
    let sky = format!(
        "{A}/coordinates/skycoord-1.0.0> {{frame: icrs, representation_type: spherical, ra: {}, dec: {}}}",
        angle("longitude", ""),
        angle("latitude", "")
    );
    let mut table = get(&with_columns(&[&sky]));
    let unit = Unit::parse("arcmin", Spelling::Generic).unwrap();
    table.convert_column("a.ra", &unit, &[]).unwrap();
    let root = set(&table, TableForm::Astropy);
    assert_eq!(root.text("t/columns/0/ra/unit").unwrap(), "arcmin");
    assert_eq!(root.text("t/columns/0/dec/unit").unwrap(), "deg");
    let again = get(&root);
    assert_eq!(format!("{:?}", again.column("a.ra").unwrap()), format!("{:?}", table.column("a.ra").unwrap()));
    assert_eq!(again.header().columns[0].unit.as_deref(), Some("arcmin"));
}
