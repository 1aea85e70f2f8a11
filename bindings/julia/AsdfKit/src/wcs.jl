# World coordinates: pixels to the sky and back, and transforms as functions. Points are tuples, whose memory is that of
# the C interface with the coordinates of one point after the other.

"Inverse of world coordinates, a function from the world to pixels; see `wcs`."
struct WcsInverse
    wcs::Wcs
end

"""
    AsdfKit.wcs(file, path; options...) -> Wcs

Return the world coordinates at a path, a function from pixels to the world:

    world = AsdfKit.wcs(file, "roman/meta/wcs")
    first, second = world(1024, 2048)   # in the order of the last frame
    x, y = inv(world)(first, second)
    positions = world.(xs, ys)          # an array of tuples
    ra, dec = AsdfKit.sky_at(world, 1024, 2048)

Pixel (0, 0) is the center of the first pixel; Julia's `image[i, j]` is the pixel `(i - 1, j - 1)`. Results have the order
and the units of the coordinates of gwcs, where some files have the latitude first: [`sky_at`](@ref) and
[`pixel_at`](@ref) always have the longitude first, in degrees. A single coordinate is no tuple. Pixels outside of the
bounding box give NaN, unless the option
`bounding_box = false` is given. `threads` is another option. The file can be closed.

A transform that is not known, or not valid, is an error of the calls that need it.
"""
wcs(file::File, path::AbstractString; options...) =
    made_with_options(Wcs, :asdf_node_get_wcs, options) do given, out
        LibAsdfKit.asdf_node_get_wcs(root(file), path, given, out)
    end

"""
    AsdfKit.transform(file, path; options...) -> Transform
    AsdfKit.transform(wcs; from = nothing, to = nothing) -> Transform

Return the transform at a path, or that from one frame of world coordinates to another, as a function: `shift(1.5)`,
`shift.(values)`, `inv(shift)`. Without names, the frames are those of the pixels and of the world.
"""
transform(file::File, path::AbstractString; options...) =
    made_with_options(Transform, :asdf_node_get_transform, options) do given, out
        LibAsdfKit.asdf_node_get_transform(root(file), path, given, out)
    end
transform(wcs::Wcs; from = nothing, to = nothing) =
    make(out -> LibAsdfKit.asdf_wcs_transform(wcs, name_or_null(from), name_or_null(to), out), Transform)

name_or_null(::Nothing) = C_NULL
name_or_null(name::AbstractString) = String(name)

Base.inv(wcs::Wcs) = WcsInverse(wcs)
Base.inv(inverse::WcsInverse) = inverse.wcs
Base.inv(transform::Transform) = make(out -> LibAsdfKit.asdf_transform_inverse(transform, out), Transform)

function Base.show(io::IO, wcs::Wcs)
    isopen(wcs) || return print(io, "AsdfKit.Wcs (closed)")
    print(io, "AsdfKit.Wcs(", join((frame.name for frame in frames(wcs)), " -> "), ")")
end

const PointFunction = Union{Wcs,WcsInverse,Transform}

"Returns the numbers of inputs and outputs."
function arity(transform::Transform)
    inputs, outputs = Ref{Int64}(0), Ref{Int64}(0)
    check(LibAsdfKit.asdf_transform_input_count(transform, inputs))
    check(LibAsdfKit.asdf_transform_output_count(transform, outputs))
    return Int(inputs[]), Int(outputs[])
end
arity(wcs::Wcs) = arity(transform(wcs))
arity(inverse::WcsInverse) = reverse(arity(inverse.wcs))

"Calls the function of the C library with points whose coordinates are one after the other."
function evaluate!(f::PointFunction, points, results, count, (inputs, outputs), options)
    name = f isa Wcs ? :asdf_wcs_pixel_to_world : f isa WcsInverse ? :asdf_wcs_world_to_pixel : :asdf_transform_evaluate
    run_with_options(name, options) do given
        from = (count, points, inputs * count, 1, inputs, given, results, outputs * count, 1, outputs)
        if f isa Wcs
            LibAsdfKit.asdf_wcs_pixel_to_world(f, from..., C_NULL)
        elseif f isa WcsInverse
            LibAsdfKit.asdf_wcs_world_to_pixel(f.wcs, from..., C_NULL, C_NULL)
        else
            LibAsdfKit.asdf_transform_evaluate(f, from..., C_NULL)
        end
    end
end

"Evaluates an array of points."
function evaluate(f::PointFunction, points::AbstractArray{NTuple{N,Float64}}, options) where {N}
    inputs, outputs = arity(f)
    N == inputs || throw(ArgumentError("expected $inputs coordinates, got $N"))
    packed = collect(points)
    results = Array{NTuple{outputs,Float64}}(undef, size(packed))
    GC.@preserve packed results evaluate!(f, Ptr{Float64}(pointer(packed)), Ptr{Float64}(pointer(results)),
                                          length(packed), (inputs, outputs), options)
    return outputs == 1 ? first.(results) : results
end

"A point of numbers of any kind."
point(coordinates...) = Float64.(coordinates)

(f::Wcs)(coordinates::Real...; options...) = evaluate(f, fill(point(coordinates...)), options)[]
(f::WcsInverse)(coordinates::Real...; options...) = evaluate(f, fill(point(coordinates...)), options)[]
(f::Transform)(coordinates::Real...; options...) = evaluate(f, fill(point(coordinates...)), options)[]

# Broadcasting evaluates all points in one call of the C library.
function Base.Broadcast.broadcasted(f::PointFunction, coordinates...)
    points = Base.Broadcast.materialize(Base.Broadcast.broadcasted(point, coordinates...))
    return points isa Tuple ? evaluate(f, fill(points), ())[] : evaluate(f, points, ())
end

"""
    AsdfKit.sky_at(wcs, x, y; options...) -> (longitude, latitude)

Return longitude and latitude of a pixel in degrees, such as right ascension and declination, in whatever order and units
the frame of the sky has them. `AsdfKit.sky_at.(wcs, xs, ys)` is an array of tuples. An `AsdfError` for anything but an
image of the sky.
"""
sky_at(wcs::Wcs, x::Real, y::Real; options...) =
    point_of(LibAsdfKit.asdf_wcs_sky_at, :asdf_wcs_sky_at, wcs, x, y, options)

"""
    AsdfKit.pixel_at(wcs, longitude, latitude; options...) -> (x, y)

Return the pixel at a longitude and latitude in degrees.
"""
pixel_at(wcs::Wcs, longitude::Real, latitude::Real; options...) =
    point_of(LibAsdfKit.asdf_wcs_pixel_at, :asdf_wcs_pixel_at, wcs, longitude, latitude, options)

function point_of(get, name, wcs, first, second, options)
    a, b = Ref{Float64}(0), Ref{Float64}(0)
    run_with_options(given -> get(wcs, first, second, given, a, b), name, options)
    return a[], b[]
end

Base.Broadcast.broadcastable(wcs::Wcs) = Ref(wcs)

"""
    AsdfKit.footprint(wcs; center = false)

Return the world coordinates of the corners of an image, a column for each: (low x, low y), (low x, high y), (high x,
high y), (high x, low y). With `center`, those of the centers of the pixels in the corners.
"""
function footprint(wcs::Wcs; center::Bool = false)
    count, axes = Ref{Int64}(0), Ref{Int64}(0)
    check(LibAsdfKit.asdf_wcs_footprint(wcs, center, C_NULL, 0, count, axes))
    corners = Matrix{Float64}(undef, axes[], count[])
    check(LibAsdfKit.asdf_wcs_footprint(wcs, center, corners, length(corners), count, axes))
    return corners
end

"""
    AsdfKit.pixel_scale(wcs, x, y)

Return the scale of an image of the sky at a pixel in degrees: the square root of the area of the pixel.
"""
function pixel_scale(wcs::Wcs, x::Real, y::Real)
    scale = Ref{Float64}(0)
    check(LibAsdfKit.asdf_wcs_pixel_scale(wcs, x, y, scale))
    return scale[]
end

"""
    AsdfKit.orientation(wcs, x, y) -> (angle, mirrored)

Return the position angle of the y axis in degrees, from north through east, and whether the image is mirrored.
"""
function orientation(wcs::Wcs, x::Real, y::Real)
    angle, x_scale, y_scale = Ref{Float64}(0), Ref{Float64}(0), Ref{Float64}(0)
    mirrored = Ref{Int32}(0)
    check(LibAsdfKit.asdf_wcs_orientation(wcs, x, y, angle, mirrored, x_scale, y_scale))
    return angle[], mirrored[] != 0
end

"""
    AsdfKit.center(wcs)

Return the pixel in the middle of an image as a tuple.
"""
function center(wcs::Wcs)
    pixel = Vector{Float64}(undef, arity(wcs)[1])
    check(LibAsdfKit.asdf_wcs_center(wcs, pixel, length(pixel)))
    return Tuple(pixel)
end

"""
    AsdfKit.bounding_box(wcs or transform)

Return a tuple (low, high) for each input, x first; `nothing` without a bounding box.
"""
bounding_box(wcs::Wcs) = box(LibAsdfKit.asdf_wcs_bounding_box, wcs, arity(wcs)[1])
bounding_box(transform::Transform) = box(LibAsdfKit.asdf_transform_bounding_box, transform, arity(transform)[1])

function box(get, handle, axes)
    low, high, has = Ref{Float64}(0), Ref{Float64}(0), Ref{Int32}(1)
    ends = map(1:axes) do axis
        check(get(handle, axis - 1, low, high, has))
        (low[], high[])
    end
    return has[] == 0 ? nothing : ends
end

const FRAME_KINDS = (:named, :generic, :plane, :celestial, :spectral, :temporal, :stokes, :composite)

"""
    AsdfKit.frames(wcs)

Return the frames of world coordinates, that of the pixels first and that of the world last, as named tuples: name, kind,
axes (name, unit, type, physical type), reference frame or `nothing`, its attributes, and the parts of a composite frame.
"""
function frames(wcs::Wcs)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_wcs_frame_count(wcs, count))
    return [frame(wcs, number) for number in 0:(count[] - 1)]
end

function frame(wcs::Wcs, number)
    get(function_, more...) = read_text((buffer...) -> function_(wcs, number, more..., buffer...))
    kind, axes, attributes, parts = Ref{Int32}(0), Ref{Int64}(0), Ref{Int64}(0), Ref{Int64}(0)
    check(LibAsdfKit.asdf_wcs_frame_kind(wcs, number, kind))
    check(LibAsdfKit.asdf_wcs_frame_axis_count(wcs, number, axes))
    check(LibAsdfKit.asdf_wcs_frame_part_count(wcs, number, parts))
    reference = if_found(() -> get(LibAsdfKit.asdf_wcs_frame_reference))
    reference === nothing || check(LibAsdfKit.asdf_wcs_reference_attribute_count(wcs, number, attributes))
    return (
        name = get(LibAsdfKit.asdf_wcs_frame_name),
        kind = FRAME_KINDS[kind[] + 1],
        axes = [(name = get(LibAsdfKit.asdf_wcs_axis_name, axis), unit = get(LibAsdfKit.asdf_wcs_axis_unit, axis),
                 type = get(LibAsdfKit.asdf_wcs_axis_type, axis),
                 physical_type = get(LibAsdfKit.asdf_wcs_axis_physical_type, axis)) for axis in 0:(axes[] - 1)],
        reference = reference,
        attributes = Dict(get(LibAsdfKit.asdf_wcs_reference_attribute_name, index) =>
                              get(LibAsdfKit.asdf_wcs_reference_attribute_value, index)
                          for index in 0:(attributes[] - 1)),
        parts = Any[frame(wcs, part_number(wcs, number, index)) for index in 0:(parts[] - 1)],
    )
end

function part_number(wcs::Wcs, number, index)
    part = Ref{Int64}(0)
    check(LibAsdfKit.asdf_wcs_frame_part(wcs, number, index, part))
    return part[]
end

"""
    AsdfKit.wcs_of_cards(cards; options...) -> Wcs

Return the world coordinates of cards of a FITS header: a text of cards of 80 characters in a row, or of lines with a card
each. The option `alternate` is the letter of an alternate description.
"""
wcs_of_cards(cards::AbstractString; options...) =
    made_with_options(Wcs, :asdf_wcs_read_cards, options) do given, out
        LibAsdfKit.asdf_wcs_read_cards(cards, sizeof(cards), given, out)
    end

"""
    AsdfKit.cards(wcs; options...) -> (text, error, inverse_error)

Return cards of a FITS header that approximate the world coordinates of an image: a tangent plane with polynomials of SIP.
The options `max_error` and `max_inverse_error` are the largest errors in pixels. An `AsdfError` if they are not reached.
"""
function cards(wcs::Wcs; options...)
    error, inverse_error = Ref{Float64}(0), Ref{Float64}(0)
    text = take_text(made_with_options(Buffer, :asdf_wcs_make_cards, options) do given, out
        LibAsdfKit.asdf_wcs_make_cards(wcs, given, out, error, inverse_error)
    end)
    return (text = text, error = error[], inverse_error = inverse_error[])
end

"""
    AsdfKit.set_wcs_cards!(file, path, cards; options...)

Write the world coordinates of cards of a FITS header as a tree of gwcs, which Python reads. The options are those of
`wcs_of_cards`.
"""
function set_wcs_cards!(file::File, path::AbstractString, cards::AbstractString; options...)
    run_with_options(:asdf_node_set_wcs_cards, options) do given
        LibAsdfKit.asdf_node_set_wcs_cards(root(file), path, cards, sizeof(cards), given)
    end
    return nothing
end

"""
    AsdfKit.set_wcs_cutout!(file, path, from::Node, ranges...)

Write the world coordinates of a part of an image: those of the node `from`, for the pixels of `image[ranges...]`.

    part["data"] = file["data"][101:200, 301:400]
    AsdfKit.set_wcs_cutout!(part, "wcs", AsdfKit.node(file, "wcs"), 101:200, 301:400)
"""
function set_wcs_cutout!(file::File, path::AbstractString, from::Node, ranges::AbstractRange{<:Integer}...)
    start = Int64[first(range) - 1 for range in reverse(ranges)]
    count = Int64[length(range) for range in reverse(ranges)]
    steps = Int64[step(range) for range in reverse(ranges)]
    check(LibAsdfKit.asdf_node_set_wcs_cutout(root(file), path, from, length(ranges), start, count, steps))
    return nothing
end
