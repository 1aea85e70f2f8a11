# Reads every second pixel of a window of an image: read_region.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1]) do file
        # The first dimension is the last one in C: rows 76, 78, 80, 82 and columns 54, 56, ... there.
        window = read(file["data"], 55:2:65, 77:2:83)
        println("first ", window[1], ", last ", window[end])
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
