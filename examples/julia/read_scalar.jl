# Reads a number by its path, and another one with a default: read_scalar.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1]) do file
        seconds = file["meta/exposure/time"]
        repeats = get(file, "meta/exposure/repeats", 1)
        println(seconds, " s, ", repeats, " exposure(s)")
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
