!> Schemas to validate files with, from packages of the Python registry.
!!
!!     type(asdf_schemas) :: schemas
!!     type(asdf_report) :: report
!!     call schemas%load()
!!     call file%validate(schemas, report)
!!     call report%print()
!!
!! Files that are opened or written with these options must match the schemas:
!!
!!     call schemas%demand(options)
!!     call file%write('image.asdf', options=options)
module asdfkit_schemas
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_null_ptr, c_ptr, c_size_t
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_options, only: asdf_options
  use asdfkit_owners, only: asdf_buffer_owner, asdf_schemas_owner
  use asdfkit_report, only: asdf_report
  use asdfkit_texts, only: schema_describe_string
  use asdfkit_tree, only: asdf_tree, c_path
  implicit none
  private

  !> A set of schemas. Load it once, and use it for many files.
  type, extends(asdf_schemas_owner), public :: asdf_schemas
  contains
    procedure :: load => schemas_load
    procedure :: add_text => schemas_add_text
    procedure :: demand => schemas_demand
    procedure :: validate => schemas_validate
    procedure :: describe => schemas_describe
  end type

contains

  !> Adds a package: the path of a folder, a wheel or a single schema, or the name of a package on the search path.
  !! Without one, adds all packages on the search path.
  subroutine schemas_load(self, package, stat, errmsg)
    class(asdf_schemas), intent(inout) :: self
    character(*), intent(in), optional :: package
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = prepare(self)
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

  !> Adds a schema or a manifest in YAML or JSON. It replaces a schema with the same URI, the text under "id".
  subroutine schemas_add_text(self, text, stat, errmsg)
    class(asdf_schemas), intent(inout) :: self
    character(*), intent(in) :: text
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_buffer_owner) :: uri
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    made = c_null_ptr
    status = prepare(self)
    if (status == ASDF_OK) status = asdf_schemas_add_text(self%c_handle(), text, len(text, c_size_t), made)
    if (status == ASDF_OK) call uri%adopt(made)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets the schemas in options: opening a file then fails with ASDF_ERR_INVALID if its content does not match, and
  !! writing and saving fail so before they write anything. Later changes of the schemas do not affect the options.
  subroutine schemas_demand(self, options, stat, errmsg)
    class(asdf_schemas), intent(in) :: self
    class(asdf_options), intent(inout) :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = options%prepare()
    if (status == ASDF_OK) status = asdf_options_set_schemas(options%c_handle(), self%c_handle())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Validates the node at a path with all nodes below it. Each violation is an entry of the report with the severity
  !! error.
  subroutine schemas_validate(self, place, path, report, root_schema, stat, errmsg)
    class(asdf_schemas), intent(in) :: self
    class(asdf_tree), intent(in) :: place
    character(*), intent(in) :: path
    type(asdf_report), intent(inout) :: report
    !> URI of a schema that the node must match besides those of its tags
    character(*), intent(in), optional :: root_schema
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: options
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    integer :: set
    made = c_null_ptr
    call options%set(root_schema=root_schema, stat=set)
    status = int(set, c_int32_t)
    if (status == ASDF_OK) &
      status = asdf_node_validate(place%c_handle(), c_path(path), self%c_handle(), options%c_handle(), made)
    if (status == ASDF_OK) call report%adopt(made)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Returns what the schemas say about the entry at a path, which need not exist: one of ASDF_DESCRIPTION_...
  !! ASDF_ERR_NOT_FOUND if they do not tell it; the text is then empty.
  function schemas_describe(self, place, path, field, stat, errmsg) result(text)
    class(asdf_schemas), intent(in) :: self
    class(asdf_tree), intent(in) :: place
    character(*), intent(in) :: path
    integer(c_int32_t), intent(in) :: field
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = schema_describe_string(self%c_handle(), place%c_handle(), trim(path), field, c_null_ptr, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Makes a set if the variable has none.
  integer(c_int32_t) function prepare(self) result(status)
    class(asdf_schemas), intent(inout) :: self
    type(c_ptr) :: made
    status = ASDF_OK
    if (c_associated(self%c_handle())) return
    made = c_null_ptr
    status = asdf_schemas_new(made)
    if (status == ASDF_OK) call self%adopt(made)
  end function

end module
