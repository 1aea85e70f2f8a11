# Storing values in trees: scalars, texts, dictionaries, vectors, arrays, missing elements, records.

"""
    file[path] = value
    node[path] = value

Store a value: `nothing`, `Bool`, integers, floats, complex numbers, texts, a `Dict` or `NamedTuple` (a mapping), a
vector or tuple of mixed values (a sequence), or an array of numbers, `Bool`, texts or `NamedTuple`s. `missing` in an
array makes a mask. Missing mappings of the path are made. `AsdfKit.set!` has options for arrays.

A key is a path, or an `AsdfKit.Key`, an integer or a truth value, which are no paths; an integer is the number of an item
in a sequence. An `AsdfArray` and `file[path] = AsdfKit.node(other, path)` copy a node with all that is in it. An `ArgumentError` if a value cannot be
stored, such as a `BigFloat` that no `Float64` represents exactly; then nothing changes.
"""
Base.setindex!(file::File, value, path::Union{AbstractString,Integer}) = setindex!(root(file), value, path)
function Base.setindex!(at::Node, value, key::LiteralKey)
    check_item(value)
    with_made_node(made -> setindex!(made, value, ""), at, key)
end
function Base.setindex!(at::Node, value, path::AbstractString)
    check_outside(at, path)
    value isa AbstractArray && !(value isa AsdfArray) && !is_sequence(value) && return set!(at, path, value)
    check_item(value)
    value isa Union{AbstractDict,NamedTuple,Tuple,AbstractArray} && !(value isa AsdfArray) || return store(at, path, value)
    with_place((at, path) -> store(at, path, value), at, path)
end

"""
Calls `store_parts(node, path)`, whose calls of setters all mean one place. So an item that `-` appends is made before;
it is removed if storing fails.
"""
function with_place(store_parts, at, path)
    "-" in split(path, '/') && !haskey(at, path) || return store_parts(at, path)
    made = make(out -> LibAsdfKit.asdf_node_make(at, path, out), Node)
    try
        return store_parts(made, "")
    catch
        remove_node(made, "")
        rethrow()
    end
end

store(at, path, ::Nothing) = check(LibAsdfKit.asdf_node_set_null(at, path))
store(at, path, value::Bool) = check(LibAsdfKit.asdf_node_set_bool(at, path, value))
store(at, path, value::AbstractFloat) = check(LibAsdfKit.asdf_node_set_f64(at, path, exact_float(value)))
store(at, path, value::Complex) =
    check(LibAsdfKit.asdf_node_set_complex(at, path, exact_float(real(value)), exact_float(imag(value))))
store(at, path, value::Symbol) = store(at, path, String(value))
store(at, path, value::AbstractString) =
    check(LibAsdfKit.asdf_node_set_string(at, path, String(value), sizeof(String(value))))
store(at, path, value::Binary) =
    check(LibAsdfKit.asdf_node_set_binary(at, path, value.bytes, length(value)))
function store(at, path, value::TaggedText)
    value.tag == TIMESTAMP_TAG &&
        return check(LibAsdfKit.asdf_node_set_timestamp(at, path, value.text, sizeof(value.text)))
    with_place(at, path) do at, path
        check(LibAsdfKit.asdf_node_set_string(at, path, value.text, sizeof(value.text)))
        check(LibAsdfKit.asdf_node_set_tag(at, path, value.tag))
    end
end
store(at, path, value::Integer) =
    check(LibAsdfKit.asdf_node_set_integer(at, path, string(value), sizeof(string(value))))
store(at, path, from::Node) = check(LibAsdfKit.asdf_node_copy(at, path, from, C_NULL))
store(at, path, value) = not_storable(value)

not_storable(value) = throw(ArgumentError("a $(typeof(value)) cannot be stored in a tree"))

store(at, path, from::AsdfArray) = store(at, path, node_of(from))
"Returns the node that describes an array."
node_of(array::AsdfArray) = array.node === nothing ?
    throw(ArgumentError("an array without its mask is no node; read(array) has the elements")) : array.node

"Returns a number as a Float64, or throws if none represents it."
function exact_float(value::Real)
    float = try Float64(value) catch; not_storable(value) end
    isequal(float, value) || isnan(value) || throw(ArgumentError(
        "no Float64 represents the $(typeof(value)) $value exactly; Float64(value) rounds it"))
    return float
end

function store(at, path, items::Union{AbstractDict,NamedTuple})
    check(LibAsdfKit.asdf_node_set_mapping(at, path, 0))
    for (key, item) in pairs(items)
        if key isa LiteralKey || literal(string(key)) isa Key
            place = isempty(path) ? at : node(at, path)
            store(made_node(place, key isa LiteralKey ? key : Key(string(key))), "", item)
        else
            store(at, join_path(path, escape_key(string(key))), item)
        end
    end
end

function store(at, path, items::Tuple)
    check(LibAsdfKit.asdf_node_set_sequence(at, path, 0))
    for (index, item) in enumerate(items)
        check(LibAsdfKit.asdf_node_set_null(at, join_path(path, "-")))
        store(at, join_path(path, string(index - 1)), item)
    end
end

store(at, path, values::AbstractArray) =
    is_sequence(values) ? store(at, path, Tuple(values)) : set!(at, path, values)

is_sequence(::Binary) = true

"Returns whether an array is stored as a sequence of values, not as an array."
function is_sequence(values::AbstractArray)
    Base.require_one_based_indexing(values)
    T = nonmissingtype(eltype(values))
    T != Union{} && (T in keys(SCALAR_CODES) || T <: AbstractString || T <: NamedTuple) && return false
    ndims(values) == 1 || throw(ArgumentError("an array of $(eltype(values)) cannot be stored"))
    return true
end

# A value inside of others that cannot be stored is found before the tree changes.

"Throws if a value cannot be stored, or a value in it. `around` are the collections that hold the value."
check_item(value, around) = check_item(value)
check_item(items::Union{Tuple,AbstractDict,NamedTuple,AbstractArray}) = check_item(items, ())
check_item(items::Tuple, around) = foreach(item -> check_item(item, around), items)
function check_item(items::Union{AbstractDict,NamedTuple}, around)
    inside = checked_around(items, around)
    names = collect(keys(items))
    foreach(check_key, names)
    allunique(unique_key.(names)) || throw(ArgumentError("two keys have the same text"))
    foreach(item -> check_item(item, inside), values(items))
end
function check_item(values::AbstractArray, around)
    is_sequence(values) || return check_array(values)
    inside = checked_around(values, around)
    foreach(item -> check_item(item, inside), values)
end
check_item(::Binary, around) = nothing

"Returns the collections around the items of a collection, or throws if it is in itself."
function checked_around(items, around)
    any(outer -> outer === items, around) &&
        throw(ArgumentError("a $(typeof(items)) contains itself; a file cannot hold that"))
    return (items, around...)
end
check_item(value::AbstractFloat) = (exact_float(value); nothing)
check_item(value::Complex) = (exact_float(real(value)); exact_float(imag(value)); nothing)
check_item(::Union{Nothing,Integer,Symbol,Node,Binary}) = nothing
check_item(array::AsdfArray, around) = (node_of(array); nothing)
check_item(text::AbstractString) = isvalid(text) ? nothing : throw(ArgumentError("a text is not valid UTF-8"))
check_item(value) = not_storable(value)

check_array(values) = check_array(nonmissingtype(eltype(values)), values)
check_array(::Type, values) = nothing
check_array(::Type{<:AbstractString}, values) = check_texts("an array", skipmissing(values))
check_array(::Type{T}, values) where {T<:NamedTuple} = (pack_records("", collect(T, skipmissing(values))); nothing)

join_path(path, key) = isempty(path) ? "/$key" : "$path/$key"
escape_key(key) = replace(replace(key, "~" => "~0"), "/" => "~1")

"""
    AsdfKit.set!(file, path, array; lend = false, options...)

Store an array with options: `compression = "zlib"`, `level`, `storage = :inline`, `byte_order = :big`, ….

The elements are copied. `lend = true` saves the copy: then the array must not change before the file is written. It
stays alive until the file is closed and no node or array of it is left. Texts, records, and arrays that are not in
memory at regular distances are copied anyway.
"""
set!(at::Node, path::AbstractString, values::AsdfArray; options...) = set!(at, path, as_array(values); options...)
set!(file::File, path::Union{AbstractString,Integer}, values::AbstractArray; options...) =
    set!(root(file), path, values; options...)
set!(at::Node, key::LiteralKey, values::AbstractArray; options...) =
    with_made_node(made -> set!(made, "", values; options...), at, key)

function set!(at::Node, path::AbstractString, values::AbstractArray; lend::Bool = false, options...)
    check_outside(at, path)
    Base.require_one_based_indexing(values)
    T = nonmissingtype(eltype(values))
    elements = eltype(values) == T ? values : without_holes(T, values)
    masked = eltype(values) != T && any(ismissing, values)
    masked || return set_elements(at, path, T, elements, lend, options)
    with_place(at, path) do at, path
        set_elements(at, path, T, elements, lend, options)
        # The mask is compressed as the elements are.
        of_mask = Dict(pair for pair in pairs(options) if first(pair) in (:compression, :codec, :level, :threads))
        set_elements(at, join_path(path, "mask"), Bool, map(ismissing, values), false, of_mask)
    end
end

"Returns an array with some element in the place of each missing one."
without_holes(::Type{T}, values) where {T} = T[ismissing(value) ? placeholder(T, values) : value for value in values]
placeholder(::Type{T}, values) where {T<:Number} = zero(T)
placeholder(::Type{T}, values) where {T<:AbstractString} = ""
placeholder(::Type{T}, values) where {T} =
    all(ismissing, values) ? throw(ArgumentError("all records are missing")) : first(skipmissing(values))

c_shape(values) = Int64[reverse(size(values))...]

function set_elements(at, path, ::Type{T}, values, lent, options) where {T<:Scalar}
    isconcretetype(T) || not_an_array(T)
    set_memory(at, path, scalar_code(T), c_shape(values), memory_of(T, values), lent, options)
end

# Compiled once for all types of elements.
function set_memory(at, path, code, shape, source, lent, options)
    strides = source.strides
    lent || return GC.@preserve source run_with_options(:asdf_node_set_array, options; strides = strides) do handle
        LibAsdfKit.asdf_node_set_array(at, path, code, length(shape), shape, source.start, source.size, handle)
    end
    run_with_options(:asdf_node_set_array_borrowed, options; strides = strides) do handle
        lend(source) do release, user
            LibAsdfKit.asdf_node_set_array_borrowed(at, path, code, length(shape), shape, source.start, source.size,
                                                    release, user, handle)
        end
    end
end

function set_elements(at, path, ::Type{T}, values, lent, options) where {T<:AbstractString}
    set_packed(at, path, pack_strings("the array at \"$path\"", String.(vec(values))), c_shape(values), options)
end

set_elements(at, path, ::Type{T}, values, lent, options) where {T} = not_an_array(T)
not_an_array(T) =
    throw(ArgumentError("an array of $T cannot be stored; the elements are numbers, Bool, texts or NamedTuples"))

function set_elements(at, path, ::Type{T}, values, lent, options) where {T<:NamedTuple}
    set_packed(at, path, pack_records("the records at \"$path\"", vec(values)), c_shape(values), options)
end

# Texts and records are packed into a copy of their own, so that nothing is lent.
function set_packed(at, path, packed, shape, options)
    run_with_options(:asdf_node_set_array, options; datatype = packed.type) do handle
        LibAsdfKit.asdf_node_set_array(at, path, 0, length(shape), shape, packed.bytes, sizeof(packed.bytes), handle)
    end
end

# Nodes of metadata ---------------------------------------------------------------------------------------------------

"""
    new_mapping()

Make an empty mapping that belongs to no file, such as metadata of a table.

    meta = AsdfKit.new_mapping()
    meta["exposure/time"] = 1.5
    AsdfKit.write_ecsv("a.ecsv", (x = [1, 2],); meta = meta)
"""
new_mapping() = make(LibAsdfKit.asdf_node_new_mapping, Node)

"Returns the node of a value as metadata of tables, whose arrays are lists. A node stays as it is."
tree_node(value::Node) = value
function tree_node(value)
    mapping = new_mapping()
    mapping["meta"] = listed(value)
    return node(mapping, "meta")
end

"Values of a dictionary with lists in place of arrays."
struct Listed{D<:AbstractDict} <: AbstractDict{Any,Any}
    items::D
end
Base.length(listed::Listed) = length(listed.items)
function Base.iterate(items::Listed, state...)
    next = iterate(items.items, state...)
    next === nothing && return nothing
    (key, item), state = next
    return key => listed(item), state
end

"Returns a value with tuples, which are stored as sequences, in place of arrays."
listed(value) = value
listed(value::Missing) = nothing
listed(value::Binary) = value
listed(value::AsdfArray) = listed(read(value))
listed(items::AbstractDict) = Listed(items)
listed(items::Union{Tuple,NamedTuple}) = map(listed, items)
listed(items::AbstractVector) = Tuple(listed(item) for item in items)
listed(items::AbstractArray) = Tuple(listed(selectdim(items, ndims(items), i)) for i in axes(items, ndims(items)))

remove_node(at::Node, path) = check(LibAsdfKit.asdf_node_remove(at, path))
