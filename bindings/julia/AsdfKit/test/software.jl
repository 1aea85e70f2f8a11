# Programs and extensions of a file.

@testset "programs" begin
    file = AsdfKit.new()
    @test AsdfKit.extensions(file) === nothing
    AsdfKit.add_extension!(file, "a.B"; uri = "asdf://x.org/e-1.0.0", software = (name = "pipe", version = "2.1"))
    AsdfKit.add_extension!(file, "a.C"; uri = "asdf://x.org/e-1.0.0")
    @test AsdfKit.extensions(file) isa AsdfKit.Node
    @test file["history/extensions/0/extension_class"] == "a.C"
    AsdfKit.set_software!(file, "by"; name = "pipe", version = "2.1", author = "we")
    @test AsdfKit.software(file, "by") == [(name = "pipe", version = "2.1", author = "we", homepage = "")]
    file["x"] = 5
    @test_throws AsdfKit.AsdfError AsdfKit.software(file, "x")
end
