# AsdfError: a failure of the C library, with its place as fields; reading texts and numbers of unknown size.

"""
Failure of a call. `showerror` prints the message of the library, which names file, position and path.

| field | content |
|---|---|
| `status` | number of the status; docs/guide/errors.md lists them |
| `code` | its name without `ASDF_ERR_`, such as `"WRONG_TYPE"` |
| `message` | the whole message |
| `file`, `path`, `subject` | file, path in the tree, column of a table: a text or `nothing` |
| `line`, `column`, `offset` | position in the file (line and column from 1, bytes from 0) or `nothing` |

    try
        file["meta/exposure/time"]
    catch problem
        problem isa AsdfKit.AsdfError && problem.code == "NOT_FOUND" || rethrow()
    end
"""
struct AsdfError <: Exception
    status::Int32
    code::String
    message::String
    file::Union{Nothing,String}
    path::Union{Nothing,String}
    subject::Union{Nothing,String}
    line::Union{Nothing,Int}
    column::Union{Nothing,Int}
    offset::Union{Nothing,Int}
end

Base.showerror(io::IO, problem::AsdfError) = print(io, "AsdfError (", problem.code, "): ", problem.message)

"Makes the error of the last failed call of this thread."
function last_error(status)
    text(field) = error_text((buffer...) -> LibAsdfKit.asdf_error_text(field, buffer...))
    function number(field)
        value = Ref{Int64}(-1)
        LibAsdfKit.asdf_error_int(field, value) == 0 && value[] >= 0 ? Int(value[]) : nothing
    end
    return AsdfError(
        status,
        replace(unsafe_string(LibAsdfKit.asdf_status_name(status)), "ASDF_ERR_" => ""),
        in_julia(something(error_text(LibAsdfKit.asdf_error_message_from_one), "no message")),
        text(LibAsdfKit.ASDF_REPORT_FILE),
        text(LibAsdfKit.ASDF_REPORT_PATH),
        text(LibAsdfKit.ASDF_REPORT_SUBJECT),
        number(LibAsdfKit.ASDF_REPORT_LINE),
        number(LibAsdfKit.ASDF_REPORT_COLUMN),
        number(LibAsdfKit.ASDF_REPORT_OFFSET),
    )
end

"A message of the library in the terms of this package."
function in_julia(message)
    message = replace(message, "open it for update" => "open it with the mode \"r+\"")
    message = replace(message, "repeat it, or forget the failure" => "repeat it, or call AsdfKit.forget_failure!(file)")
    message = replace(message, "ask for the rests as well, or for Julian dates" => "AsdfKit.julian_dates returns it")
    message = replace(message, "the option for empty strings can allow it" => "`empty_strings = :mark_all` allows it")
    return replace(message, "request the mask, pass a fill value, or read the array without its mask" =>
        "read(array) has `missing` for missing elements, and `fill = value` replaces them")
end

function error_text(get)
    needed = Ref{Csize_t}(0)
    get(Ptr{UInt8}(C_NULL), 0, needed)
    needed[] == 0 && return nothing
    buffer = Vector{UInt8}(undef, needed[] + 1)
    get(buffer, length(buffer), needed) == 0 || return nothing
    return String(resize!(buffer, needed[]))
end

"Makes an error that this package finds itself."
own_error(status, code, message) =
    AsdfError(status, code, message, nothing, nothing, nothing, nothing, nothing, nothing)

"Throws if a call failed. A failure of a progress function comes first."
check(status::Integer) = status == 0 ? nothing : throw(last_error(status))
function check(status::Integer, progress)
    problem = status == 0 ? nothing : last_error(status)
    rethrow_failure(progress)
    problem === nothing || throw(problem)
    return nothing
end

"Returns whether a call finds something; all failures besides NOT_FOUND throw."
function is_found(status::Integer)
    status == LibAsdfKit.ASDF_ERR_NOT_FOUND && return false
    check(status)
    return true
end

"Returns the result of a function, or `nothing` if it throws NOT_FOUND."
function if_found(call)
    try
        return call()
    catch problem
        problem isa AsdfError && problem.status == LibAsdfKit.ASDF_ERR_NOT_FOUND || rethrow()
        return nothing
    end
end

"Reads a text of any length with a function that takes a buffer, its capacity and the needed length."
function read_text(get)
    needed = Ref{Csize_t}(0)
    buffer = Vector{UInt8}(undef, 128)
    status = get(buffer, length(buffer), needed)
    if status == LibAsdfKit.ASDF_ERR_BUFFER_TOO_SMALL
        resize!(buffer, needed[] + 1)
        status = get(buffer, length(buffer), needed)
    end
    check(status)
    return String(resize!(buffer, needed[]))
end

"Reads extents with a function that takes a buffer, its capacity and the rank."
function read_extents(get)
    extents = Vector{Int64}(undef, 32)
    rank = Ref{Int32}(0)
    check(get(extents, length(extents), rank))
    return resize!(extents, rank[])
end
