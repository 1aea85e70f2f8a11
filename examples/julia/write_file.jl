# Writes a new file with a string, a number and a compressed image: write_file.jl FILE
using AsdfKit

length(ARGS) == 1 || exit(2)
try
    file = AsdfKit.new()
    file["meta/telescope"] = "Roman"
    file["meta/exposure/time"] = 139.8
    AsdfKit.set!(file, "data", zeros(Float32, 6, 4); compression = "zlib")
    AsdfKit.write(file, ARGS[1])
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
