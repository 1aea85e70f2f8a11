!> Owners of handles: assignment, ends of life, any order, failures. Valgrind finds what is not freed, or freed twice.
program test_owners
  use asdfkit
  use checks
  implicit none
  character(*), parameter :: name = 'owners.asdf'

  !> A type of a program with files as components.
  type :: survey
    type(asdf_file) :: file
    type(asdf_node) :: meta
    type(asdf_array), allocatable :: images(:)
  end type

  call make()
  call test_assignment()
  call test_order()
  call test_components()
  call test_arrays_of_nodes()
  call test_failures()
  call finish('owners')

contains

  subroutine make()
    type(asdf_file) :: file
    call file%new()
    call file%set('meta/telescope', 'Roman')
    call file%set('data', reshape([1., 2., 3., 4.], [2, 2]), mask=reshape([.false., .true., .false., .false.], [2, 2]))
    call file%write(name, replace=.true., durable=.false.)
  end subroutine

  subroutine test_assignment()
    type(asdf_file) :: first, second, empty
    type(asdf_options) :: options, copy
    character(:), allocatable :: text
    integer :: stat
    call first%open(name)
    second = first
    second = second
    first = empty
    call second%get('meta/telescope', text)
    call check(text == 'Roman', 'the second owner keeps the file')
    call first%get('meta/telescope', text, stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'a variable without a file')
    first = second
    call second%free()
    call first%get('meta/telescope', text)
    call check(text == 'Roman', 'the first owner keeps the file')
    call check(first%name() == name, 'the file itself is assigned, too')
    call first%open(name)
    call first%open(name)
    call options%set(threads=2)
    copy = options
    options = copy
    call first%open(name, options=options)
    call first%close()
    call first%close(stat)
    call check(stat /= ASDF_OK, 'close a variable without a file')
  end subroutine

  subroutine test_order()
    type(asdf_file) :: file
    type(asdf_node) :: node, other
    type(asdf_array) :: array, again
    real :: image(2, 2)
    call file%open(name)
    call file%get_node('meta', node)
    call file%get_array('data', array)
    again = array
    call file%free()
    call array%free()
    call again%read(image, fill=0.)
    call check(abs(image(2, 2) - 4) <= 0, 'an array keeps its file')
    other = node
    call node%free()
    call check(other%has('telescope'), 'a node keeps its file')
  end subroutine

  !> Some compilers copy components bit by bit. Such a copy must be empty; it must not be freed twice.
  subroutine test_components()
    type(survey) :: one, two
    type(survey), allocatable :: many(:)
    logical :: has
    integer :: i, stat
    real :: image(2, 2)
    call one%file%open(name)
    call one%file%get_node('meta', one%meta)
    allocate (one%images(2))
    do i = 1, 2
      call one%file%get_array('data', one%images(i))
    end do
    two = one
    has = two%meta%has('telescope', stat)
    call check((stat == ASDF_OK .and. has) .or. stat == ASDF_ERR_NULL_POINTER, 'a copy is an owner or empty')
    two%file = one%file
    two%meta = one%meta
    two%images(2) = one%images(2)
    call one%file%free()
    call one%meta%free()
    deallocate (one%images)
    call two%images(2)%read(image, fill=0.)
    call check(abs(image(1, 2) - 3) <= 0 .and. two%file%has('data') .and. two%meta%has('telescope'), 'components')
    allocate (many(2))
    many(1) = two
    many(2) = many(1)
    many(2)%meta = two%meta
    call check(many(2)%meta%has('telescope'), 'an array of components')
    deallocate (many)
  end subroutine

  subroutine test_arrays_of_nodes()
    type(asdf_file) :: file
    type(asdf_node), allocatable :: nodes(:), moved(:)
    integer :: i
    call file%open(name)
    allocate (nodes(3))
    do i = 1, 3
      call file%get_item('', i, nodes(i))
    end do
    call move_alloc(nodes, moved)
    call check(moved(2)%path() == '/meta', 'moved nodes')
    moved(1) = moved(2)
    allocate (nodes(3))
    nodes = moved
    call check(nodes(1)%path() == '/meta', 'assigned arrays')
    call moved%free()
    deallocate (moved)
  end subroutine

  subroutine test_failures()
    type(asdf_file) :: file
    type(asdf_node) :: node
    type(asdf_array) :: array
    real, allocatable :: image(:, :), wrong(:)
    logical, allocatable :: mask(:, :)
    character(:), allocatable :: message
    character(:), allocatable :: keys(:)
    integer :: stat
    call file%open('nowhere.asdf', stat=stat, errmsg=message)
    call file%open(name)
    call file%open('nowhere.asdf', stat=stat)
    call check(.not. file%has('meta', stat), 'a failed open leaves the variable empty')
    call file%open(name)
    call file%get_node('meta', node)
    call file%get_node('nothing', node, stat)
    call check(node%path(stat) == '', 'a failed call leaves the variable empty')
    call file%get_array('data', array)
    call file%get_array('meta', array, stat, message)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'an array that is none')
    call file%load('data', image, stat=stat)
    call expect(stat, ASDF_ERR_MASKED, 'a mask is needed')
    call file%load('data', image, mask=mask)
    call file%load('data', image, mask=mask)
    call check(count(mask) == 1, 'mask')
    call file%load('data', image, start=[9, 9], stat=stat)
    call check(.not. allocated(image), 'nothing is allocated after a failure')
    call file%load('data', wrong, stat=stat, errmsg=message)
    call file%keys('data/shape', keys, stat, message)
    call file%write(name, stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_FILE_EXISTS, 'a file exists')
  end subroutine
end program
