# Reads a time, and converts it from UTC to TAI: read_time.jl FILE
using AsdfKit
using Dates

length(ARGS) == 1 || exit(2)
try
    AsdfKit.open(ARGS[1]) do file
        tai, _ = AsdfKit.times(file, "meta/exposure/start"; scale = "tai")
        utc, rest = AsdfKit.times(file, "meta/exposure/start")    # the rest is less than a millisecond
        since = Nanosecond(utc - unix2datetime(0)) + rest
        println(Dates.format(tai, "yyyy-mm-ddTHH:MM:SS.sss"), " TAI, ", since.value, " ns of UTC since 1970")
    end
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
