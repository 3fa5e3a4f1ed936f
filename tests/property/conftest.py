"""Puts the strategies and the local life within reach of the tests here."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
# account_snapshot, what the services of an account list, belongs to the round trips.
sys.path[:0] = [str(Path(__file__).parent), str(TESTS / "round_trip")]
