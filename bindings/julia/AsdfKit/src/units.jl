# Units as text: spellings, kinds and conversions.

const SPELLINGS = (
    generic = LibAsdfKit.ASDF_SPELLING_GENERIC,
    vounit = LibAsdfKit.ASDF_SPELLING_VOUNIT,
    fits = LibAsdfKit.ASDF_SPELLING_FITS,
    cds = LibAsdfKit.ASDF_SPELLING_CDS,
)
const UNIT_KINDS = (:unknown, :linear, :magnitude, :decibel, :dex)

function spelling_number(spelling::Symbol)
    haskey(SPELLINGS, spelling) || throw(ArgumentError("the spelling $spelling is none of $(keys(SPELLINGS))"))
    return SPELLINGS[spelling]
end

"""
    AsdfKit.unit_format(unit; spelling = :generic, to = :generic)

Returns a unit in another spelling, as astropy writes it: `:generic`, `:vounit`, `:fits` or `:cds`. Any text is accepted;
one that is no unit is returned as it is.
"""
function unit_format(unit::AbstractString; spelling::Symbol = :generic, to::Symbol = :generic)
    numbers = spelling_number(spelling), spelling_number(to)
    return read_text((buffer...) -> LibAsdfKit.asdf_unit_format(unit, numbers..., buffer...))
end

"""
    AsdfKit.unit_kind(unit; spelling = :generic)

Returns `:linear`, `:magnitude`, `:decibel`, `:dex`, or `:unknown` for a text that is no unit.
"""
function unit_kind(unit::AbstractString; spelling::Symbol = :generic)
    kind = Ref{Int32}(0)
    check(LibAsdfKit.asdf_unit_kind(unit, spelling_number(spelling), kind))
    return UNIT_KINDS[kind[] + 1]
end

"""
    AsdfKit.unit_physical(unit; spelling = :generic)

Returns the unit whose logarithm a unit is, in the generic spelling: "AB" of "mag(AB)". `nothing` for other units.
"""
function unit_physical(unit::AbstractString; spelling::Symbol = :generic)
    number = spelling_number(spelling)
    return if_found() do
        read_text((buffer...) -> LibAsdfKit.asdf_unit_physical(unit, number, buffer...))
    end
end

"""
    AsdfKit.unit_equal(unit, other; spelling = :generic)

Returns whether two units are equal, as "N" and "kg m / s2".
"""
function unit_equal(unit::AbstractString, other::AbstractString; spelling::Symbol = :generic)
    number = spelling_number(spelling)
    equal = Ref{Int32}(0)
    check(LibAsdfKit.asdf_unit_equal(unit, number, other, number, equal))
    return equal[] != 0
end

"""
    AsdfKit.unit_factor(unit, to; spelling = :generic, options...)

Returns factor and offset between two units: a value in the new unit is `factor * value + offset`. The option
`equivalencies` names conversions of astropy that are allowed: "spectral", "dimensionless_angles", "temperature".
"""
function unit_factor(unit::AbstractString, to::AbstractString; spelling::Symbol = :generic, options...)
    number = spelling_number(spelling)
    factor, offset = Ref(1.0), Ref(0.0)
    run_with_options(:asdf_unit_factor, options) do handle
        LibAsdfKit.asdf_unit_factor(unit, number, to, number, handle, factor, offset)
    end
    return factor[], offset[]
end

"""
    AsdfKit.unit_convert(values, unit, to; spelling = :generic, options...)

Returns values in another unit, logarithms included.
"""
function unit_convert(values, unit::AbstractString, to::AbstractString; spelling::Symbol = :generic, options...)
    number = spelling_number(spelling)
    source = convert(Array{Float64}, values isa Real ? [values] : values)
    converted = similar(source)
    run_with_options(:asdf_unit_convert, options) do handle
        LibAsdfKit.asdf_unit_convert(unit, number, to, number, source, length(source), handle, converted, length(converted))
    end
    return values isa Real ? converted[1] : converted
end
