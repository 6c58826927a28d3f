"""The Qt binding itself: PySide6 6.12.0 drops a reference to None with every call that returns nothing.

Python 3.11 counts references to None, so that such a binding ends any longer session with a fatal error
("deallocating None"). 6.11.3 is sound; whoever raises the version needs this test.
"""

import sys

import PySide6
from PySide6.QtCore import QObject

CALLS = 200


def test_calls_without_a_result_keep_the_count_of_none():
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        thing.setObjectName("x")
    lost = before - sys.getrefcount(None)
    assert lost < CALLS / 2, f"PySide6 {PySide6.__version__} loses references to None; pin 6.11.3 instead"
