# SPDX-License-Identifier: BSD-3-Clause
"""uncore.h for Python 3.6 and later, by ctypes alone: counting, and regions.

    import uncore

    with uncore.Machine() as machine:
        counts = machine.set("UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES")
        with counts:                       # starts, and stops at the end
            with counts.region("copy"):
                b = a.copy()
        for region in counts.regions():
            print(region.name, region.seconds, region.values)
        print(counts.table())

libuncore.so.0 is searched by the loader (LD_LIBRARY_PATH), unless UNCORE_LIBRARY names the file.
Options that are not set are taken from the environment variables described in uncore.h, such as
UNCORE_MACHINE=sim:snbep.  Failures raise Error.
"""
import collections
import contextlib
import ctypes
import os

__all__ = ["Error", "Machine", "Region", "Set", "version"]

_ERRMSG_MAX = 1024


class _Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("machine", ctypes.c_char_p),
                ("sysroot", ctypes.c_char_p), ("wrap_poller", ctypes.c_int),
                ("force", ctypes.c_int), ("event_files", ctypes.c_char_p),
                ("event_files_force", ctypes.c_int), ("partial", ctypes.c_int)]


class _EventInfo(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("brief", ctypes.c_char * 64), ("text", ctypes.c_char * 1024),
                ("units", ctypes.c_char * 16), ("kind", ctypes.c_char_p),
                ("kind_title", ctypes.c_char_p), ("exact", ctypes.c_bool),
                ("real", ctypes.c_bool), ("formula", ctypes.c_char * 640)]


class _RegionInfo(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("calls", ctypes.c_uint64), ("ns", ctypes.c_int64), ("lost", ctypes.c_uint64),
                ("inside", ctypes.c_uint)]


def _load():
    library = ctypes.CDLL(os.environ.get("UNCORE_LIBRARY") or "libuncore.so.0")
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint
    size, output = ctypes.c_size_t, ctypes.POINTER
    for name, result, arguments in (
            ("uncore_open", ctypes.c_int, [output(pointer), output(_Options)]),
            ("uncore_close", None, [pointer]),
            ("uncore_errmsg", text, [pointer, text, size]),
            ("uncore_strerror", text, [ctypes.c_int]),
            ("uncore_version", text, []),
            ("uncore_event", ctypes.c_int, [pointer, text, output(number)]),
            ("uncore_event_info", ctypes.c_int, [pointer, number, output(_EventInfo)]),
            ("uncore_set_create", ctypes.c_int, [pointer, output(pointer)]),
            ("uncore_set_assign", ctypes.c_int, [pointer, output(number), size]),
            ("uncore_set_multiplex", ctypes.c_int, [pointer, number]),
            ("uncore_set_start", ctypes.c_int, [pointer]),
            ("uncore_set_stop", ctypes.c_int, [pointer]),
            ("uncore_set_reset", ctypes.c_int, [pointer]),
            ("uncore_set_read", ctypes.c_int, [pointer, output(ctypes.c_int64)]),
            ("uncore_set_destroy", None, [pointer]),
            ("uncore_region", ctypes.c_int, [pointer, text, output(number)]),
            ("uncore_region_begin", ctypes.c_int, [pointer, number]),
            ("uncore_region_end", ctypes.c_int, [pointer, number]),
            ("uncore_region_reset", ctypes.c_int, [pointer, number]),
            ("uncore_region_info", ctypes.c_int,
             [pointer, number, output(_RegionInfo), output(ctypes.c_int64)]),
            ("uncore_regions_text", ctypes.c_int, [pointer, ctypes.c_int, text, size])):
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


_library = _load()


def version():
    """The version of the library that was loaded, such as "0.2"."""
    return _library.uncore_version().decode()


class Error(Exception):
    """An error: what failed, why, and what to do; code is one of uncore.h's, such as -10 for EBUSY."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Region(collections.namedtuple("Region", "name calls seconds lost inside values")):
    """The counts of a region: values by event, means and ratios as float.

    seconds: time in which at least one thread was inside; lost: how often it could not be
    counted; inside: begins without an end so far.
    """


class Machine:
    """An open machine; machine: as UNCORE_MACHINE, partial: as UNCORE_PARTIAL."""

    def __init__(self, machine=None, partial=False):
        options = _Options(size=ctypes.sizeof(_Options), partial=int(partial),
                           machine=machine.encode() if machine else None)
        self._handle = ctypes.c_void_p()
        code = _library.uncore_open(ctypes.byref(self._handle), ctypes.byref(options))
        if code < 0:
            error = self._error(code)
            self.close()
            raise error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Stop all sets and restore all registers; its sets cannot be used any more."""
        handle, self._handle = self._handle, None
        _library.uncore_close(handle)

    def _error(self, code, message=None):
        text = ctypes.create_string_buffer(_ERRMSG_MAX)
        if self._handle and message is None:
            _library.uncore_errmsg(self._handle, text, len(text))
            message = text.value.decode(errors="replace")
        return Error(code, message or _library.uncore_strerror(code).decode())

    def _check(self, code):
        if code < 0:
            raise self._error(code)
        return code

    def _open(self):
        if not self._handle:
            raise Error(-12, "the machine was closed")
        return self._handle

    def _event(self, name):
        number = ctypes.c_uint()
        self._check(_library.uncore_event(self._open(), name.encode(), ctypes.byref(number)))
        return number.value

    def _is_real(self, number):
        info = _EventInfo(size=ctypes.sizeof(_EventInfo))
        self._check(_library.uncore_event_info(self._open(), number, ctypes.byref(info)))
        return info.real

    def set(self, *events, multiplex_us=0):
        """A set of events, by their names; with multiplex_us, events that do not fit are multiplexed."""
        return Set(self, events, multiplex_us)


class Set:
    """Events that count together: `with` starts and stops them.  Made by Machine.set()."""

    def __init__(self, machine, events, multiplex_us):
        self._machine = machine
        self.events = tuple(events)
        numbers = [machine._event(name) for name in events]
        self._real = [machine._is_real(number) for number in numbers]
        self._set = ctypes.c_void_p()
        self._known = {}
        machine._check(_library.uncore_set_create(machine._open(), ctypes.byref(self._set)))
        try:
            self._call("set_multiplex", multiplex_us)
            self._call("set_assign", (ctypes.c_uint * len(numbers))(*numbers), len(numbers))
        except Error:
            _library.uncore_set_destroy(self._set)
            raise

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def _call(self, name, *arguments):
        self._machine._open()
        return self._machine._check(getattr(_library, "uncore_" + name)(self._set, *arguments))

    def start(self):
        """Count from zero."""
        self._call("set_start")

    def stop(self):
        """Stop; counts stay."""
        self._call("set_stop")

    def reset(self):
        """Count from zero again; regions do not notice."""
        self._call("set_reset")

    def _values(self, raw):
        return {name: ctypes.c_double.from_buffer_copy(ctypes.c_int64(value)).value if real
                else value
                for name, value, real in zip(self.events, raw, self._real)}

    def read(self):
        """Values by event since start or reset; means and ratios as float."""
        raw = (ctypes.c_int64 * len(self.events))()
        self._call("set_read", raw)
        return self._values(raw)

    def _region(self, name):
        if name not in self._known:
            number = ctypes.c_uint()
            self._call("region", name.encode(), ctypes.byref(number))
            self._known[name] = number.value
        return self._known[name]

    def begin(self, name):
        """A region begins; what end() without it raises says so."""
        self._mark("region_begin", name)

    def end(self, name):
        """A region ends."""
        self._mark("region_end", name)

    def _mark(self, function, name):
        number = self._region(name)
        self._machine._open()
        code = getattr(_library, "uncore_" + function)(self._set, number)
        if code == -12:
            raise Error(code, "region %s: the set is not running, or the region was not started"
                        % name)
        if code == -14:
            raise Error(code, _library.uncore_strerror(code).decode())
        self._machine._check(code)

    @contextlib.contextmanager
    def region(self, name):
        """The body of the `with` statement is the region."""
        self.begin(name)
        try:
            yield
        finally:
            self.end(name)

    def reset_region(self, name):
        """The region counts from zero again."""
        self._call("region_reset", self._region(name))

    def regions(self):
        """All regions, as they were named first."""
        raw = (ctypes.c_int64 * len(self.events))()
        info = _RegionInfo(size=ctypes.sizeof(_RegionInfo))
        found = []
        while self._call("region_info", len(found), ctypes.byref(info), raw) == 1:
            found.append(Region(info.name.decode(), info.calls, info.ns * 1e-9, info.lost,
                                info.inside, self._values(raw)))
        return found

    def _text(self, format_number):
        length = self._call("regions_text", format_number, None, 0)
        text = ctypes.create_string_buffer(length + 1)
        self._call("regions_text", format_number, text, len(text))
        return text.value.decode()

    def table(self):
        """All regions, for people."""
        return self._text(0)

    def json(self):
        """All regions, a JSON object a line."""
        return self._text(1)
