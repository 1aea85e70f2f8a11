# Descriptions: content, values, diagnostics, comparison, exports, builders, ASDF files.

const MODEL = """
/:
  attributes: {title: station}
  dimcoords:
    time: {size: null, type: float64, attributes: {units: days}}
    height: {size: 3, type: float32, value: [2, 10, .inf]}
  ndarrays:
    wind:
      shape: [time, height]
      type: float32
      storage: {shape: [4, 3], chunk: [512, 3], filter: [shuffle, {deflate: {level: 4}}], fillvalue: .nan}
      attributes: {range: {shape: [2], type: uint64, value: [7, 18446744073709551615]}, offset: 0.5, count: -3}
    state:
      shape: [2]
      type: {enum: {base: uint8, members: {GOOD: 0, BAD: 200}}}
      value: [BAD, GOOD]
    tiles: {shape: [2], type: {array: {base: int16, shape: [2, 2]}}, value: [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}
    refs: {shape: [2], type: objref, value: [/wind, null]}
    raw: {shape: [2], type: {opaque: {size: 2, tag: image/png}}, value: [AQI=, AwQ=]}
    pairs: {shape: [1], type: {compound: [a: int32, b: float64]}, value: [[1, 0.5]]}
    words: {shape: [2, 1], type: string, value: [[a], ["two words"]]}
"""

@testset "content of descriptions" begin
    model = AsdfKit.parse_ndl(MODEL)
    @test isvalid(model) && isempty(AsdfKit.diagnostics(model))
    @test AsdfKit.groups(model) == ["/"] && AsdfKit.dimcoords(model) == ["/time", "/height"]
    @test AsdfKit.ndarrays(model)[1:2] == ["/wind", "/state"]
    @test AsdfKit.ndl_kind(model, "/time") == :dimcoord && AsdfKit.ndl_kind(model, "/wind") == :ndarray
    @test haskey(model, "/wind") && !haskey(model, "/wnd")
    # The text has [time, height].
    @test size(model, "/wind") == (3, nothing) && size(model, "/wind", "range") == (2,)
    @test AsdfKit.coordinate(model, "/wind", 1) == "/height" && AsdfKit.coordinate(model, "/wind", 2) == "/time"
    @test AsdfKit.coordinate(model, "/state", 1) === nothing
    @test_throws BoundsError AsdfKit.coordinate(model, "/wind", 3)
    @test AsdfKit.attributes(model, "/wind") == ["range", "offset", "count"]
    @test AsdfKit.keyword(model, "/pairs") == "compound" && AsdfKit.keyword(model, "/wind", "range") == "uint64"
    @test AsdfKit.datatype(model, "/tiles") == "{array: {base: int16, shape: [2, 2]}}"
    @test AsdfKit.storage(model, "/wind", "chunk") == "[512, 3]"
    @test AsdfKit.storage(model, "/wind", "endian") === nothing
    @test AsdfKit.nbytes(model, "/height") == 12
    @test AsdfKit.nbytes(AsdfKit.parse_ndl("ndarrays: {a: {shape: [2, 2], type: int16}}")) == (bytes = 8, unknown = 0)
    for call in (() -> AsdfKit.ndl_kind(model, "/x"), () -> size(model, "/x"), () -> AsdfKit.keyword(model, "/x"),
                 () -> AsdfKit.storage(model, "/x", "chunk"), () -> AsdfKit.storage(model, "/wind", "colour"),
                 () -> AsdfKit.attributes(model, "/x"), () -> AsdfKit.nbytes(model, "/x"),
                 () -> AsdfKit.datatype(model, "/wind", "x"), () -> read(model, "/wind"), () -> read(model, "/pairs"),
                 () -> read(Int8, model, "/state"), () -> AsdfKit.notation(model, "/words", 3))
        @test_throws AsdfKit.AsdfError call()
    end
end

@testset "values of descriptions" begin
    model = AsdfKit.parse_ndl(MODEL)
    @test read(model, "/height") == Float32[2, 10, Inf] && read(model, "/height") isa Vector{Float32}
    @test read(Float64, model, "/height") == [2, 10, Inf]
    @test read(model, "/wind", "range") == [7, typemax(UInt64)] && read(model, "/wind", "count") === Int32(-3)
    @test read(model, "/", "title") == "station" && read(model, "/wind", "offset") === 0.5
    @test read(model, "/state") == ["BAD", "GOOD"] && read(UInt8, model, "/state") == [200, 0]
    @test read(model, "/tiles") == cat([1 3; 2 4], [5 7; 6 8]; dims = 3) && eltype(read(model, "/tiles")) == Int16
    @test read(model, "/refs") == ["/wind", ""] && read(model, "/raw") == UInt8[1 3; 2 4]
    @test read(model, "/words") == ["a" "two words"]
    @test AsdfKit.notation(model, "/pairs") == "[1, 0.5]"
    @test AsdfKit.has_values(model, "/height") && !AsdfKit.has_values(model, "/wind")
    @test AsdfKit.has_values(model, "/wind", "range")
end

@testset "diagnostics and comparison" begin
    wrong = AsdfKit.parse_ndl("ndarrays:\n  a: {shape: [2], type: int8, value: [1, 300]}\n")
    found = AsdfKit.diagnostics(wrong)
    @test !isvalid(wrong) && found[1].code == "E-VALUE-RANGE" && found[1].line == 2 && found[1].path == "/a"
    @test occursin("errors", repr(wrong))
    @test_throws AsdfKit.AsdfError AsdfKit.parse_ndl("[")
    @test_throws AsdfKit.AsdfError AsdfKit.read_ndl(joinpath(OUTPUTS, "absent.yaml"))

    model = AsdfKit.parse_ndl(MODEL)
    same = AsdfKit.parse_ndl(AsdfKit.ndl_text(model))
    @test model == same && hash(model) == hash(same) && isempty(AsdfKit.compare(model, same))
    changed = AsdfKit.parse_ndl(replace(MODEL, "offset: 0.5" => "offset: 0.75"))
    @test model != changed
    difference = only(AsdfKit.compare(model, changed))
    @test (difference.path, difference.old, difference.new) == ("/wind@offset", "0.5", "0.75")
    @test difference.operation == :change
    @test isempty(AsdfKit.compare(model, changed; ignore = (:attributes, :values)))
    @test_throws ArgumentError AsdfKit.compare(model, changed; ignore = (:colours,))
    small = AsdfKit.parse_ndl("dimcoords: {height: {size: 3, type: float32}}")
    @test !isempty(AsdfKit.conform(small, model)) && isempty(AsdfKit.conform(small, model; subset = true))
end

@testset "exports of descriptions" begin
    model = AsdfKit.parse_ndl("ndarrays: {image: {shape: [4, 6], type: float32}}")
    @test occursin("float image(", AsdfKit.cdl(model, "sky"))
    @test occursin("sky_image", AsdfKit.c_header(model, "sky"))
    @test occursin("module sky", AsdfKit.fortran_module(model, "sky"))
    @test occursin("\"shape\": [4, 6]", AsdfKit.json(model))
    @test string(model) == AsdfKit.ndl_text(model) && occursin("1 array", repr(model))
    @test_throws AsdfKit.AsdfError AsdfKit.cdl(AsdfKit.parse_ndl(MODEL), "model")
    @test AsdfKit.ndl_file_name("example.asdf") == "example.yaml"
    path = joinpath(OUTPUTS, "written.yaml")
    AsdfKit.write_ndl(path, model)
    @test AsdfKit.read_ndl(path) == model
    @test_throws AsdfKit.AsdfError AsdfKit.write_ndl(path, model)
    AsdfKit.write_ndl(path, model; replace = true)
    close(model)
    @test_throws AsdfKit.AsdfError AsdfKit.json(model)
    @test occursin("closed", repr(model))
end

@testset "builders and ASDF files" begin
    builder = AsdfKit.NdlBuilder()
    AsdfKit.add_dimcoord!(builder, "/height", 3, "float32")
    AsdfKit.set_values!(builder, "/height", Float32[2, 10, 30])
    AsdfKit.add_ndarray!(builder, "/wind", ("height", 2), "float64")
    AsdfKit.set_values!(builder, "/wind", [1 4; 2 5; 3 6.5])
    AsdfKit.set_attribute!(builder, "/wind", "units", "m s-1")
    model = AsdfKit.finish(builder)
    @test isvalid(model) && size(model, "/wind") == (3, 2) && read(model, "/wind") == [1 4; 2 5; 3 6.5]
    AsdfKit.write_ndl(joinpath(OUTPUTS, "model.yaml"), model)
    created = joinpath(OUTPUTS, "created.asdf")
    @test isempty(AsdfKit.create_asdf(created, model))
    @test_throws AsdfKit.AsdfError AsdfKit.create_asdf(created, model)
    described = AsdfKit.describe(created; described_values = :all)
    @test size(described, "/wind") == (3, 2) && read(described, "/wind") == read(model, "/wind")

    more = AsdfKit.NdlBuilder(model)
    AsdfKit.add_group!(more, "/site")
    AsdfKit.set_attribute!(more, "/site", "count", 5)
    AsdfKit.set_attribute!(more, "/site", "scale", 0.5)
    AsdfKit.set_attribute!(more, "/site", "names", ["a", "b c"])
    AsdfKit.set_attribute!(more, "/site", "corners", Int16[1 2; 3 4; 5 6])
    AsdfKit.add_ndarray!(more, "/site/state", (2,), "{enum: {base: uint8, members: {GOOD: 0, BAD: 1}}}")
    AsdfKit.set_values!(more, "/site/state", ["BAD", "GOOD"])
    AsdfKit.add_ndarray!(more, "/site/late", (nothing,))
    AsdfKit.set_datatype!(more, "/site/late", "int16")
    AsdfKit.set_shape!(more, "/site/late", (4, 5))
    AsdfKit.set_storage!(more, "/site/late", "chunk", "[5, 4]")
    AsdfKit.set_extension!(more, "/site/late", "x-note", "{a: 1}")
    AsdfKit.set_notation!(more, "/wind", nothing)
    AsdfKit.set_notation!(more, "/wind", "[[6, 5, 4], [3, 2, 1]]")
    AsdfKit.set_size!(more, "/height", 3)
    delete!(more, "/wind"; attribute = "units")
    site = AsdfKit.finish(more)
    @test isempty(AsdfKit.diagnostics(site))
    @test read(site, "/site", "corners") == Int16[1 2; 3 4; 5 6] && read(site, "/site", "names") == ["a", "b c"]
    @test read(site, "/site", "count") === Int32(5) && read(site, "/site/state") == ["BAD", "GOOD"]
    @test size(site, "/site/late") == (4, 5) && AsdfKit.storage(site, "/site/late", "chunk") == "[5, 4]"
    @test read(site, "/wind") == [6 3; 5 2; 4 1.0] && isempty(AsdfKit.attributes(site, "/wind"))
    for call in (() -> AsdfKit.add_ndarray!(more, "/wind", (1,)),
                 () -> AsdfKit.set_storage!(more, "/wind", "colour", "1"),
                 () -> AsdfKit.set_values!(more, "/site/state", ["UGLY", "GOOD"]),
                 () -> AsdfKit.set_values!(more, "/wind", [1.0]), () -> delete!(more, "/"),
                 () -> AsdfKit.set_notation!(more, "/wind", "["))
        @test_throws AsdfKit.AsdfError call()
    end
    @test_throws ArgumentError AsdfKit.add_dimcoord!(more, "/x", -2)
    @test_throws ArgumentError AsdfKit.set_attribute!(more, "/wind", "flag", true)
    @test_throws ArgumentError AsdfKit.set_attribute!(more, "/wind", "odd", [1im])
    close(more)
    @test_throws AsdfKit.AsdfError AsdfKit.finish(more)
end
