# SPDX-License-Identifier: MIT OR Apache-2.0
"""A test that fails if any destruction failed: libcucore's warnings in Python, through a queue, since its sinks run on any thread.

    python3 examples/warnings.py [libcucore.so.1]
"""

import ctypes
import sys
from ctypes import POINTER, byref, c_char_p, c_int32, c_size_t, c_uint64, c_void_p


def load(path):
    """The library, with the types of the functions used here: ctypes would take each result for an int."""
    library = ctypes.CDLL(path)
    for name, result, *parameters in [
        ("cucore_status_message", c_char_p, c_void_p, POINTER(c_size_t)),
        ("cucore_status_release", None, c_void_p),
        ("cucore_warning_queue_create", c_void_p, c_size_t, POINTER(c_void_p)),
        ("cucore_warning_queue_poll", c_void_p, c_void_p),
        ("cucore_warning_queue_lost", c_uint64, c_void_p),
        ("cucore_warning_queue_release", None, c_void_p),
        ("cucore_device_open", c_void_p, c_int32, POINTER(c_void_p)),
        ("cucore_device_release", None, c_void_p),
        ("cucore_event_create", c_void_p, c_void_p, c_void_p, POINTER(c_void_p)),
        ("cucore_event_release", None, c_void_p),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, parameters
    return library


def take(library, status):
    """The message of a status, whose reference it gives up."""
    message = library.cucore_status_message(status, None).decode()
    library.cucore_status_release(status)
    return message


def made(library, function, *arguments):
    """Calls a function that returns a handle, or raises what it failed with."""
    status = c_void_p()
    handle = function(*arguments, byref(status))
    if not handle:
        raise RuntimeError(take(library, status))
    return handle


class NoWarnings:
    """A block, such as a test, that raises at its end if there were warnings."""

    def __init__(self, library):
        self.library = library

    def __enter__(self):
        self.queue = made(self.library, self.library.cucore_warning_queue_create, 64)

    def __exit__(self, kind, error, traceback):
        seen = []
        while warning := self.library.cucore_warning_queue_poll(self.queue):
            seen.append(take(self.library, warning))
        lost = self.library.cucore_warning_queue_lost(self.queue)
        self.library.cucore_warning_queue_release(self.queue)
        if (seen or lost) and not error:
            raise AssertionError(f"{len(seen) + lost} warnings: " + "; ".join(seen))


def main():
    library = load(sys.argv[1] if len(sys.argv) > 1 else "libcucore.so.1")
    with NoWarnings(library):
        device = made(library, library.cucore_device_open, 0)
        event = made(library, library.cucore_event_create, device, None)
        library.cucore_event_release(event)
        library.cucore_device_release(device)


if __name__ == "__main__":
    main()
