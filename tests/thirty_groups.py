"""Edits of train-trn1 to 30 node groups, some alike, with long names and five teams."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import yaml

from tests.five_teams import NAMES, ROOT, team

ALIKE, DIFFERENT = 15, 14
TYPES = (
    "trn1.2xlarge", "inf2.xlarge", "inf2.8xlarge", "inf2.24xlarge", "inf2.48xlarge", "m7i.large", "m7i.2xlarge",
    "trn1n.32xlarge", "trn2.48xlarge",
)  # fmt: skip
IN_ONE_ZONE = ("trn1n", "trn2")
PODS = 27
"""A node: the addresses of the private subnets are enough for all groups."""


def thirty_groups() -> dict[str, Any]:
    """The content of the file."""
    tree: dict[str, Any] = yaml.safe_load((ROOT / "environments" / "train-trn1.yaml").read_text())
    groups = tree["eks"]["node_groups"]
    trained = groups[1]
    trained.update(count={"min": 0, "desired": 0, "max": 1}, queue="training")
    alike = copy.deepcopy(trained)
    del alike["queue"]
    groups += [{**alike, "name": f"trn1-pool-{number:02d}"} for number in range(2, ALIKE + 1)]
    groups += [_different(number) for number in range(DIFFERENT)]
    for group in groups:
        group["pods_per_node"] = PODS
    tree["storage"].pop("checkpoints", None)
    quota = [{"node_group": trained["name"], "devices": 3}]
    tree["teams"] = [team(name, quota=quota) for name in NAMES]
    return tree


def _different(number: int) -> dict[str, Any]:
    instance_type = TYPES[number % len(TYPES)]
    zone = {"availability_zone": "usw2-az4"} if instance_type.startswith(IN_ONE_ZONE) else {}
    count = {"min": 0, "desired": number % 2, "max": 1}
    return {
        "name": f"mixed-group-with-a-long-name-{number:02d}",
        "instance_type": instance_type,
        "count": count,
        **zone,
    }


def write_thirty_groups(folder: Path) -> Path:
    """As a file of the folder, in JSON, which is YAML without aliases."""
    file = folder / "train-trn1.yaml"
    file.write_text(json.dumps(thirty_groups(), indent=1))
    return file
