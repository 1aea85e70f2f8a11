//! Descriptions: random ones, built by the caller and from texts, and written as canonical text.

use crate::random::Lcg;
use crate::{check_refusal, texts};
use asdfkit::Result;
use asdfkit::ndl::{
    Address, Attribute, Builder, Datatype, Dimension, Elements, FloatType, IntegerType, ReadOptions, Size, TextOptions,
    parse,
};

const PATHS: &[&str] =
    &["/", "/a", "/b", "/a/b", "/g/a", "/g/h/c", "a", "", "//", "/a/", "/.", "/..", "/ü", "/a b", "/x-y", "/~", "/1"];

const VALUES: &[&str] = &[
    "1",
    "[1, 2]",
    "[[1, 2], [3, 4]]",
    "[]",
    "a",
    "'a'",
    "[a, b]",
    "1.5",
    "[.nan, .inf]",
    "true",
    "{a: 1}",
    "0x10",
    "1e400",
    "null",
    "[1, [2]]",
    "\"\\0\"",
    "[a: b",
    "2001-01-01",
    "&a [1]",
    "*a",
    "!!str 1",
    "1 # comment",
    "|\n  a\n",
    "- 1\n- 2\n",
];

const DIRECTIVES: &[&str] =
    &["byteorder", "order", "chunks", "filters", "fill", "charset", "layout", "x-a", "", "compression"];

fn path(random: &mut Lcg) -> String {
    match random.below(4) {
        0 => format!("/{}", texts::text(random)),
        _ => (*random.pick(PATHS)).to_owned(),
    }
}

fn datatype(random: &mut Lcg) -> Option<Datatype> {
    match random.below(6) {
        0 => None,
        1 => Some(Datatype::string()),
        2 => Some(Datatype::boolean()),
        3 => Some(FloatType::Float64.into()),
        4 => Some(FloatType::Float32.into()),
        _ => Some(IntegerType::Int32.into()),
    }
}

fn size(random: &mut Lcg) -> Size {
    *random.pick(&[Size::Fixed(0), Size::Fixed(1), Size::Fixed(2), Size::Fixed(u64::MAX), Size::Unlimited])
}

fn dimension(random: &mut Lcg) -> Dimension {
    match random.below(5) {
        0 => Dimension::unlimited(),
        1 => Dimension::named(path(random)),
        _ => Dimension::fixed(*random.pick(&[0, 1, 2, 2, i64::MAX as u64, u64::MAX])),
    }
}

fn shape(random: &mut Lcg) -> Vec<Dimension> {
    let rank = if random.below(20) == 0 { *random.pick(&[31, 32, 33, 64, 65]) } else { random.below(3) };
    (0..rank).map(|_| dimension(random)).collect()
}

fn attribute(random: &mut Lcg) -> Result<Attribute> {
    Ok(match random.below(4) {
        0 => Attribute::integer(*random.pick(&[0, -1, i64::MAX, i64::MIN])),
        1 => Attribute::float(*random.pick(&[0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, 1e300, 5e-324])),
        2 => {
            let texts: Vec<String> = (0..random.below(4)).map(|_| texts::text(random)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let elements = Elements::of_texts(&texts, &Datatype::string())?;
            Attribute::new(
                Datatype::string(),
                asdfkit::ndl::Value::new(vec![texts.len() as u64], elements, &Datatype::string())?,
            )
        }
        _ => Attribute::text(&texts::text(random)),
    })
}

fn change(random: &mut Lcg, builder: &mut Builder) -> Result<()> {
    let path = path(random);
    let name = texts::name(random);
    let place = match random.below(2) {
        0 => Address::from(&*path),
        _ => Address::attribute(&path, &name),
    };
    let value = Some(*random.pick(VALUES));
    match random.below(12) {
        0 => builder.add_group(&path),
        1 => builder.add_dimcoord(&path, size(random), datatype(random)),
        2 | 3 => builder.add_ndarray(&path, shape(random), datatype(random)),
        4..7 => builder.set_attribute(&path, &name, attribute(random)?),
        7 => builder.set_value(place, value),
        8 => {
            let key = *random.pick(DIRECTIVES);
            builder.set_directive(place, key, value)
        }
        9 => builder.set_extension(place, &format!("x-{name}"), value),
        10 => builder.set_root_extension(&format!("x-{name}"), value),
        _ => builder.remove(place),
    }
}

pub(crate) fn check(random: &mut Lcg, case: &str) -> usize {
    let mut builder = Builder::new();
    for _ in 0..1 + random.below(8) {
        if let Err(error) = change(random, &mut builder) {
            check_refusal(&error, case);
        }
    }
    let finished = match builder.finish(&ReadOptions::default()) {
        Ok(finished) if finished.is_valid() => finished.description,
        Ok(_) => return 0,
        Err(error) => {
            check_refusal(&error, case);
            return 0;
        }
    };
    let options = TextOptions { sort: random.below(2) == 0, grouped: random.below(2) == 0 };
    let text = match finished.to_text(&options) {
        Ok(text) => text,
        Err(error) => {
            check_refusal(&error, case);
            return 0;
        }
    };
    let read = parse(text.as_bytes(), &ReadOptions::default());
    assert!(read.is_valid(), "{case}: {:?}\n{text}", read.diagnostics);
    let again = read.description.to_text(&options).unwrap_or_else(|error| panic!("{case}: {error}\n{text}"));
    assert!(again == text, "{case}:\nfirst {text}\nagain {again}");
    let sorted = TextOptions { sort: true, grouped: true };
    let (written, found) = (finished.to_text(&sorted).unwrap(), read.description.to_text(&sorted).unwrap());
    assert!(written == found, "{case}:\nwritten {written}\nread {found}");
    1
}
