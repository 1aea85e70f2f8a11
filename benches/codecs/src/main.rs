//! The codecs compared with the C libraries of their formats: same data, alternating runs, one process.
//!
//! Rates are in MB of decoded bytes per second. On one thread they are based on CPU time, which is less sensitive to
//! other load; on two threads, on wall time. Run with `cargo run --release --package bench-codecs`; MIB=n changes the
//! data size from 32 MiB.

mod peers;

use asdfkit::codec::{Codec, Compression, decode_into, encode};
use asdfkit::source::{MemorySource, Source};
use std::time::Instant;

const ROUNDS: usize = 7;

fn main() {
    let mib = std::env::var("MIB").ok().and_then(|text| text.parse().ok()).unwrap_or(32);
    let int16: Vec<u8> = image(mib << 19).into_iter().flat_map(|value| (value.round() as i16).to_le_bytes()).collect();
    let float32: Vec<u8> =
        image(mib << 18).into_iter().flat_map(|value| ((value * 64.0).round() as f32 / 64.0).to_le_bytes()).collect();
    for (name, data, bound) in [("int16", &int16, 1.8), ("float32", &float32, 1.5)] {
        let stored = peers::deflate(data);
        let (mut ours, mut theirs) = (vec![0; data.len()], vec![0; data.len()]);
        compare(
            &format!("inflate {name} / stock zlib"),
            bound,
            data.len(),
            cpu_time,
            || decode(Codec::Zlib, &stored, &mut ours, 1),
            || peers::inflate(&stored, &mut theirs),
        );
        assert!(&ours == data && &theirs == data);
        let ratio = data.len() as f64 / stored.len() as f64;
        let own_ratio = data.len() as f64 / encoded(Codec::Zlib, data, 1).len() as f64;
        println!("deflate {name}: ratio {own_ratio:.3}, stock zlib {ratio:.3}");
        compare(
            &format!("deflate {name} / stock zlib"),
            3.5,
            data.len(),
            cpu_time,
            || drop(encoded(Codec::Zlib, data, 1)),
            || drop(peers::deflate(data)),
        );
        compare(
            &format!("deflate {name}, two threads / one"),
            1.7,
            data.len(),
            wall_time,
            || drop(encoded(Codec::Zlib, data, 2)),
            || drop(encoded(Codec::Zlib, data, 1)),
        );
    }
    let data = &int16;
    let (mut ours, mut theirs) = (vec![0; data.len()], vec![0; data.len()]);
    let stored = encoded(Codec::Lz4, data, 2);
    let chunks = peers::lz4_chunks(data);
    let (one, two) =
        (|out: &mut [u8]| decode(Codec::Lz4, &stored, out, 1), |out: &mut [u8]| decode(Codec::Lz4, &stored, out, 2));
    compare("lz4 / raw C lz4", 0.6, data.len(), cpu_time, || one(&mut ours), || peers::lz4(&chunks, &mut theirs));
    assert!(&ours == data && &theirs == data);
    compare("lz4, two threads / one", 1.0, data.len(), wall_time, || two(&mut ours), || one(&mut theirs));
    let stored = encoded(Codec::Bzp2, data, 1);
    let bzp2 = |out: &mut [u8], threads| decode(Codec::Bzp2, &stored, out, threads);
    compare("bzp2, two threads / one", 1.5, data.len(), wall_time, || bzp2(&mut ours, 2), || bzp2(&mut theirs, 1));
    assert!(&ours == data && &theirs == data);
    if let Some(md5) = peers::md5() {
        let (mut one, mut other) = ([0; 16], [0; 16]);
        let digest = || one = asdfkit::internals::md5(data);
        compare("MD5 / OpenSSL", 0.8, data.len(), cpu_time, digest, || other = md5(data));
        assert_eq!(one, other);
    }
}

fn decode(codec: Codec, stored: &[u8], out: &mut [u8], threads: usize) {
    let source = MemorySource::of_vec(stored.to_vec());
    decode_into(codec, &source, 0, source.len(), out, threads).expect("the payload decodes");
}

fn encoded(codec: Codec, data: &[u8], threads: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let compression = Compression::new(codec, None).expect("every codec has a default level");
    encode(&compression, data, &mut out, threads).expect("the data are encoded");
    out
}

/// Runs both alternately and prints the medians of both rates and of their ratio.
fn compare(what: &str, bound: f64, size: usize, clock: fn() -> f64, mut ours: impl FnMut(), mut theirs: impl FnMut()) {
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let start = clock();
        ours();
        let middle = clock();
        theirs();
        let end = clock();
        times[0].push(middle - start);
        times[1].push(end - middle);
        times[2].push((end - middle) / (middle - start));
    }
    let [ours, theirs, ratio] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    let rate = |seconds: f64| size as f64 / 1e6 / seconds;
    let verdict = if ratio >= bound { "ok" } else { "MISSED" };
    println!("{what}: {:.0} / {:.0} MB/s, ratio {ratio:.2} (target {bound}) {verdict}", rate(ours), rate(theirs));
}

fn wall_time() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn cpu_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid and writable.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// A smooth field with noise of width 8 and a few stars.
fn image(count: usize) -> Vec<f64> {
    let mut state = 1_u64;
    let mut uniform = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let width = 8192.0;
    (0..count)
        .map(|index| {
            let (x, y) = (index as f64 % width, (index as f64 / width).floor());
            let field = 1000.0 + 200.0 * (x / 1500.0).sin() * (y / 900.0).cos();
            let noise = 8.0 * (-2.0 * (1.0 - uniform()).ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
            let star = if uniform() < 1e-4 { 20_000.0 * uniform() } else { 0.0 };
            field + noise + star
        })
        .collect()
}
