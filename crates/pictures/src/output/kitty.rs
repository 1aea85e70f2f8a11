//! Pictures for terminals that show PNG files by the protocol of kitty.

use super::png::encode;
use crate::array::Raster;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io;

/// Number of characters of a part of a picture.
const PART: usize = 4096;

/// Returns the sequences that show a picture, and a line feed.
pub fn kitty(raster: &Raster) -> io::Result<String> {
    let text = STANDARD.encode(encode(raster)?);
    let mut out = String::with_capacity(text.len() + text.len() / 100);
    let mut rest = text.as_str();
    let mut first = "a=T,f=100,q=2,";
    while !rest.is_empty() {
        // Base64 is ASCII, so each place is the start of a character.
        let (part, after) = rest.split_at(rest.len().min(PART));
        let more = u8::from(!after.is_empty());
        out.push_str(&format!("\x1b_G{first}m={more};{part}\x1b\\"));
        (first, rest) = ("", after);
    }
    out.push('\n');
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_pictures_come_in_parts() {
        let mut raster = Raster::new(100, 100, [0; 3]);
        for index in 0..10_000 {
            raster.set_pixel(
                index % 100,
                index / 100,
                [(index * index % 251) as u8, (index * index / 7 % 199) as u8, (index * 7919 % 247) as u8],
            );
        }
        let text = kitty(&raster).unwrap();
        assert!(text.starts_with("\x1b_Ga=T,f=100,q=2,m=1;") && text.contains("\x1b_Gm=0;"));
        let longest = text.split("\x1b\\").map(str::len).max().unwrap();
        assert!(longest <= PART + 30, "{longest}");
    }
}
