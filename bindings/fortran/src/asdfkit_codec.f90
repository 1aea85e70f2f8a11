!> Codecs of the program, which compress and decompress blocks under a label of their own.
!!
!!     call asdf_add_codec(options, 'runs', decode_runs, encode_runs)
!!     call file%set('image', image, options=options)
!!     call file%open('image.asdf', options=options)
!!
!! A call that opens a file accepts any number of codecs. A call that stores an array compresses it with the codec that
!! was added last.
module asdfkit_codec
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_funloc, c_funptr, c_int32_t, c_loc, c_null_char, c_null_funptr, &
    c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64, int8
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_options, only: asdf_options
  implicit none
  private
  public :: asdf_decoder, asdf_encoder, asdf_add_codec

  abstract interface
    !> Decodes the stored bytes of a block, on the thread of the call that needs them. The bytes may be damaged.
    subroutine asdf_decoder(stored, bytes, count, stat)
      import :: int64, int8
      !> bytes in the file
      integer(int8), intent(in) :: stored(:)
      !> gets the decoded bytes; its size is that which the block declares
      integer(int8), intent(inout) :: bytes(:)
      !> number of decoded bytes; size(bytes) on entry. Another number is ASDF_ERR_DECODED_SIZE
      integer(int64), intent(inout) :: count
      !> ASDF_OK on entry; a failure such as ASDF_ERR_CORRUPT becomes that of the call
      integer, intent(inout) :: stat
    end subroutine

    !> Encodes the bytes of a block, inside the call that writes or saves the file.
    subroutine asdf_encoder(bytes, stored, count, stat)
      import :: int64, int8
      !> bytes to encode, at least one
      integer(int8), intent(in) :: bytes(:)
      !> gets the bytes for the file
      integer(int8), intent(inout) :: stored(:)
      !> number of encoded bytes; 0 on entry. With ASDF_ERR_BUFFER_TOO_SMALL, the size that `stored` must have: then the
      !! procedure is called once more
      integer(int64), intent(inout) :: count
      !> ASDF_OK on entry
      integer, intent(inout) :: stat
    end subroutine
  end interface

  !> Procedures of a codec. The last options, file or array with the codec releases them.
  type :: procedures
    procedure(asdf_decoder), pointer, nopass :: decode => null()
    procedure(asdf_encoder), pointer, nopass :: encode => null()
  end type

contains

  !> Adds a codec to options. The procedures must live as long as the options, and the files and arrays that use the
  !! codec: take those of a module or external ones.
  subroutine asdf_add_codec(options, label, decode, encode, stat, errmsg)
    class(asdf_options), intent(inout) :: options
    !> label in the headers of blocks: 1 to 4 printable ASCII characters
    character(*), intent(in) :: label
    procedure(asdf_decoder) :: decode
    !> absent for a codec that only reads
    procedure(asdf_encoder), optional :: encode
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(procedures), pointer :: data
    type(c_funptr) :: encoding
    type(c_ptr) :: codec
    integer(c_int32_t) :: status
    allocate (data)
    data%decode => decode
    encoding = c_null_funptr
    if (present(encode)) then
      data%encode => encode
      encoding = c_funloc(forward_encode)
    end if
    status = options%prepare()
    if (status == ASDF_OK) &
      status = asdf_codec_new(label//c_null_char, c_funloc(forward_decode), encoding, c_funloc(release), c_loc(data), codec)
    if (status /= ASDF_OK) then
      deallocate (data)
    else
      status = asdf_options_add_codec(options%c_handle(), codec)
      call asdf_codec_free(codec)
    end if
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  integer(c_int32_t) function forward_decode(user, stored, stored_size, out, out_size, decoded) bind(C, name='') result(status)
    type(c_ptr), value :: user, stored, out
    integer(c_size_t), value :: stored_size, out_size
    integer(c_size_t), intent(inout) :: decoded
    type(procedures), pointer :: data
    integer(int8), pointer :: input(:), output(:)
    integer(int64) :: count
    integer :: stat
    call c_f_pointer(user, data)
    call bytes_at(stored, stored_size, input)
    call bytes_at(out, out_size, output)
    count = size(output, kind=int64)
    stat = ASDF_OK
    call data%decode(input, output, count, stat)
    decoded = int(max(count, 0_int64), c_size_t)
    status = int(stat, c_int32_t)
  end function

  integer(c_int32_t) function forward_encode(user, data, size, out, capacity, encoded) bind(C, name='') result(status)
    type(c_ptr), value :: user, data, out
    integer(c_size_t), value :: size, capacity
    integer(c_size_t), intent(inout) :: encoded
    type(procedures), pointer :: codec
    integer(int8), pointer :: input(:), output(:)
    integer(int64) :: count
    integer :: stat
    call c_f_pointer(user, codec)
    call bytes_at(data, size, input)
    call bytes_at(out, capacity, output)
    count = 0
    stat = ASDF_OK
    call codec%encode(input, output, count, stat)
    encoded = int(max(count, 0_int64), c_size_t)
    status = int(stat, c_int32_t)
  end function

  !> Bytes at an address, which may be null if there are none.
  subroutine bytes_at(address, count, bytes)
    type(c_ptr), intent(in) :: address
    integer(c_size_t), intent(in) :: count
    integer(int8), pointer, intent(out) :: bytes(:)
    integer(int8), save, target :: nothing(0)
    if (count == 0) then
      bytes => nothing
    else
      call c_f_pointer(address, bytes, [count])
    end if
  end subroutine

  integer(c_int32_t) function release(user) bind(C, name='')
    type(c_ptr), value :: user
    type(procedures), pointer :: data
    call c_f_pointer(user, data)
    deallocate (data)
    release = 0
  end function
end module asdfkit_codec
