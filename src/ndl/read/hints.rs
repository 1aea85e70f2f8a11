//! Suggests the correct word for an unknown word of a description.

/// Returns the key that was probably meant.
pub(super) fn key(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "dimensions" | "dims" | "coords" | "coordinates" | "dimcoord" => "dimcoords",
        "variables" | "vars" | "datasets" | "arrays" | "ndarray" | "data_vars" => "ndarrays",
        "attrs" | "attribute" | "metadata" => "attributes",
        "dtype" | "datatype" => "type",
        "values" | "data" => "value",
        "chunks" | "chunksize" | "chunksizes" => "chunk",
        "filters" | "compression" | "compressor" => "filter",
        "byteorder" | "endianness" => "endian",
        "fill_value" | "_fillvalue" | "fill" => "fillvalue",
        "encoding" | "character_set" => "charset",
        "dimension" => "shape",
        "opposit" | "end" | "stop" => "opposite",
        "enumerators" | "constants" => "members",
        _ => return None,
    })
}

/// Returns the datatype that was probably meant, or its replacement.
pub(super) fn datatype(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "double" | "f8" | "real" | "real64" => "float64",
        "float" | "single" | "f4" | "real32" => "float32",
        "int" | "integer" | "i4" => "int32",
        "long" | "i8" => "int64",
        "short" | "i2" => "int16",
        "byte" | "i1" | "char" => "int8",
        "uint" | "u4" => "uint32",
        "ubyte" | "u1" => "uint8",
        "ushort" | "u2" => "uint16",
        "ulong" | "u8" => "uint64",
        "str" | "text" | "unicode" => "string",
        "bool" | "boolean" | "bool8" => "an enum of FALSE: 0 and TRUE: 1 with the base int8",
        "float16" | "half" => "float32, or opaque of size 2",
        "complex64" => "a compound of r and i, each float32",
        "complex" | "complex128" => "a compound of r and i, each float64",
        "reference" | "ref" | "object" => "objref",
        "region" => "regref",
        "struct" | "record" => "compound",
        "type" => "the datatype itself, without the key 'type'",
        lower => *KEYWORDS.iter().find(|&&keyword| keyword == lower)?,
    })
}

const KEYWORDS: [&str; 18] = [
    "string", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "objref",
    "opaque", "enum", "regref", "compound", "vlen", "array",
];
