"""
Reads and writes ASDF files, ECSV tables and NDL descriptions with the C library asdfkit.

    using AsdfKit

    AsdfKit.open("image.asdf") do file
        seconds = file["meta/exposure/time"]
        image = read(file["data"])
    end
    table = AsdfKit.read_ecsv("catalogue.ecsv")
"""
module AsdfKit

import Base64
import Dates
using Libdl
using LinearAlgebra: Adjoint, Transpose

# Names that no other package has. `open`, `write`, `describe`, `unit` and the like need the name of the package.
export AsdfArray, AsdfError, TaggedText, eachbatch, open_table, read_ecsv, read_ndl, parse_ndl, read_table, set_table!,
    table_metadata, write_ecsv, write_ndl

include("LibAsdfKit.jl")
include("library.jl")
include("errors.jl")
include("handles.jl")
include("keywords.jl")
include("progress.jl")
include("options.jl")
include("reports.jl")
include("elements.jl")
include("memory.jl")
include("lending.jl")
include("texts.jl")
include("units.jl")
include("files.jl")
include("arrays.jl")
include("disk_arrays.jl")
include("views.jl")
include("records.jl")
include("columns.jl")
include("table_metadata.jl")
include("tables.jl")
include("rows.jl")
include("cells.jl")
include("setting.jl")
include("trees.jl")
include("array_display.jl")
include("streams.jl")
include("ndl.jl")
include("ndl_builder.jl")
include("maintenance.jl")
include("times.jl")
include("coordinates.jl")
include("wcs.jl")

__init__() = load_library()

# The functions that most programs call first.
precompile(open, (String,))
precompile(value, (Node,))
precompile(read_ecsv, (String,))
precompile(read_ecsv_table, (String, Dict{Symbol,Any}))
precompile(named_columns, (Table, Bool))
precompile(read_column, (Table, String))
for code in values(SCALAR_TYPES)
    precompile(with_missing, (Vector{code}, Vector{UInt8}))
end
precompile(with_missing, (Vector{String}, Vector{UInt8}))

end
