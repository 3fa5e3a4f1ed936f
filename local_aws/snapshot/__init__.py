"""Snapshots: the whole state of a local AWS in one file, and back."""
