"""Edits of the environment hyperpod-slurm-trn1 that several tests make."""

from __future__ import annotations

from typing import Any

NAME = "hyperpod-slurm-trn1"
CPU = {"name": "prepare", "instance_type": "ml.m7i.4xlarge", "count": {"desired": 1}, "queue": "prepare"}
"""A group without Neuron devices."""
BUCKET: dict[str, Any] = {"storage.checkpoint_bucket": {}, "storage.compile_cache": {}}


def _team(name: str) -> dict[str, Any]:
    return {"name": name, "members": [f"arn:aws:iam::111122223333:role/{name}"]}


TEAMS = {"teams": [_team("research"), _team("applied")]}
