# Points in time: DateTime with the rest, Julian dates, scales.

@testset "times" begin
    file = AsdfKit.new()
    start = DateTime(2027, 1, 31, 4, 5, 6, 789)
    AsdfKit.set_time!(file, "start", start)
    @test AsdfKit.times(file, "start") == (start, Nanosecond(0))
    AsdfKit.set_time!(file, "all", [start start + Second(1); start start]; rests = Nanosecond(5))
    dates, rests = AsdfKit.times(file, "all")
    @test dates == [start start + Second(1); start start] && all(==(Nanosecond(5)), rests)
    AsdfKit.set_time!(file, "some", [start, missing])
    @test isequal(AsdfKit.times(file, "some"), ([start, missing], [Nanosecond(0), missing]))
    AsdfKit.set_time!(file, "day", Date(2017, 1, 1))
    @test AsdfKit.times(file, "day"; scale = "tai") == (DateTime(2017, 1, 1, 0, 0, 37), Nanosecond(0))
    @test AsdfKit.julian_dates(file, "day") == (2457754.0, 0.5, "utc") ||
          AsdfKit.julian_dates(file, "day") == (2457755.0, -0.5, "utc")
    AsdfKit.set_time!(file, "tdb", start; scale = "tdb")
    @test AsdfKit.times(file, "tdb"; scale = "tdb") == (start, Nanosecond(0))
    @test_throws AsdfKit.AsdfError AsdfKit.times(file, "tdb")
    @test_throws AsdfKit.AsdfError AsdfKit.times(file, "none")
    @test_throws ArgumentError AsdfKit.times(file, "day"; scale = "UTC")
    @test AsdfKit.times(file, "day"; scale = :tai) == AsdfKit.times(file, "day"; scale = "tai")
    AsdfKit.set_time!(file, "leap", "2016-12-31T23:59:60.5")
    @test_throws AsdfKit.AsdfError AsdfKit.times(file, "leap")
    @test occursin("time number 1", (try AsdfKit.times(file, "leap") catch problem; problem end).message)
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
    read(format, values; keywords...) = AsdfKit.read_ecsv(Vector{UInt8}(text(format, values)); keywords...).t
    @test read("yday", "2020:001") == [DateTime(2020, 1, 1)]
    # A time that the type does not hold is an error that names the way to read it.
    for (format, value) in ("isot" => "2016-12-31T23:59:60.5", "isot" => "2020-01-01T00:00:00.0001", "isot" => "noon",
                            "isot, out_subfmt: date" => "2020-01-01T12:00:00")
        problem = try read(format, value) catch problem; problem end
        @test problem isa AsdfKit.AsdfError && problem.subject == "t" && occursin("times = :stored", problem.message)
        @test read(format, value; times = :stored) == [value]
    end
    @test read("isot", "2020-01-01T00:00:00.0001"; times = :nanoseconds) == [(DateTime(2020), Nanosecond(100_000))]
    @test read("isot, precision: 6", "2020-01-01") == [(DateTime(2020), Nanosecond(0))]
    # Years that nanoseconds do not hold.
    @test read("isot", "1500-01-01\n9999-12-31T23:59:59.999\n2020-01-01") ==
          [DateTime(1500), DateTime(9999, 12, 31, 23, 59, 59, 999), DateTime(2020)]
    @test_throws ArgumentError read("isot", "2020-01-01"; times = :auto)
    @test_throws ArgumentError AsdfKit.write_ecsv("never.ecsv", (a = [(start, Nanosecond(1_000_000))],))
    @test_throws OverflowError AsdfKit.write_ecsv("never.ecsv", (a = [Week(100_000_000)],))
end

@testset "metadata of columns of times" begin
    serialized = "!astropy.table.SerializedColumn"
    text = """
        # %ECSV 1.0
        # ---
        # datatype: [{name: t.jd1, datatype: float64}, {name: t.jd2, datatype: float64}, {name: f, unit: Jy, datatype: float64}]
        # meta:
        #   k: 5
        #   __serialized_columns__:
        #     t: {__class__: astropy.time.core.Time, format: isot, scale: tai, __info__: {description: start},
        #         jd1: $serialized {name: t.jd1}, jd2: $serialized {name: t.jd2}}
        #     f: {__class__: astropy.units.quantity.Quantity, unit: !astropy.units.Unit {unit: Jy}, value: $serialized {name: f}}
        # schema: astropy-2.0
        t.jd1 t.jd2 f
        2460311.0 0.25 1.5
        """
    table, metadata = AsdfKit.read_ecsv(Vector{UInt8}(text); metadata = true)
    start = DateTime(2024, 1, 1, 18) - Second(37)
    @test table.t == [start] && keys(metadata) == ["t", "f"] && metadata["t"].description == "start"
    # The entry of the times told the scale TAI, which the DateTimes have not. That of the other column stays.
    @test keys(metadata.meta["__serialized_columns__"]) == ["f"] && metadata.meta["k"] == 5
    header = AsdfKit.table_metadata(Vector{UInt8}(text))
    @test keys(header) == ["t.jd1", "t.jd2", "f"] && keys(header.meta["__serialized_columns__"]) == ["t", "f"]
    mktempdir() do folder
        for (name, given) in ("read" => metadata, "header" => header)
            path = joinpath(folder, "$name.ecsv")
            AsdfKit.write_ecsv(path, table; metadata = given)
            written = read(path, String)
            @test AsdfKit.read_ecsv(path) == table && occursin("scale: utc", written) && !occursin("tai", written)
            @test occursin("value: $serialized {name: f}", written)
            AsdfKit.write_ecsv(path, (f = table.f,); metadata = given, replace = true)
            @test !occursin("Time", read(path, String))
            AsdfKit.write_ecsv(path, (t = table.t,); metadata = given, replace = true)
            @test AsdfKit.read_ecsv(path).t == table.t && !occursin("Quantity", read(path, String))
        end
        # Times of which a DateTime does not hold the scale stay as they are stored, and so does their entry.
        tdb = Vector{UInt8}(replace(text, "scale: tai" => "scale: tdb"))
        stored, metadata = AsdfKit.read_ecsv(tdb; metadata = true)
        @test keys(stored) == (Symbol("t.jd1"), Symbol("t.jd2"), :f) && keys(metadata) == ["t.jd1", "t.jd2", "f"]
        path = joinpath(folder, "tdb.ecsv")
        AsdfKit.write_ecsv(path, stored; metadata = metadata)
        @test AsdfKit.read_ecsv(path) == stored && occursin("scale: tdb", read(path, String))
    end
end

@testset "the header decides the types of times" begin
    column(name, format, more = "scale: utc") = "$name: {__class__: astropy.time.core.Time, format: $format, $more, " *
        "value: !astropy.table.SerializedColumn {name: $name}}"
    text = """
        # %ECSV 1.0
        # ---
        # datatype: [{name: m, datatype: float64}, {name: t, datatype: string}, {name: n, datatype: string}, {name: s, datatype: float64}, {name: j, datatype: float64}]
        # meta: {__serialized_columns__: {$(column("m", "mjd", "scale: tai")), $(column("t", "isot")),
        #   $(column("n", "isot", "scale: tt, precision: 9")),
        #   s: {__class__: astropy.time.core.TimeDelta, format: sec, value: !astropy.table.SerializedColumn {name: s}},
        #   j: {__class__: astropy.time.core.TimeDelta, format: jd, value: !astropy.table.SerializedColumn {name: j}}}}
        m t n s j
        58000.1234567 2020-01-01T00:00:00.5 2020-01-01T00:00:00.000000001 0.1 0.1
        58001.0 2020-01-01 2020-01-01 1.0 1.0
        58002.0 2020-01-01 "" 2.0 2.0
        """
    mktempdir() do folder
        source, path = joinpath(folder, "source.ecsv"), joinpath(folder, "again.ecsv")
        Base.write(source, text)
        plain(table) = map(column -> nonmissingtype(eltype(column)), table)
        exact = Tuple{DateTime,Nanosecond}
        wanted = (m = Float64, t = DateTime, n = exact, s = Nanosecond, j = Float64)
        @test all(batch -> plain(batch) == wanted, AsdfKit.eachbatch(source; rows = 1))
        @test plain(AsdfKit.read_ecsv(source; rows = 2:2)) == wanted
        metadata = AsdfKit.table_metadata(source)
        AsdfKit.write_ecsv(path; metadata = metadata) do writer
            foreach(batch -> append!(writer, batch), AsdfKit.eachbatch(source; rows = 1))
        end
        @test isequal(AsdfKit.read_ecsv(path), AsdfKit.read_ecsv(source))
        # The first batch has no nanoseconds, and the type of the column remains.
        AsdfKit.write_ecsv(path; replace = true) do writer
            append!(writer, (n = [(DateTime(2020), Nanosecond(0))],))
            append!(writer, (n = [(DateTime(2020), Nanosecond(5))],))
        end
        @test AsdfKit.read_ecsv(path).n == [(DateTime(2020), Nanosecond(0)), (DateTime(2020), Nanosecond(5))]
        # No batch tells the columns of the file for spans, nor for times that are all missing.
        batches = ([Second(1), Second(2)], Union{Missing,Second}[missing], [Nanosecond(10^17 + 1), missing])
        AsdfKit.write_ecsv(path; replace = true) do writer
            foreach(spans -> append!(writer, (s = spans, t = similar(spans, Union{Missing,DateTime}) .= missing)), batches)
        end
        @test isequal(AsdfKit.read_ecsv(path).s, reduce(vcat, batches))
        far = (t = [DateTime(12000, 2, 29), DateTime(-5, 1, 1, 0, 0, 0, 7), missing], d = [Date(-99999), Date(2020), Date(99999)],
               n = [(DateTime(9999), Nanosecond(5)), (DateTime(10000), Nanosecond(0)), (DateTime(0), Nanosecond(1))])
        AsdfKit.write_ecsv(path, far; replace = true)
        @test isequal(AsdfKit.read_ecsv(path), far)
        @test_throws ArgumentError AsdfKit.write_ecsv(path, (t = [DateTime(100_000)],); replace = true)
        rounded = AsdfKit.read_ecsv(source; times = :nanoseconds)
        @test plain(rounded) == (m = exact, t = exact, n = exact, s = Nanosecond, j = Nanosecond)
        @test rounded.j[1] == Nanosecond(Second(8640)) && rounded.m[2][1] == DateTime(2017, 9, 5) - Second(37)
        stored = AsdfKit.read_ecsv(source; times = :stored)
        @test stored.s == [0.1, 1, 2] && stored.t[1] == "2020-01-01T00:00:00.5"
    end
    one_third = replace(text, "0.1 0.1" => "0.3333333333333333 0.1")
    @test_throws AsdfKit.AsdfError AsdfKit.read_ecsv(Vector{UInt8}(one_third))
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
