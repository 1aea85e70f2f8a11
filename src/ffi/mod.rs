//! The C interface: the only `extern "C"` code. It checks arguments, calls the public Rust interface and turns errors
//! into status numbers. It adds no feature of its own.
//!
//! `tests/header` generates `include/asdf.h` from these files: from each file the opening comment below its heading,
//! the constants, the types and the functions. The text below opens the header.
//!
//! # asdfkit: read and write ASDF files, ECSV tables and NDL descriptions
//!
//! - An ASDF file is a YAML tree with binary blocks. Open one or make one (`asdf_file`), walk its tree by paths
//!   (`asdf_node`), read its arrays into your memory (`asdf_array`), and write it.
//! - An ECSV file is a table with a header in YAML. Read it whole or in batches (`asdf_table`). Tables can also be
//!   stored in ASDF files.
//! - An NDL file describes the content of array files in YAML. Read it, check it, compare it, make a file from it, or
//!   describe a file (`asdf_ndl`).
//!
//! These conventions hold for every function unless its description says otherwise:
//!
//! Status. A function that can fail returns an asdf_status: ASDF_OK (0) or a positive number, ASDF_ERR_...
//!   asdf_error_message() and the other asdf_error_ functions return the details of the last failed call on this
//!   thread. A failed call leaves its outputs unchanged, with two exceptions: a handle output becomes NULL, and if a
//!   buffer is too small, its required length is written. Every function fails with ASDF_ERR_NULL_POINTER if a required
//!   pointer is NULL, and with ASDF_ERR_WRONG_HANDLE if a handle is of another kind.
//!
//! Handles. The caller owns each handle that a function returns, and frees it with the _free function of its type.
//!   Handles may be freed in any order: a node, an array or a view keeps its file alive. Freeing NULL does nothing. A
//!   _free function never changes the details of the last error. A _retain function adds an owner: it returns another
//!   handle, to be freed as well. Options, streams, table readers, table writers and builders of descriptions have one
//!   owner, and no _retain function.
//!
//! Strings. Names, keys, paths, tags, URIs, NDL datatypes and the units of asdf_unit_ functions are passed as
//!   NUL-terminated UTF-8. Values are passed as pointer and length, and may contain NULs if their format allows it. The
//!   length ASDF_NUL_TERMINATED stands for that of a text that ends with NUL.
//!   Arrays of texts are passed and returned as bytes with int64_t offsets: text i occupies the bytes from offset i
//!   to offset i + 1. A single string is returned as by snprintf: the text and a final NUL go into a buffer of
//!   `capacity` bytes, and the length without the NUL into `*needed`, which may be NULL. With capacity 0 the buffer
//!   may be NULL, and only the length is returned. A buffer that is too small is ASDF_ERR_BUFFER_TOO_SMALL and stays
//!   unchanged.
//!
//! Paths. A path is a JSON Pointer (RFC 6901) relative to a node. The leading "/" may be left out:
//!   "meta/exposure/time", "frames/0/name". The empty path is the node itself. In keys, "~" is written "~0" and "/" is
//!   written "~1". Paths follow aliases and JSON references: the target takes the place of the reference.
//!   An ordered mapping (!!omap) and a list of pairs (!!pairs) are sequences; in a path, a key finds its first pair.
//!   Items have numbers as parts of their own: "list/0", never in brackets. Elements of an array have no paths: they
//!   are read and written by regions. YAML 1.1 reads a key of digits without quotes as an integer, and one with a
//!   leading 0 as an octal number: the key 010 in a file has the path "8", and '010' in quotes the path "010".
//!
//! Numbers. Shapes and indices are int64_t, slowest axis first (C order). Truth values are int32_t: 0 is false, and any
//!   other number is true; the library returns 0 or 1. Sizes in memory are size_t. Sizes and offsets in files, and
//!   numbers of rows, entries and elements, are int64_t; -1 means unknown. A negative argument is an error unless the
//!   description of the parameter allows it.
//!
//! Arguments. Their order is: handle, inputs, options, outputs. A buffer is followed by its capacity.
//!
//! Options. A function with an options pointer takes NULL for the defaults. It works on a snapshot of the options. It
//!   refuses options that it does not know, unless ASDF_OPTION_SHARED is set in the same handle.
//!
//! Memory. The caller allocates the memory that a function reads into. Arguments are copied during the call. Two
//!   functions borrow memory for longer, and call back when they no longer need it (see Lent memory). (NULL, 0) is an
//!   empty input.
//!
//! Threads. Several threads may read from a handle at once. A call that changes a handle needs exclusive access to it
//!   and to all handles of the same file; only asdf_array_write_region() may run on several threads, for regions
//!   without a common element. Different files are independent. Handles may be freed on any thread. A call starts
//!   threads only if ASDF_OPTION_THREADS allows more than one, and these threads end before the call returns.
//!
//! Callbacks. A callback runs inside a call of the program, on the thread of that call; never on a thread that the
//!   library started.
//!   - Callbacks that read, resolve, decode or encode run inside the call that needs them. If several threads use a
//!     file, they run on several threads at once.
//!   - A callback that closes or releases something runs once, inside the call that ends the last use. This can be the
//!     _free function of the file or of a handle that depends on it (node, array, view, table, reader),
//!     asdf_file_close(), or the call that writes or saves the file after the array was replaced or removed. For a
//!     codec or a resolver it can also be the _free or unset function of options. A finalizer that frees handles on its
//!     own thread runs these callbacks on that thread.
//!   - No callback may throw or longjmp. It may call the library with handles that do not belong to the file, reader or
//!     options that it serves. If such a call fails, it changes the details of the last error of the thread.
//!
//! Floating point. Calls compute in the default environment: no traps, rounding to nearest, subnormal numbers. They
//!   leave the environment of the program as it was, including its flags. Callbacks run in the environment of the
//!   program.
//!
//! Processes. After a fork, the child process can read from the handles that it inherited, close them and free them.
//!   This releases memory and descriptors of the child only: it removes no temporary file, releases no lock, undoes
//!   nothing and writes nothing. Calls that change or write a file through such a handle fail with ASDF_ERR_FORKED. So
//!   does every use of an object that another thread was changing at the fork. No call waits for a thread that does not
//!   exist in the child. See docs/guide/threads.md.
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

// The functions have the names of C. The header documents what makes the calls safe.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]
// Pointers are passed in and out; they are dereferenced in few places only.
#![allow(unsafe_code)]

pub mod array;
pub mod basics;
pub mod boundary;
pub mod coordinates;
pub mod defaults;
pub mod file;
pub mod ndl;
pub mod node;
pub mod options;
pub mod schema;
pub mod table;
pub mod tags;
pub mod time;
pub mod unit;
pub mod wcs;
