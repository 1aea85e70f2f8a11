//! Numbers of options. `table` defines their types and the calls that know them.
//!
//! # Keys of options
//!
//! A key has the same meaning, type, default and range in all calls that know it. The tables below list the keys of
//! each call. Every call knows ASDF_OPTION_THREADS, ASDF_OPTION_PROGRESS, ASDF_OPTION_SHARED and the limits, even if
//! they have no effect on it. So one options handle with limits can be used for all calls of a program.

/// Number of threads that one call may use, including the calling thread. The other threads end before the call
/// returns. Callbacks run on the calling thread only.
pub const ASDF_OPTION_THREADS: i32 = 1;
/// Callback that receives the progress of a call and can cancel it: asdf_options_set_progress(). It is used for this
/// call only; but readers, writers and streams keep it for all their calls.
pub const ASDF_OPTION_PROGRESS: i32 = 2;
/// The options are shared by calls of several kinds: a call ignores the options that it does not know, which otherwise
/// are an error. The default finds options that have no effect by mistake.
pub const ASDF_OPTION_SHARED: i32 = 3;

/// Largest size of the YAML tree in bytes.
pub const ASDF_OPTION_LIMIT_TREE_BYTES: i32 = 20;
/// Largest nesting depth of collections, counted separately for block and flow style. For descriptions at most 128.
pub const ASDF_OPTION_LIMIT_DEPTH: i32 = 21;
/// Largest number of nodes of a tree.
pub const ASDF_OPTION_LIMIT_NODES: i32 = 22;
/// Largest number of anchors, and of aliases.
pub const ASDF_OPTION_LIMIT_ANCHORS: i32 = 23;
/// Largest number of axes of an array.
pub const ASDF_OPTION_LIMIT_RANK: i32 = 24;
/// Largest number of blocks of a file.
pub const ASDF_OPTION_LIMIT_BLOCKS: i32 = 25;
/// Largest memory for decoded blocks in bytes.
pub const ASDF_OPTION_LIMIT_DECODED_BYTES: i32 = 26;
/// Largest number of other files that one file refers to, directly or through others.
pub const ASDF_OPTION_LIMIT_EXTERNAL_FILES: i32 = 27;
/// Largest number of files that one lookup passes through after the first one.
pub const ASDF_OPTION_LIMIT_EXTERNAL_DEPTH: i32 = 28;
/// Largest size of temporary files with decoded blocks in bytes.
pub const ASDF_OPTION_LIMIT_TEMPORARY_BYTES: i32 = 29;
/// Largest size of one record of a text table in bytes.
pub const ASDF_OPTION_LIMIT_RECORD_BYTES: i32 = 30;
/// Largest number of elements of one table cell, from its declared shape.
pub const ASDF_OPTION_LIMIT_CELL_ELEMENTS: i32 = 31;
/// Largest memory of a table or batch in bytes, in addition to its stored size.
pub const ASDF_OPTION_LIMIT_TABLE_BYTES: i32 = 32;
/// Largest total size of the arrays of a file that is made from a description, in bytes.
pub const ASDF_OPTION_LIMIT_CREATED_BYTES: i32 = 33;

/// Compare each block with its MD5 checksum before its bytes are first used. A block that does not match is
/// ASDF_ERR_CHECKSUM; a block without a checksum is accepted.
pub const ASDF_OPTION_VERIFY_CHECKSUMS: i32 = 100;
/// Treat each warning as an error. Opening an ASDF file with a warning fails with ASDF_ERR_STRICT; for this, all block
/// headers are read. A description with a warning is not valid.
pub const ASDF_OPTION_WARNINGS_AS_ERRORS: i32 = 101;
/// Read the file and the files that it refers to through a memory map instead of positioned reads. This is faster on
/// some machines and slower on others. If another process truncates the mapped file, SIGBUS ends the program.
pub const ASDF_OPTION_MAPPED: i32 = 102;
/// Hold an advisory lock while a file is open for update. Opening fails with ASDF_ERR_LOCKED if another handle of this
/// library, in this process or another, has the file open for update. On file systems without locks this option has no
/// effect.
pub const ASDF_OPTION_LOCK: i32 = 103;
/// Size of the cache in bytes. After a region of an array is read, the cache keeps decoded bytes of its compressed
/// block for the next region. The file and the files that it refers to share one cache. The least recently used bytes
/// are dropped first. 0 keeps nothing, neither in memory nor on disk. Default and maximum:
/// ASDF_OPTION_LIMIT_DECODED_BYTES.
pub const ASDF_OPTION_CACHE_BYTES: i32 = 104;
/// Directory for temporary files with the decoded bytes of blocks larger than ASDF_OPTION_CACHE_BYTES. These files have
/// no name and disappear when the file is closed or the program ends. Empty for no temporary files: then each read of a
/// region decodes the block again. It fails with ASDF_ERR_LIMIT if the block is larger than
/// ASDF_OPTION_LIMIT_DECODED_BYTES and the region needs its bytes in another order. For asdf_node_begin_table(): the
/// directory for the file that gathers the rows; it must not be empty.
pub const ASDF_OPTION_TEMPORARY_DIRECTORY: i32 = 105;
/// Access to other files that the file refers to: an ASDF_ACCESS_ constant.
pub const ASDF_OPTION_ACCESS: i32 = 106;
/// Directories in and below which such other files may be. Neither ".." nor symbolic links lead out of them.
pub const ASDF_OPTION_DIRECTORIES: i32 = 107;
/// Callback that opens such other files, with URIs of any scheme: asdf_options_set_resolver().
pub const ASDF_OPTION_RESOLVER: i32 = 108;
/// Codecs of the program: asdf_options_add_codec(). A call that reads uses them in addition to the codecs of the
/// library; of several with the same label, the last one counts. A call that stores an array compresses it with the
/// last one, instead of ASDF_OPTION_CODEC.
pub const ASDF_OPTION_CUSTOM_CODECS: i32 = 109;
/// Before asdf_array_write_region() overwrites a piece for the first time since the last save, wait until its old bytes
/// are on disk. With 0, a power cut before the save may leave elements that are neither old nor new.
pub const ASDF_OPTION_DURABLE_REGIONS: i32 = 110;
/// Version of the ASDF standard of a new file: "1.0.0" to "1.6.0", or "1.7.0", which is not stable yet. It determines
/// the versions of the tags.
pub const ASDF_OPTION_STANDARD: i32 = 111;
/// Write a new file for readers of the first version of the format, such as asdf-cxx 8: standard 1.5.0 unless
/// ASDF_OPTION_STANDARD says otherwise, so that arrays have the tag core/ndarray-1.0.0; offset and strides of each
/// array; no free space after the tree and no padding in headers of blocks, whatever ASDF_OPTION_ALIGNMENT and
/// ASDF_OPTION_TREE_SLACK say. Streams keep their alignment.
pub const ASDF_OPTION_OLD_READERS: i32 = 112;
/// File of the library libasdfkit_remote, which reads files on servers. Default: the one that the environment variable
/// ASDFKIT_REMOTE_LIBRARY names, the one beside this library, or the one that the system finds.
pub const ASDF_OPTION_REMOTE: i32 = 113;
/// Settings of files on servers, one "key=value" on each line: time limits, budgets, headers, credentials. Keys that are
/// not among those of asdf_remote.h belong to the store, such as aws_access_key_id. asdf_options_get_text() returns the
/// text, so do not print it.
pub const ASDF_OPTION_REMOTE_SETTINGS: i32 = 114;

/// Wait until data and name of a written file are on disk. With 0, a power cut soon after the call may leave an
/// incomplete file; a crash of the program does not. ASDF_ERR_NOT_DURABLE means that the file is in place, but the last
/// wait, for its name, failed.
pub const ASDF_OPTION_DURABLE: i32 = 200;
/// Replace an existing file of the same name; otherwise such a file is ASDF_ERR_FILE_EXISTS, and nothing is written.
/// The old file stays until the new one is complete. A symbolic link is followed; one without a target counts as a
/// file. A directory is never replaced: it is ASDF_ERR_INVALID_ARGUMENT. Pipes and character devices, such as
/// /dev/null, are written to without this option.
pub const ASDF_OPTION_REPLACE: i32 = 201;
/// Alignment of block payloads in the file in bytes, a power of two; 1 for no alignment.
pub const ASDF_OPTION_ALIGNMENT: i32 = 202;
/// Free space after the tree in bytes, so that the tree can grow later without moving the blocks. Default: about a
/// tenth of the tree, at most 1 MiB, and in files larger than 256 KiB up to the end of a page; if the tree has outgrown
/// its space there, a quarter of the tree, from 8 KiB to 1 MiB; 0 without blocks.
pub const ASDF_OPTION_TREE_SLACK: i32 = 203;
/// Write MD5 checksums of blocks. ASDF_OPTION_BLOCK_CHECKSUM overrides this for single blocks.
pub const ASDF_OPTION_CHECKSUMS: i32 = 204;
/// Write a block index, so that readers find a block without reading the headers of the blocks before it.
pub const ASDF_OPTION_BLOCK_INDEX: i32 = 205;
/// Pattern for the names of the files with external arrays, beside the main file. "{number}" is replaced by a number of
/// at least four digits, from 0000 on; "{name}" by the name of the main file without its last extension. Names of
/// existing files are skipped. Default: "{name}{number}.asdf".
pub const ASDF_OPTION_EXTERNAL_NAMES: i32 = 206;
/// Way of saving: an ASDF_SAVE_ constant.
pub const ASDF_OPTION_SAVE_MODE: i32 = 207;
/// Form of the file that is written: an ASDF_CONTAINER_ constant.
pub const ASDF_OPTION_CONTAINER: i32 = 208;
/// Version of the ASDF standard, such as "1.5.0", in which the file is rewritten. Tags get the versions of that
/// standard, keys that readers of the old one imply are written, and content gets the form of that standard; elements of
/// arrays do not change. ASDF_ERR_UNSUPPORTED, with the path, for content that the standard has no form for; nothing is
/// written then. Default: the version that the file has.
pub const ASDF_OPTION_AS_STANDARD: i32 = 209;

/// Compression of a block: "zlib", "bzp2", "lz4", "lz4f" (one LZ4 frame), "zstd" (one Zstandard frame), "blsc" or
/// "bls2" (one Blosc chunk of format 1 or 2, shuffled, compressed with LZ4 unless ASDF_OPTION_BLOSC_CODEC and
/// ASDF_OPTION_SHUFFLE say otherwise, at most 2 GiB), "xz" (one .xz stream); empty
/// for none. Every ASDF library reads zlib and bzp2, most read lz4, few read the others. In builds without zstd, blsc,
/// bls2 or xz these are ASDF_ERR_UNKNOWN_CODEC.
pub const ASDF_OPTION_CODEC: i32 = 300;
/// Level of the compression; see the table of codecs below. Default: that of the codec. A level n of blsc and bls2
/// means the level n of zlib, 2 n - 1 of zstd, and 22 for 9; with lz4 inside, all levels are the same.
pub const ASDF_OPTION_LEVEL: i32 = 301;
/// Place of the elements of an array: an ASDF_STORAGE_ constant.
pub const ASDF_OPTION_STORAGE: i32 = 302;
/// Name of the file that an external array is written to, without a directory. Default: from
/// ASDF_OPTION_EXTERNAL_NAMES.
pub const ASDF_OPTION_EXTERNAL_NAME: i32 = 303;
/// Order of the elements in the file: an ASDF_ORDER_ constant. Readers see the same array in either order. Fortran
/// order is stored as strides in the tree, which some readers ignore. No effect on elements in the tree.
pub const ASDF_OPTION_STORED_ORDER: i32 = 304;
/// Byte order of the elements in the file: an ASDF_BYTE_ORDER_ constant. Default: that of the machine.
pub const ASDF_OPTION_BYTE_ORDER: i32 = 305;
/// Free space after the payload of the block in bytes, for later growth.
pub const ASDF_OPTION_BLOCK_SLACK: i32 = 306;
/// Write an MD5 checksum of the block (1), or none (0). Default: ASDF_OPTION_CHECKSUMS of the call that writes the
/// file.
pub const ASDF_OPTION_BLOCK_CHECKSUM: i32 = 307;
/// Keep the other keys (including the mask), the tag and the comments of an existing array at the path.
pub const ASDF_OPTION_KEEP: i32 = 308;
/// Codec inside of blsc and bls2: "lz4" (the default), "zlib" or "zstd". zstd makes the smallest files.
pub const ASDF_OPTION_BLOSC_CODEC: i32 = 309;
/// Filter of blsc and bls2 before compression: an ASDF_SHUFFLE_ constant. Shuffled bits often compress measured numbers
/// best.
pub const ASDF_OPTION_SHUFFLE: i32 = 310;
/// Size in bytes of the elements that blsc and bls2 shuffle. Default: that of an element of the array; 1 if it is
/// larger than 255.
pub const ASDF_OPTION_TYPE_SIZE: i32 = 311;
/// Shape of the chunks of a chunked array, in the form of asdf-zarr. Each chunk is a block of its own, compressed by
/// ASDF_OPTION_CODEC. Set it by asdf_options_set_ints(). Without it, an array is one block.
pub const ASDF_OPTION_CHUNKS: i32 = 312;
/// Compressor of zarr for the chunks of a chunked array, in place of ASDF_OPTION_CODEC: "zlib", "gzip", "bz2", "lz4",
/// "zstd" or "blosc"; empty for none. It stands in the metadata of the array, so that readers of zarr find it.
/// ASDF_OPTION_LEVEL, ASDF_OPTION_BLOSC_CODEC, ASDF_OPTION_SHUFFLE and ASDF_OPTION_TYPE_SIZE then belong to it. Levels
/// of gzip are those of zlib; lz4 has none.
pub const ASDF_OPTION_CHUNK_CODEC: i32 = 313;
/// Filters of zarr for the chunks of a chunked array, in the order in which they are applied: "delta" (differences of
/// integers; it must be the first) and "shuffle" (bytes sorted by their place in the element). Set it by
/// asdf_options_add_text(). ASDF_OPTION_CHUNK_CODEC or ASDF_OPTION_CODEC compresses what they make.
pub const ASDF_OPTION_CHUNK_FILTERS: i32 = 314;

/// Order of elements in memory, without gaps: an ASDF_ORDER_ constant. Indices and shapes do not depend on the order: a
/// Fortran array a(3, 2) has the shape {3, 2} with ASDF_ORDER_FORTRAN, or {2, 3} with ASDF_ORDER_C.
pub const ASDF_OPTION_ORDER: i32 = 400;
/// Strides in memory: bytes from one element to the next along each axis, slowest axis of the array first. They may be
/// negative. The memory begins with the element at the lowest address. Elements of an output must not overlap. Excludes
/// ASDF_OPTION_ORDER.
pub const ASDF_OPTION_STRIDES: i32 = 401;
/// Clamp elements that do not fit the datatype; otherwise they are ASDF_ERR_OVERFLOW. Clamping works as follows:
/// integers, float16 and float32 saturate; conversion to an integer drops the fraction and turns NaN into 0; conversion
/// to a real number drops the imaginary part; strings are cut.
pub const ASDF_OPTION_CLAMP: i32 = 402;
/// Value that replaces missing elements: asdf_options_set_fill().
pub const ASDF_OPTION_FILL: i32 = 403;
/// Pad strings of fixed length in memory with blanks instead of NULs, as in Fortran. Reading adds blanks at the ends of
/// strings; writing removes them. Strings that differ only in trailing blanks then become equal. To write them, the
/// library copies the elements.
pub const ASDF_OPTION_BLANK_PADDED: i32 = 404;
/// Datatype of the elements in memory if the datatype code of the call is 0: asdf_options_set_datatype(). Without it, 0
/// means the datatype of the array itself; a call that makes an array or a column then fails.
pub const ASDF_OPTION_DATATYPE: i32 = 405;
/// Unit in which numbers are read: of the elements of an array (of a quantity, a column, or another mapping with the
/// key "unit") or of a column of a table. The text can have any spelling, and an empty text is the unit of plain
/// numbers. Numbers are converted in binary64 before they are converted to the datatype of the call; between integers
/// the result is exact, or ASDF_ERR_OVERFLOW. The fill value is already in this unit. Elements without a unit, and
/// units that are not commensurable, are ASDF_ERR_UNITS; strings, records and truth values are ASDF_ERR_CONVERSION.
pub const ASDF_OPTION_UNIT: i32 = 406;
/// Conversions between units of different dimensions that are allowed, by their names in astropy, separated by commas:
/// `spectral` (wavelength, frequency, energy and wave number of light), `dimensionless_angles` (radians are numbers),
/// `temperature` (degrees Celsius and kelvins).
pub const ASDF_OPTION_EQUIVALENCIES: i32 = 407;

/// Form of a table in an ASDF file: an ASDF_TABLE_FORM_ constant.
pub const ASDF_OPTION_TABLE_FORM: i32 = 500;
/// Leave out, with a warning of the table, information that the form of the table cannot hold, columns that do not
/// consist of arrays, and columns with units of unknown kinds. Otherwise these are errors.
pub const ASDF_OPTION_LEAVE_OUT: i32 = 501;
/// Copy the metadata of a table in a simplified form that other formats can hold: arrays become lists, scalars with a
/// tag become texts, collections lose their tags, and references are replaced by their targets. Units, quantities,
/// times, coordinates and complex numbers get the tags that astropy gives them in ECSV.
pub const ASDF_OPTION_PLAIN_METADATA: i32 = 502;
/// Read ECSV strictly as APE 6 specifies it.
pub const ASDF_OPTION_ECSV_STRICT: i32 = 503;
/// Field texts that mean a missing cell, such as "null" in Gaia files. An empty field is a missing cell, too, except in
/// a column of strings that the metadata declare as masked: there it is an empty string.
pub const ASDF_OPTION_NULL_VALUES: i32 = 504;
/// Names of the columns to read; they are returned in the order of the file. Default: all.
pub const ASDF_OPTION_COLUMNS: i32 = 505;
/// First row to read, from 0.
pub const ASDF_OPTION_FIRST_ROW: i32 = 506;
/// Largest number of rows to read. Default: all following rows.
pub const ASDF_OPTION_ROW_COUNT: i32 = 507;
/// Largest number of rows of a batch. With 0, a batch has as many rows as take a few MiB if rows are read from a file,
/// and all rows if the table is in memory.
pub const ASDF_OPTION_BATCH_ROWS: i32 = 508;
/// Treatment of column names that differ between the line of names and the header: an ASDF_COLUMN_NAMES_ constant.
pub const ASDF_OPTION_COLUMN_NAMES: i32 = 509;
/// Remove leading and trailing blanks also from quoted fields, as astropy does. A field that is empty afterwards counts
/// as an empty field.
pub const ASDF_OPTION_TRIM_QUOTED: i32 = 510;
/// File with the header of the table, if the rows are in a separate file. In the file of rows, lines before the line of
/// names that begin with # are then comments.
pub const ASDF_OPTION_HEADER_FILE: i32 = 511;
/// Text of the header, if the rows are in a separate file. Excludes ASDF_OPTION_HEADER_FILE.
pub const ASDF_OPTION_HEADER_TEXT: i32 = 512;
/// Delimiter of fields: an ASDF_DELIMITER_ constant.
pub const ASDF_OPTION_DELIMITER: i32 = 513;
/// Compression of the whole text: an ASDF_TEXT_COMPRESSION_ constant.
pub const ASDF_OPTION_TEXT_COMPRESSION: i32 = 514;
/// Treatment of empty strings that are not missing: an ASDF_EMPTY_STRINGS_ constant.
pub const ASDF_OPTION_EMPTY_STRINGS: i32 = 515;
/// Spelling of infinite numbers and NaN as elements of arrays: an ASDF_JSON_NUMBERS_ constant.
pub const ASDF_OPTION_JSON_NUMBERS: i32 = 516;
/// Read every column as text. The header then needs no datatypes, or is missing: of the lines before the line of names,
/// only a delimiter is read. Excludes ASDF_OPTION_HEADER_FILE and ASDF_OPTION_HEADER_TEXT.
pub const ASDF_OPTION_AS_TEXT: i32 = 517;
/// Read the columns in the form that the file has. Otherwise a column of values and the column of its mask, as astropy
/// writes them for texts, are one column with missing elements.
pub const ASDF_OPTION_RAW_COLUMNS: i32 = 518;
/// Text of the index of the table, from asdf_table_index(): reading begins near the first row.
pub const ASDF_OPTION_TABLE_INDEX: i32 = 519;

/// Table of leap seconds in the form of leap-seconds.list or of Leap_Second.dat of the IERS. It replaces the table of
/// the library from 1972 on. Excludes ASDF_OPTION_LEAP_SECONDS_FILE.
pub const ASDF_OPTION_LEAP_SECONDS: i32 = 550;
/// File with such a table, often /usr/share/zoneinfo/leap-seconds.list.
pub const ASDF_OPTION_LEAP_SECONDS_FILE: i32 = 551;

/// Schemas that the content must match: asdf_options_set_schemas(). Opening fails with ASDF_ERR_INVALID if the content
/// does not match them; writing fails so before it writes anything.
pub const ASDF_OPTION_SCHEMAS: i32 = 560;
/// URI of a schema that the root, or the node of the call, must match besides those of its tags. Empty for none. Without
/// ASDF_OPTION_SCHEMAS it has no effect on opening and writing.
pub const ASDF_OPTION_ROOT_SCHEMA: i32 = 561;

/// Accept keys that the Ndarray Data Language does not define, with a warning; otherwise they are errors.
pub const ASDF_OPTION_UNKNOWN_KEYS: i32 = 600;
/// Sort groups and their content by path name; otherwise they keep document order.
pub const ASDF_OPTION_SORT: i32 = 601;
/// Include the values of arrays in CDL.
pub const ASDF_OPTION_CDL_VALUES: i32 = 602;
/// Arrays whose values are included in the description of a file: an ASDF_NDL_VALUES_ constant.
pub const ASDF_OPTION_DESCRIBED_VALUES: i32 = 603;
/// Path name of the part to describe: a group, array or dimension coordinate with its whole content. Empty for the
/// whole file.
pub const ASDF_OPTION_ONLY: i32 = 604;
/// Also describe `asdf_library` and `history`.
pub const ASDF_OPTION_ALL: i32 = 605;
/// Store information that the language cannot express under `x-asdf` keys: tags, strides, masks, lengths of strings.
pub const ASDF_OPTION_ANNOTATE: i32 = 606;
/// Describe float16 arrays as float32; otherwise they are opaque bytes with the tag `IEEE 754 binary16`.
pub const ASDF_OPTION_WIDEN_FLOAT16: i32 = 607;
/// Length of strings, in characters, in arrays without values; with 0 such arrays are ASDF_ERR_INCOMPLETE.
pub const ASDF_OPTION_STRING_LENGTH: i32 = 608;
/// Number of elements along unlimited dimensions. asdf_options_set_int() sets it for all dimensions whose stored size
/// is not in the description. asdf_options_set_int_at() sets it for one dimension coordinate, or for the unlimited
/// dimensions of one array, by path name; it overrides the description.
pub const ASDF_OPTION_EXTENT: i32 = 609;
/// Use zeros for elements without a value, even if the description has a fill value.
pub const ASDF_OPTION_ZEROS: i32 = 610;
/// Path name of the array to store as a streamed last block, so that rows can be appended. Its first dimension must be
/// unlimited. Empty for none.
pub const ASDF_OPTION_STREAMED: i32 = 611;

/// Give points outside of the bounding box the fill value. By default this is so for world coordinates, and not for a
/// transform. The fill value is NaN, or that of asdf_options_set_fill().
pub const ASDF_OPTION_BOUNDING_BOX: i32 = 700;
/// Fail where a compound bounding box has no box for a point. Otherwise such a point gets the fill value.
pub const ASDF_OPTION_STRICT_BOXES: i32 = 701;
/// Fail for points outside of arrays of labels. Otherwise such points have no label.
pub const ASDF_OPTION_STRICT_LABELS: i32 = 702;
/// Largest length of the last step of an iteration that counts as converged, in pixels. Results are usually much more
/// exact.
pub const ASDF_OPTION_TOLERANCE: i32 = 703;
/// Largest number of steps of an iteration.
pub const ASDF_OPTION_ITERATIONS: i32 = 704;
/// Fail if an iteration does not converge. Otherwise such a point is NaN, and is counted.
pub const ASDF_OPTION_STRICT_CONVERGENCE: i32 = 705;
/// Letter of an alternate WCS in a FITS header, such as A for the keywords CTYPE1A. Empty for the primary one.
pub const ASDF_OPTION_ALTERNATE: i32 = 706;
/// Largest error of a position on the sky by cards that approximate a WCS, in pixels.
pub const ASDF_OPTION_MAX_ERROR: i32 = 707;
/// Largest error of a pixel by cards that approximate a WCS, in pixels.
pub const ASDF_OPTION_MAX_INVERSE_ERROR: i32 = 708;
/// Degree of the polynomials to the sky, up to 9; 0 for the smallest one that reaches the error.
pub const ASDF_OPTION_DEGREE: i32 = 709;
/// Degree of the polynomials to pixels, up to 9; 0 for the smallest one that reaches the error.
pub const ASDF_OPTION_INVERSE_DEGREE: i32 = 710;
/// Number of points along each axis at which cards that approximate a WCS are fitted.
pub const ASDF_OPTION_GRID_POINTS: i32 = 711;

/// Wanted size in bytes of the parts of an uncompressed array. Parts have whole rows, and the size near this one that
/// divides the array without a remainder.
pub const ASDF_OPTION_SLAB_BYTES: i32 = 800;
/// URL of the file, or, with '/' at its end, of the folder that holds the files. Empty for the places where the files
/// were opened.
pub const ASDF_OPTION_URL: i32 = 801;
/// Path of the node that becomes the root group. Empty for the root of the tree.
pub const ASDF_OPTION_ROOT: i32 = 802;
/// Index of the dimension along which the arrays of several files follow one another.
pub const ASDF_OPTION_JOIN_AXIS: i32 = 803;
/// Name of the new dimension, with one index for each file. Empty if the arrays have the dimension already.
pub const ASDF_OPTION_JOIN_DIMENSION: i32 = 804;
/// Paths of arrays that are the same in all files; they are taken from the first one.
pub const ASDF_OPTION_SAME: i32 = 805;
/// Largest number of bytes of an array in the tree whose elements are written into the references. Some readers refuse
/// such references.
pub const ASDF_OPTION_INLINE_BYTES: i32 = 806;
