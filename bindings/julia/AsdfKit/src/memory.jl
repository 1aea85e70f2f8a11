# Memory of the program's arrays: address, size and strides of elements that the library reads or writes in place.

"""
Memory of an array as the library takes it: address of the lowest element, size in bytes, and strides in bytes in C
order, which are empty if the elements are packed. `GC.@preserve` of this object keeps the elements alive; it is mutable
because Julia 1.5 cannot preserve an immutable object with a field of an abstract type.
"""
mutable struct Memory
    values::AbstractArray
    start::Ptr{Cvoid}
    size::Int
    strides::Vector{Int64}
end

"Returns the memory of an array, or `nothing` if its elements are not in memory at regular distances."
function memory(values::AbstractArray{T,N}) where {T,N}
    steps = element_strides(values)
    steps === nothing && return nothing
    first_element = Ptr{Cvoid}(first_address(values))
    packed = Base.size_to_strides(1, size(values)...) == steps
    (packed || isempty(values)) && return Memory(values, first_element, sizeof(T) * length(values), Int64[])
    spans = ntuple(i -> (size(values, i) - 1) * steps[i], N)
    lowest = sum(min.(spans, 0))
    elements = sum(max.(spans, 0)) - lowest + 1
    strides = Int64[reverse(steps)...] .* sizeof(T)
    return Memory(values, first_element + lowest * sizeof(T), elements * sizeof(T), strides)
end

# Only an Array at the base of all wrappers surely has its elements in the memory of the processor.
const Wrapped = Union{SubArray,Base.ReshapedArray,Base.ReinterpretArray}
in_memory(::Array) = true
in_memory(values::Wrapped) = in_memory(parent(values))
in_memory(::AbstractArray) = false

"Returns strides in elements, or `nothing` if there are none."
element_strides(values::AbstractArray) = values isa StridedArray && in_memory(values) ? strides(values) : nothing
element_strides(values::Union{Transpose,Adjoint{<:Real}}) = turned_strides(element_strides(parent(values)))
function element_strides(values::PermutedDimsArray{T,N,order}) where {T,N,order}
    steps = element_strides(parent(values))
    return steps === nothing ? nothing : map(axis -> steps[axis], order)
end

turned_strides(::Nothing) = nothing
turned_strides((step,)::NTuple{1,Int}) = (step, step)
turned_strides((first, second)::NTuple{2,Int}) = (second, first)

first_address(values::AbstractArray) = pointer(values)
first_address(values::Union{Transpose,Adjoint,PermutedDimsArray}) = first_address(parent(values))

"Returns the memory of elements of a type: that of the values themselves if they have it, otherwise of a copy."
function memory_of(::Type{T}, values::AbstractArray) where {T}
    own = eltype(values) === T ? memory(values) : nothing
    return own === nothing ? memory(converted(T, values)) : own
end

"""
Returns an array of another type of elements, or throws if one of them does not fit. `convert` of Julia makes infinite
numbers of those that are too large.
"""
converted(::Type{T}, values) where {T} = convert(Array{T}, values)
function converted(::Type{T}, values::AbstractArray{<:Number}) where {T<:Union{AbstractFloat,Complex}}
    made = convert(Array{T}, values)
    for (number, given) in zip(made, values)
        isfinite(number) || !isfinite(given) || throw(InexactError(:convert, T, given))
    end
    return made
end
