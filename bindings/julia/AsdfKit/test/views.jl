# Views without a copy: of aligned elements, and of those in another byte order or at odd addresses.

@testset "views" begin
    path = joinpath(OUTPUTS, "views.asdf")
    cube = reshape(collect(Int16, 1:120), 4, 5, 6)
    arrays = Dict("int" => cube, "half" => Float16[1.5 -0.0 Inf], "flags" => [true false; true true],
                  "scalar" => fill(2.5), "none" => zeros(Int32, 0, 3))
    file = AsdfKit.new()
    for (name, values) in arrays, order in (:little, :big)
        AsdfKit.set!(file, "$name $order", values; byte_order = order)
    end
    AsdfKit.set!(file, "packed", cube; compression = "zlib", byte_order = :big)
    AsdfKit.set!(file, "inline", cube; storage = :inline)
    AsdfKit.set!(file, "hole", [1.5, missing]; byte_order = :big)
    nan = reinterpret(Float64, [0x7ff4000000000123])
    AsdfKit.set!(file, "nan", nan; byte_order = :big)
    AsdfKit.write(file, path)
    opened = AsdfKit.open(path)
    views = Dict((name, order) => AsdfKit.mmap(opened["$name $order"]) for name in keys(arrays)
                 for order in (:little, :big))
    for ((name, _), mapped) in views
        @test mapped isa AbstractArray{eltype(arrays[name]),ndims(arrays[name])} && collect(mapped) == arrays[name]
    end
    @test_throws BoundsError views["scalar", :big][2]
    @test reinterpret(UInt64, AsdfKit.mmap(opened["nan"])[:])[1] == 0x7ff4000000000123
    @test AsdfKit.mmap(opened["inline"]) == cube
    for (name, code, reason) in (("packed", "NOT_VIEWABLE", "because the elements are compressed"),
                                 ("hole", "MASKED", "mask"))
        problem = try AsdfKit.mmap(opened[name]) catch failure failure end
        @test problem isa AsdfKit.AsdfError && problem.code == code && occursin(reason, problem.message)
    end
    @test AsdfKit.mmap(AsdfKit.without_mask(opened["hole"]))[1] == 1.5
    swapped = views["int", :big]
    @test strides(views["int", :little]) == (1, 4, 20) && swapped[:, 2, 3:2:5] == cube[:, 2, 3:2:5]
    @test_throws ArgumentError strides(swapped)
    @test_throws Exception swapped[1] = 2
    close(opened)
    GC.gc()
    @test swapped == cube && sum(swapped) == sum(cube)
    # Elements in memory: of a file without a name, of a file that is not written, lent ones.
    memory = AsdfKit.open(read(path))
    @test AsdfKit.mmap(memory["int big"]) == cube
    @test AsdfKit.mmap(file["int big"]) == cube && AsdfKit.mmap(file["int little"]) == cube
    AsdfKit.set!(file, "lent", view(cube, 3:-1:1, :, 2)'; lend = true, byte_order = :big)
    @test_throws AsdfKit.AsdfError AsdfKit.mmap(file["lent"])
    @test read(file["lent"]) == cube[3:-1:1, :, 2]'
end

@testset "views of other files" begin
    path = joinpath(OUTPUTS, "replaced.asdf")
    "Writes a file with one element of its own, under a name that can exist."
    function write_as(path, element)
        file = AsdfKit.new()
        AsdfKit.set!(file, "x", fill(Int32(element), 3, 4); byte_order = :big)
        AsdfKit.write(file, path; replace = true)
    end
    write_as(path, 1)
    old = AsdfKit.open(path)["x"]
    write_as(path, 2)
    new = AsdfKit.open(path)["x"]
    @test AsdfKit.mmap(old)[2, 3] == 1 && AsdfKit.mmap(new)[2, 3] == 2
    AsdfKit.open(path, "r+") do edited
        edited["x"][2, 3] = 3
        mapped = AsdfKit.mmap(edited["x"])
        @test mapped == read(edited["x"]) && mapped[2, 3] == 3
        AsdfKit.save(edited)
        @test AsdfKit.mmap(edited["x"])[2, 3] == 3
    end
    open(io -> truncate(io, 400), path, "r+")
    @test_throws AsdfKit.AsdfError AsdfKit.mmap(new)
end

INPUTS === nothing || @testset "views of a file of Python" begin
    AsdfKit.open(joinpath(INPUTS, "arrays.asdf")) do file
        @test length(file) >= 16
        for name in keys(file)
            name in ("asdf_library", "history") && continue
            array = file[name]
            mapped = AsdfKit.mmap(array)
            @test isequal(collect(mapped), read(array)) && size(mapped) == (4, 3)
            @test typeof(mapped[2, 3]) == eltype(array)
        end
        expected = [Float64(4(column - 1) + row - 1) for row in 1:4, column in 1:3]
        @test AsdfKit.mmap(file["float64 little"]) == expected && AsdfKit.mmap(file["float64 big"]) == expected
        @test AsdfKit.mmap(file["odd"]) == expected && AsdfKit.mmap(file["turned"]) == expected
        @test_throws ArgumentError strides(AsdfKit.mmap(file["odd"]))
        @test AsdfKit.mmap(file["complex128 big"]) == expected .* (1 - 2im)
    end
end
