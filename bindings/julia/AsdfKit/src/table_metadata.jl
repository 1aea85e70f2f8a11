# The description of a table: units, descriptions and metadata of its columns, metadata of the whole, warnings.

"""
Description of one column of a table. Fields that the file does not have are `nothing`.

| field | content |
|---|---|
| `name` | name, a `String` |
| `unit` | unit, as it is spelled |
| `description` | description |
| `format` | display format, in the notation of printf or Python |
| `datatype`, `subtype` | type as the file of the table spells it |
| `meta` | metadata: a node |
"""
struct ColumnMetadata
    name::String
    unit::Union{Nothing,String}
    description::Union{Nothing,String}
    format::Union{Nothing,String}
    datatype::Union{Nothing,String}
    subtype::Union{Nothing,String}
    meta::Any
end

"Column of a file that is part of a `LogicalColumn`. `attribute` is its role, such as `jd1`, `ra/value` or `mask`."
struct LogicalMember
    name::String
    attribute::String
end

"""
Column as the program that wrote the table had it, such as a time of astropy that is stored in two columns.

Fields: `name`, `class` (a dotted Python name; `nothing` for a plain column), `unit`, `members` (a vector of
`LogicalMember`), `attributes` (a node, such as the format and scale of a time).
"""
struct LogicalColumn
    name::String
    class::Union{Nothing,String}
    unit::Union{Nothing,String}
    members::Vector{LogicalMember}
    attributes::Any
end

"""
Description of a table: what its file says besides the values.

    metadata = AsdfKit.table_metadata("catalogue.ecsv")
    metadata["flux"].unit           # "mJy"
    metadata.meta["survey"]         # metadata of the table: a node

| field | content |
|---|---|
| `columns` | vector of `ColumnMetadata` in the order of the table |
| `meta` | metadata of the table: a node, or `nothing` |
| `schema` | name of the convention of the metadata, such as `astropy-2.0`, or `nothing` |
| `logical_columns` | vector of `LogicalColumn` |
| `warnings` | findings of the reader: irregularities that do not prevent reading |

`metadata[name]` returns a column, `keys(metadata)` the names, `units(metadata)` a `Dict` of the units.
"""
struct TableMetadata
    columns::Vector{ColumnMetadata}
    meta::Any
    schema::Union{Nothing,String}
    logical_columns::Vector{LogicalColumn}
    warnings::Vector{Finding}
end

Base.keys(metadata::TableMetadata) = [column.name for column in metadata.columns]
Base.length(metadata::TableMetadata) = length(metadata.columns)
Base.haskey(metadata::TableMetadata, name) = any(column -> column.name == String(name), metadata.columns)

function Base.getindex(metadata::TableMetadata, name::Union{AbstractString,Symbol})
    for column in metadata.columns
        column.name == String(name) && return column
    end
    throw(KeyError(name))
end

"Returns the units of all columns that have one, by their names."
units(metadata::TableMetadata) =
    Dict{String,String}(column.name => column.unit for column in metadata.columns if column.unit !== nothing)

function Base.show(io::IO, metadata::TableMetadata)
    print(io, "AsdfKit.TableMetadata of ", length(metadata), " columns:")
    for column in metadata.columns
        print(io, "\n  ", column.name)
        column.unit === nothing || print(io, " [", column.unit, "]")
        column.description === nothing || print(io, ": ", column.description)
    end
end

"Returns the description of a table handle with the columns of these names."
function metadata_of(table::Table, names)
    columns = [column_metadata(table, name) for name in names]
    schema = or_nothing(read_text((buffer...) -> LibAsdfKit.asdf_table_schema(table, buffer...)))
    meta = meta_of(table)
    report = make(out -> LibAsdfKit.asdf_table_report(table, out), Report)
    logical = make(out -> LibAsdfKit.asdf_table_logical_columns(table, out), LogicalColumns)
    return TableMetadata(columns, meta, schema, logical_columns(logical), findings(report))
end

"Returns the metadata of a table as a whole, or `nothing`."
meta_of(table::Table) = metadata_node(out -> LibAsdfKit.asdf_table_meta(table, out))

"Key of the metadata under which astropy tells how it stored its columns."
const ENTRIES = "__serialized_columns__"

"""
Returns the description of a table whose columns have other names, as times in two columns of the file are one vector.
The metadata lose the entries of columns that are `converted`: those told how the file stored them, and would change the
meaning of the values that the program has.
"""
function without_entries(metadata::TableMetadata, converted, names)
    isempty(converted) && return metadata
    entry(name) = if_node(if_node(metadata.meta, ENTRIES), Key(name))
    columns = [haskey(metadata, name) ? metadata[name] : split_column(name, entry(name)) for name in names]
    return TableMetadata(columns, removed_entries(metadata.meta, converted), metadata.schema, metadata.logical_columns,
                         metadata.warnings)
end

"Returns the node under a key, or `nothing`."
if_node(::Nothing, key) = nothing
if_node(at::Node, key) = haskey(at, key) ? node(at, key) : nothing

"Returns the description of a column that is stored in several: its entry has what they do not have."
function split_column(name, entry)
    info = if_node(entry, "__info__")
    text(key) = info !== nothing && haskey(info, key) ? String(info[key, String]) : nothing
    return ColumnMetadata(name, text("unit"), text("description"), text("format"), nothing, nothing, if_node(info, "meta"))
end

"""
Returns metadata without the entries that do not fit the columns of a table: those that refer to columns that it does not
have, as after another selection, and those of columns of times, which get new ones.
"""
function fitting_entries(meta::Node, columns)
    entries = if_node(meta, ENTRIES)
    (entries === nothing || node_type(entries) != LibAsdfKit.ASDF_NODE_MAPPING) && return meta
    times = [name for (name, values) in columns if values isa AbstractVector && are_times(narrowed(values))]
    names = [plain_key(key(entries, index)) for index in 0:length(entries)-1]
    fits(index) = !(names[index+1] in times) && issubset(referred_columns(item_node(entries, index), 1), first.(columns))
    others = [names[index+1] for index in 0:length(entries)-1 if !fits(index)]
    return isempty(others) ? meta : removed_entries(meta, others)
end

"Returns the names of the columns of the file that an entry refers to."
function referred_columns(at::Node, depth)
    node_type(at) in (LibAsdfKit.ASDF_NODE_SEQUENCE, LibAsdfKit.ASDF_NODE_MAPPING) && depth <= DEEPEST || return String[]
    is_column = tag(at, "") == "!astropy.table.SerializedColumn" && !haskey(at, "__class__")
    is_column && return haskey(at, "name") ? [string(at["name"])] : String[]
    return reduce(vcat, (referred_columns(item_node(at, index), depth + 1) for index in 0:length(at)-1); init = String[])
end

"Returns a copy of metadata without the entries of these columns; `nothing` if nothing remains."
function removed_entries(meta::Node, names)
    mapping = new_mapping()
    mapping["meta"] = meta
    copy = node(mapping, "meta")
    entries = node(copy, ENTRIES)
    foreach(name -> haskey(entries, Key(name)) && delete!(entries, Key(name)), names)
    length(entries) == 0 && delete!(copy, ENTRIES)
    return length(copy) == 0 ? nothing : copy
end

"Returns a node of metadata, or `nothing`."
metadata_node(call) = make_if_found(call, Node)

or_nothing(text) = isempty(text) ? nothing : text

"Returns the truth value that a call writes after its arguments."
function flag(ask, arguments...)
    answer = Ref{Int32}(0)
    check(ask(arguments..., answer))
    return answer[] != 0
end

function column_names(table::Table)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_table_column_count(table, count))
    return [read_text((buffer...) -> LibAsdfKit.asdf_table_column_name(table, i, buffer...)) for i in 0:count[]-1]
end

function row_count(table::Table)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_table_row_count(table, count))
    return Int(count[])
end

function column_metadata(table, name)
    property(get) = or_nothing(read_text((buffer...) -> get(table, name, buffer...)))
    # An empty text is not the same as none.
    property(get, has) = flag(has, table, name) ? read_text((buffer...) -> get(table, name, buffer...)) : nothing
    return ColumnMetadata(
        name,
        property(LibAsdfKit.asdf_table_column_unit, LibAsdfKit.asdf_table_column_has_unit),
        property(LibAsdfKit.asdf_table_column_description, LibAsdfKit.asdf_table_column_has_description),
        property(LibAsdfKit.asdf_table_column_format, LibAsdfKit.asdf_table_column_has_format),
        property(LibAsdfKit.asdf_table_column_declared_datatype),
        property(LibAsdfKit.asdf_table_column_declared_subtype),
        metadata_node(out -> LibAsdfKit.asdf_table_column_meta(table, name, out)),
    )
end

"Returns the content of a handle of logical columns."
function logical_columns(columns::LogicalColumns)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_logical_columns_count(columns, count))
    return [logical_column(columns, i) for i in 0:count[]-1]
end

function logical_column(columns, i)
    text(get, index...) = read_text((buffer...) -> get(columns, i, index..., buffer...))
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_logical_columns_member_count(columns, i, count))
    members = [LogicalMember(text(LibAsdfKit.asdf_logical_columns_member_name, member),
                             text(LibAsdfKit.asdf_logical_columns_member_attribute, member)) for member in 0:count[]-1]
    return LogicalColumn(
        text(LibAsdfKit.asdf_logical_columns_name),
        or_nothing(text(LibAsdfKit.asdf_logical_columns_class)),
        flag(LibAsdfKit.asdf_logical_columns_has_unit, columns, i) ? text(LibAsdfKit.asdf_logical_columns_unit) : nothing,
        members,
        metadata_node(out -> LibAsdfKit.asdf_logical_columns_attributes(columns, i, out)),
    )
end
