//! Sequences of calls of the C interface, generated from its data: no sequence of allowed calls does harm, fails without a
//! reason, or leaks.
//!
//! The first part of the input is a file; the rest chooses calls and arguments.
#![no_main]

use asdfkit as _;
use asdfkit_fuzz::folder::folder;
use asdfkit_fuzz::input::{Choices, first_part};
use libfuzzer_sys::fuzz_target;
use std::ffi::{CString, c_char, c_void};
use std::ptr::null_mut;
use std::sync::LazyLock;
use tempfile::TempDir;

/// Chooses the arguments of a function, calls it, and judges the result.
type Call = fn(&mut Machine, &mut Choices);

#[allow(dead_code, unused_variables, reason = "not every function has an argument to choose")]
mod generated {
    use super::{Call, Choices, Machine, c_void, null_mut};
    include!(concat!(env!("OUT_DIR"), "/calls.rs"));
}
use generated::{CALLS, CONSTANTS, HANDLES, INTERNAL, c};

/// The current folder of the process: files that calls name are here.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = folder();
    std::env::set_current_dir(folder.path()).expect("a folder to work in");
    folder
});

/// Texts of arguments: paths of nodes, names of files, datatypes, units, formats and keys.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "a/b",
    "/a/0",
    "a/-",
    "c d",
    "x.asdf",
    "y.asdf",
    "t.ecsv",
    "n.yaml",
    "int32",
    "float64",
    "m",
    "km",
    "deg",
    "utc",
    "tai",
    "J2000.0",
    "isot",
    "2020-01-01T00:00:00",
    "icrs",
    "zlib",
    "lz4 ",
    "core/asdf-1.1.0",
    "!core/ndarray-1.1.0",
    "#/a",
    "lon",
    "lat",
    "chunk",
    "units",
    "/wind",
    "{}",
    "[1, 2]",
    "a: 1\n",
    "1.5",
    "é",
    "\u{1}",
];
/// Maximum number of calls in a sequence.
const STEPS: usize = 60;
/// Maximum number of handles of a kind.
const LIVING: usize = 8;

#[derive(Default)]
struct Machine {
    /// The living handles of each kind.
    handles: Vec<Vec<*mut c_void>>,
    /// Memory of arguments. Some calls borrow it for longer.
    memory: Vec<Box<[u8]>>,
    texts: Vec<CString>,
}

impl Machine {
    /// Returns a handle: mostly of the kind, sometimes NULL or one of another kind.
    fn handle(&mut self, choices: &mut Choices, kind: usize, nullable: bool) -> *mut c_void {
        let choice = choices.byte();
        if choice < if nullable { 128 } else { 4 } {
            return null_mut();
        }
        let kind = if choice > 252 { choices.below(HANDLES.len()) } else { kind };
        let place = choices.below(LIVING);
        let living = &self.handles[kind];
        // Functions read the kind of a handle before all else, and no kind is smaller than this count.
        living.get(place % living.len().max(1)).copied().unwrap_or(null_mut())
    }

    /// Returns a handle that the call frees.
    fn give(&mut self, choices: &mut Choices, kind: usize) -> *mut c_void {
        let place = choices.below(LIVING);
        let living = &mut self.handles[kind];
        if living.is_empty() { null_mut() } else { living.swap_remove(place % living.len()) }
    }

    fn handles(&mut self, choices: &mut Choices, kind: usize, length: usize) -> *mut c_void {
        let pointers: Vec<u8> =
            (0..length).flat_map(|_| (self.handle(choices, kind, false) as usize).to_ne_bytes()).collect();
        self.remember(pointers)
    }

    fn handle_out(&mut self, choices: &mut Choices, nullable: bool) -> *mut c_void {
        self.value_out(choices, size_of::<*mut c_void>(), nullable)
    }

    /// Keeps a handle that a call made.
    fn keep(&mut self, kind: usize, out: *mut c_void, status: i32, name: &str) {
        if out.is_null() {
            return;
        }
        // SAFETY: `handle_out` made memory for a pointer.
        let handle = unsafe { out.cast::<*mut c_void>().read_unaligned() };
        assert!(status == 0 || handle.is_null(), "{name} failed, and made a handle");
        if handle.is_null() {
            return;
        }
        self.handles[kind].push(handle);
        if self.handles[kind].len() > LIVING {
            self.free(kind, 0);
        }
    }

    fn free(&mut self, kind: usize, place: usize) {
        let handle = self.handles[kind].remove(place);
        let name = format!("{}_free", HANDLES[kind]);
        let &(_, call) =
            CALLS.iter().find(|(other, _)| *other == name).expect("each handle has a function that frees it");
        let kept = std::mem::replace(&mut self.handles[kind], vec![handle]);
        call(self, &mut Choices(&[]));
        self.handles[kind] = kept;
    }

    /// Returns a number of elements, for which there is memory.
    fn length(&mut self, choices: &mut Choices) -> usize {
        match choices.byte() {
            small @ 0..=191 => usize::from(small) % 10,
            more => usize::from(more) * 4,
        }
    }

    /// Returns memory for input elements.
    fn elements(&mut self, choices: &mut Choices, length: usize, item: usize, nullable: bool) -> *mut c_void {
        let size = length * item;
        if size == 0 || nullable && choices.below(4) == 1 {
            return null_mut();
        }
        let mut bytes = Vec::with_capacity(size);
        while bytes.len() < size {
            match item {
                8 => bytes.extend(self.integer(choices).to_ne_bytes()),
                4 => bytes.extend((self.integer(choices) as i32).to_ne_bytes()),
                _ => bytes.push(choices.byte()),
            }
        }
        self.remember(bytes)
    }

    fn buffer(&mut self, choices: &mut Choices, length: usize, item: usize, nullable: bool) -> *mut c_void {
        let size = length * item;
        if size == 0 || nullable && choices.below(8) == 1 {
            return null_mut();
        }
        self.remember(vec![0xA5; size])
    }

    fn value_out(&mut self, choices: &mut Choices, size: usize, nullable: bool) -> *mut c_void {
        if choices.byte() > if nullable { 128 } else { 252 } {
            return null_mut();
        }
        self.remember(vec![0; size])
    }

    fn remember(&mut self, bytes: Vec<u8>) -> *mut c_void {
        let mut bytes = bytes.into_boxed_slice();
        let pointer = bytes.as_mut_ptr().cast();
        self.memory.push(bytes);
        pointer
    }

    fn text(&mut self, choices: &mut Choices, nullable: bool) -> *mut c_void {
        let choice = choices.byte();
        if choice < if nullable { 80 } else { 2 } {
            return null_mut();
        }
        let text = CString::new(*choices.of(TEXTS)).expect("a text without NUL");
        let pointer: *const c_char = text.as_ptr();
        self.texts.push(text);
        pointer.cast_mut().cast()
    }

    fn texts(&mut self, choices: &mut Choices, length: usize) -> *mut c_void {
        let pointers: Vec<u8> = (0..length).flat_map(|_| (self.text(choices, false) as usize).to_ne_bytes()).collect();
        self.remember(pointers)
    }

    fn callback(&mut self, choices: &mut Choices, callback: *mut c_void, nullable: bool) -> *mut c_void {
        if choices.below(4) < if nullable { 3 } else { 1 } { null_mut() } else { callback }
    }

    /// Returns an integer: a small one, a constant of the interface, or an extreme one.
    fn integer(&mut self, choices: &mut Choices) -> i64 {
        match choices.byte() {
            small @ 0..=127 => i64::from(small) % 10,
            128..=239 => *choices.of(CONSTANTS),
            240..=249 => -1,
            250..=252 => i64::MAX,
            253 => i64::MIN,
            254 => i64::from(i32::MAX),
            255 => i64::from(i32::MIN),
        }
    }

    fn float(&mut self, choices: &mut Choices) -> f64 {
        *choices.of(&[0.0, 1.0, -1.5, 45.0, 90.0, 2_451_545.0, 1e300, f64::NAN, f64::INFINITY])
    }

    fn judge(&self, status: i32, name: &str) {
        // A program may set any status.
        assert!(status != INTERNAL || name == "asdf_error_set", "{name}");
    }
}

/// Calls a function by name.
fn call(machine: &mut Machine, choices: &mut Choices, name: &str) {
    let &(_, call) = CALLS.iter().find(|(other, _)| *other == name).expect("a function");
    call(machine, choices);
}

/// Opens the file of the input.
fn open(machine: &mut Machine, bytes: &[u8]) {
    let mut file: *mut c_void = null_mut();
    let (bytes, size) = (machine.remember(bytes.to_vec()), bytes.len());
    // SAFETY: the bytes are valid, and the file goes to a pointer.
    let status =
        unsafe { c::asdf_file_open_memory_for_update(bytes, size, null_mut(), (&raw mut file).cast::<c_void>()) };
    machine.judge(status, "asdf_file_open_memory_for_update");
    if status == 0 {
        let kind = HANDLES.iter().position(|&name| name == "asdf_file").expect("files are handles");
        machine.handles[kind].push(file);
    }
}

fuzz_target!(|input: &[u8]| {
    for entry in std::fs::read_dir(FOLDER.path()).expect("a folder").flatten() {
        let _ = std::fs::remove_file(entry.path());
    }
    let mut machine = Machine { handles: vec![Vec::new(); HANDLES.len()], ..Machine::default() };
    let (bytes, calls) = first_part(input);
    if !bytes.is_empty() {
        open(&mut machine, bytes);
    }
    let mut none = Choices(&[]);
    call(&mut machine, &mut none, "asdf_options_new");
    call(&mut machine, &mut none, "asdf_file_root");
    let mut choices = Choices(calls);
    for _ in 0..STEPS {
        if choices.is_empty() {
            break;
        }
        let &(_, call) = choices.of(CALLS);
        call(&mut machine, &mut choices);
    }
    for kind in 0..HANDLES.len() {
        while !machine.handles[kind].is_empty() {
            machine.free(kind, 0);
        }
    }
});
