# Streams, and progress of all kinds of calls: cancelled calls, exceptions of progress functions.

@testset "streams" begin
    path = joinpath(OUTPUTS, "stream.asdf")
    rows = [Float64[row+0.5, -row-0.25] for row in 0:4]
    result = AsdfKit.stream(path, "rows", Float64, (2,)) do stream
        @test eltype(stream) == Float64 && length(stream) == 0
        push!(stream, rows[1])
        append!(stream, hcat(rows[2:4]...))
        @test_throws DimensionMismatch push!(stream, [1.0])
        @test_throws DimensionMismatch append!(stream, ones(3, 2))
        @test_throws DimensionMismatch append!(stream, ones(2))
        push!(stream, view(rows[5], :))
        append!(stream, ones(2, 0))
        length(stream)
    end
    @test result == 5
    AsdfKit.open(path) do file
        @test read(file["rows"]) == hcat(rows...)
    end

    numbers = joinpath(OUTPUTS, "numbers.asdf")
    content = AsdfKit.new()
    content["by"] = "Julia"
    AsdfKit.stream(numbers, "group/counts", Int16; content = content, compression = "zlib") do stream
        foreach(number -> push!(stream, number), 1:3)
        append!(stream, 4:6)
        @test_throws InexactError push!(stream, 40000)
        @test_throws MethodError push!(stream, "x")
    end
    AsdfKit.open(numbers) do file
        @test read(file["group/counts"]) == Int16[1, 2, 3, 4, 5, 6] && file["by"] == "Julia"
    end

    absent = joinpath(OUTPUTS, "absent.asdf")
    @test_throws ErrorException AsdfKit.stream(absent, "rows", Float32) do stream
        push!(stream, 1)
        error("the program fails")
    end
    @test !ispath(absent)
    @test_throws AsdfKit.AsdfError AsdfKit.stream(identity, path, "rows", Float32)
    @test_throws ArgumentError AsdfKit.stream(identity, absent, "rows", String)
    @test_throws ArgumentError AsdfKit.stream(identity, absent, "rows", Float32, (0,))
    @test_throws ArgumentError AsdfKit.stream(identity, absent, "rows", Float32, (2, -1))
    # A stream that left its block is closed.
    kept = Ref{Any}()
    AsdfKit.stream(stream -> (kept[] = stream), absent, "rows", Float32)
    @test_throws AsdfKit.AsdfError push!(kept[], 1)
    @test_throws AsdfKit.AsdfError length(kept[])
end

"A call with these keywords reports its progress, can be cancelled, and throws what its function throws."
function test_progress(call)
    seen = Tuple{Any,Any}[]
    call(progress = (done, total) -> (push!(seen, (done, total)); nothing))
    @test !isempty(seen) && seen[1][1] == 0
    @test all(report -> report[2] === missing || report[1] <= report[2], seen)
    problem = try call(progress = (done, total) -> false) catch failure failure end
    @test problem isa AsdfKit.AsdfError && problem.status == 113
    @test_throws ErrorException("stop") call(progress = (done, total) -> error("stop"))
    # A function of another number of arguments is an error, not a crash.
    @test_throws MethodError call(progress = () -> true)
    # A collection of garbage inside a call is allowed.
    call(progress = (done, total) -> (GC.gc(); true))
end

@testset "progress" begin
    path = joinpath(OUTPUTS, "progress.ecsv")
    table = (number = collect(1:1000) ./ 7, text = string.(1:1000))
    AsdfKit.write_ecsv(path, table)
    test_progress((; keywords...) -> AsdfKit.read_ecsv(path; keywords...))
    test_progress((; keywords...) -> AsdfKit.write_ecsv(path, table; replace = true, keywords...))
    test_progress((; keywords...) -> foreach(identity, AsdfKit.eachbatch(path; rows = 300, keywords...)))
    test_progress((; keywords...) -> AsdfKit.write_ecsv(path; replace = true, keywords...) do writer
        append!(writer, table)
        append!(writer, table)
    end)
    @test AsdfKit.read_ecsv(path).number == [table.number; table.number]
    image = joinpath(OUTPUTS, "progress.asdf")
    push_rows(stream) = foreach(row -> push!(stream, table.number), 1:10)
    test_progress((; keywords...) ->
        AsdfKit.stream(push_rows, image, "rows", Float64, (1000,); replace = true, keywords...))
    # A cancelled batch can be read again.
    answers = [true, false]
    batches = AsdfKit.eachbatch(path; rows = 500, progress = (done, total) -> isempty(answers) || popfirst!(answers))
    sizes = Int[]
    for _ in 1:10
        step = try iterate(batches) catch failure failure end
        step === nothing && break
        step isa Tuple && push!(sizes, length(step[1].number))
    end
    @test sizes == [500, 500, 500, 500]
end

@testset "rows that would be rounded" begin
    path = joinpath(OUTPUTS, "rounded.asdf")
    @test_throws InexactError AsdfKit.stream(rows -> push!(rows, [0.1, 0.5]), path, "x", Float32, (2,))
    @test_throws InexactError AsdfKit.stream(rows -> push!(rows, 2^24 + 1), path, "x", Float32)
    @test_throws InexactError AsdfKit.stream(rows -> append!(rows, [1e300]), path, "x", Float32)
    @test !isfile(path)
    AsdfKit.stream(path, "x", Float32; replace = true) do rows
        append!(rows, [0.5, NaN, Inf, -0.0, 16777216])
        push!(rows, 1)
        append!(rows, Float32.([0.1]))
    end
    @test isequal(AsdfKit.open(file -> read(file["x"]), path), Float32[0.5, NaN, Inf, -0.0, 16777216, 1, 0.1])
end
