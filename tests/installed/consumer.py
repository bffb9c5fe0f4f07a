# SPDX-License-Identifier: MIT OR Apache-2.0
"""Loads the library where it is installed, and opens a device: python3 consumer.py [LIBRARY]"""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libcucore.so.1")
library.cucore_device_open.restype = ctypes.c_void_p
library.cucore_device_release.argtypes = [ctypes.c_void_p]
library.cucore_version_text.restype = ctypes.c_char_p

status = ctypes.c_void_p()
device = library.cucore_device_open(0, ctypes.byref(status))
assert device and not status, "no device"
library.cucore_device_release(device)
print(library.cucore_version_text().decode())
