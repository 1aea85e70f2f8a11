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
    meta = metadata_node(out -> LibAsdfKit.asdf_table_meta(table, out))
    report = make(out -> LibAsdfKit.asdf_table_report(table, out), Report)
    logical = make(out -> LibAsdfKit.asdf_table_logical_columns(table, out), LogicalColumns)
    return TableMetadata(columns, meta, schema, logical_columns(logical), findings(report))
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
