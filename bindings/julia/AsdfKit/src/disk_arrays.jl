# AsdfArray as an AbstractArray: each index reads its part of the file; reductions, loops and broadcasts read slabs or the
# whole array, never element by element.

const Index = Union{Integer,AbstractRange{<:Integer},Colon,AbstractVector{<:Integer}}

# Calls of functions in a Ref{Any} are not inferred: Julia 1.5 takes minutes for programs with abstract types of arrays,
# since any of their indices could be of a file.

Base.getindex(array::AsdfArray, indices::Union{Integer,AbstractRange,Colon}...) = PART[](array, indices)
Base.getindex(array::AsdfArray, indices...) = PART[](array, indices)

"Returns the elements of indices of any kind. Lists and masks along a dimension read the range that they span."
function part(@nospecialize(array), @nospecialize(given))
    N, extents = ndims(array), array.size
    N == 0 && return read(array)[given...]
    indices = Any[flattened(given)...]
    while length(indices) > N && last(indices) isa Integer && last(indices) == 1
        pop!(indices)
    end
    if N != 1 && length(indices) == 1 && indices[1] isa Integer
        checkbounds(1:length(array), indices[1])
        indices = Any[Tuple(CartesianIndices(extents)[indices[1]])...]
    end
    length(indices) == N && all(index -> index isa Index, indices) || return read(array)[given...]
    lists = Any[as_list(indices[i], extents[i]) for i in 1:N]
    all(list -> list isa Union{Integer,AbstractRange,Colon}, lists) && return read(array, lists...)
    all(i -> lists[i] isa Colon || all(in(1:extents[i]), lists[i]), 1:N) ||
        throw(BoundsError(CartesianIndices(extents), given))
    found = read(array, Any[span(list) for list in lists]...)
    return found[Any[within(list) for list in lists if !(list isa Integer)]...]
end
const PART = Ref{Any}(part)

"Returns indices with the numbers of each point in its place."
flattened(indices) = tuple(Iterators.flatten(index isa CartesianIndex ? Tuple(index) : (index,) for index in indices)...)

"Returns an index of a dimension with numbers in place of a mask."
as_list(index, extent) = index
as_list(index::Bool, extent) = throw(ArgumentError("invalid index: $index of type Bool"))
function as_list(mask::AbstractVector{Bool}, extent)
    length(mask) == extent || throw(BoundsError(1:extent, (mask,)))
    return findall(mask)
end

"Returns the range that a list spans, and the list relative to it."
span(list) = list
span(list::AbstractVector{<:Integer}) = list isa AbstractRange ? list : isempty(list) ? (1:0) : minimum(list):maximum(list)
within(list) = Colon()
within(list::AbstractVector{<:Integer}) =
    list isa AbstractRange ? Colon() : isempty(list) ? Int[] : list .- (minimum(list) - 1)

"Number of elements that a loop or a reduction holds in memory, if a row of the last dimension is not larger."
const SLAB_ELEMENTS = 2^22

"Returns the parts that a loop reads one after the other, along the last dimension, as ranges."
function slabs(array::AsdfArray{<:Any,N,S}) where {N,S}
    isempty(array) && return UnitRange{Int}[]
    N == 0 || S <: Scalar || return [1:last(array.size)]
    rows = N == 0 ? 1 : clamp(SLAB_ELEMENTS ÷ max(1, prod(Base.front(array.size))), 1, last(array.size))
    return N == 0 ? [1:1] : [first:min(first + rows - 1, last(array.size)) for first in 1:rows:last(array.size)]
end

slab(array::AsdfArray{<:Any,0}, range) = as_array(array)
slab(array::AsdfArray{<:Any,N}, range) where {N} = PART[](array, (ntuple(_ -> Colon(), N - 1)..., range))

function Base.iterate(array::AsdfArray, state = (slabs(array), 1, nothing, 1))
    ranges, number, elements, index = state
    if elements === nothing || index > length(elements)
        number > length(ranges) && return nothing
        elements, number, index = slab(array, ranges[number]), number + 1, 1
    end
    return elements[index], (ranges, number, elements, index + 1)
end

function Base.mapreduce(f, op, array::AsdfArray; dims = :, init...)
    dims === Colon() || return mapreduce(f, op, as_array(array); dims = dims, init...)
    isempty(array) && return mapreduce(f, op, as_array(array); init...)
    return reduce(op, (mapreduce(f, op, slab(array, range)) for range in slabs(array)); init...)
end

# A view is read as a part of its array.
const AsdfView = SubArray{<:Any,<:Any,<:AsdfArray}
whole(range::Base.Slice) = Colon()
whole(index) = index
Base.read(view::AsdfView) = PART[](parent(view), map(whole, parentindices(view)))
Base.mapreduce(f, op, view::AsdfView; options...) = mapreduce(f, op, as_array(view); options...)
Base.iterate(view::AsdfView, (elements, state) = (as_array(view), ())) =
    (next = iterate(elements, state...); next === nothing ? nothing : (next[1], (elements, (next[2],))))

"Returns the elements as an array, also if there is one only."
as_array(array) = WHOLE[](array)
function read_whole(@nospecialize(array))
    found = read(array)
    return found isa AbstractArray ? found : fill(found)
end
const WHOLE = Ref{Any}(read_whole)

const OnDisk = Union{AsdfArray,AsdfView}
Base.collect(array::OnDisk) = as_array(array)
Base.Array(array::OnDisk) = as_array(array)
Base.copy(array::OnDisk) = as_array(array)
Base.copyto!(target::AbstractArray, array::OnDisk) = copyto!(target, as_array(array))
Base.copyto!(target::Array, array::OnDisk) = copyto!(target, as_array(array))
Base.broadcastable(array::OnDisk) = as_array(array)
Base.skipmissing(array::AsdfArray) = skipmissing(as_array(array))
Base.hash(array::OnDisk, seed::UInt) = hash(as_array(array), seed)
Base.vec(array::AsdfArray) = vec(as_array(array))
Base.reshape(array::AsdfArray, size::Tuple{Vararg{Int}}) = reshape(as_array(array), size)
Base.map(f, array::AsdfArray) = map(f, as_array(array))
Base.findall(f::Function, array::AsdfArray) = findall(f, as_array(array))

"Number of elements up to which an array is shown."
const SHOWN_ELEMENTS = 2^16

Base.showarg(io::IO, array::AsdfArray{T,N}, toplevel) where {T,N} = print(io, "AsdfArray{", T, ",", N, "}")
Base.show(io::IO, array::AsdfArray{T}) where {T} =
    print(io, "AsdfKit.AsdfArray of ", T, ", size ", array.size, " (read(array) reads it)")

function Base.show(io::IO, ::MIME"text/plain", array::AsdfArray)
    isopen(array) || return print(io, "AsdfKit.AsdfArray(closed)")
    summary(io, array)
    (isempty(array) || length(array) > SHOWN_ELEMENTS) && return print(io, " (read(array) reads it)")
    println(io, ":")
    Base.print_array(IOContext(io, :limit => true, :typeinfo => eltype(array)), as_array(array))
end
