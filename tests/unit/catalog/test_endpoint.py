"""Endpoints for a network without NAT."""

from neuron_cluster.catalog.endpoint import endpoint_services


def test_only_s3_and_its_directory_buckets_have_gateways() -> None:
    assert [row.name for row in endpoint_services().values() if row.kind == "gateway"] == ["s3", "s3express"]


def test_all_that_a_cluster_without_nat_calls_are_there() -> None:
    called = {name for name, row in endpoint_services().items() if row.required_by != ("express",)}
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
        "pcs",
    ]
    assert called == {*of_cluster, "ssm", "ssmmessages", "ec2messages"}


def test_the_full_name_is_made_for_a_region() -> None:
    assert endpoint_services()["ecr.api"].service_name("us-west-2") == "com.amazonaws.us-west-2.ecr.api"
