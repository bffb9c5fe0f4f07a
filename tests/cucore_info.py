# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests of cucore-info: python3 tests/cucore_info.py SIMULATED_DRIVER [EMULATOR] CUCORE_INFO"""

import json
import os
import subprocess
import sys
import unittest

DRIVER, *PROGRAM = sys.argv[1:]


def run(*options, **environment):
    """The end of a run with these environment variables and no others of CUDA's or ours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CUCORE_", "CUDA_", "CUSIM_"))}
    return subprocess.run([*PROGRAM, *options], env=kept | environment, capture_output=True, check=False)


def page(**environment):
    ended = run("--json", **environment)
    return ended.returncode, json.loads(ended.stdout)


class CucoreInfo(unittest.TestCase):
    def test_a_driver_and_its_devices(self):
        code, found = page(CUCORE_DRIVER_LIBRARY=DRIVER)
        self.assertEqual(code, 0)
        self.assertEqual(found["driver"], {"found": True, "version": "13.0", "path": DRIVER})
        self.assertEqual([device["architecture"] for device in found["devices"]], ["sm_90", "sm_90"])
        self.assertEqual(found["devices"][1]["memory"], 8 << 30)
        self.assertRegex(found["devices"][0]["uuid"], "^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        self.assertEqual(found["environment"]["CUCORE_DRIVER_LIBRARY"], DRIVER)

    def test_no_driver_and_what_was_tried(self):
        code, found = page(CUCORE_DRIVER_LIBRARY="/nowhere/libcuda.so.1")
        self.assertEqual(code, 1)
        self.assertFalse(found["driver"]["found"])
        self.assertIn("/nowhere/libcuda.so.1", found["driver"]["tried"][0])
        self.assertNotIn("devices", found)

    def test_no_device(self):
        code, found = page(CUCORE_DRIVER_LIBRARY=DRIVER, CUSIM_CONTROL="devices=0")
        self.assertEqual((code, found["devices"]), (1, []))

    def test_a_device_that_fails_says_why(self):
        code, found = page(CUCORE_DRIVER_LIBRARY=DRIVER, CUSIM_CONTROL="fail=cuMemGetInfo:1:719")
        self.assertEqual(code, 0)
        self.assertIn("cuMemGetInfo failed: CUDA_ERROR_LAUNCH_FAILED", found["devices"][0]["memory"])
        self.assertEqual(found["devices"][1]["memory"], 8 << 30)

    def test_compilers_are_told_with_what_was_tried(self):
        _, found = page(CUCORE_DRIVER_LIBRARY=DRIVER, CUCORE_NVRTC_LIBRARY="/nowhere/libnvrtc.so")
        self.assertFalse(found["nvrtc"]["found"])
        self.assertIn("/nowhere/libnvrtc.so", found["nvrtc"]["tried"][0])

    def test_json_is_utf_8_whatever_the_environment_holds(self):
        odd = os.fsdecode(b'/a"b\\c\n\xff\xc3\xa4')
        _, found = page(CUCORE_DRIVER_LIBRARY=DRIVER, CUDA_HOME=odd)
        self.assertEqual(found["environment"]["CUDA_HOME"], '/a"b\\c\n\xff\xe4')

    def test_text_says_the_same(self):
        ended = run(CUCORE_DRIVER_LIBRARY=DRIVER)
        self.assertEqual(ended.returncode, 0)
        for line in (b"driver\n  found                 yes\n", b"  1\n    name                Simulated CUDA device\n"):
            self.assertIn(line, ended.stdout)

    def test_options(self):
        self.assertEqual(run("--help").returncode, 0)
        self.assertRegex(run("--version").stdout, rb"^cucore-info \d+\.\d+\.\d+")
        for wrong in (["--jsn"], ["--json", "--json"], [""]):
            ended = run(*wrong)
            self.assertEqual((ended.returncode, ended.stdout), (2, b""))
            self.assertIn(b"usage: cucore-info", ended.stderr)

    def test_a_page_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            self.assertEqual(subprocess.run(PROGRAM, stdout=full, stderr=subprocess.DEVNULL, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
