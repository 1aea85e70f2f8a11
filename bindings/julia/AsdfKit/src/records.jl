# Records: the type of a NamedTuple for a datatype of the library, packed records as NamedTuples, and the reverse.

function datatype_code(type::Datatype)
    code = Ref{Int32}(0)
    check(LibAsdfKit.asdf_datatype_code(type, code))
    return code[]
end

function item_size(type::Datatype)
    size = Ref{Csize_t}(0)
    check(LibAsdfKit.asdf_datatype_item_size(type, size))
    return Int(size[])
end

"Returns name, datatype, offset and shape in C order of all fields."
function fields_of(type::Datatype)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_datatype_field_count(type, count))
    return map(0:count[]-1) do index
        offset = Ref{Csize_t}(0)
        check(LibAsdfKit.asdf_datatype_field_offset(type, index, offset))
        (name = read_text((buffer...) -> LibAsdfKit.asdf_datatype_field_name(type, index, buffer...)),
         type = make(out -> LibAsdfKit.asdf_datatype_field_datatype(type, index, out), Datatype),
         offset = Int(offset[]),
         shape = read_extents((buffer...) -> LibAsdfKit.asdf_datatype_field_shape(type, index, buffer...)))
    end
end

"Returns the type of the NamedTuple of a record: a field with dimensions is an `Array`, reversed as all arrays."
function record_type(type::Datatype)
    fields = fields_of(type)
    types = map(fields) do field
        T = element_type(field.type)
        isempty(field.shape) ? T : Array{T,length(field.shape)}
    end
    return NamedTuple{Tuple(Symbol(field.name) for field in fields),Tuple{types...}}
end

function element_type(type::Datatype)
    code = datatype_code(type)
    code == LibAsdfKit.ASDF_RECORD && return record_type(type)
    return code in (LibAsdfKit.ASDF_ASCII, LibAsdfKit.ASDF_UCS4) ? String : scalar_type(code)
end

"Returns packed records as NamedTuples."
function read_records(::Type{T}, type::Datatype, bytes::Vector{UInt8}) where {T}
    step = item_size(type)
    count = length(bytes) ÷ step
    fields = fields_of(type)
    columns = map(enumerate(fields)) do (number, field)
        F = fieldtype(T, number)
        elements = prod(field.shape)
        size = item_size(field.type)
        read_one(at) = read_element(field.type, bytes, at)
        [isempty(field.shape) ? read_one(row * step + field.offset) :
         reshape([read_one(row * step + field.offset + i * size) for i in 0:elements-1], reverse(field.shape)...)
         for row in 0:count-1]
    end
    return T[T(Tuple(column[row] for column in columns)) for row in 1:count]
end

"Returns one element from its bytes, which begin at an offset."
function read_element(type::Datatype, bytes, at)
    code = datatype_code(type)
    size = item_size(type)
    code == LibAsdfKit.ASDF_RECORD && return read_records(record_type(type), type, bytes[at+1:at+size])[1]
    if code == LibAsdfKit.ASDF_ASCII
        return String(rstrip(String(bytes[at+1:at+size]), '\0'))
    elseif code == LibAsdfKit.ASDF_UCS4
        return rstrip(String(Char.(reinterpret(UInt32, bytes[at+1:at+size]))), '\0') |> String
    end
    code == LibAsdfKit.ASDF_BOOL8 && return bytes[at+1] != 0
    return reinterpret(scalar_type(code), bytes[at+1:at+size])[1]
end

# Packing -------------------------------------------------------------------------------------------------------------

"Returns the datatype of records, and their bytes: a matrix with a column for each record."
function pack_records(place, values::AbstractVector)
    rows = map(identity, values)
    T = isempty(rows) ? eltype(values) : eltype(rows)
    isconcretetype(T) || throw(ArgumentError("$place: the records have different types"))
    isempty(fieldnames(T)) && throw(ArgumentError("$place: the records have no fields"))
    fields = [pack_field(place, fieldtype(T, name), [getfield(row, name) for row in rows]) for name in fieldnames(T)]
    texts = Base.cconvert.(Cstring, String[string(name) for name in fieldnames(T)])
    extents = Int64[extent for field in fields for extent in field.shape]
    ranks = Int32[length(field.shape) for field in fields]
    types = [field.type for field in fields]
    type = GC.@preserve texts types begin
        names = Ptr{UInt8}[pointer(text) for text in texts]
        handles = Ptr{Cvoid}[Base.unsafe_convert(Ptr{Cvoid}, type) for type in types]
        make(out -> LibAsdfKit.asdf_datatype_record(length(names), names, handles, ranks, extents, out), Datatype)
    end
    return (type = type, bytes = reduce(vcat, (field.bytes for field in fields)))
end

"Returns type, shape and bytes of a field: a matrix with a column for each record. `T` is its type if there are none."
function pack_field(place, ::Type{T}, values) where {T}
    E = isempty(values) ? T : eltype(values)
    isempty(values) && (values = E[])
    if E <: Union{Tuple,AbstractArray}
        sizes = unique(value isa Tuple ? (length(value),) : size(value) for value in values)
        length(sizes) == 1 || throw(ArgumentError("$place: a field has arrays of " *
                                                  (isempty(sizes) ? "unknown size" : "different sizes")))
        flat = pack_field(place, Any, [element for value in values for element in value])
        return (type = flat.type, shape = Int64[reverse(sizes[1])...], bytes = reshape(flat.bytes, :, length(values)))
    end
    packed = E <: AbstractString ? pack_strings(place, String.(values)) :
             E <: NamedTuple ? pack_records(place, values) : pack_numbers(place, E, values)
    return (type = packed.type, shape = Int64[], bytes = packed.bytes)
end

function pack_numbers(place, ::Type{T}, values) where {T}
    T <: Scalar && isconcretetype(T) || throw(ArgumentError("$place: a field has the type $T"))
    type = make(out -> LibAsdfKit.asdf_datatype_scalar(scalar_code(T), out), Datatype)
    return (type = type, bytes = reshape(collect(reinterpret(UInt8, values)), sizeof(T), length(values)))
end

"Returns the datatype of texts, and their bytes: a matrix with a column for each text."
function pack_strings(place, texts::Vector{String})
    if all(isascii, texts)
        packed, width = pack_texts(place, texts)
        return (type = string_datatype(LibAsdfKit.ASDF_ASCII, width), bytes = reshape(packed, width, length(texts)))
    end
    check_texts(place, texts)
    width = mapreduce(length, max, texts; init = 1)
    packed = zeros(UInt32, width, length(texts))
    for (row, text) in enumerate(texts), (column, character) in enumerate(text)
        packed[column, row] = UInt32(character)
    end
    bytes = reshape(collect(reinterpret(UInt8, vec(packed))), 4 * width, length(texts))
    return (type = string_datatype(LibAsdfKit.ASDF_UCS4, width), bytes = bytes)
end
