# Describes the content of a file in NDL: describe_content.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    print(AsdfKit.describe(ARGS[1]))
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
