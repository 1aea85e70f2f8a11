# Decides by the code of an error, and prints its place: handle_errors.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1]) do file
        try
            file["meta/exposure/start", Float64]
        catch problem
            problem isa AsdfKit.AsdfError && problem.code == "WRONG_TYPE" || rethrow()
            println("line ", problem.line, " is no number\n", problem.message)
        end
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
