# Descriptions in the Ndarray Data Language (NDL): reading, content, values, comparison, export, and their exchange with
# ASDF files. ndl_builder.jl makes descriptions.

"""
    read_ndl(path; options...)
    parse_ndl(text; options...)

Read a description from a file or a text. Errors in the description are no exception: [`diagnostics`](@ref) lists them,
and all correct parts are available. An `AsdfError` if the text is not YAML.

    model = AsdfKit.read_ndl("model.yaml")
    foreach(println, AsdfKit.diagnostics(model))
    heights = read(model, "/height")
"""
read_ndl(path::AbstractString; options...) = made_with_options(Ndl, :asdf_ndl_read, options) do handle, out
    LibAsdfKit.asdf_ndl_read(path, handle, out)
end

@doc (@doc read_ndl)
parse_ndl(text::AbstractString; options...) = made_with_options(Ndl, :asdf_ndl_read_memory, options) do handle, out
    LibAsdfKit.asdf_ndl_read_memory(String(text), sizeof(String(text)), handle, out)
end

"""
    describe(file; options...)
    describe(path; options...)

Describe an ASDF file in NDL. Content that NDL cannot express is no error: [`diagnostics`](@ref) lists it. No block is
read, unless `described_values` (`:none`, `:inline`, `:all`, `:coordinates`) asks for values of arrays.

    print(AsdfKit.describe("image.asdf"))
"""
describe(file::File; options...) = made_with_options(Ndl, :asdf_ndl_describe, options) do handle, out
    LibAsdfKit.asdf_ndl_describe(file, handle, out)
end
describe(path::AbstractString; options...) = AsdfKit.open(file -> describe(file; options...), path)

"Return the usual name of the description of a file: `example.yaml` for `example.asdf`."
ndl_file_name(path::AbstractString) = read_text((buffer...) -> LibAsdfKit.asdf_ndl_file_name(path, buffer...))

"Return whether a description has no errors."
function Base.isvalid(ndl::Ndl)
    valid = Ref{Int32}(0)
    check(LibAsdfKit.asdf_ndl_is_valid(ndl, valid))
    return valid[] != 0
end

"""
    diagnostics(description)

Return errors and irregularities of a description in the order of its text, and notes about content that
[`describe`](@ref) left out or changed: a vector of findings with `severity`, `code`, `message`, `line`, `column` and
`path`.
"""
diagnostics(ndl::Ndl) = findings(make(out -> LibAsdfKit.asdf_ndl_report(ndl, out), Report))

# Content -------------------------------------------------------------------------------------------------------------

function ndl_paths(ndl, kind)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_ndl_count(ndl, kind, count))
    return [read_text((buffer...) -> LibAsdfKit.asdf_ndl_path(ndl, kind, i, buffer...)) for i in 0:count[]-1]
end

"Return the path names of the groups; groups that are not listed count if they have content."
groups(ndl::Ndl) = ndl_paths(ndl, LibAsdfKit.ASDF_NDL_KIND_GROUP)
"Return the path names of the dimension coordinates, in the order of the text."
dimcoords(ndl::Ndl) = ndl_paths(ndl, LibAsdfKit.ASDF_NDL_KIND_DIMCOORD)
"Return the path names of the arrays, in the order of the text."
ndarrays(ndl::Ndl) = ndl_paths(ndl, LibAsdfKit.ASDF_NDL_KIND_NDARRAY)

const NDL_KINDS = Dict{Int32,Symbol}(LibAsdfKit.ASDF_NDL_KIND_GROUP => :group,
                                     LibAsdfKit.ASDF_NDL_KIND_DIMCOORD => :dimcoord,
                                     LibAsdfKit.ASDF_NDL_KIND_NDARRAY => :ndarray)

"Return the kind of the object at a path name: `:group`, `:dimcoord` or `:ndarray`. An `AsdfError` if there is none."
function ndl_kind(ndl::Ndl, path::AbstractString)
    kind = Ref{Int32}(0)
    check(LibAsdfKit.asdf_ndl_kind(ndl, path, kind))
    return NDL_KINDS[kind[]]
end

Base.haskey(ndl::Ndl, path::AbstractString) = is_found(LibAsdfKit.asdf_ndl_kind(ndl, path, Ref{Int32}(0)))

"Return the names of the attributes of an object, in the order of the text."
function attributes(ndl::Ndl, path::AbstractString)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_ndl_attribute_count(ndl, path, count))
    return [read_text((buffer...) -> LibAsdfKit.asdf_ndl_attribute_name(ndl, path, i, buffer...))
            for i in 0:count[]-1]
end

"Name of an attribute; `nothing` means the object itself."
const Attribute = Union{Nothing,AbstractString}

text_or_null(text::Nothing) = C_NULL
text_or_null(text::AbstractString) = text

"""
    size(description, path, attribute = nothing)

Return the shape of an array, a dimension coordinate or an attribute in Julia order, the reverse of that in the text.
An extent that is unlimited or unknown is `nothing`.
"""
function Base.size(ndl::Ndl, path::AbstractString, attribute::Attribute = nothing)
    extents = read_extents() do buffer, capacity, rank
        LibAsdfKit.asdf_ndl_shape(ndl, path, text_or_null(attribute), buffer, capacity, rank)
    end
    return Tuple(extent < 0 ? nothing : Int(extent) for extent in reverse(extents))
end

"""
    coordinate(description, path, dimension)

Return the path name of the dimension coordinate of a dimension of an array, `nothing` if there is none. Dimensions are
counted in Julia order from 1, so the last one is the first in the text.
"""
function coordinate(ndl::Ndl, path::AbstractString, dimension::Integer)
    rank = length(size(ndl, path))
    1 <= dimension <= rank || throw(BoundsError(size(ndl, path), dimension))
    return or_nothing(read_text((buffer...) -> LibAsdfKit.asdf_ndl_coordinate(ndl, path, rank - dimension, buffer...)))
end

"Return the keyword of a datatype, such as `float32` or `compound`; see `datatype` for all of it."
keyword(ndl::Ndl, path::AbstractString, attribute::Attribute = nothing) =
    read_text((buffer...) -> LibAsdfKit.asdf_ndl_keyword(ndl, path, text_or_null(attribute), buffer...))

"Return a datatype in NDL notation, on one line: `float32`, `{array: {base: float32, shape: [3, 3]}}`."
function datatype(ndl::Ndl, path::AbstractString, attribute::Attribute = nothing)
    type = make(out -> LibAsdfKit.asdf_ndl_get_datatype(ndl, path, text_or_null(attribute), out), NdlDatatype)
    return read_text((buffer...) -> LibAsdfKit.asdf_ndl_datatype_text(type, buffer...))
end

"""
    storage(description, path, directive; attribute = nothing)

Return a storage directive in NDL notation, such as `"[512, 3]"`, `nothing` if there is none. The directive is
`shape` or `size` (stored extents), `chunk`, `filter`, `endian`, `charset` or `fillvalue`.
"""
function storage(ndl::Ndl, path::AbstractString, directive::AbstractString; attribute::Attribute = nothing)
    ndl_kind(ndl, path)
    return if_found() do
        read_text((buffer...) -> LibAsdfKit.asdf_ndl_storage(ndl, path, text_or_null(attribute), directive,
                                                             buffer...))
    end
end

"Return the bytes of all elements of an array or a dimension coordinate, `nothing` if unknown."
function nbytes(ndl::Ndl, path::AbstractString)
    bytes = Ref{Int64}(-1)
    check(LibAsdfKit.asdf_ndl_size(ndl, path, C_NULL, C_NULL, bytes))
    return bytes[] < 0 ? nothing : Int(bytes[])
end

"Return the bytes of all arrays and dimension coordinates whose size is known, and the number of the others."
function nbytes(ndl::Ndl)
    bytes, unknown = Ref{Int64}(0), Ref{Int64}(0)
    check(LibAsdfKit.asdf_ndl_total_size(ndl, bytes, unknown))
    return (bytes = Int(bytes[]), unknown = Int(unknown[]))
end

# Values --------------------------------------------------------------------------------------------------------------

const NDL_TYPES = Dict("int8" => Int8, "int16" => Int16, "int32" => Int32, "int64" => Int64, "uint8" => UInt8,
                       "uint16" => UInt16, "uint32" => UInt32, "uint64" => UInt64, "float16" => Float16,
                       "float32" => Float32, "float64" => Float64)

"""
    read(description, path, attribute = nothing)
    read(T, description, path, attribute = nothing)

Read the values of an array, a dimension coordinate or an attribute: an `Array` in Julia order, or a single value for an
attribute without dimensions. Texts, names of enum constants and path names of object references are `String`s.
With `T`, numbers are converted as those of arrays; a value that does not fit is an `AsdfError`. Elements of other
datatypes, such as compounds, are read one by one by [`notation`](@ref).
"""
function Base.read(ndl::Ndl, path::AbstractString, attribute::Attribute = nothing)
    word, _ = element_type(ndl, path, attribute)
    word == "opaque" && return read(UInt8, ndl, path, attribute)
    haskey(NDL_TYPES, word) && return read(NDL_TYPES[word], ndl, path, attribute)
    shape = value_shape(ndl, path, attribute)
    texts = [read_text((buffer...) -> LibAsdfKit.asdf_ndl_value_text(ndl, path, text_or_null(attribute), i,
                                                                     buffer...)) for i in 0:prod(shape)-1]
    return shaped(texts, shape)
end

function Base.read(::Type{T}, ndl::Ndl, path::AbstractString, attribute::Attribute = nothing;
                   options...) where {T<:Scalar}
    shape = [value_shape(ndl, path, attribute); element_type(ndl, path, attribute)[2]]
    elements = Vector{memory_type(T)}(undef, prod(shape))
    run_with_options(:asdf_ndl_read_values, options) do handle
        LibAsdfKit.asdf_ndl_read_values(ndl, path, text_or_null(attribute), scalar_code(T), handle, elements,
                                        sizeof(elements))
    end
    return shaped(from_memory(T, elements), shape)
end

shaped(elements, shape) = isempty(shape) ? elements[1] : reshape(elements, Int.(reverse(shape))...)

"Returns the number of values along each dimension, in C order."
value_shape(ndl, path, attribute) = read_extents() do extents, capacity, rank
    LibAsdfKit.asdf_ndl_value_shape(ndl, path, text_or_null(attribute), extents, capacity, rank)
end

"""
Returns the keyword of the type of the innermost elements, and the extents in C order that array datatypes and opaque
bytes append to the shape of the values.
"""
function element_type(ndl, path, attribute)
    type = make(out -> LibAsdfKit.asdf_ndl_get_datatype(ndl, path, text_or_null(attribute), out), NdlDatatype)
    shape = Int64[]
    keyword_of(type) = read_text((buffer...) -> LibAsdfKit.asdf_ndl_datatype_keyword(type, buffer...))
    while keyword_of(type) == "array"
        append!(shape, read_extents((buffer...) -> LibAsdfKit.asdf_ndl_datatype_shape(type, buffer...)))
        type = make(out -> LibAsdfKit.asdf_ndl_datatype_base(type, out), NdlDatatype)
    end
    if keyword_of(type) == "opaque"
        bytes = Ref{Int64}(1)
        check(LibAsdfKit.asdf_ndl_datatype_element_size(type, bytes))
        push!(shape, bytes[])
    end
    return keyword_of(type), shape
end

"Return whether a description has values of an array, a dimension coordinate or an attribute."
has_values(ndl::Ndl, path::AbstractString, attribute::Attribute = nothing) =
    is_found(LibAsdfKit.asdf_ndl_value_shape(ndl, path, text_or_null(attribute), C_NULL, 0, Ref{Int32}(0)))

"""
    notation(description, path, index = 1; attribute = nothing)

Return one element of any datatype in NDL notation, on one line: `[1, 0.5]` for a compound, base64 for opaque bytes.
`index` is the linear index from 1.
"""
notation(ndl::Ndl, path::AbstractString, index::Integer = 1; attribute::Attribute = nothing) =
    read_text((buffer...) -> LibAsdfKit.asdf_ndl_value_notation(ndl, path, text_or_null(attribute), index - 1,
                                                                buffer...))

# Comparing -----------------------------------------------------------------------------------------------------------

"Test whether two descriptions have the same meaning. Differences of notation do not count."
function Base.:(==)(left::Ndl, right::Ndl)
    same = Ref{Int32}(0)
    check(LibAsdfKit.asdf_ndl_is_same(left, right, same))
    return same[] != 0
end

# Equal descriptions have the same canonical text.
Base.hash(ndl::Ndl, seed::UInt) = hash(ndl_text(ndl), hash(:AsdfKitNdl, seed))

const NDL_IGNORE = Dict(:attributes => LibAsdfKit.ASDF_NDL_IGNORE_ATTRIBUTES,
                        :storage => LibAsdfKit.ASDF_NDL_IGNORE_STORAGE,
                        :values => LibAsdfKit.ASDF_NDL_IGNORE_VALUES,
                        :extensions => LibAsdfKit.ASDF_NDL_IGNORE_EXTENSIONS)

"""
    compare(older, newer; ignore = ())

Return the differences between two descriptions: a vector of findings with `operation` (`:add`, `:remove`, `:change`),
`path`, `subject`, `old` and `new`; empty if both have the same meaning. `ignore` is a tuple of `:attributes`,
`:storage`, `:values` and `:extensions`.
"""
function compare(older::Ndl, newer::Ndl; ignore = ())
    flags = Int32(0)
    for what in (ignore isa Symbol ? (ignore,) : ignore)
        haskey(NDL_IGNORE, what) || throw(ArgumentError(
            "ignore takes :attributes, :storage, :values and :extensions, not $(repr(what))"))
        flags |= NDL_IGNORE[what]
    end
    return findings(make(out -> LibAsdfKit.asdf_ndl_compare(older, newer, flags, out), Report))
end

"""
    conform(model, description; subset = false)

Return the places where a file, given by its description, does not conform to a model; empty if it conforms. With
`subset`, the file may have additional groups, arrays, attributes and coordinates of dimensions.
"""
conform(model::Ndl, description::Ndl; subset::Bool = false) =
    findings(make(out -> LibAsdfKit.asdf_ndl_conform(model, description, subset, out), Report))

# Writing -------------------------------------------------------------------------------------------------------------

function export_ndl(ndl, format, name; options...)
    return take_text(made_with_options(Buffer, :asdf_ndl_export, options) do handle, out
        LibAsdfKit.asdf_ndl_export(ndl, format, text_or_null(name), handle, out)
    end)
end

"Return the canonical text of a description in YAML: equal descriptions have the same. `print` prints it."
ndl_text(ndl::Ndl; options...) = export_ndl(ndl, LibAsdfKit.ASDF_NDL_FORMAT_TEXT, nothing; options...)
"Return a description as JSON on one line; also a description with errors."
json(ndl::Ndl; options...) = export_ndl(ndl, LibAsdfKit.ASDF_NDL_FORMAT_JSON, nothing; options...)
"Return a description as CDL, from which ncgen makes a netCDF file. `name` is the name of the data set."
cdl(ndl::Ndl, name::AbstractString; options...) = export_ndl(ndl, LibAsdfKit.ASDF_NDL_FORMAT_CDL, name; options...)
"Return a header of C99 with types and extents of the arrays. `name` is the prefix of the identifiers."
c_header(ndl::Ndl, name::AbstractString; options...) = export_ndl(ndl, LibAsdfKit.ASDF_NDL_FORMAT_C, name; options...)
"Return a module of Fortran 2003 with types and shapes of the arrays. `name` is the name of the module."
fortran_module(ndl::Ndl, name::AbstractString; options...) =
    export_ndl(ndl, LibAsdfKit.ASDF_NDL_FORMAT_FORTRAN, name; options...)

Base.print(io::IO, ndl::Ndl) = print(io, ndl_text(ndl))
function Base.show(io::IO, ndl::Ndl)
    isopen(ndl) || return print(io, "AsdfKit.Ndl(closed)")
    print(io, "AsdfKit.Ndl with ", length(ndarrays(ndl)), " arrays")
    isvalid(ndl) || print(io, " and with errors")
end

"""
    write_ndl(path, description; options...)

Write the canonical text of a description to a file, which gets its name when it is complete. An existing file is an
`AsdfError` unless `replace = true`.
"""
write_ndl(path::AbstractString, ndl::Ndl; options...) = run_with_options(:asdf_ndl_write, options) do handle
    LibAsdfKit.asdf_ndl_write(ndl, path, handle)
end

"""
    create_asdf(path, description; options...)

Create an ASDF file from a description: arrays get their values, or fill values or zeros. Returns findings about
differences between the file and the description. The file gets its name when it is complete.

Options: `string_length`, `extent` (of unlimited dimensions), `zeros`, `streamed`, `replace`, `compression`, ….
"""
function create_asdf(path::AbstractString, ndl::Ndl; options...)
    report = made_with_options(Report, :asdf_ndl_create_asdf, options) do handle, out
        LibAsdfKit.asdf_ndl_create_asdf(ndl, path, handle, out)
    end
    return findings(report)
end
