# Types of elements: the types of Julia for the codes of the library, texts and masks as the library passes them.

"Element types that have the same bytes in Julia and in the library."
const Scalar = Union{Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64,Float16,Float32,Float64,ComplexF32,ComplexF64,
                     Bool}

const SCALAR_TYPES = Dict{Int32,DataType}(
    LibAsdfKit.ASDF_INT8 => Int8,
    LibAsdfKit.ASDF_INT16 => Int16,
    LibAsdfKit.ASDF_INT32 => Int32,
    LibAsdfKit.ASDF_INT64 => Int64,
    LibAsdfKit.ASDF_UINT8 => UInt8,
    LibAsdfKit.ASDF_UINT16 => UInt16,
    LibAsdfKit.ASDF_UINT32 => UInt32,
    LibAsdfKit.ASDF_UINT64 => UInt64,
    LibAsdfKit.ASDF_FLOAT16 => Float16,
    LibAsdfKit.ASDF_FLOAT32 => Float32,
    LibAsdfKit.ASDF_FLOAT64 => Float64,
    LibAsdfKit.ASDF_COMPLEX64 => ComplexF32,
    LibAsdfKit.ASDF_COMPLEX128 => ComplexF64,
    LibAsdfKit.ASDF_BOOL8 => Bool,
)
const SCALAR_CODES = Dict{DataType,Int32}(type => code for (code, type) in SCALAR_TYPES)

scalar_type(code) = SCALAR_TYPES[code]
scalar_code(::Type{T}) where {T} = SCALAR_CODES[T]

# A file can hold truth values of other bytes than 0 and 1, which are no Bool of Julia.
memory_type(::Type{T}) where {T} = T
memory_type(::Type{Bool}) = UInt8
from_memory(::Type{T}, elements::Array{T}) where {T} = elements
from_memory(::Type{Bool}, bytes::Array{UInt8}) = map(!iszero, bytes)

"Puts `missing` in the place of the marked elements. Without any, it returns the elements themselves."
function with_missing(elements::AbstractArray{T,N}, mask) where {T,N}
    any(!iszero, mask) || return elements
    return insert_missing(elements, mask)
end

@noinline function insert_missing(elements::AbstractArray{T,N}, mask) where {T,N}
    result = Array{Union{Missing,T},N}(elements)
    for i in eachindex(mask)
        mask[i] == 0 || (result[i] = missing)
    end
    return result
end

"Returns a mask and its size as arguments of a call; an empty mask is none."
mask_pointer(mask::Array{UInt8}) = isempty(mask) ? (C_NULL, 0) : (mask, length(mask))

"Returns texts and mask of a function that takes options, and writes buffers of bytes, offsets and mask."
function load_strings(call, name::Symbol, given)
    pointers = ntuple(i -> Ref{Ptr{Cvoid}}(C_NULL), 3)
    buffers = Buffer[]
    run_with_options(name, given) do options
        status = call(options, pointers...)
        append!(buffers, (owner(Buffer, pointer[]) for pointer in pointers if pointer[] != C_NULL))
        status
    end
    bytes, offsets, mask = buffers
    texts = with_bytes(bytes) do start, _
        with_bytes(offsets) do position, size
            at = unsafe_wrap(Array, Ptr{Int64}(position), size ÷ sizeof(Int64))
            [unsafe_string(start + at[i], at[i+1] - at[i]) for i in 1:length(at)-1]
        end
    end
    missing_bytes = with_bytes((start, size) -> copy(unsafe_wrap(Array, start, size)), mask)
    foreach(close, (bytes, offsets, mask))
    return texts, missing_bytes
end

"Makes the type of strings of so many bytes (ASDF_ASCII) or characters (ASDF_UCS4)."
string_datatype(code, length) = make(out -> LibAsdfKit.asdf_datatype_string(code, length, out), Datatype)
