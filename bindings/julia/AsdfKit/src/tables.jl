# Tables: ECSV files and tables of ASDF files as NamedTuples of vectors. columns.jl has the vectors, table_metadata.jl
# the units and metadata.

# Reading -------------------------------------------------------------------------------------------------------------

"""
    read_ecsv(source; columns, rows, units, times = :header, metadata = false, options...)

Read an ECSV table into a NamedTuple of vectors, which is a table for all packages that understand Tables.jl. `source`
is a path, or the bytes of the file (`Vector{UInt8}`); both can be compressed (gzip, bzip2, zstd as far as the library
supports them).

    table = AsdfKit.read_ecsv("catalogue.ecsv")
    sum(skipmissing(table.flux))
    table, metadata = AsdfKit.read_ecsv("catalogue.ecsv"; metadata = true)
    metadata["flux"].unit                                # "mJy"

| column | vector of |
|---|---|
| numbers, complex numbers, flags | `Int8` … `UInt64`, `Float16` … `Float64`, `ComplexF32`, `ComplexF64`, `Bool` |
| text, JSON | `String`; JSON is left as its text |
| float128, complex256 | `BigFloat`, `Complex{BigFloat}` |
| times of astropy | `DateTime`, `Date` or `Tuple{DateTime,Nanosecond}` in UTC, or the values of the file; see below |
| spans of time | `Nanosecond`, or the values of the file |
| cells that are arrays, of one size or of several | `Array{T,N}` in Julia order: dimensions are reversed |

The type of a vector has `Missing` only if a cell is missing, as in `Vector{Union{Missing,Float64}}`, or for texts with
a mask in the file. Cells that are
arrays can also have missing elements: then all cells are `Array{Union{Missing,T},N}`. NaN is a value and is never
`missing`.

| keyword | effect |
|---|---|
| `columns` | names of the columns to read; they come in the order of the file |
| `rows` | range of rows, as `1:1000`; an `AsdfError` if the table is shorter |
| `units` | units to convert columns to: `Dict("flux" => "Jy")` or `(flux = "Jy",)`; integers become `Float64` |
| `times` | how times and spans are read; see below |
| `metadata` | `true` returns a tuple of table and [`TableMetadata`](@ref) |
| `threads`, `progress`, `null_values`, … | options of the library; see docs/languages/julia.md |

The header of the file decides how a column of times is read, and no value does. So a column has one type in all
batches and in all ranges of rows.

| `times` | a column of times | a column of spans |
|---|---|---|
| `:header` | `Date` for the sub-format `date`; `Tuple{DateTime,Nanosecond}` if its `precision` is more than 3 decimals; otherwise `DateTime`. Numbers (`mjd`, `jd`, `unix`, …), years as text and scales other than UTC, TAI, TT stay as the file has them | `Nanosecond`; as the file has them in the format `jd` |
| `:nanoseconds` | `Tuple{DateTime,Nanosecond}`, rounded, in all formats | `Nanosecond`, rounded |
| `:stored` | as the file has it | as the file has it |

A time that its type does not hold is an `AsdfError` that names the keyword to read it: a leap second of UTC, digits after
the milliseconds of a `DateTime`. Cells that are arrays stay as the file has them.

Throws an `AsdfError` with line, column and byte if the file is damaged or a cell is not a value of its column.
"""
function read_ecsv(source; metadata::Bool = false, rows = nothing, columns = nothing, units = nothing, times = :header,
                   options...)
    check_times(times)
    bytes = source isa AbstractString ? source : ecsv_bytes(source)
    given = reading_options(rows, options)
    columns === nothing || (given[:columns] = column_list(columns))
    table = read_ecsv_table(bytes, given)
    check_rows(table, rows)
    convert_columns!(table, units)
    return named_columns(table, metadata, times)
end

"Fails if a table has fewer rows than were asked for."
check_rows(table, rows) = rows === nothing || row_count(table) == length(rows) || throw(own_error(
    LibAsdfKit.ASDF_ERR_OUT_OF_RANGE, "OUT_OF_RANGE", "the table has not all of the rows $rows: it ends before"))

"Converts columns of a table handle to other units, given by name."
convert_columns!(::Table, ::Nothing) = nothing
function convert_columns!(table::Table, units)
    for (name, unit) in pairs(units)
        check(LibAsdfKit.asdf_table_convert_column(table, String(name), String(unit), SPELLINGS.generic, C_NULL))
    end
end

function read_ecsv_table(source, given)
    if source isa AbstractString
        return made_with_options(Table, :asdf_table_read_ecsv, given) do handle, out
            LibAsdfKit.asdf_table_read_ecsv(source, handle, out)
        end
    end
    return made_with_options(Table, :asdf_table_read_ecsv_memory, given) do handle, out
        LibAsdfKit.asdf_table_read_ecsv_memory(source, length(source), handle, out)
    end
end

"""
    table_index(path; step = 0, options...)

Return the index of the records of an ECSV file, a text, and the number of its rows. With the keyword `table_index`,
several processes read disjoint ranges of rows by `read_ecsv`. `step` is the number of rows from one offset to the next; 0
chooses about a thousand offsets.
"""
function table_index(path::AbstractString; step::Integer = 0, options...)
    rows = Ref{Int64}(0)
    text = take_text(made_with_options(Buffer, :asdf_table_index, options) do handle, out
        LibAsdfKit.asdf_table_index(path, step, handle, rows, out)
    end)
    return (text, rows[])
end

ecsv_bytes(bytes::Vector{UInt8}) = bytes
ecsv_bytes(io::IO) = read(io)
ecsv_bytes(source) = throw(ArgumentError("an ECSV table is read from a path, a Vector{UInt8} or an IO, not from a " *
                                         "$(typeof(source))"))

"Returns the options for the rows to read besides the given ones."
function reading_options(rows, options)
    given = Dict{Symbol,Any}(options)
    if rows !== nothing
        rows isa AbstractUnitRange{<:Integer} && (isempty(rows) || first(rows) >= 1) || throw(ArgumentError(
            "rows is a range of row numbers from 1 on, such as 1:1000, not $rows"))
        given[:first_row] = max(0, first(rows) - 1)
        given[:row_count] = length(rows)
    end
    return given
end

"Returns the names of columns to read as texts."
column_list(columns) = String[String(name) for name in (columns isa Union{AbstractString,Symbol} ? (columns,) : columns)]

"Returns the columns of a table handle as a NamedTuple of vectors; with `metadata` also those."
function named_columns(table::Table, metadata::Bool, times = :header, chosen = nothing)
    names = column_names(table)
    chosen === nothing || (names = chosen_names(table, names, chosen))
    entries = Pair{Symbol,Any}[]
    converted = String[]
    for name in names
        whole = time_column(table, name)
        whole in converted && continue
        type = whole === nothing ? nothing : time_type(table, whole, name, times)
        if type === nothing
            push!(entries, Symbol(name) => read_column(table, name))
        else
            push!(entries, Symbol(whole) => read_times(table, whole, type, times))
            push!(converted, whole)
        end
    end
    columns = NamedTuple{Tuple(first.(entries))}(Tuple(last.(entries)))
    metadata || return columns
    return (columns, without_entries(metadata_of(table, names), converted, String.(first.(entries))))
end

"Returns the columns of the file that make the chosen ones, which can be times in several of them."
function chosen_names(table, names, chosen)
    wholes = [time_column(table, name) for name in names]
    for name in chosen
        name in names || name in wholes || throw(own_error(LibAsdfKit.ASDF_ERR_NOT_FOUND, "NOT_FOUND",
                                                           "the table has no column '$name'"))
    end
    return [name for (name, whole) in zip(names, wholes) if name in chosen || whole in chosen]
end

"""
    table_metadata(source; options...)

Read the header of an ECSV file or of its bytes: names, units, descriptions and metadata, without any row. See
[`TableMetadata`](@ref).
"""
function table_metadata(path::AbstractString; options...)
    batches = eachbatch(path; options...)
    try
        return table_metadata(batches)
    finally
        close(batches)
    end
end

function table_metadata(source; options...)
    return table_metadata(read_ecsv_table(ecsv_bytes(source), Dict{Symbol,Any}(:row_count => 0, options...)))
end

# Batches -------------------------------------------------------------------------------------------------------------

"""
    eachbatch(path; rows = nothing, columns, times = :header, options...)

Iterate over an ECSV table in batches of at most `rows` rows, in memory that does not grow with the file. By default a
batch has as many rows as take a few MiB.

    for batch in AsdfKit.eachbatch("gaia.ecsv.gz"; rows = 100_000)
        total += sum(skipmissing(batch.phot_g_mean_flux))
    end

Each batch is a NamedTuple of vectors, as [`read_ecsv`](@ref) returns it. All batches have the same types, except that
the type of a vector has `Missing` only where a cell of the batch is missing. The file is read once: another loop goes
on where the last one ended. `table_metadata(batches)` returns the description of the columns, `close(batches)` closes
the file early. One task at a time may use the iterator.

An `AsdfError` ends the iteration: every further step throws it again. After a progress function has cancelled a step,
the next step returns the same rows.
"""
eachbatch(path::AbstractString; rows::Union{Nothing,Integer} = nothing, columns = nothing, times = :header,
          options...) = Batches(path, rows, columns, check_times(times), options)

mutable struct Batches
    reader::TableReader
    progress::Union{Nothing,Progress}
    times::Symbol
    # A batch that was read although the progress function threw: the next step returns it.
    pending::Union{Nothing,Table}
    function Batches(path, rows, columns, times, options)
        given = reading_options(nothing, options)
        columns === nothing || (given[:columns] = column_list(columns))
        rows === nothing || rows >= 1 || throw(ArgumentError("a batch has at least one row, not $rows"))
        rows === nothing || (given[:batch_rows] = rows)
        reader, progress = made_with_lasting_options(TableReader, :asdf_table_reader_open, given) do handle, out
            LibAsdfKit.asdf_table_reader_open(path, handle, out)
        end
        return new(reader, progress, times, nothing)
    end
end

Base.IteratorSize(::Type{Batches}) = Base.SizeUnknown()
Base.eltype(::Type{Batches}) = NamedTuple
Base.close(batches::Batches) = close(batches.reader)
Base.isopen(batches::Batches) = isopen(batches.reader)

function Base.iterate(batches::Batches, state = nothing)
    if batches.pending === nothing
        pointer = Ref{Ptr{Cvoid}}(C_NULL)
        status = GC.@preserve batches LibAsdfKit.asdf_table_reader_next(batches.reader, pointer)
        batches.pending = pointer[] == C_NULL ? nothing : owner(Table, pointer[])
        check(status, batches.progress)
    end
    batch = batches.pending
    batches.pending = nothing
    return batch === nothing ? nothing : (named_columns(batch, false, batches.times), nothing)
end

table_metadata(batches::Batches) =
    table_metadata(make(out -> LibAsdfKit.asdf_table_reader_header(batches.reader, out), Table))

# Making tables -------------------------------------------------------------------------------------------------------

const NO_PAIRS = Dict{Symbol,Any}()

"Properties of the columns and the metadata of a table to write; see `write_ecsv`."
Base.@kwdef struct TableProperties
    units::Any = NO_PAIRS
    descriptions::Any = NO_PAIRS
    formats::Any = NO_PAIRS
    types::Any = NO_PAIRS
    variable::Any = ()
    meta::Any = nothing
    metadata::Union{Nothing,TableMetadata} = nothing
end

"Divides keywords into the properties of a table and the options of the library."
function split_properties(keywords)
    names = fieldnames(TableProperties)
    properties = TableProperties(; (name => value for (name, value) in keywords if name in names)...)
    return properties, Dict{Symbol,Any}(name => value for (name, value) in keywords if !(name in names))
end

"Makes a table handle from an object of the program, which may be one of several batches."
function make_table(source, properties::TableProperties; in_batches = false)
    columns = column_pairs(source)
    names = first.(columns)
    for (what, given) in (("units", properties.units), ("descriptions", properties.descriptions),
                          ("formats", properties.formats), ("types", properties.types))
        for (name, _) in pairs(given)
            String(name) in names || throw(ArgumentError("$what: the table has no column \"$name\""))
        end
    end
    rows = unique(length(values) for (_, values) in columns if values isa AbstractVector)
    length(rows) <= 1 || throw(DimensionMismatch("the columns have different lengths: " *
        join(("$name has $(length(values))" for (name, values) in columns), ", ")))
    table = make(out -> LibAsdfKit.asdf_table_new(isempty(rows) ? 0 : rows[1], out), Table)
    variable = String.(collect(properties.variable isa Union{AbstractString,Symbol} ? (properties.variable,) :
                               properties.variable))
    # First, because the times that are added below make entries in the metadata, in place of those that describe how
    # another program stored them.
    set_table_properties!(table, properties, columns)
    for (name, values) in columns
        add_column!(table, name, values; type = property_of(properties.types, name), variable = name in variable,
                    in_batches = in_batches)
        set_column_properties!(table, name, properties)
    end
    return table
end

"Returns names and vectors of an object: a NamedTuple, a Dict, pairs, rows, or any object with properties."
column_pairs(source::Union{NamedTuple,AbstractDict}) = [String(name) => values for (name, values) in pairs(source)]
column_pairs(source::AbstractVector{<:Pair}) = [String(name) => values for (name, values) in source]
function column_pairs(rows::AbstractVector{<:NamedTuple{names}}) where {names}
    return [String(name) => [row[name] for row in rows] for name in names]
end
function column_pairs(source)
    names = source isa AbstractArray ? () : propertynames(source)
    isempty(names) && throw(ArgumentError("a table is a NamedTuple or Dict of vectors, a vector of pairs or of " *
        "NamedTuples, or an object with columns as properties, not a $(typeof(source))"))
    return [String(name) => getproperty(source, name) for name in names]
end

"Returns the property of a column from a NamedTuple or a Dict with texts or symbols as keys; `nothing` without."
function property_of(given, name::String)
    for (key, value) in pairs(given)
        String(key) == name && return value
    end
    return nothing
end

function set_column_properties!(table, name, properties)
    known = properties.metadata !== nothing && haskey(properties.metadata, name) ? properties.metadata[name] : nothing
    from(given, field) = something(property_of(given, name), known === nothing ? nothing : getfield(known, field), Some(nothing))
    # Times may be two columns of the file.
    stored = name in column_names(table) ? name : name * ".jd1"
    for (set, text) in ((LibAsdfKit.asdf_table_set_column_unit, from(properties.units, :unit)),
                        (LibAsdfKit.asdf_table_set_column_description, from(properties.descriptions, :description)),
                        (LibAsdfKit.asdf_table_set_column_format, from(properties.formats, :format)))
        text === nothing || check(set(table, stored, String(text), sizeof(String(text))))
    end
    known === nothing || known.meta === nothing || check(LibAsdfKit.asdf_table_set_column_meta(table, stored, known.meta))
end

function set_table_properties!(table, properties, columns)
    known = properties.metadata
    meta = properties.meta === nothing ? known === nothing ? nothing : known.meta : tree_node(properties.meta)
    meta === nothing || (meta = fitting_entries(meta, columns))
    meta === nothing || check(LibAsdfKit.asdf_table_set_meta(table, meta))
    known === nothing || known.schema === nothing || check(LibAsdfKit.asdf_table_set_schema(table, known.schema))
end

# Writing ECSV --------------------------------------------------------------------------------------------------------

"""
    write_ecsv(path, table; units, descriptions, formats, meta, metadata, types, variable, options...)

Write a table as an ECSV file. `table` is a NamedTuple or Dict of vectors, a vector of pairs or of NamedTuples, or any
object whose properties are columns, such as a `DataFrame`. `missing` becomes a missing cell.

    AsdfKit.write_ecsv("bright.ecsv", (name = ["3C 273", "NGC 1275"], flux = [54.9, missing]);
                       units = (flux = "mJy",), meta = Dict("survey" => "deep"))

A column is a vector of numbers, `Bool`, complex numbers, texts, `BigFloat` (float128), or arrays of these. A vector of
`DateTime`, `Date` or `Tuple{DateTime,Nanosecond}` is a `Time` of astropy in UTC, one of periods a `TimeDelta`. Arrays of
one size make cells of fixed shape, arrays that differ in their first dimension make cells of different length. The
dimensions are reversed in the file.

| keyword | effect |
|---|---|
| `units`, `descriptions`, `formats` | texts by the names of columns: a NamedTuple or a Dict |
| `meta` | metadata of the table: what can be stored in a tree, such as a Dict |
| `metadata` | `TableMetadata` of a table that was read: units, descriptions and metadata are taken from it |
| `types` | for columns of texts: `"json"`, `"float128"`, `"complex256"` |
| `variable` | names of columns of arrays whose cells may differ in length, even if all have one size |
| `replace = true` | replace a file of this name; without, an existing file is an `AsdfError` |
| `delimiter`, `progress`, … | options of the library; see docs/languages/julia.md |

The file gets its name when it is complete.
"""
function write_ecsv(path::AbstractString, table; keywords...)
    properties, options = split_properties(keywords)
    made = make_table(table, properties)
    run_with_options(:asdf_table_write_ecsv, options) do handle
        LibAsdfKit.asdf_table_write_ecsv(made, path, handle)
    end
end

"""
    write_ecsv(path; keywords...) do writer
        append!(writer, table)
    end

Write an ECSV file in batches. The columns are those of the first appended table; the others must have the same names
and types. Cells that are arrays
get the shape of the first table; `variable` names columns whose cells differ later. If the first table has texts that can
be missing, all texts are written with masks, so that empty ones stay empty (`empty_strings`). The file gets its name when the function returns. An exception leaves no file. The keywords are those of
`write_ecsv(path, table)`.
"""
function write_ecsv(fill::Function, path::AbstractString; keywords...)
    properties, options = split_properties(keywords)
    return fill_table(fill, TableAppender("\"$path\"", :asdf_table_writer_create, properties, options) do made, handle, out
        LibAsdfKit.asdf_table_writer_create(path, made, handle, out)
    end)
end

function fill_table(fill::Function, writer)
    try
        result = fill(writer)
        finish(writer)
        return result
    finally
        writer.handle === nothing || close(writer.handle)
    end
end

# A table that is written in batches. `create` makes the writer when the columns of the first batch are known.
mutable struct TableAppender
    create::Function
    name::String
    call::Symbol
    properties::TableProperties
    options::Dict{Symbol,Any}
    handle::Union{Nothing,TableWriter}
    progress::Union{Nothing,Progress}
    # Shapes of the cells of the first batch, by the names of the columns.
    shapes::Dict{String,Vector{Int}}
end

function TableAppender(create::Function, name, call, properties, options)
    return TableAppender(create, name, call, properties, options, nothing, nothing, Dict{String,Vector{Int}}())
end

function Base.append!(writer::TableAppender, table)
    # The first batch decides the shapes of cells that later ones do not tell: of one length, or all missing.
    columns = table isa Table ? table :
              [name => with_shape(values, get(writer.shapes, name, nothing)) for (name, values) in column_pairs(table)]
    made = make_table(columns, writer.properties; in_batches = true)
    if writer.handle === nothing
        for name in column_names(made)
            shape = column_shape(made, name)
            isempty(shape) || (writer.shapes[name] = reverse(shape))
        end
        # Empty texts of later batches must not become missing ones.
        if writer.call == :asdf_table_writer_create && !(table isa Table) && any(can_miss_texts ∘ last, columns)
            get!(writer.options, :empty_strings, :mark_all)
        end
        writer.handle, writer.progress = made_with_lasting_options(TableWriter, writer.call,
                                                                   writer.options) do handle, out
            writer.create(made, handle, out)
        end
    end
    GC.@preserve writer check(LibAsdfKit.asdf_table_writer_append(writer.handle, made), writer.progress)
    return writer
end

"Returns whether a column has texts that can be missing."
can_miss_texts(values) = values isa AbstractVector && Missing <: eltype(values) &&
                         Missing != eltype(values) && nonmissingtype(eltype(values)) <: AbstractString

function finish(writer::TableAppender)
    writer.handle === nothing && throw(ArgumentError(
        "nothing was appended to $(writer.name), so the table has no columns; append a table without rows"))
    GC.@preserve writer check(LibAsdfKit.asdf_table_writer_finish(writer.handle), writer.progress)
end

# Tables in ASDF files ------------------------------------------------------------------------------------------------

"""
    read_table(node; columns, rows, units, times = :header, metadata = false, options...)
    read_table(file, path; columns, rows, units, times = :header, metadata = false, options...)

Read a table of an ASDF file into a NamedTuple of vectors, as [`read_ecsv`](@ref) does: a table of the standard or of
astropy, an array of records, or a mapping of arrays.

    AsdfKit.open("survey.asdf") do file
        table, metadata = AsdfKit.read_table(file, "catalogue"; metadata = true)
    end

`columns` are the names of columns, `rows` is a range, such as `101:200`. `leave_out = true` leaves out columns that are no arrays, with a warning in
`metadata.warnings`. Metadata of such a table are nodes of the file, which must stay open while they are used.
"""
read_table(file::File, path::AbstractString; keywords...) = read_table(node(file, path); keywords...)

function read_table(node::Node; metadata::Bool = false, columns = nothing, rows = nothing, units = nothing,
                    times = :header, options...)
    check_times(times)
    table = made_with_options(Table, :asdf_node_get_table, reading_options(rows, options)) do handle, out
        LibAsdfKit.asdf_node_get_table(node, "", handle, out)
    end
    check_rows(table, rows)
    convert_columns!(table, units)
    return named_columns(table, metadata, times, columns === nothing ? nothing : column_list(columns))
end

"""
    set_table!(file, path, table; form = :standard, units, descriptions, formats, meta, metadata, types, options...)

Store a table at a path of an ASDF file. The tables and keywords are those of [`write_ecsv`](@ref); `form` is
`:standard`, `:astropy`, `:records` or `:arrays`. Further options choose the compression and the storage of the columns.

    AsdfKit.set_table!(file, "catalogue", (ra = [1.0, 2.0], flux = [0.5, missing]); form = :astropy)

An `AsdfError` if the form cannot hold something, unless `leave_out = true`. `table` can also be an [`open_table`](@ref).
"""
function set_table!(file::File, path::AbstractString, table; keywords...)
    return set_table!(node(file, ""), path, table; keywords...)
end

function set_table!(node::Node, path::AbstractString, table; form = nothing, keywords...)
    properties, options = split_properties(keywords)
    form === nothing || (options[:table_form] = form)
    made = make_table(table, properties)
    run_with_options(:asdf_node_set_table, options) do handle
        LibAsdfKit.asdf_node_set_table(node, path, made, handle)
    end
end

"""
    set_table!(fill, file, path; form, units, descriptions, formats, meta, metadata, types, options...)

Store a table in batches, for a table that does not fit in memory. `fill` gets an object to which `append!` adds tables of
the same columns. The rows are in a temporary file without a name until the file is written; the option
`temporary_directory` chooses its place.

    AsdfKit.set_table!(file, "events") do events
        for batch in AsdfKit.eachbatch("events.ecsv")
            append!(events, batch)
        end
    end
"""
function set_table!(fill::Function, file::File, path::AbstractString; keywords...)
    return set_table!(fill, node(file, ""), path; keywords...)
end

function set_table!(fill::Function, node::Node, path::AbstractString; form = nothing, keywords...)
    properties, options = split_properties(keywords)
    form === nothing || (options[:table_form] = form)
    return fill_table(fill, TableAppender("\"$path\"", :asdf_node_begin_table, properties, options) do made, handle, out
        LibAsdfKit.asdf_node_begin_table(node, path, made, handle, out)
    end)
end
