# Reads and writes a large array in Julia: arrays.jl open|read|write FILE
using AsdfKit

function main(action, path)
    if action == "write"
        file = AsdfKit.new()
        AsdfKit.set!(file, "data", fill(1.5, 8192, 4096); lend = true)
        return AsdfKit.write(file, path)
    end
    array = AsdfKit.open(path)["data"]
    action == "read" && read(array)[end] != 1.5 && error("another element")
end

main(ARGS...)
