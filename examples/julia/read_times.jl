# Reads a column of times of an ECSV table: read_times.jl TABLE
using AsdfKit
using Dates
using Printf

length(ARGS) == 1 || exit(2)
try
    table = AsdfKit.read_ecsv(ARGS[1])
    for start in table.start
        ismissing(start) ? println("missing") : @printf("%.3f s of UTC since 1970\n", datetime2unix(start))
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
