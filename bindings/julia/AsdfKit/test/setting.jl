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

"Array whose indices begin at -1."
struct Offset{T,N} <: AbstractArray{T,N}
    values::Array{T,N}
end
Base.size(array::Offset) = size(array.values)
Base.axes(array::Offset) = map(extent -> -1:extent-2, size(array.values))
Base.getindex(array::Offset{T,N}, index::Vararg{Int,N}) where {T,N} = array.values[(index .+ 2)...]

@testset "refusals" begin
    file = AsdfKit.new()
    file["kept"] = Dict("a" => 1)
    unstorable = (big"0.1", big"1e400", Complex(2^53 + 1, 0), π, 1 // 3, 'a', missing, Int, [missing], ["é\0"],
                  ["\xff"], "\xff", Dict("a\0" => 1), Dict("\xff" => 1), Offset([1]), Offset(["a"]), Offset(Any[1]))
    for value in unstorable
        @test_throws ArgumentError file["kept"] = value
        @test_throws ArgumentError file["kept"] = Dict("b" => 2, "c" => Any[1, value])
        @test_throws ArgumentError file["kept"] = (b = Any[2, value],)
    end
    @test_throws ArgumentError file["kept"] = (1, 'a')
    @test_throws ArgumentError file["kept"] = Dict{Any,Any}(1.5 => "a")
    @test_throws ArgumentError file["kept"] = Dict{Any,Any}(big(2)^70 => "a")
    @test_throws ArgumentError file["kept"] = Dict{Any,Any}(:a => "a", "a" => "b")
    @test_throws ArgumentError file["kept"] = Any[1 2; 3 4]
    @test_throws ArgumentError file["kept"] = Union{Int,Float64}[1 2.5]
    @test_throws ArgumentError file["kept"] = Union{Int,Float64,Missing}[1, missing]
    @test_throws ArgumentError file["kept"] = (a = "\xff",)
    # None of them changed the file, so it can be written.
    @test Dict(file["kept"]) == Dict("a" => 1)
    AsdfKit.write(file, joinpath(OUTPUTS, "kept.asdf"))
    file["exact"] = [big"0.5", 1.0f0]
    @test read(file["exact"]) == [0.5, 1.0]
    image = (file["image"] = [1.0 2.0; 3.0 4.0]; file["image"])
    file["copy"] = image
    @test read(file["copy"]) == read(image)
    file["copy"] = AsdfKit.node(file, "image")
    @test read(file["copy"]) == read(image)
    @test_throws ArgumentError file["copy"] = AsdfKit.without_mask(image)
    for (name, value) in ("image/name" => 1, "image/a/b" => Dict("c" => 1), "image/more" => [1.0])
        problem = try file[name] = value catch failure failure end
        @test problem.code == "WRONG_TYPE" && occursin("the node is an array", problem.message)
    end
    for wrong in (:order => :fortran, :strides => (16, 8), :threads => -1)
        @test_throws Union{ArgumentError,AsdfKit.AsdfError} read(image; (wrong,)...)
        @test_throws Union{ArgumentError,AsdfKit.AsdfError} AsdfKit.set!(file, "x", [1.0 2.0]; (wrong,)...)
    end
    file["items"] = Any[1, "x"]
    problem = try AsdfKit.node(file, "items")[0] catch failure failure end
    @test problem.code == "OUT_OF_RANGE" && occursin("no item 0", problem.message)
    @test "kept" in first.(file) && length(file) == length(keys(file))
    @test AsdfKit.open(found -> found["kept/a"], IOBuffer(read(joinpath(OUTPUTS, "kept.asdf")))) == 1
end

@testset "refused arrays of other indices, in all places that take arrays" begin
    path = joinpath(OUTPUTS, "offset.asdf")
    wrong = Union{ArgumentError,DimensionMismatch,MethodError,BoundsError}
    file = AsdfKit.new()
    file["x"] = [1.0 2.0; 3.0 4.0]
    AsdfKit.write(file, path)
    for lend in (false, true)
        @test_throws ArgumentError AsdfKit.set!(file, "y", Offset([1.0]); lend = lend)
        @test_throws ArgumentError AsdfKit.set!(file, "y", Offset([1.0, missing]); lend = lend)
    end
    @test !haskey(file, "y")
    AsdfKit.open(path, "r+") do edited
        @test_throws wrong edited["x"][1, :] = Offset([5.0, 6.0])
        @test_throws wrong read!(edited["x"], Offset(zeros(2, 2)))
        @test read(edited["x"]) == [1.0 2.0; 3.0 4.0]
    end
    for column in (Offset([1, 2]), Offset([1, missing]), Offset(["a", "b"]), [Offset([1, 2]), Offset([3, 4])])
        @test_throws wrong AsdfKit.set_table!(file, "t", (a = column,))
    end
    @test_throws wrong AsdfKit.stream(rows -> push!(rows, Offset([1.0, 2.0])), joinpath(OUTPUTS, "rows.asdf"), "rows",
                                      Float64, (2,))
    # The elements of an array in a record are taken one after another, whatever their indices.
    file["z"] = [(a = Offset([1, 2]),), (a = Offset([3, 4]),)]
    @test read(file["z"]) == [(a = [1, 2],), (a = [3, 4],)]
end

@testset "appended values" begin
    file = AsdfKit.new()
    file["list"] = Any[1]
    file["list/-"] = [1, missing]
    file["list/-"] = Dict("a" => 1, "b" => 2)
    file["list/-"] = (1, "x")
    file["list/-"] = 2.5
    file["list/-/deep/-"] = [(a = 1,), missing]
    for wrong in ([missing, "a\0"], Dict("a" => 'a'), (1, 1 // 2))
        @test_throws ArgumentError file["list/-"] = wrong
    end
    @test_throws ArgumentError AsdfKit.set!(file, "list/-", [1, missing]; order = :c)
    file["map"] = Dict("-" => 1)
    file["map/-"] = Dict("a" => 1, "b" => 2)
    AsdfKit.root(file)["other/-"] = Any[1, 2]
    AsdfKit.node(file, "list")["-"] = [missing, 4.5]
    @test length(file["list"]) == 7 && isequal(read(file["list/1"]), [1, missing])
    @test Dict(file["list/2"]) == Dict("a" => 1, "b" => 2) && collect(file["list/3"]) == [1, "x"]
    @test file["list/4"] == 2.5 && isequal(read(file["list/5/deep/0"]), [(a = 1,), missing])
    @test Dict(file["map/-"]) == Dict("a" => 1, "b" => 2) && size(file["other"]) == (2, 1)
    @test isequal(read(file["list/6"]), [missing, 4.5])
end
