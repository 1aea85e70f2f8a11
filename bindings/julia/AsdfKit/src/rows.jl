# Rows of tables that are NamedTuples of vectors: a part of them, or all in another order.

"""
    select(table, rows = :, columns = keys(table))

Return a table of some rows and columns of a NamedTuple of vectors, as [`read_ecsv`](@ref) returns it. `rows` is anything
that a vector can be indexed with: a range, row numbers, a vector of `Bool`. `columns` are names in the new order.

    AsdfKit.select(table, 1:10)
    AsdfKit.select(table, coalesce.(table.flux .> 5, false), (:name, :flux))

The metadata that were read with the table go on to describe the columns by their names.
"""
function select(table::NamedTuple, rows = :, columns = keys(table))
    names = Tuple(Symbol(name) for name in (columns isa Union{AbstractString,Symbol} ? (columns,) : columns))
    for name in names
        haskey(table, name) || throw(ArgumentError("the table has no column \"$name\""))
    end
    return NamedTuple{names}(Tuple(table[name][rows] for name in names))
end

"""
    sort_by(table, columns...; rev = false)

Return a table with the rows of a NamedTuple of vectors, sorted by columns, the most important one first. Rows that are
equal in all of them keep their order. `rev` is a `Bool`, or one for each column: whether the largest value comes first.

    AsdfKit.sort_by(table, :class, :flux; rev = (false, true))

Complex numbers are sorted by their real and then their imaginary parts, texts by code point. NaN comes after the other
numbers, and `missing` last, also with `rev`.
"""
function sort_by(table::NamedTuple, columns::Union{AbstractString,Symbol}...; rev = false)
    isempty(columns) && throw(ArgumentError("a table is sorted by at least one column"))
    directions = rev isa Bool ? map(column -> rev, columns) : Tuple(rev)
    length(directions) == length(columns) ||
        throw(ArgumentError("rev has $(length(directions)) values for $(length(columns)) columns"))
    keys = values(select(table, :, columns))
    for (name, key) in zip(columns, keys)
        any(cell -> cell isa AbstractArray, key) &&
            throw(ArgumentError("the cells of the column \"$name\" are arrays, which have no order"))
    end
    order = sortperm(eachindex(first(keys)); alg = MergeSort, lt = (one, other) -> comes_before(keys, directions, one, other))
    return select(table, order)
end

function comes_before(keys, directions, one, other)
    for (key, is_descending) in zip(keys, directions)
        first, second = key[one], key[other]
        classes = (cell_class(first), cell_class(second))
        classes[1] == classes[2] || return classes[1] < classes[2]
        classes[1] == MISSING_CELL && continue
        first, second = ordered_cell(first), ordered_cell(second)
        first == second || return is_descending ? second < first : first < second
    end
    return false
end

const MISSING_CELL = 4

"Returns the class of a cell: those of higher classes come last in both directions. NaN parts have the order of NumPy."
cell_class(::Missing) = MISSING_CELL
cell_class(cell::Real) = isnan(cell) ? 2 : 0
cell_class(cell::Complex) = 2 * isnan(real(cell)) + isnan(imag(cell))
cell_class(cell) = 0

"Returns a value that is ordered as the cell is."
ordered_cell(cell) = cell
ordered_cell(cell::Real) = isnan(cell) ? zero(cell) : cell
ordered_cell(cell::Complex) = (ordered_cell(real(cell)), ordered_cell(imag(cell)))
