# Keyword options: an options handle of the C library for each call that has some.

# The compiler of Julia 1.5 aborts when it preserves a variable that is a handle or a pointer.
"Objects that must stay alive during a call, for `GC.@preserve`."
mutable struct Kept
    objects::Any
end

"""
Calls `call(options)` with the options of a function of the C library as a handle, or C_NULL if there are none.
`strides` are those of the elements in memory, unless they are packed.
"""
function run_with_options(call, name::Symbol, given; strides = Int64[], datatype = nothing)
    options, progress = options_handle(name, given, strides, datatype)
    kept = Kept((options, progress))
    GC.@preserve kept check(call(options), progress)
    return nothing
end

"Makes an object with options: `call(options, pointer)` returns a status."
function made_with_options(call, ::Type{T}, name::Symbol, given) where {T<:Handle}
    return made_with_lasting_options(call, T, name, given)[1]
end

"Makes an object that keeps its options. The caller must keep the returned progress as long as the object."
function made_with_lasting_options(call, ::Type{T}, name::Symbol, given) where {T<:Handle}
    options, progress = options_handle(name, given)
    pointer = Ref{Ptr{Cvoid}}(C_NULL)
    kept = Kept((options, progress))
    status = GC.@preserve kept call(options, pointer)
    # A call that succeeds in spite of an exception of the progress function has made something to free.
    made = pointer[] == C_NULL ? nothing : owner(T, pointer[])
    check(status, progress)
    return made, progress
end

function options_handle(name::Symbol, given, strides = Int64[], datatype = nothing)
    isempty(given) && isempty(strides) && datatype === nothing && return C_NULL, nothing
    options = make(LibAsdfKit.asdf_options_new, OptionsHandle)
    datatype === nothing || check(LibAsdfKit.asdf_options_set_datatype(options, datatype))
    isempty(strides) || check(LibAsdfKit.asdf_options_set_ints(options, LibAsdfKit.ASDF_OPTION_STRIDES, strides,
                                                               length(strides)))
    progress = nothing
    for (keyword, value) in pairs(given)
        keyword in OPTIONS_OF[name] || throw(ArgumentError(unknown_option(string(keyword), string.(OPTIONS_OF[name]))))
        value === nothing && continue
        if keyword == :progress
            progress = Progress(value)
            set_progress(options, progress)
        else
            set_option(options, keyword, OPTIONS[keyword], value)
        end
    end
    return options, progress
end

"Names that other packages give to options."
const OTHER_NAMES = Dict("overwrite" => "replace", "force" => "replace", "compress" => "compression",
                         "deflate" => "level", "compression_level" => "level", "chunk" => "chunks", "ntasks" => "threads",
                         "mmap" => "mapped", "delim" => "delimiter", "missingstring" => "null_values",
                         "select" => "columns", "limit" => "row_count", "version" => "standard")

"Functions whose options users look for."
const OPTION_FUNCTIONS = [:asdf_node_set_array => "set!", :asdf_file_write => "write", :asdf_file_open => "open",
                          :asdf_file_new => "new", :asdf_array_read_region => "read",
                          :asdf_table_read_ecsv => "read_ecsv", :asdf_table_write_ecsv => "write_ecsv"]

"Number of letters to insert, remove or replace between two texts."
function edits(a::AbstractString, b::AbstractString)
    row = collect(0:length(b))
    for (i, letter) in enumerate(a)
        before, row[1] = row[1], i
        for (j, other) in enumerate(b)
            before, row[j + 1] = row[j + 1], min(row[j] + 1, row[j + 1] + 1, before + (letter != other))
        end
    end
    return row[end]
end

"The option that a wrong name probably stands for, or `nothing`."
function similar_option(name, known)
    name in known && return name
    get(OTHER_NAMES, name, "") in known && return OTHER_NAMES[name]
    isempty(known) && return nothing
    distance, index = findmin([edits(name, option) for option in known])
    return distance <= max(1, length(name) ÷ 4) ? known[index] : nothing
end

"Message for an option that a call does not know: the similar one, the function that knows it, or all options."
function unknown_option(name, known)
    meant = similar_option(name, known)
    meant === nothing || return "there is no option \"$name\" here; did you mean \"$meant\"?"
    for (call, title) in OPTION_FUNCTIONS
        meant = similar_option(name, string.(OPTIONS_OF[call]))
        meant === nothing ||
            return "there is no option \"$name\" here; \"$meant\" is an option of AsdfKit.$title"
    end
    shown = sort!(filter(option -> !startswith(option, "limit_"), known))
    return "there is no option \"$name\" here; the options are $(join(shown, ", ")) and limits"
end

function set_option(options, keyword, option::Option, value)
    wrong(wanted) = throw(ArgumentError("the option $keyword is $wanted, not $(repr(value))"))
    if keyword == :fill
        typeof(value) in keys(SCALAR_CODES) || wrong("a number or truth value")
        check(LibAsdfKit.asdf_options_set_fill(options, scalar_code(typeof(value)), Ref(value), sizeof(value)))
    elseif keyword == :schemas
        value isa Schemas || wrong("AsdfKit.Schemas")
        check(LibAsdfKit.asdf_options_set_schemas(options, value))
    elseif option.takes == :flag
        value isa Bool || wrong("true or false")
        set_number(options, option, value)
    elseif option.takes == :constant
        value in keys(option.symbols) || wrong("one of " * join(repr.(sort!(collect(keys(option.symbols)))), ", "))
        set_number(options, option, option.symbols[value])
    elseif option.takes in (:int, :power_of_two, :int_also_at_paths)
        if option.takes == :int_also_at_paths && value isa AbstractDict
            for (path, number) in value
                check(LibAsdfKit.asdf_options_set_int_at(options, option.key, path, number))
            end
        else
            value isa Integer || wrong("an integer")
            set_number(options, option, value)
        end
    elseif option.takes == :float
        value isa Real || wrong("a number")
        check(LibAsdfKit.asdf_options_set_float(options, option.key, value))
    elseif option.takes == :ints
        # The library has the last extent of Julia first.
        numbers = keyword == :chunks ? reverse(collect(Int64, value)) : collect(Int64, value)
        check(LibAsdfKit.asdf_options_set_ints(options, option.key, numbers, length(numbers)))
    elseif option.takes in (:text, :file_name)
        value isa Union{AbstractString,Symbol} || wrong("a text")
        text = String(value)
        check(LibAsdfKit.asdf_options_set_text(options, option.key, text, sizeof(text)))
    elseif option.takes in (:texts, :file_names)
        for text in (value isa AbstractString ? (value,) : value)
            check(LibAsdfKit.asdf_options_add_text(options, option.key, String(text), sizeof(String(text))))
        end
    else
        throw(ArgumentError("the option $keyword cannot be set from Julia"))
    end
end

set_number(options, option, value) = check(LibAsdfKit.asdf_options_set_int(options, option.key, value))
