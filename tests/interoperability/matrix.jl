# The Julia program of the matrix: `write EXPECTED DIR` writes the files, `read FOUND FILE...` reads files and dumps
# what it finds into the directory FOUND. matrix.py describes files and dumps. Dimensions here are in Julia order.
using AsdfKit

const TYPES = [Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float16, Float32, Float64, ComplexF32,
               ComplexF64, Bool]
const NAMES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
               "float64", "complex64", "complex128", "bool8"]
const SIZES = [(), (7,), (5, 3), (4, 3, 2), (5, 2, 3, 2)]
const CODECS = ["none", "zlib", "bzp2", "lz4", "lz4f", "zstd", "blsc", "bls2"]
const STAR = NamedTuple{(:id, :position, :name, :flux, :good),Tuple{Int32,NTuple{3,Float64},String,Float32,Bool}}

# Writing --------------------------------------------------------------------------------------------------------------

elements(T, expected, name) = collect(reinterpret(T, read(joinpath(expected, "$name.bin"))))
texts(expected, name) = readlines(joinpath(expected, "$name.txt"))
flags(expected, name) = elements(Bool, expected, name)

"Returns the rows of the expected records, which are packed."
function stars(expected)
    bytes = IOBuffer(read(joinpath(expected, "records.bin")))
    rows = STAR[]
    while !eof(bytes)
        id = read(bytes, Int32)
        position = (read(bytes, Float64), read(bytes, Float64), read(bytes, Float64))
        name = String(rstrip(String(read(bytes, 8)), '\0'))
        push!(rows, STAR((id, position, name, read(bytes, Float32), read(bytes, Bool))))
    end
    return rows
end

with_missing(values, mask) = [missed ? missing : value for (value, missed) in zip(values, mask)]

function write_arrays(expected, path, codec, order, byte_order)
    file = AsdfKit.new()
    for (T, name) in zip(TYPES, NAMES), (rank, dimensions) in enumerate(SIZES)
        array = reshape(elements(T, expected, "$name-rank$(rank - 1)"), dimensions)
        AsdfKit.set!(file, "$name/rank$(rank - 1)", array; compression = codec == "none" ? nothing : codec,
                     stored_order = order, byte_order = byte_order)
    end
    AsdfKit.write(file, path)
end

function write_extras(expected, directory)
    table = (
        id = elements(Int64, expected, "table-id"),
        flux = with_missing(elements(Float64, expected, "table-flux"), flags(expected, "table-flux.mask")),
        name = texts(expected, "table-name"),
        good = flags(expected, "table-good"),
        position = collect.(eachcol(reshape(elements(Float64, expected, "table-position"), 2, :))),
    )
    file = AsdfKit.new()
    file["strings/ascii"] = reshape(texts(expected, "strings-ascii"), 3, 2)
    file["strings/ucs4"] = reshape(texts(expected, "strings-ucs4"), 3, 2)
    file["records"] = stars(expected)
    mask = flags(expected, "masks-image.mask")
    file["masks/image"] = reshape(with_missing(elements(Float64, expected, "masks-image"), mask), 4, 3)
    AsdfKit.set_table!(file, "table", table; form = :astropy)
    AsdfKit.write(file, joinpath(directory, "extras.asdf"))
    AsdfKit.write_ecsv(joinpath(directory, "table.ecsv"), table)
end

# Reading --------------------------------------------------------------------------------------------------------------

function add(found, name, bytes::Vector{UInt8})
    println(found, name, ' ', length(bytes))
    write(found, bytes)
end
add(found, name, lines::Array{String}) = add(found, name, Vector{UInt8}(join(lines .* "\n")))
function add(found, name, @nospecialize(numbers::Array))
    println(found, name, ' ', sizeof(numbers))
    GC.@preserve numbers unsafe_write(found, Ptr{UInt8}(pointer(numbers)), UInt(sizeof(numbers)))
end

function add_masked(found, name, array::Array)
    add(found, name, Float64[coalesce(element, 0.0) for element in array])
    add(found, "$name.mask", map(ismissing, array))
end

function add_table(found, table)
    add(found, "table/id", table.id)
    add_masked(found, "table/flux", table.flux)
    add(found, "table/name", table.name)
    add(found, "table/good", table.good)
    add(found, "table/position", reduce(vcat, table.position))
end

function read_arrays(found, file)
    for (T, name) in zip(TYPES, NAMES), (rank, dimensions) in enumerate(SIZES)
        path = "$name/rank$(rank - 1)"
        haskey(file, path) || continue
        array = read(file[path])
        array isa Array{T} && size(array) == dimensions || error("$path has another type or size")
        add(found, path, array)
    end
end

function read_file(directory, path)
    open(joinpath(directory, "$(basename(path)).found"), "w") do found
        endswith(path, ".ecsv") && return add_table(found, AsdfKit.read_ecsv(path))
        AsdfKit.open(path; verify_checksums = true) do file
            read_arrays(found, file)
            for name in ("strings/ascii", "strings/ucs4")
                haskey(file, name) && add(found, name, read(file[name]))
            end
            if haskey(file, "records")
                records = read(file["records"])
                for field in (:id, :name, :flux, :good)
                    add(found, "records/$field", [record[field] for record in records])
                end
                add(found, "records/position", reduce(vcat, [collect(record.position) for record in records]))
            end
            haskey(file, "masks/image") && add_masked(found, "masks/image", read(file["masks/image"]))
            haskey(file, "table") && add_table(found, AsdfKit.read_table(file, "table"))
        end
    end
end

function main(mode, directory, names...)
    mode == "read" && return foreach(name -> read_file(directory, name), names)
    for codec in CODECS, order in ("c", "fortran"), byte_order in ("little", "big")
        write_arrays(directory, joinpath(names[1], "$codec-$order-$byte_order.asdf"), codec, Symbol(order),
                     Symbol(byte_order))
    end
    write_extras(directory, names[1])
end

main(ARGS...)
