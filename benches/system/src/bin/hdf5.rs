//! HDF5 in the comparison: one workload on the same numbers, measured in this process.

use bench_system::c_path;
use measure::{Buffer, Job, check_of, tiles};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::null;

type Id = i64;

unsafe extern "C" {
    static H5T_NATIVE_SHORT_g: Id;
    static H5T_NATIVE_FLOAT_g: Id;
    static H5T_NATIVE_DOUBLE_g: Id;
    fn H5open() -> c_int;
    fn H5Fopen(name: *const c_char, flags: c_uint, access: Id) -> Id;
    fn H5Dopen2(file: Id, name: *const c_char, access: Id) -> Id;
    fn H5Dget_space(dataset: Id) -> Id;
    fn H5Dread(dataset: Id, datatype: Id, memory: Id, space: Id, transfer: Id, out: *mut c_void) -> c_int;
    fn H5Screate_simple(rank: c_int, shape: *const u64, most: *const u64) -> Id;
    fn H5Sselect_hyperslab(
        space: Id,
        operation: c_int,
        start: *const u64,
        stride: *const u64,
        count: *const u64,
        block: *const u64,
    ) -> c_int;
    fn H5Sclose(space: Id) -> c_int;
    fn H5Dclose(dataset: Id) -> c_int;
    fn H5Fclose(file: Id) -> c_int;
}

fn main() {
    let job = Job::from_arguments();
    // SAFETY: the library is told to set itself up, which gives the constants their values.
    let (short, float, double) = unsafe {
        assert!(H5open() >= 0);
        (H5T_NATIVE_SHORT_g, H5T_NATIVE_FLOAT_g, H5T_NATIVE_DOUBLE_g)
    };
    match job.workload.as_str() {
        "w1-touch" => {
            let mut value = [0; 4];
            job.measure(|| {
                Dataset::open(&job).read_region(float, [8192, 8192], [1, 1], &mut value);
                f32::from_ne_bytes(value).into()
            });
        }
        "w1" => read_whole(&job, float, 1 << 30),
        "w2" => read_whole(&job, double, 1 << 30),
        "w3" => read_whole(&job, double, 2 << 30),
        "w4-tile" => {
            let mut buffer = Buffer::new(4 << 20);
            job.measure(|| {
                let dataset = Dataset::open(&job);
                let read = |start| {
                    dataset.read_region(float, start, [1024, 1024], &mut buffer);
                    check_of(&buffer)
                };
                tiles().map(read).sum()
            });
        }
        "w4-strip" => {
            let mut buffer = Buffer::new(1 << 20);
            job.measure(|| {
                Dataset::open(&job).read_region(float, [0, 8000], [16384, 16], &mut buffer);
                check_of(&buffer)
            });
        }
        "w5-int16" => read_whole(&job, short, 256 << 20),
        "w5-float32" => read_whole(&job, float, 64 << 20),
        other => panic!("no workload {other}"),
    }
}

fn read_whole(job: &Job, datatype: Id, size: usize) {
    let mut buffer = Buffer::new(size);
    job.measure(|| {
        Dataset::open(job).read(datatype, 0, 0, &mut buffer);
        check_of(&buffer)
    });
}

struct Dataset {
    file: Id,
    id: Id,
}

impl Dataset {
    fn open(job: &Job) -> Dataset {
        // SAFETY: the names end with NUL.
        let (file, id) = unsafe {
            let file = H5Fopen(c_path(&job.input).as_ptr(), 0, 0);
            (file, H5Dopen2(file, c"data".as_ptr(), 0))
        };
        assert!(id >= 0, "the input opens");
        Dataset { file, id }
    }

    /// Reads what is selected; 0 stands for all.
    fn read(&self, datatype: Id, memory: Id, space: Id, out: &mut [u8]) {
        // SAFETY: the callers' buffers have room for what is selected.
        let status = unsafe { H5Dread(self.id, datatype, memory, space, 0, out.as_mut_ptr().cast()) };
        assert!(status >= 0, "the dataset is read");
    }

    fn read_region(&self, datatype: Id, start: [i64; 2], count: [i64; 2], out: &mut [u8]) {
        let (start, count) = (start.map(|index| index as u64), count.map(|count| count as u64));
        // SAFETY: the arrays are as long as the dataset has dimensions; without strides and blocks these are 1.
        unsafe {
            let space = H5Dget_space(self.id);
            let selected = H5Sselect_hyperslab(space, 0, start.as_ptr(), null(), count.as_ptr(), null());
            assert!(selected >= 0, "the region is selected");
            let memory = H5Screate_simple(2, count.as_ptr(), null());
            self.read(datatype, memory, space, out);
            H5Sclose(memory);
            H5Sclose(space);
        }
    }
}

impl Drop for Dataset {
    fn drop(&mut self) {
        // SAFETY: both were opened and are closed once.
        unsafe {
            H5Dclose(self.id);
            H5Fclose(self.file);
        }
    }
}
