# Rows of tables: parts of NamedTuples, and the order of the C library.

const ROWS = (id = [1, 2, 3, 4, 5], flux = [2.0, NaN, missing, 2.0, -0.0], name = ["b", "", "é", "a", "\U10000"],
              wave = [2im, 1 - 1im, complex(1, NaN), complex(NaN, 0), 1 - 2im], cell = [[1], [2, 3], Int[], [4], [5]])

@testset "rows and columns are selected" begin
    @test AsdfKit.select(ROWS, 2:3).id == [2, 3]
    @test AsdfKit.select(ROWS, [5, 1, 5], ("cell", :id)) == (cell = [[5], [1], [5]], id = [5, 1, 5])
    @test AsdfKit.select(ROWS, coalesce.(ROWS.flux .> 1, false), "id") == (id = [1, 4],)
    @test isequal(AsdfKit.select(ROWS), ROWS)
    @test_throws BoundsError AsdfKit.select(ROWS, 6:6)
    @test_throws ArgumentError AsdfKit.select(ROWS, :, (:id, :none))
end

@testset "tables are sorted" begin
    order(columns...; rev = false) = AsdfKit.sort_by(ROWS, columns...; rev = rev).id
    @test order(:flux) == [5, 1, 4, 2, 3]
    @test order("flux"; rev = true) == [1, 4, 5, 2, 3]
    @test order(:flux, :id; rev = (false, true)) == [5, 4, 1, 2, 3]
    @test order(:name) == [2, 4, 1, 3, 5] && order(:name; rev = true) == [5, 3, 1, 4, 2]
    @test order(:wave) == [1, 5, 2, 3, 4]
    @test_throws ArgumentError order(:cell)
    @test_throws ArgumentError order(:none)
    @test_throws ArgumentError order()
    @test_throws ArgumentError order(:id; rev = [true, false])
end
