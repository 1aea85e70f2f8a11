# AsdfArray: an array of a file, read as a whole or in part.

"""
Array of a file with elements `T` and `N` dimensions. It is not read before `read` or indexing.

**Dimensions are in Julia order, the reverse of the file's**: the element `[i, j]` here is `[j-1, i-1]` in C and Python.
So an image of 1024 rows and 2048 columns in Python has the size `(2048, 1024)` here, and no element is moved.

| expression | result |
|---|---|
| `size(array)`, `eltype(array)`, `ndims(array)` | as for an `Array` |
| `read(array)` | `Array{T,N}`; with missing elements `Array{Union{Missing,T},N}` |
| `read(array, 1:2:64, :, 3)`, `array[end:-1:1, :, 3]` | part: ranges, `:`, integers |
| `read(Float64, array)`, `read(Float64, array, ranges...)` | converted; a value that does not fit is an `AsdfError` |
| `read(array; unit = "km")` | in another unit than that of the quantity or column; integers become `Float64` |
| `read(array; fill = NaN)` | a value in the place of missing elements |
| `read!(array, buffer)`, `read!(array, buffer, ranges...)` | the elements in an `Array` or view of the program |
| `AsdfKit.mmap(array)` | view without a copy |
| `array[[1, 5], :]`, `array[mask]`, `view(array, 1:9, :)`, `collect`, `sum`, `mean`, `array .+ 1`, loops | as for an `Array` |

An integer instead of a range drops its dimension. Elements are numbers, `Bool`, `String`, or `NamedTuple`s for
records; `T` has `Missing` if the array has a mask, and `S` is the stored type.
"""
struct AsdfArray{T,N,S} <: AbstractArray{T,N}
    handle::ArrayHandle
    size::NTuple{N,Int}
    code::Int32
    "Node that describes the array; `nothing` if it also has a mask."
    node::Union{Nothing,Node}
end

function array(at::Node, path::AbstractString = "")
    handle = make(out -> LibAsdfKit.asdf_node_get_array(at, path, out), ArrayHandle)
    extents = read_extents((buffer...) -> LibAsdfKit.asdf_array_shape(handle, buffer...))
    code = Ref{Int32}(0)
    check(LibAsdfKit.asdf_array_datatype(handle, code))
    T = code[] in (LibAsdfKit.ASDF_ASCII, LibAsdfKit.ASDF_UCS4) ? String :
        code[] == LibAsdfKit.ASDF_RECORD ? record_type(datatype_of(handle)) : scalar_type(code[])
    place = isempty(path) ? at : node(at, path)
    E = has_mask(handle) ? Union{Missing,T} : T
    return AsdfArray{E,length(extents),T}(handle, Tuple(Int.(reverse(extents))), code[], place)
end

datatype_of(handle::ArrayHandle) = make(out -> LibAsdfKit.asdf_array_datatype_handle(handle, out), Datatype)

Base.size(array::AsdfArray) = array.size
Base.close(array::AsdfArray) = close(array.handle)
Base.isopen(array::AsdfArray) = isopen(array.handle)
"""
    AsdfKit.without_mask(array)

Return an array with the same stored elements, of which none is missing. `AsdfKit.mmap` takes it.
"""
without_mask(array::AsdfArray{T,N,S}) where {T,N,S} = AsdfArray{S,N,S}(
    make(out -> LibAsdfKit.asdf_array_without_mask(array.handle, out), ArrayHandle), array.size, array.code, nothing)

has_fill(options) = get(options, :fill, nothing) !== nothing

"Returns whether an array has a mask."
function has_mask(array::ArrayHandle)
    has_mask = Ref{Int32}(0)
    check(LibAsdfKit.asdf_array_has_mask(array, has_mask))
    return has_mask[] != 0
end

Base.read(array::AsdfArray{<:Any,<:Any,S}, ranges::Union{Integer,AbstractRange,Colon}...;
          options...) where {S<:Scalar} = read(type_in_unit(S, values(options)), array, ranges...; options...)

"Returns the type of elements that are read in the unit of the options, if there is one: integers become floats."
type_in_unit(::Type{T}, options::NamedTuple) where {T} =
    T <: Integer && T != Bool && haskey(options, :unit) ? Float64 : T

"""
    AsdfKit.unit(array)

Return the unit of an array as it is spelled: of the quantity, the column or another mapping with the key "unit" whose
value the array is. An `AsdfError` if there is none.
"""
unit(array::AsdfArray) = read_text((buffer...) -> LibAsdfKit.asdf_array_unit(array.handle, buffer...))

function Base.read(::Type{T}, array::AsdfArray, ranges::Union{Integer,AbstractRange,Colon}...;
                   options...) where {T<:Scalar}
    start, count, step, dimensions = isempty(ranges) ? region(array.size) : region(array.size, ranges)
    elements = Vector{memory_type(T)}(undef, prod(dimensions))
    GC.@preserve elements begin
        mask = read_region(array.handle, start, count, step, scalar_code(T), Ptr{Cvoid}(pointer(elements)),
                           sizeof(elements), options)
    end
    found = with_missing(reshape(from_memory(T, elements), dimensions), mask)
    return !isempty(ranges) && isempty(dimensions) ? found[] : found
end

# This function is compiled once for all types of elements, so that the first read of each type is fast.

"Reads a region into memory of so many bytes; returns the mask, which is empty if the array has none."
function read_region(handle, start, count, step, code, elements, size, options)
    mask = !has_fill(options) && has_mask(handle) ? zeros(UInt8, prod(count)) : UInt8[]
    run_with_options(:asdf_array_read_region, options) do given
        LibAsdfKit.asdf_array_read_region(handle, length(start), start, count, step, code, given, elements, size,
                                          mask_pointer(mask)...)
    end
    return mask
end

function Base.read!(array::AsdfArray{<:Any,<:Any,T}, buffer::AbstractArray{T},
                    ranges::Union{Integer,AbstractRange,Colon}...; options...) where {T<:Scalar}
    T == Bool && throw(ArgumentError("truth values are read by read(array), not into an array of Bool"))
    start, count, step, dimensions = isempty(ranges) ? region(array.size) : region(array.size, ranges)
    size(buffer) == dimensions || throw(DimensionMismatch("the elements have the size $dimensions, the buffer " *
                                                          "$(size(buffer))"))
    target = memory(buffer)
    target === nothing && throw(ArgumentError("a $(typeof(buffer)) has no memory to read into"))
    # Each integer drops a dimension, which has one element; any stride serves it.
    given = expand_strides(target.strides, ranges)
    GC.@preserve target run_with_options(:asdf_array_read_region, options; strides = given) do handle
        LibAsdfKit.asdf_array_read_region(array.handle, length(start), start, count, step, scalar_code(T), handle,
                                          target.start, target.size, C_NULL, 0)
    end
    return buffer
end

"Returns strides in C order with a stride for each dimension that an integer dropped."
function expand_strides(strides, ranges)
    (isempty(strides) || !any(range -> range isa Integer, ranges)) && return strides
    left = copy(strides)
    return Int64[range isa Integer ? maximum(abs, strides) : popfirst!(left) for range in reverse(ranges)]
end

"Returns start, count and step in C order, and the size of the result without dropped dimensions."
region(extents::Tuple) =
    zeros(Int64, length(extents)), Int64[reverse(extents)...], ones(Int64, length(extents)), extents

function region(extents::NTuple{N,Int}, ranges) where {N}
    length(ranges) == N || throw(BoundsError(CartesianIndices(extents), ranges))
    taken = ntuple(i -> ranges[i] isa Colon ? (1:extents[i]) : ranges[i] isa Integer ? (ranges[i]:ranges[i]) :
                        ranges[i], N)
    for (range, extent) in zip(taken, extents)
        isempty(range) || (1 <= minimum(range) && maximum(range) <= extent) ||
            throw(BoundsError(CartesianIndices(extents), ranges))
    end
    start = Int64[isempty(range) ? 0 : first(range) - 1 for range in reverse(taken)]
    kept = Tuple(length(range) for (range, given) in zip(taken, ranges) if !(given isa Integer))
    return start, Int64[length(range) for range in reverse(taken)], Int64[step(range) for range in reverse(taken)], kept
end

function Base.read(array::AsdfArray{<:Any,<:Any,String}; options...)
    texts, mask = load_strings(:asdf_array_load_text, options) do given, bytes, offsets, mask
        LibAsdfKit.asdf_array_load_text(array.handle, given, bytes, offsets, mask)
    end
    return with_missing(reshape(texts, array.size), mask)
end

function Base.read(array::AsdfArray{<:Any,<:Any,T}; options...) where {T<:NamedTuple}
    type = datatype_of(array.handle)
    bytes = Vector{UInt8}(undef, item_size(type) * length(array))
    mask = !has_fill(options) && has_mask(array.handle) ? zeros(UInt8, length(array)) : UInt8[]
    run_with_options(:asdf_array_read, options) do handle
        LibAsdfKit.asdf_array_read(array.handle, 0, handle, bytes, length(bytes), mask_pointer(mask)...)
    end
    return with_missing(reshape(read_records(T, type, bytes), array.size), mask)
end

"A whole array of texts or records is read for a part."
Base.read(array::AsdfArray{<:Any,<:Any,<:Union{String,NamedTuple}}, first_range::Union{Integer,AbstractRange,Colon},
          ranges::Union{Integer,AbstractRange,Colon}...; options...) = read(array; options...)[first_range, ranges...]
