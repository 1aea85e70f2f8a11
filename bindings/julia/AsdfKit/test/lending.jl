# Lent memory: when the library releases the arrays of the program, and that it reads them until then.

allequal(values) = all(==(first(values)), values)
# Files of other tests can still be collected, so that fewer loans than before are no error.
held() = count(lent -> lent.values !== nothing, AsdfKit.LENT)

"Makes a file to which so many arrays are lent; nothing else refers to them."
function lending_file(count)
    file = AsdfKit.new()
    for number in 1:count
        AsdfKit.set!(file, "a$number", view(fill(Float64(number), 40, 50), 1:2:40, 50:-1:1)'; lend = true)
    end
    return file
end

"Returns whether a file has the arrays of `lending_file`."
is_written(path, count) = AsdfKit.open(path) do found
    all(read(found["a$number"]) == fill(number, 50, 20) for number in 1:count)
end

@testset "lent arrays stay until the file is written" begin
    path = joinpath(OUTPUTS, "lent.asdf")
    before = held()
    lent = zeros(3, 4)
    function lending()
        file = lending_file(50)
        AsdfKit.set!(file, "b", lent; lend = true)
        AsdfKit.set!(file, "c", lent)
        AsdfKit.set!(file, "d", ["x", "yz"]; lend = true)
        AsdfKit.set!(file, "e", [1.0, missing]; lend = true, compression = "zlib")
        AsdfKit.set!(file, "f", Float32[]; lend = true)
        AsdfKit.set!(file, "g", fill(2.5); lend = true)
        AsdfKit.set!(file, "h", 3:-1:1; lend = true)
        AsdfKit.set!(file, "i", trues(2, 3); lend = true)
        AsdfKit.set!(file, "twice", lent; lend = true)
        AsdfKit.set!(file, "packed", lent; lend = true, compression = "lz4", byte_order = :big)
        return file
    end
    file = lending()
    GC.gc()
    lent .= 7
    AsdfKit.write(file, path)
    @test is_written(path, 50)
    AsdfKit.open(path) do found
        @test read(found["b"]) == fill(7, 3, 4) && read(found["c"]) == zeros(3, 4)
        @test read(found["twice"]) == fill(7, 3, 4) && read(found["packed"]) == fill(7, 3, 4)
        @test read(found["d"]) == ["x", "yz"] && isequal(read(found["e"]), [1, missing])
        @test isempty(read(found["f"])) && read(found["g"]) == fill(2.5) && read(found["h"]) == [3, 2, 1]
        @test read(found["i"]) == trues(2, 3)
    end
    node = AsdfKit.node(file, "b")
    close(file)
    @test_throws AsdfKit.AsdfError node["x"]
    close(node)
    GC.gc()
    @test held() <= before
end

@testset "calls that fail" begin
    before = held()
    file = lending_file(3)
    file["text"] = "x"
    taken = held()
    @test_throws ArgumentError AsdfKit.set!(file, "f", zeros(2); lend = true, order = :c)
    @test_throws AsdfKit.AsdfError AsdfKit.set!(file, "f", zeros(2); lend = true, compression = "none such")
    @test_throws AsdfKit.AsdfError AsdfKit.set!(file, "text/x", zeros(2); lend = true)
    @test held() == taken
    AsdfKit.forget_failure!(file)
    # A failing write releases nothing, so that the next one succeeds.
    for wrong in (joinpath(OUTPUTS, "nowhere", "lent.asdf"), joinpath(OUTPUTS, "lent.asdf"))
        @test_throws AsdfKit.AsdfError AsdfKit.write(file, wrong)
        GC.gc()
    end
    @test_throws ErrorException AsdfKit.write(file, joinpath(OUTPUTS, "stopped.asdf");
                                              progress = (done, total) -> error("stop"))
    path = joinpath(OUTPUTS, "retried.asdf")
    AsdfKit.write(file, path)
    @test is_written(path, 3)
    # An exception of the progress function does not end the loan of an array that the library took.
    try AsdfKit.set!(file, "p", fill(1.5, 100); lend = true, progress = (done, total) -> error("stop")) catch end
    GC.gc()
    array = haskey(file, "p") ? file["p"] : file["a1"]
    @test allequal(read(array))
    close(file)
    close(array)
    GC.gc()
    @test held() <= before
end

@testset "releases" begin
    before = held()
    # Closed before it is written.
    file = lending_file(5)
    close(file)
    @test held() <= before
    # Another value, or none, in the place of the array.
    file = lending_file(2)
    array = file["a1"]
    file["a1"] = 1
    delete!(file, "a2")
    GC.gc()
    @test file["a1"] == 1 && !haskey(file, "a2")
    close(file)
    close(array)
    @test held() <= before
    # Finalizers release, in any order of file, nodes and arrays.
    random = MersenneTwister(7)
    function drop()
        objects = Any[]
        for _ in 1:20
            lender = lending_file(3)
            append!(objects, shuffle(random, Any[lender, AsdfKit.root(lender), AsdfKit.node(lender, "a1"),
                                                 lender["a2"]]))
            for _ in 1:2
                splice!(objects, rand(random, 1:length(objects)))
            end
            rand(random) < 0.3 && GC.gc(false)
        end
        alive = first(object for object in objects if object isa AsdfKit.AsdfArray)
        empty!(objects)
        GC.gc()
        # An array keeps its file alive, and the memory that the file has borrowed.
        @test held() >= before + 3 && read(alive) == fill(2, 50, 20)
    end
    drop()
    foreach(_ -> GC.gc(), 1:3)
    @test held() <= before
    # Entries without a loan do not gather.
    for _ in 1:300
        close(lending_file(1))
    end
    @test length(AsdfKit.LENT) < 200
end

@testset "$(Threads.nthreads()) threads lend" begin
    before = held()
    wrong = Threads.Atomic{Int}(0)
    Threads.@threads for number in 1:40
        file = lending_file(4)
        number % 10 == 0 && GC.gc()
        path = joinpath(OUTPUTS, "thread$number.asdf")
        AsdfKit.write(file, path)
        is_written(path, 4) || Threads.atomic_add!(wrong, 1)
        number % 2 == 0 && close(file)
        rm(path)
    end
    @test wrong[] == 0
    foreach(_ -> GC.gc(), 1:3)
    # A thread that waits can still refer to its last file.
    @test held() <= before + 4 * Threads.nthreads()
end
