# Subtracts the median of the good pixels of an image, and writes the result with its mask: subtract_sky.jl IMAGE NEW
using AsdfKit, Statistics

function main(source, target)
    result = AsdfKit.new()
    AsdfKit.open(source) do file
        image = read(file["data"])                 # missing where the mask says so
        sky = median(skipmissing(image))
        result["meta"] = (sky = sky, unit = "DN/s")
        AsdfKit.set!(result, "data", image .- sky; compression = "lz4")
        println("sky ", sky, ", ", count(ismissing, image), " bad pixels")
    end
    AsdfKit.write(result, target)
end

length(ARGS) == 2 || exit(2)
try
    main(ARGS...)
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
