# Tables: ECSV files of astropy are read right, Python compares what this package writes, wrong arguments are errors.
# INPUTS has files of Python, OUTPUTS gets those of Julia (tests/julia/check_tables.py).

"The table that tests/cpp/make_tables.py makes with astropy."
function check_astropy_table(table)
    for T in (Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64)
        column = getproperty(table, Symbol(lowercase(string(T))))
        @test column isa Vector{T} && column == [typemin(T), 1, typemax(T)]
    end
    @test table.float32 == Float32[0.1, -1e38, Inf] && table.float32 isa Vector{Float32}
    @test isequal(table.float64, [0.1, 1e300, -0.0])
    @test table.complex128 == [1 + 2im, 3 - 4im, 0.5im]
    @test table.bool isa Vector{Bool} && table.bool == [true, false, true]
    @test table.text == ["3C 273", "plain", "日本 'quoted', \"twice\""]
    @test isequal(table.masked, [1.5, missing, 3.5]) && table.masked isa Vector{Union{Missing,Float64}}
    @test isequal(table.words, [missing, "b", "c"])
    # astropy has cells [[0, 1], [2, 3]], …: the dimensions are reversed here.
    @test table.cells == [Int16[0 2; 1 3], Int16[4 6; 5 7], Int16[8 10; 9 11]]
    @test table.cells isa Vector{Matrix{Int16}}
end

function check_astropy_metadata(metadata)
    column = metadata["masked"]
    @test (column.unit, column.description) == ("mJy", "Flux")
    @test metadata[:masked] === column && metadata["text"].unit === nothing
    @test AsdfKit.units(metadata) == Dict("masked" => "mJy")
    @test metadata.meta["survey"] == "deep" && metadata.meta["epochs/1"] == 2
    @test haskey(metadata, "cells") && !haskey(metadata, "cell") && length(metadata) == length(keys(metadata))
    @test_throws KeyError metadata["flux"]
    @test occursin("masked [mJy]: Flux", sprint(show, metadata))
end

@testset "an empty text is not the same as none" begin
    path = joinpath(mktempdir(), "empty.ecsv")
    AsdfKit.write_ecsv(path, (ratio = [1.0], plain = [2.0]); units = (ratio = "",), descriptions = (ratio = "",),
                       formats = (ratio = "",))
    table, metadata = AsdfKit.read_ecsv(path; metadata = true)
    texts(name) = (metadata[name].unit, metadata[name].description, metadata[name].format)
    @test texts("ratio") == ("", "", "") && texts("plain") == (nothing, nothing, nothing)
    @test metadata.logical_columns[1].unit == "" && metadata.logical_columns[2].unit === nothing
    AsdfKit.write_ecsv(path, table; metadata = metadata, replace = true)
    @test occursin("{name: ratio, unit: '', datatype: float64, format: '', description: ''}", read(path, String))
    @test occursin("{name: plain, datatype: float64}", read(path, String))
end

INPUTS === nothing || @testset "tables of astropy" begin
    table, metadata = AsdfKit.read_ecsv(joinpath(INPUTS, "astropy.ecsv"); metadata = true)
    check_astropy_table(table)
    check_astropy_metadata(metadata)
    @test metadata["masked"].format == "%.2f"
    @test isempty(metadata.warnings) && metadata.schema == "astropy-2.0"
    @test table.lists == [[1, 2], Int64[], [3]] && table.lists isa AbstractVector{Vector{Int64}}
    @test metadata["lists"].subtype == "int64[null]" && metadata["lists"].datatype == "string"
    AsdfKit.open(joinpath(INPUTS, "astropy.asdf")) do file
        stored, described = AsdfKit.read_table(file, "table"; metadata = true)
        check_astropy_table(stored)
        check_astropy_metadata(described)
        @test_throws AsdfKit.AsdfError AsdfKit.read_table(file, "tabel")
    end
    bytes = read(joinpath(INPUTS, "astropy.ecsv"))
    @test isequal(AsdfKit.read_ecsv(bytes), table)
    @test isequal(AsdfKit.read_ecsv(IOBuffer(bytes)), table)
    @test AsdfKit.table_metadata(bytes)["masked"].unit == "mJy"
    check_astropy_metadata(AsdfKit.table_metadata(joinpath(INPUTS, "astropy.ecsv")))
end

INPUTS === nothing || @testset "times of astropy" begin
    table, metadata = AsdfKit.read_ecsv(joinpath(INPUTS, "times.ecsv"); metadata = true)
    time = metadata.logical_columns[1]
    @test time.name == "time" && time.class == "astropy.time.core.Time"
    @test [member.attribute for member in time.members] == ["jd1", "jd2"]
    @test time.attributes["scale"] == "tai"
    # Julian dates are numbers, which stay as they are stored.
    @test keys(table) == (Symbol("time.jd1"), Symbol("time.jd2"), :flux)
    # The scale is TAI, 37 seconds ahead of UTC.
    table = AsdfKit.read_ecsv(joinpath(INPUTS, "times.ecsv"); times = :nanoseconds)
    @test first.(table.time) == [DateTime(2020, 5, 30, 17, 59, 23), DateTime(2020, 6, 1, 5, 59, 23)]
end

@testset "rows, columns, batches" begin
    path = joinpath(OUTPUTS, "rows.ecsv")
    whole = (id = collect(1:10), word = [i % 3 == 0 ? missing : i % 3 == 1 ? "" : "w$i" for i in 1:10])
    AsdfKit.write_ecsv(path, whole)
    @test isequal(AsdfKit.read_ecsv(path), whole)
    @test isequal(AsdfKit.read_ecsv(path; rows = 3:4), (id = [3, 4], word = whole.word[3:4]))
    @test AsdfKit.read_ecsv(path; rows = 1:0, columns = "id") == (id = Int64[],)
    # The mask of the texts is another column of the file, and belongs to them.
    @test isequal(AsdfKit.read_ecsv(path; columns = [:word]), (word = whole.word,))
    @test keys(AsdfKit.read_ecsv(path; columns = ("word", "id"))) == (:id, :word)
    problem = try AsdfKit.read_ecsv(path; rows = 5:11) catch failure failure end
    @test problem isa AsdfKit.AsdfError && problem.code == "OUT_OF_RANGE" && occursin("5:11", problem.message)
    @test_throws AsdfKit.AsdfError AsdfKit.read_ecsv(path; rows = 12:13)
    @test_throws ArgumentError AsdfKit.read_ecsv(path; rows = 0:3)
    @test_throws ArgumentError AsdfKit.read_ecsv(path; rows = 1:2:5)
    @test_throws AsdfKit.AsdfError AsdfKit.read_ecsv(path; columns = "words")
    @test_throws ArgumentError AsdfKit.read_ecsv(3.5)

    batches = AsdfKit.eachbatch(path; rows = 4)
    @test keys(AsdfKit.table_metadata(batches)) == ["id", "word"]
    found = collect(batches)
    @test [length(batch.id) for batch in found] == [4, 4, 2]
    @test isequal(reduce(vcat, [batch.word for batch in found]), whole.word)
    @test iterate(batches) === nothing
    close(batches)
    @test !isopen(batches)
    @test_throws AsdfKit.AsdfError iterate(batches)
    @test [batch.id for batch in AsdfKit.eachbatch(path; rows = 5, columns = "id")] == [1:5, 6:10]
    @test_throws ArgumentError AsdfKit.eachbatch(path; rows = 0)
    @test_throws AsdfKit.AsdfError AsdfKit.eachbatch("absent.ecsv")
end

@testset "damaged tables" begin
    damaged = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: n, datatype: int8}\nn\n1\n300\n"
    problem = try AsdfKit.read_ecsv(Vector{UInt8}(damaged)) catch failure failure end
    @test problem isa AsdfKit.AsdfError && problem.line == 7
    @test occursin("300", sprint(showerror, problem))
    path = joinpath(OUTPUTS, "damaged.ecsv")
    write(path, damaged)
    batches = AsdfKit.eachbatch(path; rows = 1)
    @test first(batches) == (n = Int8[1],)
    # The failure stays.
    @test_throws AsdfKit.AsdfError iterate(batches)
    @test_throws AsdfKit.AsdfError iterate(batches)
end

# The columns of all kinds that tests/julia/check_tables.py expects.
const EVERYTHING = (
    i = Int32[1, -2, 3],
    u = UInt64[0, 1, typemax(UInt64)],
    low = [typemin(Int64), typemax(Int64), -1],
    x = [0.1, missing, 1e-300],
    h = Float16[0.5, -Inf, 65504],
    c = ComplexF32[1 + 2im, 3 - 4im, 0],
    b = [true, false, true],
    t = ["a b", missing, "日本, \"q\""],
    e = ["", missing, "x"],
    m = [[1, 2], [missing, 4], [5, 6]],
    g = [[1.0 2.0 3.0; 4.0 5.0 6.0], missing, [7.0 8.0 9.0; 10.0 11.0 12.0]],
    w = [["a", "bcd"], ["", "é"], ["x", "y"]],
)
const VARIABLE = (v = [[1, 2, 3], Int[], [4]], vm = [Float32[1 2; 3 4; 5 6], missing, Float32[7 8]])
const PROPERTIES = (units = (i = "s", x = "Jy"), descriptions = Dict("i" => "Seconds"), formats = (i = "%d",),
                    meta = Dict("by" => "Julia"))

@testset "writing ECSV" begin
    path = joinpath(OUTPUTS, "ours.ecsv")
    table = merge(EVERYTHING, VARIABLE, (j = ["[1, 2]", "null", missing],
                                         big = [big"1.25", big"1e4000", missing],
                                         cbig = [Complex(big"1.5", big"-2e4000"), missing, Complex(big"0.0", big"2")]))
    AsdfKit.write_ecsv(path, table; PROPERTIES..., types = (j = "json",))
    found, metadata = AsdfKit.read_ecsv(path; metadata = true)
    @test isequal(found, table)
    @test metadata["j"].subtype == "json" && metadata["big"].datatype == "float128"
    @test found.m isa Vector{Vector{Union{Missing,Int64}}}
    @test found.g isa Vector{Union{Missing,Matrix{Float64}}}
    # With the metadata of a table that was read, the text is the same.
    again = joinpath(OUTPUTS, "again.ecsv")
    AsdfKit.write_ecsv(again, found; metadata = metadata, types = Dict("j" => "json"))
    @test read(again, String) == read(path, String)
    @test_throws AsdfKit.AsdfError AsdfKit.write_ecsv(path, table)
    AsdfKit.write_ecsv(path, table; PROPERTIES..., types = (j = "json",), replace = true)
end

struct Columns
    a::Vector{Int}
    b::UnitRange{Int}
end

@testset "tables of the program" begin
    path = joinpath(OUTPUTS, "sources.ecsv")
    wanted = (a = [1, 2, 3], b = [4, 5, 6])
    for source in (wanted, Columns([1, 2, 3], 4:6), ["a" => [1, 2, 3], :b => 4:6], [(a = i, b = i + 3) for i in 1:3],
                   (a = view([3, 2, 1], 3:-1:1), b = Any[4, 5, 6]), (a = Union{Missing,Int}[1, 2, 3], b = 4:6))
        AsdfKit.write_ecsv(path, source; replace = true)
        @test AsdfKit.read_ecsv(path) == wanted
    end
    AsdfKit.write_ecsv(path, Dict("a" => [1]); replace = true)
    @test AsdfKit.read_ecsv(path) == (a = [1],)
    AsdfKit.write_ecsv(path, NamedTuple(); replace = true)
    @test AsdfKit.read_ecsv(path) == NamedTuple()
    AsdfKit.write_ecsv(path, (a = Float32[], s = String[], v = Vector{Int16}[]); replace = true)
    @test AsdfKit.read_ecsv(path) == (a = Float32[], s = String[], v = Vector{Int16}[])
    AsdfKit.write_ecsv(path, (s = [:a, :b], f = BitVector([true, false]), v = [[1], [2]]); replace = true,
                       variable = :v)
    @test AsdfKit.read_ecsv(path) == (s = ["a", "b"], f = [true, false], v = [[1], [2]])
    @test AsdfKit.table_metadata(path)["v"].subtype == "int64[null]"

    for wrong in (3, [1, 2], (a = 1,), (a = [1 2; 3 4],), (a = [1, "x"],), (a = [missing],), (a = [1im],),
                  (a = [[1, 2], ["x"]],), (a = [[1 2], [1 2 3]],), (a = [[1], [1 2]],), (a = [["x\0"]],),
                  (a = [Dict()],), (a = [Int128(1)],))
        @test_throws ArgumentError AsdfKit.write_ecsv(path, wrong; replace = true)
    end
    @test_throws DimensionMismatch AsdfKit.write_ecsv(path, (a = [1], b = [1, 2]); replace = true)
    @test_throws ArgumentError AsdfKit.write_ecsv(path, (a = [1],); units = (b = "s",), replace = true)
    @test_throws ArgumentError AsdfKit.write_ecsv(path, (a = ["x"],); types = (a = "yaml",), replace = true)
    @test_throws ArgumentError AsdfKit.write_ecsv(path, (a = [1],); types = (a = "json",), replace = true)
    @test_throws AsdfKit.AsdfError AsdfKit.write_ecsv(path, (a = ["{"],); types = (a = "json",), replace = true)
    @test_throws AsdfKit.AsdfError AsdfKit.write_ecsv(joinpath(OUTPUTS, "nowhere", "x.ecsv"), (a = [1],))
end

@testset "writing in batches" begin
    path = joinpath(OUTPUTS, "batches.ecsv")
    AsdfKit.write_ecsv(path; PROPERTIES...) do writer
        append!(writer, EVERYTHING)
        append!(writer, EVERYTHING)
    end
    @test isequal(AsdfKit.read_ecsv(path).t, [EVERYTHING.t; EVERYTHING.t])
    absent = joinpath(OUTPUTS, "absent.ecsv")
    @test_throws ErrorException AsdfKit.write_ecsv(absent) do writer
        append!(writer, (a = [1],))
        error("the program fails")
    end
    @test_throws AsdfKit.AsdfError AsdfKit.write_ecsv(absent) do writer
        append!(writer, (a = [1],))
        append!(writer, (b = [1],))
    end
    @test_throws ArgumentError AsdfKit.write_ecsv(writer -> nothing, absent)
    @test !ispath(absent)
end

@testset "cells of arrays keep the shape of their column" begin
    text = """
        # %ECSV 1.0
        # ---
        # datatype:
        # - {name: v, datatype: string, subtype: 'float64[null]'}
        # - {name: g, datatype: string, subtype: 'int64[2,3]'}
        # - {name: s, datatype: string, subtype: 'string[null]'}
        v g s
        [1,2] "" "[""a""]"
        [3,4] "" "[""b""]"
        [5] "[[1,2,3],[4,5,6]]" "[""c"",""d""]"
        [] "[[1,2,3],[4,5,6]]" "[]"
        "" "" ""
        """
    source, path = joinpath(OUTPUTS, "shapes.ecsv"), joinpath(OUTPUTS, "shapes_again.ecsv")
    Base.write(source, text)
    subtypes(path) = [column.subtype for column in AsdfKit.table_metadata(path).columns]
    whole = AsdfKit.read_ecsv(source)
    AsdfKit.write_ecsv(path) do writer
        foreach(batch -> append!(writer, batch), AsdfKit.eachbatch(source; rows = 2))
    end
    @test isequal(AsdfKit.read_ecsv(path), whole) && subtypes(path) == subtypes(source)
    part = AsdfKit.read_ecsv(source; rows = 1:2)
    @test part.v == [[1, 2], [3, 4]] && all(ismissing, part.g)
    views = map(column -> view(column, 1:1), part)
    for table in (part, AsdfKit.select(part, [true, false]), map(copy, part), map(vcat, part, part), views,
                  AsdfKit.read_ecsv(source; rows = 5:5))
        AsdfKit.write_ecsv(path, table; replace = true)
        @test isequal(AsdfKit.read_ecsv(path), table) && subtypes(path) == subtypes(source)
    end
    part.v[1] = [9.0]
    push!(part.v, [7.0, 8.0, 9.0])
    @test part.v == [[9], [3, 4], [7, 8, 9]]
end

@testset "the first batch tells the types of later ones" begin
    path, again = joinpath(OUTPUTS, "later.ecsv"), joinpath(OUTPUTS, "later_again.ecsv")
    cells = Union{Missing,Vector{Int}}
    batches = [(m = cells[[1, 2]], v = cells[[1]], w = ["a"]), (m = cells[missing], v = cells[missing], w = ["b"]),
               (m = cells[[3, 4]], v = cells[[2, 3]], w = ["c"])]
    AsdfKit.write_ecsv(path; variable = :v) do writer
        foreach(batch -> append!(writer, batch), batches)
    end
    found = AsdfKit.read_ecsv(path)
    @test isequal(found.m, [[1, 2], missing, [3, 4]]) && isequal(found.v, [[1], missing, [2, 3]])
    # Texts with a mask stay so: the empty text of a later batch is not missing.
    for texts in (["a", missing, ""], [missing, "a", ""], ["", missing, "a"], [missing, missing, ""])
        AsdfKit.write_ecsv(path, (n = [1, 2, 3], s = texts); replace = true)
        AsdfKit.write_ecsv(again; replace = true) do writer
            foreach(batch -> append!(writer, batch), AsdfKit.eachbatch(path; rows = 1))
        end
        @test isequal(AsdfKit.read_ecsv(again).s, texts)
    end
    problem = try
        AsdfKit.write_ecsv(again; replace = true) do writer
            foreach(text -> append!(writer, (s = [text],)), ("a", ""))
        end
    catch problem
        problem
    end
    @test problem isa AsdfKit.AsdfError && occursin("empty_strings = :mark_all", problem.message)
end

@testset "storing in batches" begin
    path = joinpath(OUTPUTS, "batches.asdf")
    file = AsdfKit.new()
    AsdfKit.set_table!(file, "t"; units = (a = "m",), compression = :zlib) do writer
        append!(writer, (a = [1, 2], s = ["x", "longer"]))
        append!(writer, (a = [3, missing], s = ["y", "z"]))
    end
    AsdfKit.write(file, path; replace = true)
    found, metadata = AsdfKit.open(opened -> AsdfKit.read_table(opened, "t"; metadata = true), path)
    @test isequal(found.a, [1, 2, 3, missing]) && found.s == ["x", "longer", "y", "z"]
    @test metadata["a"].unit == "m"
    @test_throws AsdfKit.AsdfError AsdfKit.set_table!(file, "u"; temporary_directory = "nowhere") do writer
        append!(writer, (a = [1],))
    end
    @test_throws ErrorException AsdfKit.set_table!(file, "u") do writer
        append!(writer, (a = [1],))
        error("the program fails")
    end
    @test_throws ArgumentError AsdfKit.set_table!(writer -> nothing, file, "u")
    @test !haskey(file, "u")
end

@testset "index of an ECSV file" begin
    path = joinpath(OUTPUTS, "indexed.ecsv")
    AsdfKit.write_ecsv(path, (a = collect(1:100), s = ["x\n" for _ in 1:100]))
    index, rows = AsdfKit.table_index(path; step = 7)
    @test rows == 100
    @test AsdfKit.read_ecsv(path; rows = 50:60, table_index = index).a == 50:60
    @test_throws AsdfKit.AsdfError AsdfKit.table_index(path; step = -1)
    @test_throws AsdfKit.AsdfError AsdfKit.read_ecsv(path; table_index = "no index")
end

@testset "tables in ASDF files" begin
    path = joinpath(OUTPUTS, "tables.asdf")
    file = AsdfKit.new()
    AsdfKit.set_table!(file, "table", EVERYTHING; PROPERTIES..., form = :astropy)
    AsdfKit.set_table!(file, "standard", EVERYTHING; PROPERTIES..., compression = "zlib")
    AsdfKit.set_table!(file, "records", (a = [1, 2], b = ["x", "yz"]); form = :records)
    AsdfKit.set_table!(file, "arrays", (a = [1, 2],); form = :arrays, units = (a = "m",))
    AsdfKit.write(file, path)
    @test_throws ArgumentError AsdfKit.set_table!(file, "records", (a = [1, 2],); form = :excel)
    @test_throws AsdfKit.AsdfError AsdfKit.set_table!(file, "records", (a = [1, missing],); form = :records)
    @test_throws AsdfKit.AsdfError AsdfKit.set_table!(file, "variable", VARIABLE; form = :records)
    @test_throws AsdfKit.AsdfError AsdfKit.write(file, path; replace = true)
    AsdfKit.forget_failure!(file)
    AsdfKit.write(file, path; replace = true)
    AsdfKit.open(path) do stored
        for name in ("table", "standard")
            found, metadata = AsdfKit.read_table(stored, name; metadata = true)
            @test isequal(found, EVERYTHING)
            @test AsdfKit.units(metadata) == Dict("i" => "s", "x" => "Jy") && metadata.meta["by"] == "Julia"
        end
        @test AsdfKit.read_table(stored, "records") == (a = [1, 2], b = ["x", "yz"])
        @test AsdfKit.read_table(stored, "arrays") == (a = [1, 2],)
    end
end
