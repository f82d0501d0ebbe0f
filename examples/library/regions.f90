! SPDX-License-Identifier: BSD-3-Clause
!
! regions.f90 - memory traffic of parts of a program.  The module is in uncore.f90, which is
! installed with these examples and is in src/bindings.
!
!	gfortran -fopenmp uncore.f90 regions.f90 $(pkg-config --cflags --libs uncore) -o regions
!	UNCORE_MACHINE=sim:snbep ./regions

program regions
    use uncore
    implicit none

    integer, parameter :: n = 4000000
    real(8), allocatable :: a(:), b(:)
    type(uncore_machine_t) :: machine
    type(uncore_set_t) :: set
    integer(uncore_id) :: events(2), triad, total
    real(8) :: sum
    integer :: i, round

    call check(uncore_open(machine))
    call check(uncore_event(machine, "UNCORE_MEM_READ_BYTES", events(1)))
    call check(uncore_event(machine, "UNCORE_MEM_WRITE_BYTES", events(2)))
    call check(uncore_set_create(machine, set))
    call check(uncore_set_assign(set, events))
    call check(uncore_region(set, "triad", triad))
    call check(uncore_region(set, "sum", total))
    call check(uncore_set_start(set))

    allocate (a(n), b(n))
    b = 1
    sum = 0
    do round = 1, 5
        call check(uncore_region_begin(set, triad))
        !$omp parallel do
        do i = 1, n
            a(i) = b(i) + 0.5d0 * b(n + 1 - i)
        end do
        call check(uncore_region_end(set, triad))

        call check(uncore_region_begin(set, total))
        !$omp parallel do reduction(+: sum)
        do i = 1, n
            sum = sum + a(i)
        end do
        call check(uncore_region_end(set, total))
    end do

    call check(uncore_set_stop(set))
    write (*, '(a)', advance="no") uncore_regions_text(set, UNCORE_REGIONS_TABLE)
    if (abs(sum - 5 * 1.5d0 * n) > 0.5d0) error stop "the sum is wrong"
    call uncore_close(machine)

contains

    ! Print the error message, which includes cause and remedy, and stop.
    subroutine check(code)
        use, intrinsic :: iso_fortran_env, only: error_unit
        integer, intent(in) :: code

        if (code == UNCORE_OK) return
        write (error_unit, '(a)') uncore_errmsg(machine)
        call uncore_close(machine)
        stop 1
    end subroutine
end program
