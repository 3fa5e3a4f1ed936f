"""Roles of permission sets: what a lock pins of them, and what stops a deploy when they have changed since."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.lock_resolver import LockResolver, ResolvedLockInputs
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.local_checks.principals import make_principals
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.lock.diff import change_row, drift
from neuron_cluster.lock.inputs import LockInputs
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import lock_path, locks_beside
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.pipeline import check_environment
from neuron_cluster.providers.eks import principals
from tests.five_teams import team, written_with_teams

pytestmark = pytest.mark.slow
REGION, ACCOUNT = "us-west-2", "111122223333"
PATH = "/aws-reserved/sso.amazonaws.com/"
OLD, NEW = "0123456789abcdef", "fedcba9876543210"


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def target(aws: LocalAws) -> Iterator[LocalTarget]:
    aws.empty()
    found = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    yield found
    close_clients(found)


def make_role(target: LocalTarget, name: str, path: str = f"{PATH}eu-west-1/") -> str:
    """As IAM Identity Center does when a permission set is assigned to the account."""
    (made,) = make_principals(target.endpoint, REGION, [f"arn:aws:iam::{ACCOUNT}:role{path}{name}"])
    return made


def resolved(target: LocalTarget, *names: str) -> ResolvedLockInputs:
    inputs = LockInputs("train-trn1", ACCOUNT, REGION, "1.35", {}, {}, (), (), (), permission_sets=names)
    return LockResolver(target, None, lambda _: None).resolve(inputs)


def test_the_role_of_each_permission_set_is_pinned_with_and_without_a_region(target: LocalTarget) -> None:
    research = make_role(target, f"AWSReservedSSO_Research_{OLD}")
    product = make_role(target, f"AWSReservedSSO_Research_2_{OLD}", PATH)
    make_role(target, f"AWSReservedSSO_Guests_{OLD}", "/")  # no role of Identity Center
    make_role(target, f"AWSReservedSSO_Other_{OLD}")
    found = resolved(target, "Research", "Research_2")
    assert found.lock.permission_sets == {"Research": research, "Research_2": product}
    assert "iam:ListRoles" in found.sources["permission_sets", "Research"]
    with pytest.raises(ToolkitError, match="no role of the permission sets Guests; those that have one: Other, Res"):
        resolved(target, "Research", "Guests")


def test_a_role_on_a_later_page_is_found(target: LocalTarget) -> None:
    for number in range(120):
        make_role(target, f"AWSReservedSSO_Other{number:03}_{OLD}")
    last = make_role(target, f"AWSReservedSSO_Research_{OLD}")
    assert resolved(target, "Research").lock.permission_sets == {"Research": last}


def test_two_roles_of_one_permission_set_are_listed_and_none_is_chosen(target: LocalTarget) -> None:
    both = [make_role(target, f"AWSReservedSSO_Research_{suffix}", PATH) for suffix in (OLD, NEW)]
    with pytest.raises(ToolkitError) as raised:
        resolved(target, "Research")
    assert all(arn in raised.value.message for arn in both)
    assert "teams[].members" in (raised.value.hint or "")


def test_a_new_suffix_is_drift_and_stops_a_deploy_until_it_is_locked(target: LocalTarget, tmp_path: Path) -> None:
    file = written_with_teams(tmp_path, [team("research", members=[], permission_sets=["Research"])])
    role = make_role(target, f"AWSReservedSSO_Research_{OLD}")
    before = resolved(target, "Research").lock
    assert findings(file, before, target) == []
    client(target, "iam").delete_role(RoleName=role.rpartition("/")[2])
    after_role = make_role(target, f"AWSReservedSSO_Research_{NEW}")
    after = resolved(target, "Research").lock
    assert [change_row(each) for each in drift(before, after)] == [
        ("changed", "permission set", "Research", role, after_role)
    ]
    (stale,) = findings(file, before, target)
    assert (stale.id, stale.location.path) == ("E9552", "teams.0.permission_sets.0")
    assert "run `neuron-cluster lock train-trn1`" in stale.hint
    assert findings(file, after, target) == []


def findings(file: Path, lock: Lock, target: LocalTarget) -> list[Finding]:
    """Returns findings about teams of the preflight check of principals."""
    write_lock(lock_path(locks_beside(file), lock.environment), lock_text(lock, {}, "a test"))
    plan = check_environment(file).require_plan()

    def locate(path: tuple[str | int, ...]) -> Location:
        return Location(file.name, path=".".join(map(str, path)))

    destination = local_destination(target.endpoint, ACCOUNT, REGION)
    context = PreflightContext(plan, destination, locate, load_catalog(), lock_again="neuron-cluster lock train-trn1")
    return [each for each in principals.check(context) if each.location.path.startswith("teams")]
