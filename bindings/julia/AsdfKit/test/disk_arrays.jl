# AsdfArray as an AbstractArray.

@testset "arrays of files as arrays" begin
    cube = reshape(collect(Int32, 1:120), 4, 5, 6)
    source = AsdfKit.new()
    source["cube"] = cube
    source["hole"] = [1.5 missing; NaN 4.0]
    source["words"] = ["a" "bc"; "é" ""]
    source["scalar"] = fill(2.5)
    source["empty"] = zeros(3, 0)
    AsdfKit.set!(source, "zlib", cube; compression = "zlib")
    path = joinpath(OUTPUTS, "disk_arrays.asdf")
    AsdfKit.write(source, path; replace = true)
    AsdfKit.open(path) do file
        for array in (file["cube"], file["zlib"])
            @test array isa AbstractArray{Int32,3} && array isa AsdfArray
            @test collect(array) == cube && Array(array) == cube && array == cube && copyto!(similar(cube), array) == cube
            for indices in (([1, 3], :, 2), ([3, 1, 3], [2, 5], :), (5,), (:,), (120,), (2:4,), ([7, 1],), (CartesianIndex(2, 3, 4),),
                            (CartesianIndex(2, 3), 4), ([true, false, true, false], 1, 1:2), (:, :, falses(6)),
                            (cube .> 100,), (2, 3, 4, 1), (Int[], :, 1), ([2], 1, 1))
                @test array[indices...] == cube[indices...] && size(array[indices...]) == size(cube[indices...])
            end
            for indices in ((5, 1, 1), ([1, 9], 1, 1), (121,), ([true, false], 1, 1), (1, 1), (1, 1, 1, 2))
                @test_throws BoundsError array[indices...]
            end
            @test mean(array) == mean(cube) && std(array) ≈ std(cube) && median(array) == median(cube)
            @test sum(array) === sum(cube) && sum(array; dims = 1) == sum(cube; dims = 1) && extrema(array) == (1, 120)
            @test maximum(abs, array) == 120 && count(iseven, array) == 60 && any(==(7), array) && [x for x in array] == cube
            @test array .+ 1 == cube .+ 1 && map(-, array) == -cube && findall(==(7), array) == findall(==(7), cube)
            part = view(array, 2:-1:1, :, 3)
            @test part == cube[2:-1:1, :, 3] && sum(part) == sum(cube[2:-1:1, :, 3]) && collect(part) == cube[2:-1:1, :, 3]
            @test read(part) == cube[2:-1:1, :, 3] && part .* 2 == 2 .* cube[2:-1:1, :, 3] && view(array, 1, 2, 3)[] == cube[1, 2, 3]
        end
        hole = file["hole"]
        @test eltype(hole) == Union{Missing,Float64} && isequal(collect(hole), [1.5 missing; NaN 4.0])
        @test isequal(hole[:, 2], [missing, 4.0]) && count(ismissing, hole) == 1 && sum(skipmissing(hole[:, 2])) == 4
        @test file["words"][:, 2] == ["bc", ""] && file["words"] == ["a" "bc"; "é" ""] && file["scalar"][] === 2.5
        @test sum(file["empty"]) == 0 && isempty(collect(file["empty"])) && sum(file["scalar"]) == 2.5
        @test startswith(sprint(show, MIME("text/plain"), file["cube"]), "4×5×6 AsdfArray{Int32,3}:\n")
    end
    AsdfKit.open(path) do file
        copy = AsdfKit.new()
        copy["cube"] = file["cube"]
        AsdfKit.set!(copy, "packed", file["hole"]; compression = "zlib")
        @test copy["cube"] == cube && isequal(collect(copy["packed"]), [1.5 missing; NaN 4.0])
    end
end

@testset "slabs" begin
    # More elements than a slab has.
    values = Float32.(mod.(1:AsdfKit.SLAB_ELEMENTS + 3, 7))
    file = AsdfKit.new()
    file["values"] = values
    array = file["values"]
    @test length(AsdfKit.slabs(array)) == 2 && maximum(array) == 6 && count(==(3), array) == count(==(3), values)
    @test sum(Float64, array) == sum(Float64, values) && all(((a, b),) -> a === b, zip(array, values))
end
