# Converts a pixel of an image to a position on the sky, and back: sky_position.jl FILE X Y
using AsdfKit
using Printf

length(ARGS) == 3 || exit(2)
try
    wcs = AsdfKit.open(file -> AsdfKit.wcs(file, "meta/wcs"), ARGS[1])
    ra, dec = AsdfKit.sky_at(wcs, parse.(Float64, ARGS[2:3])...)
    x, y = AsdfKit.pixel_at(wcs, ra, dec)
    @printf("ra %.6f, dec %.6f: pixel %.3f, %.3f\n", ra, dec, x, y)
catch problem
    problem isa AsdfKit.AsdfError || rethrow()
    println(stderr, problem.message)
    exit(1)
end
