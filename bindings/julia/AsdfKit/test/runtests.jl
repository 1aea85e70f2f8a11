# Runs all tests: Pkg.test("AsdfKit"). ASDFKIT_TEST_INPUTS is a directory with files of Python; without it, the tests
# that compare with them are left out. ASDFKIT_TEST_OUTPUTS is a directory for files that Python compares afterwards.
using AsdfKit
using Base64
using Dates
using Random
using Statistics
using Test

const INPUTS = get(ENV, "ASDFKIT_TEST_INPUTS", nothing)
const OUTPUTS = get(mktempdir, ENV, "ASDFKIT_TEST_OUTPUTS")
INPUTS === nothing && @warn "ASDFKIT_TEST_INPUTS is not set: no comparison with files of Python"

@testset "AsdfKit" begin
    @testset "$name" for name in ("files", "trees", "disk_arrays", "keys", "setting", "lending", "views", "maintenance", "tables", "rows", "cells",
                                  "ndl", "streams", "storm", "units", "times", "coordinates", "software", "wcs")
        include("$name.jl")
    end
end
