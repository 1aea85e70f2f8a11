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

@testset "reads in another unit" begin
    file = AsdfKit.new()
    file["distance/value"] = Int16[1, 2, 3]
    AsdfKit.set_quantity!(file, "distance", "km")
    file["angle/value"] = 180.0
    AsdfKit.set_quantity!(file, "angle", "deg")
    AsdfKit.set_quantity!(file, "flux", [1.5, 2.5], "mJy"; compression = "zlib")
    AsdfKit.set_quantity!(file, "step", 0.5, "arcsec")
    @test read(file["flux/value"]) == [1.5, 2.5] && AsdfKit.number_in(file, "step", "arcmin") ≈ 0.5 / 60
    @test_throws AsdfKit.AsdfError AsdfKit.set_quantity!(file, "flux", [1.5], "mJy"; compression = "zip")
    AsdfKit.forget_failure!(file)
    file["plain"] = [1.0, 2.0]
    distance = file["distance"]["value"]
    @test AsdfKit.unit(distance) == "km"
    @test read(distance; unit = "m") == [1000.0, 2000.0, 3000.0]
    @test read(distance, 2:3; unit = "Mm") isa Vector{Float64}
    @test read(Int16, distance; unit = "m") == Int16[1000, 2000, 3000]
    @test AsdfKit.number_in(file, "angle", "arcmin") == 10800
    fails(action) = try
        action()
        "nothing"
    catch problem
        problem.code
    end
    @test fails(() -> read(Int16, distance; unit = "Mm")) == "OVERFLOW"
    @test fails(() -> read(distance; unit = "s")) == "UNITS"
    @test fails(() -> read(file["plain"]; unit = "s")) == "UNITS"
    @test fails(() -> AsdfKit.unit(file["plain"])) == "NOT_FOUND"
    @test fails(() -> AsdfKit.number_in(file, "angle", "m")) == "UNITS"
    @test read(distance; unit = "Hz", equivalencies = "spectral")[1] ≈ 299792.458
end

@testset "columns in another unit" begin
    bytes = Vector{UInt8}("""
    # %ECSV 1.0
    # ---
    # datatype:
    # - {name: d, unit: km, datatype: int32}
    # - {name: n, datatype: int32}
    d n
    1 2
    """)
    table, metadata = AsdfKit.read_ecsv(bytes; units = Dict("d" => "m"), metadata = true)
    @test table.d == [1000.0] && eltype(table.d) == Float64 && table.n == [2]
    @test metadata["d"].unit == "m"
    @test AsdfKit.read_ecsv(bytes; units = (d = "cm",)).d == [100000.0]
    @test_throws AsdfKit.AsdfError AsdfKit.read_ecsv(bytes; units = Dict("d" => "s"))
    @test_throws AsdfKit.AsdfError AsdfKit.read_ecsv(bytes; units = Dict("n" => "m"))
end
