# NdlBuilder: makes a description from groups, dimension coordinates, arrays and attributes.

"""
    NdlBuilder()
    NdlBuilder(description)

Collect the content of a description, from the beginning or from an existing one. `finish(builder)` returns the
description. Each call checks its arguments, and changes nothing if it fails.

    builder = AsdfKit.NdlBuilder()
    AsdfKit.add_dimcoord!(builder, "/time", nothing, "float64")        # unlimited
    AsdfKit.add_ndarray!(builder, "/wind", (3, "time"), "float32")     # Julia order: time is the slowest axis
    AsdfKit.set_attribute!(builder, "/wind", "units", "m/s")
    AsdfKit.set_storage!(builder, "/wind", "chunk", "[512, 3]")
    AsdfKit.write_ndl("model.yaml", AsdfKit.finish(builder))

Dimensions are in Julia order, the reverse of that in the text. Datatypes, storage directives and `set_notation!` take
NDL notation, whose lists are in the order of the text. One task at a time may use a builder.
"""
function NdlBuilder(from::Union{Nothing,Ndl} = nothing)
    return make(out -> LibAsdfKit.asdf_ndl_builder_new(something(from, C_NULL), out), NdlBuilder)
end

"Return the description with the current content; the builder can be used further. `diagnostics` lists its errors."
finish(builder::NdlBuilder; options...) = made_with_options(Ndl, :asdf_ndl_builder_finish, options) do handle, out
    LibAsdfKit.asdf_ndl_builder_finish(builder, handle, out)
end

"Runs a call that changes a builder, and returns the builder."
function changed(builder, status)
    check(status)
    return builder
end

"Add a group; an existing one stays unchanged. Parent groups of other objects need not be added."
add_group!(builder::NdlBuilder, path::AbstractString) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_add_group(builder, path))

"""
    add_dimcoord!(builder, path, extent, datatype = nothing)

Add a dimension coordinate. `extent` is its number of elements, or `nothing` if it is unlimited.
"""
add_dimcoord!(builder::NdlBuilder, path::AbstractString, extent::Union{Nothing,Integer},
              datatype::Union{Nothing,AbstractString} = nothing) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_add_dimcoord(builder, path, extent_number(extent),
                                                              text_or_null(datatype)))

"""
    add_ndarray!(builder, path, dimensions, datatype = nothing)

Add an array. A dimension is a number of elements, the name of a dimension coordinate, or `nothing` if it is unlimited.
"""
function add_ndarray!(builder::NdlBuilder, path::AbstractString, dimensions,
                      datatype::Union{Nothing,AbstractString} = nothing)
    with_dimensions(dimensions) do rank, extents, coordinates
        changed(builder, LibAsdfKit.asdf_ndl_builder_add_ndarray(builder, path, rank, extents, coordinates,
                                                                 text_or_null(datatype)))
    end
end

"Change the size of a dimension coordinate; `nothing` if it is unlimited."
set_size!(builder::NdlBuilder, path::AbstractString, extent::Union{Nothing,Integer}) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_set_size(builder, path, extent_number(extent)))

"Change the dimensions of an array; see `add_ndarray!`."
function set_shape!(builder::NdlBuilder, path::AbstractString, dimensions)
    with_dimensions(dimensions) do rank, extents, coordinates
        changed(builder, LibAsdfKit.asdf_ndl_builder_set_shape(builder, path, rank, extents, coordinates))
    end
end

extent_number(::Nothing) = -1
function extent_number(extent::Integer)
    extent >= 0 || throw(ArgumentError("an extent is a positive number, or nothing for an unlimited one, not $extent"))
    return extent
end

"Calls a function with dimensions in the order of the C interface. The texts stay valid during the call."
function with_dimensions(call, dimensions)
    slowest_first = collect(Any, reverse(Tuple(dimensions)))
    extents = Int64[each isa AbstractString ? -1 : extent_number(each) for each in slowest_first]
    texts = [each isa AbstractString ? Base.cconvert(Cstring, String(each)) : nothing for each in slowest_first]
    GC.@preserve texts begin
        coordinates = Ptr{UInt8}[text === nothing ? C_NULL : pointer(Base.unsafe_convert(Cstring, text))
                                 for text in texts]
        return call(length(extents), extents, coordinates)
    end
end

"Change the datatype of an object or attribute, in NDL notation. An `AsdfError` if it still has values."
set_datatype!(builder::NdlBuilder, path::AbstractString, datatype::AbstractString; attribute::Attribute = nothing) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_set_datatype(builder, path, text_or_null(attribute), datatype))

"""
    set_attribute!(builder, path, name, value)

Set an attribute to a text, an integer (int32 if it fits, otherwise int64), a float64, or an array of numbers or texts.
"""
set_attribute!(builder::NdlBuilder, path::AbstractString, name::AbstractString, value::AbstractString) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_set_attribute_string(builder, path, name, String(value),
                                                                      sizeof(String(value))))
set_attribute!(::NdlBuilder, ::AbstractString, ::AbstractString, ::Bool) =
    throw(ArgumentError("NDL has no truth values; pass a number"))
set_attribute!(builder::NdlBuilder, path::AbstractString, name::AbstractString, value::Integer) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_set_attribute_i64(builder, path, name, Int64(value)))
set_attribute!(builder::NdlBuilder, path::AbstractString, name::AbstractString, value::AbstractFloat) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_set_attribute_f64(builder, path, name, Float64(value)))
function set_attribute!(builder::NdlBuilder, path::AbstractString, name::AbstractString, values::AbstractArray)
    T = eltype(values)
    word = T <: AbstractString ? "string" : findfirst(==(T), NDL_TYPES)
    word === nothing && throw(ArgumentError("an attribute of NDL has no elements of type $T"))
    declare_attribute!(builder, path, name, size(values), word)
    return set_values!(builder, path, values; attribute = name)
end

"Set an attribute of any size (in Julia order) and datatype, without a value. Set its value afterwards."
function declare_attribute!(builder::NdlBuilder, path::AbstractString, name::AbstractString, dimensions,
                            datatype::AbstractString)
    extents = Int64[reverse(Tuple(dimensions))...]
    return changed(builder, LibAsdfKit.asdf_ndl_builder_set_attribute(builder, path, name, length(extents), extents,
                                                                      datatype))
end

"""
    set_values!(builder, path, values; attribute = nothing)

Set the values of an array, a dimension coordinate or an attribute: an array of numbers (also of enum constants, or
opaque bytes) or of texts (also names of enum constants, or path names of object references), in Julia order.
"""
function set_values!(builder::NdlBuilder, path::AbstractString, values::AbstractArray{T};
                     attribute::Attribute = nothing) where {T<:Scalar}
    packed = convert(Array{T}, values)
    extents = Int64[reverse(size(values))...]
    return changed(builder, LibAsdfKit.asdf_ndl_builder_set_values(
        builder, path, text_or_null(attribute), scalar_code(T), length(extents), extents, packed,
        sizeof(packed), C_NULL))
end

function set_values!(builder::NdlBuilder, path::AbstractString, values::AbstractArray{<:AbstractString};
                     attribute::Attribute = nothing)
    extents = Int64[reverse(size(values))...]
    offsets = cumsum(Int64[0; vec(sizeof.(values))])
    bytes = join_texts(values)
    return changed(builder, LibAsdfKit.asdf_ndl_builder_set_texts(
        builder, path, text_or_null(attribute), length(extents), extents, bytes, length(bytes), offsets,
        length(offsets)))
end

"""
    set_notation!(builder, path, text; attribute = nothing)

Set the values in NDL notation, such as `"[[1, 2], [3, 4]]"`; `nothing` removes them.
"""
set_notation!(builder::NdlBuilder, path::AbstractString, text::Union{Nothing,AbstractString};
              attribute::Attribute = nothing) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_set_value(builder, path, text_or_null(attribute),
                                                           text_and_size(text)...))

"""
    set_storage!(builder, path, directive, text; attribute = nothing)

Set a storage directive in NDL notation; `nothing` removes it. The directive is `shape` or `size` (stored extents),
`chunk`, `filter`, `endian`, `charset`, `fillvalue`, or a key that begins with `x-`.
"""
set_storage!(builder::NdlBuilder, path::AbstractString, directive::AbstractString,
             text::Union{Nothing,AbstractString}; attribute::Attribute = nothing) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_set_storage(builder, path, text_or_null(attribute), directive,
                                                             text_and_size(text)...))

"""
    set_extension!(builder, path, key, text; attribute = nothing)

Set the content of an extension key, `x-...`: one YAML document. `nothing` removes it; the path `nothing` means the
description itself.
"""
set_extension!(builder::NdlBuilder, path::Union{Nothing,AbstractString}, key::AbstractString,
               text::Union{Nothing,AbstractString}; attribute::Attribute = nothing) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_set_extension(
        builder, text_or_null(path), text_or_null(attribute), key, text_and_size(text)...))

text_and_size(::Nothing) = (C_NULL, 0)
text_and_size(text::AbstractString) = (String(text), sizeof(String(text)))

"Remove an attribute, an array, a dimension coordinate, or a group with its content."
Base.delete!(builder::NdlBuilder, path::AbstractString; attribute::Attribute = nothing) =
    changed(builder, LibAsdfKit.asdf_ndl_builder_remove(builder, path, text_or_null(attribute)))
