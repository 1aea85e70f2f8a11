# Reads a whole image of any size as Float64: read_array.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1]) do file
        pixels = read(Float64, file["data"])
        println(join(size(pixels), " x "), ", last pixel ", pixels[end])
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
