# Lent memory: arrays of the program that the library uses until it calls `release_lent`.

"An array that the library uses. Its memory is kept alive by LENT until the library releases it."
mutable struct Lent
    values::Any
end

const LENT = Lent[]
const LENT_LOCK = ReentrantLock()

# The library calls this function inside of finalizers, too, so that it takes no lock: `lend` removes the empty entries.
function release_lent(user::Ptr{Cvoid})::Cvoid
    (unsafe_pointer_to_objref(user)::Lent).values = nothing
    return nothing
end

"Calls `call(release, user)`, after which the library may use the memory of `values` until it releases it."
function lend(call, values)
    lent = Lent(values)
    lock(LENT_LOCK) do
        filter!(each -> each.values !== nothing, LENT)
        push!(LENT, lent)
    end
    release = @cfunction(release_lent, Cvoid, (Ptr{Cvoid},))
    try
        return call(release, pointer_from_objref(lent))
    catch
        lent.values = nothing
        rethrow()
    end
end
