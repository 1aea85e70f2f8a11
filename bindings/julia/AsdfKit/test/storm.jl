# Garbage collection storms: handles of all kinds that are dropped, closed and used in random order, on several threads.
# ASDFKIT_STORM is the number of handles.
using Random

const STORM = parse(Int, get(ENV, "ASDFKIT_STORM", "2000"))

"Writes a file with some of everything, and returns its path."
function storm_file()
    path = joinpath(OUTPUTS, "storm.asdf")
    file = AsdfKit.new()
    file["meta"] = Dict("name" => "storm", "list" => Any[1, "two"])
    file["image"] = reshape(collect(Float32, 1:600), 20, 30)
    AsdfKit.set!(file, "packed", collect(Int64, 1:1000); compression = "zlib")
    AsdfKit.set_table!(file, "table", (a = [1, 2, 3], b = [1.5, missing, 2.5]))
    AsdfKit.write(file, path; replace = true)
    return path
end

"Makes an object of a random kind that depends on a file."
function storm_object(random, file)
    choice = rand(random, 1:9)
    choice == 1 && return AsdfKit.root(file)
    choice == 2 && return file["image"]
    choice == 3 && return file["meta"]
    choice == 4 && return AsdfKit.mmap(file["image"])
    choice == 5 && return AsdfKit.describe(file)
    choice == 6 && return AsdfKit.new()
    choice == 7 && return AsdfKit.NdlBuilder()
    choice == 8 && return AsdfKit.read_table(file, "table"; metadata = true)
    return AsdfKit.parse_ndl("ndarrays: {a: {shape: [2], type: int8}}")
end

"Uses an object: what it returns is right, or it throws an AsdfError because it is closed."
function storm_use(object)
    try
        use(object)
        return true
    catch problem
        problem isa AsdfKit.AsdfError && problem.code in ("CLOSED", "STALE") || rethrow()
        return false
    end
end

use(node::AsdfKit.Node) = length(keys(node)) >= 2 || error("the node has lost its keys")
use(array::AsdfKit.AsdfArray) = array[20, 30] == 600 || error("the array has other elements")
use(mapped::AbstractArray) = mapped[20, 30] == 600 || error("the view has other elements")
use(ndl::AsdfKit.Ndl) = isempty(AsdfKit.ndarrays(ndl)) && error("the description has lost its arrays")
use(file::AsdfKit.File) = (file["x"] = 1; file["x"] == 1 || error("the file has another value"))
use(builder::AsdfKit.NdlBuilder) = AsdfKit.finish(AsdfKit.add_group!(builder, "/g"))
use((table, metadata)::Tuple) = table.a == [1, 2, 3] && length(metadata) == 2 || error("the table differs")

@testset "storm of $STORM handles" begin
    random = MersenneTwister(16)
    path = storm_file()
    kept = Any[]
    uses = closed = 0
    for number in 1:STORM
        file = isempty(kept) || rand(random) < 0.2 ? AsdfKit.open(path) : rand(random, kept)[1]
        isopen(file) || (file = AsdfKit.open(path))
        push!(kept, (file, storm_object(random, file)))
        length(kept) > 50 && splice!(kept, rand(random, 1:length(kept)))   # becomes garbage
        event = rand(random)
        if event < 0.05
            close(rand(random, kept)[1])
            closed += 1
        elseif event < 0.10
            object = rand(random, kept)[2]
            object isa AsdfKit.Handle && close(object)
        end
        uses += storm_use(rand(random, kept)[2])
        number % 500 == 0 && GC.gc(number % 2000 == 0)
    end
    empty!(kept)
    GC.gc()
    @test uses > STORM ÷ 4 && closed > 0
end

@testset "use after close" begin
    path = storm_file()
    file = AsdfKit.open(path)
    meta, image, mapped = file["meta"], file["image"], AsdfKit.mmap(file["image"])
    close(file)
    close(file)
    for call in (() -> file["meta"], () -> meta["name"], () -> read(image), () -> AsdfKit.describe(file),
                 () -> AsdfKit.read_table(file, "table"), () -> AsdfKit.set_table!(file, "t", (a = [1],)),
                 () -> AsdfKit.mmap(image), () -> AsdfKit.write(file, path), () -> AsdfKit.warnings(file))
        problem = try call() catch failure failure end
        @test problem isa AsdfKit.AsdfError && problem.code == "CLOSED"
    end
    # A view outlives its file.
    @test sum(mapped) == sum(1:600)
    @test repr(file) == "AsdfKit.File(closed)"
    close(meta)
    @test repr(meta) == "AsdfKit.Node(closed)"
end

@testset "$(Threads.nthreads()) threads read one file" begin
    file = AsdfKit.open(storm_file())
    image, packed = file["image"], file["packed"]
    wrong = Threads.Atomic{Int}(0)
    Threads.@threads for number in 1:max(100, STORM ÷ 20)
        column = number % 30 + 1
        image[:, column] == Float32[20(column - 1)+row for row in 1:20] || Threads.atomic_add!(wrong, 1)
        packed[number%1000+1] == number % 1000 + 1 || Threads.atomic_add!(wrong, 1)
        file["meta/name"] == "storm" || Threads.atomic_add!(wrong, 1)
        # The error is that of this thread.
        problem = try file["absent$number"] catch failure failure end
        occursin("absent$number", problem.message) || Threads.atomic_add!(wrong, 1)
        number % 50 == 0 && GC.gc(false)
    end
    @test wrong[] == 0
    close(file)
end
