"""Endpoints for a network without NAT."""

from typing import get_args, get_type_hints

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.endpoint import EndpointService
from neuron_cluster.providers.eks.config.addons import Addons
from neuron_cluster.providers.eks.endpoint_users import ALERT_TOPIC, NODE_RECOVERY

CATALOG = load_catalog()


def test_only_s3_and_its_directory_buckets_have_gateways() -> None:
    assert [row.name for row in CATALOG.endpoint_services if row.kind == "gateway"] == ["s3", "s3express"]


def test_all_that_a_cluster_without_nat_calls_are_there() -> None:
    of_others = (("express",), ("hyperpod_training_operator",))
    called = {row.name for row in CATALOG.endpoint_services if row.required_by not in of_others}
    of_cluster = [
        "lambda",
        "sts",
        "eks",
        "eks-auth",
        "ecr.api",
        "ecr.dkr",
        "s3",
        "ec2",
        "logs",
        "kms",
        "fsx",
        "autoscaling",
        "elasticloadbalancing",
        "monitoring",
        "sns",
        "pcs",
    ]
    assert called == {*of_cluster, "ssm", "ssmmessages", "ec2messages"}


def test_the_full_name_is_made_for_a_region() -> None:
    assert CATALOG.endpoint_services["ecr.api"].service_name("us-west-2") == "com.amazonaws.us-west-2.ecr.api"


def test_optional_services_name_components_or_users_that_call_them() -> None:
    users = {*get_args(get_args(get_type_hints(EndpointService)["required_by"])[0])}
    known = {*Addons.model_fields, NODE_RECOVERY, ALERT_TOPIC} | users
    assert [row.name for row in CATALOG.endpoint_services if not known >= {*row.used_by}] == []


def test_each_call_of_a_service_is_an_action_of_iam() -> None:
    """Calls of services that are recorded: a policy with another name would deny nothing."""
    calls = [each.partition(":") for row in CATALOG.endpoint_services for each in row.calls]
    recorded = [(CATALOG.iam_services[prefix], name) for prefix, _, name in calls if prefix in CATALOG.iam_services]
    assert len(recorded) > 10
    assert [name for service, name in recorded if not service.has_action(name)] == []


def test_nodes_of_hyperpod_call_what_its_guide_names_for_a_network_without_nat() -> None:
    users = {row.name for row in CATALOG.endpoint_services if "hyperpod" in (*row.required_by, *row.used_by)}
    assert users == {
        *("s3", "ec2", "ecr.api", "ecr.dkr", "sts", "logs", "monitoring", "ssm", "ssmmessages", "ec2messages"),
        "eks-auth",
    }


def test_files_without_hyperpod_keep_their_endpoints() -> None:
    """A service that nothing else requires would be created no more, or newly, if HyperPod required it alone."""
    alone = {row.name for row in CATALOG.endpoint_services if {*row.required_by} == {"hyperpod"}}
    assert alone == set()
    assert CATALOG.endpoint_services["logs"].required_by == ()
    operator = CATALOG.endpoint_services["sagemaker.api"]
    assert (operator.required_by, operator.used_by) == (("hyperpod_training_operator",), ())
