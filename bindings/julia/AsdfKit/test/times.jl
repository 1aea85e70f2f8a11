# Points in time: DateTime with the rest, Julian dates, scales.

@testset "times" begin
    file = AsdfKit.new()
    start = DateTime(2027, 1, 31, 4, 5, 6, 789)
    AsdfKit.set_time!(file, "start", start)
    @test AsdfKit.times(file, "start") == (start, Nanosecond(0))
    AsdfKit.set_time!(file, "all", [start start + Second(1); start start]; rests = Nanosecond(5))
    dates, rests = AsdfKit.times(file, "all")
    @test dates == [start start + Second(1); start start] && all(==(Nanosecond(5)), rests)
    AsdfKit.set_time!(file, "day", Date(2017, 1, 1))
    @test AsdfKit.times(file, "day"; scale = "tai") == (DateTime(2017, 1, 1, 0, 0, 37), Nanosecond(0))
    @test AsdfKit.julian_dates(file, "day") == (2457754.0, 0.5, "utc") ||
          AsdfKit.julian_dates(file, "day") == (2457755.0, -0.5, "utc")
    AsdfKit.set_time!(file, "tdb", start; scale = "tdb")
    @test AsdfKit.times(file, "tdb"; scale = "tdb") == (start, Nanosecond(0))
    @test_throws AsdfKit.AsdfError AsdfKit.times(file, "tdb")
    @test_throws AsdfKit.AsdfError AsdfKit.times(file, "none")
    @test_throws ArgumentError AsdfKit.times(file, "day"; scale = "UTC")
    AsdfKit.set_time!(file, "leap", "2016-12-31T23:59:60.5")
    @test_throws AsdfKit.AsdfError AsdfKit.times(file, "leap")
    @test AsdfKit.times(file, "leap"; scale = "tai") == (DateTime(2017, 1, 1, 0, 0, 36, 500), Nanosecond(0))
    @test_throws ArgumentError AsdfKit.set_time!(file, "day", start; scale = "GPS")
end

@testset "columns of times" begin
    start = DateTime(2027, 1, 31, 4, 5, 6, 789)
    table = (n = [1, 2], start = [start, start + Second(1)], stop = [missing, start],
             day = [Date(999, 12, 31), Date(2027, 1, 31)], exact = [(start, Nanosecond(5)), (start, Nanosecond(0))],
             span = [Second(1), Second(-5)], wait = [Nanosecond(1), missing])
    expected = merge(table, (span = Nanosecond.(table.span),))
    mktempdir() do folder
        path = joinpath(folder, "times.ecsv")
        AsdfKit.write_ecsv(path, table; descriptions = (start = "first",))
        read, metadata = AsdfKit.read_ecsv(path; metadata = true)
        @test isequal(read, expected) && metadata["start"].description == "first"
        @test eltype(read.start) == DateTime && eltype(read.day) == Date
        file = AsdfKit.new()
        AsdfKit.set_table!(file, "t", table)
        AsdfKit.write(file, joinpath(folder, "times.asdf"))
        @test isequal(AsdfKit.read_table(AsdfKit.open(joinpath(folder, "times.asdf")), "t"), expected)
    end
    text(format, values) = """
        # %ECSV 1.0
        # ---
        # datatype: [{name: t, datatype: string}]
        # meta: {__serialized_columns__: {t: {__class__: astropy.time.core.Time, format: $format, value: !astropy.table.SerializedColumn {name: t}}}}
        t
        $values
        """
    @test AsdfKit.read_ecsv(Vector{UInt8}(text("isot", "2016-12-31T23:59:60.5"))).t == ["2016-12-31T23:59:60.5"]
    @test AsdfKit.read_ecsv(Vector{UInt8}(text("yday", "2020:001"))).t == [DateTime(2020, 1, 1)]
    @test_throws ArgumentError AsdfKit.write_ecsv("never.ecsv", (a = [(start, Nanosecond(1_000_000))],))
    @test_throws OverflowError AsdfKit.write_ecsv("never.ecsv", (a = [Week(100_000_000)],))
end

@testset "cells of columns of times" begin
    start = DateTime(2027, 1, 31, 4, 5, 6, 789)
    mktempdir() do folder
        path = joinpath(folder, "times.ecsv")
        AsdfKit.write_ecsv(path, (n = [1, 2, 3], start = fill(start, 3), day = fill(Date(2027, 1, 31), 3)))
        table = AsdfKit.open_table(path)
        table[1, "start"] = start + Hour(1)
        table[2, "start"] = (start, Nanosecond(7))
        table[3, "start"] = missing
        table[2, "day"] = Date(2028, 2, 29)
        table[3, "day"] = missing
        @test_throws AsdfKit.AsdfError table[1, "day"] = start
        @test_throws AsdfKit.AsdfError table[1, "n"] = start
        @test_throws AsdfKit.AsdfError table[4, "start"] = start
        @test_throws ArgumentError table[1, "start"] = (start, Nanosecond(-1))
        AsdfKit.write_ecsv(path, table; replace = true)
        read = AsdfKit.read_ecsv(path)
        @test isequal(read.start, [(start + Hour(1), Nanosecond(0)), (start, Nanosecond(7)), missing])
        @test isequal(read.day, [Date(2027, 1, 31), Date(2028, 2, 29), missing])
    end
end
