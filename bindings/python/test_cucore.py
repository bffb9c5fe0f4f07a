# SPDX-License-Identifier: MIT OR Apache-2.0
"""What cucore.py makes of failures. Needs the simulated driver, which can be told to fail, and NVRTC.

    CUCORE_LIBRARY=... CUCORE_DRIVER_LIBRARY=.../sim/libcuda.so.1 CUCORE_WHEELS=... python3 -m unittest -v test_cucore
"""

import array
import ctypes
import gc
import os
import threading
import unittest

import cucore
import saxpy

LAUNCH_FAILED = 719


driver = ctypes.CDLL(os.environ["CUCORE_DRIVER_LIBRARY"])


def fail(function):
    """The next call of this driver function fails."""
    driver.cusim_fail(function.encode(), ctypes.c_uint64(1), LAUNCH_FAILED, 0)


def count_live():
    """What is alive in the driver, but for contexts: a device's own is kept."""
    return driver.cusim_live_count(None) - driver.cusim_live_count(b"context")


class CucoreTest(unittest.TestCase):
    def setUp(self):
        self.warnings = cucore.Warnings()
        self.device = cucore.Device(0)
        self.addCleanup(self.device.close)

    def tearDown(self):
        self.assertEqual([str(warning) for warning in self.warnings], [])

    def check_warning(self, call):
        warning, = self.warnings
        self.assertEqual((warning.operation, warning.native_code), (call, LAUNCH_FAILED))
        self.assertRegex(warning.message, call + r"\(0x[0-9a-f]+\) failed: CUDA_ERROR_LAUNCH_FAILED")
        return warning

    def test_saxpy(self):
        live = count_live()
        x, y = array.array("f", [3] * 512), array.array("f", [1] * 512)
        self.assertEqual(list(saxpy.saxpy(self.device, 2, x, y)), [7] * 512)
        self.assertEqual(count_live(), live)

    def test_compile_error_has_log_and_notes(self):
        with self.assertRaises(cucore.Error) as raised:
            self.device.compile("this is no CUDA C++")
        error = raised.exception
        self.assertEqual((error.code, error.code_name), (cucore.COMPILE, "COMPILE"))
        self.assertIn("program.cu(1): error", error.log)
        self.assertIn((cucore.NOTE_CAUSE, f"option --gpu-architecture={self.device.arch}"), error.notes)

    def test_failing_release_is_a_warning(self):
        fail("cuEventDestroy")
        self.device.event().release()
        warning = self.check_warning("cuEventDestroy")
        self.assertIn(cucore.NOTE_CONSEQUENCE, [kind for kind, _ in warning.notes])

    def test_dropped_handle_is_released(self):
        fail("cuEventDestroy")
        self.device.event()
        gc.collect()
        self.check_warning("cuEventDestroy")

    def test_release_on_another_thread(self):
        fail("cuStreamDestroy")
        thread = threading.Thread(target=self.device.stream().release)
        thread.start()
        thread.join()
        self.check_warning("cuStreamDestroy")

    def test_failing_close_raises(self):
        fail("cuStreamDestroy")
        stream = self.device.stream()
        with self.assertRaisesRegex(cucore.Error, "cuStreamDestroy.*CUDA_ERROR_LAUNCH_FAILED") as raised:
            stream.close()
        self.assertEqual(raised.exception.native_code, LAUNCH_FAILED)
        stream.close()  # the reference is gone all the same
        with self.assertRaisesRegex(ctypes.ArgumentError, "this stream is closed"):
            stream.synchronize()

    def test_forked_child_is_refused(self):
        stream = self.device.stream()
        child = os.fork()
        if child == 0:
            os._exit(self.child_is_refused(stream))
        self.assertEqual(os.waitpid(child, 0), (child, 0))
        stream.close()

    def child_is_refused(self, stream):
        """Status 0 if releases do nothing, and a call says why it cannot be made."""
        stream.release()
        try:
            self.device.event()
        except cucore.Error as error:
            return 0 if error.code_name == "INVALID_STATE" and "fork" in error.message else 1
        return 2

    def test_failure_on_its_way_is_kept(self):
        fail("cuStreamDestroy")
        with self.assertRaises(KeyError), self.device.stream():
            raise KeyError("the body's own")
        self.check_warning("cuStreamDestroy")


if __name__ == "__main__":
    unittest.main()
