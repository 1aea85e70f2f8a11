# Lent memory: arrays of the program that the library uses until it calls `release_lent`.

"An array that the library uses. Its memory is kept alive by LENT until the library releases it."
mutable struct Lent
    values::Any
end

const LENT = Lent[]
const SWEEP_AT = Ref(64)
const LENT_LOCK = ReentrantLock()

# The library calls this function inside of finalizers, too, so it takes no lock: `lend` removes the empty entries.
function release_lent(user::Ptr{Cvoid})::Cvoid
    (unsafe_pointer_to_objref(user)::Lent).values = nothing
    return nothing
end

"""
Calls `call(release, user)`, which returns a status. If it is 0, the library uses the memory of `values` until it
releases it, whatever happens afterwards.
"""
function lend(call, values)
    lent = Lent(values)
    lock(LENT_LOCK) do
        length(LENT) < SWEEP_AT[] || sweep_lent()
        push!(LENT, lent)
    end
    release = @cfunction(release_lent, Cvoid, (Ptr{Cvoid},))
    taken = false
    try
        status = call(release, pointer_from_objref(lent))
        taken = status == 0
        return status
    finally
        taken || (lent.values = nothing)
    end
end

"Removes the entries that are released. The next sweep waits for as many new ones, so that lending costs no search."
function sweep_lent()
    filter!(lent -> lent.values !== nothing, LENT)
    SWEEP_AT[] = 2 * length(LENT) + 64
    return nothing
end
