//! The C interface: the only `extern "C"` code. It checks arguments, calls the public Rust interface and turns
//! errors into numbers; it has no ability of its own.
//!
//! `include/asdf.h` is made from these files by `tests/header`: of each the part of its opening comment from the
//! heading on, its constants, types and functions. What follows opens the header.
//!
//! # asdfkit: read and write ASDF files, ECSV tables and NDL descriptions
//!
//! - An ASDF file is a YAML tree with binary blocks. Open one or make one (`asdf_file`), walk its tree by paths
//!   (`asdf_node`), read its arrays into your memory (`asdf_array`), and write it.
//! - An ECSV file is a table with a header in YAML. Read it whole or in batches (`asdf_table`), from and to ASDF files,
//!   too.
//! - An NDL file describes the content of array files in YAML. Read it, check it, compare it, make a file from it, or
//!   describe a file (`asdf_ndl`).
//!
//! Conventions, which hold for every function unless it says otherwise:
//!
//! Status. A function that can fail returns an asdf_status: ASDF_OK (0) or a positive number, ASDF_ERR_...
//!   asdf_error_message() and the other asdf_error_ functions return the details of the last failure of the thread. A
//!   failed call leaves its outputs as they were, with two exceptions: a handle output becomes NULL, and the length
//!   that a buffer should have is written where the buffer is too small. NULL where a pointer is required is
//!   ASDF_ERR_NULL_POINTER, a handle of another kind ASDF_ERR_WRONG_HANDLE.
//!
//! Handles. Each handle that a function gives out is yours: free it with the _free function of its kind. Any order of
//!   freeing is right: a node, an array or a view keeps its file alive. Freeing NULL does nothing. No _free function
//!   touches the details of an error. A _retain function gives another owner, to be freed as well. Options, streams,
//!   table readers, table writers and builders of descriptions have one owner, and no such function.
//!
//! Strings. Names, keys, paths, tags, URIs and datatypes in the notation of NDL go in as NUL-terminated UTF-8. Values
//!   go in as pointer and length, and may hold NULs where their format can. Many texts go in and come out as bytes with
//!   int64_t offsets: text i is in the bytes from offset i to offset i + 1. One string comes out by the rule of
//!   snprintf: into a buffer of `capacity` bytes with a final NUL, the length without it in `*needed`, which may be
//!   NULL. With capacity 0 the buffer may be NULL and only the length is told. Too small a buffer is
//!   ASDF_ERR_BUFFER_TOO_SMALL; it stays as it was.
//!
//! Paths. A path is a JSON Pointer (RFC 6901) relative to a node; its leading "/" may be left out: "meta/exposure/time",
//!   "frames/0/name". The empty path is the node itself. In keys, "~" is written "~0" and "/" is written "~1".
//!   Aliases and JSON references are followed as if their targets stood in their place.
//!
//! Numbers. Shapes and indices are int64_t, slowest axis first (C order). Truth values go in and come out as int32_t: 0
//!   is false, anything else true, and 1 comes out. Bytes in memory are counted by size_t. Sizes and offsets in files
//!   and numbers of rows, entries and elements are int64_t, -1 where not known. A negative number goes in only where the
//!   description of the parameter says so.
//!
//! Arguments. Their order is handle, inputs, options, outputs. A buffer is followed by its capacity.
//!
//! Options. A function with an options pointer takes NULL for the defaults. It works on a snapshot of the options.
//!
//! Memory. You allocate what you read into. Arguments are copied during the call; two functions borrow memory, and tell
//!   by a callback when they need it no longer. (NULL, 0) is an empty input.
//!
//! Threads. A handle may be read on several threads at once; changing it, and what hangs on the same file, needs one
//!   thread alone. Different files are independent. Handles may be freed on any thread. A call starts threads only if
//!   ASDF_OPTION_THREADS allows more than one; they have ended when the call returns.
//!
//! Callbacks. A callback runs inside a call of your program and on the thread of that call, never on a thread that the
//!   library started.
//!   - Callbacks that read, resolve, decode or encode run inside the call that needs them. If several threads use a
//!     file, they run on several threads at once.
//!   - A callback that closes or releases runs once, inside the call that ends the last use: the _free function of the
//!     file or of whatever hangs on it (node, array, view, table, reader), asdf_file_close(), or the call that writes or
//!     saves the file after the array was replaced or removed; that of a codec or a resolver also inside the _free or
//!     unset function of options. A finalizer that frees handles on a thread of its own runs these callbacks there.
//!   - No callback may throw or longjmp. It may call the library with handles that have nothing to do with the file,
//!     reader or options that it serves. If such a call fails, it changes the details of the last error of the thread.
//!
//! Processes. The child of a fork can read by the handles that it inherited, close and free them. That releases memory
//!   and descriptors of the child alone: no temporary file is removed, no lock given up, nothing undone or written. What
//!   changes or writes a file by such a handle is ASDF_ERR_FORKED, and so is any use of what another thread was changing
//!   at the fork. No call waits for a thread that the child does not have. docs/threads.md tells more.
//!
//! ```c
//! asdf_file *file = NULL;
//! asdf_node *root = NULL;
//! double seconds;
//! if (asdf_file_open("image.asdf", NULL, &file) || asdf_file_root(file, &root) ||
//!     asdf_node_get_f64(root, "meta/exposure/time", &seconds)) {
//!     char message[512];
//!     asdf_error_message(message, sizeof message, NULL);
//!     fprintf(stderr, "%s\n", message);   // image.asdf:12:7, byte 318, at /meta/exposure/time: ...
//! }
//! asdf_node_free(root);
//! asdf_file_free(file);
//! ```

// The names are those of C, and the header says what makes the calls safe.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]
// Pointers come in and go out; what follows from them is gathered in few places.
#![allow(unsafe_code)]

pub mod array;
pub mod boundary;
pub mod file;
pub mod ndl;
pub mod node;
pub mod options;
pub mod table;
