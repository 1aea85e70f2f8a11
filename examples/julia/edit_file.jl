# Changes a number in a file and saves it: edit_file.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1], "r+") do file
        file["meta/exposure/time"] = 140.5
        AsdfKit.save(file)
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
