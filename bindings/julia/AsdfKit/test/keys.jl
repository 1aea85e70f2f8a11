# Keys and values of an iteration can be set again: keys that are no paths, texts with tags, bytes, arrays.

@testset "a loop copies all pairs" begin
    tree = """
    a/b: !<tag:example.org:model-1.0.0> 1.5
    1: one
    '1': text
    true: b
    '': empty
    a~b: 3
    "n\\0l": 4
    u: !unit/unit-1.0.0 m
    t: !time/time-1.1.0 2020-01-01T00:00:00
    m: 2020-01-01T00:00:00.123456789
    q: !unit/quantity-1.1.0 {value: 1.5, unit: !<tag:astropy.org:astropy/units/unit-1.0.0> DN}
    sub: {x/y: 1, 7: 2}
    list: [1, 2]
    array: !core/ndarray-1.0.0 {data: [1, 2, 3], datatype: int8, shape: [3]}
    bytes: !!binary |-
      AAAA
    """
    head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
    source = AsdfKit.open(Vector{UInt8}(head * tree * "...\n"))
    target = AsdfKit.new(standard = "1.5.0")
    for (key, value) in source
        target[key] = value
    end
    path = joinpath(OUTPUTS, "copied.asdf")
    AsdfKit.write(target, path; replace = true)
    lines = split(read(path, String), '\n')
    @test join(lines[7:end], '\n') == tree * "...\n"
    @test source["u"] == "m" && source["u"] isa AsdfKit.TaggedText && source["u", String] isa String
    @test source["bytes"] == zeros(UInt8, 3) && source[1] == "one" && source[AsdfKit.Key("1")] == "text"
    @test source[true] == "b" && haskey(source, AsdfKit.Key("a/b")) && !haskey(source, AsdfKit.Key("sub/7"))
    again = AsdfKit.new(standard = "1.5.0")
    for (key, value) in pairs(source)
        again[key] = value
    end
    AsdfKit.write(again, path; replace = true)
    @test split(read(path, String), '\n') == lines
    @test collect(values(source["sub"])) == [1, 2]
    for key in keys(target)
        @test haskey(target, key) && get(target, key, missing) !== missing
        delete!(target, key)
    end
    @test isempty(keys(target))
    other = AsdfKit.open(Vector{UInt8}(head * "{1.5: one}\n...\n"))
    key = only(keys(other))
    @test key == "1.5" && other[key] == "one"
    @test_throws ArgumentError target[key] = 1
end

@testset "keys of each type" begin
    file = AsdfKit.new()
    file["channels"] = Dict{Any,Any}(7 => Dict("a" => 1), "7" => 2, false => 3, AsdfKit.Key("x/y") => [1, 2], "z/w" => 4)
    channels = file["channels"]
    @test channels[7]["a"] == 1 && channels[AsdfKit.Key("7")] == 2 && channels[false] == 3 && channels["z~1w"] == 4
    @test read(channels[AsdfKit.Key("x/y")]) == [1, 2]
    file[-5] = "minus"
    AsdfKit.set!(file, AsdfKit.Key("p/q"), [1.5, missing])
    @test file[-5] == "minus" && isequal(read(file["p~1q"]), [1.5, missing])
    file["items"] = Any["a", "b"]
    file["items"][2] = "c"
    @test collect(file["items"]) == ["a", "c"]
    @test_throws AsdfKit.AsdfError file["items"][3] = "d"
    @test_throws AsdfKit.AsdfError file[8]
    @test_throws ArgumentError file[big(2)^70] = 1
    @test_throws ArgumentError file[8] = 'x'
    @test !haskey(file, 8) && haskey(file, -5) && get(file, 8, "none") == "none"
    @test repr(AsdfKit.Key("a/b")) == "AsdfKit.Key(\"a/b\")" && hash(AsdfKit.Key("a/b")) == hash("a/b")
end
