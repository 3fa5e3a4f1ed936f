"""slurm-storage with a Kubernetes cluster next to the Slurm cluster, for both of its teams."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.conftest import ROOT

SERVE: dict[str, Any] = {
    "name": "serve",
    "instance_type": "inf2.24xlarge",
    "count": {"max": 4},
    "availability_zone": "usw2-az4",
    "queue": "serving",
}
PREPARE = {"name": "prepare", "instance_type": "m7i.4xlarge", "count": {"max": 8}, "root_volume": {"size_gib": 200}}


def write_two_clusters(folder: Path) -> Path:
    """As a file of the folder; Slurm has a second group, and a queue of both."""
    tree = yaml.safe_load((ROOT / "tests" / "fixtures" / "environments" / "slurm-storage.yaml").read_text())
    general = {"name": "general", "instance_type": "m7i.xlarge", "count": {"min": 2, "desired": 2, "max": 3}}
    tree["eks"] = {
        "version": "1.35",
        "endpoint": {"access": "private"},
        "access": {"admins": ["arn:aws:iam::111122223333:role/admin"]},
        "node_groups": [general, SERVE],
    }
    tree["slurm"]["groups"].append(PREPARE)
    tree["slurm"]["queues"].append({"name": "everything", "groups": ["prepare", "trn1"]})
    for team in tree["teams"]:
        team["namespaces"] = [{"name": team["name"]}]
        team["quota"] = [{"node_group": SERVE["name"], "devices": 6}]
    file = folder / "slurm-storage.yaml"
    file.write_text(yaml.safe_dump(tree, sort_keys=False))
    return file
