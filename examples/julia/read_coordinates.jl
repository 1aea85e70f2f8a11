# Reads positions on the sky and their frame: read_coordinates.jl FILE
using AsdfKit
using Printf

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1]) do file
        sky = AsdfKit.coordinates(file, "targets")
        for (ra, dec) in zip(AsdfKit.numbers(sky, "ra", "deg"), AsdfKit.numbers(sky, "dec", "deg"))
            @printf("%s: ra %.4f, dec %.4f\n", sky.frame, ra, dec)
        end
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
