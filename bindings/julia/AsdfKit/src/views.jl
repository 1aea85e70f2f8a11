# Views: arrays whose elements stay in the file, and are read from the mapped bytes at each access.

mutable struct View
    pointer::Ptr{Cvoid}
    View(pointer) = finalizer(view -> LibAsdfKit.asdf_view_free(view.pointer), new(pointer))
end

"""
Elements that are still in the file; writing to them is not possible. `owner` keeps their bytes alive. The elements can
be unaligned. `Swapped` tells whether they have the other byte order.
"""
struct MappedArray{T,N,Swapped} <: AbstractArray{T,N}
    owner::View
    first::Ptr{UInt8}
    size::NTuple{N,Int}
    strides::NTuple{N,Int}
end

Base.size(array::MappedArray) = array.size
Base.IndexStyle(::Type{<:MappedArray}) = IndexCartesian()

function Base.strides(array::MappedArray{T,N,Swapped}) where {T,N,Swapped}
    !Swapped && all(stride -> stride % sizeof(T) == 0, array.strides) ||
        throw(ArgumentError("the elements of the view have no strides in elements of $T"))
    return array.strides .÷ sizeof(T)
end

@inline function Base.getindex(array::MappedArray{T,N,Swapped}, index::Vararg{Int,N}) where {T,N,Swapped}
    @boundscheck checkbounds(array, index...)
    offset = reduce(+, ntuple(i -> (index[i] - 1) * array.strides[i], N); init = 0)
    return GC.@preserve array load(T, array.first + offset, Val(Swapped))
end

# unsafe_load assumes no alignment. Bytes are swapped as integers, so that the payload of a NaN stays.
load(::Type{T}, at::Ptr{UInt8}, ::Val{false}) where {T} = unsafe_load(Ptr{T}(at))
load(::Type{T}, at::Ptr{UInt8}, ::Val{true}) where {T<:Integer} = bswap(unsafe_load(Ptr{T}(at)))
load(::Type{Float16}, at::Ptr{UInt8}, order::Val{true}) = reinterpret(Float16, load(UInt16, at, order))
load(::Type{Float32}, at::Ptr{UInt8}, order::Val{true}) = reinterpret(Float32, load(UInt32, at, order))
load(::Type{Float64}, at::Ptr{UInt8}, order::Val{true}) = reinterpret(Float64, load(UInt64, at, order))
load(::Type{Complex{T}}, at::Ptr{UInt8}, order::Val{true}) where {T} =
    Complex(load(T, at, order), load(T, at + sizeof(T), order))
# A byte of a file can be a truth value of other bytes than 0 and 1.
load(::Type{Bool}, at::Ptr{UInt8}, ::Val{false}) = unsafe_load(at) != 0

"""
    AsdfKit.mmap(array)

Return a read-only view of numbers or truth values where they are stored, without a copy. It stays valid when the file
is closed. Elements in another byte order, or at addresses that are no multiple of their size, are converted at each
access; so `read` is faster for elements that are used often.

An `AsdfError` (`NOT_VIEWABLE`) if the elements are compressed, or lent to a file that is not written yet. An
`AsdfError` (`MASKED`) if the array has a mask.
"""
function mmap(array::AsdfArray{<:Any,<:Any,T}) where {T<:Scalar}
    pointer = Ref{Ptr{Cvoid}}(C_NULL)
    status = LibAsdfKit.asdf_array_view(array.handle, array.code, C_NULL, pointer)
    if status != LibAsdfKit.ASDF_ERR_NOT_VIEWABLE
        check(status)
        return mapped(array, pointer[], false)
    end
    check(LibAsdfKit.asdf_array_view_stored(array.handle, C_NULL, pointer))
    order = Ref{Int32}(0)
    check(LibAsdfKit.asdf_array_byte_order(array.handle, order))
    own_order = ENDIAN_BOM == 0x04030201 ? LibAsdfKit.ASDF_BYTE_ORDER_LITTLE : LibAsdfKit.ASDF_BYTE_ORDER_BIG
    return mapped(array, pointer[], sizeof(T) > 1 && order[] != own_order)
end

mmap(array::AsdfArray{<:Any,<:Any,<:Union{String,NamedTuple}}) = throw(own_error(LibAsdfKit.ASDF_ERR_NOT_VIEWABLE,
    "NOT_VIEWABLE", "arrays of texts and records have no view; read(array) reads them"))

"Makes an array of the elements of a view, which it then owns."
function mapped(array::AsdfArray{<:Any,N,T}, pointer, swapped) where {T,N}
    view = View(pointer)
    element = Ref{Ptr{Cvoid}}(C_NULL)
    check(LibAsdfKit.asdf_view_first_element(pointer, element))
    strides = read_extents((buffer...) -> LibAsdfKit.asdf_view_strides(pointer, buffer...))
    return MappedArray{T,N,swapped}(view, Ptr{UInt8}(element[]), array.size, Tuple(Int.(reverse(strides))))
end
