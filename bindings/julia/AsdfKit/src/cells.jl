# Tables in memory of the library, whose cells can change. They keep the types, masks and metadata that files have.

"""
    open_table(source; options...)
    open_table(node; options...)
    open_table(file, path; options...)

Read an ECSV table or a table of an ASDF file as it is: with the types of its columns, masks, objects of astropy, units
and metadata. Cells can change; written again, the table is otherwise the same. `source` is a path or the bytes of an
ECSV file.

    table = AsdfKit.open_table("catalogue.ecsv")
    table["flux"]                    # a vector
    table[7, "flux"] = 3.5           # row 7
    table[1:2, "flux"] = [1.5, missing]
    table[8, "name"] = missing
    table[9, "start"] = DateTime(2027, 1, 31, 4, 5)  # in UTC, in a column of times
    AsdfKit.write_ecsv("changed.ecsv", table)
    AsdfKit.set_table!(file, "catalogue", table)

A column keeps its type: a number that does not fit is an `AsdfError`. A cell that is an array takes an array of the
same size, or of any length where cells differ in length. Cells of times and spans are read as the file has them, as
texts or numbers; `DateTime`, `Date`, `(DateTime, Nanosecond)` and texts of the format of the column can be set.
`keys(table)` are the names, `size(table)` the numbers of rows and
columns, `table_metadata(table)` the description.
"""
open_table(file::File, path::AbstractString; options...) = open_table(node(file, path); options...)

function open_table(node::Node; options...)
    return made_with_options(Table, :asdf_node_get_table, options) do handle, out
        LibAsdfKit.asdf_node_get_table(node, "", handle, out)
    end
end

open_table(source; options...) =
    read_ecsv_table(source isa AbstractString ? source : ecsv_bytes(source), Dict{Symbol,Any}(options))

Base.keys(table::Table) = column_names(table)
Base.size(table::Table) = (row_count(table), length(column_names(table)))
Base.getindex(table::Table, name::Union{AbstractString,Symbol}) = read_column(table, String(name))
Base.getindex(table::Table, rows::Union{Integer,AbstractVector,Colon}, name::Union{AbstractString,Symbol}) =
    table[name][rows]

function Base.setindex!(table::Table, value, row::Integer, name::Union{AbstractString,Symbol})
    set_cell!(table, String(name), Int64(row) - 1, value)
    return table
end

function Base.setindex!(table::Table, values, rows::Union{AbstractVector{<:Integer},Colon},
                        name::Union{AbstractString,Symbol})
    numbers = (1:row_count(table))[rows]
    values isa AbstractVector && length(values) == length(numbers) || throw(DimensionMismatch(
        "$(length(numbers)) rows take a vector of so many cells, not a $(typeof(values))" *
        (values isa AbstractVector ? " of length $(length(values))" : "")))
    foreach((row, value) -> table[row, name] = value, numbers, values)
    return table
end

table_metadata(table::Table) = metadata_of(table, column_names(table))

"Returns the handle of an open table, which has its properties."
function make_table(table::Table, properties::TableProperties; in_batches = false)
    properties == TableProperties() ||
        throw(ArgumentError("an open table has its units and metadata; keywords for them are not possible"))
    return table
end

function set_cell!(table, name, row, ::Missing)
    time_kind(table, name) == LibAsdfKit.ASDF_KIND_TIME && return set_time_cell!(table, name, row, missing, false)
    check(LibAsdfKit.asdf_table_set_missing(table, name, row, 1))
end

function set_cell!(table, name, row, value::Union{AbstractString,AbstractChar,Symbol})
    text = string(value)
    check(LibAsdfKit.asdf_table_set_text(table, name, row, 0, text, sizeof(text)))
end

set_cell!(table, name, row, value::BigFloat) = set_cell!(table, name, row, float128_text(value))
set_cell!(table, name, row, value::Complex{BigFloat}) = set_cell!(table, name, row, complex256_text(value))
set_cell!(table, name, row, value::Union{BigInt,Int128,UInt128}) = set_cell!(table, name, row, string(value))
set_cell!(table, name, row, value::Scalar) = set_elements!(table, name, row, [value])

function set_cell!(table, name, row, cell::AbstractArray)
    entries = narrowed(vec(collect(cell)))
    if isempty(entries) && !(eltype(entries) <: Union{Missing,Scalar,AbstractString})
        entries = UInt8[]
    end
    set_elements!(table, name, row, entries)
end

set_cell!(table, name, row, value) = throw(ArgumentError(
    "column \"$name\": a cell is a number, Bool, a text, a time, missing or an array of numbers or texts, not a $(typeof(value))"))

function set_elements!(table, name, row, entries)
    add_flat!(:asdf_table_set_cells, name, entries) do code, elements, size, mask, options
        LibAsdfKit.asdf_table_set_cells(table, name, row, 1, code, elements, size, mask_pointer(mask)..., options)
    end
end
