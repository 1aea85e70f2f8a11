!> Progress of long calls, and their cancelling.
!!
!!     call asdf_set_progress(options, show)
!!     call file%write('image.asdf', options=options)
!!
!!     subroutine show(done, total, cancel)
!!       integer(int64), intent(in) :: done, total
!!       logical, intent(inout) :: cancel
!!       write (*, '(i0, a, i0)') done, ' of ', total
!!     end subroutine
!!
!! A cancelled call fails with ASDF_ERR_CANCELLED, and files and handles stay as they were. The first report comes
!! before the work begins; the next ones are at least 100 ms apart.
module asdfkit_progress
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_funloc, c_int32_t, c_int64_t, c_loc, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_options, only: asdf_options
  implicit none
  private
  public :: asdf_progress, asdf_set_progress

  abstract interface
    !> Receives the progress of a call, on the thread of the call. It must not use the file, stream, reader or writer of
    !! the call.
    subroutine asdf_progress(done, total, cancel)
      import :: int64
      !> number of processed bytes
      integer(int64), intent(in) :: done
      !> total number of bytes; -1 if unknown
      integer(int64), intent(in) :: total
      !> .false. on entry; set it to .true. to end the call with ASDF_ERR_CANCELLED
      logical, intent(inout) :: cancel
    end subroutine
  end interface

  !> Data that the library passes to report(). The last options, reader, writer or stream with it releases it.
  type :: receiver
    procedure(asdf_progress), pointer, nopass :: report => null()
  end type

contains

  !> Sets the procedure that receives the progress of the calls with these options. The procedure must live as long as
  !! the options and the readers, writers and streams created with them: take one of a module or an external one.
  subroutine asdf_set_progress(options, report, stat, errmsg)
    class(asdf_options), intent(inout) :: options
    procedure(asdf_progress) :: report
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(receiver), pointer :: data
    integer(c_int32_t) :: status
    allocate (data)
    data%report => report
    status = options%prepare()
    if (status == ASDF_OK) &
      status = asdf_options_set_progress(options%c_handle(), c_funloc(forward), c_funloc(release), c_loc(data))
    if (status /= ASDF_OK) deallocate (data)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  integer(c_int32_t) function forward(user, done, total) bind(C, name='')
    type(c_ptr), value :: user
    integer(c_int64_t), value :: done, total
    type(receiver), pointer :: data
    logical :: cancel
    call c_f_pointer(user, data)
    cancel = .false.
    call data%report(done, total, cancel)
    forward = merge(1_c_int32_t, 0_c_int32_t, cancel)
  end function

  integer(c_int32_t) function release(user) bind(C, name='')
    type(c_ptr), value :: user
    type(receiver), pointer :: data
    call c_f_pointer(user, data)
    deallocate (data)
    release = 0
  end function
end module asdfkit_progress
