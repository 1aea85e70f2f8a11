# Streams: files with one array whose rows are written as they come, in little memory.

"""
    stream(path, name, T, row_size = (); content = nothing, options...) do stream
        push!(stream, row)
    end

Write an ASDF file with an array of elements `T` at the path `name` of its tree, whose rows come one after another.
`row_size` is the size of a row in Julia order, `()` if a row is one element. The array that is read from the file has
the size `(row_size..., rows)`: rows follow one another along the last dimension.

    AsdfKit.stream("run.asdf", "spectra", Float32, (2048,)) do spectra
        for spectrum in detector
            push!(spectra, spectrum)             # a Vector{Float32} of 2048 elements
        end
    end

- `push!(stream, row)` adds one row: an array of the size `row_size`, or a number.
- `append!(stream, rows)` adds rows: an array of the size `(row_size..., n)`.
- `length(stream)` is the number of rows so far.
- `content` is a file (`AsdfKit.File`) whose tree and arrays the new file gets, too.
- `T` is a number type, `Bool` or a complex type. A number of another type that `T` does not hold exactly is an
  `InexactError`, such as 0.1 for `Float32`: push `Float32.(row)` to round.

The file gets its name when the function returns. An exception leaves no file, and an existing file is replaced only
with `replace = true`. Other options choose compression and storage.
"""
function stream(fill::Function, path::AbstractString, name::AbstractString, ::Type{T}, row_size = (); content = nothing,
                options...) where {T}
    T <: Scalar || throw(ArgumentError("a stream takes elements of number types, Bool and complex types, not $T"))
    all(extent -> extent isa Integer && extent >= 1, row_size) || throw(ArgumentError(
        "the size of a row is a tuple of positive integers, not $row_size"))
    source = content === nothing ? AsdfKit.new() : content
    shape = Int64[reverse(row_size)...]
    handle, progress = made_with_lasting_options(StreamHandle, :asdf_stream_create, options) do given, out
        LibAsdfKit.asdf_stream_create(source, path, name, scalar_code(T), length(shape), shape, given, out)
    end
    opened = RowStream{T,length(shape)}(handle, Tuple(Int.(row_size)), progress)
    try
        result = fill(opened)
        GC.@preserve opened check(LibAsdfKit.asdf_stream_finish(handle), progress)
        return result
    finally
        close(handle)
    end
end

"File that is being written, with rows of `N` dimensions and elements `T`; see `stream`."
struct RowStream{T,N}
    handle::StreamHandle
    row_size::NTuple{N,Int}
    progress::Union{Nothing,Progress}
end

Base.push!(stream::RowStream{T,0}, row::Number) where {T} = push_rows(stream, [row], 1)
function Base.push!(stream::RowStream, row::AbstractArray)
    size(row) == stream.row_size || throw(DimensionMismatch(
        "a row of this stream has the size $(stream.row_size), not $(size(row))"))
    return push_rows(stream, row, 1)
end

function Base.append!(stream::RowStream{T,N}, rows::AbstractArray) where {T,N}
    ndims(rows) == N + 1 && size(rows)[1:N] == stream.row_size || throw(DimensionMismatch(
        "rows of this stream are an array of the size $((stream.row_size..., :n)), not $(size(rows))"))
    return push_rows(stream, rows, size(rows, N + 1))
end

function Base.length(stream::RowStream)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_stream_row_count(stream.handle, count))
    return Int(count[])
end

Base.eltype(::Type{<:RowStream{T}}) where {T} = T

function push_rows(stream::RowStream{T}, rows, count) where {T}
    packed = exact(T, rows)
    GC.@preserve stream check(LibAsdfKit.asdf_stream_push(stream.handle, count, packed, sizeof(packed)),
                              stream.progress)
    return stream
end

"Returns rows with elements of a type, or throws if one of them would be rounded."
exact(::Type{T}, rows::Array{T}) where {T} = rows
function exact(::Type{T}, rows) where {T}
    packed = convert(Array{T}, rows)
    for (number, given) in zip(packed, rows)
        isequal(number, given) || number == given || isnan(number) && isnan(given) || throw(InexactError(:push!, T, given))
    end
    return packed
end
