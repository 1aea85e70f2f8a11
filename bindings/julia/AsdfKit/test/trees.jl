# Whole trees: read, shown, with dates; collections that contain themselves.

@testset "whole trees" begin
    file = AsdfKit.new()
    file["meta"] = Dict("name" => "Vega", "at" => DateTime(2027, 1, 31, 4, 5, 6, 7), "day" => Date(2027, 1, 31))
    file["image"] = Float32[1 2; 3 4]
    file["hole"] = [1.5, missing]
    file["list"] = Any[1, "two", nothing, Dict("deep" => (1, "x"))]
    file["unit"] = AsdfKit.TaggedText("m", "!unit/unit-1.0.0")
    file[AsdfKit.Key("a/b")] = 1
    AsdfKit.set_table!(file, "stars", (name = ["a", "b"], flux = [1.0, missing]))
    for tree in (read(file), read(AsdfKit.node(file)))
        @test tree isa Dict{String,Any} && tree["meta"]["name"] == "Vega" && tree["a/b"] === 1
        @test tree["meta"]["at"] == DateTime(2027, 1, 31, 4, 5, 6, 7) && tree["image"] == Float32[1 2; 3 4]
        @test isequal(tree["hole"], [1.5, missing]) && tree["list"][4]["deep"] == Any[1, "x"]
        @test tree["unit"] == "m" && isequal(tree["stars"].flux, [1.0, missing])
    end
    @test read(file["list"])[2] == "two" && read(AsdfKit.node(file, "image")) == Float32[1 2; 3 4]
    @test file["meta/at", DateTime] == DateTime(2027, 1, 31, 4, 5, 6, 7) && file["meta/day", Date] == Date(2027, 1, 31)
    @test file["meta/day", DateTime] == DateTime(2027, 1, 31)
    @test_throws AsdfKit.AsdfError file["meta/name", Date]
    @test_throws AsdfKit.AsdfError file["image", DateTime]
    text = sprint(show, MIME("text/plain"), file)
    for part in ("meta: mapping of 3", "name: \"Vega\"", "image: Float32 array 2×2", "hole: Float64 array 2 with missing",
                 "[4]: mapping of 1", "stars: table", "at: time 2027-01-31T04:05:06.007", "a/b: 1")
        @test occursin(part, text)
    end
    @test startswith(sprint(show, MIME("text/plain"), file["meta"]), "AsdfKit.Node(\"/meta\"): mapping of 3\n")
    file[AsdfKit.Key("<script>")] = "\"&'"
    page = sprint(show, MIME("text/html"), file)
    for part in ("<summary><b>meta</b>: mapping of 3</summary><ul>", "<li><b>image</b>: Float32 array 2×2</li>",
                 "<b>&lt;script&gt;</b>: &quot;\\&quot;&amp;&#39;&quot;")
        @test occursin(part, page)
    end
    @test !occursin("<script", page) && count("<ul>", page) == count("</ul>", page) && count("<li>", page) == count("</li>", page)
    close(file)
    @test sprint(show, MIME("text/html"), file) == "<div><code>AsdfKit.File(closed)</code></div>"
    @test sprint(show, MIME("text/plain"), file) == "AsdfKit.File(closed)"
end

@testset "dates in the text" begin
    head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
    tree = "a: 2027-01-31 04:05:06.5 +1:30\nb: 2027-01-31\nc: 2027-01-31T04:05:06.123456Z\nd: !time/time-1.1.0 2027-01-31T04:05:06\n"
    file = AsdfKit.open(Vector{UInt8}(head * tree * "...\n"))
    @test file["a", DateTime] == DateTime(2027, 1, 31, 2, 35, 6, 500) && file["b", Date] == Date(2027, 1, 31)
    @test file["d", DateTime] == DateTime(2027, 1, 31, 4, 5, 6)
    @test_throws AsdfKit.AsdfError file["c", DateTime]
    @test_throws AsdfKit.AsdfError file["a", Date]
    @test match(r"(\d+)-", file["a"])[1] == "2027"
end

@testset "collections in themselves" begin
    file = AsdfKit.new()
    circle = Dict{String,Any}("a" => 1)
    circle["self"] = Any[circle]
    list = Any[1]
    push!(list, (list,))
    @test_throws ArgumentError file["circle"] = circle
    @test_throws ArgumentError file["list"] = list
    @test_throws ArgumentError AsdfKit.write_ecsv(joinpath(OUTPUTS, "none.ecsv"), (x = [1],); meta = circle)
    @test !haskey(file, "circle") && !haskey(file, "list")
    shared = Dict("x" => 1)
    file["twice"] = Any[shared, shared]
    @test file["twice/1/x"] == 1
end

@testset "exported names" begin
    @test all(name -> name in names(AsdfKit), (:AsdfArray, :AsdfError, :read_ecsv, :write_ecsv, :read_table, :set_table!))
end
