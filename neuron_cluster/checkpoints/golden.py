"""Checkpoints that are kept longer than the others."""

from __future__ import annotations

GOLDEN_PREFIX = "golden/"
"""Of the bucket, beside the synchronized prefix: a lifecycle rule has no exceptions."""
