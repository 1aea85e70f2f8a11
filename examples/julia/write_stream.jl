# Writes spectra as they come: write_stream.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    AsdfKit.stream(ARGS[1], "spectra", Float32, (4,)) do spectra
        for number in 1:10
            push!(spectra, fill(Float32(number), 4))
        end
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
