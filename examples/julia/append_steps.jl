# Appends time steps, each safe on the disk, and goes on with a file that exists: append_steps.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    if !isfile(ARGS[1])
        new = AsdfKit.new()
        AsdfKit.create_array(new, "heat", Float32, ((3, 2, 0), (3, 2, -1)); chunk = (3, 2, 4), compression = "zlib")
        AsdfKit.write(new, ARGS[1])
    end
    AsdfKit.open(ARGS[1], "r+") do file
        for _ in 1:5
            append!(file["heat"], fill(Float32(size(file["heat"], 3)), 3, 2))
            AsdfKit.save(file)
        end
        println(size(file["heat"], 3), " steps")
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
