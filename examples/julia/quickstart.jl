# Reads a number and an image of image.asdf, and writes another file: quickstart.jl
using AsdfKit

AsdfKit.open("image.asdf") do file
    seconds = file["meta/exposure/time"]
    image = read(file["data"])                    # Array{Float32,2}
    window = read(file["data"], 201:2:264, 101:2:164)
    println(seconds, " ", join(size(image), "x"), " ", size(window), " ", image[2, 1])

    copy = AsdfKit.new()
    copy["meta/telescope"] = "Roman"
    AsdfKit.set!(copy, "data", image; compression = "zlib")
    AsdfKit.write(copy, "copy.asdf")
end
