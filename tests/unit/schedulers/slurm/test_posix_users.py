"""POSIX users of teams: files on the shared file system belong to their ids for years."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.schedulers.slurm.posix_users import FIRST_ID, LAST_ID, posix_id

LUSTRE = {"lustre": {"availability_zone": "usw2-az4", "capacity_gib": 1200}}


def team(name: str) -> dict[str, Any]:
    members = [f"arn:aws:iam::111122223333:role/{name}"]
    return {"name": name, "members": members, "namespaces": [{"name": name}]}


def users(
    plan_of: Callable[..., Any], *names: str, storage: dict[str, Any] | None = LUSTRE
) -> set[tuple[str, int, str]]:
    """Returns the users of every group of the plan."""
    edits: dict[str, Any] = {"teams": [team(name) for name in names]}
    plan = plan_of("slurm-trn1", edits | {"storage": storage}).provider(SlurmPlan)
    assert plan is not None
    (found,) = {tuple(group.start.users) for group in plan.compute_groups}
    return {(user.name, user.uid, user.home) for user in found}


def test_ids_are_those_that_were_given_once() -> None:
    """Another id would leave a team without its files."""
    assert (posix_id("research"), posix_id("product")) == (25024, 36366)


def test_ids_are_in_the_range_of_users() -> None:
    assert all(FIRST_ID <= posix_id(f"team{number}") <= LAST_ID for number in range(1000))


def test_a_user_does_not_depend_on_other_teams(plan_of: Callable[..., Any]) -> None:
    alone = {("team-research", 25024, "/fsx/home/team-research")}
    assert users(plan_of, "research") == alone
    assert users(plan_of, "product", "research") == alone | {("team-product", 36366, "/fsx/home/team-product")}


def test_without_a_shared_file_system_homes_are_local(plan_of: Callable[..., Any]) -> None:
    assert users(plan_of, "research", storage=None) == {("team-research", 25024, "/home/team-research")}
