# Handles of the C library as Julia objects, which the garbage collector may free in any order and on any thread.

"""
Object of the C library. `close(object)` frees it early; then every use throws an `AsdfError`. `isopen` tells whether
it is still there. Children keep their parents alive: a node keeps its file.
"""
abstract type Handle end

Base.isopen(handle::Handle) = handle.pointer != C_NULL
Base.cconvert(::Type{Ptr{Cvoid}}, handle::Handle) = handle
function Base.unsafe_convert(::Type{Ptr{Cvoid}}, handle::Handle)
    handle.pointer == C_NULL && throw(own_error(LibAsdfKit.ASDF_ERR_CLOSED, "CLOSED",
                                                "the $(nameof(typeof(handle))) is closed"))
    return handle.pointer
end

# A free function neither waits nor fails nor touches the error of the last call, so it can be a finalizer.
for (name, free, text) in (
    (:File, :asdf_file_free, "ASDF file: opened for reading or update, or new."),
    (:Node, :asdf_node_free, "Place in the tree of a file. It keeps the file alive."),
    (:ArrayHandle, :asdf_array_free, "Array in a file."),
    (:StreamHandle, :asdf_stream_free, "File that is written row by row; see `stream`."),
    (:Datatype, :asdf_datatype_free, "Type of the elements of an array."),
    (:Table, :asdf_table_free, "Table in memory of the library."),
    (:LogicalColumns, :asdf_logical_columns_free, "Columns of a table as its program had them."),
    (:TableWriter, :asdf_table_writer_free, "ECSV file that is written in batches; see `write_ecsv`."),
    (:TableReader, :asdf_table_reader_free, "ECSV file that is read in batches; see `eachbatch`."),
    (:Buffer, :asdf_buffer_free, "Bytes in memory of the library."),
    (:Report, :asdf_report_free, "List of findings."),
    (:Schemas, :asdf_schemas_free, "Schemas to validate files and tables with."),
    (:TimesHandle, :asdf_time_free, "Points in time; see `times`."),
    (:Coordinates, :asdf_coordinates_free, "Coordinates of a file or of a table; see `coordinates`."),
    (:Wcs, :asdf_wcs_free, "World coordinates; see `wcs`."),
    (:Transform, :asdf_transform_free, "Function of several numbers to several numbers; see `transform`."),
    (:Ndl, :asdf_ndl_free, "Description in NDL. It never changes; see `read_ndl` and `describe`."),
    (:NdlBuilder, :asdf_ndl_builder_free, "Description that is being made."),
    (:NdlDatatype, :asdf_ndl_datatype_free, "Datatype of a description."),
    (:OptionsHandle, :asdf_options_free, "Options of a call."),
)
    @eval begin
        @doc $text mutable struct $name <: Handle
            pointer::Ptr{Cvoid}
            global owner(::Type{$name}, pointer::Ptr{Cvoid}) = finalizer(free, new(pointer))
        end
        function free(handle::$name)
            pointer = handle.pointer
            handle.pointer = C_NULL
            pointer == C_NULL || LibAsdfKit.$free(pointer)
            return nothing
        end
    end
    # Closing a file can fail; files.jl has it.
    name == :File || @eval Base.close(handle::$name) = free(handle)
end

"Makes an object with a function that writes a handle through a pointer, and returns a status."
function make(call, ::Type{T}) where {T<:Handle}
    pointer = Ref{Ptr{Cvoid}}(C_NULL)
    check(call(pointer))
    return owner(T, pointer[])
end

"Makes an object, or returns `nothing` if there is none."
function make_if_found(call, ::Type{T}) where {T<:Handle}
    pointer = Ref{Ptr{Cvoid}}(C_NULL)
    return is_found(call(pointer)) ? owner(T, pointer[]) : nothing
end

"Calls `use(pointer, size)` with the bytes of a buffer, which stay valid during the call."
function with_bytes(use, buffer::Buffer)
    bytes = Ref{Ptr{Cvoid}}(C_NULL)
    size = Ref{Csize_t}(0)
    GC.@preserve buffer begin
        check(LibAsdfKit.asdf_buffer_bytes(buffer, bytes, size))
        return use(Ptr{UInt8}(bytes[]), Int(size[]))
    end
end

"Returns a text in memory of the library as a String, and frees that memory."
function take_text(buffer::Buffer)
    text = with_bytes((pointer, size) -> size == 0 ? "" : unsafe_string(pointer, size), buffer)
    close(buffer)
    return text
end
