# Reads a column of angles in hours instead of degrees: read_in_unit.jl TABLE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    table = AsdfKit.read_ecsv(ARGS[1]; units = Dict("ra" => "hourangle"))
    foreach(hours -> println(round(hours; digits = 4), " h"), table.ra)
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
