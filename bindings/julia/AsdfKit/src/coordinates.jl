# Coordinates: positions on the sky, frames, places on Earth and angles, as components with units, and attributes.

"Names of the kinds of coordinates by their numbers."
const COORDINATES_KINDS = Dict(LibAsdfKit.ASDF_COORDINATES_KIND_SKY => :sky, LibAsdfKit.ASDF_COORDINATES_KIND_FRAME => :frame,
                               LibAsdfKit.ASDF_COORDINATES_KIND_REPRESENTATION => :representation,
                               LibAsdfKit.ASDF_COORDINATES_KIND_EARTH_LOCATION => :earth_location,
                               LibAsdfKit.ASDF_COORDINATES_KIND_ANGLE => :angle,
                               LibAsdfKit.ASDF_COORDINATES_KIND_LATITUDE => :latitude,
                               LibAsdfKit.ASDF_COORDINATES_KIND_LONGITUDE => :longitude,
                               LibAsdfKit.ASDF_COORDINATES_KIND_SPECTRAL => :spectral)

"""
    AsdfKit.coordinates(file, path) -> Coordinates
    AsdfKit.coordinates(table, name) -> Coordinates

Return the coordinates at a path, or those of a logical column of a table: positions on the sky, a frame, a place on
Earth, angles or spectral coordinates of astropy.

`c.kind`, `c.frame`, `c.representation` and `c.differential` tell what they are. `keys(c)` are the names of the
components in their frame, such as "ra". `c["ra"]` reads a component in its unit, also by its general name: "lon",
"lat", "distance", "x". `AsdfKit.numbers(c, "ra", "deg")` converts it, `AsdfKit.unit(c, "ra")` returns its unit.
`c.attributes` are the names of the attributes, and `AsdfKit.attribute(c, "equinox")` is the node of one.
"""
coordinates(file::File, path::AbstractString) =
    make(out -> LibAsdfKit.asdf_node_get_coordinates(root(file), path, out), Coordinates)
coordinates(node::Node, path::AbstractString = "") =
    make(out -> LibAsdfKit.asdf_node_get_coordinates(node, path, out), Coordinates)
coordinates(table::Table, name::AbstractString) =
    make(out -> LibAsdfKit.asdf_table_get_coordinates(table, name, out), Coordinates)

"Returns the number that a function of the library writes for coordinates."
function coordinates_number(call, ::Type{T}, handle) where {T}
    number = Ref{T}(0)
    check(call(handle, number))
    return number[]
end

"Returns texts that a function of the library numbers."
function coordinates_names(count, name, handle)
    total = coordinates_number(count, Int64, handle)
    return [read_text((buffer, size, needed) -> name(handle, index, buffer, size, needed)) for index in 0:total-1]
end

function Base.getproperty(handle::Coordinates, property::Symbol)
    property === :pointer && return getfield(handle, :pointer)
    named(call) = read_text((buffer, size, needed) -> call(handle, buffer, size, needed))
    property === :frame && return named(LibAsdfKit.asdf_coordinates_frame)
    property === :representation && return named(LibAsdfKit.asdf_coordinates_representation)
    property === :differential && return named(LibAsdfKit.asdf_coordinates_differential)
    property === :kind &&
        return COORDINATES_KINDS[coordinates_number(LibAsdfKit.asdf_coordinates_kind, Int32, handle)]
    property === :attributes &&
        return coordinates_names(LibAsdfKit.asdf_coordinates_attribute_count,
                                 LibAsdfKit.asdf_coordinates_attribute_name, handle)
    throw(ArgumentError("coordinates have no property '$property'"))
end
Base.propertynames(::Coordinates) = (:kind, :frame, :representation, :differential, :attributes)

Base.keys(handle::Coordinates) = coordinates_names(LibAsdfKit.asdf_coordinates_component_count,
                                                   LibAsdfKit.asdf_coordinates_component_name, handle)
Base.haskey(handle::Coordinates, name::AbstractString) =
    coordinates_number((of, has) -> LibAsdfKit.asdf_coordinates_has_component(of, name, has), Int32, handle) == 1
Base.length(handle::Coordinates) = Int(coordinates_number(LibAsdfKit.asdf_coordinates_count, Int64, handle))

"Returns the size of the points in Julia: the last extent of the file is the first. A single point has the size `()`."
function Base.size(handle::Coordinates)
    shape = Vector{Int64}(undef, LibAsdfKit.ASDF_MAX_RANK)
    rank = Ref{Int32}(0)
    check(LibAsdfKit.asdf_coordinates_shape(handle, shape, length(shape), rank))
    return Tuple(Int.(reverse(shape[1:rank[]])))
end

Base.getindex(handle::Coordinates, name::AbstractString) = numbers(handle, name)

"""
    AsdfKit.numbers(coordinates, name, unit = nothing; threads) -> Array{Float64} or Float64

Read a component of coordinates, converted to a unit. Without one, it stays in its own. Missing numbers are NaN.
"""
function numbers(handle::Coordinates, name::AbstractString, unit::Union{AbstractString,Nothing} = nothing; options...)
    values = Array{Float64}(undef, size(handle))
    wanted = unit === nothing ? C_NULL : unit
    run_with_options(:asdf_coordinates_read, options) do given
        LibAsdfKit.asdf_coordinates_read(handle, name, wanted, given, values, length(values))
    end
    return isempty(size(values)) ? values[] : values
end

"""
    AsdfKit.unit(coordinates, name) -> String

Return the unit of a component of coordinates, as the file has it.
"""
unit(handle::Coordinates, name::AbstractString) =
    read_text((buffer, size, needed) -> LibAsdfKit.asdf_coordinates_unit(handle, name, buffer, size, needed))

"""
    AsdfKit.attribute(coordinates, name) -> Node

Return the node of an attribute of coordinates, such as "equinox" or "location".
"""
attribute(handle::Coordinates, name::AbstractString) =
    make(out -> LibAsdfKit.asdf_coordinates_attribute(handle, name, out), Node)

"""
    AsdfKit.set_coordinates!(file, path, longitudes, latitudes; frame = "icrs", unit = "deg", distance = nothing,
                             distance_unit = nothing, options...)

Set positions on the sky as astropy's SkyCoord, from numbers or arrays. Attributes of the frame and velocities are set
below the path, such as `AsdfKit.set_time!(file, "target/equinox", "J1975.0")`.
"""
function set_coordinates!(file::File, path::AbstractString, longitudes, latitudes; frame = "icrs", unit = "deg",
                          distance = nothing, distance_unit = nothing, options...)
    size(longitudes) == size(latitudes) && (distance === nothing || size(distance) == size(longitudes)) ||
        throw(DimensionMismatch("the numbers of the coordinates differ in their size"))
    plain(values) = values isa AbstractArray ? collect(Float64, values) : fill(Float64(values))
    shape = collect(Int64, reverse(size(longitudes)))
    far = distance === nothing ? C_NULL : plain(distance)
    run_with_options(:asdf_node_set_coordinates, options) do given
        LibAsdfKit.asdf_node_set_coordinates(root(file), path, frame, length(shape), shape, plain(longitudes),
                                             plain(latitudes), unit, far,
                                             distance_unit === nothing ? C_NULL : distance_unit, given)
    end
    return nothing
end
