# Trees as a whole: read into dictionaries and vectors, and shown.

"Deepest nesting that is read: the limit of the library is lower, so only an alias of a node around it is deeper."
const DEEPEST = 600

"""
    read(file)
    read(node)

Read a whole tree: mappings as `Dict`, sequences as `Vector`, arrays as `Array`, times as `DateTime` if one holds them,
tables as NamedTuples of vectors (see `read_table`, which takes the options). Texts with tags keep them.

    tree = AsdfKit.open(read, "image.asdf")
    tree["meta"]["exposure"]["time"]
"""
Base.read(file::File; options...) = read(root(file); options...)
function Base.read(at::Node; options...)
    what = kind(at)
    what == LibAsdfKit.ASDF_KIND_TABLE && return read_table(at; options...)
    isempty(options) || what in (LibAsdfKit.ASDF_KIND_ARRAY, LibAsdfKit.ASDF_KIND_NUMBER_LIST) || return read_table(at; options...)
    what in (LibAsdfKit.ASDF_KIND_ARRAY, LibAsdfKit.ASDF_KIND_NUMBER_LIST) && return read(array(at); options...)
    return loaded(at, 1)
end

function loaded(at::Node, depth)
    depth > DEEPEST && throw(own_error(LibAsdfKit.ASDF_ERR_LIMIT, "LIMIT", "$at is nested in itself"))
    kind(at) == LibAsdfKit.ASDF_KIND_TABLE && return read_table(at)
    kind(at) == LibAsdfKit.ASDF_KIND_TIME && return something(exact_dates(at), Some(plain(at, depth)))
    return plain(at, depth)
end

"Returns the times of a node if DateTimes hold them, or `nothing`."
function exact_dates(at::Node)
    dates, rests = try times(at, "") catch failure
        failure isa AsdfError || rethrow()
        return nothing
    end
    return all(rest -> ismissing(rest) || Dates.value(rest) == 0, rests isa AbstractArray ? rests : (rests,)) ? dates : nothing
end

"Reads a node as what it is in the text."
function plain(at::Node, depth)
    found = value(at)
    found isa AsdfArray && return read(found)
    found isa Node || return found
    type = node_type(at)
    type == LibAsdfKit.ASDF_NODE_SEQUENCE && return [loaded(item_node(at, index), depth + 1) for index in 0:length(at)-1]
    type == LibAsdfKit.ASDF_NODE_MAPPING || return found
    pairs = [plain_key(key(at, index)) => loaded(item_node(at, index), depth + 1) for index in 0:length(at)-1]
    return all(pair -> first(pair) isa String, pairs) ? Dict{String,Any}(pairs) : Dict{Any,Any}(pairs)
end

plain_key(key) = key
plain_key(key::Key) = key.text

const KIND_NAMES = Dict(
    LibAsdfKit.ASDF_KIND_SEQUENCE => "sequence", LibAsdfKit.ASDF_KIND_MAPPING => "mapping",
    LibAsdfKit.ASDF_KIND_TABLE => "table", LibAsdfKit.ASDF_KIND_COLUMN => "column",
    LibAsdfKit.ASDF_KIND_QUANTITY => "quantity", LibAsdfKit.ASDF_KIND_TIME => "time",
    LibAsdfKit.ASDF_KIND_TIME_DELTA => "span of time", LibAsdfKit.ASDF_KIND_REFERENCE => "reference",
    LibAsdfKit.ASDF_KIND_COORDINATES => "coordinates")

"Number of items and of levels that are shown, and of characters of a text."
const SHOWN_ITEMS, SHOWN_LEVELS, SHOWN_TEXT = 24, 4, 60

function Base.show(io::IO, ::MIME"text/plain", file::File)
    show(io, file)
    isopen(file) && show_items(io, root(file), 0)
end

function Base.show(io::IO, ::MIME"text/plain", at::Node)
    show(io, at)
    isopen(at) || return
    print(io, ": ", kind_text(at))
    kind(at) == LibAsdfKit.ASDF_KIND_TABLE && show_columns(io, at) || show_items(io, at, 0)
end

"Shows a line for each column of a table with type and unit. Returns `false` if the table cannot be read."
function show_columns(io::IO, at::Node)
    table = try open_table(at) catch failure
        failure isa AsdfError || rethrow()
        return false
    end
    names = column_names(table)
    shown = get(io, :limit, true) ? names[1:min(end, SHOWN_ITEMS)] : names
    for name in shown
        unit = column_metadata(table, name).unit
        shape = column_shape(table, name)
        type = column_type(column_code(table, name))
        print(io, "\n  ", name, ": ", isempty(shape) ? type : "Array{$type,$(length(shape))}")
        unit === nothing || isempty(unit) || print(io, " [", unit, "]")
    end
    length(names) > length(shown) && print(io, "\n  … ", length(names) - length(shown), " more")
    return true
end

"Returns the type of the entries of a column."
column_type(code) = code == LibAsdfKit.ASDF_FLOAT128 ? BigFloat : code == LibAsdfKit.ASDF_COMPLEX256 ? Complex{BigFloat} :
                    get(SCALAR_TYPES, code, String)

"""
Shows a tree as nested lists, whose branches open and close, for notebooks. Elements of arrays are not read.
"""
function Base.show(io::IO, ::MIME"text/html", at::Union{File,Node})
    print(io, "<div><code>", escaped_html(repr(at)), "</code>")
    isopen(at) && show_list(io, at isa File ? root(at) : at, 0)
    print(io, "</div>")
end

"Shows a line for each item, and its items below it."
function show_items(io::IO, at::Node, level)
    left_out = each_item(io, at) do name, text, item, is_leaf
        print(io, "\n", "  "^(level + 1), name, ": ", text)
        is_leaf || level + 1 >= SHOWN_LEVELS || show_items(io, item, level + 1)
    end
    left_out > 0 && print(io, "\n", "  "^(level + 1), "… ", left_out, " more")
end

"Shows the items of a node as a list, with those of each item in it."
function show_list(io::IO, at::Node, level)
    print(io, "<ul>")
    left_out = each_item(io, at) do name, text, item, is_leaf
        label = string("<b>", escaped_html(name), "</b>: ", escaped_html(text))
        if is_leaf || level + 1 >= SHOWN_LEVELS || !has_items(item)
            print(io, "<li>", label, "</li>")
        else
            print(io, "<li><details", level == 0 ? " open" : "", "><summary>", label, "</summary>")
            show_list(io, item, level + 1)
            print(io, "</details></li>")
        end
    end
    left_out > 0 && print(io, "<li>… ", left_out, " more</li>")
    print(io, "</ul>")
end

has_items(at::Node) =
    node_type(at) in (LibAsdfKit.ASDF_NODE_SEQUENCE, LibAsdfKit.ASDF_NODE_MAPPING) && length(at) > 0

"Calls `show_item` with name, text and node of the first items, and whether nothing is shown below it. Returns the number of the others."
function each_item(show_item, io::IO, at::Node)
    type = node_type(at)
    type in (LibAsdfKit.ASDF_NODE_SEQUENCE, LibAsdfKit.ASDF_NODE_MAPPING) || return 0
    count = length(at)
    shown = get(io, :limit, true) ? min(count, SHOWN_ITEMS) : count
    for index in 0:shown-1
        item = item_node(at, index)
        name = type == LibAsdfKit.ASDF_NODE_SEQUENCE ? "[$(index + 1)]" : string(plain_key(key(at, index)))
        text, is_leaf = try item_text(item) catch failure
            failure isa AsdfError || rethrow()
            failure.code, true
        end
        show_item(name, text, item, is_leaf)
    end
    return count - shown
end

const MARKUP = ('&' => "&amp;", '<' => "&lt;", '>' => "&gt;", '"' => "&quot;", '\'' => "&#39;")

escaped_html(text) = foldl(replace, MARKUP; init = string(text))

"Returns the text of a node, and whether nothing is shown below it."
function item_text(at::Node)
    found = value(at)
    found isa AsdfArray && return array_text(found), true
    found isa Node && return kind_text(found), kind(at) in (LibAsdfKit.ASDF_KIND_TABLE, LibAsdfKit.ASDF_KIND_TIME)
    text = repr(found)
    return length(text) > SHOWN_TEXT ? first(text, SHOWN_TEXT - 1) * "…" : text, true
end

array_text(array::AsdfArray{T,N,S}) where {T,N,S} = string(S <: NamedTuple ? "records $(fieldnames(S))" : S, " array ",
    join(array.size, "×"), T === S ? "" : " with missing elements")

function kind_text(at::Node)
    what = kind(at)
    name = get(KIND_NAMES, what, "node")
    if what == LibAsdfKit.ASDF_KIND_TIME
        dates = exact_dates(at)
        return dates === nothing || dates isa AbstractArray ? name : "$name $dates"
    end
    what == LibAsdfKit.ASDF_KIND_QUANTITY && haskey(at, "unit") && return "quantity in $(at["unit"])"
    return what in (LibAsdfKit.ASDF_KIND_SEQUENCE, LibAsdfKit.ASDF_KIND_MAPPING) ? "$name of $(length(at))" : name
end
