# Points in time as DateTime, with the nanoseconds that a DateTime cannot hold, and as Julian dates.

"Numbers of the scales by their names."
const TIME_SCALES = Dict("utc" => LibAsdfKit.ASDF_TIME_SCALE_UTC, "tai" => LibAsdfKit.ASDF_TIME_SCALE_TAI,
                         "tt" => LibAsdfKit.ASDF_TIME_SCALE_TT, "ut1" => LibAsdfKit.ASDF_TIME_SCALE_UT1,
                         "tdb" => LibAsdfKit.ASDF_TIME_SCALE_TDB, "tcb" => LibAsdfKit.ASDF_TIME_SCALE_TCB,
                         "tcg" => LibAsdfKit.ASDF_TIME_SCALE_TCG, "local" => LibAsdfKit.ASDF_TIME_SCALE_LOCAL)

"Returns the number of a scale."
time_scale(name) = get(TIME_SCALES, name) do
    throw(ArgumentError("'$name' is not one of $(join(sort(collect(keys(TIME_SCALES))), ", "))"))
end

"Returns the size of times in Julia: the last extent of the file is the first. A single time has the size `()`."
function times_size(handle::TimesHandle)
    shape = Vector{Int64}(undef, LibAsdfKit.ASDF_MAX_RANK)
    rank = Ref{Int32}(0)
    check(LibAsdfKit.asdf_time_shape(handle, shape, length(shape), rank))
    return Tuple(Int.(reverse(shape[1:rank[]])))
end

"Reads the times at a path."
get_times(file, path, options) = made_with_options(TimesHandle, :asdf_node_get_time, options) do given, out
    LibAsdfKit.asdf_node_get_time(root(file), path, given, out)
end

"""
    AsdfKit.times(file, path; scale = "utc", options...) -> (dates, rests)

Return the times at a path as `DateTime`, converted to a scale, and what a `DateTime` cannot hold as `Nanosecond`, less
than a millisecond. A single time gives one of each, several give arrays; a missing time is `missing`.

An `AsdfError` for a time in a leap second of UTC (ask for the scale `"tai"`), between two nanoseconds, or of a scale
that cannot be converted; `julian_dates` returns such times. `leap_seconds_file` names a file with another table of
leap seconds.
"""
function times(file::File, path::AbstractString; scale = "utc", options...)
    handle = get_times(file, path, options)
    since = Array{Int64}(undef, times_size(handle))
    check(LibAsdfKit.asdf_time_read_nanoseconds(handle, time_scale(scale), since, C_NULL, length(since)))
    date(at) = at == typemin(Int64) ? missing : Dates.unix2datetime(0) + Dates.Millisecond(fld(at, 1_000_000))
    rest(at) = at == typemin(Int64) ? missing : Dates.Nanosecond(mod(at, 1_000_000))
    return isempty(size(since)) ? (date(since[]), rest(since[])) : (date.(since), rest.(since))
end

"""
    AsdfKit.julian_dates(file, path; options...) -> (jd1, jd2, scale)

Return the times at a path as Julian dates, each the sum of two numbers, and their scale. They are exact to about 10
picoseconds.
"""
function julian_dates(file::File, path::AbstractString; options...)
    handle = get_times(file, path, options)
    jd1, jd2 = Array{Float64}(undef, times_size(handle)), Array{Float64}(undef, times_size(handle))
    check(LibAsdfKit.asdf_time_read_jd(handle, jd1, jd2, length(jd1)))
    code = Ref{Int32}(0)
    check(LibAsdfKit.asdf_time_scale(handle, code))
    scale = first(name for (name, number) in TIME_SCALES if number == code[])
    return isempty(size(jd1)) ? (jd1[], jd2[], scale) : (jd1, jd2, scale)
end

"""
    AsdfKit.set_time!(file, path, dates; rests = Nanosecond(0), scale = "utc", options...)

Set a time of the standard from a `DateTime`, a `Date`, or an array of them, and nanoseconds after each.
"""
function set_time!(file::File, path::AbstractString, dates::Union{Dates.TimeType,AbstractArray{<:Dates.TimeType}};
                   rests = Dates.Nanosecond(0), scale = "utc", options...)
    milliseconds(date) = Dates.value(Dates.Millisecond(Dates.DateTime(date) - Dates.unix2datetime(0)))
    since(date, rest) = Base.Checked.checked_mul(milliseconds(date), 1_000_000) + Dates.value(Dates.Nanosecond(rest))
    numbers = dates isa AbstractArray ? collect(Int64, since.(dates, rests)) : fill(Int64(since(dates, rests)))
    shape = collect(Int64, reverse(size(numbers)))
    handle = make(out -> LibAsdfKit.asdf_time_from_nanoseconds(numbers, length(shape), shape, time_scale(scale), C_NULL,
                                                               out), TimesHandle)
    run_with_options(:asdf_node_set_times, options) do given
        LibAsdfKit.asdf_node_set_times(root(file), path, handle, given)
    end
    return nothing
end
