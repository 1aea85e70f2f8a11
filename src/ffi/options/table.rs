//! Types, ranges and defaults of options, and the calls that know them: the source of the checks and of the tables of
//! the header.

use super::keys::*;
use crate::array::ReadOptions;
use crate::codec::BloscCodec;
use crate::file::{ArrayOptions, NewOptions, OpenOptions, WriteOptions};
use crate::limits::{Limit, Limits};
use crate::ndl::asdf::{CreateOptions, DescribeOptions};
use crate::ndl::{self, CdlOptions, ReadLimits, TextOptions};
use crate::references::ReferenceOptions;
use crate::table::ecsv;
use crate::wcs::{BuildOptions, EvaluateOptions, SipOptions};
use crate::{Metadata, TableReadOptions};

/// An option.
pub struct OptionKey {
    /// Number of the option: a constant of `keys`.
    pub key: i32,
    /// Name of the constant.
    pub name: &'static str,
    /// Type and range of its values.
    pub kind: Kind,
    /// Returns the default as text of the header; empty if the description of the key has it, and for constants, whose
    /// defaults [`default_of`](crate::ffi::defaults::default_of) returns.
    pub default: fn() -> String,
}

/// Type and range of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1.
    Flag,
    /// An integer in this inclusive range.
    Int(i64, i64),
    /// A power of two up to this value.
    PowerOfTwo(i64),
    /// A finite number greater than 0.
    Float,
    /// A constant with this prefix; the constants are all numbers in this inclusive range.
    Choice(&'static str, i64, i64),
    /// UTF-8.
    Text,
    /// A file name as bytes of the system.
    FileName,
    /// A list, in the order in which its elements were added.
    Texts,
    /// A list, in the order in which its elements were added.
    FileNames,
    /// A list of integers; the call defines its length.
    Ints,
    /// An integer in this inclusive range, and others by path name.
    IntAt(i64, i64),
    /// A value with its own setter.
    Object(&'static str),
}

impl OptionKey {
    /// Returns the option as messages name it.
    pub(crate) fn in_words(&self) -> String {
        in_words(self.name)
    }
}

/// Names an option in a message: in lower case, as the keywords of most languages, and as constant in parentheses, which
/// the packages of languages with keywords leave out.
pub(crate) fn in_words(constant: &str) -> String {
    format!("the option '{}' ({constant})", constant.trim_start_matches("ASDF_OPTION_").to_ascii_lowercase())
}

impl Kind {
    /// Returns the type as text of the header.
    pub fn in_words(self) -> String {
        match self {
            Kind::Flag => "0 or 1".to_owned(),
            Kind::Int(0, i64::MAX) => "integer >= 0".to_owned(),
            Kind::Int(1, i64::MAX) => "integer >= 1".to_owned(),
            Kind::Int(least, most) => format!("integer {least} .. {most}"),
            Kind::PowerOfTwo(most) => format!("power of two <= {most}"),
            Kind::Float => "number > 0".to_owned(),
            Kind::Choice(prefix, ..) => format!("{prefix}..."),
            Kind::Text => "text".to_owned(),
            Kind::FileName => "file name".to_owned(),
            Kind::Texts => "texts".to_owned(),
            Kind::FileNames => "file names".to_owned(),
            Kind::Ints => "integers".to_owned(),
            Kind::IntAt(0, i64::MAX) => "integer >= 0, also at paths".to_owned(),
            Kind::IntAt(least, most) => format!("integer {least} .. {most}, also at paths"),
            Kind::Object(setter) => format!("by {setter}()"),
        }
    }
}

/// Pairs each constant with its name, so that the two cannot differ.
macro_rules! options {
    ($($key:ident: $kind:expr, $default:expr;)*) => {
        /// All options, in the order of their numbers.
        pub const OPTIONS: &[OptionKey] = &[
            $(OptionKey { key: $key, name: stringify!($key), kind: $kind, default: || String::from($default) }),*
        ];
    };
}

/// Returns a truth value as text of the header.
fn flag(value: bool) -> String {
    u8::from(value).to_string()
}

/// Returns a number as text of the header.
fn number(value: impl Into<u64>) -> String {
    let value = value.into();
    match value {
        _ if value >= 1 << 20 && value.is_power_of_two() => format!("2^{}", value.ilog2()),
        1_000_000.. => format!("{} million", value / 1_000_000),
        1000.. => format!("{},{:03}", value / 1000, value % 1000),
        _ => value.to_string(),
    }
}

/// Returns two numbers as text of the header: for files and for descriptions.
fn both(files: impl Into<u64>, descriptions: impl Into<u64>) -> String {
    format!("{}; descriptions: {}", number(files), number(descriptions))
}

/// Returns a number of bytes as text of the header.
fn bytes(value: u64) -> String {
    if value >= 1 << 30 { format!("{} GiB", value >> 30) } else { format!("{} MiB", value >> 20) }
}

const ANY: Kind = Kind::Int(0, i64::MAX);

const fn limit(limit: Limit) -> Kind {
    Kind::Int(1, limit.highest() as i64)
}

options! {
    ASDF_OPTION_THREADS: Kind::Int(1, 1024), number(ReadOptions::default().threads as u64);
    ASDF_OPTION_PROGRESS: Kind::Object("asdf_options_set_progress"), "none";
    ASDF_OPTION_SHARED: Kind::Flag, flag(false);
    ASDF_OPTION_LIMIT_TREE_BYTES: limit(Limit::TreeBytes), bytes(Limits::default().tree_bytes);
    ASDF_OPTION_LIMIT_DEPTH: limit(Limit::Depth), both(Limits::default().depth, ReadLimits::default().depth);
    ASDF_OPTION_LIMIT_NODES: limit(Limit::Nodes), both(Limits::default().nodes, ReadLimits::default().nodes);
    ASDF_OPTION_LIMIT_ANCHORS: limit(Limit::Anchors), number(Limits::default().anchors) + " each";
    ASDF_OPTION_LIMIT_RANK: limit(Limit::Rank), number(Limits::default().rank);
    ASDF_OPTION_LIMIT_BLOCKS: limit(Limit::Blocks), number(Limits::default().blocks);
    ASDF_OPTION_LIMIT_DECODED_BYTES: limit(Limit::DecodedBytes), bytes(Limits::default().decoded_bytes);
    ASDF_OPTION_LIMIT_EXTERNAL_FILES: limit(Limit::ExternalFiles), number(Limits::default().external_files);
    ASDF_OPTION_LIMIT_EXTERNAL_DEPTH: limit(Limit::ExternalDepth), number(Limits::default().external_depth);
    ASDF_OPTION_LIMIT_TEMPORARY_BYTES: limit(Limit::TemporaryBytes), bytes(Limits::default().temporary_bytes);
    ASDF_OPTION_LIMIT_RECORD_BYTES: limit(Limit::RecordBytes), bytes(Limits::default().record_bytes);
    ASDF_OPTION_LIMIT_CELL_ELEMENTS: limit(Limit::CellElements), number(Limits::default().cell_elements);
    ASDF_OPTION_LIMIT_TABLE_BYTES: limit(Limit::TableBytes), bytes(Limits::default().table_bytes);
    ASDF_OPTION_LIMIT_CREATED_BYTES: ANY, bytes(CreateOptions::default().max_bytes);
    ASDF_OPTION_VERIFY_CHECKSUMS: Kind::Flag, flag(OpenOptions::default().verify_checksums);
    ASDF_OPTION_WARNINGS_AS_ERRORS: Kind::Flag, flag(OpenOptions::default().strict);
    ASDF_OPTION_MAPPED: Kind::Flag, flag(OpenOptions::default().mapped);
    ASDF_OPTION_LOCK: Kind::Flag, flag(OpenOptions::default().lock);
    ASDF_OPTION_CACHE_BYTES: ANY, "";
    ASDF_OPTION_TEMPORARY_DIRECTORY: Kind::FileName, "that of the system";
    ASDF_OPTION_ACCESS: Kind::Choice("ASDF_ACCESS_", 0, 1), "";
    ASDF_OPTION_DIRECTORIES: Kind::FileNames, "none";
    ASDF_OPTION_RESOLVER: Kind::Object("asdf_options_set_resolver"), "none";
    ASDF_OPTION_CUSTOM_CODECS: Kind::Object("asdf_options_add_codec"), "none";
    ASDF_OPTION_DURABLE_REGIONS: Kind::Flag, flag(OpenOptions::default().durable);
    ASDF_OPTION_STANDARD: Kind::Text, NewOptions::default().standard.as_str();
    ASDF_OPTION_OLD_READERS: Kind::Flag, flag(NewOptions::default().old_readers);
    ASDF_OPTION_REMOTE: Kind::FileName, "";
    ASDF_OPTION_REMOTE_SETTINGS: Kind::Text, "none";
    ASDF_OPTION_DURABLE: Kind::Flag, flag(WriteOptions::default().durable);
    ASDF_OPTION_REPLACE: Kind::Flag, flag(WriteOptions::default().replace);
    ASDF_OPTION_ALIGNMENT: Kind::PowerOfTwo(4096), number(WriteOptions::default().alignment);
    ASDF_OPTION_TREE_SLACK: ANY, "";
    ASDF_OPTION_CHECKSUMS: Kind::Flag, flag(WriteOptions::default().checksums);
    ASDF_OPTION_BLOCK_INDEX: Kind::Flag, flag(WriteOptions::default().block_index);
    ASDF_OPTION_EXTERNAL_NAMES: Kind::Text, "";
    ASDF_OPTION_SAVE_MODE: Kind::Choice("ASDF_SAVE_", 0, 2), "";
    ASDF_OPTION_CONTAINER: Kind::Choice("ASDF_CONTAINER_", 0, 1), "";
    ASDF_OPTION_AS_STANDARD: Kind::Text, "";
    ASDF_OPTION_CODEC: Kind::Text, "none";
    ASDF_OPTION_LEVEL: Kind::Int(0, 22), "";
    ASDF_OPTION_STORAGE: Kind::Choice("ASDF_STORAGE_", 0, 3), "";
    ASDF_OPTION_EXTERNAL_NAME: Kind::FileName, "";
    ASDF_OPTION_STORED_ORDER: Kind::Choice("ASDF_ORDER_", 0, 1), "";
    ASDF_OPTION_BYTE_ORDER: Kind::Choice("ASDF_BYTE_ORDER_", 0, 1), "";
    ASDF_OPTION_BLOCK_SLACK: ANY, number(ArrayOptions::default().slack);
    ASDF_OPTION_BLOCK_CHECKSUM: Kind::Flag, "";
    ASDF_OPTION_KEEP: Kind::Flag, flag(ArrayOptions::default().keep);
    ASDF_OPTION_BLOSC_CODEC: Kind::Text, BloscCodec::Lz4.name();
    ASDF_OPTION_SHUFFLE: Kind::Choice("ASDF_SHUFFLE_", 0, 2), "";
    ASDF_OPTION_TYPE_SIZE: Kind::Int(1, 255), "";
    ASDF_OPTION_CHUNKS: Kind::Ints, "none";
    ASDF_OPTION_CHUNK_CODEC: Kind::Text, "none";
    ASDF_OPTION_CHUNK_FILTERS: Kind::Texts, "none";
    ASDF_OPTION_ORDER: Kind::Choice("ASDF_ORDER_", 0, 1), "";
    ASDF_OPTION_STRIDES: Kind::Ints, "";
    ASDF_OPTION_CLAMP: Kind::Flag, flag(ReadOptions::default().clamp);
    ASDF_OPTION_FILL: Kind::Object("asdf_options_set_fill"), "none";
    ASDF_OPTION_BLANK_PADDED: Kind::Flag, flag(ReadOptions::default().blank_padded);
    ASDF_OPTION_DATATYPE: Kind::Object("asdf_options_set_datatype"), "";
    ASDF_OPTION_UNIT: Kind::Text, "that of the elements";
    ASDF_OPTION_EQUIVALENCIES: Kind::Text, "none";
    ASDF_OPTION_TABLE_FORM: Kind::Choice("ASDF_TABLE_FORM_", 0, 4), "";
    ASDF_OPTION_LEAVE_OUT: Kind::Flag, flag(TableReadOptions::default().leave_out);
    ASDF_OPTION_PLAIN_METADATA: Kind::Flag, flag(TableReadOptions::default().metadata == Metadata::Plain);
    ASDF_OPTION_ECSV_STRICT: Kind::Flag, flag(ecsv::ReadOptions::default().strict);
    ASDF_OPTION_NULL_VALUES: Kind::Texts, "none";
    ASDF_OPTION_COLUMNS: Kind::Texts, "";
    ASDF_OPTION_FIRST_ROW: ANY, number(ecsv::ReadOptions::default().rows.start);
    ASDF_OPTION_ROW_COUNT: ANY, "";
    ASDF_OPTION_BATCH_ROWS: ANY, number(ecsv::ReadOptions::default().batch_rows);
    ASDF_OPTION_COLUMN_NAMES: Kind::Choice("ASDF_COLUMN_NAMES_", 0, 3), "";
    ASDF_OPTION_TRIM_QUOTED: Kind::Flag, flag(ecsv::ReadOptions::default().trim_quoted);
    ASDF_OPTION_HEADER_FILE: Kind::FileName, "none";
    ASDF_OPTION_HEADER_TEXT: Kind::Text, "none";
    ASDF_OPTION_DELIMITER: Kind::Choice("ASDF_DELIMITER_", 0, 2), "";
    ASDF_OPTION_TEXT_COMPRESSION: Kind::Choice("ASDF_TEXT_COMPRESSION_", 0, 3), "";
    ASDF_OPTION_EMPTY_STRINGS: Kind::Choice("ASDF_EMPTY_STRINGS_", 0, 3), "";
    ASDF_OPTION_JSON_NUMBERS: Kind::Choice("ASDF_JSON_NUMBERS_", 0, 1), "";
    ASDF_OPTION_AS_TEXT: Kind::Flag, flag(ecsv::ReadOptions::default().as_text);
    ASDF_OPTION_RAW_COLUMNS: Kind::Flag, flag(ecsv::ReadOptions::default().raw_columns);
    ASDF_OPTION_TABLE_INDEX: Kind::Text, "none";
    ASDF_OPTION_LEAP_SECONDS: Kind::Text, "none";
    ASDF_OPTION_LEAP_SECONDS_FILE: Kind::FileName, "none";
    ASDF_OPTION_SCHEMAS: Kind::Object("asdf_options_set_schemas"), "none";
    ASDF_OPTION_ROOT_SCHEMA: Kind::Text, "none";
    ASDF_OPTION_UNKNOWN_KEYS: Kind::Flag, flag(ndl::ReadOptions::default().allow_unknown_keys);
    ASDF_OPTION_SORT: Kind::Flag, flag(TextOptions::default().sort);
    ASDF_OPTION_CDL_VALUES: Kind::Flag, flag(CdlOptions::default().values);
    ASDF_OPTION_DESCRIBED_VALUES: Kind::Choice("ASDF_NDL_VALUES_", 0, 3), "";
    ASDF_OPTION_ONLY: Kind::Text, "the whole file";
    ASDF_OPTION_ALL: Kind::Flag, flag(DescribeOptions::default().all);
    ASDF_OPTION_ANNOTATE: Kind::Flag, flag(DescribeOptions::default().annotate);
    ASDF_OPTION_WIDEN_FLOAT16: Kind::Flag, flag(DescribeOptions::default().widen);
    ASDF_OPTION_STRING_LENGTH: ANY, number(CreateOptions::default().string_length.unwrap_or(0));
    ASDF_OPTION_EXTENT: Kind::IntAt(0, i64::MAX), number(CreateOptions::default().extent);
    ASDF_OPTION_ZEROS: Kind::Flag, flag(CreateOptions::default().zeros);
    ASDF_OPTION_STREAMED: Kind::Text, "none";
    ASDF_OPTION_BOUNDING_BOX: Kind::Flag, "";
    ASDF_OPTION_STRICT_BOXES: Kind::Flag, flag(EvaluateOptions::default().strict_boxes);
    ASDF_OPTION_STRICT_LABELS: Kind::Flag, flag(BuildOptions::default().strict_labels);
    ASDF_OPTION_TOLERANCE: Kind::Float, EvaluateOptions::default().tolerance.to_string();
    ASDF_OPTION_ITERATIONS: Kind::Int(1, 10_000), number(EvaluateOptions::default().iterations as u64);
    ASDF_OPTION_STRICT_CONVERGENCE: Kind::Flag, flag(EvaluateOptions::default().strict_convergence);
    ASDF_OPTION_ALTERNATE: Kind::Text, "none";
    ASDF_OPTION_MAX_ERROR: Kind::Float, SipOptions::default().max_error.to_string();
    ASDF_OPTION_MAX_INVERSE_ERROR: Kind::Float, SipOptions::default().max_inverse_error.to_string();
    ASDF_OPTION_DEGREE: Kind::Int(0, 9), number(0u64);
    ASDF_OPTION_INVERSE_DEGREE: Kind::Int(0, 9), number(0u64);
    ASDF_OPTION_GRID_POINTS: Kind::Int(18, 1024), number(SipOptions::default().points as u64);
    ASDF_OPTION_SLAB_BYTES: Kind::Int(1, i64::MAX), bytes(ReferenceOptions::default().slab_bytes);
    ASDF_OPTION_URL: Kind::Text, "";
    ASDF_OPTION_ROOT: Kind::Text, "";
    ASDF_OPTION_JOIN_AXIS: Kind::Int(0, 31), number(0u64);
    ASDF_OPTION_JOIN_DIMENSION: Kind::Text, "file";
    ASDF_OPTION_SAME: Kind::Texts, "none";
    ASDF_OPTION_INLINE_BYTES: ANY, number(ReferenceOptions::default().inline_bytes);
}

/// Keys of the limits.
pub(crate) const LIMITS: [(i32, Limit); Limit::ALL.len()] = [
    (ASDF_OPTION_LIMIT_TREE_BYTES, Limit::TreeBytes),
    (ASDF_OPTION_LIMIT_DEPTH, Limit::Depth),
    (ASDF_OPTION_LIMIT_NODES, Limit::Nodes),
    (ASDF_OPTION_LIMIT_ANCHORS, Limit::Anchors),
    (ASDF_OPTION_LIMIT_RANK, Limit::Rank),
    (ASDF_OPTION_LIMIT_BLOCKS, Limit::Blocks),
    (ASDF_OPTION_LIMIT_DECODED_BYTES, Limit::DecodedBytes),
    (ASDF_OPTION_LIMIT_EXTERNAL_FILES, Limit::ExternalFiles),
    (ASDF_OPTION_LIMIT_EXTERNAL_DEPTH, Limit::ExternalDepth),
    (ASDF_OPTION_LIMIT_TEMPORARY_BYTES, Limit::TemporaryBytes),
    (ASDF_OPTION_LIMIT_RECORD_BYTES, Limit::RecordBytes),
    (ASDF_OPTION_LIMIT_CELL_ELEMENTS, Limit::CellElements),
    (ASDF_OPTION_LIMIT_TABLE_BYTES, Limit::TableBytes),
];

/// Calls with the same options, and these options.
pub struct Calls {
    /// Title of their table.
    pub title: &'static str,
    /// True if the options apply as long as the file, table or stream that the call returns.
    pub lasts: bool,
    /// Names of the functions.
    pub functions: &'static [&'static str],
    /// Keys in addition to those that every call knows.
    pub keys: &'static [&'static [i32]],
}

/// Keys that every call knows.
pub const COMMON: &[i32] = &[
    ASDF_OPTION_THREADS,
    ASDF_OPTION_PROGRESS,
    ASDF_OPTION_SHARED,
    ASDF_OPTION_LIMIT_TREE_BYTES,
    ASDF_OPTION_LIMIT_DEPTH,
    ASDF_OPTION_LIMIT_NODES,
    ASDF_OPTION_LIMIT_ANCHORS,
    ASDF_OPTION_LIMIT_RANK,
    ASDF_OPTION_LIMIT_BLOCKS,
    ASDF_OPTION_LIMIT_DECODED_BYTES,
    ASDF_OPTION_LIMIT_EXTERNAL_FILES,
    ASDF_OPTION_LIMIT_EXTERNAL_DEPTH,
    ASDF_OPTION_LIMIT_TEMPORARY_BYTES,
    ASDF_OPTION_LIMIT_RECORD_BYTES,
    ASDF_OPTION_LIMIT_CELL_ELEMENTS,
    ASDF_OPTION_LIMIT_TABLE_BYTES,
    ASDF_OPTION_LIMIT_CREATED_BYTES,
];

const OPEN: &[i32] = &[
    ASDF_OPTION_VERIFY_CHECKSUMS,
    ASDF_OPTION_WARNINGS_AS_ERRORS,
    ASDF_OPTION_MAPPED,
    ASDF_OPTION_CACHE_BYTES,
    ASDF_OPTION_TEMPORARY_DIRECTORY,
    ASDF_OPTION_ACCESS,
    ASDF_OPTION_DIRECTORIES,
    ASDF_OPTION_RESOLVER,
    ASDF_OPTION_CUSTOM_CODECS,
    ASDF_OPTION_REMOTE,
    ASDF_OPTION_REMOTE_SETTINGS,
];
const REPLACE: &[i32] = &[ASDF_OPTION_REPLACE];
const WRITE: &[i32] = &[
    ASDF_OPTION_DURABLE,
    ASDF_OPTION_ALIGNMENT,
    ASDF_OPTION_TREE_SLACK,
    ASDF_OPTION_CHECKSUMS,
    ASDF_OPTION_BLOCK_INDEX,
    ASDF_OPTION_EXTERNAL_NAMES,
];
/// For calls that validate.
const VALID: &[i32] = &[ASDF_OPTION_SCHEMAS, ASDF_OPTION_ROOT_SCHEMA];
const SAVE: &[i32] = &[ASDF_OPTION_SAVE_MODE];
/// For calls that write a file in another form.
const CONTAINER: &[i32] = &[ASDF_OPTION_CONTAINER];
const AS_STANDARD: &[i32] = &[ASDF_OPTION_AS_STANDARD];
const COMPRESSION: &[i32] =
    &[ASDF_OPTION_CODEC, ASDF_OPTION_LEVEL, ASDF_OPTION_BLOSC_CODEC, ASDF_OPTION_SHUFFLE, ASDF_OPTION_TYPE_SIZE];
const STORE: &[i32] = &[
    ASDF_OPTION_CUSTOM_CODECS,
    ASDF_OPTION_EXTERNAL_NAME,
    ASDF_OPTION_STORED_ORDER,
    ASDF_OPTION_BYTE_ORDER,
    ASDF_OPTION_BLOCK_SLACK,
    ASDF_OPTION_BLOCK_CHECKSUM,
];
const STORAGE: &[i32] = &[ASDF_OPTION_STORAGE];
const CHUNKS: &[i32] = &[ASDF_OPTION_CHUNKS, ASDF_OPTION_CHUNK_CODEC, ASDF_OPTION_CHUNK_FILTERS];
const MEMORY: &[i32] = &[ASDF_OPTION_ORDER, ASDF_OPTION_STRIDES];
const DATATYPE: &[i32] = &[ASDF_OPTION_DATATYPE];
/// A fill value can have the datatype of the options, so each call that knows one knows the other.
const FILL: &[i32] = &[ASDF_OPTION_FILL, ASDF_OPTION_DATATYPE];
const CLAMP: &[i32] = &[ASDF_OPTION_CLAMP];
/// For calls that convert units of elements.
const UNIT: &[i32] = &[ASDF_OPTION_UNIT, ASDF_OPTION_EQUIVALENCIES];
/// For calls that evaluate transforms.
const EVALUATE: &[i32] = &[ASDF_OPTION_BOUNDING_BOX, ASDF_OPTION_STRICT_BOXES];
/// For calls that convert strings from or to memory.
const PADDED: &[i32] = &[ASDF_OPTION_BLANK_PADDED];

/// Calls and the options that they know.
pub const CALLS: &[Calls] = &[
    Calls {
        title: "Opening files",
        lasts: true,
        functions: &[
            "asdf_file_open",
            "asdf_file_open_memory",
            "asdf_file_open_borrowed",
            "asdf_file_open_descriptor",
            "asdf_file_open_source",
            "asdf_file_open_ranges",
        ],
        keys: &[OPEN, VALID],
    },
    Calls {
        title: "Opening files for update",
        lasts: true,
        functions: &[
            "asdf_file_open_for_update",
            "asdf_file_open_memory_for_update",
            "asdf_file_open_descriptor_for_update",
        ],
        keys: &[OPEN, &[ASDF_OPTION_LOCK, ASDF_OPTION_DURABLE_REGIONS], VALID],
    },
    Calls {
        title: "New files",
        lasts: true,
        functions: &["asdf_file_new"],
        keys: &[&[ASDF_OPTION_STANDARD, ASDF_OPTION_OLD_READERS]],
    },
    Calls {
        title: "Writing files",
        lasts: false,
        functions: &["asdf_file_write"],
        keys: &[REPLACE, WRITE, CONTAINER, AS_STANDARD, VALID],
    },
    Calls {
        title: "Exploding and imploding files",
        lasts: false,
        functions: &["asdf_file_explode", "asdf_file_implode"],
        keys: &[REPLACE, WRITE, VALID],
    },
    Calls {
        title: "Writing files without a name",
        lasts: false,
        functions: &["asdf_file_write_memory", "asdf_file_write_descriptor"],
        keys: &[WRITE, CONTAINER, AS_STANDARD, VALID],
    },
    Calls {
        title: "Saving files",
        lasts: false,
        functions: &["asdf_file_save"],
        keys: &[WRITE, SAVE, AS_STANDARD, VALID],
    },
    Calls {
        title: "Compacting and repairing files",
        lasts: false,
        functions: &["asdf_file_compact", "asdf_file_repair"],
        keys: &[WRITE, SAVE, VALID],
    },
    Calls {
        title: "Validating",
        lasts: false,
        functions: &["asdf_file_validate", "asdf_node_validate", "asdf_table_validate", "asdf_schema_describe"],
        keys: &[&[ASDF_OPTION_ROOT_SCHEMA]],
    },
    Calls { title: "Recovering files", lasts: false, functions: &["asdf_file_recover"], keys: &[OPEN, REPLACE, WRITE] },
    Calls {
        title: "Blocks, stored views and resizing",
        lasts: false,
        functions: &[
            "asdf_array_view_stored",
            "asdf_node_resize_array",
            "asdf_file_read_block_stored",
            "asdf_file_read_block",
            "asdf_file_verify",
            "asdf_file_inspect",
            "asdf_file_verify_block",
        ],
        keys: &[],
    },
    Calls { title: "Views", lasts: false, functions: &["asdf_array_view"], keys: &[DATATYPE, UNIT] },
    Calls {
        title: "Reading arrays and columns of tables",
        lasts: false,
        functions: &["asdf_array_read", "asdf_array_read_region", "asdf_table_read_column"],
        keys: &[MEMORY, CLAMP, FILL, PADDED, UNIT],
    },
    Calls {
        title: "Reading values of descriptions",
        lasts: false,
        functions: &["asdf_ndl_read_values"],
        keys: &[MEMORY, CLAMP, FILL, PADDED],
    },
    Calls {
        title: "Reading masks, and single strings of arrays",
        lasts: false,
        functions: &["asdf_array_read_mask", "asdf_array_read_mask_region", "asdf_array_read_string"],
        keys: &[MEMORY, CLAMP, FILL],
    },
    Calls {
        title: "Reading arrays and columns of tables into memory of the library",
        lasts: false,
        functions: &["asdf_array_load", "asdf_table_load_column"],
        keys: &[&[ASDF_OPTION_ORDER], CLAMP, FILL, PADDED, UNIT],
    },
    Calls {
        title: "Reading arrays of strings into memory of the library",
        lasts: false,
        functions: &["asdf_array_load_text"],
        keys: &[&[ASDF_OPTION_ORDER], FILL],
    },
    Calls {
        title: "Reading columns of text into memory of the library",
        lasts: false,
        functions: &["asdf_table_load_text"],
        keys: &[FILL],
    },
    Calls {
        title: "Writing regions",
        lasts: false,
        functions: &["asdf_array_write_region", "asdf_array_append"],
        keys: &[MEMORY, CLAMP, DATATYPE, PADDED],
    },
    Calls {
        title: "Setting arrays",
        lasts: false,
        functions: &["asdf_node_set_array"],
        keys: &[MEMORY, COMPRESSION, STORAGE, STORE, CHUNKS, &[ASDF_OPTION_KEEP], DATATYPE, PADDED],
    },
    Calls {
        title: "Lending arrays",
        lasts: false,
        functions: &["asdf_node_set_array_borrowed"],
        keys: &[MEMORY, COMPRESSION, STORAGE, STORE, CHUNKS, &[ASDF_OPTION_KEEP], DATATYPE],
    },
    Calls {
        title: "Setting arrays without memory for them",
        lasts: false,
        functions: &["asdf_node_set_array_callback", "asdf_node_set_array_zeros"],
        keys: &[COMPRESSION, STORAGE, STORE, CHUNKS, &[ASDF_OPTION_KEEP], DATATYPE],
    },
    Calls {
        title: "Copying nodes",
        lasts: false,
        functions: &["asdf_node_copy"],
        keys: &[COMPRESSION, STORAGE, STORE, CHUNKS, &[ASDF_OPTION_KEEP]],
    },
    Calls {
        title: "Changing the storage of arrays",
        lasts: false,
        functions: &["asdf_node_set_storage"],
        keys: &[COMPRESSION, STORE, CHUNKS],
    },
    Calls {
        title: "Changing the compression of arrays",
        lasts: false,
        functions: &["asdf_node_recompress_array"],
        keys: &[COMPRESSION],
    },
    Calls {
        title: "Streaming rows",
        lasts: true,
        functions: &["asdf_stream_create"],
        keys: &[MEMORY, COMPRESSION, STORAGE, STORE, REPLACE, WRITE, VALID, DATATYPE, PADDED],
    },
    Calls {
        title: "Adding columns",
        lasts: false,
        functions: &["asdf_table_add_column", "asdf_table_add_variable_column"],
        keys: &[MEMORY, DATATYPE, PADDED],
    },
    Calls {
        title: "Changing cells",
        lasts: false,
        functions: &["asdf_table_set_cells"],
        keys: &[MEMORY, CLAMP, DATATYPE, PADDED],
    },
    Calls {
        title: "Adding values to descriptions",
        lasts: false,
        functions: &["asdf_ndl_builder_set_values"],
        keys: &[MEMORY, DATATYPE],
    },
    Calls {
        title: "Reading tables of ASDF files",
        lasts: false,
        functions: &["asdf_node_get_table"],
        keys: &[&[ASDF_OPTION_LEAVE_OUT, ASDF_OPTION_PLAIN_METADATA, ASDF_OPTION_FIRST_ROW, ASDF_OPTION_ROW_COUNT]],
    },
    Calls {
        title: "Storing tables in ASDF files",
        lasts: false,
        functions: &["asdf_node_set_table"],
        keys: &[&[ASDF_OPTION_TABLE_FORM, ASDF_OPTION_LEAVE_OUT], COMPRESSION, STORAGE, STORE],
    },
    Calls {
        title: "Storing tables in ASDF files in batches",
        lasts: true,
        functions: &["asdf_node_begin_table"],
        keys: &[
            &[ASDF_OPTION_TABLE_FORM, ASDF_OPTION_LEAVE_OUT, ASDF_OPTION_TEMPORARY_DIRECTORY],
            COMPRESSION,
            STORAGE,
            STORE,
        ],
    },
    Calls {
        title: "Reading ECSV",
        lasts: true,
        functions: &[
            "asdf_table_read_ecsv",
            "asdf_table_read_ecsv_memory",
            "asdf_table_reader_open",
            "asdf_table_reader_open_source",
            "asdf_table_index",
        ],
        keys: &[&[
            ASDF_OPTION_ECSV_STRICT,
            ASDF_OPTION_NULL_VALUES,
            ASDF_OPTION_COLUMNS,
            ASDF_OPTION_FIRST_ROW,
            ASDF_OPTION_ROW_COUNT,
            ASDF_OPTION_BATCH_ROWS,
            ASDF_OPTION_COLUMN_NAMES,
            ASDF_OPTION_TRIM_QUOTED,
            ASDF_OPTION_HEADER_FILE,
            ASDF_OPTION_HEADER_TEXT,
            ASDF_OPTION_AS_TEXT,
            ASDF_OPTION_RAW_COLUMNS,
            ASDF_OPTION_TABLE_INDEX,
        ]],
    },
    Calls {
        title: "Selecting and sorting rows of tables",
        lasts: false,
        functions: &["asdf_table_select", "asdf_table_slice", "asdf_table_sort"],
        keys: &[],
    },
    Calls {
        title: "Exporting tables as streams of Arrow",
        lasts: true,
        functions: &["asdf_table_export_arrow_stream"],
        keys: &[&[ASDF_OPTION_BATCH_ROWS, ASDF_OPTION_RAW_COLUMNS]],
    },
    Calls {
        title: "Exporting tables as arrays of Arrow",
        lasts: false,
        functions: &["asdf_table_export_arrow"],
        keys: &[&[ASDF_OPTION_RAW_COLUMNS]],
    },
    Calls {
        title: "Other exchange with Arrow",
        lasts: false,
        functions: &[
            "asdf_table_reader_export_arrow_stream",
            "asdf_table_import_arrow",
            "asdf_table_import_arrow_stream",
        ],
        keys: &[],
    },
    Calls {
        title: "Writing ECSV",
        lasts: true,
        functions: &["asdf_table_write_ecsv", "asdf_table_writer_create"],
        keys: &[
            REPLACE,
            &[
                ASDF_OPTION_DELIMITER,
                ASDF_OPTION_TEXT_COMPRESSION,
                ASDF_OPTION_EMPTY_STRINGS,
                ASDF_OPTION_JSON_NUMBERS,
                ASDF_OPTION_DURABLE,
            ],
        ],
    },
    Calls {
        title: "Times",
        lasts: false,
        functions: &[
            "asdf_node_get_time",
            "asdf_table_time",
            "asdf_time_from_jd",
            "asdf_time_from_numbers",
            "asdf_time_from_nanoseconds",
            "asdf_time_from_texts",
        ],
        keys: &[&[ASDF_OPTION_LEAP_SECONDS, ASDF_OPTION_LEAP_SECONDS_FILE]],
    },
    Calls {
        title: "Storing times",
        lasts: false,
        functions: &["asdf_node_set_times", "asdf_node_set_time_delta"],
        keys: &[STORAGE, COMPRESSION, STORE],
    },
    Calls { title: "Reading coordinates", lasts: false, functions: &["asdf_coordinates_read"], keys: &[] },
    Calls {
        title: "Storing coordinates",
        lasts: false,
        functions: &["asdf_node_set_coordinates"],
        keys: &[STORAGE, COMPRESSION, STORE],
    },
    Calls {
        title: "Reading descriptions",
        lasts: false,
        functions: &["asdf_ndl_read", "asdf_ndl_read_memory", "asdf_ndl_builder_finish"],
        keys: &[&[ASDF_OPTION_WARNINGS_AS_ERRORS, ASDF_OPTION_UNKNOWN_KEYS]],
    },
    Calls {
        title: "Writing descriptions",
        lasts: false,
        functions: &["asdf_ndl_write"],
        keys: &[REPLACE, &[ASDF_OPTION_SORT, ASDF_OPTION_DURABLE]],
    },
    Calls {
        title: "Converting units",
        lasts: false,
        functions: &["asdf_unit_factor", "asdf_unit_convert", "asdf_node_get_quantity", "asdf_table_convert_column"],
        keys: &[&[ASDF_OPTION_EQUIVALENCIES]],
    },
    Calls {
        title: "Exporting descriptions",
        lasts: false,
        functions: &["asdf_ndl_export"],
        keys: &[&[ASDF_OPTION_SORT, ASDF_OPTION_CDL_VALUES]],
    },
    Calls {
        title: "Describing ASDF files",
        lasts: false,
        functions: &["asdf_ndl_describe"],
        keys: &[&[
            ASDF_OPTION_DESCRIBED_VALUES,
            ASDF_OPTION_ONLY,
            ASDF_OPTION_ALL,
            ASDF_OPTION_ANNOTATE,
            ASDF_OPTION_WIDEN_FLOAT16,
        ]],
    },
    Calls {
        title: "Making ASDF files from descriptions",
        lasts: false,
        functions: &["asdf_ndl_create_asdf"],
        keys: &[
            REPLACE,
            WRITE,
            VALID,
            COMPRESSION,
            &[ASDF_OPTION_STRING_LENGTH, ASDF_OPTION_EXTENT, ASDF_OPTION_ZEROS, ASDF_OPTION_STREAMED],
        ],
    },
    Calls {
        title: "Making transforms and world coordinates",
        lasts: true,
        functions: &["asdf_node_get_wcs", "asdf_node_get_transform"],
        keys: &[&[ASDF_OPTION_STRICT_LABELS]],
    },
    Calls {
        title: "Evaluating transforms and world coordinates",
        lasts: false,
        functions: &["asdf_wcs_pixel_to_world", "asdf_wcs_sky_at", "asdf_transform_evaluate", "asdf_transform_at"],
        keys: &[EVALUATE, FILL],
    },
    Calls {
        title: "Finding pixels of world coordinates",
        lasts: false,
        functions: &["asdf_wcs_world_to_pixel", "asdf_wcs_pixel_at"],
        keys: &[EVALUATE, FILL, &[ASDF_OPTION_TOLERANCE, ASDF_OPTION_ITERATIONS, ASDF_OPTION_STRICT_CONVERGENCE]],
    },
    Calls {
        title: "Reading cards of FITS headers",
        lasts: false,
        functions: &["asdf_wcs_read_cards", "asdf_node_set_wcs_cards"],
        keys: &[&[ASDF_OPTION_ALTERNATE]],
    },
    Calls {
        title: "Making cards of FITS headers",
        lasts: false,
        functions: &["asdf_wcs_make_cards"],
        keys: &[&[
            ASDF_OPTION_MAX_ERROR,
            ASDF_OPTION_MAX_INVERSE_ERROR,
            ASDF_OPTION_DEGREE,
            ASDF_OPTION_INVERSE_DEGREE,
            ASDF_OPTION_GRID_POINTS,
        ]],
    },
    Calls {
        title: "Exporting references",
        lasts: false,
        functions: &["asdf_file_export_references"],
        keys: &[&[
            ASDF_OPTION_SLAB_BYTES,
            ASDF_OPTION_URL,
            ASDF_OPTION_ROOT,
            ASDF_OPTION_JOIN_AXIS,
            ASDF_OPTION_JOIN_DIMENSION,
            ASDF_OPTION_SAME,
            ASDF_OPTION_INLINE_BYTES,
        ]],
    },
];

/// Returns the option of a number.
pub fn option_of(key: i32) -> Option<&'static OptionKey> {
    let position = OPTIONS.binary_search_by_key(&key, |option| option.key).ok()?;
    OPTIONS.get(position)
}

/// Tells whether a function knows an option.
pub fn is_known(function: &str, key: i32) -> bool {
    COMMON.contains(&key)
        || CALLS
            .iter()
            .any(|calls| calls.functions.contains(&function) && calls.keys.iter().any(|keys| keys.contains(&key)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn options_are_in_order_and_each_is_known_to_a_call() {
        assert!(OPTIONS.is_sorted_by(|left, right| left.key < right.key));
        for option in OPTIONS {
            let used = CALLS.iter().any(|calls| calls.keys.iter().any(|keys| keys.contains(&option.key)));
            assert!(used || COMMON.contains(&option.key), "no call knows {}", option.name);
            assert_eq!(option_of(option.key).unwrap().name, option.name);
        }
        assert!(option_of(0).is_none() && option_of(i32::MAX).is_none());
    }

    #[test]
    fn keys_of_limits_have_their_names() {
        for (key, limit) in LIMITS {
            let name = format!("ASDF_OPTION_{}", limit.option().to_ascii_uppercase());
            assert_eq!(option_of(key).unwrap().name, name);
        }
    }

    #[test]
    fn each_call_stands_once_and_knows_each_key_once() {
        let mut functions = HashSet::new();
        for calls in CALLS {
            assert!(calls.functions.iter().all(|function| functions.insert(*function)), "{}", calls.title);
            let mut keys: HashSet<i32> = COMMON.iter().copied().collect();
            assert!(calls.keys.iter().copied().flatten().all(|key| keys.insert(*key)), "{}", calls.title);
        }
    }
}
