# Changes one cell in each table of a folder: cells.jl FROM TO PLAN. A line of the plan has, divided by tabs, the name of
# the file, the column, the row, the kind of the value, and the value; see cells.py.
using AsdfKit

"Returns the value of a line of the plan, for a cell that is an array or not."
function value_of(kind, text, is_array)
    kind == "missing" && return missing
    kind == "text" && return text
    numbers = parse.(Float64, split(text))
    kind == "complex" && return complex(numbers...)
    kind == "flags" && (numbers = numbers .!= 0)
    return is_array ? numbers : only(numbers)
end

function change!(table, column, row, kind, text)
    is_array = !isempty(AsdfKit.column_shape(table, column))
    table[parse(Int, row) + 1, column] = value_of(kind, text, is_array)
    return table
end

function main(from, to, plan)
    for line in eachline(plan)
        name, column, row, kind, text = split(line, '\t')
        source, target = joinpath(from, name), joinpath(to, name)
        if endswith(name, ".asdf")
            AsdfKit.open(source) do file
                table = change!(AsdfKit.open_table(file, "t"), column, row, kind, text)
                made = AsdfKit.new()
                AsdfKit.set_table!(made, "t", table)
                AsdfKit.write(made, target)
            end
        else
            AsdfKit.write_ecsv(target, change!(AsdfKit.open_table(source), column, row, kind, text))
        end
    end
end

main(ARGS...)
