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
        @test_throws InexactError edited["image"][1, 1] = 1e300
        @test_throws InexactError edited["image"][1:2, 1] = [0.5, -1e300]
        @test_throws AsdfKit.AsdfError edited["packed"][1:2] = [1, 2]
        AsdfKit.save(edited)
        @test AsdfKit.verify(edited) == (absent = 0, stored = 2, decoded = 0)
        @test AsdfKit.transfers(edited) == (requests = 0, bytes = 0)
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

@testset "notes and comments" begin
    path = joinpath(OUTPUTS, "comments.asdf")
    file = AsdfKit.new()
    file["meta"] = Dict("time" => 3.5)
    AsdfKit.set_note!(file, "meta", "for people")
    AsdfKit.set_comment!(file, "meta", "set by hand")
    AsdfKit.set_comment!(file, "meta/time", "seconds", :line_end)
    AsdfKit.set_comment!(file, "", "the end", :document_end)
    AsdfKit.write(file, path)
    @test_throws AsdfKit.AsdfError AsdfKit.set_note!(file, "meta/time", "x")
    @test_throws AsdfKit.AsdfError AsdfKit.set_comment!(file, "meta/time", "a\nb", :line_end)
    @test_throws ArgumentError AsdfKit.set_comment!(file, "meta", "x", :behind)
    AsdfKit.open(path) do found
        @test AsdfKit.note(found, "meta") == "for people" && AsdfKit.note(found) === nothing
        @test AsdfKit.comment(found, "meta") == "set by hand"
        @test AsdfKit.comment(found, "meta/time", :line_end) == "seconds"
        @test AsdfKit.comment(found, "", :document_end) == "the end"
        @test AsdfKit.comment(found, "meta/time") === nothing
    end
end

@testset "arrays in chunks grow" begin
    path = joinpath(OUTPUTS, "chunked.asdf")
    file = AsdfKit.new()
    heat = AsdfKit.create_array(file, "run/heat", Float32, ((4, 3, 0), (4, 3, -1)); chunk = (4, 3, 2), compression = "zlib")
    @test size(heat) == (4, 3, 0)
    @test_throws ArgumentError AsdfKit.create_array(file, "x", Float32, ((4, 0), (3, -1)); chunk = (2, 2))
    @test_throws ArgumentError AsdfKit.create_array(file, "x", Float32, ((4, 0), (4, -1)))
    @test_throws AsdfKit.AsdfError AsdfKit.create_array(file, "x", Float32, (4, 5); chunks = (2,))
    AsdfKit.forget_failure!(file)
    AsdfKit.set!(file, "z", reshape(Int32.(1:20), 4, 5); chunks = (3, 2), chunk_codec = "zlib", level = 3,
                 chunk_filters = ["delta", "shuffle"])
    @test file["z/.zarray/chunks/0"] == 2 && file["z/.zarray/compressor/level"] == 3
    AsdfKit.write(file, path)
    AsdfKit.open(path, "r+") do file
        for step in 1:5
            append!(file["run/heat"], fill(Float32(step), 4, 3))
            AsdfKit.save(file)
            AsdfKit.open(path) do reader
                @test read(reader["run/heat"]) == [Float32(k) for i in 1:4, j in 1:3, k in 1:step]
            end
        end
        shrunk = resize!(file["run/heat"], 4, 3, 2)
        @test size(shrunk) == (4, 3, 2)
        grown = resize!(file["run/heat"], 4, 4, 2)
        @test read(grown)[:, 4, :] == zeros(Float32, 4, 2) && read(grown)[1, 3, 2] == 2
        file["z"][2:3, 2:4] = [-1 -2 -3; -4 -5 -6]
        AsdfKit.save(file)
        @test_throws AsdfKit.AsdfError resize!(file["z"], 4)
        AsdfKit.forget_failure!(file)
    end
    AsdfKit.open(path) do file
        @test read(file["z"]) == Int32[1 5 9 13 17; 2 -1 -2 -3 18; 3 -4 -5 -6 19; 4 8 12 16 20]
    end
end

@testset "schemas" begin
    path = joinpath(OUTPUTS, "schemas.asdf")
    mktempdir() do folder
        package = joinpath(folder, "thing.yaml")
        write(package, "id: asdf://example.org/schemas/thing-1.0.0\nproperties: {b: {title: An entry}}\n")
        schemas = AsdfKit.Schemas(package)
        root = AsdfKit.add_text!(schemas, "{id: 'asdf://example.org/schemas/root-1.0.0', properties: {a: {type: string}}}")
        @test root == "asdf://example.org/schemas/root-1.0.0"
        @test_throws AsdfKit.AsdfError AsdfKit.add_text!(schemas, "{")
        @test_throws AsdfKit.AsdfError AsdfKit.Schemas("no-such-package")
        file = AsdfKit.new()
        file["a"] = 5
        @test isempty(AsdfKit.validate(file, schemas))
        found = AsdfKit.validate(file, schemas; root_schema = root)
        @test length(found) == 1 && found[1].code == "type" && found[1].severity == :error
        about = AsdfKit.describe_entry(AsdfKit.root(file), "b", schemas; root_schema = "asdf://example.org/schemas/thing-1.0.0")
        @test about.title == "An entry" && about.unit === nothing
        @test_throws AsdfKit.AsdfError AsdfKit.write(file, path; schemas = schemas, root_schema = root)
        @test !isfile(path)
        @test_throws ArgumentError AsdfKit.write(file, path; schemas = "rad")
        AsdfKit.write(file, path; schemas = schemas)
        @test_throws AsdfKit.AsdfError AsdfKit.open(path; schemas = schemas, root_schema = root)
        AsdfKit.open(opened -> (@test opened["a"] == 5), path; schemas = schemas)
    end
end

@testset "arrays of texts and records have no regions to write and no views" begin
    path = joinpath(OUTPUTS, "texts.asdf")
    file = AsdfKit.new()
    file["texts"] = ["a", "b"]
    file["records"] = [(id = 1, flux = 2.5), (id = 2, flux = 3.5)]
    AsdfKit.write(file, path)
    AsdfKit.open(path, "r+") do changed
        for name in ("texts", "records")
            code(call) = try call(); nothing catch problem; problem isa AsdfKit.AsdfError ? problem.code : problem end
            @test code(() -> changed[name][1] = read(changed[name])[2]) == "UNSUPPORTED"
            @test code(() -> AsdfKit.mmap(changed[name])) == "NOT_VIEWABLE"
        end
    end
end
