# Records: the type of a NamedTuple for a datatype of the library, and packed records as NamedTuples.

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
