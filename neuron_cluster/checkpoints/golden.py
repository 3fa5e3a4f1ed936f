"""Checkpoints that are kept longer than the others."""

from __future__ import annotations

GOLDEN_PREFIX = "golden/"
"""The prefix of the bucket, outside of the synchronized one: a lifecycle rule has no exceptions."""
