//! Transforms and world coordinates: shapes of calls, numerical inverses, hostile trees. The conformance corpus has the
//! values.

use asdfkit::file::{File, OpenOptions};
use asdfkit::wcs::{BuildOptions, EvaluateOptions, Layout, Transform, Wcs};
use asdfkit::{Error, Status};
use std::fmt::Write as _;
use std::sync::Arc;

const HEADER: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

fn file(tree: &str) -> File {
    let text = format!("{HEADER}{tree}\n...\n").into_bytes();
    File::open_memory(Arc::new(text), &OpenOptions::default()).unwrap()
}

fn at(file: &File, path: &str) -> Result<Transform, Error> {
    Transform::from_node(&file.root().unwrap().at(path).unwrap(), &BuildOptions::default())
}

fn wcs(file: &File) -> Wcs {
    Wcs::from_node(&file.root().unwrap().at("wcs").unwrap(), &BuildOptions::default()).unwrap()
}

fn transform(tree: &str) -> Result<Transform, Error> {
    at(&file(&format!("t: {tree}")), "t")
}

/// Two distortion polynomials, a rotation, TAN, and a rotation to the sky; no part but the polynomials lacks an inverse.
const DISTORTED: &str = "wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>
  name: camera
  pixel_shape: [2048, 2048]
  steps:
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: !<tag:stsci.edu:gwcs/frame2d-1.0.0> {axes_names: [x, y], axes_order: [0, 1], name: detector, unit: [pixel, pixel]}
    transform: !transform/compose-1.3.0
      bounding_box: [[-0.5, 2047.5], [-0.5, 2047.5]]
      forward:
      - !transform/compose-1.3.0
        forward:
        - !transform/remap_axes-1.3.0 {mapping: [0, 1, 0, 1]}
        - !transform/concatenate-1.3.0
          forward:
          - !transform/polynomial-1.2.0
            coefficients: [[-0.0085, 1.0e-7, 1.0e-12], [8.5e-6, 2.0e-11, 0], [3.0e-12, 0, 0]]
          - !transform/polynomial-1.2.0
            coefficients: [[-0.0084, 8.4e-6, -2.0e-12], [-1.1e-7, 1.0e-11, 0], [2.0e-12, 0, 0]]
      - !transform/compose-1.3.0
        forward:
        - !transform/gnomonic-1.2.0 {direction: pix2sky}
        - !transform/rotate3d-1.3.0 {direction: native2celestial, phi: PHI, theta: THETA, psi: 180}
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: !<tag:stsci.edu:gwcs/celestial_frame-1.0.0>
      axes_names: [lon, lat]
      axes_order: [0, 1]
      name: icrs
      reference_frame: !<tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0> {frame_attributes: {}}
      unit: [deg, deg]
    transform: null";

fn distorted(longitude: f64, latitude: f64) -> Wcs {
    let tree = DISTORTED.replace("PHI", &longitude.to_string()).replace("THETA", &latitude.to_string());
    wcs(&file(&tree))
}

#[test]
fn a_numerical_inverse_returns_to_the_pixel() {
    // Also at the jump of the longitude, and at a pole.
    for (longitude, latitude) in [(30.0, 40.0), (0.0, 0.0), (180.0, -60.0), (77.0, 89.995), (77.0, -90.0)] {
        let wcs = distorted(longitude, latitude);
        assert!(wcs.is_inverse_numerical().unwrap());
        let pixels: Vec<f64> = (0..32)
            .flat_map(|row| (0..32).map(move |column| (row, column)))
            .flat_map(|(row, column)| [f64::from(column) * 66.0 + 0.25, f64::from(row) * 66.0])
            .collect();
        let (count, layout) = (pixels.len() / 2, Layout::points(2));
        let mut data = pixels.clone();
        let options = EvaluateOptions::default();
        wcs.pixel_to_world_in_place(count, &mut data, layout, &options).unwrap();
        let evaluation = wcs.world_to_pixel_in_place(count, &mut data, layout, &options).unwrap();
        assert_eq!((evaluation.unconverged, evaluation.outside), (0, 0));
        let worst = data.iter().zip(&pixels).map(|(is, was)| (is - was).abs()).fold(0.0, f64::max);
        // Half of the last digit of a right ascension is 3e-9 pixels.
        assert!(worst < 1e-8, "{worst:e} pixels at {longitude}, {latitude}");
    }
}

#[test]
fn points_without_a_pixel_are_nan_and_counted() {
    let wcs = distorted(30.0, 40.0);
    // The opposite side of the sky, and a place that is not a number.
    let sky = [210.0, f64::NAN, -40.0, 10.0];
    let mut pixels = [0.0; 4];
    let layout = Layout::columns(2);
    let options = EvaluateOptions::default();
    let evaluation = wcs.world_to_pixel(2, &sky, layout, &mut pixels, layout, &options).unwrap();
    assert!(pixels.iter().all(|value| value.is_nan()));
    assert_eq!(evaluation.unconverged, 1);
    let mut strict = EvaluateOptions::default();
    strict.strict_convergence = true;
    let error = wcs.world_to_pixel(2, &sky, layout, &mut pixels, layout, &strict).unwrap_err();
    assert_eq!(error.status(), Status::NoConvergence);
}

#[test]
fn layouts_threads_and_places_give_the_same_values() {
    let wcs = distorted(30.0, 40.0);
    let count = 10_000;
    let x: Vec<f64> = (0..count).map(|point| (point * 7 % 2048) as f64).collect();
    let y: Vec<f64> = (0..count).map(|point| (point * 13 % 2048) as f64).collect();
    let columns = [x.clone(), y.clone()].concat();
    let mut expected = vec![0.0; 2 * count];
    let layout = Layout::columns(count);
    let options = EvaluateOptions::default();
    wcs.pixel_to_world(count, &columns, layout, &mut expected, layout, &options).unwrap();
    let mut threaded = EvaluateOptions::default();
    threaded.threads = 4;
    for options in [options, threaded] {
        let mut out = vec![0.0; 2 * count];
        wcs.pixel_to_world(count, &columns, layout, &mut out, layout, &options).unwrap();
        assert!(out == expected);
        out.copy_from_slice(&columns);
        wcs.pixel_to_world_in_place(count, &mut out, layout, &options).unwrap();
        assert!(out == expected);
        // Points of three numbers; the last is no coordinate.
        let padded = Layout { axis_stride: 1, point_stride: 3 };
        let mut points: Vec<f64> = x.iter().zip(&y).flat_map(|(x, y)| [*x, *y, 7.0]).collect();
        wcs.pixel_to_world_in_place(count, &mut points, padded, &options).unwrap();
        for (point, values) in points.chunks(3).enumerate() {
            assert_eq!(values, [expected[point], expected[count + point], 7.0]);
        }
    }
    // An input with the stride 0 is a constant for all points.
    let shift = transform("!transform/shift-1.2.0 {offset: 1.5}").unwrap();
    let mut out = [0.0; 3];
    let constant = Layout { axis_stride: 1, point_stride: 0 };
    shift.evaluate(3, &[2.0], constant, &mut out, Layout::columns(3), &EvaluateOptions::default()).unwrap();
    assert_eq!(out, [3.5; 3]);
}

#[test]
fn layouts_that_do_not_fit_are_refused() {
    let identity = transform("!transform/identity-1.2.0 {n_dims: 2}").unwrap();
    let options = EvaluateOptions::default();
    let refused = |layout: Layout, length: usize| {
        let mut data = vec![0.0; length];
        identity.evaluate_in_place(4, &mut data, layout, &options).map_err(|error| error.status()).err()
    };
    let layout = |axis_stride: usize, point_stride: usize| Layout { axis_stride, point_stride };
    assert_eq!(refused(layout(4, 1), 8), None);
    assert_eq!(refused(layout(4, 1), 7), Some(Status::InvalidArgument));
    assert_eq!(refused(layout(1, 1), 8), Some(Status::InvalidArgument));
    assert_eq!(refused(layout(0, 2), 8), Some(Status::InvalidArgument));
    assert_eq!(refused(layout(8, 0), 16), Some(Status::InvalidArgument));
    assert_eq!(refused(layout(usize::MAX, usize::MAX), 8), Some(Status::InvalidArgument));
}

#[test]
fn points_outside_of_the_box_are_filled_and_cannot_fail() {
    let tree = "!transform/tabular-1.2.0
  lookup_table: [1.0, 2.0, 4.0]
  points: [[0.0, 1.0, 2.0]]
  method: linear
  bounds_error: true
  bounding_box: [0.5, 1.5]";
    let table = transform(tree).unwrap();
    let points = [-7.0, 0.5, 1.5, 2.5, f64::NAN];
    let (layout, mut out) = (Layout::columns(5), [0.0; 5]);
    let mut options = EvaluateOptions::default();
    let error = table.evaluate(5, &points, layout, &mut out, layout, &options).unwrap_err();
    assert_eq!(error.status(), Status::OutOfDomain);
    assert!(error.message().contains("point 0 "), "{error}");
    assert_eq!(error.location().path.as_deref(), Some("/t"));
    options.with_bounding_box = Some(true);
    options.fill = -1.0;
    let evaluation = table.evaluate(5, &points, layout, &mut out, layout, &options).unwrap();
    assert_eq!((&out[..4], out[4].is_nan(), evaluation.outside), (&[-1.0, 1.5, 3.0, -1.0][..], true, 2));
}

#[test]
fn unknown_transforms_leave_the_frames_readable() {
    let tree = DISTORTED.replace("!transform/gnomonic-1.2.0", "!<tag:example.org:warp-1.0.0>");
    let wcs = wcs(&file(&tree.replace("PHI", "1").replace("THETA", "2")));
    assert_eq!(wcs.frames().map(|frame| frame.name.as_str()).collect::<Vec<_>>(), ["detector", "icrs"]);
    let error = wcs.world(&[1.0, 1.0]).unwrap_err();
    assert_eq!(error.status(), Status::UnknownTransform);
    assert_eq!(error.location().path.as_deref(), Some("/wcs/steps/0/transform/forward/1/forward/0"));
    assert!(error.message().contains("tag:example.org:warp-1.0.0"), "{error}");
}

/// Returns a chain in which each transform contains the one before it.
fn nested(depth: usize) -> String {
    let mut text = "!transform/shift-1.2.0 {offset: 1}".to_owned();
    for _ in 0..depth {
        text = format!("!transform/compose-1.2.0 {{forward: [{text}, !transform/shift-1.2.0 {{offset: 1}}]}}");
    }
    text
}

#[test]
fn depth_is_limited_and_costs_no_stack() {
    // Two levels of the tree for each transform.
    assert_eq!(transform(&nested(100)).unwrap().at(&[0.0]).unwrap(), [101.0]);
    // Anchors make chains deeper than the limit on nesting of the text.
    let mut tree = "a0: &a0 !transform/shift-1.2.0 {offset: 1}\n".to_owned();
    for number in 1..=600 {
        let before = number - 1;
        writeln!(tree, "a{number}: &a{number} !transform/compose-1.2.0 {{forward: [*a{before}, *a0]}}").unwrap();
    }
    let file = file(tree.trim_end());
    assert_eq!(at(&file, "a400").unwrap().at(&[0.0]).unwrap(), [401.0]);
    assert_eq!(at(&file, "a400").unwrap().inverse().unwrap().at(&[0.0]).unwrap(), [-401.0]);
    assert_eq!(at(&file, "a600").unwrap_err().status(), Status::Limit);
}

#[test]
fn aliases_that_double_are_limited() {
    let mut tree = "a0: &a0 !transform/shift-1.2.0 {offset: 1}\n".to_owned();
    for number in 1..=60 {
        let before = number - 1;
        writeln!(tree, "a{number}: &a{number} !transform/compose-1.2.0 {{forward: [*a{before}, *a{before}]}}").unwrap();
    }
    let file = file(tree.trim_end());
    assert_eq!(at(&file, "a10").unwrap().at(&[0.0]).unwrap(), [1024.0]);
    assert_eq!(at(&file, "a60").unwrap_err().status(), Status::Limit);
}

#[test]
fn hostile_fields_are_errors_of_content() {
    let status = |tree: &str| transform(tree).map(|_| ()).map_err(|error| error.status());
    let content = Err(Status::TagContent);
    assert_eq!(status("!transform/identity-1.2.0 {n_dims: 4000000000}"), content);
    assert_eq!(status("!transform/remap_axes-1.2.0 {mapping: [4000000000]}"), content);
    assert_eq!(status("!transform/remap_axes-1.2.0 {mapping: [0], n_inputs: 4000000000}"), content);
    assert_eq!(status("!transform/remap_axes-1.2.0 {mapping: [-1]}"), content);
    assert_eq!(status("!transform/remap_axes-1.2.0 {mapping: ['0']}"), Err(Status::Unsupported));
    assert_eq!(status("!transform/shift-1.2.0 {offset: yes}"), content);
    assert_eq!(status("!transform/shift-1.2.0 {offset: {a: 1}}"), content);
    assert_eq!(status("!transform/tabular-1.2.0 {lookup_table: [1, 2], points: [[1, 1]]}"), content);
    assert_eq!(status("!transform/tabular-1.2.0 {lookup_table: [1, 2], points: [[1, 2, 3]]}"), Err(Status::BadArray));
    let empty = "{lookup_table: [1, 2], points: !core/ndarray-1.1.0 {data: [], datatype: float64, shape: [0, 3]}}";
    assert_eq!(status(&format!("!transform/tabular-1.2.0 {empty}")), Err(Status::BadArray));
    assert_eq!(status("!transform/polynomial-1.2.0 {coefficients: [[1, 2], [3]]}"), Err(Status::BadArray));
    assert_eq!(status("!transform/gnomonic-1.2.0 {direction: up}"), content);
    assert_eq!(status("!transform/compose-1.2.0 {forward: 3}"), content);
    assert_eq!(
        status("!transform/fix_inputs-1.2.0 {forward: [!transform/identity-1.2.0 {}, {keys: [7], values: [1]}]}"),
        content
    );
    assert_eq!(status("!core/ndarray-1.1.0 [1]"), Err(Status::NotTransform));
}

#[test]
fn serialized_inverses_win() {
    let tree = "!transform/scale-1.2.0 {factor: 2, inverse: !transform/shift-1.2.0 {offset: 5}}";
    let chain = format!("!transform/compose-1.2.0 {{forward: [{tree}, !transform/shift-1.2.0 {{offset: 1}}]}}");
    let inverse = transform(&chain).unwrap().inverse().unwrap();
    assert_eq!(inverse.at(&[3.0]).unwrap(), [7.0]);
    // The inverse of the inverse is the transform again.
    assert_eq!(inverse.inverse().unwrap().at(&[7.0]).unwrap(), [3.0]);
}

#[test]
fn units_are_converted_along_a_chain() {
    let tree = "!transform/compose-1.2.0
  forward:
  - !transform/shift-1.2.0 {offset: !unit/quantity-1.1.0 {value: 60, unit: !unit/unit-1.0.0 arcsec}}
  - !transform/shift-1.2.0 {offset: !unit/quantity-1.1.0 {value: 1, unit: !unit/unit-1.0.0 arcmin}}";
    let chain = transform(tree).unwrap();
    assert_eq!(chain.at(&[0.0]).unwrap(), [2.0]);
    assert_eq!((chain.input_unit(0).as_deref(), chain.output_unit(0).as_deref()), (Some("arcsec"), Some("arcmin")));
    let other = chain.in_units(&[Some("deg")], &[Some("arcsec")]).unwrap();
    assert_eq!(other.at(&[1.0]).unwrap(), [3720.0]);
    assert_eq!(chain.in_units(&[Some("s")], &[None]).unwrap_err().status(), Status::Units);
}

#[test]
fn scale_and_footprint_of_an_image() {
    let wcs = distorted(30.0, 40.0);
    let scale = wcs.pixel_scale(1000.0, 1000.0).unwrap();
    assert!((scale - 8.45e-6).abs() < 1e-7, "{scale}");
    let corners = wcs.footprint(false).unwrap();
    assert_eq!(corners.len(), 4);
    assert_eq!(corners[1], wcs.world(&[-0.5, 2047.5]).unwrap());
    assert_eq!(corners[3], wcs.world(&[2047.5, -0.5]).unwrap());
    assert_eq!(wcs.array_index(&[3.5, 7.4]), [7, 4]);
    assert_eq!(wcs.array_shape(), Some(vec![2048, 2048]));
}

#[test]
fn a_point_is_found_from_far_away() {
    // Without a box or a shape, the start is that for an image of 2,048 pixels.
    let tree = DISTORTED
        .replace("      bounding_box: [[-0.5, 2047.5], [-0.5, 2047.5]]\n", "")
        .replace("  pixel_shape: [2048, 2048]\n", "");
    let wcs = wcs(&file(&tree.replace("PHI", "12").replace("THETA", "-85")));
    for pixel in [[-700.0, 3000.0], [6000.0, 9000.0], [2048.0, 0.0]] {
        let found = wcs.pixel(&wcs.world(&pixel).unwrap()).unwrap();
        assert!((found[0] - pixel[0]).abs() < 1e-8 && (found[1] - pixel[1]).abs() < 1e-8, "{found:?}");
    }
}

#[test]
fn labels_can_be_texts() {
    let tree = "!<tag:stsci.edu:gwcs/regions_selector-1.3.0>
  inputs: [x, y]
  outputs: [z]
  undefined_transform_value: -1
  label_mapper: !<tag:stsci.edu:gwcs/label_mapper-1.3.0>
    mapper: !core/ndarray-1.1.0 {data: [[red, ''], [blue, red]], datatype: [ucs4, 4], shape: [2, 2]}
    inputs: [x, y]
    inputs_mapping: !transform/remap_axes-1.3.0 {mapping: [0, 1]}
  selector:
    labels: [blue, red]
    transforms:
    - !transform/planar2d-1.2.0 {slope_x: 0, slope_y: 0, intercept: 7}
    - !transform/planar2d-1.2.0 {slope_x: 1, slope_y: 10, intercept: 100}";
    let regions = transform(tree).unwrap();
    let at = |x: f64, y: f64| regions.at(&[x, y]).unwrap()[0];
    assert_eq!([at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)], [100.0, -1.0, 7.0, 111.0]);
    assert_eq!([at(-1.0, 0.0), at(f64::NAN, 0.0)], [-1.0, -1.0]);
    // A number is no text.
    let other = transform(&tree.replace("[blue, red]\n", "[1, 2]\n")).unwrap();
    assert_eq!(other.at(&[0.0, 1.0]).unwrap(), [-1.0]);
}

/// Numbers of a linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Changes a text in one to four places: digits, words of the text and hostile ones, cuts.
fn damaged(text: &str, random: &mut Random) -> String {
    const WORDS: [&str; 24] = [
        "0",
        "-1",
        "1e308",
        "-1e308",
        ".nan",
        ".inf",
        "4000000000",
        "-9223372036854775808",
        "null",
        "''",
        "[]",
        "{}",
        "[[]]",
        "true",
        "x",
        "*id001",
        "[1, 2]",
        "!transform/shift-1.2.0 {offset: 1}",
        "{value: 1, unit: m}",
        "zxz",
        "pix2sky",
        "!core/ndarray-1.1.0 {source: 0, datatype: float64, shape: [9]}",
        "!transform/identity-1.2.0 {n_dims: 3}",
        "..",
    ];
    let mut words: Vec<String> = text.split_inclusive([' ', ',', '\n', ']', '}']).map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        let place = random.below(words.len());
        let end = words[place].chars().last().unwrap_or(' ');
        let other = words[random.below(words.len())].clone();
        match random.below(4) {
            0 => words[place] = format!("{}{end}", WORDS[random.below(WORDS.len())]),
            1 => words[place] = other,
            2 => drop(words.remove(place)),
            _ => words.insert(place, other),
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

/// Uses whatever a damaged tree contains. Nothing may panic or take long; an error is a typed one.
fn use_all(file: &File) {
    let Ok(root) = file.root() else { return };
    let options = EvaluateOptions::default();
    for path in ["transform", "wcs"] {
        let Ok(node) = root.at(path) else { continue };
        if let Ok(transform) = Transform::from_node(&node, &BuildOptions::default()) {
            for transform in [Some(transform.clone()), transform.inverse().ok()].into_iter().flatten() {
                let (inputs, outputs) = transform.arity();
                let points = [0.0, 1.5, -3.0, 1e300, f64::NAN, f64::INFINITY];
                let input: Vec<f64> = (0..inputs).flat_map(|_| points).collect();
                let mut output = vec![0.0; 6 * outputs];
                let layout = Layout::columns(6);
                drop(transform.evaluate(6, &input, layout, &mut output, layout, &options));
            }
        }
        if let Ok(wcs) = Wcs::from_node(&node, &BuildOptions::default())
            && let Ok(pixels) = wcs.forward().map(|forward| forward.arity().0)
        {
            drop(wcs.footprint(true));
            if let Ok(world) = wcs.world(&vec![3.0; pixels]) {
                drop(wcs.pixel(&world));
            }
        }
    }
}

#[test]
fn damaged_trees_are_typed_errors() {
    let count = std::env::var("ASDFKIT_WCS_MUTATIONS").map_or(1500, |count| count.parse().unwrap());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpora/gwcs-samples");
    let mut texts = Vec::new();
    for kind in ["basic", "bbox", "compound", "functional", "gwcs", "jwst", "polynomial", "projection"] {
        for entry in std::fs::read_dir(format!("{folder}/{kind}")).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            // The tree alone: arrays in blocks are missing, too.
            let end = bytes.windows(5).position(|part| part == b"\n...\n").map_or(bytes.len(), |end| end + 5);
            texts.extend(String::from_utf8(bytes[..end].to_vec()).ok().filter(|text| text.len() < 20_000));
        }
    }
    assert!(texts.len() > 200, "{} texts", texts.len());
    texts.sort();
    let mut random = Random(36);
    for number in 0..count {
        let (head, tree) = texts[number % texts.len()].split_once("\n--- ").unwrap();
        let text = format!("{head}\n--- {}", damaged(tree, &mut random)).into_bytes();
        if let Ok(file) = File::open_memory(Arc::new(text), &OpenOptions::default()) {
            use_all(&file);
        }
    }
}

#[test]
fn a_rotation_without_direction_leads_to_the_sky() {
    // Writers of the standards before 1.6.0 leave out the default of the schema.
    let tree = "!transform/rotate3d-1.2.0 {phi: 10, theta: 20, psi: 180}";
    let (plain, full) = (transform(tree), transform(&tree.replace("psi", "direction: native2celestial, psi")));
    assert_eq!(plain.unwrap().at(&[3.0, 80.0]).unwrap(), full.unwrap().at(&[3.0, 80.0]).unwrap());
}
