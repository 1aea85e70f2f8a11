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

"Returns the numbers of the colours in the picture of a page, and the colours; rows upward."
function picture_in(page)
    bytes = base64decode(match(r"data:image/bmp;base64,([^\"]*)\"", page)[1])
    number(at) = Int(reinterpret(Int32, bytes[at+1:at+4])[1])
    width, height, start = number(18), number(22), number(10)
    @test bytes[1:2] == UInt8['B', 'M'] && number(2) == length(bytes)
    colours = [Tuple(Int.(bytes[54+4index.+(3:-1:1)])) for index in 0:255]
    pixels = [bytes[start+cld(width, 4)*4*(row-1)+column] for column in 1:width, row in 1:height]
    return [colours[pixel+1] for pixel in pixels]
end

@testset "pictures of arrays" begin
    file = AsdfKit.new()
    image = Float32[10x + y for x in 1:7, y in 1:5]
    image[7, 5] = NaN
    file["image"] = image
    file["length"] = Dict("value" => image, "unit" => "<m>")
    file["hole"] = [1 missing; 3 4]
    file["large"] = [UInt16(x) for x in 1:500, y in 1:300, z in 1:3]
    file["list"] = collect(1:10)
    file["texts"] = ["<a>" "b"; "c" "d"]
    page(name) = sprint(show, MIME("text/html"), file[name])
    found = picture_in(page("image"))
    @test size(found) == (7, 5) && found[1, 1] == (0, 0, 0) && found[7, 4] == (255, 255, 255)
    @test found[7, 5] == (255, 0, 255) && issorted(first.(found[1:6, 2]))
    @test occursin("<code>7×5 AsdfArray{Float32,2}</code>", page("image"))
    @test occursin("</code> in &lt;m&gt;<br>", page("length/value"))
    @test picture_in(page("hole"))[1, 2] == (0, 110, 255)
    @test size(picture_in(page("large"))) == (125, 75) && occursin("every 4 elements", page("large"))
    # Compressed arrays are read if they are small.
    AsdfKit.set!(file, "packed", zeros(Int8, 3, 3); compression = "zlib")
    @test all(==((0, 0, 0)), picture_in(page("packed")))
    for name in ("list", "texts")
        @test !showable(MIME("text/html"), file[name]) && !occursin("<img", page(name))
    end
    @test !occursin("<a>", page("texts"))
    array = file["image"]
    close(array)
    @test !showable(MIME("text/html"), array) && !occursin("<img", sprint(show, MIME("text/html"), array))
end
