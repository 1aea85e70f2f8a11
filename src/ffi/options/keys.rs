//! Numbers of options. `table` says what each takes, and which call knows it.
//!
//! # Keys of options
//!
//! A key has one meaning, type, default and range in every call that knows it. The tables further down tell which call
//! knows which key. Every call knows ASDF_OPTION_THREADS, ASDF_OPTION_PROGRESS and the limits, also where they change
//! nothing; so options with limits can serve all calls of a program.

/// Threads that one call may use, the calling one included. All have ended when the call returns; callbacks run on the
/// calling thread alone.
pub const ASDF_OPTION_THREADS: i32 = 1;
/// Callback that is told how far a call is, and can end it: asdf_options_set_progress(). It lasts for the call. Readers,
/// writers and streams keep it, files do not.
pub const ASDF_OPTION_PROGRESS: i32 = 2;

/// Most bytes of the YAML tree.
pub const ASDF_OPTION_LIMIT_TREE_BYTES: i32 = 20;
/// Deepest nesting of collections, in block and in flow style each. Descriptions nest at most 128 deep.
pub const ASDF_OPTION_LIMIT_DEPTH: i32 = 21;
/// Most nodes of a tree.
pub const ASDF_OPTION_LIMIT_NODES: i32 = 22;
/// Most anchors, and most aliases.
pub const ASDF_OPTION_LIMIT_ANCHORS: i32 = 23;
/// Most axes of an array.
pub const ASDF_OPTION_LIMIT_RANK: i32 = 24;
/// Most blocks of a file.
pub const ASDF_OPTION_LIMIT_BLOCKS: i32 = 25;
/// Most bytes of memory for decoded blocks.
pub const ASDF_OPTION_LIMIT_DECODED_BYTES: i32 = 26;
/// Most other files that one file leads to, also through others.
pub const ASDF_OPTION_LIMIT_EXTERNAL_FILES: i32 = 27;
/// Most files that a look-up passes through.
pub const ASDF_OPTION_LIMIT_EXTERNAL_DEPTH: i32 = 28;
/// Most bytes of temporary files with decoded blocks.
pub const ASDF_OPTION_LIMIT_TEMPORARY_BYTES: i32 = 29;
/// Most bytes of one record of a table in text.
pub const ASDF_OPTION_LIMIT_RECORD_BYTES: i32 = 30;
/// Most elements in one cell of a table, by its declared shape.
pub const ASDF_OPTION_LIMIT_CELL_ELEMENTS: i32 = 31;
/// Most bytes of memory of a table or batch beyond those stored.
pub const ASDF_OPTION_LIMIT_TABLE_BYTES: i32 = 32;
/// Most bytes of all arrays of a file made from a description.
pub const ASDF_OPTION_LIMIT_CREATED_BYTES: i32 = 33;

/// Compare each block with its MD5 checksum before its bytes are first given out. A block that differs is
/// ASDF_ERR_CHECKSUM; a block without a checksum passes.
pub const ASDF_OPTION_VERIFY_CHECKSUMS: i32 = 100;
/// Count each warning as an error. Opening an ASDF file with a warning fails, and all block headers are read for that;
/// a description with a warning is not valid.
pub const ASDF_OPTION_WARNINGS_AS_ERRORS: i32 = 101;
/// Read through a map of the file instead of by position, also the files that it leads to. On some machines that is
/// faster, on others slower. If another process shortens the mapped file, the program is stopped by SIGBUS.
pub const ASDF_OPTION_MAPPED: i32 = 102;
/// Hold an advisory lock while a file is open for update. A file that another handle of this library has open for
/// update, in this process or another one, is then ASDF_ERR_LOCKED. Where the file system has no locks, nothing is
/// refused.
pub const ASDF_OPTION_LOCK: i32 = 103;
/// Decoded bytes of compressed blocks that stay in memory after a part of an array was read, for the next part of it.
/// The file and the files that it leads to share them. The least recently used bytes go first. 0 keeps nothing, in
/// memory or on disk. Default: ASDF_OPTION_LIMIT_DECODED_BYTES, which is also the most.
pub const ASDF_OPTION_CACHE_BYTES: i32 = 104;
/// Directory for the decoded bytes of blocks larger than ASDF_OPTION_CACHE_BYTES. They go to files without a name,
/// which are gone when the file is closed or the program ends. Empty for no such files: each read of a region then
/// decodes the block again.
pub const ASDF_OPTION_TEMPORARY_DIRECTORY: i32 = 105;
/// Other files that may be opened because the file names them: an ASDF_ACCESS_ constant.
pub const ASDF_OPTION_ACCESS: i32 = 106;
/// Directories in which, and below which, such files may be. Neither ".." nor links lead out of them.
pub const ASDF_OPTION_DIRECTORIES: i32 = 107;
/// Callback that opens such files, of any scheme: asdf_options_set_resolver().
pub const ASDF_OPTION_RESOLVER: i32 = 108;
/// Codecs of the program: asdf_options_add_codec(). A call that reads uses them beside the codecs of the library, one
/// of the same label counts once, the last one. A call that stores an array compresses it with the last one, in place
/// of ASDF_OPTION_CODEC.
pub const ASDF_OPTION_CUSTOM_CODECS: i32 = 109;
/// Wait for the disk before asdf_array_write_region() overwrites a piece for the first time since the last save.
/// Without waiting, a power cut before the save may leave elements that are neither old nor new.
pub const ASDF_OPTION_DURABLE_REGIONS: i32 = 110;
/// Version of the ASDF standard of a new file, "1.0.0" to "1.6.0", or "1.7.0", which is not stable yet. It decides the
/// versions of the tags.
pub const ASDF_OPTION_STANDARD: i32 = 111;

/// Wait until data and name are on the disk. Without waiting, a power cut soon after may leave an incomplete file; a
/// crash of the program does not. ASDF_ERR_NOT_DURABLE says that the last wait failed, for the name of a file that is
/// in place.
pub const ASDF_OPTION_DURABLE: i32 = 200;
/// Replace a file that has the name already; otherwise such a file is ASDF_ERR_FILE_EXISTS, and nothing is written. The
/// old file stays until the new one is whole. A link is followed; a link that leads nowhere counts as a file. A
/// directory is never replaced: it is ASDF_ERR_INVALID_ARGUMENT. Pipes and character devices, such as /dev/null, are
/// written to and need no leave.
pub const ASDF_OPTION_REPLACE: i32 = 201;
/// Alignment of payloads in the file in bytes, a power of two; 1 for none.
pub const ASDF_OPTION_ALIGNMENT: i32 = 202;
/// Bytes left free after the tree, so that it can grow later without moving the blocks. Default: a number that follows
/// the size of the tree.
pub const ASDF_OPTION_TREE_SLACK: i32 = 203;
/// Write MD5 checksums of blocks, except where ASDF_OPTION_BLOCK_CHECKSUM decided for a block.
pub const ASDF_OPTION_CHECKSUMS: i32 = 204;
/// Write a block index, by which readers find a block without reading the headers of those before it.
pub const ASDF_OPTION_BLOCK_INDEX: i32 = 205;
/// Pattern for the names of files that external arrays are written to, beside the main file. "{number}" stands for a
/// number of at least four digits from 0000 on, "{name}" for the name of the main file without its last extension.
/// Names that exist are passed over. Default: "{name}{number}.asdf".
pub const ASDF_OPTION_EXTERNAL_NAMES: i32 = 206;
/// Way of saving: an ASDF_SAVE_ constant.
pub const ASDF_OPTION_SAVE_MODE: i32 = 207;
/// Let the file system insert room before the blocks when a tree has outgrown its room and the file is saved in place
/// (ext4). Programs that map the file otherwise than by this library see their pages move.
pub const ASDF_OPTION_INSERT_ROOM: i32 = 208;

/// Compression of a block: "zlib", "bzp2", "lz4", "lz4f" (one LZ4 frame), "zstd" (one Zstandard frame), "blsc" or
/// "bls2" (one Blosc chunk of format 1 or 2, shuffled, compressed with LZ4, at most 2 GiB); empty for none. Every ASDF
/// library reads zlib and bzp2, most read lz4, few the others. A build without zstd, blsc or bls2 answers
/// ASDF_ERR_UNKNOWN_CODEC.
pub const ASDF_OPTION_CODEC: i32 = 300;
/// Level of the compression: 0 to 9 for zlib, 1 to 9 for bzp2, 1 to 22 for zstd. Other codecs have no levels. Default:
/// that of the codec.
pub const ASDF_OPTION_LEVEL: i32 = 301;
/// Place of the elements of an array: an ASDF_STORAGE_ constant.
pub const ASDF_OPTION_STORAGE: i32 = 302;
/// Name, without a directory, of the file that an external array is written to. Default: by
/// ASDF_OPTION_EXTERNAL_NAMES.
pub const ASDF_OPTION_EXTERNAL_NAME: i32 = 303;
/// Order of the elements in the file: an ASDF_ORDER_ constant. Readers see the same array. Strides in the
/// tree tell Fortran's order, and some readers overlook them. No meaning for elements in the tree.
pub const ASDF_OPTION_STORED_ORDER: i32 = 304;
/// Byte order of the elements in the file: an ASDF_BYTE_ORDER_ constant. Default: that of the machine.
pub const ASDF_OPTION_BYTE_ORDER: i32 = 305;
/// Bytes reserved after the payload of the block for later growth.
pub const ASDF_OPTION_BLOCK_SLACK: i32 = 306;
/// Give the block an MD5 checksum, or none. Default: as ASDF_OPTION_CHECKSUMS of the call that writes the file says.
pub const ASDF_OPTION_BLOCK_CHECKSUM: i32 = 307;
/// Keep the other keys, the tag and the comments of the array that stands at the path, its mask included.
pub const ASDF_OPTION_KEEP: i32 = 308;

/// Order of elements in memory, without gaps: an ASDF_ORDER_ constant. Indices and shapes are those of the array in
/// either order: a Fortran array a(3, 2) has the shape {3, 2} in ASDF_ORDER_FORTRAN, or {2, 3} in ASDF_ORDER_C.
pub const ASDF_OPTION_ORDER: i32 = 400;
/// Bytes in memory from one element to the next along each axis, slowest axis of the array first; negative ones are
/// allowed. The memory begins with the element at the lowest address. Elements that are written to must not overlap.
/// Not together with ASDF_OPTION_ORDER.
pub const ASDF_OPTION_STRIDES: i32 = 401;
/// Clamp elements that do not fit the datatype; otherwise they are ASDF_ERR_OVERFLOW. Integers, float16 and float32
/// saturate, fractions are cut off on the way to an integer, NaN becomes the integer 0, a complex number loses its
/// imaginary part on the way to a real one, a string is cut.
pub const ASDF_OPTION_CLAMP: i32 = 402;
/// Value in the place of missing elements: asdf_options_set_fill().
pub const ASDF_OPTION_FILL: i32 = 403;
/// Fill strings of fixed length in memory up with blanks instead of NULs, as Fortran does: elements that are read get
/// blanks at the ends of strings, elements that are written lose them. Strings that differ in blanks at their ends
/// alone are then the same. A copy of the elements is made to write them.
pub const ASDF_OPTION_BLANK_PADDED: i32 = 404;

/// Form of a table in an ASDF file: an ASDF_TABLE_FORM_ constant.
pub const ASDF_OPTION_TABLE_FORM: i32 = 500;
/// Leave out what a form has no place for, and columns that are no arrays or have units of unknown kinds; the table
/// then has a warning. Otherwise these are errors.
pub const ASDF_OPTION_LEAVE_OUT: i32 = 501;
/// Copy the metadata of a table and make them plain, as other formats can carry them: lists for arrays, texts for what
/// has a tag of ASDF, targets for references.
pub const ASDF_OPTION_PLAIN_METADATA: i32 = 502;
/// Read ECSV by the letter of APE 6.
pub const ASDF_OPTION_ECSV_STRICT: i32 = 503;
/// Texts that mean a missing cell where one is a whole field: "null" in files of Gaia. An empty field always does.
pub const ASDF_OPTION_NULL_VALUES: i32 = 504;
/// Columns to read, in the order of the file. Default: all.
pub const ASDF_OPTION_COLUMNS: i32 = 505;
/// First row to read, from 0.
pub const ASDF_OPTION_FIRST_ROW: i32 = 506;
/// Number of rows to read at most. Default: all that follow.
pub const ASDF_OPTION_ROW_COUNT: i32 = 507;
/// Rows of a batch at most; 0 for a number that suits: as many as take a few MiB where rows are read, all rows of a
/// table that is in memory.
pub const ASDF_OPTION_BATCH_ROWS: i32 = 508;
/// Treatment of names in the line of names that differ from those in the header: an ASDF_COLUMN_NAMES_ constant.
pub const ASDF_OPTION_COLUMN_NAMES: i32 = 509;
/// Take blanks off the ends of quoted fields as well, as astropy does. A field that is empty then is missing.
pub const ASDF_OPTION_TRIM_QUOTED: i32 = 510;
/// File with the header of the table, for rows in a file of their own. Lines of that file that begin with # before the
/// line of names are comments then.
pub const ASDF_OPTION_HEADER_FILE: i32 = 511;
/// Text of the header; see ASDF_OPTION_HEADER_FILE, which it excludes.
pub const ASDF_OPTION_HEADER_TEXT: i32 = 512;
/// Delimiter of fields: an ASDF_DELIMITER_ constant.
pub const ASDF_OPTION_DELIMITER: i32 = 513;
/// Compression of the whole text: an ASDF_TEXT_COMPRESSION_ constant.
pub const ASDF_OPTION_TEXT_COMPRESSION: i32 = 514;
/// Treatment of empty strings that are not missing: an ASDF_EMPTY_STRINGS_ constant.
pub const ASDF_OPTION_EMPTY_STRINGS: i32 = 515;
/// Spelling of infinite numbers and NaN as elements of arrays: an ASDF_JSON_NUMBERS_ constant.
pub const ASDF_OPTION_JSON_NUMBERS: i32 = 516;

/// Accept keys that the Ndarray Data Language does not know, with a warning; otherwise they are errors.
pub const ASDF_OPTION_UNKNOWN_KEYS: i32 = 600;
/// Sort groups, and what is in each, by path name; otherwise they stand in document order.
pub const ASDF_OPTION_SORT: i32 = 601;
/// Write the values of arrays into CDL, too.
pub const ASDF_OPTION_CDL_VALUES: i32 = 602;
/// Values of arrays that a description of a file gets: an ASDF_NDL_VALUES_ constant.
pub const ASDF_OPTION_DESCRIBED_VALUES: i32 = 603;
/// Path name of the only part that is described: a group, array or dimension coordinate with all that is in it. Empty
/// for the whole file.
pub const ASDF_OPTION_ONLY: i32 = 604;
/// Describe `asdf_library` and `history`, too.
pub const ASDF_OPTION_ALL: i32 = 605;
/// Tell under `x-asdf` keys what has no form in the language: tags, strides, masks, lengths of strings.
pub const ASDF_OPTION_ANNOTATE: i32 = 606;
/// Describe float16 arrays as float32; otherwise they are opaque bytes with the tag `IEEE 754 binary16`.
pub const ASDF_OPTION_WIDEN_FLOAT16: i32 = 607;
/// Characters of strings where no value tells their number; 0 makes such arrays ASDF_ERR_INCOMPLETE.
pub const ASDF_OPTION_STRING_LENGTH: i32 = 608;
/// Elements along unlimited dimensions. asdf_options_set_int() sets it for dimensions whose stored size the description
/// does not tell; asdf_options_set_int_at() for one dimension coordinate, or for the unlimited dimensions of one array,
/// by path name, whatever the description says.
pub const ASDF_OPTION_EXTENT: i32 = 609;
/// Use zeros for elements without a value, although there is a fill value.
pub const ASDF_OPTION_ZEROS: i32 = 610;
/// Path name of the array that becomes the last block, to which rows can be added. Its first dimension must be
/// unlimited. Empty for none.
pub const ASDF_OPTION_STREAMED: i32 = 611;
