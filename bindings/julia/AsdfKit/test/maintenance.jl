# Edits, history, regions, checksums, repair, recovery, blocks.

@testset "edits" begin
    path = joinpath(OUTPUTS, "edits.asdf")
    file = AsdfKit.new()
    file["a"] = Dict("x" => 1)
    file["b"] = 2
    file["image"] = zeros(Float32, 4, 3)
    numbers = Int16.(mod.(7919 .* (1:1000), 3001))
    AsdfKit.set!(file, "packed", numbers; compression = "zlib")
    AsdfKit.add_history!(file, "made"; time = "2027-01-31T04:05:06Z", software = (name = "test", version = "1"))
    AsdfKit.rename!(file, "b", "c")
    AsdfKit.move!(file, "c", "a/c")
    delete!(file, "a/x")
    @test_throws AsdfKit.AsdfError delete!(file, "a/x")
    @test_throws AsdfKit.AsdfError AsdfKit.rename!(file, "nothing", "x")
    file["step"] = Dict("value" => 0.5)
    AsdfKit.set_quantity!(file, "step", "arcsec")
    AsdfKit.set_time!(file, "start", "J2000.0")
    @test_throws AsdfKit.AsdfError AsdfKit.set_quantity!(file, "a/c", "m")
    @test_throws AsdfKit.AsdfError AsdfKit.set_time!(file, "start", "now")
    AsdfKit.forget_failure!(file)
    @test AsdfKit.tag(file, "step") == "tag:stsci.edu:asdf/unit/quantity-1.3.0" && file["step/unit"] == "arcsec"
    @test AsdfKit.tag(file, "start") == "tag:stsci.edu:asdf/time/time-1.4.0"
    AsdfKit.set_tag!(file, "a", "tag:example.org:core/thing-1.0.0")
    AsdfKit.write(file, path)
    AsdfKit.open(path, "r+") do edited
        @test keys(edited["a"]) == ["c"] && endswith(AsdfKit.tag(edited, "a"), "core/thing-1.0.0")
        @test AsdfKit.history(edited)["0/description"] == "made"
        edited["image"][2:3, 1] = [5, 6]
        edited["image"][:, 3] = 1
        @test_throws DimensionMismatch edited["image"][1:2, 1] = [1, 2, 3]
        @test_throws BoundsError edited["image"][5, 1] = 1
        @test_throws AsdfKit.AsdfError edited["packed"][1:2] = [1, 2]
        AsdfKit.save(edited)
        @test AsdfKit.verify(edited) == (absent = 0, stored = 2, decoded = 0)
        @test isempty(AsdfKit.inspect(edited))
        AsdfKit.compact!(edited)
        @test AsdfKit.repair!(edited, :index).checksums == 0
        @test_throws ArgumentError AsdfKit.repair!(edited, :everything)
    end
    AsdfKit.open(path) do found
        @test read(found["image"]) == Float32[0 0 1; 5 0 1; 6 0 1; 0 0 1]
        found_blocks = AsdfKit.blocks(found)
        @test [block.compression for block in found_blocks] == ["", "zlib"] && found_blocks[1].decoded == 48
        @test_throws AsdfKit.AsdfError found["image"][1, 1] = 2
        exploded = joinpath(OUTPUTS, "exploded.asdf")
        AsdfKit.explode(found, exploded)
        AsdfKit.open(exploded; access = :same_directory) do parts
            @test read(parts["packed"]) == numbers
            AsdfKit.implode(parts, joinpath(OUTPUTS, "imploded.asdf"))
        end
    end
    @test AsdfKit.open(file -> sum(read(file["image"])), joinpath(OUTPUTS, "imploded.asdf")) == 15
    bytes = read(path)
    damaged = joinpath(OUTPUTS, "damaged.asdf")
    write(damaged, bytes[1:end-300])
    losses = AsdfKit.recover(damaged, joinpath(OUTPUTS, "recovered.asdf"))
    @test losses isa Vector{AsdfKit.Finding} && !isempty(losses)
    @test AsdfKit.open(file -> read(file["image"])[2, 1], joinpath(OUTPUTS, "recovered.asdf")) == 5
    @test_throws AsdfKit.AsdfError AsdfKit.recover("absent.asdf", joinpath(OUTPUTS, "x.asdf"))
    @test AsdfKit.history(AsdfKit.new()) === nothing
end
