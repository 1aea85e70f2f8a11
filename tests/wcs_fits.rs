//! WCS of FITS headers: values of astropy, trees written and read, cut-outs, approximations, damaged headers.

use asdfkit::array::Region;
use asdfkit::file::{File, NewOptions, Node, OpenOptions};
use asdfkit::wcs::{BuildOptions, CardOptions, EvaluateOptions, FrameKind, Layout, SipOptions, Wcs};
use asdfkit::{Error, Status};
use std::sync::Arc;

/// A header, and pixels with their world coordinates.
type Sample = (&'static str, &'static [(&'static [f64], &'static [f64])]);

/// Headers with values of astropy 8.0.2 (`all_pix2world`), in short form: `KEY=value` separated by semicolons.
#[rustfmt::skip]
const SAMPLES: &[Sample] = &[
    // tan_cd
    (
        "CTYPE1='RA---TAN';CTYPE2='DEC--TAN';CRPIX1=512.5;CRPIX2=256.25;CRVAL1=202.5;CRVAL2=47.25;CD1_1=-1e-4;CD1_2=2e-5;CD2_1=1.5e-5;CD2_2=1.1e-4",
        &[
            (&[3.25, 70.5], &[202.5693946232027, 47.22203280330668]),
            (&[90.0, 11.0], &[202.55486389217205, 47.21679690920601]),
        ],
    ),
    // swapped
    (
        "CTYPE1='GLAT-STG';CTYPE2='GLON-STG';CRPIX1=10;CRPIX2=20;CRVAL1=-60;CRVAL2=300;CDELT1=0.01;CDELT2=-0.02;CROTA1=25",
        &[
            (&[3.25, 70.5], &[-60.474697226289415, 298.1548997326366]),
            (&[90.0, 11.0], &[-59.19771264935373, 299.6147010500682]),
        ],
    ),
    // aitoff
    (
        "CTYPE1='RA---AIT';CTYPE2='DEC--AIT';CRPIX1=60.5;CRPIX2=50.5;CRVAL1=-30;CRVAL2=0;CDELT1=-1;CDELT2=1",
        &[
            (&[3.25, 70.5], &[-330.18354741484524, 20.42015334333147]),
            (&[90.0, 11.0], &[-67.13529894262142, -38.79546793014444]),
        ],
    ),
    // oblique
    (
        "CTYPE1='ELON-CEA';CTYPE2='ELAT-CEA';CRPIX1=50;CRPIX2=50;CRVAL1=120;CRVAL2=35;CDELT1=-.5;CDELT2=.5;LONPOLE=20;PV2_1=.75",
        &[
            (&[3.25, 70.5], &[148.75189627868613, 45.6444877730307]),
            (&[90.0, 11.0], &[104.12834860651242, 14.628721682826674]),
        ],
    ),
    // conic
    (
        "CTYPE1='RA---COE';CTYPE2='DEC--COE';CRPIX1=50;CRPIX2=50;CRVAL1=1080000;CRVAL2=144000;CUNIT1='arcsec';CUNIT2='arcsec';CDELT1=-360;CDELT2=360;PV2_1=-45;PV2_2=25;PC1_2=.1",
        &[
            (&[3.25, 70.5], &[306.3940986761799, 41.74490877352186]),
            (&[90.0, 11.0], &[294.9066555928067, 36.38857811432168]),
        ],
    ),
    // healpix
    (
        "CTYPE1='GLON-HPX';CTYPE2='GLAT-HPX';CRPIX1=50;CRPIX2=50;CRVAL1=0;CRVAL2=0;CDELT1=-.5;CDELT2=.5;PC1_1=.7071;PC1_2=.7071;PC2_1=-.7071;PC2_2=.7071",
        &[
            (&[3.25, 70.5], &[8.573587499999999, 20.624418882349886]),
            (&[90.0, 11.0], &[358.93935, -24.442790459405487]),
        ],
    ),
    // gls
    (
        "CTYPE1='RA---GLS';CTYPE2='DEC--GLS';CRPIX1=50;CRPIX2=50;CRVAL1=83;CRVAL2=22;CDELT1=-.05;CDELT2=.05",
        &[
            (&[3.25, 70.5], &[85.48643304543388, 23.075]),
            (&[90.0, 11.0], &[80.81704552506062, 20.1]),
        ],
    ),
    // offset
    (
        "CTYPE1='RA---CAR';CTYPE2='DEC--CAR';CRPIX1=50;CRPIX2=50;CRVAL1=83;CRVAL2=22;CDELT1=-.05;CDELT2=.05;PV1_0=1;PV1_1=10;PV1_2=15",
        &[
            (&[3.25, 70.5], &[85.38916812654966, 23.069188464876635]),
            (&[90.0, 11.0], &[80.8738834202777, 20.09536514805857]),
        ],
    ),
    // sip
    (
        "CTYPE1='RA---TAN-SIP';CTYPE2='DEC--TAN-SIP';CRPIX1=50.5;CRPIX2=40;CRVAL1=10;CRVAL2=20;CD1_1=-1e-5;CD1_2=0;CD2_1=1e-6;CD2_2=1e-5;A_ORDER=3;B_ORDER=2;A_2_0=1e-5;A_1_2=-3e-7;B_0_2=2e-5;B_1_1=4e-6",
        &[
            (&[3.25, 70.5], &[10.000491808915323, 20.000268924654705]),
            (&[90.0, 11.0], &[9.999568935475223, 19.999760617795758]),
        ],
    ),
    // cube
    (
        "CTYPE1='RA---SIN';CTYPE2='DEC--SIN';CTYPE3='FREQ';CTYPE4='STOKES';CRPIX1=5;CRPIX2=6;CRPIX3=7;CRPIX4=1;CRVAL1=10;CRVAL2=20;CRVAL3=1.4;CRVAL4=1;CDELT1=-1e-3;CDELT2=1e-3;CDELT3=1e-3;CDELT4=1;CUNIT3='GHz';PC1_2=.1;PC1_3=.2;PC3_1=-.1;PC2_3=.05",
        &[
            (&[3.25, 70.5, 12.0, 0.0], &[9.99254763562765, 20.065799858762745, 1406075000.0, 1.0]),
            (&[90.0, 11.0, 3.5, 1.0], &[9.90837084828748, 20.00585145298943, 1388900000.0, 2.0]),
        ],
    ),
    // log
    (
        "CTYPE1='WAVE-LOG';CRPIX1=5;CRVAL1=5e-7;CDELT1=1e-9;CUNIT1='m'",
        &[
            (&[3.25], &[4.992505622188554e-07]),
            (&[90.0], &[5.93838916606953e-07]),
        ],
    ),
];

/// Returns cards of the short form.
fn cards(short: &str) -> String {
    let card = |pair: &str| {
        let (key, value) = pair.split_once('=').unwrap();
        format!("{:<80}", format!("{key:<8}= {value}"))
    };
    short.split(';').map(card).collect()
}

fn wcs(short: &str) -> Wcs {
    Wcs::from_cards(cards(short), &CardOptions::default()).unwrap()
}

fn refusal(short: &str) -> Error {
    Wcs::from_cards(cards(short), &CardOptions::default()).unwrap_err()
}

fn file(tree: &str) -> File {
    let head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    let text = format!("{head}{tree}\n...\n").into_bytes();
    File::open_memory(Arc::new(text), &OpenOptions::default()).unwrap()
}

fn at(root: &Node, path: &str) -> Wcs {
    Wcs::from_node(&root.at(path).unwrap(), &BuildOptions::default()).unwrap()
}

fn new() -> Node {
    File::new(&NewOptions::default()).root().unwrap()
}

/// Returns the largest difference of coordinates, with longitudes modulo 360 degrees.
fn distance(one: &[f64], other: &[f64]) -> f64 {
    let apart = |(a, b): (&f64, &f64)| {
        let difference = (a - b).abs();
        difference.min((difference - 360.0).abs()) / b.abs().max(360.0) * 360.0
    };
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(apart).fold(0.0, f64::max)
}

#[test]
fn headers_give_the_coordinates_of_astropy() {
    for (short, points) in SAMPLES {
        let wcs = wcs(short);
        for (pixel, world) in *points {
            let found = wcs.world(pixel).unwrap();
            let exact = found.iter().zip(*world).map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max);
            assert!(exact < 1e-12, "{short}: {found:?}, expected {world:?}");
            assert!(distance(&wcs.pixel(world).unwrap(), pixel) < 1e-9, "{short}: {:?}", wcs.pixel(world));
        }
    }
}

#[test]
fn points_without_a_pixel_are_counted() {
    // This distortion folds the plane at u = 1000: nothing leads to points behind u = 500.
    let wcs = wcs(
        "CTYPE1='RA---TAN-SIP';CTYPE2='DEC--TAN-SIP';CRPIX1=1;CRPIX2=1;CDELT1=.001;CDELT2=.001;A_ORDER=2;B_ORDER=2;\
         A_2_0=-5e-4;NAXIS1=900;NAXIS2=900",
    );
    let near = wcs.world(&[100.0, 200.0]).unwrap();
    let world = [near[0], 0.9, f64::NAN, near[1], 0.2, 0.0];
    let mut pixels = [0.0; 6];
    let layout = Layout::columns(3);
    let options = EvaluateOptions::default();
    let done = wcs.world_to_pixel(3, &world, layout, &mut pixels, layout, &options).unwrap();
    assert_eq!((done.unconverged, done.outside), (1, 0));
    assert!((pixels[0] - 100.0).abs() < 1e-9 && (pixels[3] - 200.0).abs() < 1e-9);
    assert!(pixels[1].is_nan() && pixels[2].is_nan());
    let mut strict = EvaluateOptions::default();
    strict.strict_convergence = true;
    let error = wcs.world_to_pixel(3, &world, layout, &mut pixels, layout, &strict).unwrap_err();
    assert_eq!(error.status(), Status::NoConvergence);
}

#[test]
fn damaged_cards_are_errors_only_where_they_are_needed() {
    let sky = "CTYPE1='RA---TAN';CTYPE2='DEC--TAN';CRPIX1=1;CRPIX2=1;CRVAL1=30";
    for unrelated in ["OBJECT='x", "GAIN=1.5.2", "EXPTIME=1e999", "BLANK=--", "CRVAL1A=x"] {
        let found = wcs(&format!("{unrelated};{sky}")).world(&[0.0, 0.0]).unwrap();
        assert!(distance(&found, &[30.0, 0.0]) < 1e-12, "{unrelated}: {found:?}");
    }
    let mut latin = cards(&format!("FILTER='e';{sky}")).into_bytes();
    latin[11] = 0xe9;
    assert!(Wcs::from_cards(&latin, &CardOptions::default()).is_ok());
    for (needed, card) in [("CRVAL2=1..2", "card 6"), ("CUNIT2='deg", "card 6"), ("PC1_1=1e999", "card 6")] {
        let error = refusal(&format!("{sky};{needed}"));
        assert_eq!(error.status(), Status::InvalidArgument, "{needed}");
        assert!(error.message().starts_with(card), "{error}");
    }
}

#[test]
fn trees_of_headers_have_the_same_coordinates_in_every_standard() {
    for standard in asdfkit::file::StandardVersion::ALL {
        for (short, points) in SAMPLES {
            let root = File::new(&NewOptions { standard, ..NewOptions::default() }).root().unwrap();
            Wcs::write_cards(&root, "meta/wcs", cards(short), &CardOptions::default()).unwrap();
            let wcs = at(&root, "meta/wcs");
            for (pixel, world) in *points {
                assert!(distance(&wcs.world(pixel).unwrap(), world) < 1e-11, "{short}");
                assert!(distance(&wcs.pixel(world).unwrap(), pixel) < 1e-8, "{short}: {:?}", wcs.pixel(world));
                assert!(!wcs.is_inverse_numerical().unwrap());
            }
        }
    }
}

#[test]
fn a_tree_has_frames_shape_and_box() {
    let root = new();
    let short = "NAXIS=2;NAXIS1=200;NAXIS2=100;WCSNAME='sky';CTYPE1='DEC--TAN';CTYPE2='RA---TAN';CRPIX1=1;CRPIX2=1;\
        RADESYS='FK5';EQUINOX=1975.5";
    Wcs::write_cards(&root, "wcs", cards(short), &CardOptions::default()).unwrap();
    let wcs = at(&root, "wcs");
    assert_eq!(wcs.name(), Some("sky"));
    assert_eq!(wcs.pixel_shape(), Some(&[200, 100][..]));
    assert_eq!(wcs.bounding_box().unwrap(), [Some([-0.5, 199.5]), Some([-0.5, 99.5])]);
    let frames: Vec<_> = wcs.frames().collect();
    assert_eq!((frames[0].name.as_str(), frames[0].kind), ("detector", FrameKind::Frame2d));
    assert_eq!((frames[1].name.as_str(), frames[1].kind), ("fk5", FrameKind::Celestial));
    assert_eq!(frames[1].axes_order, [1, 0]);
    let reference = frames[1].reference.as_ref().unwrap();
    assert_eq!(reference.name, "fk5");
    assert!(reference.attributes[0].1 == "J1975.5", "{reference:?}");
    // Headers themselves have no box.
    let direct = Wcs::from_cards(cards(short), &CardOptions::default()).unwrap();
    assert_eq!(direct.bounding_box().unwrap_err().status(), Status::NotFound);
    assert_eq!(direct.pixel_shape(), wcs.pixel_shape());
}

#[test]
fn alternate_headers_have_a_letter() {
    let short = "CTYPE1='RA---TAN';CTYPE2='DEC--TAN';CTYPE1A='LINEAR';CTYPE2A='LINEAR';CRVAL1A=3;CDELT1A=2;CRPIX1A=1";
    let mut options = CardOptions::default();
    options.alternate = 'A';
    let wcs = Wcs::from_cards(cards(short), &options).unwrap();
    assert_eq!(wcs.world(&[2.0, -1.0]).unwrap(), [7.0, 0.0]);
    options.alternate = 'B';
    let error = Wcs::from_cards(cards(short), &options).unwrap_err();
    assert_eq!(error.status(), Status::NotFound);
    options.alternate = '1';
    let error = Wcs::from_cards(cards(short), &options).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
}

#[test]
fn headers_that_are_no_wcs_are_errors() {
    let sky = "CTYPE1='RA---TAN';CTYPE2='DEC--TAN'";
    for (short, status) in [
        ("SIMPLE=T", Status::InvalidArgument),
        ("CTYPE1='RA---TAN'", Status::InvalidArgument),
        ("CTYPE1='RA---TAN';CTYPE2='DEC--SIN'", Status::InvalidArgument),
        ("CTYPE1='RA---TAN';CTYPE2='GLON-TAN'", Status::InvalidArgument),
        ("CTYPE1='RA---XYZ';CTYPE2='DEC--XYZ'", Status::Unsupported),
        ("CTYPE1='RA---COP';CTYPE2='DEC--COP'", Status::InvalidArgument),
        ("CTYPE1='RA---CEA';CTYPE2='DEC--CEA';PV2_1=2", Status::InvalidArgument),
        ("CTYPE1='RA---CAR';CTYPE2='DEC--CAR';CRVAL2=60;LONPOLE=90", Status::InvalidArgument),
        ("CTYPE1='RA---CAR';CTYPE2='DEC--CAR';CRVAL2=95", Status::InvalidArgument),
        ("CTYPE1='RA---TAN';CTYPE2='DEC--TAN';PV1_1=1;PV1_5=0.01", Status::Unsupported),
        ("CTYPE1='FREQ-F2W'", Status::Unsupported),
        ("CTYPE1='WAVE-TAB'", Status::Unsupported),
        ("CTYPE1='WAVE-LOG';CRVAL1=0", Status::InvalidArgument),
        ("CTYPE1='WAVE';CUNIT1='Hz'", Status::Units),
        ("CRPIX1=1;CRPIX40=1", Status::Limit),
        ("CRPIX1='x'", Status::InvalidArgument),
    ] {
        assert_eq!(refusal(short).status(), status, "{short}: {}", refusal(short));
    }
    for (more, status) in [
        ("CDELT1=0", Status::Singular),
        ("CD1_1=1;CD1_2=2;CD2_1=2;CD2_2=4", Status::Singular),
        ("A_ORDER=2", Status::InvalidArgument),
        ("A_ORDER=10;B_ORDER=2", Status::InvalidArgument),
        ("A_ORDER=2.5;B_ORDER=2", Status::InvalidArgument),
        ("CPDIS1='LOOKUP'", Status::Unsupported),
        ("CUNIT1='furlong'", Status::Units),
    ] {
        let short = format!("{sky};{more}");
        assert_eq!(refusal(&short).status(), status, "{short}: {}", refusal(&short));
    }
    // A tree that was not written stays as it was, and the file can be written after another try.
    let root = new();
    let error = Wcs::write_cards(&root, "wcs", cards("SIMPLE=T"), &CardOptions::default()).unwrap_err();
    assert_eq!(error.location().path.as_deref(), Some("/wcs"));
    assert!(!root.exists("wcs").unwrap());
}

/// `astropy.wcs.WCS` as asdf-astropy 0.11 stores it.
const ASTROPY: &str = "wcs: !<tag:astropy.org:astropy/wcs/wcs-1.0.0>
  attrs: {naxis: 2, pixel_bounds: BOUNDS, pixel_shape: [100, 80]}
  hdulist: !<tag:astropy.org:astropy/fits/fits-1.2.0>
  - header:
    - [SIMPLE, true, conforms to FITS standard]
    - [BITPIX, 8, array data type]
    - [NAXIS, 0, number of array dimensions]
    - ['', '', '']
    - []
    - [WCSAXES, 2, Number of coordinate axes]
    - [CRPIX1, 50.5, Pixel coordinate of reference point]
    - [CRPIX2, 40.0, Pixel coordinate of reference point]
    - [PC1_1, -1.0e-05, Coordinate transformation matrix element]
    - [PC2_1, 1.0e-06, Coordinate transformation matrix element]
    - [PC2_2, 1.0e-05, Coordinate transformation matrix element]
    - [CUNIT1, deg, Units of coordinate increment and value]
    - [CTYPE1, RA---TAN-SIP, TAN (gnomonic) projection + SIP distortions]
    - [CTYPE2, DEC--TAN-SIP, TAN (gnomonic) projection + SIP distortions]
    - [CRVAL1, 10, '[deg] Coordinate value at reference point']
    - [CRVAL2, 20.0, '[deg] Coordinate value at reference point']
    - [A_ORDER, 3, 'SIP polynomial order, axis 0, detector to sky']
    - [A_2_0, 1.0e-05, SIP distortion coefficient]
    - [A_1_2, -3.0e-07, SIP distortion coefficient]
    - [B_ORDER, 2, 'SIP polynomial order, axis 1, detector to sky']
    - [B_0_2, 2.0e-05, SIP distortion coefficient]
    - [B_1_1, 4.0e-06, SIP distortion coefficient]
sliced: !<tag:astropy.org:astropy/wcs/slicedwcs-1.1.0>
  slices_array:
  - {start: 11, step: null, stop: 70}
  - {start: 3, step: null, stop: null}
  wcs: !<tag:astropy.org:astropy/wcs/highlevelwcswrapper-1.0.0>
    wcs: !<tag:astropy.org:astropy/wcs/wcs-1.0.0>
      attrs: {naxis: 2, pixel_bounds: null, pixel_shape: [100, 80], key: ' '}
      hdulist:
      - header:
        - [CTYPE1, RA---TAN]
        - [CTYPE2, DEC--TAN]
        - [CDELT2, 0.5]
";

fn astropy(bounds: &str) -> File {
    file(&ASTROPY.replace("BOUNDS", bounds))
}

#[test]
fn a_wcs_of_astropy_is_read() {
    let file = astropy("[[-0.5, 99.5], [2, 70]]");
    let read = at(&file.root().unwrap(), "wcs");
    let world = read.world(&[90.0, 11.0]).unwrap();
    assert!(distance(&world, &[9.999568935475223, 19.999760617795758]) < 1e-12);
    assert!(distance(&read.pixel(&world).unwrap(), &[90.0, 11.0]) < 1e-9);
    assert_eq!(read.pixel_shape(), Some(&[100, 80][..]));
    assert_eq!(read.bounding_box().unwrap(), [Some([-0.5, 99.5]), Some([2.0, 70.0])]);
    let sliced = at(&file.root().unwrap(), "sliced");
    let whole = wcs("CTYPE1='RA---TAN';CTYPE2='DEC--TAN';CDELT2=0.5");
    assert_eq!(sliced.pixel_shape(), Some(&[97, 59][..]));
    assert!(distance(&sliced.world(&[1.0, 2.0]).unwrap(), &whole.world(&[4.0, 13.0]).unwrap()) < 1e-12);
}

#[test]
fn a_damaged_wcs_of_astropy_is_an_error_with_its_place() {
    let read = |from: &str, to: &str| {
        let text = ASTROPY.replace("BOUNDS", "null");
        assert!(text.contains(from), "{from}");
        let file = file(&text.replacen(from, to, 1));
        let root = file.root().unwrap();
        Wcs::from_node(&root.at("wcs").unwrap(), &BuildOptions::default()).unwrap_err()
    };
    for (from, to, path, status) in [
        ("hdulist:", "hdus:", "/wcs/hdulist", Status::NotFound),
        ("[CRPIX1, 50.5,", "[7, 50.5,", "/wcs/hdulist/0/header/6", Status::TagContent),
        ("[NAXIS, 0,", "[CPDIS1, LOOKUP,", "/wcs/hdulist/0/header", Status::Unsupported),
        ("DEC--TAN-SIP, TAN", "DEC--SIN-SIP, TAN", "/wcs/hdulist/0/header", Status::TagContent),
        ("pixel_shape: [100, 80]", "pixel_shape: [100]", "/wcs/attrs/pixel_shape", Status::TagContent),
        ("pixel_bounds: null", "pixel_bounds: [[1], null]", "/wcs/attrs/pixel_bounds/0", Status::TagContent),
        ("naxis: 2", "key: AB", "/wcs/attrs/key", Status::TagContent),
    ] {
        let error = read(from, to);
        assert_eq!((error.status(), error.location().path.as_deref()), (status, Some(path)), "{error}");
    }
    let file = file("a: &a !<tag:astropy.org:astropy/wcs/slicedwcs-1.1.0> {slices_array: [1], wcs: *a}");
    let error = Wcs::from_node(&file.root().unwrap().at("a").unwrap(), &BuildOptions::default()).unwrap_err();
    assert!(matches!(error.status(), Status::ReferenceCycle | Status::Tree), "{error}");
}

/// Writes the cut-out of a WCS, and compares its pixels with those of the whole.
fn check_cut(source: &Node, start: &[i64], count: &[i64], step: &[i64]) -> Wcs {
    let root = new();
    Wcs::write_cutout(&root, "part", source, &Region { start, count, step: Some(step) }).unwrap();
    let whole = Wcs::from_node(source, &BuildOptions::default()).unwrap();
    let part = at(&root, "part");
    let axes = whole.forward().unwrap().arity().0;
    let last = start.len() - 1;
    for point in 0..20 {
        let pixel: Vec<f64> = (0..axes).map(|axis| f64::from((point * 7 + axis as i32 * 3) % 9)).collect();
        let of_whole: Vec<f64> = pixel
            .iter()
            .enumerate()
            .map(|(axis, value)| match axis <= last {
                true => start[last - axis] as f64 + step[last - axis] as f64 * value,
                false => *value,
            })
            .collect();
        let world = part.world(&pixel).unwrap();
        assert!(distance(&world, &whole.world(&of_whole).unwrap()) < 1e-11);
        let back = part.pixel(&world).unwrap();
        assert!(distance(&back, &pixel) < 1e-7, "{back:?} {pixel:?}");
    }
    part
}

#[test]
fn a_cut_out_of_a_tree_has_shifted_pixels() {
    let root = new();
    let short =
        format!("NAXIS=2;NAXIS1=100;NAXIS2=80;{}", SAMPLES.iter().find(|(s, _)| s.contains("A_ORDER")).unwrap().0);
    Wcs::write_cards(&root, "wcs", cards(&short), &CardOptions::default()).unwrap();
    let source = root.at("wcs").unwrap();
    let part = check_cut(&source, &[10, 20], &[30, 40], &[1, 1]);
    assert_eq!(part.pixel_shape(), Some(&[40, 30][..]));
    assert_eq!(part.bounding_box().unwrap(), [Some([-0.5, 39.5]), Some([-0.5, 29.5])]);
    let part = check_cut(&source, &[70, 90], &[20, 30], &[-3, -2]);
    assert_eq!(part.bounding_box().unwrap(), [Some([-0.5, 29.5]), Some([-0.5, 19.5])]);
    // A part that begins before the image, and a stack of images.
    let part = check_cut(&source, &[7, -10, 0], &[1, 40, 200], &[1, 1, 1]);
    assert_eq!(part.bounding_box().unwrap(), [Some([-0.5, 99.5]), Some([9.5, 39.5])]);
    // The whole, and a cut-out of a cut-out.
    check_cut(&source, &[0, 0], &[80, 100], &[1, 1]);
    let twice = new();
    Wcs::write_cutout(&twice, "one", &source, &Region { start: &[5, 6], count: &[50, 60], step: None }).unwrap();
    check_cut(&twice.at("one").unwrap(), &[7, 8], &[9, 10], &[2, 3]);
}

#[test]
fn a_cut_out_of_a_wcs_of_astropy_has_other_cards() {
    let file = astropy("[[-0.5, 99.5], [2, 70]]");
    let root = file.root().unwrap();
    let source = root.at("wcs").unwrap();
    let part = check_cut(&source, &[10, 20], &[30, 40], &[1, 1]);
    assert_eq!(part.pixel_shape(), Some(&[40, 30][..]));
    assert_eq!(part.bounding_box().unwrap(), [Some([-0.5, 39.5]), Some([-0.5, 29.5])]);
    check_cut(&source, &[10, 20], &[20, 20], &[2, 3]);
    let part = check_cut(&source, &[5, 10, 20], &[2, 30, 40], &[1, 1, 1]);
    assert_eq!((part.pixel_shape(), part.forward().unwrap().arity()), (Some(&[40, 30][..]), (2, 2)));
    let part = check_cut(&root.at("sliced").unwrap(), &[4, 5], &[10, 20], &[1, 1]);
    assert_eq!(part.pixel_shape(), Some(&[20, 10][..]));
    let target = new();
    let region = Region { start: &[4, 5], count: &[10, 20], step: Some(&[2, 1]) };
    let error = Wcs::write_cutout(&target, "wcs", &root.at("sliced").unwrap(), &region).unwrap_err();
    assert_eq!(error.status(), Status::Unsupported);
}

#[test]
fn boxes_of_all_forms_and_units_are_cut() {
    let tree = "wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>
  name: ''
  steps:
  - !<tag:stsci.edu:gwcs/step-1.1.0> {frame: pixels, transform: TRANSFORM}
  - !<tag:stsci.edu:gwcs/step-1.1.0> {frame: world, transform: null}";
    let cut = |transform: &str, start: &[i64], count: &[i64]| {
        let file = file(&tree.replace("TRANSFORM", transform));
        let ones = vec![1; start.len()];
        check_cut(&file.root().unwrap().at("wcs").unwrap(), start, count, &ones)
    };
    let pair = "forward: [!transform/shift-1.2.0 {offset: 1.0}, !transform/shift-1.2.0 {offset: 2.0}]";
    let named = format!(
        "!transform/concatenate-1.2.0 {{inputs: [x, order], {pair}, bounding_box: !transform/property/bounding_box-1.0.0 \
         {{intervals: {{x: [0, 50], order: [1, 2]}}, ignore: [], order: C}}}}"
    );
    let part = cut(&named, &[10], &[20]);
    assert_eq!(part.bounding_box().unwrap(), [Some([-0.5, 19.5]), Some([1.0, 2.0])]);
    let quantities = "!transform/shift-1.2.0 {offset: !unit/quantity-1.1.0 {unit: !unit/unit-1.0.0 pixel, value: 1.0}, \
        bounding_box: [!unit/quantity-1.1.0 {unit: !unit/unit-1.0.0 pixel, value: 15.0}, 100.0]}";
    let part = cut(quantities, &[10], &[20]);
    assert_eq!(part.bounding_box().unwrap(), [Some([5.0, 19.5])]);
    let table = "!transform/tabular-1.2.0 {lookup_table: [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, \
        1024.0, 2048.0, 4096.0], points: [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]], \
        method: linear, bounds_error: false, fill_value: 0.0}";
    let part = cut(table, &[2], &[9]);
    assert_eq!(part.bounding_box().unwrap(), [Some([-0.5, 8.5])]);
    let compound = format!(
        "!transform/concatenate-1.2.0 {{inputs: [x, order], {pair}, bounding_box: \
         !transform/property/compound_bounding_box-1.0.0 {{selector_args: [{{argument: order, ignore: true}}], order: C, \
         cbbox: [{{key: [1], bbox: !transform/property/bounding_box-1.0.0 {{intervals: {{x: [0, 15]}}, ignore: [order], \
         order: C}}}}]}}}}"
    );
    let part = cut(&compound, &[10], &[20]);
    let mut data = [6.0, 4.0, 1.0, 1.0];
    let layout = Layout::columns(2);
    part.pixel_to_world_in_place(2, &mut data, layout, &EvaluateOptions::default()).unwrap();
    assert!(data[0].is_nan());
    assert_eq!(data[1], 15.0);
}

#[test]
fn cut_outs_that_are_not_possible_are_errors() {
    let root = new();
    Wcs::write_cards(&root, "wcs", cards(SAMPLES[0].0), &CardOptions::default()).unwrap();
    let source = root.at("wcs").unwrap();
    for (start, count, step) in [
        ([0, 0].as_slice(), [1, 0].as_slice(), None),
        (&[0, 0], &[1], None),
        (&[0, 0], &[1, 1], Some([1, 0].as_slice())),
        (&[0, 0], &[1, 1], Some(&[1])),
    ] {
        let error = Wcs::write_cutout(&root, "part", &source, &Region { start, count, step }).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
    }
    let region = Region { start: &[0, 0], count: &[1, 1], step: None };
    let error = Wcs::write_cutout(&root, "part", &root.at("wcs/steps").unwrap(), &region).unwrap_err();
    assert_eq!(error.status(), Status::NotTransform);
    assert!(!root.exists("part").unwrap());
    // An unknown transform can be cut if the file has the names of its inputs.
    let tree = "wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>
  name: ''
  steps:
  - {frame: pixels, transform: !transform/unknown-1.0.0 {inputs: [x, y], outputs: [z], bounding_box: [[1, 9], [2, 8]]}}
  - {frame: world}";
    let file = file(tree);
    let unknown = file.root().unwrap().at("wcs").unwrap();
    let region = Region { start: &[2, 3], count: &[5, 6], step: None };
    Wcs::write_cutout(&root, "part", &unknown, &region).unwrap();
    assert_eq!(root.f64("part/steps/0/transform/bounding_box/0/0").unwrap(), -0.5);
    assert_eq!(root.f64("part/steps/0/transform/bounding_box/1/1").unwrap(), 5.0);
    assert_eq!(
        root.tag("part/steps/0/transform/forward/1").unwrap().unwrap(),
        "tag:stsci.edu:asdf/transform/unknown-1.0.0"
    );
}

#[test]
fn an_approximation_reaches_its_error() {
    let short = format!(
        "NAXIS=2;NAXIS1=1000;NAXIS2=800;{}",
        "CTYPE1='RA---ZEA';CTYPE2='DEC--ZEA';CRPIX1=300;CRPIX2=200;\
        CRVAL1=359.9;CRVAL2=80;CDELT1=-.002;CDELT2=.002;PC1_2=.2;PC2_1=-.1;RADESYS='FK5';EQUINOX=1990"
    );
    let exact = wcs(&short);
    let mut last = 0;
    for wanted in [10.0, 0.1, 1e-3, 1e-5] {
        let mut options = SipOptions::default();
        (options.max_error, options.max_inverse_error) = (wanted, wanted);
        let made = exact.sip_cards(&options).unwrap();
        assert!(made.error <= wanted && made.inverse_error <= wanted);
        assert!(made.degree >= last);
        last = made.degree;
        let approximation = Wcs::from_cards(&made.cards, &CardOptions::default()).unwrap();
        for point in 0..100 {
            let pixel = [f64::from(point * 37 % 1000), f64::from(point * 71 % 800)];
            let sky = exact.world(&pixel).unwrap();
            let back = approximation.pixel(&sky).unwrap();
            assert!((back[0] - pixel[0]).hypot(back[1] - pixel[1]) <= wanted * 1.1 + 1e-8, "{back:?} {pixel:?}");
        }
        let reference = approximation.frames().last().unwrap().reference.clone().unwrap();
        assert_eq!((reference.name.as_str(), reference.attributes[0].1.as_str()), ("fk5", "J1990.0"));
    }
    let mut options = SipOptions::default();
    options.degree = Some(2);
    options.max_error = 1e-6;
    assert_eq!(exact.sip_cards(&options).unwrap_err().status(), Status::NoConvergence);
    options.degree = Some(10);
    assert_eq!(exact.sip_cards(&options).unwrap_err().status(), Status::InvalidArgument);
    let mut options = SipOptions::default();
    options.points = 3;
    assert_eq!(exact.sip_cards(&options).unwrap_err().status(), Status::InvalidArgument);
    // Without a size, on one axis, and for more than half of the sky.
    let error = |short: &str| wcs(short).sip_cards(&SipOptions::default()).unwrap_err().status();
    assert_eq!(error("CTYPE1='RA---TAN';CTYPE2='DEC--TAN'"), Status::NotFound);
    assert_eq!(error("CTYPE1='WAVE'"), Status::Unsupported);
    let wide = "NAXIS=2;NAXIS1=360;NAXIS2=180;CTYPE1='RA---AIT';CTYPE2='DEC--AIT';CRPIX1=180;CRPIX2=90";
    assert_eq!(error(wide), Status::OutOfDomain);
}
