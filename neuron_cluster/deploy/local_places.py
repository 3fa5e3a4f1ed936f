"""Accounts of the local AWS that the files of a project name."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.deploy.local_server import make_named_resources
from neuron_cluster.opened_environment import checked_file
from neuron_cluster.project import Project

Place = tuple[str, str]
"""Account and Region."""


def local_places(project: Project, endpoint: str, *, is_fresh_account: bool) -> Mapping[Place, list[str]]:
    """Names of the environments without errors by place; the principals of their files exist afterwards.

    A fresh account has no principals: a deploy finds that out, as on AWS.
    """
    places: dict[Place, list[str]] = {}
    for file in project.environment_files():
        plan = checked_file(file).plan
        if plan is None:
            continue
        if not is_fresh_account:
            make_named_resources(endpoint, plan)
        places.setdefault((plan.account, plan.region), []).append(file.path.stem)
    return places
