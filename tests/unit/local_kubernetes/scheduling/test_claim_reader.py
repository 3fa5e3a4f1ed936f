"""Reading of claims and their templates."""

from __future__ import annotations

from typing import Any

import pytest

from local_kubernetes.model.scheduling.pod import ClaimedDevices, ResourceClaim
from local_kubernetes.model.scheduling.pod_reader import pods_of

NEURON = "neuron.aws.com"
ATTRIBUTE = "device.attributes['neuron.aws.com']"


def pod_with(**claim: str) -> dict[str, Any]:
    spec = {"containers": [{"name": "main"}], "resourceClaims": [{"name": "chips", **claim}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}


def template(request: dict[str, Any], *, namespace: str = "default", **devices: Any) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "t", "namespace": namespace},
        "spec": {"spec": {"devices": {"requests": [{"name": "neurons", **request}], **devices}}},
    }


def exactly(*expressions: str, **said: Any) -> dict[str, Any]:
    selectors = [{"cel": {"expression": expression}} for expression in expressions]
    return {"exactly": {"deviceClassName": NEURON, **({"selectors": selectors} if selectors else {}), **said}}


def read(*objects: dict[str, Any], **claim: str) -> ResourceClaim:
    named = claim or {"resourceClaimTemplateName": "t"}
    (pod,) = pods_of([pod_with(**named), *objects])
    (found,) = pod.claims
    return found


@pytest.mark.parametrize(
    ("request_", "devices"),
    [
        (exactly(allocationMode="ExactCount", count=16), ClaimedDevices(NEURON, 16)),
        (exactly(count=4), ClaimedDevices(NEURON, 4)),
        (exactly(), ClaimedDevices(NEURON, 1)),
        (exactly(allocationMode="All"), ClaimedDevices(NEURON, None)),
        (exactly(f"{ATTRIBUTE}.resourceType == 'neuron_node'", count=1), ClaimedDevices(NEURON, 1, "node")),
        (exactly(f"{ATTRIBUTE}.resourceType == 'neuron_device'", count=1), ClaimedDevices(NEURON, 1)),
        (
            exactly(f'{ATTRIBUTE}.instanceType == "trn2.48xlarge"', count=1),
            ClaimedDevices(NEURON, 1, instance_type="trn2.48xlarge"),
        ),
        ({"exactly": {"count": 2}}, ClaimedDevices("", 2)),
    ],
)
def test_the_request_of_a_template(request_: dict[str, Any], devices: ClaimedDevices) -> None:
    assert read(template(request_)) == ResourceClaim("chips", (devices,))


def test_what_is_not_understood_is_a_doubt() -> None:
    cel = f"{ATTRIBUTE}.neuronDriverVersion == '2.25.4.0'"
    assert read(template(exactly(cel, count=1))).doubts == (f"the selector {cel} is not evaluated",)
    with_constraint = template(exactly(count=4), constraints=[{"matchAttribute": "resource.aws.com/devicegroup4_id"}])
    assert read(with_constraint).doubts == ("its constraints are not evaluated",)
    alternatives = read(template({"firstAvailable": [{"name": "a", "deviceClassName": NEURON, "count": 4}]}))
    assert (alternatives.devices, len(alternatives.doubts)) == ((), 1)


def test_a_claim_that_several_pods_share_is_read_too() -> None:
    own = template(exactly(count=2))
    shared = {**own, "kind": "ResourceClaim", "spec": own["spec"]["spec"]}
    assert read(shared, resourceClaimName="t").devices == (ClaimedDevices(NEURON, 2),)


def test_a_template_that_is_missing_or_in_another_namespace_is_named() -> None:
    assert read().missing == "ResourceClaimTemplate t"
    assert read(template(exactly(), namespace="other")).missing == "ResourceClaimTemplate t"
    assert read(resourceClaimName="c").missing == "ResourceClaim c"


def test_the_template_may_stand_in_another_file() -> None:
    pods = pods_of([pod_with(resourceClaimTemplateName="t")], others=[template(exactly(count=8))])
    assert pods[0].claims[0].devices == (ClaimedDevices(NEURON, 8),)
