! SPDX-License-Identifier: BSD-3-Clause
!
! uncore.f90 - uncore.h for Fortran 2008: counting, and regions.
!
!	gfortran uncore.f90 program.f90 $(pkg-config --cflags --libs uncore) -o program
!
! The functions have the names of uncore.h, whose documentation applies here.  They return
! UNCORE_OK or a negative error; uncore_errmsg() has the sentence.  Numbers of events and regions
! are those of C: the first region is 0.  Names may have blanks at their ends, which are left out.

module uncore
    use, intrinsic :: iso_c_binding
    implicit none
    private

    public :: uncore_open, uncore_close, uncore_errmsg, uncore_event, uncore_event_name
    public :: uncore_set_create, uncore_set_destroy, uncore_set_assign, uncore_set_multiplex
    public :: uncore_set_start, uncore_set_stop, uncore_set_read, uncore_set_reset
    public :: uncore_region, uncore_region_begin, uncore_region_end, uncore_region_info
    public :: uncore_region_reset, uncore_regions_text, uncore_real, uncore_version

    integer, parameter, public :: uncore_id = c_int       ! of events and regions
    integer, parameter, public :: uncore_count = c_int64_t ! of counts

    integer, parameter, public :: &
        UNCORE_OK = 0, UNCORE_EINVAL = -1, UNCORE_ENOMEM = -2, UNCORE_ENOEVENT = -3, &
        UNCORE_EATTR = -4, UNCORE_ECOMBO = -5, UNCORE_ENODEV = -6, UNCORE_ENOSUPP = -7, &
        UNCORE_EACCESS = -8, UNCORE_ECONFLICT = -9, UNCORE_EBUSY = -10, UNCORE_EIO = -11, &
        UNCORE_ESTATE = -12, UNCORE_ESTOLEN = -13, UNCORE_EFORK = -14
    integer, parameter, public :: UNCORE_REGIONS_TABLE = 0, UNCORE_REGIONS_JSON = 1

    type, public :: uncore_machine_t
        private
        type(c_ptr) :: u = c_null_ptr
    end type

    type, public :: uncore_set_t
        private
        type(c_ptr) :: set = c_null_ptr
        integer :: n = 0
    end type

    type, public :: uncore_region_t
        character(len=:), allocatable :: name
        integer(c_int64_t) :: calls = 0 ! of uncore_region_begin(), by all threads
        real(c_double) :: seconds = 0   ! in which at least one thread was inside
        integer(c_int64_t) :: lost = 0  ! times that could not be counted
        integer :: inside = 0           ! begins without an end so far
    end type

    ! struct uncore_region_info
    type, bind(C) :: c_region_info
        integer(c_size_t) :: size
        type(c_ptr) :: name
        integer(c_int64_t) :: calls, ns, lost
        integer(c_int) :: inside
    end type

    interface
        integer(c_int) function c_open(u, options) bind(C, name="uncore_open")
            import
            type(c_ptr), intent(out) :: u
            type(c_ptr), value :: options
        end function
        subroutine c_close(u) bind(C, name="uncore_close")
            import
            type(c_ptr), value :: u
        end subroutine
        type(c_ptr) function c_errmsg(u, buf, length) bind(C, name="uncore_errmsg")
            import
            type(c_ptr), value :: u
            character(kind=c_char), intent(out) :: buf(*)
            integer(c_size_t), value :: length
        end function
        type(c_ptr) function c_version() bind(C, name="uncore_version")
            import
        end function
        integer(c_int) function c_event(u, name, id) bind(C, name="uncore_event")
            import
            type(c_ptr), value :: u
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), intent(out) :: id
        end function
        type(c_ptr) function c_event_name(u, id) bind(C, name="uncore_event_name")
            import
            type(c_ptr), value :: u
            integer(c_int), value :: id
        end function
        integer(c_int) function c_set_create(u, set) bind(C, name="uncore_set_create")
            import
            type(c_ptr), value :: u
            type(c_ptr), intent(out) :: set
        end function
        subroutine c_set_destroy(set) bind(C, name="uncore_set_destroy")
            import
            type(c_ptr), value :: set
        end subroutine
        integer(c_int) function c_set_assign(set, ids, n) bind(C, name="uncore_set_assign")
            import
            type(c_ptr), value :: set
            integer(c_int), intent(in) :: ids(*)
            integer(c_size_t), value :: n
        end function
        integer(c_int) function c_set_multiplex(set, us) bind(C, name="uncore_set_multiplex")
            import
            type(c_ptr), value :: set
            integer(c_int), value :: us
        end function
        integer(c_int) function c_set_start(set) bind(C, name="uncore_set_start")
            import
            type(c_ptr), value :: set
        end function
        integer(c_int) function c_set_stop(set) bind(C, name="uncore_set_stop")
            import
            type(c_ptr), value :: set
        end function
        integer(c_int) function c_set_read(set, values) bind(C, name="uncore_set_read")
            import
            type(c_ptr), value :: set
            integer(c_int64_t), intent(inout) :: values(*)
        end function
        integer(c_int) function c_set_reset(set) bind(C, name="uncore_set_reset")
            import
            type(c_ptr), value :: set
        end function
        integer(c_int) function c_region(set, name, id) bind(C, name="uncore_region")
            import
            type(c_ptr), value :: set
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), intent(out) :: id
        end function
        integer(c_int) function c_region_begin(set, id) bind(C, name="uncore_region_begin")
            import
            type(c_ptr), value :: set
            integer(c_int), value :: id
        end function
        integer(c_int) function c_region_end(set, id) bind(C, name="uncore_region_end")
            import
            type(c_ptr), value :: set
            integer(c_int), value :: id
        end function
        integer(c_int) function c_region_info_of(set, id, info, values) &
                bind(C, name="uncore_region_info")
            import
            type(c_ptr), value :: set
            integer(c_int), value :: id
            type(c_region_info), intent(inout) :: info
            integer(c_int64_t), intent(inout) :: values(*)
        end function
        integer(c_int) function c_region_reset(set, id) bind(C, name="uncore_region_reset")
            import
            type(c_ptr), value :: set
            integer(c_int), value :: id
        end function
        integer(c_int) function c_regions_text(set, how, buf, length) &
                bind(C, name="uncore_regions_text")
            import
            type(c_ptr), value :: set
            integer(c_int), value :: how
            character(kind=c_char), intent(out) :: buf(*)
            integer(c_size_t), value :: length
        end function
        integer(c_size_t) function c_strlen(text) bind(C, name="strlen")
            import
            type(c_ptr), value :: text
        end function
    end interface

contains

    ! ---- text ----

    function to_c(text) result(chars)
        character(len=*), intent(in) :: text
        character(kind=c_char, len=:), allocatable :: chars

        chars = trim(text) // c_null_char
    end function

    function from_c(pointer) result(text)
        type(c_ptr), intent(in) :: pointer
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: chars(:)
        integer :: i

        if (.not. c_associated(pointer)) then
            text = ""
            return
        end if
        call c_f_pointer(pointer, chars, [c_strlen(pointer)])
        allocate (character(len=size(chars)) :: text)
        do i = 1, size(chars)
            text(i:i) = chars(i)
        end do
    end function

    ! ---- the machine ----

    ! By the variables of the environment, as with NULL in C.
    integer function uncore_open(machine) result(code)
        type(uncore_machine_t), intent(out) :: machine

        code = c_open(machine%u, c_null_ptr)
    end function

    subroutine uncore_close(machine)
        type(uncore_machine_t), intent(inout) :: machine

        call c_close(machine%u)
        machine%u = c_null_ptr
    end subroutine

    function uncore_errmsg(machine) result(text)
        type(uncore_machine_t), intent(in) :: machine
        character(len=:), allocatable :: text
        character(kind=c_char) :: buf(1024)
        type(c_ptr) :: ignored
        integer :: i

        text = "out of memory for the machine"
        if (.not. c_associated(machine%u)) return
        ignored = c_errmsg(machine%u, buf, size(buf, kind=c_size_t))
        text = ""
        do i = 1, size(buf)
            if (buf(i) == c_null_char) exit
            text = text // buf(i)
        end do
    end function

    function uncore_version() result(text)
        character(len=:), allocatable :: text

        text = from_c(c_version())
    end function

    integer function uncore_event(machine, name, id) result(code)
        type(uncore_machine_t), intent(in) :: machine
        character(len=*), intent(in) :: name
        integer(uncore_id), intent(out) :: id

        id = -1
        code = c_event(machine%u, to_c(name), id)
    end function

    function uncore_event_name(machine, id) result(text)
        type(uncore_machine_t), intent(in) :: machine
        integer(uncore_id), intent(in) :: id
        character(len=:), allocatable :: text

        text = from_c(c_event_name(machine%u, id))
    end function

    ! ---- sets ----

    integer function uncore_set_create(machine, set) result(code)
        type(uncore_machine_t), intent(in) :: machine
        type(uncore_set_t), intent(out) :: set

        code = c_set_create(machine%u, set%set)
    end function

    subroutine uncore_set_destroy(set)
        type(uncore_set_t), intent(inout) :: set

        call c_set_destroy(set%set)
        set%set = c_null_ptr
        set%n = 0
    end subroutine

    integer function uncore_set_assign(set, ids) result(code)
        type(uncore_set_t), intent(inout) :: set
        integer(uncore_id), intent(in) :: ids(:)

        code = c_set_assign(set%set, ids, size(ids, kind=c_size_t))
        if (code == UNCORE_OK) set%n = size(ids)
    end function

    integer function uncore_set_multiplex(set, interval_us) result(code)
        type(uncore_set_t), intent(in) :: set
        integer, intent(in) :: interval_us

        code = c_set_multiplex(set%set, int(interval_us, c_int))
    end function

    integer function uncore_set_start(set) result(code)
        type(uncore_set_t), intent(in) :: set

        code = c_set_start(set%set)
    end function

    integer function uncore_set_stop(set) result(code)
        type(uncore_set_t), intent(in) :: set

        code = c_set_stop(set%set)
    end function

    ! UNCORE_EINVAL, too: values has room for fewer than are assigned.
    integer function uncore_set_read(set, values) result(code)
        type(uncore_set_t), intent(in) :: set
        integer(uncore_count), intent(inout) :: values(:)
        integer(uncore_count) :: all(set%n)

        code = UNCORE_EINVAL
        if (size(values) < set%n) return
        code = c_set_read(set%set, all)
        values(1:set%n) = all
    end function

    integer function uncore_set_reset(set) result(code)
        type(uncore_set_t), intent(in) :: set

        code = c_set_reset(set%set)
    end function

    ! The number behind a count of a mean or ratio.
    elemental real(c_double) function uncore_real(count) result(number)
        integer(uncore_count), intent(in) :: count

        number = transfer(count, number)
    end function

    ! ---- regions ----

    integer function uncore_region(set, name, id) result(code)
        type(uncore_set_t), intent(in) :: set
        character(len=*), intent(in) :: name
        integer(uncore_id), intent(out) :: id

        id = -1
        code = c_region(set%set, to_c(name), id)
    end function

    integer function uncore_region_begin(set, id) result(code)
        type(uncore_set_t), intent(in) :: set
        integer(uncore_id), intent(in) :: id

        code = c_region_begin(set%set, id)
    end function

    integer function uncore_region_end(set, id) result(code)
        type(uncore_set_t), intent(in) :: set
        integer(uncore_id), intent(in) :: id

        code = c_region_end(set%set, id)
    end function

    ! 1, 0 behind the last region, or an error; also UNCORE_EINVAL for too few values.
    integer function uncore_region_info(set, id, region, values) result(code)
        type(uncore_set_t), intent(in) :: set
        integer(uncore_id), intent(in) :: id
        type(uncore_region_t), intent(out) :: region
        integer(uncore_count), intent(inout) :: values(:)
        integer(uncore_count) :: all(set%n)
        type(c_region_info) :: info

        code = UNCORE_EINVAL
        if (size(values) < set%n) return
        info%size = c_sizeof(info)
        code = c_region_info_of(set%set, id, info, all)
        if (code /= 1) return
        values(1:set%n) = all
        region%name = from_c(info%name)
        region%calls = info%calls
        region%seconds = real(info%ns, c_double) * 1e-9_c_double
        region%lost = info%lost
        region%inside = info%inside
    end function

    integer function uncore_region_reset(set, id) result(code)
        type(uncore_set_t), intent(in) :: set
        integer(uncore_id), intent(in) :: id

        code = c_region_reset(set%set, id)
    end function

    ! UNCORE_REGIONS_TABLE or UNCORE_REGIONS_JSON; empty: out of memory, or another format.
    function uncore_regions_text(set, how) result(text)
        type(uncore_set_t), intent(in) :: set
        integer, intent(in) :: how
        character(len=:), allocatable :: text
        character(kind=c_char), allocatable :: buf(:)
        integer :: i, length

        text = ""
        allocate (buf(1))
        length = c_regions_text(set%set, int(how, c_int), buf, 0_c_size_t)
        if (length < 0) return
        deallocate (buf)
        allocate (buf(length + 1))
        if (c_regions_text(set%set, int(how, c_int), buf, size(buf, kind=c_size_t)) < 0) return
        text = repeat(" ", length)
        do i = 1, length
            if (buf(i) == c_null_char) exit
            text(i:i) = buf(i)
        end do
        text = text(1:i - 1)
    end function
end module
