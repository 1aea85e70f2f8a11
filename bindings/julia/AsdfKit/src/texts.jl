# Keys, texts and bytes of a tree that are more than a String or a vector: what iteration yields, so that it can be set.

"Text in a tree that is more than a `String`."
abstract type TreeText <: AbstractString end

Base.ncodeunits(text::TreeText) = ncodeunits(text.text)
Base.codeunit(text::TreeText) = codeunit(text.text)
Base.codeunit(text::TreeText, index::Integer) = codeunit(text.text, index)
Base.isvalid(text::TreeText, index::Integer) = isvalid(text.text, index)
Base.iterate(text::TreeText, index::Integer = 1) = iterate(text.text, index)
Base.String(text::TreeText) = text.text
Base.isvalid(text::TreeText) = isvalid(text.text)
# Regular expressions of Julia know only String.
Base.match(pattern::Regex, text::TreeText, parts...) = match(pattern, text.text, parts...)
Base.eachmatch(pattern::Regex, text::TreeText; options...) = eachmatch(pattern, text.text; options...)

"""
    AsdfKit.Key(text)

Key of a mapping that is taken literally: `node[AsdfKit.Key("a/b")]` is the value under the key "a/b", and no path.

Iteration yields keys of this type where a `String` would mean something else. So a loop copies a mapping:

    for (key, value) in source
        target[key] = value
    end

A key with `is_other` is of a type that ASDF does not allow, such as a float. It is read, but not made.
"""
struct Key <: TreeText
    text::String
    is_other::Bool
end
Key(text::AbstractString) = Key(String(text), false)
Base.show(io::IO, key::Key) = print(io, "AsdfKit.Key(", repr(key.text), ")")

"Texts that are paths, or that paths take for an integer or a truth value."
const AMBIGUOUS = r"^(.*[/~\0].*|-?[0-9]+|true|false|)$"s

"Returns the key of this text, as a `Key` if a `String` would mean something else."
literal(text::String) = occursin(AMBIGUOUS, text) ? Key(text) : text

"""
    AsdfKit.TaggedText(text, tag)

Text with a tag, such as a unit or a time of the tree. It is stored under its tag again.
"""
struct TaggedText <: TreeText
    text::String
    tag::String
end

const TIMESTAMP_TAG = LibAsdfKit.YAML_TAG_PREFIX * "timestamp"
const TEXT_TAG = LibAsdfKit.YAML_TAG_PREFIX * "str"

"""
    AsdfKit.Binary(bytes)

Bytes in the text of the tree (`!!binary`). Other vectors of bytes are stored as arrays.
"""
struct Binary <: AbstractVector{UInt8}
    bytes::Vector{UInt8}
end
Base.size(binary::Binary) = size(binary.bytes)
Base.getindex(binary::Binary, index::Int) = binary.bytes[index]
Base.IndexStyle(::Type{Binary}) = IndexLinear()

"Key of a mapping that is no path."
const LiteralKey = Union{Key,Integer}

is_sequence_node(at::Node) = node_type(at) == LibAsdfKit.ASDF_NODE_SEQUENCE

function node_type(at::Node)
    type = Ref{Int32}(0)
    check(LibAsdfKit.asdf_node_type(at, "", type))
    return type[]
end

"Returns the node under a key that is no path, or an item of a sequence, which counts from 1."
function node(at::Node, key::LiteralKey)
    key isa Key && key.is_other && return node(at, "/" * escape_key(key.text))
    key isa Key && return make(out -> LibAsdfKit.asdf_node_get_by_string(at, "", key.text, sizeof(key.text), out), Node)
    key isa Bool && return make(out -> LibAsdfKit.asdf_node_get_by_bool(at, "", key, out), Node)
    is_sequence_node(at) || return make(out -> LibAsdfKit.asdf_node_get_by_i64(at, "", key, out), Node)
    1 <= key <= length(at) || throw(own_error(LibAsdfKit.ASDF_ERR_OUT_OF_RANGE, "OUT_OF_RANGE",
        "$at has no item $key; its items are 1:$(length(at))"))
    return item_node(at, key - 1)
end

"Returns an item or a value by its position from 0."
item_node(at::Node, index) = make(out -> LibAsdfKit.asdf_node_item(at, "", index, out), Node)

"Returns the node under a key that is no path, which is made unless it exists."
function made_node(at::Node, key::LiteralKey)
    key isa Integer && !(key isa Bool) && is_sequence_node(at) && return node(at, key)
    check_key(key)
    return make(Node) do out
        key isa Key ? LibAsdfKit.asdf_node_make_by_string(at, "", key.text, sizeof(key.text), out) :
        key isa Bool ? LibAsdfKit.asdf_node_make_by_bool(at, "", key, out) :
        LibAsdfKit.asdf_node_make_by_i64(at, "", key, out)
    end
end

"Throws if a mapping cannot have this key."
check_key(key::Integer) = typemin(Int64) <= key <= typemax(Int64) ? nothing :
    throw(ArgumentError("the key $key does not fit 64 bits"))
function check_key(key::Key)
    key.is_other && throw(ArgumentError("the key $(repr(key.text)) is no text, integer or truth value; ASDF allows " *
                                        "no others"))
    isvalid(key.text) || throw(ArgumentError("the key $(repr(key.text)) is not valid UTF-8"))
    return nothing
end
function check_key(key::Union{AbstractString,Symbol})
    isvalid(string(key)) && !('\0' in string(key)) ||
        throw(ArgumentError("the key $(repr(key)) is not valid UTF-8 or has a NUL"))
end
check_key(key) = throw(ArgumentError("a key is a text, Symbol, integer or truth value, not the $(typeof(key)) " *
                                     "$(repr(key))"))

"Returns a key that two keys of a mapping must not share."
unique_key(key::Integer) = key isa Bool ? (Bool, key) : (Int, key)
unique_key(key) = (String, string(key))

"Calls `change(node)` with the node under a key, and removes a new key if that fails."
function with_made_node(change, at::Node, key::LiteralKey)
    count = length(at)
    made = made_node(at, key)
    try
        return change(made)
    catch
        length(at) > count && remove_node(made, "")
        rethrow()
    end
end

"Throws if a new key would be in an array, which is a value here and no mapping."
function check_outside(at::Node, path::AbstractString)
    for (index, character) in pairs(String(path))
        character == '/' && index > 1 || continue
        above = path[1:prevind(path, index)]
        haskey(at, above) || return
        kind(at, above) == LibAsdfKit.ASDF_KIND_ARRAY && !haskey(at, path) && throw(own_error(
            LibAsdfKit.ASDF_ERR_WRONG_TYPE, "WRONG_TYPE",
            "at $above: the node is an array, in which \"$(path[nextind(path, index):end])\" cannot be set"))
    end
end
