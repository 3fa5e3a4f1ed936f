"""Edits of train-trn1 that add five teams to its node group, which has 256 Neuron devices on 16 nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]

NAMES = ("research", "product", "ranking", "speech", "vision")
GROUP = "trn1"


def team(name: str, **keys: Any) -> dict[str, Any]:
    """One with a member, a namespace of its name and 32 devices."""
    return {
        "name": name,
        "members": [f"arn:aws:iam::111122223333:role/{name}"],
        "namespaces": [{"name": name}],
        "quota": [{"node_group": GROUP, "devices": 32}],
        **keys,
    }


FIVE = tuple(map(team, NAMES))


def with_teams(teams: Sequence[Mapping[str, Any]] = FIVE, **edits: Any) -> dict[str, Any]:
    """Returns edits of ``train-trn1``: its Neuron group serves the queue ``training``."""
    return {"eks.node_groups.1.queue": "training", "teams": [dict(each) for each in teams], **edits}


def written_with_teams(folder: Path, teams: Sequence[Mapping[str, Any]] = FIVE, **edits: Any) -> Path:
    """``train-trn1`` with teams, as a file in the folder."""
    tree = yaml.safe_load((ROOT / "environments" / "train-trn1.yaml").read_text())
    for path, value in with_teams(teams, **edits).items():
        place: Any = tree
        *parts, last = (int(part) if part.isdigit() else part for part in path.split("."))
        for part in parts:
            place = place[part]
        place[last] = value
    file = folder / "train-trn1.yaml"
    file.write_text(yaml.safe_dump(tree))
    return file
