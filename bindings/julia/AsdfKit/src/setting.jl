# Storing values in trees: scalars, texts, dictionaries, vectors, arrays, missing elements, records.

"""
    file[path] = value
    node[path] = value

Store a value: `nothing`, `Bool`, integers, floats, complex numbers, texts, a `Dict` or `NamedTuple` (a mapping), a
vector or tuple of mixed values (a sequence), or an array of numbers, `Bool`, texts or `NamedTuple`s. `missing` in an
array makes a mask. Missing mappings of the path are made. `AsdfKit.set!` has options for arrays.
"""
Base.setindex!(file::File, value, path::AbstractString) = setindex!(root(file), value, path)
Base.setindex!(at::Node, value, path::AbstractString) = (store(at, path, value); value)

store(at, path, ::Nothing) = check(LibAsdfKit.asdf_node_set_null(at, path))
store(at, path, value::Bool) = check(LibAsdfKit.asdf_node_set_bool(at, path, value))
store(at, path, value::AbstractFloat) = check(LibAsdfKit.asdf_node_set_f64(at, path, value))
store(at, path, value::Complex) = check(LibAsdfKit.asdf_node_set_complex(at, path, real(value), imag(value)))
store(at, path, value::Symbol) = store(at, path, String(value))
store(at, path, value::AbstractString) =
    check(LibAsdfKit.asdf_node_set_string(at, path, String(value), sizeof(String(value))))
store(at, path, value::Integer) =
    check(LibAsdfKit.asdf_node_set_integer(at, path, string(value), sizeof(string(value))))
store(at, path, from::Node) = check(LibAsdfKit.asdf_node_copy(at, path, from, C_NULL))
store(at, path, value) = throw(ArgumentError("a $(typeof(value)) cannot be stored in a tree"))

function store(at, path, items::Union{AbstractDict,NamedTuple})
    check(LibAsdfKit.asdf_node_set_mapping(at, path, 0))
    for (key, item) in pairs(items)
        store(at, join_path(path, escape_key(string(key))), item)
    end
end

function store(at, path, items::Tuple)
    check(LibAsdfKit.asdf_node_set_sequence(at, path, 0))
    for (index, item) in enumerate(items)
        check(LibAsdfKit.asdf_node_set_null(at, join_path(path, "-")))
        store(at, join_path(path, string(index - 1)), item)
    end
end

function store(at, path, values::AbstractArray)
    T = nonmissingtype(eltype(values))
    T <: Union{Scalar,AbstractString,NamedTuple} && T != Union{} && return set!(at, path, values)
    ndims(values) == 1 || throw(ArgumentError("an array of $(eltype(values)) cannot be stored"))
    return store(at, path, Tuple(values))
end

join_path(path, key) = isempty(path) ? "/$key" : "$path/$key"
escape_key(key) = replace(replace(key, "~" => "~0"), "/" => "~1")

"""
    AsdfKit.set!(file, path, array; options...)

Store an array with options: `compression = "zlib"`, `level`, `storage = :inline`, `byte_order = :big`, ….
"""
set!(file::File, path::AbstractString, values::AbstractArray; options...) = set!(root(file), path, values; options...)

function set!(at::Node, path::AbstractString, values::AbstractArray; options...)
    T = nonmissingtype(eltype(values))
    elements = eltype(values) == T ? values : [ismissing(value) ? placeholder(T) : value for value in values]
    set_elements(at, path, T, elements, options)
    if eltype(values) != T && any(ismissing, values)
        set_elements(at, path * "/mask", Bool, map(ismissing, values), NO_PAIRS)
    end
    return nothing
end

placeholder(::Type{T}) where {T<:Number} = zero(T)
placeholder(::Type{T}) where {T<:AbstractString} = ""

c_shape(values) = Int64[reverse(size(values))...]

function set_elements(at, path, ::Type{T}, values, options) where {T<:Scalar}
    packed = convert(Array{T}, values)
    GC.@preserve packed set_bytes(at, path, scalar_code(T), c_shape(packed), Ptr{Cvoid}(pointer(packed)),
                                  sizeof(packed), options)
end

# Compiled once for all types of elements.
function set_bytes(at, path, code, shape, elements, size, options)
    run_with_options(:asdf_node_set_array, options) do handle
        LibAsdfKit.asdf_node_set_array(at, path, code, length(shape), shape, elements, size, handle)
    end
end

function set_elements(at, path, ::Type{T}, values, options) where {T<:AbstractString}
    ascii = all(isascii, values)
    packed, width = ascii ? pack_texts(path, String.(vec(values))) : pack_ucs4(values)
    set_typed(at, path, string_datatype(ascii ? LibAsdfKit.ASDF_ASCII : LibAsdfKit.ASDF_UCS4, width), values, packed,
              options)
end

function set_typed(at, path, type, values, packed, options)
    shape = c_shape(values)
    run_with_options(:asdf_node_set_array_typed, options) do handle
        LibAsdfKit.asdf_node_set_array_typed(at, path, type, length(shape), shape, packed, sizeof(packed), handle)
    end
end

set_elements(at, path, ::Type{T}, values, options) where {T} =
    throw(ArgumentError("an array of $T cannot be stored; the elements are numbers, Bool, texts or NamedTuples"))

function set_elements(at, path, ::Type{T}, values, options) where {T<:NamedTuple}
    fields = [pack_field(path, [getfield(row, name) for row in vec(values)]) for name in fieldnames(T)]
    names = String[string(name) for name in fieldnames(T)]
    types = [field.type for field in fields]
    texts = Base.cconvert.(Cstring, names)
    extents = Int64[extent for field in fields for extent in field.shape]
    ranks = Int32[length(field.shape) for field in fields]
    record = GC.@preserve texts types begin
        pointers = Ptr{UInt8}[pointer(text) for text in texts]
        handles = Ptr{Cvoid}[Base.unsafe_convert(Ptr{Cvoid}, type) for type in types]
        make(out -> LibAsdfKit.asdf_datatype_record(length(names), pointers, handles, ranks, extents, out), Datatype)
    end
    packed = reduce(vcat, (field.bytes for field in fields))
    set_typed(at, path, record, values, vec(packed), options)
end

"Returns type, shape and bytes of a field: a matrix with a column for each record."
function pack_field(path, values)
    T = eltype(values)
    if T <: Union{NTuple,AbstractArray}
        sizes = unique(T <: Tuple ? map(value -> (length(value),), values) : size.(values))
        length(sizes) == 1 || throw(ArgumentError("a field of the records at \"$path\" has arrays of different size"))
        flat = pack_field(path, [element for value in values for element in value])
        return (type = flat.type, shape = Int64[reverse(sizes[1])...], bytes = reshape(flat.bytes, :, length(values)))
    elseif T <: AbstractString
        ascii = all(isascii, values)
        packed, width = ascii ? pack_texts(path, String.(values)) : pack_ucs4(values)
        type = string_datatype(ascii ? LibAsdfKit.ASDF_ASCII : LibAsdfKit.ASDF_UCS4, width)
        bytes = collect(reinterpret(UInt8, vec(packed)))
        return (type = type, shape = Int64[], bytes = reshape(bytes, :, length(values)))
    end
    T <: Scalar || throw(ArgumentError("a field of the records at \"$path\" has the type $T"))
    type = make(out -> LibAsdfKit.asdf_datatype_scalar(scalar_code(T), out), Datatype)
    return (type = type, shape = Int64[], bytes = reshape(collect(reinterpret(UInt8, values)), :, length(values)))
end

function pack_ucs4(texts)
    width = mapreduce(length, max, texts; init = 1)
    packed = zeros(UInt32, width, length(texts))
    for (row, text) in enumerate(texts), (column, character) in enumerate(text)
        packed[column, row] = UInt32(character)
    end
    return packed, width
end

# Nodes of metadata ---------------------------------------------------------------------------------------------------

"Returns the node of a value that stands in a new file of its own."
function tree_node(value)
    file = new()
    file["meta"] = value
    return node(file, "meta")
end

remove_node(at::Node, path) = check(LibAsdfKit.asdf_node_remove(at, path))
