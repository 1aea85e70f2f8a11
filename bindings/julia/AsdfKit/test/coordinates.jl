# Coordinates: positions on the sky, in trees and in columns.

@testset "coordinates" begin
    file = AsdfKit.new()
    AsdfKit.set_coordinates!(file, "sky", [10.0, 20.0], [-5.0, 41.25]; frame = "fk5", distance = [1, 2],
                             distance_unit = "kpc")
    AsdfKit.set_time!(file, "sky/equinox", "J1975.0")
    sky = AsdfKit.coordinates(file, "sky")
    @test (sky.kind, sky.frame, sky.representation, sky.differential) == (:sky, "fk5", "spherical", "")
    @test keys(sky) == ["ra", "dec", "distance"] && haskey(sky, "lon") && !haskey(sky, "x")
    @test size(sky) == (2,) && length(sky) == 2
    @test sky["lat"] == [-5.0, 41.25]
    @test AsdfKit.numbers(sky, "distance", "pc") == [1000.0, 2000.0]
    @test AsdfKit.unit(sky, "ra") == "deg"
    @test sky.attributes == ["equinox"]
    @test AsdfKit.attribute(sky, "equinox") isa AsdfKit.Node
    @test_throws AsdfKit.AsdfError AsdfKit.numbers(sky, "ra", "m")
    @test_throws AsdfKit.AsdfError sky["x"]
    @test_throws AsdfKit.AsdfError AsdfKit.coordinates(file, "sky/equinox")
    @test_throws AsdfKit.AsdfError AsdfKit.set_coordinates!(file, "x", 1.0, 91.0)
    @test_throws DimensionMismatch AsdfKit.set_coordinates!(file, "x", [1.0, 2.0], [1.0])
    AsdfKit.set_coordinates!(file, "one", 10, 20; frame = "galactic")
    one = AsdfKit.coordinates(file, "one")
    @test one["l"] == 10.0 && AsdfKit.numbers(one, "b", "rad") ≈ deg2rad(20)
end
