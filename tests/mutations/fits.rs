//! A FITS file with ASDF, and damage of its cards.

use crate::mutants::{Base, Mutant, Rule};

const CARD: usize = 80;
const BLOCK: usize = 2880;

/// Values in place of those of cards.
const HOSTILE: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "8",
    "16",
    "-64",
    "999",
    "1000",
    "2880",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1E400",
    "T",
    "''",
    "'4294967295M'",
    "'1PJ(9)'",
    "'1QD'",
    "'(2,3)'",
];

/// Returns a file with images, a table with all kinds of columns, and ASDF that names them.
pub(crate) fn file() -> Vec<u8> {
    let image = |name: &str, bits: i64, more: &[&str], data: &[u8], count: usize| {
        let mut cards = vec![
            "XTENSION= 'IMAGE   '".to_owned(),
            format!("BITPIX  = {bits:>20}"),
            "NAXIS   =                    1".to_owned(),
            format!("NAXIS1  = {count:>20}"),
            "PCOUNT  =                    0".to_owned(),
            "GCOUNT  =                    1".to_owned(),
            format!("EXTNAME = '{name:<8}'"),
        ];
        cards.extend(more.iter().map(|&card| card.to_owned()));
        hdu(&cards, data)
    };
    let columns = [("L", 1), ("3X", 1), ("J", 4), ("1PJ(3)", 8), ("2E", 8), ("4A", 4), ("1QA(2)", 16)];
    let width: usize = columns.iter().map(|(_, size)| size).sum();
    let mut cards = vec![
        "XTENSION= 'BINTABLE'".to_owned(),
        "BITPIX  =                    8".to_owned(),
        "NAXIS   =                    2".to_owned(),
        format!("NAXIS1  = {width:>20}"),
        "NAXIS2  =                    2".to_owned(),
        "PCOUNT  =                   16".to_owned(),
        "GCOUNT  =                    1".to_owned(),
        format!("TFIELDS = {:>20}", columns.len()),
        "EXTNAME = 'T       '".to_owned(),
        "THEAP   =                   84".to_owned(),
        "TZERO3  =           2147483648".to_owned(),
        "TSCAL5  =                  0.5".to_owned(),
        "TDIM5   = '(1,2)   '".to_owned(),
    ];
    for (number, (form, _)) in columns.iter().enumerate() {
        cards.push(format!("TTYPE{}  = 'c{number:<7}'", number + 1));
        cards.push(format!("TFORM{}  = '{form:<8}'", number + 1));
    }
    let mut rows = Vec::new();
    for row in 0..2_u32 {
        rows.extend([b'T', 0xA0]);
        rows.extend([row + 7, row + 1, 4 * row, 0x3F80_0000, 0x4000_0000].map(u32::to_be_bytes).as_flattened());
        rows.extend(b"ab  ");
        rows.extend([2_u64, 12].map(u64::to_be_bytes).as_flattened());
    }
    rows.extend((0..16).map(|byte| byte + b'a'));
    let node = |name: &str, datatype: &str, count: usize| {
        format!(
            "!core/ndarray-1.1.0 {{source: 'fits:{name},1', datatype: {datatype}, byteorder: big, shape: [{count}]}}\n"
        )
    };
    let mut tree =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n".to_owned();
    tree += &format!("unsigned: {}", node("U", "uint16", 3));
    tree += &format!("scaled: {}", node("S", "int32", 2));
    tree += &format!("table: {}", node("T", "int8", 2));
    tree += "number: 5\n...\n";
    let size = tree.len();
    let asdf = [
        "XTENSION= 'BINTABLE'".to_owned(),
        "BITPIX  =                    8".to_owned(),
        "NAXIS   =                    2".to_owned(),
        format!("NAXIS1  = {size:>20}"),
        "NAXIS2  =                    1".to_owned(),
        "PCOUNT  =                    0".to_owned(),
        "GCOUNT  =                    1".to_owned(),
        "TFIELDS =                    1".to_owned(),
        "TTYPE1  = 'ASDF_METADATA'".to_owned(),
        format!("TFORM1  = '{size}B'"),
        "EXTNAME = 'ASDF    '".to_owned(),
    ];
    let primary =
        ["SIMPLE  =                    T", "BITPIX  =                    8", "NAXIS   =                    0"];
    [
        hdu(&primary.map(str::to_owned), b""),
        image("U", 16, &["BZERO   =                32768"], &[0x80, 1, 0, 2, 0x7F, 0xFF], 3),
        image(
            "S",
            32,
            &["BSCALE  =                  0.5", "BLANK   =                    9"],
            &[0, 0, 0, 4, 0, 0, 0, 9],
            2,
        ),
        hdu(&cards, &rows),
        hdu(&asdf, tree.as_bytes()),
    ]
    .concat()
}

fn hdu(cards: &[String], data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for card in cards.iter().map(String::as_str).chain(["END"]) {
        bytes.extend(format!("{card:<80}").into_bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(BLOCK), b' ');
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
    bytes
}

/// Replaces the value of each card, and omits and doubles cards.
pub(crate) fn cards(base: &Base, out: &mut dyn FnMut(Mutant)) {
    if !base.bytes.starts_with(b"SIMPLE  =") {
        return;
    }
    let places = (0..base.bytes.len()).step_by(CARD).filter(|&at| {
        let card = base.bytes.get(at..at + CARD).unwrap_or_default();
        card.get(8) == Some(&b'=') && card.iter().all(|byte| (b' '..0x7F).contains(byte))
    });
    let mut put = |kind, bytes| out(Mutant { kind, rule: Rule::Free, bytes });
    for at in places {
        for value in HOSTILE {
            let mut bytes = base.bytes.clone();
            bytes[at + 10..at + CARD].fill(b' ');
            bytes[at + 10..][..value.len()].copy_from_slice(value.as_bytes());
            put("value of a card", bytes);
        }
        let mut bytes = base.bytes.clone();
        bytes[at..at + CARD].fill(b' ');
        put("no card", bytes);
        let mut bytes = base.bytes.clone();
        bytes.copy_within(at..at + CARD, at + CARD);
        put("card twice", bytes);
        let mut bytes = base.bytes.clone();
        bytes[at..at + CARD].fill(b' ');
        bytes[at..at + 3].copy_from_slice(b"END");
        put("early end", bytes);
    }
}
