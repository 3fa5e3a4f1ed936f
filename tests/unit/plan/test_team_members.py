"""Members of a team by permission set: the role that the lock has, and none without it."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.handover.login import logins
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import lock_path, locks_beside
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.planning.build_lock_inputs import build_lock_inputs
from tests.five_teams import team, written_with_teams

PLAIN = "arn:aws:iam::111122223333:role/research"
ROLE = "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Research_0123456789abcdef"


def plan_of(folder: Path, **locked: str) -> ClusterPlan:
    sets = team("research", permission_sets=["Guests", "Research"])
    file = written_with_teams(folder, [sets, team("product", members=[], permission_sets=["Product"])])
    lock = Lock("train-trn1", "111122223333", "us-west-2", "1.35", permission_sets=locked)
    write_lock(lock_path(locks_beside(file), lock.environment), lock_text(lock, {}, "a test"))
    return check_environment(file).require_plan()


def test_a_locked_role_is_a_member_and_another_permission_set_is_none_yet(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, Research=ROLE)
    assert plan.kubernetes is not None
    research, product = plan.kubernetes.teams
    assert [(each.path, each.arn) for each in research.members] == [
        (("teams", 0, "members", 0), PLAIN),
        (("teams", 0, "permission_sets", 1), ROLE),
    ]
    assert product.principals == ()
    assert [each.commands[0].partition(" --")[0] for each in logins(plan, plan.kubernetes, research)] == [
        f"aws configure set role_arn {PLAIN}",
        "aws configure sso",
    ]


def test_a_lock_is_asked_for_every_permission_set_also_of_those_that_it_has(tmp_path: Path) -> None:
    inputs = build_lock_inputs(plan_of(tmp_path, Research=ROLE), load_catalog())
    assert inputs.permission_sets == ("Guests", "Product", "Research")
