# Progress of a call: a function of the program sees it and can cancel the call. Exceptions of the function never cross
# frames of C: they are caught, kept, and thrown again after the call.

"A progress function, and the exception that it threw. The C interface gets its address, so it must be kept alive."
mutable struct Progress
    report::Any
    failure::Any
    Progress(report) = new(report, nothing)
end

"Reports to the function of a `Progress`; returns 0 to go on and 1 to cancel. The library calls it."
function report_progress(user::Ptr{Cvoid}, done::Int64, total::Int64)::Int32
    progress = unsafe_pointer_to_objref(user)::Progress
    try
        return progress.report(done, total < 0 ? missing : total) === false ? Int32(1) : Int32(0)
    catch failure
        progress.failure = failure
        return Int32(1)
    end
end

"Sets the progress function of an options handle. The handle, and all that keeps its options, must not outlive it."
function set_progress(options, progress::Progress)
    callback = @cfunction(report_progress, Int32, (Ptr{Cvoid}, Int64, Int64))
    check(LibAsdfKit.asdf_options_set_progress(options, callback, C_NULL, pointer_from_objref(progress)))
end

"Throws what the progress function threw, once."
function rethrow_failure(progress::Progress)
    failure = progress.failure
    progress.failure = nothing
    failure === nothing || throw(failure)
    return nothing
end
rethrow_failure(::Nothing) = nothing
