# Opens a file, prints the version of its format, closes it: open_file.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1]) do file
        println(AsdfKit.format_version(file))
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
