# Files, nodes and arrays: values of all kinds, parts of arrays, views, masks, records, edits, errors.

@testset "values" begin
    path = joinpath(OUTPUTS, "values.asdf")
    file = AsdfKit.new()
    file["meta"] = Dict("name" => "Vega", "a/b" => 1)
    file["list"] = Any[1, "two", nothing, 2.5]
    file["flag"] = true
    file["low"] = typemin(Int64)
    file["high"] = big(2)^70
    file["z"] = 1.5 - 2im
    file["nothing"] = nothing
    file["pair"] = (left = 1, right = "r")
    file["mixed"] = (1, [2, "x"])
    @test_throws ArgumentError file["type"] = Int
    AsdfKit.write(file, path)
    AsdfKit.open(path) do read_back
        @test read_back["meta/name"] == "Vega" && read_back["meta/a~1b"] === 1
        @test collect(read_back["list"]) == [1, "two", nothing, 2.5] && read_back["list"][2] == "two"
        @test read_back["flag"] === true && read_back["low"] === typemin(Int64) && read_back["high"] == big(2)^70
        @test read_back["z"] === 1.5 - 2im && read_back["nothing"] === nothing
        @test Dict(read_back["pair"]) == Dict("left" => 1, "right" => "r")
        @test "list" in keys(read_back) && keys(read_back["list"]) == 1:4 && length(read_back["meta"]) == 2
        @test haskey(read_back, "meta/name") && !haskey(read_back, "meta/nme")
        @test get(read_back, "meta/nme", "none") == "none" && read_back["mixed/1/1"] == "x"
        @test read_back["low", Int64] == typemin(Int64) && read_back["list/3", Float64] === 2.5
        @test read_back["flag", Bool] && read_back["meta/name", String] == "Vega"
        problem = try read_back["meta/name", Float64] catch failure failure end
        @test problem.code == "WRONG_TYPE" && problem.line > 1 && problem.path == "/meta/name" && problem.file == path
        problem = try read_back["meta/nme"] catch failure failure end
        @test problem.code == "NOT_FOUND" && occursin("did you mean 'name'", sprint(showerror, problem))
        @test_throws AsdfKit.AsdfError read_back["x"] = 1
        message(call) = try call() catch failure sprint(showerror, failure) end
        @test occursin("open it with the mode \"r+\"", message(() -> read_back["x"] = 1))
        @test occursin("repeat it, or call AsdfKit.forget_failure!(file)", message(() -> AsdfKit.write(read_back, path)))
        AsdfKit.forget_failure!(read_back)
        @test occursin("set the option 'replace' to replace it", message(() -> AsdfKit.write(read_back, path)))
        @test endswith(message(() -> AsdfKit.write(read_back, path; overwrite = true)), "did you mean \"replace\"?")
        @test endswith(message(() -> AsdfKit.write(read_back, path; compresion = "zlib")),
                       "\"compression\" is an option of AsdfKit.set!")
        @test endswith(message(() -> AsdfKit.write(read_back, path; qwerty = 1)), " and limits")
        @test startswith(message(() -> AsdfKit.write(read_back, path; threads = -1, replace = true)),
                         "AsdfError (INVALID_ARGUMENT): -1 is not allowed for the option 'threads'; it takes an integer")
        @test_throws AsdfKit.AsdfError read_back["list"][5]
        @test AsdfKit.warnings(read_back) isa Vector{AsdfKit.Finding} && occursin("values.asdf", repr(read_back))
        @test repr(read_back["meta"]) == "AsdfKit.Node(\"/meta\")"
    end
    AsdfKit.open(path, "r+") do edited
        edited["meta/name"] = "Mira"
        AsdfKit.save(edited)
    end
    @test AsdfKit.open(file -> file["meta/name"], read(path)) == "Mira"
    @test_throws AsdfKit.AsdfError AsdfKit.write(file, path)
    @test_throws ArgumentError AsdfKit.open(path, "w")
    @test_throws ArgumentError AsdfKit.open(path; replace = true)
    @test_throws ArgumentError AsdfKit.open(path; threads = "many")
    @test_throws ArgumentError AsdfKit.open(path; access = :everywhere)
    @test_throws AsdfKit.AsdfError AsdfKit.open(UInt8[1, 2, 3])
    @test AsdfKit.library_version() isa VersionNumber
end

@testset "arrays" begin
    path = joinpath(OUTPUTS, "arrays.asdf")
    cube = reshape(collect(Int32, 1:120), 4, 5, 6)
    file = AsdfKit.new()
    file["cube"] = cube
    file["part"] = view(cube, 1:2:4, :, 6:-1:1)
    file["turned"] = permutedims(cube, (3, 1, 2))
    file["adjoint"] = [1.0 2.0; 3.0 4.0]'
    file["flags"] = [true false; false true]
    file["words"] = ["a" "bc"; "é" ""]
    file["hole"] = [1.5 missing; NaN 4.0]
    file["scalar"] = fill(2.5f0)
    AsdfKit.set!(file, "packed", cube; compression = "lz4", byte_order = :big)
    file["stars"] = [(id = 1, name = "Vega", at = (0.5, 1.5)), (id = 2, name = "x", at = (2.5, 3.5))]
    @test_throws ArgumentError AsdfKit.set!(file, "wrong", [1im])
    AsdfKit.write(file, path)
    AsdfKit.open(path) do found
        array = found["cube"]
        @test size(array) == (4, 5, 6) && size(array, 2) == 5 && eltype(array) == Int32 && ndims(array) == 3
        @test length(array) == 120 && occursin("(4, 5, 6)", repr(array))
        @test read(array) == cube && read(array) isa Array{Int32,3}
        for ranges in ((1:4, 1:5, 1:6), (2:3, :, 4), (:, 5, 1:2:6), (4, 5, 6), (1:0, :, :), (2, :, 1:3:6))
            @test array[ranges...] == cube[ranges...] && read(array, ranges...) == cube[ranges...]
        end
        @test read(Float64, array, :, 1, 1) == 1.0:4.0 && read(Float64, array) isa Array{Float64,3}
        @test_throws AsdfKit.AsdfError read(Int32, found["hole"])
        for ranges in ((0:1, :, :), (1:5, :, :), (1, 1), (1, 1, 7))
            @test_throws BoundsError read(array, ranges...)
        end
            @test array[4:-1:1, :, 2:3:6] == cube[4:-1:1, :, 2:3:6]
        buffer = zeros(Int32, 4, 5, 6)
        @test read!(array, buffer) === buffer && buffer == cube
        @test_throws DimensionMismatch read!(array, zeros(Int32, 4, 5))
        mapped = AsdfKit.mmap(array)
        @test mapped == cube && mapped[4, 5, 6] == 120 && strides(mapped) == strides(cube)
        @test_throws BoundsError mapped[5, 1, 1]
        @test_throws AsdfKit.AsdfError AsdfKit.mmap(found["packed"])
        @test read(found["packed"]) == cube && read(found["part"]) == cube[1:2:4, :, 6:-1:1]
        @test read(found["turned"]) == permutedims(cube, (3, 1, 2)) && read(found["adjoint"]) == [1.0 3.0; 2.0 4.0]
        @test read(found["flags"]) == [true false; false true] && read(found["flags"]) isa Array{Bool,2}
        @test read(found["words"]) == ["a" "bc"; "é" ""] && found["words"][:, 2] == ["bc", ""]
        @test isequal(read(found["hole"]), [1.5 missing; NaN 4.0])
        @test read(found["scalar"]) == fill(2.5f0)
        stars = read(found["stars"])
        @test stars[1].id === 1 && stars[1].name == "Vega" && stars[2].at == [2.5, 3.5] && length(stars) == 2
        @test AsdfKit.read_table(found, "stars").name == ["Vega", "x"]
        close(array)
        @test !isopen(array)
        @test_throws AsdfKit.AsdfError read(array)
    end
end
