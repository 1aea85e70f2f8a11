//! FITS files with ASDF: the target builds HDUs of whole cards and blocks, so that the input reaches what is behind them.
//!
//! The parts of the input are the tree, and cards and data of one HDU after another.
#![no_main]

#[path = "../../../tests/mutations/visit.rs"]
mod visit;

use asdfkit_fuzz::asdf::HEAD;
use asdfkit_fuzz::input::parts;
use libfuzzer_sys::fuzz_target;

/// Maximum number of bytes read from one array or block.
const BUFFER: usize = 1 << 16;
/// Number of nodes on which all calls are tried, whether they fit the node or not.
const THOROUGH: usize = 10;
/// Length of a card, and of the blocks of a FITS file.
const CARD: usize = 80;
const BLOCK: usize = 2880;

fn add_card(out: &mut Vec<u8>, card: &[u8]) {
    out.extend(&card[..card.len().min(CARD)]);
    fill(out, CARD, b' ');
}

fn fill(out: &mut Vec<u8>, unit: usize, byte: u8) {
    out.resize(out.len().next_multiple_of(unit), byte);
}

fn add_hdu(out: &mut Vec<u8>, cards: &[u8], data: &[u8]) {
    for card in cards.split(|&byte| byte == b'\n') {
        add_card(out, card);
    }
    add_card(out, b"END");
    fill(out, BLOCK, b' ');
    out.extend(data);
    fill(out, BLOCK, 0);
}

fuzz_target!(|input: &[u8]| {
    let parts = parts(input);
    let (tree, hdus) = parts.split_first().expect("there is always one part");
    let mut bytes = Vec::new();
    add_hdu(&mut bytes, b"SIMPLE  = T\nBITPIX  = 8\nNAXIS   = 0\nEXTEND  = T", &[]);
    for hdu in hdus.chunks(2) {
        add_hdu(&mut bytes, hdu[0], hdu.get(1).copied().unwrap_or_default());
    }
    let asdf = [HEAD.as_bytes(), tree, b"\n...\n"].concat();
    let cards = format!(
        "XTENSION= 'BINTABLE'\nBITPIX  = 8\nNAXIS   = 2\nNAXIS1  = {0}\nNAXIS2  = 1\nPCOUNT  = 0\nGCOUNT  = 1\nTFIELDS = 1\n\
         TFORM1  = '{0}B'\nTTYPE1  = 'ASDF_METADATA'\nEXTNAME = 'ASDF'",
        asdf.len()
    );
    add_hdu(&mut bytes, cards.as_bytes(), &asdf);
    let told = visit::visit(bytes.clone(), None);
    assert!(told.violations.is_empty(), "{:?}", told.violations);
    assert_eq!(visit::description(bytes), None);
});
