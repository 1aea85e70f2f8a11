//! HDF5 in the comparison: one workload on the same numbers, measured in this process.

use bench_system::c_path;
use measure::{Buffer, Job, check_of, field, sync, tiles};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::null;

type Id = i64;

unsafe extern "C" {
    static H5P_CLS_DATASET_CREATE_ID_g: Id;
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
    fn H5Fcreate(name: *const c_char, flags: c_uint, creation: Id, access: Id) -> Id;
    fn H5Gcreate2(file: Id, name: *const c_char, links: Id, creation: Id, access: Id) -> Id;
    fn H5Gclose(group: Id) -> c_int;
    fn H5Dcreate2(file: Id, name: *const c_char, datatype: Id, space: Id, links: Id, creation: Id, access: Id) -> Id;
    fn H5Dwrite(dataset: Id, datatype: Id, memory: Id, space: Id, transfer: Id, from: *const c_void) -> c_int;
    fn H5Dset_extent(dataset: Id, shape: *const u64) -> c_int;
    fn H5Pcreate(class: Id) -> Id;
    fn H5Pset_chunk(properties: Id, rank: c_int, shape: *const u64) -> c_int;
    fn H5Pclose(properties: Id) -> c_int;
    fn H5Screate(class: c_int) -> Id;
    fn H5Acreate2(at: Id, name: *const c_char, datatype: Id, space: Id, creation: Id, access: Id) -> Id;
    fn H5Aopen(at: Id, name: *const c_char, access: Id) -> Id;
    fn H5Awrite(attribute: Id, datatype: Id, from: *const c_void) -> c_int;
    fn H5Aclose(attribute: Id) -> c_int;
    fn H5Sclose(space: Id) -> c_int;
    fn H5Dclose(dataset: Id) -> c_int;
    fn H5Fclose(file: Id) -> c_int;
}

fn main() {
    let job = Job::from_arguments();
    // SAFETY: H5open initializes the library, which sets the values of the constants.
    let (short, float, double) = unsafe {
        assert!(H5open() >= 0);
        (H5T_NATIVE_SHORT_g, H5T_NATIVE_FLOAT_g, H5T_NATIVE_DOUBLE_g)
    };
    match job.workload.as_str() {
        "w1-element" => {
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
        "w9-large" => {
            let values = field(1 << 28);
            write(&job, || {
                let file = create(&job);
                write_dataset(file, c"data", float, &[16384, 16384], &values);
                close(&job, file);
            });
        }
        "w9-many" => {
            let values = field(640_000);
            write(&job, || {
                let file = create(&job);
                // SAFETY: the name ends with NUL, and the group is closed once.
                unsafe { H5Gclose(H5Gcreate2(file, c"arrays".as_ptr(), 0, 0, 0)) };
                for (index, piece) in values.chunks_exact(64).enumerate() {
                    let name = CString::new(format!("arrays/a{index:05}")).expect("no NUL");
                    write_dataset(file, &name, float, &[64], piece);
                }
                close(&job, file);
            });
        }
        "w9-stream" => {
            let row = field(1 << 18);
            write(&job, || stream(&job, float, &row));
        }
        "w11" => change(&job, float, double),
        other => panic!("no workload {other}"),
    }
}

fn write(job: &Job, mut work: impl FnMut()) {
    let remove = || drop(std::fs::remove_file(&job.output));
    job.measure_after(remove, || {
        work();
        0.0
    });
}

/// Writes rows of 1 MiB one after another, each as a chunk.
fn stream(job: &Job, float: Id, row: &[f32]) {
    let file = create(job);
    let columns = row.len() as u64;
    // SAFETY: the name ends with NUL and all shapes have two extents; the row has as many elements as are selected.
    unsafe {
        let properties = H5Pcreate(H5P_CLS_DATASET_CREATE_ID_g);
        assert!(H5Pset_chunk(properties, 2, [1, columns].as_ptr()) >= 0, "the dataset is chunked");
        let space = H5Screate_simple(2, [0, columns].as_ptr(), [u64::MAX, columns].as_ptr());
        let dataset = H5Dcreate2(file, c"data".as_ptr(), float, space, 0, properties, 0);
        H5Sclose(space);
        H5Pclose(properties);
        let memory = H5Screate_simple(2, [1, columns].as_ptr(), null());
        for number in 0..4096 {
            assert!(H5Dset_extent(dataset, [number + 1, columns].as_ptr()) >= 0, "the dataset grows");
            let space = H5Dget_space(dataset);
            H5Sselect_hyperslab(space, 0, [number, 0].as_ptr(), null(), [1, columns].as_ptr(), null());
            assert!(H5Dwrite(dataset, float, memory, space, 0, row.as_ptr().cast()) >= 0, "the row is written");
            H5Sclose(space);
        }
        H5Sclose(memory);
        H5Dclose(dataset);
    }
    close(job, file);
}

/// Changes one number in a file of 1 GiB.
fn change(job: &Job, float: Id, double: Id) {
    let file = create(job);
    write_dataset(file, c"data", float, &[16384, 16384], &field(1 << 28));
    // SAFETY: the names end with NUL; space and attribute are closed once. Class 0 is a single element.
    unsafe {
        let space = H5Screate(0);
        let attribute = H5Acreate2(file, c"exposure_time".as_ptr(), double, space, 0, 0);
        assert!(attribute >= 0, "the attribute is made");
        H5Aclose(attribute);
        H5Sclose(space);
    }
    close(job, file);
    let mut time = 0.5;
    job.measure(|| {
        time += 1.0;
        // SAFETY: the names end with NUL, and the number is a local variable.
        unsafe {
            let file = H5Fopen(c_path(&job.output).as_ptr(), 1, 0);
            let attribute = H5Aopen(file, c"exposure_time".as_ptr(), 0);
            assert!(H5Awrite(attribute, double, (&raw const time).cast()) >= 0, "the attribute is written");
            H5Aclose(attribute);
            close(job, file);
        }
        0.0
    });
}

fn create(job: &Job) -> Id {
    // SAFETY: the name ends with NUL. The number 2 means to replace an existing file.
    let file = unsafe { H5Fcreate(c_path(&job.output).as_ptr(), 2, 0, 0) };
    assert!(file >= 0, "the output opens");
    file
}

fn close(job: &Job, file: Id) {
    // SAFETY: the file was opened and is closed once.
    assert!(unsafe { H5Fclose(file) } >= 0, "the output is closed");
    if job.synced {
        sync(&job.output);
    }
}

fn write_dataset(file: Id, name: &CStr, datatype: Id, shape: &[u64], values: &[f32]) {
    // SAFETY: the shape is as long as its rank and has as many elements as there are values; all handles are closed
    // once.
    unsafe {
        let space = H5Screate_simple(shape.len() as c_int, shape.as_ptr(), null());
        let dataset = H5Dcreate2(file, name.as_ptr(), datatype, space, 0, 0, 0);
        assert!(H5Dwrite(dataset, datatype, 0, 0, 0, values.as_ptr().cast()) >= 0, "the dataset is written");
        H5Dclose(dataset);
        H5Sclose(space);
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

    /// Reads the selected elements; 0 selects all.
    fn read(&self, datatype: Id, memory: Id, space: Id, out: &mut [u8]) {
        // SAFETY: the callers' buffers hold the selected elements.
        let status = unsafe { H5Dread(self.id, datatype, memory, space, 0, out.as_mut_ptr().cast()) };
        assert!(status >= 0, "the dataset is read");
    }

    fn read_region(&self, datatype: Id, start: [i64; 2], count: [i64; 2], out: &mut [u8]) {
        let (start, count) = (start.map(|index| index as u64), count.map(|count| count as u64));
        // SAFETY: the arrays are as long as the dataset has dimensions; null strides and blocks mean 1.
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
