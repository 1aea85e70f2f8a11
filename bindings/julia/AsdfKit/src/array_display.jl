# Arrays of numbers as small pictures, for notebooks.

"Most pixels along a side of a picture, and the size at which it is shown."
const PICTURE_SIDE, PICTURE_SHOWN = 160, 240
"Bytes up to which an array is read for its picture if it is compressed or chunked."
const PICTURE_BYTES = 64 << 20
"Parts of the values that are black and not white."
const PICTURE_RANGE = (0.01, 0.99)
"Colours of the picture: greys, one for values that are not a number, and one for missing values."
const GREYS, NOT_A_NUMBER, MISSING = 254, (255, 0, 255), (0, 110, 255)

"Returns the dimensions of a picture: the first two with several elements."
picture_dimensions(array) = [i for i in 1:ndims(array) if size(array, i) > 1][1:min(end, 2)]

is_picture(array::AsdfArray{<:Any,N,S}) where {N,S} =
    S <: Scalar && isopen(array) && count(extent -> extent > 1, array.size) >= 2

Base.showable(::MIME"text/html", array::AsdfArray) = is_picture(array)

"""
Shows an array of numbers with two or more dimensions as its size and a picture of its middle plane, for notebooks. A large
array is read in steps, and a large compressed one is not read. Black and white are the percentiles 1 and 99; the first
element is at the bottom left.
"""
function Base.show(io::IO, ::MIME"text/html", array::AsdfArray)
    print(io, "<div><code>", escaped_html(sprint(summary, array)), "</code>")
    if is_picture(array)
        try
            print(io, escaped_html(unit_text(array)))
            show_picture(io, array)
        catch failure
            failure isa Union{AsdfError,OutOfMemoryError} || rethrow()
            print(io, "<br>", escaped_html(sprint(showerror, failure)))
        end
    end
    print(io, "</div>")
end

function unit_text(array)
    return try " in " * unit(array) catch failure
        failure isa AsdfError && failure.code == "NOT_FOUND" || rethrow()
        ""
    end
end

function show_picture(io::IO, @nospecialize(array))
    sizeof_elements(array) <= PICTURE_BYTES || is_stored_plainly(array) || return
    dimensions = picture_dimensions(array)
    step = maximum(cld(size(array, i), PICTURE_SIDE) for i in dimensions)
    index = map(1:ndims(array)) do i
        extent = size(array, i)
        i in dimensions ? ((extent > step ÷ 2 ? step ÷ 2 + 1 : 1):step:extent) : extent ÷ 2 + 1
    end
    levels = grey_levels(read(array, index...))
    zoom = max(1, PICTURE_SHOWN ÷ maximum(size(levels)))
    print(io, "<br><img alt=\"Image of the array\" width=\"", size(levels, 1) * zoom, "\" height=\"", size(levels, 2) * zoom,
          "\" style=\"image-rendering: pixelated\" src=\"data:image/bmp;base64,", Base64.base64encode(bitmap(levels)), "\">")
    step > 1 && print(io, "<br><small>every ", step, " elements</small>")
end

sizeof_elements(array::AsdfArray{<:Any,<:Any,S}) where {S} = prod(BigInt.(array.size)) * sizeof(S)

"Returns whether the elements are a block without compression, of which parts are read."
function is_stored_plainly(array::AsdfArray)
    block = Ref{Int64}(0)
    LibAsdfKit.asdf_array_block(array.handle, block) == LibAsdfKit.ASDF_OK && array.node !== nothing || return false
    file = make(out -> LibAsdfKit.asdf_node_file(array.node, out), File)
    return read_text((buffer...) -> LibAsdfKit.asdf_file_block_compression(file, block[], buffer...)) == ""
end

"Returns the numbers of the colours of values. A complex number has its modulus."
function grey_levels(values)
    plain(value) = value === missing ? NaN : Float64(value isa Complex ? abs(value) : value)
    finite = sort!(filter(isfinite, vec(map(plain, values))))
    low, high = isempty(finite) ? (0.0, 1.0) : Tuple(finite[round(Int, part * (length(finite) - 1))+1] for part in PICTURE_RANGE)
    if low == high && !isempty(finite)
        low, high = first(finite), last(finite)
    end
    # Halves, because the range of the largest numbers is infinite.
    range = high > low ? high / 2 - low / 2 : 1.0
    return map(values) do value
        value === missing && return UInt8(GREYS + 1)
        number = plain(value)
        isnan(number) ? UInt8(GREYS) : round(UInt8, clamp((number / 2 - low / 2) / range, 0, 1) * (GREYS - 1))
    end
end

"Returns a picture as BMP, whose lines go upward, with the numbers of colours as its pixels."
function bitmap(levels)
    width, height = size(levels)
    line = cld(width, 4) * 4
    start = 14 + 40 + 4 * 256
    out = IOBuffer()
    put(number::Integer, T) = Base.write(out, htol(T(number)))
    Base.write(out, "BM")
    foreach(number -> put(number, UInt32), (start + line * height, 0, start))
    foreach(number -> put(number, UInt32), (40, width, height))
    foreach(number -> put(number, UInt16), (1, 8))
    foreach(number -> put(number, UInt32), (0, line * height, 0, 0, 256, 0))
    for colour in 0:255
        red, green, blue = colour == GREYS ? NOT_A_NUMBER : colour == GREYS + 1 ? MISSING :
            ntuple(_ -> colour * 255 ÷ (GREYS - 1), 3)
        Base.write(out, UInt8[blue, green, red, 0])
    end
    for row in 1:height
        Base.write(out, levels[:, row], zeros(UInt8, line - width))
    end
    return take!(out)
end
