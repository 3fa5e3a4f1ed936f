"""Permissions of pods of charts: every action exists, every account is one of the chart's."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.pod_permission import PodPermission
from neuron_cluster.catalog.source_data import CatalogError, read_rows

CATALOG = load_catalog()

EVERY_PERMISSION = pytest.mark.parametrize("row", CATALOG.pod_permissions.rows, ids=lambda row: row.name)


@EVERY_PERMISSION
def test_the_account_is_one_that_the_chart_makes_in_that_namespace(row: PodPermission) -> None:
    found = CATALOG.charts.get(row.chart)
    assert found is not None
    accounts = {(account.namespace or found.namespace, account.name) for account in found.service_accounts}
    assert (row.namespace, row.service_account) in accounts
    assert row.when is None or found.value_kind(row.when) == "boolean"


@EVERY_PERMISSION
def test_every_action_is_one_of_its_service_where_that_is_recorded(row: PodPermission) -> None:
    for action in row.actions:
        prefix, _, name = action.partition(":")
        assert name
        service = CATALOG.iam_services.get(prefix)
        assert service is None or service.has_action(name), action


@EVERY_PERMISSION
def test_nothing_is_allowed_by_a_wildcard(row: PodPermission) -> None:
    assert not [action for action in row.actions if "*" in action]


def test_load_balancers_of_others_cannot_be_deleted() -> None:
    (row,) = CATALOG.pod_permissions.of_chart("aws-load-balancer-controller")
    (statement,) = (each for each in row.statements if "elasticloadbalancing:DeleteLoadBalancer" in each.actions)
    assert statement.conditions == {"Null": {"aws:ResourceTag/elbv2.k8s.aws/cluster": ("false",)}}


def test_charts_that_call_no_aws_have_no_rows() -> None:
    assert CATALOG.pod_permissions.of_chart("jobset") == ()


@pytest.mark.parametrize(
    ("name", "resource", "reason"),
    [("keda", "*", "must be chart/service-account"), ("a/b", "arn:aws:s3:::x", "names a partition")],
)
def test_a_bad_row_is_refused(tmp_path, name: str, resource: str, reason: str) -> None:
    file = tmp_path / "rows.yaml"
    file.write_text(
        f"- name: {name}\n  source: s\n  checked_on: 2026-11-21\n  namespace: n\n  when: null\n"
        f'  statements: [{{actions: [s3:GetObject], resources: ["{resource}"]}}]\n'
    )
    with pytest.raises(CatalogError, match=reason):
        read_rows(file, PodPermission)
