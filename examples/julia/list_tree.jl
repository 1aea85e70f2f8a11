# Lists the keys at the root of a file: list_tree.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1]) do file
        foreach(println, keys(file))
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
