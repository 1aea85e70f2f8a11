# Cells of open tables, and metadata without a file.

const CELLS = """
    # %ECSV 1.0
    # ---
    # datatype:
    # - {name: n, datatype: int8, unit: Jy}
    # - {name: big, datatype: string, subtype: json}
    # - {name: list, datatype: string, subtype: 'float32[null]'}
    # - {name: words, datatype: string, subtype: 'string[2]'}
    n big list words
    1 1 "[1,2]" "[""a"",""b""]"
    2 "" "[]" "[""c"",""d""]"
    """

@testset "cells change, and the rest stays" begin
    table = AsdfKit.open_table(Vector{UInt8}(CELLS))
    @test size(table) == (2, 4) && keys(table) == ["n", "big", "list", "words"]
    table[2, "n"] = 5.0
    table[1, :n] = missing
    table[2, "big"] = big"123456789012345678901234567890"
    table[2, "list"] = [7, 8, 9]
    table[1, "words"] = ["long text", missing]
    @test isequal(table["n"], [missing, 5]) && table[2, "n"] == 5
    file = AsdfKit.new()
    AsdfKit.set_table!(file, "t", table; compression = "zlib")
    again = AsdfKit.open_table(file, "t")
    @test AsdfKit.table_metadata(again)["n"].unit == "Jy"
    path = joinpath(mktempdir(), "a.ecsv")
    AsdfKit.write_ecsv(path, again)
    lines = readlines(path)
    @test any(line -> occursin("unit: Jy, datatype: int8", line), lines)
    @test lines[end-1:end] == ["\"\" 1 [1.0,2.0] \"[\"\"long text\"\",null]\"",
                               "5 123456789012345678901234567890 [7.0,8.0,9.0] \"[\"\"c\"\",\"\"d\"\"]\""]
    table[1, "list"] = Float64[]
    @test table["list"][1] == []
    @test_throws AsdfKit.AsdfError table[3, "n"] = 1
    @test_throws AsdfKit.AsdfError table[0, "n"] = 1
    @test_throws AsdfKit.AsdfError table[1, "n"] = 1000
    @test_throws AsdfKit.AsdfError table[1, "none"] = 1
    @test_throws AsdfKit.AsdfError table[1, "big"] = "{"
    @test_throws ArgumentError table[1, "n"] = nothing
    @test_throws ArgumentError AsdfKit.write_ecsv(path, table; units = (n = "m",), replace = true)
end

@testset "cells of times take texts, and rows of tables in files are read" begin
    path = joinpath(mktempdir(), "a.ecsv")
    AsdfKit.write_ecsv(path, (t = [DateTime(2027, 1, 1), DateTime(2027, 1, 2)], n = [1, 2]))
    table = AsdfKit.open_table(path)
    table[1, "t"] = "2027-01-31T04:05:06.000"
    problem = try table[2, "t"] = "garbage" catch problem; problem end
    @test problem isa AsdfKit.AsdfError && problem.code == "VALUE_RANGE" && problem.subject == "t"
    @test occursin("row 2: 'garbage' is not a time", problem.message)
    table[1:2, "n"] = [8, missing]
    @test isequal(table[:, "n"], [8, missing]) && table[[false, true], "t"] == ["2027-01-02T00:00:00.000"]
    @test_throws DimensionMismatch table[1:2, "n"] = [1]
    @test_throws DimensionMismatch table[1:2, "n"] = 1
    @test_throws BoundsError table[2:3, "n"] = [1, 2]
    table[:, "n"] = [1, 2]
    AsdfKit.write_ecsv(path, table; replace = true)
    @test AsdfKit.read_ecsv(path).t == [DateTime(2027, 1, 31, 4, 5, 6), DateTime(2027, 1, 2)]
    file = AsdfKit.new()
    AsdfKit.set_table!(file, "t", table)
    @test AsdfKit.read_table(file, "t"; rows = 2:2).n == [2]
    @test keys(AsdfKit.read_table(file, "t"; columns = ["t"])) == (:t,)
    @test_throws AsdfKit.AsdfError AsdfKit.read_table(file, "t"; columns = :none)
    @test_throws AsdfKit.AsdfError AsdfKit.read_table(file, "t"; rows = 2:3)
end

@testset "metadata need no file" begin
    meta = AsdfKit.new_mapping()
    meta["author/name"] = "me"
    path = joinpath(mktempdir(), "a.ecsv")
    AsdfKit.write_ecsv(path, (a = [1],); meta = meta)
    @test AsdfKit.table_metadata(path).meta["author/name"] == "me"
    lists = Dict("list" => [1.5, 2.5], "grid" => [1 2; 3 4], "inner" => (words = ["a", "b"],))
    AsdfKit.write_ecsv(path, (a = [1],); meta = lists, replace = true)
    read = AsdfKit.table_metadata(path).meta
    @test read["list/1"] == 2.5 && read["grid/1/0"] == 2 && read["inner/words/1"] == "b"
    file = AsdfKit.new()
    file["m/array"] = [1, 2]
    @test_throws AsdfKit.AsdfError AsdfKit.write_ecsv(path, (a = [1],); meta = AsdfKit.node(file, "m"), replace = true)
end
