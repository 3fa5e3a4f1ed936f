"""Ids of the shipped examples that belong to nobody."""

from __future__ import annotations

PLACEHOLDER_RESERVATION = "cr-0123456789abcdef0"
