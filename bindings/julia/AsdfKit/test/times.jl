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
