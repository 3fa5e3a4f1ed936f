"""An environment of a network and storage: the shortest one that holds data."""

from __future__ import annotations

from pathlib import Path

ONLY_DATA = """
schema: 1
name: only-data
account: 111122223333
region: us-west-2
neuron: {sdk: 2.32.0}
network:
  cidr: 10.40.0.0/16
  availability_zones: [usw2-az4, usw2-az1]
storage:
  checkpoint_bucket: {}
  lustre: {availability_zone: usw2-az4, capacity_gib: 1200}
"""
WITH_SYNC = ONLY_DATA.replace("1200}", "1200, sync: {}}")


def with_only_data(project: Path, text: str = ONLY_DATA) -> Path:
    """The project, which has the environment too."""
    (project / "environments" / "only-data.yaml").write_text(text)
    return project
