"""The ten lines of a plan, and what they say is missing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.cost.environment_cost import environment_cost
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.missing_before_deploy import missing_before_deploy
from neuron_cluster.report.plan_overview import overview_tables
from neuron_cluster.report.plan_summary import WIDTH, SummaryParts, summary_lines

CATALOG = load_catalog()

ACCOUNT = {"account": "210987654321"}
OWN = ACCOUNT | {"eks.access.admins": ["arn:aws:iam::210987654321:role/platform-admin"]}
WARNING = Finding("W3011", Location("a.yaml", 1), "a group follows the newest AMI", "write a lock")
PLACEHOLDER = Finding("W6002", Location("a.yaml", 1), "the account is an example", "write yours")
LATER = Finding("W3042", Location("a.yaml", 9), "the block starts later", "wait")
ERROR = Finding("E1010", Location("a.yaml", 9), "the subnet is too small", "write a larger one")


def lines_of(plan: ClusterPlan, catalog: Catalog, *findings: Finding) -> dict[str, str]:
    """The lines below the title, by label."""
    cost = environment_cost(plan, catalog, date(2026, 11, 21))
    parts = SummaryParts(plan=plan, catalog=catalog, cost=cost, findings=findings, has_lock=True)
    return dict(line.split(maxsplit=1) for line in summary_lines(parts)[1:])


def test_nothing_is_missing_with_own_values_and_a_lock_that_has_the_metadata(
    plan_of: Callable[..., ClusterPlan],
) -> None:
    plan = plan_of("train-trn1", OWN | {"storage.lustre.metadata": "automatic"})
    assert missing_before_deploy(plan, CATALOG, has_lock=True) == []
    assert missing_before_deploy(plan, CATALOG, has_lock=False) == ["no lock"]


def test_metadata_is_missing_where_neither_the_file_nor_the_lock_decides_it(
    plan_of: Callable[..., ClusterPlan],
) -> None:
    (found,) = missing_before_deploy(plan_of("train-trn1", OWN), CATALOG, has_lock=True)
    assert "storage.lustre.metadata" in found


def test_an_ami_is_missing_for_slurm_nodes_without_one(plan_of: Callable[..., ClusterPlan]) -> None:
    plan = plan_of("slurm-trn1", ACCOUNT | {"slurm.ami_id": None, "storage": None})
    assert missing_before_deploy(plan, CATALOG, has_lock=True) == ["no AMI for slurm.ami_id"]


def test_many_placeholders_are_counted(plan_of: Callable[..., ClusterPlan]) -> None:
    (found,) = missing_before_deploy(plan_of("research-teams", {"storage.lustre": None}), CATALOG, has_lock=True)
    assert found == "account, eks.access.admins[0] and 10 more keys are placeholders"


@pytest.mark.parametrize(
    ("findings", "shown"),
    [
        ((), "none"),
        ((WARNING, LATER), "2 warnings; W3042: the block starts later"),
        ((PLACEHOLDER, WARNING), "2 warnings; W3011: a group follows the newest AMI"),
        ((LATER, ERROR), "1 error, 1 warning; E1010: the subnet is too small"),
    ],
)
def test_the_worst_finding_is_an_error_or_a_warning_about_what_is_built(
    findings: tuple[Finding, ...], shown: str, training: ClusterPlan, catalog: Catalog
) -> None:
    assert lines_of(training, catalog, *findings)["findings"] == shown


def test_a_long_message_ends_between_words_and_outside_of_backticks(training: ClusterPlan, catalog: Catalog) -> None:
    message = f"{'word ' * 11}`neuron-cluster lock train-trn1 --no-registry` more"
    text = lines_of(training, catalog, replace(WARNING, message=message))["findings"]
    assert text.endswith("word …")
    assert len(text) <= WIDTH


def test_stores_that_do_not_fit_are_counted(plan_of: Callable[..., ClusterPlan], catalog: Catalog) -> None:
    text = lines_of(plan_of("storage-kinds"), catalog)["storage"]
    assert text == "FSx for Lustre (1,200 GiB PERSISTENT_2), checkpoint bucket, compile cache and 4 more"


def test_an_environment_of_workstations_has_no_cluster(plan_of: Callable[..., ClusterPlan], catalog: Catalog) -> None:
    lines = lines_of(plan_of("workstation"), catalog)
    assert lines["cluster"] == "none"
    assert lines["devices"] == "1 Neuron device at the desired count, 1 at the maximum: inferentia2"


def test_stores_subnets_and_teams_are_capped_with_a_row_that_counts_the_rest(
    plan_of: Callable[..., ClusterPlan], catalog: Catalog
) -> None:
    rest = overview_tables(plan_of("research-teams"), catalog)[1]
    assert rest.title == "Storage, private subnets and teams"
    assert rest.rows[-1] == ("3 more teams", "")
