/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    library.h
 * @ingroup papi_components
 * @brief   libuncore: linked into the component, or with UNCORE_THIN opened at run time.
 */
#ifndef UNCORE_LIBRARY_H
#define UNCORE_LIBRARY_H

#include <stddef.h>

#include "uncore.h"
#include "uncore_inspect.h"

#ifdef UNCORE_THIN

/* The functions that the component calls. */
#define UNCORE_FUNCTIONS(X)        \
	X(uncore_box)              \
	X(uncore_close)            \
	X(uncore_errmsg)           \
	X(uncore_event)            \
	X(uncore_event_info)       \
	X(uncore_event_name)       \
	X(uncore_event_umask)      \
	X(uncore_listed_event)     \
	X(uncore_machine)          \
	X(uncore_missed_wrap_text) \
	X(uncore_open)             \
	X(uncore_restore)          \
	X(uncore_set_assign)       \
	X(uncore_set_check)        \
	X(uncore_set_create)       \
	X(uncore_set_destroy)      \
	X(uncore_set_info)         \
	X(uncore_set_missed_wrap)  \
	X(uncore_set_multiplex)    \
	X(uncore_set_read)         \
	X(uncore_set_reset)        \
	X(uncore_set_start)        \
	X(uncore_set_stop)         \
	X(uncore_set_times)        \
	X(uncore_version)          \
	X(uncore_warning)

struct uncore_library {
#define UNCORE_POINTER(function) __typeof__(function) *to_##function;
	UNCORE_FUNCTIONS(UNCORE_POINTER)
#undef UNCORE_POINTER
};

extern struct uncore_library _uncore_library;

#define uncore_box(...)              _uncore_library.to_uncore_box(__VA_ARGS__)
#define uncore_close(...)            _uncore_library.to_uncore_close(__VA_ARGS__)
#define uncore_errmsg(...)           _uncore_library.to_uncore_errmsg(__VA_ARGS__)
#define uncore_event(...)            _uncore_library.to_uncore_event(__VA_ARGS__)
#define uncore_event_info(...)       _uncore_library.to_uncore_event_info(__VA_ARGS__)
#define uncore_event_name(...)       _uncore_library.to_uncore_event_name(__VA_ARGS__)
#define uncore_event_umask(...)      _uncore_library.to_uncore_event_umask(__VA_ARGS__)
#define uncore_listed_event(...)     _uncore_library.to_uncore_listed_event(__VA_ARGS__)
#define uncore_machine(...)          _uncore_library.to_uncore_machine(__VA_ARGS__)
#define uncore_missed_wrap_text(...) _uncore_library.to_uncore_missed_wrap_text(__VA_ARGS__)
#define uncore_open(...)             _uncore_library.to_uncore_open(__VA_ARGS__)
#define uncore_restore(...)          _uncore_library.to_uncore_restore(__VA_ARGS__)
#define uncore_set_assign(...)       _uncore_library.to_uncore_set_assign(__VA_ARGS__)
#define uncore_set_check(...)        _uncore_library.to_uncore_set_check(__VA_ARGS__)
#define uncore_set_create(...)       _uncore_library.to_uncore_set_create(__VA_ARGS__)
#define uncore_set_destroy(...)      _uncore_library.to_uncore_set_destroy(__VA_ARGS__)
#define uncore_set_info(...)         _uncore_library.to_uncore_set_info(__VA_ARGS__)
#define uncore_set_missed_wrap(...)  _uncore_library.to_uncore_set_missed_wrap(__VA_ARGS__)
#define uncore_set_multiplex(...)    _uncore_library.to_uncore_set_multiplex(__VA_ARGS__)
#define uncore_set_read(...)         _uncore_library.to_uncore_set_read(__VA_ARGS__)
#define uncore_set_reset(...)        _uncore_library.to_uncore_set_reset(__VA_ARGS__)
#define uncore_set_start(...)        _uncore_library.to_uncore_set_start(__VA_ARGS__)
#define uncore_set_stop(...)         _uncore_library.to_uncore_set_stop(__VA_ARGS__)
#define uncore_set_times(...)        _uncore_library.to_uncore_set_times(__VA_ARGS__)
#define uncore_version(...)          _uncore_library.to_uncore_version(__VA_ARGS__)
#define uncore_warning(...)          _uncore_library.to_uncore_warning(__VA_ARGS__)

#endif

/**
 * Open the library, once in a process.
 *
 * @param why  gets the reason if it cannot be opened; fits in PAPI's disabled_reason
 * @return 0, or -1 with the reason
 */
int _uncore_library_open(char *why, size_t len);

#endif
