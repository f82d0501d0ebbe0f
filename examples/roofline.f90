! SPDX-License-Identifier: BSD-3-Clause
!
! roofline.f90 - operations per byte of a region with PAPI: the operations of this thread in one event
! set, the bytes of memory of the machine in another one, started and stopped around the same loop.
!
!	gfortran -O2 roofline.f90 $(pkg-config --cflags --libs papi-uncore) -o roofline
!	./roofline                        # PAPI_DP_OPS, operations in double precision
!	./roofline PAPI_SP_OPS            # or another event of the cores
!
! A set has events of one component.  Operations are this thread's, bytes those of all programs.
program roofline
    use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
    implicit none
    include 'f90papi.h'
    integer, parameter :: elements = 8 * 1024 * 1024, times = 4
    real(real64), allocatable :: a(:), b(:), c(:)
    character(len=128) :: operations
    integer(int64) :: counted(1), bytes(1), begin, end
    integer :: core, uncore, code, i

    operations = 'PAPI_DP_OPS'
    if (command_argument_count() > 0) call get_command_argument(1, operations)
    allocate (a(elements), b(elements), c(elements))
    a = 0
    b = 1
    c = 2
    code = PAPI_VER_CURRENT
    call PAPIF_library_init(code)
    if (code /= PAPI_VER_CURRENT) call fail('PAPIF_library_init')
    core = set_of(trim(operations))
    uncore = set_of('uncore:::UNCORE_MEM_BYTES')

    call PAPIF_get_real_nsec(begin)
    call PAPIF_start(uncore, code)
    if (code /= PAPI_OK) call fail('uncore:::UNCORE_MEM_BYTES')
    call PAPIF_start(core, code)
    if (code /= PAPI_OK) call fail(trim(operations))
    ! Two operations for each element, and at least 24 bytes: two are read, one is written.
    do i = 1, times
        a = b + 3 * c
        b(i) = a(i)
    end do
    call PAPIF_stop(core, counted, code)
    if (code /= PAPI_OK) call fail(trim(operations))
    call PAPIF_stop(uncore, bytes, code)
    if (code /= PAPI_OK) call fail('uncore:::UNCORE_MEM_BYTES')
    call PAPIF_get_real_nsec(end)

    print '(i0, 3a, i0, a)', counted(1), ' operations (', trim(operations), ') of this thread, ', &
        bytes(1), ' bytes of the machine'
    print '(es9.3, a, es9.3, a)', real(counted(1), real64) / real(bytes(1), real64), &
        ' operations per byte, ', real(counted(1), real64) / real(end - begin, real64), ' GFLOP/s'
    if (a(elements) < 0) print *, a(elements) ! keeps the compiler from removing the loop

contains

    subroutine fail(what)
        character(len=*), intent(in) :: what

        write (error_unit, '(2a, i0)') what, ': error of PAPI ', code
        stop 1
    end subroutine

    ! A set with one event.
    integer function set_of(name) result(set)
        character(len=*), intent(in) :: name

        set = PAPI_NULL
        call PAPIF_create_eventset(set, code)
        if (code /= PAPI_OK) call fail('PAPIF_create_eventset')
        call PAPIF_add_named_event(set, name, code)
        if (code /= PAPI_OK) call fail(name)
    end function
end program
