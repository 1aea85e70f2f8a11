# Storing: arrays at any distances in memory, parts backwards, records, and values that cannot be stored.

@testset "memory" begin
    path = joinpath(OUTPUTS, "memory.asdf")
    cube = reshape(collect(Int32, 1:120), 4, 5, 6)
    matrix = [1.0 2.0 3.0; 4.0 5.0 6.0]
    arrays = Dict(
        "rows" => view(cube, 3:-2:1, :, 2), "planes" => view(cube, :, 5:-1:2, 6:-3:1), "turned" => matrix',
        "row" => view(cube, 2, 3, :)', "permuted" => PermutedDimsArray(cube, (3, 1, 2)),
        "permuted_part" => PermutedDimsArray(view(cube, 1:2:3, :, :), (2, 3, 1)), "bytes" => reinterpret(UInt8, cube),
        "conjugate" => [1+2im 3.0; 4 5im]', "transposed" => transpose([1+2im 3.0; 4 5im]), "bits" => trues(3, 2),
        "part_of_turned" => view(matrix', 2:3, 1), "reshaped" => reshape(view(cube, :, :, 2:3), 20, 2),
        "nothing" => view(cube, 1:0, :, :), "range" => 3:-1:1, "indexed" => view(cube, [1, 4], :, 1),
        "flags" => view([true false; false true], 1, :))
    file = AsdfKit.new()
    for (name, values) in arrays
        file[name] = values
    end
    AsdfKit.set!(file, "packed", arrays["planes"]; compression = "zlib", byte_order = :big)
    AsdfKit.write(file, path)
    AsdfKit.open(path) do found
        for (name, values) in arrays
            @test read(found[name]) == values && eltype(found[name]) == eltype(values)
        end
        @test read(found["packed"]) == arrays["planes"]
        whole = found["bytes"]
        @test whole[end, 1, 1] == reinterpret(UInt8, cube)[end, 1, 1] && whole[end:-4:1, 5, end] ==
                                                                         reinterpret(UInt8, cube)[end:-4:1, 5, end]
        @test size(whole[3:-1:4, :, :]) == (0, 5, 6) && axes(whole) == axes(reinterpret(UInt8, cube))
        @test_throws BoundsError whole[16:-1:0, 1, 1]
        @test_throws BoundsError whole[17:-1:1, 1, 1]
        target = zeros(8, 5)
        permuted = found["permuted"]
        @test read!(found["turned"], view(target, 7:-3:1, 4:5)) == matrix'
        @test target[[7, 4, 1], 4:5] == matrix' && sum(target) == sum(matrix)
        part = zeros(Int32, 12, 5)
        @test read!(permuted, view(part, 1:2:12, :), :, 2, :) == PermutedDimsArray(cube, (3, 1, 2))[:, 2, :]
        @test part[2:2:12, :] == zeros(6, 5)
        @test read!(permuted, PermutedDimsArray(zeros(Int32, 5, 6), (2, 1)), :, 4, :) == cube[4, :, :]'
        @test_throws DimensionMismatch read!(permuted, zeros(Int32, 6, 4), :, 2, :)
        @test_throws ArgumentError read!(permuted, view(zeros(Int32, 9), [1, 3, 5, 7, 9, 2]), :, 1, 1)
        @test_throws MethodError read!(permuted, zeros(Float64, 6, 4, 5))
        @test_throws ArgumentError read!(found["flags"], [true, true])
    end
    AsdfKit.open(path, "r+") do edited
        edited["turned"][end:-1:1, 2] = view(matrix, 1, :)
        edited["permuted"][2, :, 1:2:5] = view(cube, :, 1:3, 1)
        AsdfKit.save(edited)
        @test edited["turned"][:, 2] == [3, 2, 1] && edited["permuted"][2, :, 1:2:5] == cube[:, 1:3, 1]
    end
end

@testset "lent memory" begin
    path = joinpath(OUTPUTS, "lent.asdf")
    lent = zeros(3, 4)
    function lending()
        file = AsdfKit.new()
        # The library has the only reference to these arrays.
        for number in 1:50
            AsdfKit.set!(file, "a$number", view(fill(Float64(number), 40, 50), 1:2:40, 50:-1:1)'; lend = true)
        end
        AsdfKit.set!(file, "b", lent; lend = true)
        AsdfKit.set!(file, "c", lent)
        AsdfKit.set!(file, "d", ["x", "yz"]; lend = true)
        AsdfKit.set!(file, "e", [1.0, missing]; lend = true, compression = "zlib")
        @test_throws ArgumentError AsdfKit.set!(file, "f", lent; lend = true, order = :c)
        @test_throws AsdfKit.AsdfError AsdfKit.set!(file, "a1/x/y", lent; lend = true)
        AsdfKit.forget_failure!(file)
        return file
    end
    file = lending()
    GC.gc()
    lent .= 7
    AsdfKit.write(file, path)
    AsdfKit.open(path) do found
        @test all(read(found["a$number"]) == fill(number, 50, 20) for number in 1:50)
        @test read(found["b"]) == fill(7, 3, 4) && read(found["c"]) == zeros(3, 4)
        @test read(found["d"]) == ["x", "yz"] && isequal(read(found["e"]), [1, missing])
    end
    node = AsdfKit.node(file, "b")
    close(file)
    @test_throws AsdfKit.AsdfError node["x"]
    close(node)
    GC.gc()
    # Nothing is kept for files that are closed.
    @test all(each -> each.values === nothing, AsdfKit.LENT)
end

@testset "masks" begin
    file = AsdfKit.new()
    file["hole"] = [1.5 missing; 2.0 4.0]
    file["words"] = SubString.(["ab", "cd"], 1, 1)
    file["records"] = [(a = 1, b = "x"), missing, (a = 2, b = "y")]
    file["maybe"] = Union{Missing,SubString{String}}[SubString("abc", 2), missing]
    @test_throws AsdfKit.AsdfError read!(file["hole"], zeros(2, 2))
    @test_throws AsdfKit.AsdfError AsdfKit.mmap(file["hole"])
    @test read(file["hole"]; fill = -1.0) == [1.5 -1.0; 2.0 4.0] && read(file["hole"]; fill = -1.0) isa Matrix{Float64}
    @test read!(file["hole"], zeros(2), 1, :; fill = 7) == [1.5, 7.0]
    @test isequal(file["hole"][1, :], [1.5, missing]) && file["hole"][1, 2] === missing
    plain = AsdfKit.without_mask(file["hole"])
    @test read(plain) == [1.5 0.0; 2.0 4.0] && AsdfKit.mmap(plain)[2, 2] == 4.0
    @test_throws ArgumentError read(file["hole"]; fill = "none")
    @test read(file["words"]) == ["a", "c"] && isequal(read(file["maybe"]), ["bc", missing])
    @test_throws ArgumentError read(file["words"]; fil = 1)
    @test isequal(read(file["records"]), [(a = 1, b = "x"), missing, (a = 2, b = "y")])
    @test_throws ArgumentError file["all"] = Union{Missing,NamedTuple{(:a,),Tuple{Int}}}[missing]
end

@testset "records" begin
    path = joinpath(OUTPUTS, "records.asdf")
    file = AsdfKit.new()
    file["nested"] = [(id = Int16(1), at = (x = 1.5, y = [1 2 3; 4 5 6])),
                      (id = Int16(2), at = (x = -1.5, y = ones(Int, 2, 3)))]
    file["mixed"] = NamedTuple[(a = 1, b = "é"), (a = 2, b = "long")]
    file["none"] = NamedTuple{(:a, :b),Tuple{Float32,String}}[]
    @test_throws ArgumentError file["x"] = [(a = 1,), (a = missing,)]
    @test_throws ArgumentError file["x"] = [(a = (1, 2.5),)]
    @test_throws ArgumentError file["x"] = [(a = [1],), (a = [1, 2],)]
    @test_throws ArgumentError file["x"] = [(a = "é\0",)]
    @test_throws ArgumentError file["x"] = NamedTuple{(),Tuple{}}[NamedTuple()]
    AsdfKit.write(file, path)
    AsdfKit.open(path) do found
        nested = read(found["nested"])
        @test nested[1].id === Int16(1) && nested[1].at == (x = 1.5, y = [1 2 3; 4 5 6]) && nested[2].at.x == -1.5
        @test read(found["mixed"]) == [(a = 1, b = "é"), (a = 2, b = "long")]
        @test isempty(read(found["none"])) && eltype(found["none"]) == NamedTuple{(:a, :b),Tuple{Float32,String}}
        @test found["mixed"][2:-1:1] == [(a = 2, b = "long"), (a = 1, b = "é")]
    end
end

@testset "refusals" begin
    file = AsdfKit.new()
    file["kept"] = Dict("a" => 1)
    unstorable = (big"0.1", big"1e400", Complex(2^53 + 1, 0), π, 1 // 3, 'a', missing, Int, [missing], ["é\0"],
                  ["\xff"])
    for value in unstorable
        @test_throws ArgumentError file["kept"] = value
        @test_throws ArgumentError file["kept"] = Dict("b" => 2, "c" => (1, value))
        @test_throws ArgumentError file["kept"] = (b = Any[2, value],)
    end
    @test_throws ArgumentError file["kept"] = Dict{Any,Any}(1 => "a", "1" => "b")
    @test_throws ArgumentError file["kept"] = Dict{Any,Any}(:a => "a", "a" => "b")
    @test_throws ArgumentError file["kept"] = Any[1 2; 3 4]
    @test_throws ArgumentError file["kept"] = (a = "\xff",)
    # None of them changed the file, so it can be written.
    @test Dict(file["kept"]) == Dict("a" => 1)
    AsdfKit.write(file, joinpath(OUTPUTS, "kept.asdf"))
    file["exact"] = [big"0.5", 1.0f0]
    @test read(file["exact"]) == [0.5, 1.0]
    image = (file["image"] = [1.0 2.0; 3.0 4.0]; file["image"])
    @test_throws ArgumentError file["copy"] = image
    file["copy"] = AsdfKit.node(file, "image")
    @test read(file["copy"]) == read(image)
    for wrong in (:order => :fortran, :strides => (16, 8), :threads => -1)
        @test_throws Union{ArgumentError,AsdfKit.AsdfError} read(image; (wrong,)...)
        @test_throws Union{ArgumentError,AsdfKit.AsdfError} AsdfKit.set!(file, "x", [1.0 2.0]; (wrong,)...)
    end
    problem = try AsdfKit.node(file, "kept")[0] catch failure failure end
    @test problem.code == "OUT_OF_RANGE" && occursin("no item 0", problem.message)
    @test "kept" in first.(file) && length(file) == length(keys(file))
    @test AsdfKit.open(found -> found["kept/a"], IOBuffer(read(joinpath(OUTPUTS, "kept.asdf")))) == 1
end
