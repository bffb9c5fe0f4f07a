# SPDX-License-Identifier: MIT OR Apache-2.0
"""libcucore from Python, with ctypes and nothing else: a sample to copy from and add to, not the whole library.

Each handle is an object that `with` closes: what fails in that is raised. One that is only dropped is released: what fails in that
is a warning, which Warnings collects.
"""

import ctypes
import os
import weakref
from ctypes import POINTER, byref, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

PTX = 1
OK, OUT_OF_MEMORY, DEVICE_LOST, COMPILE, DRIVER = 0, 7, 8, 9, 13
NOTE_CAUSE, NOTE_CONSEQUENCE, NOTE_ADVICE = 1, 2, 3

_ARGUMENT_BYTES, _ARGUMENT_OBJECT = 2, 3


class _Argument(ctypes.Structure):
    _fields_ = [("kind", c_uint32), ("size", c_uint32), ("value", c_uint64), ("bytes", c_void_p), ("object", c_void_p),
                ("reserved", c_uint64 * 2)]


class _LaunchOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("grid", c_uint32 * 3), ("block", c_uint32 * 3), ("shared_bytes", c_uint32),
                ("reserved", c_uint32)]


_STATUS = POINTER(c_void_p)
_TEXT = (c_char_p, c_size_t)

# What each function takes and gives. ctypes would take an undeclared result for an int, and cut handles in half.
_FUNCTIONS = {
    "status_release": (None, c_void_p),
    "status_code": (c_int32, c_void_p),
    "status_native_code": (c_int64, c_void_p),
    "status_operation": (c_char_p, c_void_p, c_void_p),
    "status_message": (c_char_p, c_void_p, c_void_p),
    "status_log": (c_char_p, c_void_p, c_void_p),
    "status_note_count": (c_size_t, c_void_p),
    "status_note": (c_void_p, c_void_p, c_size_t),
    "status_note_kind": (c_int32, c_void_p, c_size_t),
    "status_code_name": (c_char_p, c_int32),
    "warning_queue_create": (c_void_p, c_size_t, _STATUS),
    "warning_queue_poll": (c_void_p, c_void_p),
    "warning_queue_lost": (c_uint64, c_void_p),
    "warning_queue_release": (None, c_void_p),
    "device_open": (c_void_p, c_int32, _STATUS),
    "device_name": (c_char_p, c_void_p, c_void_p),
    "device_arch": (c_char_p, c_void_p, c_void_p),
    "stream_create": (c_void_p, c_void_p, c_void_p, _STATUS),
    "stream_synchronize": (c_int32, c_void_p, _STATUS),
    "event_create": (c_void_p, c_void_p, c_void_p, _STATUS),
    "event_record": (c_int32, c_void_p, c_void_p, _STATUS),
    "event_synchronize": (c_int32, c_void_p, _STATUS),
    "memory_resource_device_pool": (c_void_p, c_void_p, _STATUS),
    "memory_resource_allocate": (c_void_p, c_void_p, c_size_t, c_void_p, _STATUS),
    "buffer_size": (c_size_t, c_void_p),
    "buffer_copy_from_host": (c_int32, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, _STATUS),
    "buffer_copy_to_host": (c_int32, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, _STATUS),
    "program_create": (c_void_p, c_void_p, *_TEXT, c_void_p, _STATUS),
    "program_compile": (c_void_p, c_void_p, c_int32, _STATUS),
    "object_code_log": (c_char_p, c_void_p, c_void_p),
    "library_load": (c_void_p, c_void_p, c_void_p, _STATUS),
    "library_kernel": (c_void_p, c_void_p, *_TEXT, _STATUS),
    "kernel_launch": (c_int32, c_void_p, c_void_p, POINTER(_LaunchOptions), POINTER(_Argument), c_size_t, _STATUS),
}


def _declare(library, name, result, parameters):
    function = getattr(library, f"cucore_{name}")
    function.restype, function.argtypes = result, parameters
    return function


def _load(path):
    library = ctypes.CDLL(path)
    for noun in ("device", "stream", "event", "memory_resource", "buffer", "program", "object_code", "library", "kernel"):
        _FUNCTIONS[f"{noun}_release"] = (None, c_void_p)
        _FUNCTIONS[f"{noun}_close"] = (c_int32, c_void_p, c_void_p, _STATUS)
    return {name: _declare(library, name, result, parameters) for name, (result, *parameters) in _FUNCTIONS.items()}


# The file is libcucore.so.1, not libcucore.so: the number is the promise that these declarations rest on.
_C = _load(os.environ.get("CUCORE_LIBRARY", "libcucore.so.1"))


class Error(Exception):
    """A failure: `code` is what to decide by, `notes` are pairs of kind and message, `log` is a compiler's or linker's."""

    def __init__(self, status):
        self.code = _C["status_code"](status)
        self.code_name = _C["status_code_name"](self.code).decode()
        self.operation = _C["status_operation"](status, None).decode()
        self.native_code = _C["status_native_code"](status)
        self.message = _C["status_message"](status, None).decode()
        self.log = _C["status_log"](status, None).decode(errors="replace")
        self.notes = [_note(status, index) for index in range(_C["status_note_count"](status))]
        super().__init__(self.message)

    def __str__(self):
        return "\n".join([self.message, *(f"  {message}" for _, message in self.notes), self.log]).rstrip()


def _note(status, index):
    message = _C["status_message"](_C["status_note"](status, index), None)
    return _C["status_note_kind"](status, index), message.decode()


def _take(status):
    """The Error of a status, whose reference it gives up."""
    try:
        return Error(status)
    finally:
        _C["status_release"](status)


def _call(name, *arguments):
    """Calls a function that can fail, and raises what it fails with: a failure always has its status."""
    status = c_void_p()
    result = _C[name](*arguments, byref(status))
    if status:
        raise _take(status)
    return result


class _Handle:
    """One reference. The finalizer runs at the latest at exit, before the library is shut, and on any thread."""

    def __init__(self, handle):
        self._handle = handle
        self._release = weakref.finalize(self, _C[f"{self.NOUN}_release"], handle)

    @property
    def _as_parameter_(self):
        if not self._release.alive:
            raise ValueError(f"this {self.NOUN} is closed")
        return self._handle

    def close(self):
        """Gives the reference up, and raises what failed in destroying the resource. Again, it does nothing."""
        if self._release.detach():
            _call(f"{self.NOUN}_close", self._handle, None)

    def release(self):
        """Gives the reference up; what fails is a warning. Again, it does nothing."""
        self._release()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        # A failure on its way is not to be replaced by that of a cleanup.
        if error:
            self.release()
        else:
            self.close()


class Warnings:
    """The failures that no call can return, in a queue: a sink could be called in the midst of any thread's work, and must not
    raise. Iteration takes those that are there, each an Error."""

    def __init__(self, capacity=256):
        self._queue = _call("warning_queue_create", capacity)
        self._release = weakref.finalize(self, _C["warning_queue_release"], self._queue)

    @property
    def lost(self):
        """How many found the queue full."""
        return _C["warning_queue_lost"](self._queue)

    def __iter__(self):
        while status := _C["warning_queue_poll"](self._queue):
            yield _take(status)


class Device(_Handle):
    NOUN = "device"

    def __init__(self, ordinal=0):
        super().__init__(_call("device_open", ordinal))

    @property
    def name(self):
        return _C["device_name"](self, None).decode()

    @property
    def arch(self):
        return _C["device_arch"](self, None).decode()

    def stream(self):
        return Stream(_call("stream_create", self, None))

    def event(self):
        return Event(_call("event_create", self, None))

    def allocate(self, size, stream):
        """A buffer of `size` bytes from the device's default pool, in the order of the stream."""
        with MemoryResource(_call("memory_resource_device_pool", self)) as pool:
            return Buffer(_call("memory_resource_allocate", pool, size, stream))

    def compile(self, source):
        """CUDA C++ to PTX, with NVRTC."""
        text = source.encode()
        with Program(_call("program_create", self, text, len(text), None)) as program:
            return ObjectCode(_call("program_compile", program, PTX))

    def load(self, code):
        return Library(_call("library_load", self, code))


class Stream(_Handle):
    NOUN = "stream"

    def synchronize(self):
        """Waits; other threads of Python run meanwhile."""
        _call("stream_synchronize", self)


class Event(_Handle):
    NOUN = "event"

    def record(self, stream):
        _call("event_record", self, stream)

    def synchronize(self):
        _call("event_synchronize", self)


class MemoryResource(_Handle):
    NOUN = "memory_resource"


class Buffer(_Handle):
    NOUN = "buffer"

    def __len__(self):
        return _C["buffer_size"](self)

    def copy_from(self, source, stream):
        """Copies all of `source`: an array.array, a bytearray, a NumPy array, or whatever else is writable memory."""
        memory = ctypes.c_char.from_buffer(source)
        _call("buffer_copy_from_host", self, 0, byref(memory), memoryview(source).nbytes, stream)

    def copy_to(self, destination, stream):
        memory = ctypes.c_char.from_buffer(destination)
        _call("buffer_copy_to_host", self, 0, byref(memory), memoryview(destination).nbytes, stream)


class Program(_Handle):
    NOUN = "program"


class ObjectCode(_Handle):
    NOUN = "object_code"

    @property
    def log(self):
        return _C["object_code_log"](self, None).decode(errors="replace")


class Library(_Handle):
    NOUN = "library"

    def kernel(self, name):
        text = name.encode()
        return Kernel(_call("library_kernel", self, text, len(text)))


class Kernel(_Handle):
    NOUN = "kernel"

    def launch(self, stream, grid, block, *arguments):
        """Arguments are buffers and ctypes values, such as c_float(2): Python's own numbers do not say how wide they are."""
        options = _LaunchOptions(ctypes.sizeof(_LaunchOptions), (grid, 1, 1), (block, 1, 1))
        packed = (_Argument * len(arguments))(*map(_argument, arguments))
        _call("kernel_launch", self, stream, byref(options), packed, len(arguments))


def _argument(value):
    if isinstance(value, Buffer):
        return _Argument(kind=_ARGUMENT_OBJECT, object=value._as_parameter_)
    return _Argument(kind=_ARGUMENT_BYTES, size=ctypes.sizeof(value), bytes=ctypes.addressof(value))
