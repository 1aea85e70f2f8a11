//! cfitsio in the comparison: one workload on a FITS image of the same numbers, measured in this process.

use bench_system::c_path;
use measure::{Buffer, Job, check_of, field, sync, tiles};
use std::ffi::{c_char, c_int, c_long, c_longlong, c_void};
use std::ptr::{null, null_mut};

type FitsFile = *mut c_void;

const TFLOAT: c_int = 42;
const TDOUBLE: c_int = 82;
const ROW: c_longlong = 16384;

unsafe extern "C" {
    fn ffdkopn(file: *mut FitsFile, name: *const c_char, mode: c_int, status: *mut c_int) -> c_int;
    fn ffgpv(
        file: FitsFile,
        datatype: c_int,
        first: c_longlong,
        count: c_longlong,
        null: *mut c_void,
        out: *mut c_void,
        any_null: *mut c_int,
        status: *mut c_int,
    ) -> c_int;
    fn ffgsv(
        file: FitsFile,
        datatype: c_int,
        first: *mut c_long,
        last: *mut c_long,
        step: *mut c_long,
        null: *mut c_void,
        out: *mut c_void,
        any_null: *mut c_int,
        status: *mut c_int,
    ) -> c_int;
    fn ffinit(file: *mut FitsFile, name: *const c_char, status: *mut c_int) -> c_int;
    fn ffcrim(file: FitsFile, bits: c_int, rank: c_int, shape: *mut c_long, status: *mut c_int) -> c_int;
    fn ffppr(
        file: FitsFile,
        datatype: c_int,
        first: c_longlong,
        count: c_longlong,
        from: *const c_void,
        status: *mut c_int,
    ) -> c_int;
    fn ffuky(
        file: FitsFile,
        datatype: c_int,
        name: *const c_char,
        value: *const c_void,
        comment: *const c_char,
        status: *mut c_int,
    ) -> c_int;
    fn ffclos(file: FitsFile, status: *mut c_int) -> c_int;
}

fn main() {
    let job = Job::from_arguments();
    match job.workload.as_str() {
        "w1-element" => {
            let mut value = [0; 4];
            job.measure(|| {
                Image::open(&job).read(TFLOAT, ROW / 2 * ROW + ROW / 2, 1, &mut value);
                f32::from_ne_bytes(value).into()
            });
        }
        "w1" => read_whole(&job, TFLOAT, ROW * ROW, 1 << 30),
        "w2" => read_whole(&job, TDOUBLE, ROW * ROW / 2, 1 << 30),
        "w3" => read_whole(&job, TDOUBLE, ROW * ROW, 2 << 30),
        "w4-tile" => {
            let mut buffer = Buffer::new(4 << 20);
            job.measure(|| {
                let image = Image::open(&job);
                let read = |start| {
                    image.read_region(start, [1024, 1024], &mut buffer);
                    check_of(&buffer)
                };
                tiles().map(read).sum()
            });
        }
        "w4-strip" => {
            let mut buffer = Buffer::new(1 << 20);
            job.measure(|| {
                Image::open(&job).read_region([0, 8000], [16384, 16], &mut buffer);
                check_of(&buffer)
            });
        }
        "w11" => change(&job),
        other => panic!("no workload {other}"),
    }
}

/// Changes one number in a file of 1 GiB.
fn change(job: &Job) {
    let _ = std::fs::remove_file(&job.output);
    let (mut file, mut status, mut shape) = (null_mut(), 0, [ROW as c_long; 2]);
    let values = field(1 << 28);
    let mut time = 0.5f64;
    // SAFETY: names end with NUL, there are as many values as the shape says, and all other pointers are to local
    // variables. The number -32 means float32.
    unsafe {
        ffinit(&mut file, c_path(&job.output).as_ptr(), &mut status);
        ffcrim(file, -32, 2, shape.as_mut_ptr(), &mut status);
        ffuky(file, TDOUBLE, c"EXPTIME".as_ptr(), (&raw const time).cast(), null(), &mut status);
        ffppr(file, TFLOAT, 1, ROW * ROW, values.as_ptr().cast(), &mut status);
        ffclos(file, &mut status);
    }
    assert_eq!(status, 0, "the output is written");
    job.measure(|| {
        time += 1.0;
        // SAFETY: as above. The number 1 means to open for writing.
        unsafe {
            ffdkopn(&mut file, c_path(&job.output).as_ptr(), 1, &mut status);
            ffuky(file, TDOUBLE, c"EXPTIME".as_ptr(), (&raw const time).cast(), null(), &mut status);
            ffclos(file, &mut status);
        }
        assert_eq!(status, 0, "the keyword is written");
        if job.synced {
            sync(&job.output);
        }
        0.0
    });
}

fn read_whole(job: &Job, datatype: c_int, count: c_longlong, size: usize) {
    let mut buffer = Buffer::new(size);
    job.measure(|| {
        Image::open(job).read(datatype, 0, count, &mut buffer);
        check_of(&buffer)
    });
}

struct Image(FitsFile);

impl Image {
    fn open(job: &Job) -> Image {
        let (mut image, mut status) = (Image(null_mut()), 0);
        // SAFETY: the name ends with NUL and the outputs are local variables.
        unsafe { ffdkopn(&mut image.0, c_path(&job.input).as_ptr(), 0, &mut status) };
        assert_eq!(status, 0, "the input opens");
        image
    }

    fn read(&self, datatype: c_int, first: c_longlong, count: c_longlong, out: &mut [u8]) {
        let (mut any_null, mut status) = (0, 0);
        let out = out.as_mut_ptr().cast();
        // SAFETY: the callers' buffers hold this number of elements. No replacement for undefined elements is
        // requested.
        unsafe { ffgpv(self.0, datatype, first + 1, count, null_mut(), out, &mut any_null, &mut status) };
        assert_eq!(status, 0, "the image is read");
    }

    fn read_region(&self, [row, column]: [i64; 2], [rows, columns]: [i64; 2], out: &mut [u8]) {
        let (mut first, mut last, mut step) = ([column + 1, row + 1], [column + columns, row + rows], [1, 1]);
        let (mut any_null, mut status) = (0, 0);
        let (first, last, step) = (first.as_mut_ptr(), last.as_mut_ptr(), step.as_mut_ptr());
        let out = out.as_mut_ptr().cast();
        // SAFETY: the callers' buffers hold the region.
        unsafe { ffgsv(self.0, TFLOAT, first, last, step, null_mut(), out, &mut any_null, &mut status) };
        assert_eq!(status, 0, "the region is read");
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // SAFETY: the file was opened and is closed once.
        unsafe { ffclos(self.0, &mut 0) };
    }
}
