"""Invalid parameters are an error that names the construct, the value, what is allowed and what to do."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.errors import ToolkitError

from .conftest import OtherApp

NODES: dict[str, Any] = {
    "name": "trn1",
    "instance_type": "trn1.32xlarge",
    "subnet_ids": {"usw2-az4": "subnet-1"},
    "count": {"max": 4},
    "efa_security_group_id": "sg-1",
}
NETWORK: dict[str, Any] = {"cidr": "10.30.0.0/16", "availability_zones": ["usw2-az4"]}


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ({"instance_type": "trn1.33xlarge"}, "trn1.33xlarge, which is not in the catalog; did you mean trn1.32xlarge"),
        ({"efa": "full"}, "efa is \"full\"; allowed: 'efa', 'efa_all', 'ena_primary' or 'off'"),
        ({"efa_security_group_id": None}, "has EFA interfaces, but efa_security_group_id is not set; pass EfaSecurity"),
        ({"instance_type": "inf2.xlarge", "efa": "efa"}, "efa is efa, but inf2.xlarge has no EFA interfaces; set efa"),
        ({"subnet_ids": {"usw2-az4": "a", "usw2-az1": "b"}}, "EFA does not cross zones; add availability_zone"),
        ({"availability_zone": "usw2-az1"}, "availability_zone of trn1 is usw2-az1, but subnet_ids has only usw2-az4"),
        ({"count": {"max": 4, "mim": 1}}, "count.mim is not a known key; did you mean min"),
        ({"count": {"min": 5, "max": 4}}, "min is 5"),
        ({"capacity": {"kind": "capacity_block"}}, "capacity.reservation_id is missing; add it"),
        ({"logical_nc_config": 2}, "logical_nc_config is 2"),
        ({"subnet_ids": {}}, "neither network nor subnet_ids is set; pass one of them"),
        ({"subnet_ids": {"usw2-az9": "a"}}, "usw2-az9 is not a zone id of the catalog; did you mean usw2-az4"),
        ({"labels": {"a b": "c"}}, "a b"),
    ],
)
def test_node_group(edits: dict[str, Any], text: str, other_app: OtherApp) -> None:
    from neuron_cluster.cdk import InvalidParameters, NeuronNodeGroup

    with pytest.raises(InvalidParameters) as raised:
        NeuronNodeGroup(other_app.stack, "Nodes", cluster=other_app.cluster, **NODES | edits)
    assert str(raised.value).startswith("ml/Nodes: ")
    assert text in str(raised.value)
    assert "eks.node_groups" not in str(raised.value)


def test_a_token_in_the_place_of_a_number_or_text_is_named(other_app: OtherApp) -> None:
    import aws_cdk as cdk

    from neuron_cluster.cdk import InvalidParameters, NeuronNodeGroup

    number = cdk.CfnParameter(other_app.stack, "Max", type="Number").value_as_number
    text = cdk.CfnParameter(other_app.stack, "Type").value_as_string
    for name, edits in (("count.max", {"count": {"max": number}}), ("instance_type", {"instance_type": text})):
        with pytest.raises(InvalidParameters) as raised:
            NeuronNodeGroup(other_app.stack, f"Of {name}", cluster=other_app.cluster, **NODES | edits)
        assert f"{name} is a token, whose value synthesis does not know; write the number or text itself" in str(
            raised.value
        )


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ({"cidr": "10.30.0.0/30"}, "cidr is 10.30.0.0/30, smaller than AWS allows"),
        ({"cidr": "10.30.0.0/25", "availability_zones": ["usw2-az1", "usw2-az4"]}, "with NAT 2 zones require one each"),
        ({"availability_zones": ["us-west-2a"]}, "us-west-2a is not a zone id of the catalog"),
        ({"availability_zones": ["usw2-az4", "usw2-az4"]}, "usw2-az4 is listed twice"),
        ({"availability_zones": []}, "it must have at least 1 item"),
        ({"nat": "both"}, "nat is \"both\"; allowed: 'none', 'single' or 'per_zone'"),
        ({"endpoints": ["s33"]}, "s33"),
    ],
)
def test_network(edits: dict[str, Any], text: str, other_app: OtherApp) -> None:
    from neuron_cluster.cdk import InvalidParameters, NeuronNetwork

    with pytest.raises(InvalidParameters) as raised:
        NeuronNetwork(other_app.stack, "Net", **NETWORK | edits)
    assert text in str(raised.value)


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"noncurrent_version_days": 0}, "noncurrent_version_days is 0; it must be at least 1"),
        ({"expire_days": {"cache": 9}}, "expire_days has 'cache': 9; write a prefix that ends in a slash"),
        ({"expire_days": {"cache/": 0}}, "expire_days has 'cache/': 0"),
        ({"object_lock": {"mode": "gov", "days": 1}}, 'object_lock.mode is "gov"; allowed: '),
    ],
)
def test_bucket(parameters: dict[str, Any], text: str, other_app: OtherApp) -> None:
    from neuron_cluster.cdk import InvalidParameters, NeuronBucket

    with pytest.raises(InvalidParameters) as raised:
        NeuronBucket(other_app.stack, "Data", **parameters)
    assert text in str(raised.value)


def test_every_mistake_is_reported_and_the_error_is_a_value_error_of_the_toolkit(other_app: OtherApp) -> None:
    from neuron_cluster.cdk import InvalidParameters, NeuronNetwork

    with pytest.raises(InvalidParameters) as raised:
        NeuronNetwork(other_app.stack, "Net", cidr="10.30.0.0", availability_zones=["usw2-az4"], nat="both")
    assert str(raised.value).count("ml/Net: ") == 2
    assert isinstance(raised.value, (ValueError, ToolkitError))
