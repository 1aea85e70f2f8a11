# World coordinates: pixels and the sky, broadcasting, frames, transforms, what cannot be evaluated.

# An image of 100 * 50 pixels of 0.36 arc seconds around (150, 30) degrees, with its reference pixel at (10, 20).
const WCS_TREE = """
#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>
  name: camera
  pixel_shape: [100, 50]
  steps:
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: !<tag:stsci.edu:gwcs/frame2d-1.0.0>
      {axes_names: [x, y], axes_order: [0, 1], name: detector, unit: [pixel, pixel]}
    transform: !transform/compose-1.3.0
      bounding_box: [[-0.5, 49.5], [-0.5, 99.5]]
      forward:
      - !transform/concatenate-1.3.0
        forward: [!transform/shift-1.2.0 {offset: -10.0}, !transform/shift-1.2.0 {offset: -20.0}]
      - !transform/concatenate-1.3.0
        forward: [!transform/scale-1.2.0 {factor: -1.0e-4}, !transform/scale-1.2.0 {factor: 1.0e-4}]
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: plane
    transform: !transform/compose-1.3.0
      forward:
      - !transform/gnomonic-1.2.0 {direction: pix2sky}
      - !transform/rotate3d-1.3.0 {direction: native2celestial, phi: 150.0, theta: 30.0, psi: 180.0}
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: !<tag:stsci.edu:gwcs/celestial_frame-1.0.0>
      axes_names: [ra, dec]
      axes_order: [0, 1]
      name: sky
      reference_frame: !<tag:astropy.org:astropy/coordinates/frames/fk5-1.1.0>
        {frame_attributes: {equinox: J1975.0}}
      unit: [deg, deg]
shift: !transform/shift-1.2.0 {name: move, offset: 2.5, bounding_box: [0.0, 10.0]}
unknown: !transform/unheard_of-1.0.0 {}
...
"""

@testset "world coordinates" begin
    file = AsdfKit.open(Vector{UInt8}(WCS_TREE))
    sky = AsdfKit.wcs(file, "wcs")
    shift = AsdfKit.transform(file, "shift")
    @test_throws AsdfKit.AsdfError AsdfKit.wcs(file, "shift")
    @test_throws AsdfKit.AsdfError AsdfKit.transform(file, "unknown")
    close(file)
    ra, dec = sky(10, 20)
    @test ra ≈ 150 && dec ≈ 30
    @test all(isapprox.(inv(sky)(ra, dec), (10, 20); atol = 1e-8))
    @test all(isnan, sky(1000, 0)) && !any(isnan, sky(1000, 0; bounding_box = false))
    @test sky(1000, 0; fill = -1.0) == (-1.0, -1.0)
    positions = sky.(0:99, (0:49)')
    @test size(positions) == (100, 50) && positions[11, 21] == (ra, dec)
    @test positions == [sky(x, y) for x in 0:99, y in 0:49]
    pixels = inv(sky).(first.(positions), last.(positions))
    @test maximum(maximum(abs.(pixels[x + 1, y + 1] .- (x, y))) for x in 0:99, y in 0:49) < 1e-8
    @test sky.(10, 20) == (ra, dec) && sky.(Float64[], Float64[]) == []
    @test all(AsdfKit.sky_at(sky, 10, 20) .≈ (150, 30))
    @test all(isapprox.(AsdfKit.pixel_at(sky, 150, 30), (10, 20); atol = 1e-8))
    @test AsdfKit.sky_at.(sky, [0, 10], [5, 20]) == sky.([0, 10], [5, 20])
    @test all(isnan, AsdfKit.sky_at(sky, 1000, 0)) && !any(isnan, AsdfKit.sky_at(sky, 1000, 0; bounding_box = false))
    @test_throws AsdfKit.AsdfError AsdfKit.pixel_at(sky, 150, 91)
    # A frame with the latitude first: the numbers of `sky` change their meaning.
    turned = replace(WCS_TREE, "axes_names: [ra, dec]\n      axes_order: [0, 1]" =>
                               "axes_names: [ra, dec]\n      axes_order: [1, 0]")
    latitude_first = AsdfKit.wcs(AsdfKit.open(Vector{UInt8}(turned)), "wcs")
    @test AsdfKit.sky_at(latitude_first, 10, 20) == reverse(latitude_first(10, 20)) == reverse((ra, dec))
    @test repr(sky) == "AsdfKit.Wcs(detector -> plane -> sky)"
    @test_throws ArgumentError sky(1)
    @test_throws ArgumentError sky(1, 2; colour = "red")
    @test_throws AsdfKit.AsdfError AsdfKit.transform(sky; from = "nowhere")
    @test AsdfKit.transform(sky; from = "detector", to = "plane")(110, 20)[1] ≈ -0.01
    @test AsdfKit.center(sky) == (49.5, 24.5) && AsdfKit.bounding_box(sky) == [(-0.5, 99.5), (-0.5, 49.5)]
    @test size(AsdfKit.footprint(sky)) == (2, 4) && AsdfKit.footprint(sky; center = true)[1, 1] > 150
    @test AsdfKit.pixel_scale(sky, 10, 20) ≈ 1e-4
    @test AsdfKit.orientation(sky, 10, 20)[2] == false
    frames = AsdfKit.frames(sky)
    @test [frame.name for frame in frames] == ["detector", "plane", "sky"]
    @test frames[3].kind == :celestial && frames[3].axes[2].physical_type == "pos.eq.dec"
    @test frames[3].reference == "fk5" && frames[3].attributes["equinox"] == "J1975.0" && frames[1].reference === nothing
    @test shift(1) == 3.5 && shift.([1, 20]) == [3.5, 22.5] && inv(shift)(3.5) == 1
    @test isnan(shift(20; bounding_box = true)) && AsdfKit.bounding_box(shift) == [(0, 10)]
    @test inv(inv(sky)) === sky
end

@testset "world coordinates of FITS headers" begin
    cards = join(["NAXIS   = 2", "NAXIS1  = 100", "NAXIS2  = 80", "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'",
                  "CRPIX1  = 51", "CRPIX2  = 41", "CRVAL1  = 150", "CRVAL2  = 2", "CDELT1  = -1E-4",
                  "CDELT2  = 1E-4"], "\n")
    sky = AsdfKit.wcs_of_cards(cards)
    @test all(isapprox.(sky(50, 40), (150, 2)))
    @test_throws AsdfKit.AsdfError AsdfKit.wcs_of_cards(cards; alternate = "A")
    made = AsdfKit.cards(sky; max_error = 1e-6)
    @test made.error < 1e-6 && length(made.text) % 80 == 0
    @test all(isapprox.(AsdfKit.wcs_of_cards(made.text)(1, 2), sky(1, 2)))
    file = AsdfKit.new()
    AsdfKit.set_wcs_cards!(file, "wcs", cards)
    AsdfKit.set_wcs_cutout!(file, "part", AsdfKit.node(file, "wcs"), 21:60, 11:2:69)
    part = AsdfKit.wcs(file, "part")
    @test all(isapprox.(part(30, 15), (150, 2)))
    @test AsdfKit.bounding_box(part) == [(-0.5, 39.5), (-0.5, 29.5)]
    @test_throws AsdfKit.AsdfError AsdfKit.set_wcs_cutout!(file, "no", AsdfKit.node(file, "wcs"), 1:0, 1:2)
    @test_throws AsdfKit.AsdfError AsdfKit.set_wcs_cards!(file, "no", "SIMPLE  = T")
    close(file)
end
