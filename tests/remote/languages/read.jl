# Opens a URL, reads a tile, and prints it with the counts of requests and bytes. A wrong URL prints the status.
import AsdfKit

url = ARGS[1]
AsdfKit.open(url * "image.asdf") do file
    tile = file["data"][2001:2064, 3001:3064]
    counts = AsdfKit.transfers(file)
    println(sum(Float64, tile), " ", counts.requests, " ", counts.bytes)
end
try
    AsdfKit.open(identity, url * "missing.asdf")
catch problem
    println(problem isa AsdfKit.AsdfError && problem.code == "FILE_NOT_FOUND" ? 1 : 0)
end
