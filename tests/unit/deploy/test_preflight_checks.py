"""Placeholders stop a deploy to AWS, never one to the local AWS."""

from __future__ import annotations

from msgspec import structs

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.preflight.account import deploy_preflight
from neuron_cluster.deploy.preflight.checks import placeholder_findings
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.placeholders import PLACEHOLDER_RESERVATION

PLACEHOLDERS = {"111122223333"}


def locate(path: tuple[str | int, ...]) -> Location:
    return Location("train.yaml", path=".".join(map(str, path)))


def found_at(plan: ClusterPlan, accounts: set[str] = PLACEHOLDERS) -> list[str]:
    findings = placeholder_findings(plan, accounts, locate)
    assert all(finding.id == "E9502" and finding.hint for finding in findings)
    return [finding.location.path for finding in findings]


def test_the_account_and_every_principal_are_looked_at(training: ClusterPlan) -> None:
    assert found_at(training) == ["account", "eks.access.admins.0"]


def test_a_principal_of_a_placeholder_account_is_refused_beside_a_real_account(training: ClusterPlan) -> None:
    assert found_at(structs.replace(training, account="210987654321")) == ["eks.access.admins.0"]


def with_market(plan: ClusterPlan, **members: str) -> ClusterPlan:
    """The plan, with other capacity for its Neuron group."""
    assert plan.kubernetes is not None
    groups = list(plan.kubernetes.node_groups)
    purchase = structs.replace(groups[1].machine.purchase, **members)  # type: ignore[arg-type]  # members of one type
    groups[1] = structs.replace(groups[1], machine=structs.replace(groups[1].machine, purchase=purchase))
    return structs.replace(plan, providers=(structs.replace(plan.kubernetes, node_groups=tuple(groups)),))


def test_a_placeholder_reservation_is_refused(training: ClusterPlan) -> None:
    plan = with_market(training, reservation_id=PLACEHOLDER_RESERVATION)
    assert found_at(plan, set()) == ["eks.node_groups.1.capacity.reservation_id"]


def test_a_resource_group_of_a_placeholder_account_is_refused(training: ClusterPlan) -> None:
    arn = "arn:aws:resource-groups:us-west-2:210987654321:group/trn1"
    plan = with_market(training, resource_group_arn=arn)
    assert found_at(plan, {"210987654321"}) == ["eks.node_groups.1.capacity.resource_group"]
    assert found_at(plan, set()) == []


def test_the_local_aws_takes_placeholders(training: ClusterPlan) -> None:
    local = local_destination("http://127.0.0.1:9", training.account, training.region)
    context = PreflightContext(training, local, locate, load_catalog(), placeholder_accounts=PLACEHOLDERS)
    found = deploy_preflight(context)
    assert [each.id for each in found] == ["W9556"], "zones are asked for, of a local AWS that does not answer here"
