# Changes of files and trees besides values: removing, renaming, history, regions; checking, repairing and recovering.

"Remove the node at a path. An `AsdfError` if there is none."
Base.delete!(file::File, path::Union{AbstractString,Integer}) = (delete!(root(file), path); file)
Base.delete!(at::Node, path::AbstractString) = (remove_node(at, path); at)
Base.delete!(at::Node, key::LiteralKey) = (remove_node(node(at, key), ""); at)

"Give the key at a path another name; its place in the mapping stays."
rename!(file::File, path::AbstractString, key::AbstractString) =
    check(LibAsdfKit.asdf_node_rename_key(root(file), path, key))

"Move the node at a path to another path."
move!(file::File, path::AbstractString, to::AbstractString) =
    check(LibAsdfKit.asdf_node_move(root(file), path, to))

"Return the history entries of a file as a node, `nothing` if it has none."
history(file::File) = make_if_found(out -> LibAsdfKit.asdf_file_history(file, out), Node)

"""
    AsdfKit.add_history!(file, description; time = nothing, software = nothing)

Append an entry to the history. `time` is a text such as `"2027-01-31T04:05:06Z"`, by default now; `software` is a
NamedTuple with `name`, `version`, and optionally `author` and `homepage`.
"""
function add_history!(file::File, description::AbstractString; time = nothing, software = nothing)
    part(name) = software === nothing ? C_NULL : text_or_null(get(software, name, nothing))
    text = String(description)
    check(LibAsdfKit.asdf_file_add_history(file, text, sizeof(text), text_or_null(time), part(:name), part(:version),
                                           part(:author), part(:homepage)))
end

"Return the extensions that a file was written with as a node, `nothing` if it lists none."
extensions(file::File) = make_if_found(out -> LibAsdfKit.asdf_file_extensions(file, out), Node)

"""
    AsdfKit.add_extension!(file, class; uri = nothing, software = nothing)

Record an extension in the history. An entry with the same URI, or without one with the same class, is replaced.
`software` is a NamedTuple with `name` and `version`.
"""
function add_extension!(file::File, class::AbstractString; uri = nothing, software = nothing)
    part(name) = software === nothing ? C_NULL : text_or_null(get(software, name, nothing))
    check(LibAsdfKit.asdf_file_add_extension(file, class, text_or_null(uri), part(:name), part(:version)))
end

"""
    AsdfKit.software(file, path) -> Vector

Return the programs at a path: of a `core/software`, or of a list of them. Each is a NamedTuple of `name`, `version`,
`author` and `homepage`, empty if the file does not tell.
"""
function software(place::Union{File,Node}, path::AbstractString)
    at = place isa File ? root(place) : place
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_node_software_count(at, path, count))
    part(index, which) = read_text((buffer...) -> LibAsdfKit.asdf_node_get_software(at, path, index, which, buffer...))
    return [(name = part(index, LibAsdfKit.ASDF_SOFTWARE_NAME), version = part(index, LibAsdfKit.ASDF_SOFTWARE_VERSION),
             author = part(index, LibAsdfKit.ASDF_SOFTWARE_AUTHOR),
             homepage = part(index, LibAsdfKit.ASDF_SOFTWARE_HOMEPAGE)) for index in 0:count[]-1]
end

"""
    AsdfKit.set_software!(file, path; name, version, author = nothing, homepage = nothing)

Set the description of a program, a `core/software`.
"""
set_software!(file::File, path::AbstractString; name, version, author = nothing, homepage = nothing) =
    check(LibAsdfKit.asdf_node_set_software(root(file), path, name, version, text_or_null(author),
                                            text_or_null(homepage)))

"""
    array[ranges...] = values
    AsdfKit.write_region!(array, values, ranges...; options...)

Overwrite a part of an array of a file that is open for update, whose elements are stored and not compressed. The
values have the size of the part, or are one number. Only `AsdfKit.save` keeps the change.
"""
Base.setindex!(array::AsdfArray, values, ranges::Union{Integer,AbstractRange,Colon}...) =
    (write_region!(array, values, ranges...); values)

function write_region!(array::AsdfArray{<:Any,<:Any,T}, values, ranges...; options...) where {T<:Scalar}
    start, count, step, dimensions = isempty(ranges) ? region(array.size) : region(array.size, ranges)
    if !(values isa Union{Number,AbstractArray}) || eltype(values) >: Missing && any(ismissing, values)
        throw(ArgumentError("the elements of a part are a number or an array of numbers, none missing, not " *
            (values isa AbstractArray ? "an array with missing ones" : repr(values))))
    end
    elements = values isa Number ? fill(values, dimensions) : values
    size(elements) == dimensions || throw(DimensionMismatch(
        "the part has the size $dimensions, the values have the size $(size(elements))"))
    source = memory_of(T, elements)
    strides = expand_strides(source.strides, ranges)
    GC.@preserve source run_with_options(:asdf_array_write_region, options; strides = strides) do handle
        LibAsdfKit.asdf_array_write_region(array.handle, length(start), start, count, step, scalar_code(T),
                                           source.start, source.size, handle)
    end
    return array
end

write_region!(array::AsdfArray{<:Any,<:Any,<:Union{String,NamedTuple}}, values, ranges...; options...) =
    throw(own_error(LibAsdfKit.ASDF_ERR_UNSUPPORTED, "UNSUPPORTED",
                    "parts of arrays of texts and records cannot be written; file[path] = values sets the whole array"))

"""
    append!(array, values; options...)

Add elements along the last dimension, after the last ones, to an array of a file that is open for update. `AsdfKit.save`
keeps them, with one wait for the disk. The array keeps its size; look it up again to read them.
"""
function Base.append!(array::AsdfArray{<:Any,<:Any,T}, values::AbstractArray; options...) where {T<:Scalar}
    inner = array.size[1:end-1]
    whole = ndims(values) == length(inner) ? reshape(values, size(values)..., 1) : values
    ndims(whole) == length(array.size) && size(whole)[1:end-1] == inner || throw(DimensionMismatch(
        "values of the size $(size(values)) do not fit an array of the size $(array.size)"))
    source = memory_of(T, whole)
    GC.@preserve source run_with_options(:asdf_array_append, options; strides = source.strides) do handle
        LibAsdfKit.asdf_array_append(array.handle, size(whole)[end], scalar_code(T), source.start, source.size, handle)
    end
    return array
end

"""
    AsdfKit.create_array(file, path, T, dims; options...)
    AsdfKit.create_array(file, path, T, (dims, max_dims); chunk, options...)

Make an array of zeros and return it, as `create_dataset` of HDF5.jl does. `chunk` (or `chunks`) is the size of the
chunks; chunks of zeros take no space in the file. A dimension with another `max_dims` (-1 for any) grows, which needs
chunks. The file does not keep `max_dims`.
"""
create_array(file::File, path::AbstractString, ::Type{T}, dims; options...) where {T} =
    create_array(root(file), path, T, dims; options...)
function create_array(at::Node, path::AbstractString, ::Type{T}, dims::Tuple{Vararg{Integer}}; chunk = nothing,
                      options...) where {T<:Scalar}
    check_outside(at, path)
    given = chunk === nothing ? options : merge((; options...), (chunks = chunk,))
    shape = Int64[reverse(dims)...]
    run_with_options(:asdf_node_set_array_zeros, given) do handle
        LibAsdfKit.asdf_node_set_array_zeros(at, path, scalar_code(T), length(shape), shape, handle)
    end
    return array(at, path)
end
function create_array(at::Node, path::AbstractString, ::Type{T}, (dims, most)::Tuple{Tuple,Tuple}; chunk = nothing,
                      chunks = chunk, options...) where {T<:Scalar}
    length(dims) == length(most) && all(m == -1 || m >= d for (d, m) in zip(dims, most)) || throw(ArgumentError(
        "an array of the size $dims does not fit the largest size $most"))
    chunks === nothing && dims != most && throw(ArgumentError("an array that grows needs the size of its chunks"))
    return create_array(at, path, T, dims; chunk = chunks, options...)
end

"""
    resize!(array::AsdfArray, dims...; fill, options...)

Change the size of an array of a file that is open for update, and return the array with its new size. Elements keep their
indices; new ones are `fill` or zeros. A chunked array has a fill value of its own.
"""
function Base.resize!(array::AsdfArray{<:Any,N,T}, dims::Integer...; fill = nothing, options...) where {N,T<:Scalar}
    shape = Int64[reverse(dims)...]
    element = fill === nothing ? T[] : T[convert(T, fill)]
    GC.@preserve element run_with_options(:asdf_node_resize_array, options) do handle
        LibAsdfKit.asdf_node_resize_array(array.node, "", length(shape), shape,
                                          isempty(element) ? C_NULL : pointer(element), sizeof(element), handle)
    end
    return AsdfKit.array(array.node)
end

"""
    AsdfKit.verify(file; options...)

Check that the file is whole, without reading elements. An `AsdfError` at the first problem: a block that is cut or does
not match its checksum, an array that does not fit into its block, a reference that leads nowhere. Returns the numbers of
blocks without a checksum (`absent`), and of blocks whose checksum matches the `stored` or the `decoded` bytes.
"""
function verify(file::File; options...)
    absent, stored, decoded = Ref{Int64}(0), Ref{Int64}(0), Ref{Int64}(0)
    run_with_options(:asdf_file_verify, options) do handle
        LibAsdfKit.asdf_file_verify(file, handle, absent, stored, decoded)
    end
    return (absent = Int(absent[]), stored = Int(stored[]), decoded = Int(decoded[]))
end

"""
    AsdfKit.inspect(file; options...)

Check that the file is whole, and return all findings: damage with the severity `:error`, parts that cannot be checked and
warnings of the file with the severity `:warning`, and notes.
"""
function inspect(file::File; options...)
    report = made_with_options(Report, :asdf_file_inspect, options) do handle, out
        LibAsdfKit.asdf_file_inspect(file, handle, out)
    end
    return findings(report)
end

"""
    AsdfKit.Schemas(packages...)

Schemas of packages: paths of folders, wheels and single schemas, or names of packages on the search path, such as
`"rad"`. Without any, all packages on the search path. Load them once, and use them for many files.
"""
function Schemas(packages::AbstractString...)
    schemas = make(LibAsdfKit.asdf_schemas_new, Schemas)
    isempty(packages) && check(LibAsdfKit.asdf_schemas_add_package(schemas, C_NULL))
    foreach(package -> add_package!(schemas, package), packages)
    return schemas
end

"Add a package to schemas."
function add_package!(schemas::Schemas, package::AbstractString)
    check(LibAsdfKit.asdf_schemas_add_package(schemas, package))
    return schemas
end

"""
Add a schema or a manifest, as text in YAML or JSON, and return its URI: its `id`, or a new one if it has none. It
replaces a schema with the same URI.
"""
function add_text!(schemas::Schemas, text::AbstractString)
    content = String(text)
    return take_text(make(out -> LibAsdfKit.asdf_schemas_add_text(schemas, content, sizeof(content), out), Buffer))
end

"""
    AsdfKit.validate(file_or_node_or_table, schemas = AsdfKit.Schemas(); root_schema = "", options...)

Validate a tree by the schemas of its tags, and its root by the schema with the URI `root_schema`. Returns findings: each
violation has the severity `:error`, the keyword as `code`, and its place in the schema as `subject`.

With the option `schemas`, `AsdfKit.open`, `AsdfKit.write` and `AsdfKit.save` fail if the content does not match.
"""
function validate(file::File, schemas::Schemas = Schemas(); options...)
    return findings(made_with_options(Report, :asdf_file_validate, options) do handle, out
        LibAsdfKit.asdf_file_validate(file, schemas, handle, out)
    end)
end

function validate(node::Node, schemas::Schemas = Schemas(); options...)
    return findings(made_with_options(Report, :asdf_node_validate, options) do handle, out
        LibAsdfKit.asdf_node_validate(node, "", schemas, handle, out)
    end)
end

function validate(table::Table, schemas::Schemas = Schemas(); options...)
    return findings(made_with_options(Report, :asdf_table_validate, options) do handle, out
        LibAsdfKit.asdf_table_validate(table, schemas, handle, out)
    end)
end

const DESCRIPTION_FIELDS = (title = LibAsdfKit.ASDF_DESCRIPTION_TITLE, text = LibAsdfKit.ASDF_DESCRIPTION_TEXT,
                            type = LibAsdfKit.ASDF_DESCRIPTION_TYPE, unit = LibAsdfKit.ASDF_DESCRIPTION_UNIT,
                            default = LibAsdfKit.ASDF_DESCRIPTION_DEFAULT,
                            schema = LibAsdfKit.ASDF_DESCRIPTION_SCHEMA, note = LibAsdfKit.ASDF_DESCRIPTION_NOTE)

"""
    AsdfKit.describe_entry(node, path, schemas = AsdfKit.Schemas(); root_schema = "")

What the schemas say about the entry at a path below a node: a named tuple of `title`, `text`, `type`, `unit`, `default`,
`schema` and `note`. What they do not tell is `nothing`. The entry need not exist.
"""
function describe_entry(node::Node, path::AbstractString, schemas::Schemas = Schemas(); options...)
    handle, _ = options_handle(:asdf_schema_describe, options)
    return map(DESCRIPTION_FIELDS) do field
        if_found() do
            read_text() do buffer...
                LibAsdfKit.asdf_schema_describe(schemas, node, path, field, handle, buffer...)
            end
        end
    end
end

"Rewrite a file that is open for update without unused space."
compact!(file::File; options...) = run_with_options(:asdf_file_compact, options) do handle
    LibAsdfKit.asdf_file_compact(file, handle)
end

const REPAIRS = Dict(:index => LibAsdfKit.ASDF_REPAIR_INDEX,
                     :absent_checksums => LibAsdfKit.ASDF_REPAIR_ABSENT_CHECKSUMS,
                     :decoded_checksums => LibAsdfKit.ASDF_REPAIR_DECODED_CHECKSUMS,
                     :wrong_checksums => LibAsdfKit.ASDF_REPAIR_WRONG_CHECKSUMS)

"""
    AsdfKit.repair!(file, what...; options...)

Repair parts of a file that is open for update: `:index`, `:absent_checksums`, `:decoded_checksums`,
`:wrong_checksums`. Returns whether the index changed, and the number of new checksums.
"""
function repair!(file::File, what::Symbol...; options...)
    all(in(keys(REPAIRS)), what) || throw(ArgumentError("repair! takes " * join(sort!(repr.(keys(REPAIRS))), ", ")))
    index, checksums = Ref{Int32}(0), Ref{Int64}(0)
    flags = reduce(|, (REPAIRS[each] for each in what); init = Int32(0))
    run_with_options(:asdf_file_repair, options) do handle
        LibAsdfKit.asdf_file_repair(file, flags, handle, index, checksums)
    end
    return (index = index[] != 0, checksums = Int(checksums[]))
end

"""
    AsdfKit.recover(path, new_path; whole_blocks = false, options...)

Write what can be read of a damaged file into a new file. Returns findings: one for each loss.
"""
function recover(path::AbstractString, new_path::AbstractString; whole_blocks::Bool = false, options...)
    what = whole_blocks ? LibAsdfKit.ASDF_RECOVER_WHOLE_BLOCKS : Int32(0)
    return findings(made_with_options(Report, :asdf_file_recover, options) do handle, out
        LibAsdfKit.asdf_file_recover(path, new_path, what, handle, out)
    end)
end

"Write a file whose blocks are in files of their own beside it."
explode(file::File, path::AbstractString; options...) = run_with_options(:asdf_file_explode, options) do handle
    LibAsdfKit.asdf_file_explode(file, path, handle)
end

"Write a file that contains the blocks of all files that it refers to."
implode(file::File, path::AbstractString; options...) = run_with_options(:asdf_file_implode, options) do handle
    LibAsdfKit.asdf_file_implode(file, path, handle)
end

"Return a vector with a NamedTuple for each block: offset, sizes in bytes, compression (`\"\"` for none)."
function blocks(file::File)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_file_block_count(file, count))
    return map(0:count[]-1) do index
        function size(get)
            bytes = Ref{Int64}(0)
            check(get(file, index, bytes))
            Int(bytes[])
        end
        (offset = size(LibAsdfKit.asdf_file_block_offset),
         allocated = size(LibAsdfKit.asdf_file_block_allocated_size),
         stored = size(LibAsdfKit.asdf_file_block_stored_size),
         decoded = size(LibAsdfKit.asdf_file_block_decoded_size),
         compression = read_text((buffer...) -> LibAsdfKit.asdf_file_block_compression(file, index, buffer...)))
    end
end

"Return the tag of the node at a path, `\"\"` if it has none."
tag(file::File, path::AbstractString) = tag(root(file), path)
tag(at::Node, path::AbstractString) = read_text((buffer...) -> LibAsdfKit.asdf_node_tag(at, path, buffer...))

"""
    AsdfKit.set_quantity!(file, path, unit)
    AsdfKit.set_quantity!(file, path, value, unit; options...)

Make a quantity of the mapping at a path, or of a new one. The second form sets its number or array, too, with the
options of `AsdfKit.set!` for an array; otherwise it is set below the path: `file["step/value"] = 0.5`.
"""
set_quantity!(file::File, path::AbstractString, unit::AbstractString) =
    check(LibAsdfKit.asdf_node_set_quantity(root(file), path, unit, sizeof(unit)))
function set_quantity!(file::File, path::AbstractString, value, unit::AbstractString; options...)
    at = path * "/value"
    value isa AbstractArray ? set!(file, at, value; options...) : (file[at] = value)
    return set_quantity!(file, path, unit)
end

"""
    AsdfKit.number_in(file, path, unit; spelling = :generic, options...)

Returns the number of a quantity in another unit. The option `equivalencies` allows more conversions.
"""
function number_in(file::File, path::AbstractString, unit::AbstractString; spelling::Symbol = :generic,
                   options...)
    number, value = spelling_number(spelling), Ref{Float64}(0)
    run_with_options(:asdf_node_get_quantity, options) do handle
        LibAsdfKit.asdf_node_get_quantity(root(file), path, unit, number, handle, value)
    end
    return value[]
end

"Return the note of the mapping at a path, the text under its key `//`; `nothing` without."
note(file::File, path::AbstractString = "") =
    if_found(() -> read_text((buffer...) -> LibAsdfKit.asdf_node_note(root(file), path, buffer...)))

"Set the note of the mapping at a path, for people who read the file."
set_note!(file::File, path::AbstractString, note::AbstractString) =
    check(LibAsdfKit.asdf_node_set_note(root(file), path, note, sizeof(note)))

"Positions of comments in the YAML text."
const COMMENT_POSITIONS = (before = LibAsdfKit.ASDF_COMMENT_BEFORE, line_end = LibAsdfKit.ASDF_COMMENT_LINE_END,
                           document_end = LibAsdfKit.ASDF_COMMENT_DOCUMENT_END)

function comment_number(position::Symbol)
    haskey(COMMENT_POSITIONS, position) ||
        throw(ArgumentError("the position $position is none of $(keys(COMMENT_POSITIONS))"))
    return COMMENT_POSITIONS[position]
end

"""
    AsdfKit.comment(file, path, position = :before)

Return the comment of a node in the YAML text without `#`, `nothing` if there is none. Positions are `:before` the node,
at its `:line_end`, and at the `:document_end`, for which the path is `""`.
"""
function comment(file::File, path::AbstractString, position::Symbol = :before)
    number = comment_number(position)
    return if_found() do
        read_text((buffer...) -> LibAsdfKit.asdf_node_comment(root(file), path, number, buffer...))
    end
end

"Set the comment of a node; see [`AsdfKit.comment`](@ref). An empty text removes it."
set_comment!(file::File, path::AbstractString, text::AbstractString, position::Symbol = :before) =
    check(LibAsdfKit.asdf_node_set_comment(root(file), path, comment_number(position), text, sizeof(text)))

"Set a time of the standard: `2027-01-31T04:05:06.7`, `2027:031:04:05:06.7`, `B1950.0` or `J2000.0`."
set_time!(file::File, path::AbstractString, time::AbstractString) =
    check(LibAsdfKit.asdf_node_set_time(root(file), path, time, sizeof(time)))

"Set the tag of the node at a path; `nothing` removes it."
set_tag!(file::File, path::AbstractString, tag::Union{Nothing,AbstractString}) =
    check(LibAsdfKit.asdf_node_set_tag(root(file), path, text_or_null(tag)))
