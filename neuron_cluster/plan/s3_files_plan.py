"""The file system of S3 Files, in the words of the service."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath

S3_FILES_FOLDER = "pods"
"""Folder of the file system that pods mount: S3 Files creates it with their user as its owner, at the first mount.

The root of the file system belongs to root, and an access point changes no owner of a folder that exists.
"""
S3_FILES_USER = 1000
"""User and group as which all pods work there: those of the bundled charts."""


class S3FilesPlan(Struct, frozen=True):
    path: KeyPath
    prefix: str
    """Of the checkpoint bucket; ends in a slash."""
    zone_ids: tuple[str, ...]
    """Those with a mount target: each zone of the network."""
