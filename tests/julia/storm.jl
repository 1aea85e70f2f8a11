# Runs the storm of the package's tests twice, and fails if the second one leaves more memory and descriptors in use.
using AsdfKit
using Test

const OUTPUTS = ENV["ASDFKIT_TEST_OUTPUTS"]
const STORM_TESTS = joinpath(dirname(pathof(AsdfKit)), "..", "test", "storm.jl")

"Returns the resident memory in KiB and the number of open descriptors."
function resources()
    foreach(_ -> GC.gc(), 1:3)
    status = read("/proc/self/status", String)
    return parse(Int, match(r"VmRSS:\s+(\d+)", status)[1]), length(readdir("/proc/self/fd"))
end

@testset "storm" begin
    include(STORM_TESTS)
    memory, descriptors = resources()
    include(STORM_TESTS)
    more_memory, more_descriptors = resources()
    println("resident memory $memory KiB, after a second storm $more_memory KiB; descriptors $descriptors, ",
            more_descriptors)
    @test more_descriptors <= descriptors
    @test more_memory < memory + 32 * 1024
end
