!> Schemas to validate files with, from packages of the Python registry.
!!
!!     type(asdf_schemas) :: schemas
!!     type(asdf_report) :: report
!!     call schemas%load()
!!     call file%validate(schemas, report)
!!     call report%print()
module asdfkit_schemas
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_null_ptr, c_ptr
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_owners, only: asdf_schemas_owner
  use asdfkit_tree, only: c_path
  implicit none
  private

  !> A set of schemas. Load it once, and use it for many files.
  type, extends(asdf_schemas_owner), public :: asdf_schemas
  contains
    procedure :: load => schemas_load
  end type

contains

  !> Adds a package: the path of a folder, a wheel or a single schema, or the name of a package on the search path.
  !! Without one, adds all packages on the search path.
  subroutine schemas_load(self, package, stat, errmsg)
    class(asdf_schemas), intent(inout) :: self
    character(*), intent(in), optional :: package
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    status = ASDF_OK
    if (.not. c_associated(self%c_handle())) then
      made = c_null_ptr
      status = asdf_schemas_new(made)
      if (status == ASDF_OK) call self%adopt(made)
    end if
    if (status == ASDF_OK) then
      if (present(package)) then
        status = asdf_schemas_add_package(self%c_handle(), c_path(package))
      else
        status = asdf_schemas_add_package(self%c_handle())
      end if
    end if
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

end module
