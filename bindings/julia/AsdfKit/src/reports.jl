# Findings: warnings of files and tables, diagnostics of descriptions, differences, losses.

"""
Finding of a report. Fields that it does not have are `nothing`.

| field | content |
|---|---|
| `severity` | `:note`, `:warning` or `:error` |
| `text` | the whole finding as one line, with the position; `print` prints it |
| `message` | one sentence without the position |
| `code` | stable code, such as `"E-VALUE-RANGE"` |
| `file`, `path`, `subject` | file; node or path name; column of a table, or property that differs |
| `line`, `column`, `offset` | position: line and column from 1, bytes from 0 |
| `operation`, `old`, `new` | difference: `:add`, `:remove` or `:change`; values as JSON |
| `block`, `bytes`, `rows` | loss: block, lost bytes and rows |
"""
struct Finding
    severity::Symbol
    text::String
    message::Union{Nothing,String}
    code::Union{Nothing,String}
    file::Union{Nothing,String}
    path::Union{Nothing,String}
    subject::Union{Nothing,String}
    line::Union{Nothing,Int}
    column::Union{Nothing,Int}
    offset::Union{Nothing,Int}
    operation::Union{Nothing,Symbol}
    old::Union{Nothing,String}
    new::Union{Nothing,String}
    block::Union{Nothing,Int}
    bytes::Union{Nothing,Int}
    rows::Union{Nothing,Int}
end

Base.print(io::IO, finding::Finding) = print(io, finding.text)
Base.show(io::IO, finding::Finding) = print(io, "AsdfKit.Finding(", repr(finding.text), ")")

const SEVERITIES = (:note, :warning, :error)
const OPERATIONS = (:add, :remove, :change)

"Returns the entries of a report."
function findings(report::Report)
    count = Ref{Int64}(0)
    check(LibAsdfKit.asdf_report_count(report, count, C_NULL))
    return [finding(report, index) for index in 0:count[]-1]
end

function finding(report, index)
    text(field) = if_found() do
        read_text((buffer...) -> LibAsdfKit.asdf_report_text(report, index, field, buffer...))
    end
    function number(field)
        value = Ref{Int64}(-1)
        check(LibAsdfKit.asdf_report_int(report, index, field, value))
        return value[] < 0 ? nothing : Int(value[])
    end
    operation = number(LibAsdfKit.ASDF_REPORT_OPERATION)
    return Finding(
        SEVERITIES[number(LibAsdfKit.ASDF_REPORT_SEVERITY)],
        something(text(LibAsdfKit.ASDF_REPORT_ENTRY), ""),
        text(LibAsdfKit.ASDF_REPORT_MESSAGE),
        text(LibAsdfKit.ASDF_REPORT_CODE),
        text(LibAsdfKit.ASDF_REPORT_FILE),
        text(LibAsdfKit.ASDF_REPORT_PATH),
        text(LibAsdfKit.ASDF_REPORT_SUBJECT),
        number(LibAsdfKit.ASDF_REPORT_LINE),
        number(LibAsdfKit.ASDF_REPORT_COLUMN),
        number(LibAsdfKit.ASDF_REPORT_OFFSET),
        operation in (nothing, 0) ? nothing : OPERATIONS[operation],
        text(LibAsdfKit.ASDF_REPORT_OLD),
        text(LibAsdfKit.ASDF_REPORT_NEW),
        number(LibAsdfKit.ASDF_REPORT_BLOCK),
        number(LibAsdfKit.ASDF_REPORT_BYTES),
        number(LibAsdfKit.ASDF_REPORT_ROWS),
    )
end
