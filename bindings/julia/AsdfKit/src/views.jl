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
    owner::Kept
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

An `AsdfError` (`NOT_VIEWABLE`) if the elements are compressed, or if elements that need conversion are in a file
without a name, or in a file whose name belongs to another file now. An `AsdfError` (`MASKED`) if the array has a mask.
"""
function mmap(array::AsdfArray{T,N}) where {T<:Scalar,N}
    pointer = Ref{Ptr{Cvoid}}(C_NULL)
    status = LibAsdfKit.asdf_array_view(array.handle, array.code, C_NULL, pointer)
    status == LibAsdfKit.ASDF_ERR_NOT_VIEWABLE && return map_file(array, last_error(status))
    check(status)
    view = View(pointer[])
    element = Ref{Ptr{Cvoid}}(C_NULL)
    check(LibAsdfKit.asdf_view_first_element(view.pointer, element))
    strides = read_extents((buffer...) -> LibAsdfKit.asdf_view_strides(view.pointer, buffer...))
    return MappedArray{T,N,false}(Kept(view), Ptr{UInt8}(element[]), array.size, Tuple(Int.(reverse(strides))))
end

"Maps the file itself for elements to which C cannot point; throws `problem` if that is not possible either."
function map_file(array::AsdfArray{T,N}, problem) where {T,N}
    steps = Tuple(Int.(reverse(read_extents((buffer...) -> LibAsdfKit.asdf_array_strides(array.handle, buffer...)))))
    order = Ref{Int32}(0)
    check(LibAsdfKit.asdf_array_byte_order(array.handle, order))
    swapped = order[] != (ENDIAN_BOM == 0x04030201 ? LibAsdfKit.ASDF_BYTE_ORDER_LITTLE : LibAsdfKit.ASDF_BYTE_ORDER_BIG)
    Mapped = MappedArray{T,N,swapped}
    length(array) == 0 && return Mapped(Kept(nothing), C_NULL, array.size, steps)
    place = stored_bytes(array.handle)
    place === nothing && throw(problem)
    name, start, size, first = place
    bytes = Base.open(name) do file
        is_opened(file) && start + size <= filesize(file) || throw(problem)
        Mmap.mmap(file, Vector{UInt8}, size, start)
    end
    mapped = Mapped(Kept(bytes), pointer(bytes) + first, array.size, steps)
    sample = sample_ranges(array.size)
    all(isequal.(read(array, sample...), mapped[sample...])) || throw(problem)
    return mapped
end

"Returns ranges that take at most 256 elements, spread over all dimensions."
function sample_ranges(extents::NTuple{N,Int}) where {N}
    each = floor(Int, 256.5^(1 / max(N, 1)))
    return map(extent -> 1:cld(extent, each):extent, extents)
end

"""
Returns the file, the offset and the size of the bytes of an array, and the offset of the first element in these bytes;
`nothing` if they are compressed or not in a file with a name.
"""
function stored_bytes(array::ArrayHandle)
    map = make(out -> LibAsdfKit.asdf_array_chunk_map(array, out), ChunkMap)
    name = read_text((buffer...) -> LibAsdfKit.asdf_chunk_map_file(map, buffer...))
    codec = read_text((buffer...) -> LibAsdfKit.asdf_chunk_map_codec(map, buffer...))
    count, start, size, decoded, first = ntuple(_ -> Ref{Int64}(0), 5)
    check(LibAsdfKit.asdf_chunk_map_count(map, count))
    (count[] == 1 && isempty(codec) && isfile(name)) || return nothing
    check(LibAsdfKit.asdf_chunk_map_bytes(map, 0, start, size, decoded))
    check(LibAsdfKit.asdf_chunk_map_first_element(map, 0, first, C_NULL))
    return name, start[], Int(size[]), Int(first[])
end

"""
Returns whether a file is open a second time in this process, by the library: another program can have put another file
under its name. True on systems that do not tell. A program can also open both files; so elements are compared as well.
"""
function is_opened(file::IOStream)
    isdir("/dev/fd") || return true
    own = stat(file)
    others = filter(!=(string(fd(file))), readdir("/dev/fd"))
    return any(others) do other
        # `stat` throws for the descriptors of Julia's event loop.
        found = try stat("/dev/fd/$other") catch; return false end
        (found.device, found.inode) == (own.device, own.inode)
    end
end
