# Points in time as DateTime, with the nanoseconds that a DateTime cannot hold, and as Julian dates.

"Numbers of the scales by their names."
const TIME_SCALES = Dict("utc" => LibAsdfKit.ASDF_TIME_SCALE_UTC, "tai" => LibAsdfKit.ASDF_TIME_SCALE_TAI,
                         "tt" => LibAsdfKit.ASDF_TIME_SCALE_TT, "ut1" => LibAsdfKit.ASDF_TIME_SCALE_UT1,
                         "tdb" => LibAsdfKit.ASDF_TIME_SCALE_TDB, "tcb" => LibAsdfKit.ASDF_TIME_SCALE_TCB,
                         "tcg" => LibAsdfKit.ASDF_TIME_SCALE_TCG, "local" => LibAsdfKit.ASDF_TIME_SCALE_LOCAL)

"Returns the number of a scale."
time_scale(name) = get(TIME_SCALES, String(name)) do
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
    LibAsdfKit.asdf_node_get_time(file isa File ? root(file) : file, path, given, out)
end

"""
    AsdfKit.times(file, path; scale = "utc", options...) -> (dates, rests)

Return the times at a path as `DateTime`, converted to a scale, and what a `DateTime` cannot hold as `Nanosecond`, less
than a millisecond. A single time gives one of each, several give arrays; a missing time is `missing`.

An `AsdfError` for a time in a leap second of UTC (ask for the scale `"tai"`), between two nanoseconds, or of a scale
that cannot be converted; `julian_dates` returns such times. `leap_seconds_file` names a file with another table of
leap seconds.
"""
function times(file::Union{File,Node}, path::AbstractString; scale = "utc", options...)
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
function julian_dates(file::Union{File,Node}, path::AbstractString; options...)
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

Set a time of the standard from a `DateTime`, a `Date`, or an array of them, and nanoseconds after each. `missing` in an
array is a missing time.
"""
set_time!(file::File, path::AbstractString, dates; keywords...) = set_time!(root(file), path, dates; keywords...)
function set_time!(at::Node, path::AbstractString,
                   dates::Union{Dates.TimeType,AbstractArray{<:Union{Missing,Dates.TimeType}}};
                   rests = Dates.Nanosecond(0), scale = "utc", options...)
    milliseconds(date) = Dates.value(Dates.Millisecond(Dates.DateTime(date) - Dates.unix2datetime(0)))
    since(date, rest) = Base.Checked.checked_mul(milliseconds(date), 1_000_000) + Dates.value(Dates.Nanosecond(rest))
    since(::Missing, rest) = typemin(Int64)
    numbers = dates isa AbstractArray ? collect(Int64, since.(dates, rests)) : fill(Int64(since(dates, rests)))
    shape = collect(Int64, reverse(size(numbers)))
    handle = make(out -> LibAsdfKit.asdf_time_from_nanoseconds(numbers, length(shape), shape, time_scale(scale), C_NULL,
                                                               out), TimesHandle)
    run_with_options(:asdf_node_set_times, options) do given
        LibAsdfKit.asdf_node_set_times(at, path, handle, given)
    end
    return nothing
end

store(at, path, date::Dates.DateTime) = set_time!(at, path, date)
store(at, path, date::Dates.Date) = store(at, path, TaggedText(string(date), TIMESTAMP_TAG))
check_item(::Union{Dates.DateTime,Dates.Date}) = nothing

function Base.getindex(at::Node, path::AbstractString, ::Type{Dates.DateTime})
    found = node(at, path)
    kind(found) == LibAsdfKit.ASDF_KIND_TIMESTAMP && return date_of(Dates.DateTime, found)
    date, rest = times(found, "")
    ismissing(date) || date isa AbstractArray || Dates.value(rest) == 0 || throw(own_error(
        LibAsdfKit.ASDF_ERR_VALUE_RANGE, "VALUE_RANGE", "at $path: a DateTime has milliseconds; AsdfKit.times has the rest"))
    return date
end
Base.getindex(at::Node, path::AbstractString, ::Type{Dates.Date}) = date_of(Dates.Date, node(at, path))

"Reads the text of a date; a zone is converted to UTC."
function date_of(::Type{T}, at::Node) where {T}
    text = String(at["", String])
    parts = match(r"^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?)?(?:[ \t]*(Z|[-+]\d\d?(?::?\d\d)?))?$",
                  text)
    wrong(reason) = throw(own_error(LibAsdfKit.ASDF_ERR_WRONG_TYPE, "WRONG_TYPE", "\"$text\" $reason"))
    parts === nothing && wrong("is no date")
    T == Dates.Date && parts[4] !== nothing && wrong("is a time and no date; ask for a DateTime")
    fraction = rpad(something(parts[7], ""), 3, '0')
    all(==('0'), fraction[4:end]) || wrong("has more digits than a DateTime")
    numbers = [parse(Int, something(part, "0")) for part in parts.captures[1:6]]
    date = try Dates.DateTime(numbers..., parse(Int, fraction[1:3])) catch; wrong("is no date") end
    zone = something(parts[8], "Z")
    zone == "Z" && return T(date)
    digits = match(r"([-+])(\d\d?):?(\d\d)?", zone)
    minutes = 60*parse(Int, digits[2]) + parse(Int, something(digits[3], "0"))
    return T(digits[1] == "-" ? date + Dates.Minute(minutes) : date - Dates.Minute(minutes))
end

# Columns of tables ---------------------------------------------------------------------------------------------------

"Ends of the names of the columns of a file that hold one column of times."
const TIME_PARTS = (".jd1", ".jd2", ".year", ".month", ".day", ".hour", ".minute", ".second")

"Returns the kind of a column of times or spans of time; 0 for any other, or none."
function time_kind(table::Table, name)
    kind = Ref{Int32}(0)
    return LibAsdfKit.asdf_table_time_kind(table, name, kind) == LibAsdfKit.ASDF_OK ? kind[] : Int32(0)
end

"Returns the name of the column of times that a column of the file belongs to, or `nothing`."
function time_column(table::Table, name)
    time_kind(table, name) == 0 || return String(name)
    for part in TIME_PARTS
        endswith(name, part) || continue
        whole = name[1:prevind(name, end, length(part))]
        time_kind(table, whole) == 0 || return String(whole)
    end
    return nothing
end

"Formats of astropy whose values are a date with a time of day, not a number."
const CLOCK_FORMATS = ("iso", "isot", "fits", "yday", "datetime", "datetime64", "ymdhms")

"A point in time to nanoseconds: a `DateTime` with milliseconds, and the rest."
const ExactTime = Tuple{Dates.DateTime,Dates.Nanosecond}

"Fails unless the keyword `times` is one of its values."
check_times(times) = times in (:header, :nanoseconds, :stored) ? times : throw(ArgumentError(
    "times is :header, :nanoseconds or :stored, not $(repr(times))"))

"""
Returns the type that a column of times or of spans of time is read as, or `nothing` if it stays as the file has it.
`member` is a column of the file that it consists of. The header decides, and no value does: all batches have one type.
"""
function time_type(table::Table, name, member, times)
    times != :stored && isempty(column_shape(table, member)) || return nothing
    entry = if_node(if_node(meta_of(table), ENTRIES), Key(name))
    text(key) = entry !== nothing && haskey(entry, key) ? string(entry[key]) : ""
    if time_kind(table, name) == LibAsdfKit.ASDF_KIND_TIME_DELTA
        is_exact = text("format") in ("sec", "datetime", "quantity_str")
        return times == :nanoseconds || is_exact ? Dates.Nanosecond : nothing
    end
    is_convertible = text("scale") in ("", "utc", "tai", "tt") &&
                     all(offset -> isempty(text(offset)), ("_delta_ut1_utc", "_delta_tdb_tt"))
    is_convertible || return nothing
    times == :nanoseconds && return ExactTime
    text("format") in CLOCK_FORMATS || return nothing
    text("out_subfmt") == "date" && return Dates.Date
    return something(tryparse(Int, text("precision")), 3) > 3 ? ExactTime : Dates.DateTime
end

"Reads a column of times or of spans of time as a vector of a type. A failure names the keyword that avoids it."
function read_times(table::Table, name, ::Type{T}, times) where {T}
    try
        return T == Dates.Nanosecond ? read_spans(table, name, times) : read_points(table, name, T, times)
    catch problem
        problem isa AsdfError || rethrow()
        place = problem.subject === nothing ? "column '$name': " : ""
        throw(AsdfError(problem.status, problem.code,
                        place * problem.message * "; times = :stored reads what the file has", problem.file,
                        problem.path, name, problem.line, problem.column, problem.offset))
    end
end

function read_points(table, name, ::Type{T}, times) where {T}
    handle = make(out -> LibAsdfKit.asdf_table_time(table, name, C_NULL, out), TimesHandle)
    count = times_size(handle)[1]
    mask = Vector{UInt8}(undef, count)
    check(LibAsdfKit.asdf_time_read_mask(handle, mask, count))
    value = T == Dates.Date ? date_reader(handle, mask) : clock_reader(handle, mask, T, times)
    return any(!iszero, mask) ? Union{Missing,T}[mask[row] == 0 ? value(row) : missing for row in 1:count] :
           T[value(row) for row in 1:count]
end

"Returns a function that returns the date in a row."
function date_reader(handle, mask)
    has_dates = Ref{Int32}(0)
    check(LibAsdfKit.asdf_time_has_dates(handle, has_dates))
    has_dates[] == 0 && throw(own_error(LibAsdfKit.ASDF_ERR_VALUE_RANGE, "VALUE_RANGE",
        "the column is one of dates, but has times of day; times = :nanoseconds reads them"))
    jd1, jd2 = similar(mask, Float64), similar(mask, Float64)
    check(LibAsdfKit.asdf_time_read_jd(handle, jd1, jd2, length(mask)))
    return row -> Dates.Date(1970) + Dates.Day(jd1[row] - 2440587.5 + jd2[row])
end

"Returns a function that returns the point in time in a row as one of the type `T`, in UTC."
function clock_reader(handle, mask, ::Type{T}, times) where {T}
    since, rests = similar(mask, Int64), similar(mask, Float64)
    status = LibAsdfKit.asdf_time_read_nanoseconds(handle, LibAsdfKit.ASDF_TIME_SCALE_UTC, since, rests, length(mask))
    if status == LibAsdfKit.ASDF_ERR_OUT_OF_RANGE
        failure = last_error(status)
        in_utc = make(out -> LibAsdfKit.asdf_time_convert(handle, LibAsdfKit.ASDF_TIME_SCALE_UTC, out), TimesHandle)
        return row -> of_type(T, far_time(in_utc, row, failure)..., row)
    end
    check(status)
    between = times == :nanoseconds ? nothing : findfirst(!iszero, rests)
    between === nothing || throw(between_nanoseconds("time", between))
    return row -> of_type(T, Dates.unix2datetime(0) + Dates.Millisecond(fld(since[row], 1_000_000)),
                          Dates.Nanosecond(mod(since[row], 1_000_000)), row)
end

between_nanoseconds(what, row) = own_error(LibAsdfKit.ASDF_ERR_VALUE_RANGE, "VALUE_RANGE",
    "row $row: the $what is between two nanoseconds; times = :nanoseconds rounds it")

of_type(::Type{ExactTime}, date, rest, row) = (date, rest)
of_type(::Type{Dates.DateTime}, date, rest, row) = Dates.value(rest) == 0 ? date : throw(own_error(
    LibAsdfKit.ASDF_ERR_VALUE_RANGE, "VALUE_RANGE",
    "row $row: a DateTime has milliseconds, and the time has nanoseconds; times = :nanoseconds reads it"))

"Reads a time in UTC that may be outside of the years that nanoseconds hold, from its text."
function far_time(handle, row, failure)
    text = read_text((buffer...) -> LibAsdfKit.asdf_time_text(handle, row - 1, LibAsdfKit.ASDF_TIME_FORMAT_FITS, 9,
                                                              buffer...))
    parts = match(r"^([-+]?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)[.](\d{9})$", text)
    parts === nothing && throw(failure)
    numbers = [parse(Int, part) for part in parts.captures]
    # The second 60 is a leap second.
    numbers[6] < 60 || throw(failure)
    millisecond, rest = divrem(numbers[7], 1_000_000)
    return Dates.DateTime(numbers[1:6]..., millisecond), Dates.Nanosecond(rest)
end

function read_spans(table::Table, name, times)
    count = Ref{Int64}(row_count(table))
    jd1, jd2, rests = (Vector{Float64}(undef, count[]) for _ in 1:3)
    spans = Vector{Int64}(undef, count[])
    count[] == 0 && return Dates.Nanosecond[]
    check(LibAsdfKit.asdf_table_read_time_delta(table, name, jd1, jd2, count[], count, C_NULL))
    check(LibAsdfKit.asdf_time_delta_to_nanoseconds(jd1, jd2, count[], spans, rests, count[]))
    between = times == :nanoseconds ? nothing : findfirst(!iszero, rests)
    between === nothing || throw(between_nanoseconds("span", between))
    return any(==(typemin(Int64)), spans) ?
           Union{Missing,Dates.Nanosecond}[at == typemin(Int64) ? missing : Dates.Nanosecond(at) for at in spans] :
           Dates.Nanosecond.(spans)
end

"Returns the text of a point in time; one outside of the years 0 to 9999 has a sign and five digits."
time_text(name, date::Dates.Date) = year_text(name, date) * Dates.format(date, "-mm-dd")
time_text(name, date::Dates.DateTime) = year_text(name, date) * Dates.format(date, "-mm-ddTHH:MM:SS.sss")
function time_text(name, (date, rest)::ExactTime)
    0 <= Dates.value(rest) < 1_000_000 || throw(ArgumentError(
        "column \"$name\": the nanoseconds after a DateTime are less than a millisecond, not $rest"))
    return time_text(name, date) * lpad(Dates.value(rest), 6, '0')
end

function year_text(name, date)
    year = Dates.year(date)
    abs(year) <= 99_999 || throw(ArgumentError("column \"$name\": times have years from -99999 to 99999, not $year"))
    0 <= year <= 9999 && return lpad(year, 4, '0')
    return (year < 0 ? "-" : "+") * lpad(abs(year), 5, '0')
end

"Types of points in time."
const TimePoint = Union{Dates.DateTime,Dates.Date,ExactTime}

"Returns whether entries are points in time or spans."
are_times(entries::AbstractVector{T}) where {T} =
    nonmissingtype(T) != Union{} && nonmissingtype(T) <: Union{TimePoint,Dates.FixedPeriod}

"Appends a column of dates and times: a Time of astropy in UTC, or dates for `Date`."
function add_entries!(table, name, ::Type{T}, entries, variable) where {T<:TimePoint}
    add_times!(table, name, [ismissing(entry) ? missing : time_text(name, entry) for entry in entries], T <: Dates.Date)
    # The number of decimals tells readers the type, whatever the times of this batch have.
    T == ExactTime && (node(node(meta_of(table), ENTRIES), Key(name))["precision"] = 9)
    return nothing
end

add_times!(table, name, texts, are_dates) =
    check(LibAsdfKit.asdf_table_add_time(table, name, times_of_texts(texts, are_dates)))

"Returns the handle of times in UTC from texts; `missing` is a missing time."
function times_of_texts(texts, are_dates)
    mask = UInt8[ismissing(text) for text in texts]
    filled = [ismissing(text) ? "2000-01-01" : text for text in texts]
    bytes, offsets = join_texts(filled), cumsum(Int64[0; sizeof.(filled)])
    format = any(text -> text[1] in "+-", filled) ? LibAsdfKit.ASDF_TIME_FORMAT_FITS :
             are_dates ? LibAsdfKit.ASDF_TIME_FORMAT_ISO : LibAsdfKit.ASDF_TIME_FORMAT_ISOT
    times = make(out -> LibAsdfKit.asdf_time_from_texts(bytes, length(bytes), offsets, 1, Int64[length(filled)],
                                                        LibAsdfKit.ASDF_TIME_SCALE_UTC, format, C_NULL, out),
                 TimesHandle)
    times = make(out -> LibAsdfKit.asdf_time_with_mask(times, mask, length(mask), out), TimesHandle)
    return are_dates ? make(out -> LibAsdfKit.asdf_time_with_dates(times, out), TimesHandle) : times
end

"Replaces a cell of a column of times, in the scale and the format of the column."
set_cell!(table, name, row, value::TimePoint) =
    set_time_cell!(table, name, row, time_text(name, value), value isa Dates.Date)
set_time_cell!(table, name, row, text, is_date) =
    check(LibAsdfKit.asdf_table_set_time(table, name, row, times_of_texts([text], is_date)))

"Appends a column of spans of time: a TimeDelta of astropy in seconds."
add_entries!(table, name, ::Type{T}, entries, variable) where {T<:Dates.FixedPeriod} =
    add_spans!(table, name, T, entries, "sec")

"""
Appends a column of spans of time in a format of astropy. The format `sec` is one column of the file if numbers hold the
spans and none is missing; the format `datetime` is always two, as batches need it.
"""
function add_spans!(table, name, ::Type{T}, entries, format) where {T}
    factor = Dates.value(Dates.Nanosecond(T(1)))
    spans = Int64[ismissing(entry) ? typemin(Int64) : Base.Checked.checked_mul(Int64(Dates.value(entry)), factor)
                  for entry in entries]
    length(spans) == row_count(table) || throw(DimensionMismatch("column \"$name\" has $(length(spans)) entries"))
    jd1, jd2 = Vector{Float64}(undef, length(spans)), Vector{Float64}(undef, length(spans))
    check(LibAsdfKit.asdf_time_delta_from_nanoseconds(spans, length(spans), jd1, jd2, length(spans)))
    check(LibAsdfKit.asdf_table_add_time_delta(table, name, jd1, jd2, 0, C_NULL, 0, format))
end
