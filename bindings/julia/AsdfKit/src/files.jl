# Files and nodes: opening, looking up values, keys, writing, saving. arrays.jl reads arrays, setting.jl stores values.

"""
    AsdfKit.open(path, mode = "r"; options...)
    AsdfKit.open(function, path, mode = "r"; options...)
    AsdfKit.open(source; options...)

Open an ASDF file: mode `"r"` reads, `"r+"` updates. With a function (a do-block), the file is closed afterwards, also
after an exception. `source` has a whole file: a `Vector{UInt8}`, which is copied, or an `IO`, which is read to its end.

    AsdfKit.open("image.asdf") do file
        file["meta/exposure/time"]        # a value: number, text, Bool, nothing, AsdfArray, Node
        read(file["data"])                # an Array
    end

Throws an `AsdfError` if the file is no ASDF file.
"""
function open(path::AbstractString, mode::AbstractString = "r"; options...)
    mode in ("r", "r+") || throw(ArgumentError("the mode is \"r\" or \"r+\", not \"$mode\"; AsdfKit.new makes files"))
    mode == "r" && return made_with_options(File, :asdf_file_open, options) do handle, out
        LibAsdfKit.asdf_file_open(path, handle, out)
    end
    return made_with_options(File, :asdf_file_open_for_update, options) do handle, out
        LibAsdfKit.asdf_file_open_for_update(path, handle, out)
    end
end

open(bytes::Vector{UInt8}; options...) = made_with_options(File, :asdf_file_open_memory, options) do handle, out
    LibAsdfKit.asdf_file_open_memory(bytes, length(bytes), handle, out)
end

open(source::IO; options...) = open(read(source); options...)

function open(use::Function, source::Union{AbstractString,Vector{UInt8},IO}, mode...; options...)
    file = open(source, mode...; options...)
    try
        return use(file)
    finally
        close(file)
    end
end

"Make a new file in memory; `AsdfKit.write` writes it."
new(; options...) = made_with_options(File, :asdf_file_new, options) do handle, out
    LibAsdfKit.asdf_file_new(handle, out)
end

"""
    close(file)

Close a file at once, and report errors. Its nodes and arrays then throw an `AsdfError`; arrays of `mmap` stay valid.
"""
function Base.close(file::File)
    isopen(file) || return nothing
    status = LibAsdfKit.asdf_file_close(file)
    problem = status == 0 ? nothing : last_error(status)
    free(file)
    problem === nothing || throw(problem)
    return nothing
end

"""
    AsdfKit.write(file, path; options...)

Write a file under a name, which it gets when it is complete. An existing file is an `AsdfError` unless
`replace = true`.
"""
write(file::File, path::AbstractString; options...) = run_with_options(:asdf_file_write, options) do handle
    LibAsdfKit.asdf_file_write(file, path, handle)
end

"Save the changes of a file that is open for update."
save(file::File; options...) = run_with_options(:asdf_file_save, options) do handle
    LibAsdfKit.asdf_file_save(file, handle)
end

"""
Write a file in spite of a setter that failed. Without this call, writing is an `AsdfError` (`INCOMPLETE`), so that no
file lacks something in silence.
"""
forget_failure!(file::File) = check(LibAsdfKit.asdf_file_forget_failure(file))

"Return the warnings of a file so far: a vector of findings."
warnings(file::File) = findings(make(out -> LibAsdfKit.asdf_file_report(file, out), Report))

# Nodes ---------------------------------------------------------------------------------------------------------------

"Return the root of the tree."
root(file::File) = make(out -> LibAsdfKit.asdf_file_root(file, out), Node)

"Return the node at a path, also that of a value."
node(at::Node, path::AbstractString) = make(out -> LibAsdfKit.asdf_node_get(at, path, out), Node)
node(file::File, path::AbstractString = "") = isempty(path) && !(path isa Key) ? root(file) : node(root(file), path)
node(file::File, key::Integer) = node(root(file), key)

"Returns the kind of a node: an ASDF_KIND_ constant."
function kind(at::Node, path::AbstractString = "")
    kind = Ref{Int32}(0)
    check(LibAsdfKit.asdf_node_kind(at, path, kind))
    return kind[]
end

Base.getindex(file::File, path::Union{AbstractString,Integer}) = value(node(root(file), path))
Base.getindex(at::Node, path::Union{AbstractString,Integer}) = value(node(at, path))
Base.get(at::Union{File,Node}, path::Union{AbstractString,Integer}, default) = haskey(at, path) ? at[path] : default

Base.haskey(file::File, path::Union{AbstractString,Integer}) = haskey(root(file), path)
function Base.haskey(at::Node, path::AbstractString)
    exists = Ref{Int32}(0)
    check(LibAsdfKit.asdf_node_exists(at, path, exists))
    return exists[] != 0
end
Base.haskey(at::Node, key::LiteralKey) =
    key isa Integer && !(key isa Bool) && is_sequence_node(at) ? 1 <= key <= length(at) :
    if_found(() -> node(at, key)) !== nothing

Base.length(file::File) = length(root(file))
function Base.length(at::Node)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_node_count(at, "", count))
    return Int(count[])
end

Base.keys(file::File) = keys(root(file))
function Base.keys(at::Node)
    is_sequence_node(at) && return 1:length(at)
    return [key(at, index) for index in 0:length(at)-1]
end

# Julia's `pairs` joins `keys` and `values`.
Base.values(file::File) = values(root(file))
Base.values(at::Node) = is_sequence_node(at) ? at : (value(item_node(at, index)) for index in 0:length(at)-1)

function key(at::Node, index)
    type = Ref{Int32}(0)
    check(LibAsdfKit.asdf_node_key_type(at, "", index, type))
    if type[] == LibAsdfKit.ASDF_KEY_INTEGER
        number = Ref{Int64}(0)
        check(LibAsdfKit.asdf_node_key_i64(at, "", index, number))
        return Int(number[])
    elseif type[] == LibAsdfKit.ASDF_KEY_BOOL
        flag = Ref{Int32}(0)
        check(LibAsdfKit.asdf_node_key_bool(at, "", index, flag))
        return flag[] != 0
    end
    text = read_text((buffer...) -> LibAsdfKit.asdf_node_key_string(at, "", index, buffer...))
    return type[] == LibAsdfKit.ASDF_KEY_STRING ? literal(text) : Key(text, true)
end

"Iterate over the items of a sequence, or over pairs `key => value` of a mapping. A file iterates over its root."
Base.iterate(file::File, (at, index) = (root(file), 1)) =
    (next = iterate(at, index); next === nothing ? nothing : (next[1], (at, next[2])))
function Base.iterate(at::Node, index = 1)
    index > length(at) && return nothing
    item = value(item_node(at, index - 1))
    return is_sequence_node(at) ? item : key(at, index - 1) => item, index + 1
end

"Returns the value of a node: a value of Julia, an `AsdfArray`, or the node itself for mappings and sequences."
function value(at::Node)
    what = kind(at)
    what == LibAsdfKit.ASDF_KIND_NULL && return nothing
    what == LibAsdfKit.ASDF_KIND_BOOL && return number(at, LibAsdfKit.asdf_node_get_bool, Int32) != 0
    what == LibAsdfKit.ASDF_KIND_INTEGER && return integer(at)
    what == LibAsdfKit.ASDF_KIND_FLOAT && return number(at, LibAsdfKit.asdf_node_get_f64, Float64)
    if what == LibAsdfKit.ASDF_KIND_COMPLEX
        real, imaginary = Ref(0.0), Ref(0.0)
        check(LibAsdfKit.asdf_node_get_complex(at, "", real, imaginary))
        return complex(real[], imaginary[])
    end
    what in (LibAsdfKit.ASDF_KIND_STRING, LibAsdfKit.ASDF_KIND_TIMESTAMP) &&
        return tagged(at, what, read_text((buffer...) -> LibAsdfKit.asdf_node_get_string(at, "", buffer...)))
    what == LibAsdfKit.ASDF_KIND_UNIT &&
        return tagged(at, what, read_text((buffer...) -> LibAsdfKit.asdf_node_get_unit(at, "", buffer...)))
    what == LibAsdfKit.ASDF_KIND_BINARY &&
        return Binary(Vector{UInt8}(read_text((buffer...) -> LibAsdfKit.asdf_node_get_binary(at, "", buffer...))))
    what in (LibAsdfKit.ASDF_KIND_ARRAY, LibAsdfKit.ASDF_KIND_NUMBER_LIST) && return array(at)
    return at
end

"Returns a text with the tag of its node, if it has one beside that of YAML for texts."
function tagged(at, kind, text)
    kind == LibAsdfKit.ASDF_KIND_TIMESTAMP && return TaggedText(text, TIMESTAMP_TAG)
    tag = read_text((buffer...) -> LibAsdfKit.asdf_node_tag(at, "", buffer...))
    return isempty(tag) || tag == TEXT_TAG ? text : TaggedText(text, tag)
end

function number(at, get, ::Type{T}) where {T}
    value = Ref{T}(0)
    check(get(at, "", value))
    return value[]
end

function integer(at)
    digits = read_text((buffer...) -> LibAsdfKit.asdf_node_get_integer(at, "", buffer...))
    return something(tryparse(Int64, digits), Some(parse(BigInt, digits)))
end

function Base.show(io::IO, at::Node)
    isopen(at) || return print(io, "AsdfKit.Node(closed)")
    path = read_text((buffer...) -> LibAsdfKit.asdf_node_path(at, "", buffer...))
    print(io, "AsdfKit.Node(", repr(path), ")")
end

function Base.show(io::IO, file::File)
    isopen(file) || return print(io, "AsdfKit.File(closed)")
    name = read_text((buffer...) -> LibAsdfKit.asdf_file_name(file, buffer...))
    print(io, "AsdfKit.File(", repr(name), ")")
end

"""
    transfers(file)

Return `(requests = n, bytes = n)`: how much was asked for so far from the server that the file is on, and for files that
it refers to. Files on a disk have none.
"""
function transfers(file::File)
    requests, bytes = Ref{Int64}(0), Ref{Int64}(0)
    check(LibAsdfKit.asdf_file_transfers(file, requests, bytes))
    return (requests = requests[], bytes = bytes[])
end

"Return the version of the file format, such as `\"1.0.0\"`."
format_version(file::File) = read_text((buffer...) -> LibAsdfKit.asdf_file_format_version(file, buffer...))

"""
    file[path, T]

Return a value that must be of a type: `Float64`, `Int64`, `Bool`, `String`, `DateTime` or `Date`. Another value is an `AsdfError` with its
line and column, with the code `WRONG_TYPE` or `VALUE_RANGE`. An integer is also a `Float64`.
"""
Base.getindex(file::File, path::AbstractString, ::Type{T}) where {T} = root(file)[path, T]
Base.getindex(at::Node, path::AbstractString, ::Type{Float64}) =
    number(node(at, path), LibAsdfKit.asdf_node_get_f64, Float64)
Base.getindex(at::Node, path::AbstractString, ::Type{Int64}) =
    number(node(at, path), LibAsdfKit.asdf_node_get_i64, Int64)
Base.getindex(at::Node, path::AbstractString, ::Type{Bool}) =
    number(node(at, path), LibAsdfKit.asdf_node_get_bool, Int32) != 0
Base.getindex(at::Node, path::AbstractString, ::Type{String}) =
    read_text((buffer...) -> LibAsdfKit.asdf_node_get_string(at, path, buffer...))
