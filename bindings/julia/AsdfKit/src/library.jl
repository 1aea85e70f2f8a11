# The C library: where it is searched, and the check that it fits this package.

const library = Ref{Ptr{Cvoid}}(C_NULL)

"Names of the library on this platform, the one with its ABI first."
library_names() =
    Sys.isapple() ? ["libasdfkit.1.dylib", "libasdfkit.dylib"] :
    Sys.iswindows() ? ["asdfkit.dll", "libasdfkit.dll"] : ["libasdfkit.so.1", "libasdfkit.so"]

"""
Returns the places to look for the library: `ASDFKIT_LIBRARY` alone if it is set, otherwise the directory that
pkg-config knows, then the directories of the system.
"""
function library_candidates()
    chosen = get(ENV, "ASDFKIT_LIBRARY", "")
    isempty(chosen) || return [isdir(chosen) ? joinpath(chosen, name) : chosen for name in library_names()]
    directory = try
        readchomp(pipeline(`pkg-config --variable=libdir asdfkit`; stderr = devnull))
    catch
        ""
    end
    return [isempty(directory) ? String[] : joinpath.(directory, library_names()); library_names()]
end

function load_library()
    tried = String[]
    for candidate in unique(library_candidates())
        handle = dlopen(candidate; throw_error = false)
        handle === nothing && (push!(tried, candidate); continue)
        absent = LibAsdfKit.connect(handle)
        isempty(absent) || error("the asdfkit library \"$(dlpath(handle))\" does not fit AsdfKit: it has no " *
            "$(first(absent)). Install the version $(LibAsdfKit.ASDF_VERSION_MAJOR)." *
            "$(LibAsdfKit.ASDF_VERSION_MINOR), or set ASDFKIT_LIBRARY to its path")
        LibAsdfKit.asdf_library_abi() == LibAsdfKit.ASDF_ABI || error("the asdfkit library \"$(dlpath(handle))\" has " *
            "the ABI $(LibAsdfKit.asdf_library_abi()), but AsdfKit needs $(LibAsdfKit.ASDF_ABI)")
        library[] = handle
        return
    end
    error("AsdfKit does not find the asdfkit library (tried " * join(tried, ", ") *
          "). Install it, or set ASDFKIT_LIBRARY to its path")
end

"Return the version of the C library."
library_version() = VersionNumber(unsafe_string(LibAsdfKit.asdf_library_version()))
