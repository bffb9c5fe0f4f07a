# SPDX-License-Identifier: MIT OR Apache-2.0
"""A test that fails if anything could not be destroyed.

    CUCORE_LIBRARY=path/to/libcucore.so.1 python3 no_warnings.py
"""

import contextlib

import cucore


@contextlib.contextmanager
def no_warnings():
    """A block, such as a test, that raises at its end if there were warnings."""
    warnings = cucore.Warnings()
    yield
    seen = [str(warning) for warning in warnings]
    if seen or warnings.lost:
        raise AssertionError(f"{len(seen) + warnings.lost} warnings: " + "; ".join(seen))


def main():
    with no_warnings(), cucore.Device(0) as device:
        device.event()  # dropped, not closed: if it cannot be destroyed, that is a warning


if __name__ == "__main__":
    main()
