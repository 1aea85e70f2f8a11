# Columns of tables as Julia vectors: numbers, texts, and cells that are arrays; missing ones are `missing`.
# Reading first, then writing. Tables as a whole are in tables.jl.

# Reading -------------------------------------------------------------------------------------------------------------

"Returns a column of a table as a vector with an entry for each row; see `read_ecsv` for the types."
function read_column(table::Table, name::AbstractString)
    code = column_code(table, name)
    shape = column_shape(table, name)
    elements, mask = is_text_code(code) ? load_texts(table, name, code) : load_numbers(table, name, code)
    if isempty(shape)
        # Texts of a masked column are written with a mask again: otherwise empty ones would be missing.
        is_masked = elements isa Vector{String} && flag(LibAsdfKit.asdf_table_column_has_mask, table, name)
        found = with_missing(elements, mask)
        return is_masked ? convert(Vector{Union{Missing,String}}, found) : found
    end
    lengths = Vector{Int64}(undef, row_count(table))
    check(LibAsdfKit.asdf_table_read_cell_lengths(table, name, 0, length(lengths), lengths, length(lengths)))
    return split_cells(elements, mask, lengths, Val(length(shape)), reverse(shape))
end

function column_code(table::Table, name)
    code = Ref{Int32}(0)
    check(LibAsdfKit.asdf_table_column_datatype(table, name, code))
    return code[]
end

"Returns the shape of the cells of a column in C order; -1 as the last extent if the cells differ in it."
column_shape(table::Table, name) = read_extents() do extents, capacity, rank
    LibAsdfKit.asdf_table_column_shape(table, name, extents, capacity, rank)
end

is_text_code(code) = code in (LibAsdfKit.ASDF_STRING, LibAsdfKit.ASDF_JSON, LibAsdfKit.ASDF_FLOAT128,
                              LibAsdfKit.ASDF_COMPLEX256)

"Returns all elements of a column of numbers in C order, and a mask of bytes."
function load_numbers(table::Table, name, code)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_table_element_count(table, name, 0, row_count(table), count))
    elements = Vector{memory_type(scalar_type(code))}(undef, count[])
    mask = Vector{UInt8}(undef, count[])
    check(LibAsdfKit.asdf_table_read_column(table, name, 0, -1, code, C_NULL, elements, sizeof(elements), mask,
                                            length(mask)))
    return from_memory(scalar_type(code), elements), mask
end

"Returns all elements of a column that is stored as text, and a mask of bytes."
function load_texts(table::Table, name, code)
    texts, mask = load_strings(:asdf_table_load_text, NO_PAIRS) do options, bytes, offsets, mask
        LibAsdfKit.asdf_table_load_text(table, name, 0, -1, options, bytes, offsets, mask)
    end
    return parse_texts(texts, mask, code), mask
end

function parse_texts(texts, mask, code)
    parser = code == LibAsdfKit.ASDF_FLOAT128 ? parse_float128 :
             code == LibAsdfKit.ASDF_COMPLEX256 ? parse_complex256 : return texts
    empty_value = parser("0")
    return [mask[i] == 0 ? parser(texts[i]) : empty_value for i in eachindex(texts)]
end

parse_float128(text) = parse(BigFloat, text)

"Parses a complex number in the notation of Python: `(1.5-2j)`, `2j`, `1`, `inf+nanj`."
function parse_complex256(text)
    number = strip(text, ['(', ')'])
    endswith(number, r"[jJ]") || return Complex{BigFloat}(parse(BigFloat, number))
    imaginary = chop(number)
    # The sign between the parts is the last one that is not part of an exponent.
    split_at = findlast(i -> imaginary[i] in "+-" && !(imaginary[i-1] in "eE"), 2:lastindex(imaginary))
    split_at === nothing && return Complex(big"0.0", parse(BigFloat, imaginary))
    return Complex(parse(BigFloat, imaginary[1:split_at]), parse(BigFloat, imaginary[split_at+1:end]))
end

"""
Divides the elements of a column into cells. `extents` is the shape of a cell in Julia order; the first one is -1 if
it differs between the cells.
"""
function split_cells(elements::Vector{T}, mask, lengths, ::Val{N}, extents) where {T,N}
    inner = prod(extents[2:end])
    function shape_of(count)
        extents[1] >= 0 && return NTuple{N,Int}(extents)
        return NTuple{N,Int}((inner == 0 ? 0 : count ÷ inner, extents[2:end]...))
    end
    fixed = extents[1] >= 0 ? prod(extents) : -1
    sizes = [max(0, fixed >= 0 ? fixed : length) for length in lengths]
    starts = cumsum([0; sizes])
    is_masked(row) = any(!iszero, view(mask, starts[row]+1:starts[row+1]))
    has_masked_elements = any(row -> lengths[row] >= 0 && is_masked(row), eachindex(lengths))
    E = has_masked_elements ? Union{Missing,T} : T
    C = any(<(0), lengths) ? Union{Missing,Array{E,N}} : Array{E,N}
    cells = Vector{C}(undef, length(lengths))
    for row in eachindex(lengths)
        if lengths[row] < 0
            cells[row] = missing
            continue
        end
        range = starts[row]+1:starts[row+1]
        cell = Vector{E}(elements[range])
        for (i, at) in enumerate(range)
            mask[at] == 0 || (cell[i] = missing)
        end
        cells[row] = reshape(cell, shape_of(length(range)))
    end
    # Cells of this batch that have one size, or are all missing, do not tell the shape of the column.
    shape_is_clear = fixed >= 0 && any(>=(0), lengths)
    return shape_is_clear ? cells : Cells(cells, collect(Int, extents))
end

"""
Vector of cells that are arrays, with the shape of their column: -1 as the first extent if cells differ in it. A column of
cells of different lengths is such a vector, and one whose cells are all missing, so that it is written with its shape
again, whatever cells a batch or a part of the rows has. Parts of rows, copies and `vcat` keep the shape.
"""
struct Cells{C} <: AbstractVector{C}
    cells::Vector{C}
    extents::Vector{Int}
end

Base.size(column::Cells) = size(column.cells)
Base.IndexStyle(::Type{<:Cells}) = IndexLinear()
Base.@propagate_inbounds Base.getindex(column::Cells, row::Int) = column.cells[row]
Base.getindex(column::Cells, rows::Union{AbstractVector,Colon}) = Cells(column.cells[rows], column.extents)
Base.@propagate_inbounds Base.setindex!(column::Cells, cell, row::Int) = (column.cells[row] = cell; column)
Base.copy(column::Cells) = Cells(copy(column.cells), column.extents)
Base.vcat(first::Cells, others::Cells...) =
    Cells(vcat(first.cells, (other.cells for other in others)...), first.extents)
for change in (:push!, :append!, :resize!, :deleteat!)
    @eval Base.$change(column::Cells, arguments...) = ($change(column.cells, arguments...); column)
end

"Returns a vector of cells of a column of this shape; any other vector as it is."
with_shape(values, shape) = values
with_shape(values::AbstractVector, shape::Vector{Int}) = Cells(collect(values), shape)

"Returns the shape of the column that a vector of cells was read from, in Julia order; `nothing` if it is not known."
cell_extents(entries) = nothing
cell_extents(column::Cells) = column.extents
cell_extents(part::SubArray{<:Any,1}) = cell_extents(parent(part))

# Writing -------------------------------------------------------------------------------------------------------------

"""
Appends a column to a table handle. `type` is the ECSV type of texts: `"string"`, `"json"`, `"float128"` or
`"complex256"`; `variable` makes a column of cells of different length even if all cells have one size; `in_batches` stores
spans in a way that no value changes.
"""
function add_column!(table::Table, name::String, values; type = nothing, variable = false, in_batches = false)
    values isa AbstractVector || throw(ArgumentError(
        "column \"$name\" is a $(typeof(values)), not a vector; a column has one entry for each row"))
    entries = narrowed(values)
    T = nonmissingtype(eltype(entries))
    if type !== nothing
        T <: Union{AbstractString,AbstractChar,Symbol} || throw(ArgumentError(
            "column \"$name\" has entries of type $T; only texts can be declared as $type"))
        return add_texts!(table, name, entries, text_code(type, name))
    end
    in_batches && T != Union{} && T <: Dates.FixedPeriod && return add_spans!(table, name, T, entries, "datetime")
    return add_entries!(table, name, T, entries, variable)
end

"Returns a vector with the narrowest type that all entries have, if the type of the vector says too little."
function narrowed(values::AbstractVector)
    T = nonmissingtype(eltype(values))
    (isconcretetype(T) || T <: AbstractString) && return values
    return identity.(values)
end

const TEXT_TYPES = Dict("string" => LibAsdfKit.ASDF_STRING, "json" => LibAsdfKit.ASDF_JSON,
                        "float128" => LibAsdfKit.ASDF_FLOAT128, "complex256" => LibAsdfKit.ASDF_COMPLEX256)

text_code(type, name) = get(TEXT_TYPES, String(type)) do
    throw(ArgumentError("column \"$name\": \"$type\" is no type of texts; the types are " *
                        join(sort!(collect(keys(TEXT_TYPES))), ", ", " and ")))
end

add_entries!(table, name, ::Type{Union{}}, entries, variable) = throw(ArgumentError(
    "column \"$name\" has only missing entries, so it has no type; declare one: Vector{Union{Missing,Float64}}"))

add_entries!(table, name, ::Type{T}, entries, variable) where {T} = throw(ArgumentError(
    "column \"$name\" has entries of type $T; a column holds numbers, Bool, texts, or arrays of one type of these"))

add_entries!(table, name, ::Type{T}, entries, variable) where {T<:Complex} = throw(ArgumentError(
    "column \"$name\" has entries of type $T; complex numbers are stored as ComplexF64 or ComplexF32: ComplexF64.(values)"))

function add_entries!(table, name, ::Type{T}, entries, variable) where {T<:Scalar}
    elements, mask = without_missing(T, entries)
    check(LibAsdfKit.asdf_table_add_column(table, name, scalar_code(T), 0, C_NULL, elements, sizeof(elements),
                                           mask_pointer(mask)..., C_NULL))
end

add_entries!(table, name, ::Type{T}, entries, variable) where {T<:Union{AbstractString,AbstractChar,Symbol}} =
    add_texts!(table, name, entries, LibAsdfKit.ASDF_STRING)

add_entries!(table, name, ::Type{BigFloat}, entries, variable) =
    add_texts!(table, name, passmissing_map(float128_text, entries), LibAsdfKit.ASDF_FLOAT128)

add_entries!(table, name, ::Type{Complex{BigFloat}}, entries, variable) =
    add_texts!(table, name, passmissing_map(complex256_text, entries), LibAsdfKit.ASDF_COMPLEX256)

passmissing_map(f, entries) = [ismissing(entry) ? missing : f(entry) for entry in entries]

float128_text(number) = isfinite(number) ? string(number) : lowercase(string(number))
complex256_text(number) = float128_text(real(number)) * (signbit(imag(number)) ? "" : "+") *
                          float128_text(imag(number)) * "j"

"Returns packed elements and the mask; the mask is empty if the entries cannot be missing."
function without_missing(::Type{T}, entries) where {T}
    eltype(entries) <: T && return convert(Vector{T}, entries), UInt8[]
    mask = UInt8[ismissing(entry) for entry in entries]
    return T[ismissing(entry) ? zero(T) : entry for entry in entries], mask
end

function add_texts!(table, name, entries, code)
    # With a mask, astropy makes a masked column of texts that cannot be missing.
    mask = Missing <: eltype(entries) ? UInt8[ismissing(entry) for entry in entries] : UInt8[]
    texts = [ismissing(entry) ? "" : string(entry) for entry in entries]
    offsets = cumsum(Int64[0; sizeof.(texts)])
    bytes = join_texts(texts)
    check(LibAsdfKit.asdf_table_add_text_column(table, name, code, bytes, sizeof(bytes), offsets, length(offsets),
                                                mask_pointer(mask)...))
end

function join_texts(texts)
    bytes = IOBuffer()
    foreach(text -> Base.write(bytes, text), texts)
    return take!(bytes)
end

# Cells that are arrays -----------------------------------------------------------------------------------------------

function add_entries!(table, name, ::Type{A}, entries, variable) where {A<:AbstractArray}
    present = collect(skipmissing(entries))
    E, N = cell_type(name, A, present)
    extents = something(cell_extents(entries), fill(0, N))
    sizes = unique(size.(present))
    isempty(sizes) && cell_extents(entries) !== nothing && extents[1] >= 0 && push!(sizes, Tuple(extents))
    if length(sizes) == 1 && !variable && extents[1] >= 0
        add_fixed_cells!(table, name, E, entries, sizes[1])
    else
        inner = unique(map(size -> size[2:end], sizes))
        N >= 1 && length(inner) <= 1 || throw(ArgumentError(
            "column \"$name\": cells can differ in the first dimension only, but have the sizes $(join(sizes, ", "))"))
        add_variable_cells!(table, name, E, entries, isempty(inner) ? Tuple(extents[2:end]) : inner[1])
    end
end

"Returns the type of the elements of cells, and their number of dimensions."
function cell_type(name, ::Type{A}, present) where {A}
    types = unique(nonmissingtype(eltype(narrowed(vec(cell)))) for cell in present)
    filter!(!=(Union{}), types)
    isempty(types) && A <: AbstractArray{<:Any} && push!(types, nonmissingtype(eltype(A)))
    ranks = unique(ndims.(present))
    isempty(ranks) && push!(ranks, ndims(A))
    length(types) == 1 && length(ranks) == 1 || throw(ArgumentError(
        "column \"$name\": all cells must have one type of elements and one number of dimensions; there are " *
        "$(join(types, ", ")) and $(join(ranks, ", ")) dimensions"))
    types[1] <: Union{Scalar,AbstractString} || throw(ArgumentError(
        "column \"$name\": the elements of cells are numbers, Bool or texts, not $(types[1])"))
    return types[1], ranks[1]
end

function add_fixed_cells!(table, name, ::Type{E}, entries, dimensions) where {E}
    count = prod(dimensions)
    flat = flatten_cells(E, entries, count)
    shape = collect(Int64, reverse(dimensions))
    add_flat!(:asdf_table_add_column, name, flat) do code, elements, size, mask, options
        LibAsdfKit.asdf_table_add_column(table, name, code, length(shape), shape, elements, size,
                                         mask_pointer(mask)..., options)
    end
end

function add_variable_cells!(table, name, ::Type{E}, entries, inner) where {E}
    lengths = Int64[ismissing(cell) ? -1 : length(cell) for cell in entries]
    flat = flatten_cells(E, entries, 0)
    shape = collect(Int64, reverse(inner))
    add_flat!(:asdf_table_add_variable_column, name, flat) do code, elements, size, mask, options
        LibAsdfKit.asdf_table_add_variable_column(table, name, code, length(shape), shape, lengths, length(lengths),
                                                  elements, size, mask_pointer(mask)..., options)
    end
end

"Returns all elements of all cells; a missing cell has so many missing elements."
function flatten_cells(::Type{E}, entries, missing_count) where {E}
    flat = Union{Missing,E}[]
    for cell in entries
        ismissing(cell) ? append!(flat, fill(missing, missing_count)) : append!(flat, vec(cell))
    end
    return any(ismissing, flat) ? flat : Vector{E}(flat)
end

function add_flat!(add, call::Symbol, name, flat::Vector)
    E = nonmissingtype(eltype(flat))
    if E <: Scalar
        elements, mask = without_missing(E, flat)
        check(add(scalar_code(E), elements, sizeof(elements), mask, C_NULL))
    else
        mask = any(ismissing, flat) ? UInt8[ismissing(text) for text in flat] : UInt8[]
        elements, width = pack_texts("column \"$name\"", [ismissing(text) ? "" : String(text) for text in flat])
        type = string_datatype(LibAsdfKit.ASDF_ASCII, width)
        run_with_options(call, NO_PAIRS; datatype = type) do options
            add(0, elements, length(elements), mask, options)
        end
    end
end

"Returns texts as strings of one number of bytes, padded with NULs. `place` names their place in messages."
function pack_texts(place, texts)
    check_texts(place, texts)
    width = mapreduce(sizeof, max, texts; init = 1)
    packed = zeros(UInt8, width * length(texts))
    for (i, text) in enumerate(texts)
        copyto!(packed, (i - 1) * width + 1, codeunits(text), 1, sizeof(text))
    end
    return packed, width
end

"Throws if texts cannot be padded with NULs and read again."
function check_texts(place, texts)
    all(isvalid, texts) || throw(ArgumentError("$place: a text is not valid UTF-8"))
    any(text -> endswith(text, '\0'), texts) &&
        throw(ArgumentError("$place: a text in an array cannot end with a NUL"))
    return nothing
end
