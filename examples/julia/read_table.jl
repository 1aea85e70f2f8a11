# Reads a column with missing values of an ECSV table: read_table.jl TABLE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    table = AsdfKit.read_ecsv(ARGS[1])
    foreach(println, table.flux)
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
