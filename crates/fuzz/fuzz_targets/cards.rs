//! Cards of FITS headers: the world coordinates that they describe, evaluated in both directions, and written as a tree.
#![no_main]

use asdfkit::file::{File, NewOptions};
use asdfkit::wcs::{CardOptions, EvaluateOptions, SipOptions, Wcs};
use asdfkit_fuzz::judge::take;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|cards: &[u8]| {
    let options = CardOptions::default();
    if let Some(wcs) = take(Wcs::from_cards(cards, &options)) {
        let axes = wcs.forward().map_or(0, |forward| forward.arity().0);
        for value in [0.0, 1.5, 1e6, f64::NAN] {
            let pixel = vec![value; axes];
            if let Some(world) = take(wcs.world(&pixel)) {
                let _ = take(wcs.pixel(&world));
            }
        }
        let _ = take(wcs.sky(3.0, 4.0, &EvaluateOptions::default()));
        let _ = take(wcs.footprint(true));
        let _ = take(wcs.pixel_scale(1.0, 1.0));
        let _ = take(wcs.axis_correlation());
        let mut few = SipOptions::default();
        (few.degree, few.inverse_degree, few.points) = (Some(2), Some(2), 5);
        let _ = take(wcs.sip_cards(&few));
    }
    let file = File::new(&NewOptions::default());
    if let Ok(root) = file.root()
        && take(Wcs::write_cards(&root, "wcs", cards, &options)).is_some()
    {
        let written = root.at("wcs").and_then(|node| Wcs::from_node(&node, &Default::default()));
        if let Err(error) = written {
            panic!("what was written does not read: {error}");
        }
    }
});
