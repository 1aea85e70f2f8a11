//! Transforms and world coordinates in trees: building, inverting, evaluating.
#![no_main]

use asdfkit::wcs::{BuildOptions, Transform, Wcs};
use asdfkit_fuzz::asdf::{file_of, open};
use asdfkit_fuzz::judge::take;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|tree: &[u8]| {
    let Some(root) = take(open(file_of(tree, &[]))).and_then(|file| take(file.root())) else { return };
    let Some(children) = take(root.children()) else { return };
    for node in children.take(20) {
        if let Some(transform) = take(Transform::from_node(&node, &BuildOptions::default())) {
            let (inputs, _) = transform.arity();
            let _ = (transform.parts().count(), transform.dependence(), take(transform.bounding_box()));
            let output = take(transform.at(&vec![1.5; inputs]));
            if let (Some(inverse), Some(output)) = (take(transform.inverse()), output) {
                let _ = take(inverse.at(&output));
            }
        }
        if let Some(wcs) = take(Wcs::from_node(&node, &BuildOptions::default())) {
            let axes = wcs.forward().map_or(0, |forward| forward.arity().0);
            if let Some(world) = take(wcs.world(&vec![1.5; axes])) {
                let _ = take(wcs.pixel(&world));
            }
            let _ = (take(wcs.footprint(true)), take(wcs.axis_correlation()));
        }
    }
});
