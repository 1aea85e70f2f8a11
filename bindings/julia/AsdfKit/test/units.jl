@testset "texts" begin
    @test AsdfKit.unit_format("km.s**-1"; spelling = :vounit) == "km / s"
    @test AsdfKit.unit_format("km/s"; to = :fits) == "km s-1"
    @test AsdfKit.unit_kind("mag(AB)") == :magnitude
    @test AsdfKit.unit_kind("no unit") == :unknown
    @test AsdfKit.unit_physical("mag(AB)") == "AB"
    @test AsdfKit.unit_physical("m") === nothing
    @test AsdfKit.unit_equal("N", "kg m / s2")
    @test_throws ArgumentError AsdfKit.unit_kind("m"; spelling = :other)
    @test_throws AsdfKit.AsdfError AsdfKit.unit_format("mag(AB)"; to = :fits)
end

@testset "conversions" begin
    @test AsdfKit.unit_factor("deg", "arcsec") == (3600.0, 0.0)
    @test AsdfKit.unit_factor("deg_C", "K"; equivalencies = "temperature") == (1.0, 273.15)
    @test AsdfKit.unit_convert([1, 2], "mm", "m") == [0.001, 0.002]
    @test AsdfKit.unit_convert(1.0, "m", "Hz"; equivalencies = "spectral") == 299792458.0
    problem = try
        AsdfKit.unit_factor("m", "kg")
    catch caught
        caught
    end
    @test problem.code == "UNITS"
end
