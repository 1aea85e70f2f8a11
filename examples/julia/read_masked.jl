# Reads an image with missing pixels: read_masked.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1]) do file
        image = read(file["data"])               # elements are numbers or `missing`
        println(count(ismissing, image), " missing, the others from ", round(minimum(skipmissing(image)); digits = 1))
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
